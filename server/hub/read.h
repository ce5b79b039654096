/*
 * The queue of finished rooms that are to be fetched from the store because somebody asks for them,
 * and the requests that wait for each. read_done.c handles the store's answer.
 */
#ifndef HUB_READ_H
#define HUB_READ_H

#include "turns.h"
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
    struct hub_peer peer;
    uint64_t ticket; /* not 0: over HTTP */
    int64_t id, have;
    enum request_op op;
    bool follows; /* of the request, as all of these are */
    uint64_t fields;
    char code[PROTOCOL_CODE_BYTES + 1];
};

/* A room that is being fetched. */
struct read {
    struct read *next;
    char id[9];
    bool taken;
    uint16_t share; /* of the address that asked for it first; see address.h */
    uint32_t turn;
    uint32_t reader_count;
    struct reader *readers, **last;
};

struct reads {
    struct read *first; /* in turn by address */
    size_t count;
    struct turns turns;
};

/*
 * The peer's request waits until its room has been fetched, for an address of that share. False:
 * too many wait, in all or from there, or no memory.
 */
bool read_wait(struct hub *hub, struct hub_peer peer, uint16_t share,
               const struct request *request);
/* The same for a record over HTTP. */
bool read_wait_http(struct hub *hub, const char *room_id, uint16_t share, uint64_t ticket);
/* The store has answered: takes the read out of the queue. The caller frees it and its readers. */
struct read *read_finish(struct hub *hub, const char *room_id);
void reads_release(struct hub *hub);

#endif
