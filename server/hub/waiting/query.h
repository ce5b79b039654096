/*
 * The queue of pages of rows that features have asked the store for, each for one request of a
 * client, or for a page of HTTP. What the hub itself asks for, letters, is asked for beside it
 * (mail.h).
 */
#ifndef HUB_QUERY_H
#define HUB_QUERY_H

#include "fair_queue.h"
#include <hub/hub.h>
#include <hub/store.h>
#include <protocol/request.h>
#include <stdbool.h>
#include <stdint.h>

struct http_query;
struct hub;
struct kernel_query;

struct query_waiting {
    struct queued queued;
    struct http_query *http; /* owned; NULL: of a client's request */
    void (*free_http)(struct http_query *http);
    struct hub_peer peer;
    int64_t id; /* of the request */
    enum request_op op;
    struct kernel_kept *kept; /* NULL: nothing */
    struct request *held;     /* owned; it is carried out after this; NULL: none is */
    struct store_query query;
};

struct queries {
    struct fair_queue queue;
    uint64_t tickets; /* from 1 */
};

/* For somebody from there. False: too many wait, in all or from there, or no memory. */
bool query_wait(struct hub *hub, struct hub_peer peer, const struct origin *origin,
                const struct request *request, const struct kernel_query *asked);
/* The same, of a request that is to be handled after it; it has no members but values. */
bool query_wait_held(struct hub *hub, struct hub_peer peer, const struct origin *origin,
                     const struct request *request, const struct kernel_query *asked);
/* May somebody from there wait, even if somebody else has to give way? */
bool query_has_place(const struct hub *hub, const struct origin *origin);
/* As query_wait, and takes `http` over if so. */
bool query_wait_http(struct hub *hub, struct http_query *http, const struct origin *origin,
                     void (*free_http)(struct http_query *), const struct kernel_query *asked);
/* One that was finished waits again, when its address has its next turn, for what is behind that
 * row. */
void query_again(struct hub *hub, struct query_waiting *waiting, const void *behind);
/* The same waits for something else. */
void query_instead(struct hub *hub, struct query_waiting *waiting,
                   const struct kernel_query *asked);
/* The store is asked now: for this one. NULL: nobody has a turn. */
struct query_waiting *query_take(struct hub *hub);
/* The store has answered: takes the request out of the queue. For query_free. */
struct query_waiting *query_finish(struct hub *hub, uint64_t ticket);
void query_free(struct query_waiting *waiting);
void queries_release(struct hub *hub);

#endif
