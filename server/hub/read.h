/*
 * Finished rooms that have left the memory: fetched from the store when somebody asks for one, and
 * the requests that wait for it.
 */
#ifndef HUB_READ_H
#define HUB_READ_H

#include <hub/hub.h>
#include <protocol/encoding.h>
#include <protocol/request.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct call;
struct hub;

/* A request that waits for a room: of a peer, or over HTTP. */
struct reader {
    struct reader *next;
    struct hub_peer peer;
    uint64_t ticket; /* not 0: over HTTP */
    int64_t id, have;
    enum request_op op;
    uint32_t fields;
    char code[PROTOCOL_CODE_BYTES + 1];
};

/* A room that is being fetched. */
struct read {
    struct read *next;
    char id[9];
    bool taken;
    uint32_t reader_count;
    struct reader *readers, **last;
};

struct reads {
    struct read *first;
    size_t count;
};

/* The call goes on when its room has been fetched; or is refused. */
void read_wait(const struct call *call);
/* The same for a record over HTTP. False: too many wait. */
bool read_wait_http(struct hub *hub, const char *room_id, uint64_t ticket);
void reads_release(struct hub *hub);

#endif
