#include "fair_queue.h"

#include "limits/origin.h"
#include "limits/turns.h"
#include <assert.h>

static struct queued *find_heaviest(const struct fair_queue *queue)
{
    struct queued *found = NULL;
    for (struct queued *at = queue->first; at; at = at->next) {
        if (!at->taken && origin_is_known(&at->origin) &&
            (!found || origin_compare(&queue->origins, &at->origin, &found->origin) >= 0))
            found = at;
    }
    return found;
}

bool fair_queue_allow(const struct fair_queue *queue, const struct origin *origin, int64_t most,
                      struct queued **instead)
{
    *instead = NULL;
    if (!turns_allow(&queue->turns, origin->turns, most))
        return false;
    if (queue->count < (size_t)most)
        return true;
    struct queued *heaviest = origin_is_known(origin) ? find_heaviest(queue) : NULL;
    if (heaviest && origin_gives_way(&queue->origins, &heaviest->origin, origin))
        *instead = heaviest;
    return *instead;
}

static void insert_queued(struct fair_queue *queue, struct queued *queued)
{
    struct queued **link = &queue->first;
    while (*link && ((*link)->taken || (*link)->turn <= queued->turn))
        link = &(*link)->next;
    queued->next = *link;
    *link = queued;
    queue->count++;
}

void fair_queue_add(struct fair_queue *queue, struct queued *queued, const struct origin *origin)
{
    queued->origin = *origin;
    queued->taken = false;
    queued->turn = turns_give(&queue->turns, origin->turns);
    origin_add(&queue->origins, origin);
    insert_queued(queue, queued);
}

static void remove_queued(struct fair_queue *queue, struct queued *queued)
{
    struct queued **link = &queue->first;
    while (*link != queued)
        link = &(*link)->next;
    *link = queued->next;
    queue->count--;
    origin_remove(&queue->origins, &queued->origin);
}

void fair_queue_share(struct fair_queue *queue, struct queued *queued, const struct origin *origin)
{
    if (queued->taken || turns_next(&queue->turns, origin->turns) >= queued->turn)
        return;
    fair_queue_leave(queue, queued);
    fair_queue_add(queue, queued, origin);
}

struct queued *fair_queue_next(const struct fair_queue *queue)
{
    struct queued *queued = queue->out < FAIR_QUEUE_OUT ? queue->first : NULL;
    while (queued && queued->taken)
        queued = queued->next;
    return queued;
}

void fair_queue_take(struct fair_queue *queue, struct queued *queued)
{
    assert(!queued->taken);
    queued->taken = true;
    queue->out++;
    turns_take(&queue->turns, queued->turn);
}

void fair_queue_leave(struct fair_queue *queue, struct queued *queued)
{
    remove_queued(queue, queued);
    if (queued->taken) {
        queue->out--;
        turns_leave(&queue->turns, queued->origin.turns);
    } else {
        turns_back(&queue->turns, queued->origin.turns, queued->turn);
    }
}
