/*
 * The store as the hub sees it: batches of plain data, out; plain rows, in at start.
 *
 * A store implements `commit`: everything in the batch becomes durable, or nothing does. Appends are fenced: an event is
 * accepted only as the next `seq` of its room and under the room's current `epoch` (a number the server takes, one higher, each time it
 * opens the store), so a second server that lost the store cannot write. Implemented by server/store (SQLite); by a model in the simulator.
 */
#ifndef HUB_STORE_H
#define HUB_STORE_H

#include <room/event.h>
#include <room/room.h>
#include <stddef.h>
#include <stdint.h>

enum store_result {
    STORE_OK = 0,
    STORE_FULL = -1,    /* disk full: nothing was written; try again later */
    STORE_FAILED = -2,  /* any other trouble: nothing was written, as far as one can know */
    STORE_FENCED = -3,  /* somebody else has the store */
    STORE_CORRUPT = -4,
    STORE_NEWER = -5,   /* made by a newer version; untouched */
};

struct store_session {
    uint64_t id;
    uint8_t token_hash[32];
    char name[100]; /* UTF-8, 0-terminated */
    int64_t created_ms, seen_ms;
};

struct store_room {
    struct room_seed seed;
    int64_t created_ms;
};

enum store_op_kind { STORE_PUT_SESSION, STORE_DROP_SESSION, STORE_PUT_ROOM, STORE_APPEND, STORE_DROP_ROOM };

struct store_op {
    enum store_op_kind kind;
    char room_id[9];
    union {
        struct store_session session;
        uint64_t session_id;
        struct store_room room;
        struct room_event event; /* text borrowed from the batch */
    } u;
};

struct store_batch {
    size_t count;
    const struct store_op *ops;
};

#endif
