/*
 * The queue of requests for a page of a session's finished matches, which the store has. A feature
 * asks (call_list) and answers.
 */
#ifndef HUB_LIST_H
#define HUB_LIST_H

#include "fair_queue.h"
#include <hub/hub.h>
#include <protocol/encoding.h>
#include <protocol/request.h>
#include <stdbool.h>
#include <stdint.h>

struct hub;

struct lister {
    struct queued queued;
    uint64_t ticket;
    struct hub_peer peer;
    int64_t id; /* of the request */
    enum request_op op;
    uint64_t session;
    char after[PROTOCOL_ROOM_BYTES + 1];
};

struct lists {
    struct fair_queue queue;
    uint64_t tickets;
};

/* `after` may be "". False: too many wait, in all or from that address, or no memory. */
bool list_wait(struct hub *hub, struct hub_peer peer, const struct origin *origin,
               const struct request *request, uint64_t session, const char *after);
/* The store has answered: takes the request out of the queue. The caller frees it. */
struct lister *list_finish(struct hub *hub, uint64_t ticket);
void lists_release(struct hub *hub);

#endif
