#include "query.h"

#include "hub_private.h"
#include "turns.h"
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
                                  .behind = asked->behind};
    assert(query->index->name && "the table has it");
    memcpy(query->from, asked->from, table->size);
}

static void add_waiting(struct queries *queries, struct query_waiting *waiting)
{
    struct query_waiting **link = &queries->first;
    waiting->taken = false;
    waiting->query.ticket = ++queries->tickets;
    waiting->turn = turns_give(&queries->turns, waiting->share);
    while (*link && ((*link)->taken || (*link)->turn <= waiting->turn))
        link = &(*link)->next;
    waiting->next = *link;
    *link = waiting;
    queries->count++;
}

static struct query_waiting *create_waiting(struct hub *hub, uint16_t share,
                                            const struct kernel_query *asked)
{
    const struct queries *queries = &hub->queries;
    const bool has_place = queries->count < (size_t)hub->config.queries &&
                           turns_allow(&queries->turns, share, hub->config.queries);
    struct query_waiting *waiting = has_place ? calloc(1, sizeof *waiting) : NULL;
    if (!waiting)
        return NULL;
    waiting->share = share;
    fill_query(&waiting->query, asked);
    return waiting;
}

static struct query_waiting *wait_for(struct hub *hub, struct hub_peer peer, uint16_t share,
                                      const struct request *request,
                                      const struct kernel_query *asked)
{
    struct query_waiting *waiting = create_waiting(hub, share, asked);
    if (!waiting)
        return NULL;
    waiting->peer = peer;
    waiting->id = request->id;
    waiting->op = request->op;
    waiting->kept = asked->kept;
    add_waiting(&hub->queries, waiting);
    return waiting;
}

bool query_wait(struct hub *hub, struct hub_peer peer, uint16_t share,
                const struct request *request, const struct kernel_query *asked)
{
    return wait_for(hub, peer, share, request, asked);
}

bool query_wait_held(struct hub *hub, struct hub_peer peer, uint16_t share,
                     const struct request *request, const struct kernel_query *asked)
{
    assert(!request->options && !request->passkey);
    struct request *held = malloc(sizeof *held);
    struct query_waiting *waiting = held ? wait_for(hub, peer, share, request, asked) : NULL;
    if (!waiting) {
        free(held);
        return false;
    }
    *held = *request;
    waiting->held = held;
    return true;
}

bool query_wait_http(struct hub *hub, struct http_query *http, uint16_t share,
                     void (*free_http)(struct http_query *), const struct kernel_query *asked)
{
    struct query_waiting *waiting = create_waiting(hub, share, asked);
    if (!waiting)
        return false;
    waiting->http = http;
    waiting->free_http = free_http;
    add_waiting(&hub->queries, waiting);
    return true;
}

void query_instead(struct hub *hub, struct query_waiting *waiting, const struct kernel_query *asked)
{
    fill_query(&waiting->query, asked);
    add_waiting(&hub->queries, waiting);
}

void query_again(struct hub *hub, struct query_waiting *waiting, const void *behind)
{
    memcpy(waiting->query.from, behind, waiting->query.table->size);
    waiting->query.behind = true;
    add_waiting(&hub->queries, waiting);
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

struct query_waiting *query_next(const struct hub *hub)
{
    struct query_waiting *waiting = hub->queries.first;
    while (waiting && waiting->taken)
        waiting = waiting->next;
    return waiting;
}

void query_take(struct hub *hub, struct query_waiting *waiting)
{
    waiting->taken = true;
    turns_take(&hub->queries.turns, waiting->turn);
}

struct query_waiting *query_finish(struct hub *hub, uint64_t ticket)
{
    struct query_waiting **link = &hub->queries.first;
    while (*link && (*link)->query.ticket != ticket)
        link = &(*link)->next;
    struct query_waiting *waiting = *link;
    assert(waiting && waiting->taken);
    *link = waiting->next;
    turns_leave(&hub->queries.turns, waiting->share);
    hub->queries.count--;
    return waiting;
}

void queries_release(struct hub *hub)
{
    while (hub->queries.first) {
        struct query_waiting *waiting = hub->queries.first;
        hub->queries.first = waiting->next;
        query_free(waiting);
    }
}
