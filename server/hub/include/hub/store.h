/*
 * The store as the hub sees it: batches of plain data, out; plain rows, in.
 *
 * A store implements `commit`: everything in the batch becomes durable, or nothing does. Appends
 * are fenced: an event is accepted only as the next `seq` of its room and under the store's current
 * epoch (a number that a server takes, one higher, each time it opens the store), so a server that
 * has lost the store to another one cannot write. And it implements `read`: one room by its id, for
 * finished matches that have left the hub's memory.
 *
 * Implemented by server/store (SQLite), and by a model in the simulator. No function here: this is
 * the shape of what is handed over.
 */
#ifndef HUB_STORE_H
#define HUB_STORE_H

#include <room/event.h>
#include <room/seed.h>
#include <stddef.h>
#include <stdint.h>

enum store_result {
    STORE_OK = 0,
    STORE_FULL = -1,   /* disk full: nothing was written; try again later */
    STORE_FAILED = -2, /* any other trouble: nothing was written, as far as one can know */
    STORE_FENCED =
        -3, /* somebody else has the store, or the log is not what the hub thinks it is */
    STORE_CORRUPT = -4, /* the file is damaged */
    STORE_NEWER = -5,   /* made by a newer version; untouched */
};

struct store_session {
    uint64_t id;
    uint8_t token_hash[32];
    char name[100];     /* UTF-8, 0-terminated */
    int64_t created_ms; /* since 1970-01-01 UTC */
    int64_t seen_ms;    /* last hello, to within some hours */
};

struct store_room {
    struct room_seed seed;
    int64_t created_ms;
};

enum store_op_kind {
    STORE_PUT_SESSION,  /* u.session: insert, or replace the row of that id */
    STORE_DROP_SESSION, /* u.session_id: delete; no error if there is none */
    STORE_PUT_ROOM,     /* u.room: insert; the id is new (an archived room's: STORE_FAILED) */
    STORE_APPEND,       /* u.event: insert as the next seq of room_id, else STORE_FENCED */
    STORE_ARCHIVE_ROOM, /* room_id is finished: keep it, but do not hand it out at start any more */
    STORE_DROP_ROOM,    /* room_id and its events: delete; no error if there is none */
    STORE_LET_IN,       /* u.guest: may see room_id, if that is not archived or dropped */
};

/* A session that has given the code of a room by invitation, for as long as the room is live. */
struct store_guest {
    uint64_t session;
    uint64_t instead_of; /* a session that is none any more; 0: of nobody */
};

struct store_op {
    enum store_op_kind kind;
    char room_id[9]; /* 0-terminated; of the ops on rooms */
    union {
        struct store_session session;
        uint64_t session_id;
        struct store_room room;
        struct store_guest guest;
        struct room_event event; /* its text is borrowed from the batch */
    } u;
};

/*
 * Ops to be carried out in order, all or nothing. An empty batch is a probe: the store proves, by
 * committing a write of its own, that it can.
 */
struct store_batch {
    size_t count;
    const struct store_op *ops;
};

/* The answer to a read: `room` NULL if there is none of that id. Borrowed for the call it is given
 * to. */
struct store_room_read {
    const struct store_room *room;
    const struct room_event *events; /* seq 1..count */
    size_t count;
};

#endif
