#include "query.h"

#include "fair_queue.h"
#include "hub_private.h"
#include <assert.h>
#include <hub/kernel_query.h>
#include <stdlib.h>
#include <string.h>

static void fill_query(struct store_query *query, const struct kernel_query *asked)
{
    const struct store_table *table = asked->table;
    assert(asked->limit > 0 && asked->limit <= STORE_QUERY_ROWS_MAX);
    *query = (struct store_query){.table = table,
                                  .index = &table->indexes[asked->index],
                                  .limit = asked->limit,
                                  .behind = asked->behind,
                                  .behind_by = asked->behind_by};
    assert(query->index->name && "the table has it");
    memcpy(query->from, asked->from, table->size);
}

static struct query_waiting *waiting_of(struct queued *queued)
{
    return (struct query_waiting *)(void *)queued;
}

/* NULL: too many wait, or no memory. */
static struct query_waiting *add_waiting(struct hub *hub, const struct origin *origin,
                                         const struct kernel_query *asked)
{
    struct fair_queue *queue = &hub->queries.queue;
    struct queued *instead;
    struct query_waiting *waiting = calloc(1, sizeof *waiting);
    if (!waiting || !fair_queue_allow(queue, origin, hub->config.queries, &instead)) {
        free(waiting);
        return NULL;
    }
    if (instead) {
        fair_queue_leave(queue, instead);
        queue->gives_way(hub, instead);
    }
    fill_query(&waiting->query, asked);
    waiting->query.ticket = ++hub->queries.tickets;
    fair_queue_add(queue, &waiting->queued, origin);
    return waiting;
}

static struct query_waiting *wait_for(struct hub *hub, struct hub_peer peer,
                                      const struct origin *origin, const struct request *request,
                                      const struct kernel_query *asked)
{
    struct query_waiting *waiting = add_waiting(hub, origin, asked);
    if (!waiting)
        return NULL;
    waiting->peer = peer;
    waiting->id = request->id;
    waiting->op = request->op;
    waiting->kept = asked->kept;
    return waiting;
}

bool query_wait(struct hub *hub, struct hub_peer peer, const struct origin *origin,
                const struct request *request, const struct kernel_query *asked)
{
    return wait_for(hub, peer, origin, request, asked);
}

bool query_wait_held(struct hub *hub, struct hub_peer peer, const struct origin *origin,
                     const struct request *request, const struct kernel_query *asked)
{
    assert(!request->options && !request->passkey);
    struct request *held = malloc(sizeof *held);
    struct query_waiting *waiting = held ? wait_for(hub, peer, origin, request, asked) : NULL;
    if (!waiting) {
        free(held);
        return false;
    }
    *held = *request;
    waiting->held = held;
    return true;
}

bool query_has_place(const struct hub *hub, const struct origin *origin)
{
    struct queued *instead;
    return fair_queue_allow(&hub->queries.queue, origin, hub->config.queries, &instead);
}

bool query_wait_http(struct hub *hub, struct http_query *http, const struct origin *origin,
                     void (*free_http)(struct http_query *), const struct kernel_query *asked)
{
    struct query_waiting *waiting = add_waiting(hub, origin, asked);
    if (!waiting)
        return false;
    waiting->http = http;
    waiting->free_http = free_http;
    return true;
}

/* Behind the others of its address; it has a queued. */
static void wait_again(struct hub *hub, struct query_waiting *waiting)
{
    const struct origin origin = waiting->queued.origin;
    waiting->query.ticket = ++hub->queries.tickets;
    fair_queue_add(&hub->queries.queue, &waiting->queued, &origin);
}

void query_instead(struct hub *hub, struct query_waiting *waiting, const struct kernel_query *asked)
{
    fill_query(&waiting->query, asked);
    wait_again(hub, waiting);
}

void query_again(struct hub *hub, struct query_waiting *waiting, const void *behind)
{
    memcpy(waiting->query.from, behind, waiting->query.table->size);
    waiting->query.behind = true;
    waiting->query.behind_by = 0;
    wait_again(hub, waiting);
}

void query_free(struct query_waiting *waiting)
{
    if (waiting->http)
        waiting->free_http(waiting->http);
    if (waiting->kept)
        waiting->kept->destroy(waiting->kept);
    free(waiting->held);
    free(waiting);
}

struct query_waiting *query_take(struct hub *hub)
{
    struct queued *queued = fair_queue_next(&hub->queries.queue);
    if (!queued)
        return NULL;
    fair_queue_take(&hub->queries.queue, queued);
    return waiting_of(queued);
}

struct query_waiting *query_finish(struct hub *hub, uint64_t ticket)
{
    struct queued *queued = hub->queries.queue.first;
    while (queued && waiting_of(queued)->query.ticket != ticket)
        queued = queued->next;
    assert(queued && queued->taken);
    fair_queue_leave(&hub->queries.queue, queued);
    return waiting_of(queued);
}

void queries_release(struct hub *hub)
{
    struct fair_queue *queue = &hub->queries.queue;
    while (queue->first) {
        struct query_waiting *waiting = waiting_of(queue->first);
        fair_queue_leave(queue, queue->first);
        query_free(waiting);
    }
}
