#include "list.h"

#include "fair_queue.h"
#include "hub_private.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static struct lister *lister_of(struct queued *queued)
{
    return (struct lister *)(void *)queued;
}

/* NULL: too many wait, or no memory. */
static struct lister *add_lister(struct hub *hub, const struct origin *origin)
{
    struct fair_queue *queue = &hub->lists.queue;
    struct queued *instead;
    struct lister *lister = calloc(1, sizeof *lister);
    if (!lister || !fair_queue_allow(queue, origin, hub->config.lists, &instead)) {
        free(lister);
        return NULL;
    }
    if (instead) {
        fair_queue_leave(queue, instead);
        queue->gives_way(hub, instead);
    }
    lister->ticket = ++hub->lists.tickets;
    fair_queue_add(queue, &lister->queued, origin);
    return lister;
}

bool list_wait(struct hub *hub, struct hub_peer peer, const struct origin *origin,
               const struct request *request, uint64_t session, const char *after)
{
    struct lister *lister = add_lister(hub, origin);
    if (!lister)
        return false;
    lister->peer = peer;
    lister->id = request->id;
    lister->op = request->op;
    lister->session = session;
    snprintf(lister->after, sizeof lister->after, "%s", after);
    return true;
}

bool hub_list_take(struct hub *hub, struct store_list *list)
{
    struct queued *queued = fair_queue_next(&hub->lists.queue);
    if (!queued || hub->commit.stopped)
        return false;
    const struct lister *lister = lister_of(queued);
    fair_queue_take(&hub->lists.queue, queued);
    *list = (struct store_list){.ticket = lister->ticket, .session = lister->session};
    snprintf(list->after, sizeof list->after, "%s", lister->after);
    return true;
}

struct lister *list_finish(struct hub *hub, uint64_t ticket)
{
    struct queued *queued = hub->lists.queue.first;
    while (queued && lister_of(queued)->ticket != ticket)
        queued = queued->next;
    assert(queued && queued->taken);
    fair_queue_leave(&hub->lists.queue, queued);
    return lister_of(queued);
}

void lists_release(struct hub *hub)
{
    struct fair_queue *queue = &hub->lists.queue;
    while (queue->first) {
        struct lister *lister = lister_of(queue->first);
        fair_queue_leave(queue, queue->first);
        free(lister);
    }
}
