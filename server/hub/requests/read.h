/*
 * The queue of finished rooms that are to be fetched from the store because somebody asks for them,
 * and the requests that wait for each. read_done.c handles the store's answer.
 */
#ifndef HUB_READ_H
#define HUB_READ_H

#include "waiting/fair_queue.h"
#include <hub/hub.h>
#include <protocol/encoding.h>
#include <protocol/request.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hub;

/* A request that waits for a room: of a peer, or over HTTP. */
struct reader {
    struct reader *next;
    struct origin origin;
    struct hub_peer peer;
    uint64_t ticket; /* not 0: over HTTP */
    int64_t id, have;
    enum request_op op;
    bool follows; /* of the request, as all of these are */
    uint64_t fields;
    char code[PROTOCOL_CODE_BYTES + 1];
};

/* A room that is being fetched: for whoever asked for it first, or would have it earlier. */
struct read {
    struct queued queued;
    char id[9];
    uint32_t reader_count;
    struct reader *readers, **last;
};

struct reads {
    struct fair_queue queue;
    struct origin_counts readers; /* of one of them, while one gives way; else zeros */
    /* Tells a reader, and frees it; set by read_done.c. */
    void (*reader_gives_way)(struct hub *hub, const struct read *read, struct reader *reader);
};

/*
 * The peer's request waits until its room has been fetched, for somebody from there. False: too
 * many wait, in all or from there, or no memory.
 */
bool read_wait(struct hub *hub, struct hub_peer peer, const struct origin *origin,
               const struct request *request);
/* The same for a record over HTTP. */
bool read_wait_http(struct hub *hub, const char *room_id, const struct origin *origin,
                    uint64_t ticket);
/* May somebody from there wait for that room, even if somebody else has to give way? */
bool read_has_place(struct hub *hub, const char *room_id, const struct origin *origin);
/* The store has answered: takes the read out of the queue. The caller frees it and its readers. */
struct read *read_finish(struct hub *hub, const char *room_id);
void reads_release(struct hub *hub);

#endif
