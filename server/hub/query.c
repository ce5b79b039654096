#include "query.h"

#include "hub_private.h"
#include <assert.h>
#include <hub/kernel_query.h>
#include <stdlib.h>
#include <string.h>

static void fill(struct store_query *query, const struct kernel_query *asked)
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

static void add(struct queries *queries, struct query_waiting *waiting)
{
    waiting->next = NULL;
    waiting->taken = false;
    waiting->query.ticket = ++queries->tickets;
    *(queries->first ? &queries->last->next : &queries->first) = waiting;
    queries->last = waiting;
    queries->count++;
}

static struct query_waiting *create(struct hub *hub, const struct kernel_query *asked)
{
    struct queries *queries = &hub->queries;
    struct query_waiting *waiting =
        queries->count < (size_t)hub->config.queries ? calloc(1, sizeof *waiting) : NULL;
    if (waiting)
        fill(&waiting->query, asked);
    return waiting;
}

bool query_wait(struct hub *hub, struct hub_peer peer, const struct request *request,
                const struct kernel_query *asked)
{
    struct query_waiting *waiting = create(hub, asked);
    if (!waiting)
        return false;
    waiting->peer = peer;
    waiting->id = request->id;
    waiting->op = request->op;
    waiting->kept = asked->kept;
    add(&hub->queries, waiting);
    return true;
}

bool query_wait_held(struct hub *hub, struct hub_peer peer, const struct request *request,
                     const struct kernel_query *asked)
{
    assert(!request->options && !request->passkey);
    struct request *held = malloc(sizeof *held);
    if (!held || !query_wait(hub, peer, request, asked)) {
        free(held);
        return false;
    }
    *held = *request;
    hub->queries.last->held = held;
    return true;
}

bool query_wait_http(struct hub *hub, struct http_query *http,
                     void (*free_http)(struct http_query *), const struct kernel_query *asked)
{
    struct query_waiting *waiting = create(hub, asked);
    if (!waiting)
        return false;
    waiting->http = http;
    waiting->free_http = free_http;
    add(&hub->queries, waiting);
    return true;
}

void query_instead(struct hub *hub, struct query_waiting *waiting, const struct kernel_query *asked)
{
    fill(&waiting->query, asked);
    add(&hub->queries, waiting);
}

void query_again(struct hub *hub, struct query_waiting *waiting, const void *behind)
{
    memcpy(waiting->query.from, behind, waiting->query.table->size);
    waiting->query.behind = true;
    add(&hub->queries, waiting);
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

struct query_waiting *query_finish(struct hub *hub, uint64_t ticket)
{
    struct queries *queries = &hub->queries;
    struct query_waiting *before = NULL, *waiting = queries->first;
    while (waiting && waiting->query.ticket != ticket) {
        before = waiting;
        waiting = waiting->next;
    }
    assert(waiting && waiting->taken);
    *(before ? &before->next : &queries->first) = waiting->next;
    if (queries->last == waiting)
        queries->last = before;
    queries->count--;
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
