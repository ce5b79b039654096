#include "long_queue.h"

#include "conn.h"
#include "hub_private.h"
#include "limits/address.h"
#include "limits/turns.h"
#include "price.h"
#include <stdlib.h>

bool long_queue_passes(const struct hub *hub, const struct conn *conn)
{
    return hub->long_queue.turns.waiting[conn->address->origin.turns] == 0 &&
           price_allows_work(hub, conn->address);
}

static struct long_waiting *remove_at(struct long_queue *queue, struct long_waiting **link)
{
    struct long_waiting *waiting = *link;
    *link = waiting->next;
    queue->count--;
    return waiting;
}

/* ---- waiting */

/* The last, if it is to come after that turn. */
static struct long_waiting *remove_behind(struct long_queue *queue, uint32_t turn)
{
    struct long_waiting **last = &queue->first;
    while (*last && (*last)->next)
        last = &(*last)->next;
    if (!*last || (*last)->turn <= turn)
        return NULL;
    turns_back(&queue->turns, (*last)->share, (*last)->turn);
    return remove_at(queue, last);
}

static void insert_waiting(struct long_queue *queue, struct long_waiting *waiting)
{
    struct long_waiting **link = &queue->first;
    waiting->turn = turns_give(&queue->turns, waiting->share);
    while (*link && (*link)->turn <= waiting->turn)
        link = &(*link)->next;
    waiting->next = *link;
    *link = waiting;
    queue->count++;
}

bool long_queue_add(struct hub *hub, const struct conn *conn, const struct request *request,
                    struct long_waiting **instead)
{
    struct long_queue *queue = &hub->long_queue;
    const uint16_t share = conn->address->origin.turns;
    struct long_waiting *waiting =
        request->options || request->passkey ? NULL : malloc(sizeof *waiting);
    *instead = NULL;
    if (waiting && queue->count >= (size_t)hub->config.answers_waiting) {
        *instead = remove_behind(queue, turns_next(&queue->turns, share));
        if (!*instead) {
            free(waiting);
            return false;
        }
    }
    if (!waiting)
        return false;
    waiting->peer = conn->peer;
    waiting->request = *request;
    waiting->share = share;
    insert_waiting(queue, waiting);
    return true;
}

static bool is_of_peer(const struct long_waiting *waiting, struct hub_peer peer)
{
    return waiting->peer.index == peer.index && waiting->peer.generation == peer.generation;
}

/* It has had no turn. */
static struct long_waiting *remove_unanswered(struct long_queue *queue, struct long_waiting **link)
{
    turns_leave(&queue->turns, (*link)->share);
    return remove_at(queue, link);
}

struct long_waiting *long_queue_take_watch(struct hub *hub, const struct conn *conn)
{
    struct long_queue *queue = &hub->long_queue;
    struct long_waiting **link = &queue->first;
    while (*link && ((*link)->request.op != REQUEST_WATCH || !is_of_peer(*link, conn->peer)))
        link = &(*link)->next;
    return *link ? remove_unanswered(queue, link) : NULL;
}

void long_queue_forget(struct hub *hub, struct hub_peer peer)
{
    struct long_queue *queue = &hub->long_queue;
    struct long_waiting **link = &queue->first;
    while (*link) {
        if (is_of_peer(*link, peer))
            free(remove_unanswered(queue, link));
        else
            link = &(*link)->next;
    }
}

/* ---- in turn */

static const struct conn *first_conn(const struct hub *hub)
{
    const struct long_waiting *first = hub->long_queue.first;
    return first ? conn_of(hub, first->peer) : NULL;
}

struct long_waiting *long_queue_take(struct hub *hub)
{
    struct long_queue *queue = &hub->long_queue;
    const struct conn *conn = first_conn(hub);
    if (!conn || !price_allows_work(hub, conn->address))
        return NULL;
    struct long_waiting *waiting = remove_at(queue, &queue->first);
    turns_take(&queue->turns, waiting->turn);
    turns_leave(&queue->turns, waiting->share);
    return waiting;
}

int64_t long_queue_deadline_ms(const struct hub *hub)
{
    const struct conn *conn = first_conn(hub);
    return conn ? hub->now_ms + price_work_wait_ms(hub, conn->address) : INT64_MAX;
}

void long_queue_release(struct hub *hub)
{
    while (hub->long_queue.first)
        free(remove_at(&hub->long_queue, &hub->long_queue.first));
}
