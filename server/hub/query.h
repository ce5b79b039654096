/*
 * The queue of pages of rows that features have asked the store for, each for one request of a
 * client, or for a page of HTTP. What the hub itself asks for, letters, is asked for beside it
 * (mail.h).
 */
#ifndef HUB_QUERY_H
#define HUB_QUERY_H

#include <hub/hub.h>
#include <hub/store.h>
#include <protocol/request.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct http_query;
struct hub;
struct kernel_query;

struct query_waiting {
    struct query_waiting *next;
    struct http_query *http; /* owned; NULL: of a client's request */
    void (*free_http)(struct http_query *http);
    struct hub_peer peer;
    int64_t id; /* of the request */
    enum request_op op;
    bool taken;
    struct kernel_kept *kept; /* NULL: nothing */
    struct request *held;     /* owned; it is carried out after this; NULL: none is */
    struct store_query query;
};

struct queries {
    struct query_waiting *first, *last; /* taken in order */
    size_t count;
    uint64_t tickets; /* from 1 */
};

/* False: too many wait, or no memory. */
bool query_wait(struct hub *hub, struct hub_peer peer, const struct request *request,
                const struct kernel_query *asked);
/* The same, of a request that is to be handled after it; it has no members but values. */
bool query_wait_held(struct hub *hub, struct hub_peer peer, const struct request *request,
                     const struct kernel_query *asked);
/* The same, and takes `http` over if so. */
bool query_wait_http(struct hub *hub, struct http_query *http,
                     void (*free_http)(struct http_query *), const struct kernel_query *asked);
/* One that was finished waits again, last of all, for what is behind that row. */
/* The same waits for something else. */
void query_instead(struct hub *hub, struct query_waiting *waiting,
                   const struct kernel_query *asked);
void query_again(struct hub *hub, struct query_waiting *waiting, const void *behind);
/* The next one that nobody has taken; NULL: there is none. */
struct query_waiting *query_next(const struct hub *hub);
/* The store has answered: takes the request out of the queue. For query_free. */
struct query_waiting *query_finish(struct hub *hub, uint64_t ticket);
void query_free(struct query_waiting *waiting);
void queries_release(struct hub *hub);

#endif
