/*
 * The store as the hub and its loop see it: one interface, `struct store`, that every engine
 * implements, and the plain rows that go through it.
 *
 * Opening, closing and checking return when they are done; commits, reads, queries and trims are
 * asynchronous: the caller fills a request, and the engine calls its `done` once, within the
 * call or later, on any thread. A request, and all it points to, belongs to the engine until then.
 * An engine is called from one thread at a time, but for the checking. Several requests may be
 * under way; commits are carried out in the order in which they were begun.
 *
 * Everything in a batch becomes durable together. What is refused is refused for one room, or one
 * session, alone: then nothing of it is stored, and everything else of the batch is. A row that
 * claims what another one has is left out without anything else (hub/store_row.h). An append
 * names its room, the epoch under which the room is owned, and its `seq`; it is refused unless it
 * is the next one of its room under the store's current epoch. (The epoch is a number that goes up
 * each time the store is opened. If another server has opened the store since, commits fail with
 * STORE_FENCED.)
 *
 * What is kept of sessions is rows that are described (hub/store_row.h).
 *
 * Implemented by server/store (SQLite), by server/postgres and by tests/support/model_store.c.
 * Another engine needs no change elsewhere but in programs/choose_store.c, which makes it.
 */
#ifndef HUB_STORE_H
#define HUB_STORE_H

#include <hub/store_query.h>
#include <hub/store_row.h>
#include <hub/store_tables.h>
#include <protocol/limits.h>
#include <room/event.h>
#include <room/seed.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STORE_MESSAGE_MAX = 512 };

enum store_result {
    STORE_OK = 0,
    STORE_FULL = -1,    /* disk full: nothing was written; try again later */
    STORE_FAILED = -2,  /* any other trouble: nothing was written, as far as one can know */
    STORE_FENCED = -3,  /* another server has opened the store */
    STORE_CORRUPT = -4, /* the file is damaged */
    STORE_NEWER = -5,   /* made by a newer version; untouched */
    STORE_REFUSED = -6, /* of one room or session in a batch: not as the hub assumes it to be */
    STORE_TAKEN = -7,   /* of one row in a batch: another row has what it claims */
    STORE_CROWDED = -8, /* of one op in a batch: too many letters wait (store_op.within) */
};

/* ---- rows */

struct store_session {
    uint64_t id;
    char name[100];     /* UTF-8, 0-terminated */
    int64_t created_ms; /* since 1970-01-01 UTC */
    int64_t seen_ms;    /* last hello, to within some hours */
};

struct store_room {
    struct room_seed seed;
    int64_t created_ms;
};

/* A session that has given the code of a room by invitation, for as long as the room is live. */
struct store_guest {
    uint64_t session;
    uint64_t instead_of; /* a session that is not let in any more; 0: none */
};

/*
 * A letter: what a feature tells whoever the number is, from one part of the site to another
 * (hub/parts/mail.h). It is put in the batch of its cause, and dropped in the batch of its effect.
 */
enum { STORE_LETTER_KIND_MAX = 31, STORE_LETTER_TEXT_MAX = STORE_TEXT_MAX };
enum store_letter_state {
    STORE_LETTER_WAITS,
    /* Set aside for the operator: */
    STORE_LETTER_UNKNOWN,     /* no feature knows its kind */
    STORE_LETTER_UNREADABLE,  /* its feature refuses it */
    STORE_LETTER_INEFFECTIVE, /* the store refuses what it leads to */
};
enum { STORE_LETTER_STATES = STORE_LETTER_INEFFECTIVE + 1 };
struct store_letter {
    uint64_t addressee;
    uint64_t id; /* of its addressee's letters; drawn behind who has asked for it */
    enum store_letter_state state;
    int64_t at_ms;
    char kind[STORE_LETTER_KIND_MAX + 1]; /* 0-terminated */
    uint16_t text_len;
    const char *text; /* borrowed, UTF-8 without a 0 */
};

/*
 * How many letters there may be, in whatever state, of the whole site; to one addressee; and of
 * these those that people of one network have asked for. Where somebody asks from is a number that
 * the ids of such letters begin with, so that they are counted by their key; 0: nobody asks.
 */
enum { STORE_LETTER_SENDER_BITS = 14, STORE_LETTER_DRAWN_BITS = 48 };
struct store_letter_bound {
    uint32_t per_sender, per_addressee, all;
};
uint64_t store_letter_id(uint16_t sender, uint64_t drawn);
/* Of whose letter the id is the first and the last that they may have. False: nobody's. */
bool store_letter_senders(uint64_t id, uint64_t *first, uint64_t *last);

/* A time by which the clock was set ahead, in a place of that part's. */
struct store_jump {
    uint64_t part, place;
    int64_t since_ms, until_ms;
};

/* A described row (hub/store_row.h): the struct of its table. */
struct store_row {
    const struct store_table *table;
    const void *row;
    uint64_t with; /* the session with which it is refused; 0: its own, or the op's room */
    /* Of a put into a table that is bounded: so many of its session stay, the last by their key.
     * 0: all. */
    uint32_t keep;
};

/* ---- batches */

enum store_op_kind {
    STORE_PUT_SESSION,  /* u.session: insert, or replace the row of that id */
    STORE_DROP_SESSION, /* u.session_id: delete; no error if there is none */
    STORE_PUT_ROOM,     /* u.room: insert; the id must be new, among archived rooms too */
    STORE_APPEND,       /* u.event: insert as the next seq of room_id, under `epoch` */
    STORE_ARCHIVE_ROOM, /* room_id is finished: keep it, but do not hand it out at start any more */
    STORE_DROP_ROOM,    /* room_id and its events: delete; no error if there is none */
    STORE_LET_IN,       /* u.guest: may see room_id, if that is not dropped */
    STORE_PUT_ROW,  /* u.row: insert, or replace the row of that key; refused as its table says */
    STORE_DROP_ROW, /* u.row, of which the key counts: delete; no error if there is none */
    STORE_ERASE_NAMES,  /* u.session_id: STORE_ERASE_ROOMS archived rooms of its lists, of whatever
                           part, call it ROOM_ERASED_NAME from now on (room/erased.h), in the log and
                           in the lists of the others who have acted there, and are in none of its
                           own lists any more. To be asked again until there can be none. A room
                           that cannot be read stays as it is */
    STORE_HAND_ROOM,    /* u.hand: room_id, which is live and this one's, is kept as it would be if
                           `to` had done all that `from` has (room/hand.h); under `epoch`. Refused
                           if its log is damaged */
    STORE_HAND_MATCHES, /* u.hand: in STORE_HAND_ROOMS rooms of the lists of `from` (tables with
                           room_at), its rows are those of `to` instead, unless that has one of the
                           room; and of these rooms those that are archived, of whatever part, are
                           kept as by STORE_HAND_ROOM. But the log of one in which `to` has acted,
                           or that cannot be read, stays as it is. Nothing if `to` is not there. To
                           be asked again until there can be none */
};
enum { STORE_ERASE_ROOMS = 32, STORE_HAND_ROOMS = 32 };

/* One session's matches become another one's. */
struct store_hand {
    uint64_t from, to;
};

struct store_op {
    enum store_op_kind kind;
    char room_id[9]; /* 0-terminated; of the ops on rooms, and of a letter that an event causes */
    char with_id[9]; /* of STORE_PUT_ROOM: a room that is refused if this one is, and the other way
                        round; "": none */
    uint64_t epoch;  /* of STORE_APPEND, STORE_HAND_ROOM */
    /* Of a new room, whose end is told by letters, and of a letter that somebody asks for: refused
     * when there are as many letters as may be (STORE_CROWDED). 0: in any case. */
    struct store_letter_bound within;
    union {
        struct store_session session;
        uint64_t session_id;
        struct store_room room;
        struct store_guest guest;
        struct store_hand hand;
        struct store_row row;    /* borrowed from the batch, and what it borrows */
        struct room_event event; /* its text is borrowed from the batch */
    } u;
};

/*
 * Ops to be carried out in order. An empty batch is a probe: the store commits a write of its own
 * to prove that it works. `results`, one for each op, are STORE_OK before; the engine calls
 * store_batch_refuse or store_batch_crowd for what it refuses.
 */
struct store_batch {
    size_t count;
    const struct store_op *ops;
    enum store_result *results;
};

/* The session that the op is about, with all of whose ops it is refused; 0: it is about none. */
uint64_t store_op_session(const struct store_op *op);

/*
 * Marks all ops of the room or session of ops[at] as refused, and of the rooms that go with it.
 * What was taken may be free without them: it is to be tried again.
 */
void store_batch_refuse(const struct store_batch *batch, size_t at);
/* The same, because ops[at] is not within its bound. */
void store_batch_crowd(const struct store_batch *batch, size_t at);
/* Has an op been refused for that? */
bool store_batch_is_crowded(const struct store_batch *batch);

/* ---- requests */

struct store_commit {
    const struct store_batch *batch;
    enum store_result result; /* STORE_OK: durable, but for what `results` of the batch refuse */
    void (*done)(struct store_commit *commit);
    void *ctx; /* the caller's */
};

struct store_room_read {
    const struct store_room *room;   /* NULL: there is none of that id */
    const struct room_event *events; /* seq 1..count */
    size_t count;
    const uint64_t *guests; /* STORE_LET_IN, at most STORE_GUESTS_MAX */
    size_t guest_count;
};
enum { STORE_GUESTS_MAX = 32 }; /* of one room; the hub names no more (instead_of) */

/* One archived room. Its rows hold until `release`, which the caller calls once after `done`. */
struct store_read {
    char room_id[9];
    enum store_result result;
    struct store_room_read rows;
    void (*done)(struct store_read *read);
    void *ctx;
    void (*release)(struct store_read *read); /* the engine's; from any thread */
    void *owner;                              /* the engine's */
};

/*
 * A page of rows of a described table, in the order of one of its indexes: of the whole site,
 * whoever owns them, or of one part. What is damaged is left out. The rows hold until `release`,
 * which the caller calls once after `done`. What was durable when it was asked for is found.
 */
enum { STORE_QUERY_ROWS_MAX = 64 };
struct store_query {
    uint64_t ticket; /* the hub's */
    const struct store_table *table;
    const struct store_index *index; /* of the table */
    unsigned part, parts;            /* of that part of so many; parts 0: of the whole site */
    uint32_t limit;                  /* rows; 1 to STORE_QUERY_ROWS_MAX */
    bool behind;                     /* only rows behind `from` */
    /* With `behind`: beside the index's first columns this one alone is known of the row behind
     * which the page begins. If no row has it there is nothing behind it. 0: all are known. */
    uint8_t behind_by;
    /* A row: what the index's first columns have to be, and what the page begins behind. */
    alignas(max_align_t) uint8_t from[STORE_ROW_SIZE_MAX];
    enum store_result result;
    size_t count; /* of rows, as they came (store_query_row) */
    bool more;
    void (*done)(struct store_query *query);
    void *ctx;
    void (*release)(struct store_query *query); /* the engine's; from any thread */
    void *owner;                                /* the engine's */
};

/*
 * A step of letting finished rooms go that are not to be kept any longer. It looks at a few rooms
 * in the order in which they were made, and drops of them what its bounds name, with the rows of
 * that match in the lists of those who acted in it. What cannot be read stays. It waits for nobody,
 * and drops so few that a commit behind it is not held up.
 */
enum store_match {
    STORE_MATCH_SOLO,   /* fewer than two sessions have acted in it: one person with computers */
    STORE_MATCH_PEOPLE, /* any other */
};
enum { STORE_MATCHES = STORE_MATCH_PEOPLE + 1 };
enum { STORE_TRIM_LOOKS = 16, STORE_TRIM_DROPS = 4 }; /* rooms, at most, for each part of a site */
struct store_trim {
    char room_id[9]; /* not "": that finished room alone goes, if it is there; of what is below only
                        `result` and `dropped` (as a solo one) are said */
    int64_t after;   /* where the step before has ended; 0: from the first on */
    int64_t before_ms[STORE_MATCHES]; /* what ended earlier goes */
    uint64_t excess[STORE_MATCHES];   /* so many go whenever they ended, the first ones */
    enum store_result result; /* not STORE_OK: nothing was done, and nothing below is said */
    bool end;                 /* there is no room behind these */
    int64_t latest_ms;        /* the latest end among what stays; 0: nothing stays */
    uint64_t kept[STORE_MATCHES], dropped[STORE_MATCHES];
    void (*done)(struct store_trim *trim);
    void *ctx;
};

/*
 * For engines: a step begins; does a room go that ended then, in which so many sessions have acted?
 * It is counted. And is that as many as a step drops?
 */
void store_trim_begin(struct store_trim *trim);
bool store_trim_takes(struct store_trim *trim, int64_t ended_ms, int64_t sessions);
bool store_trim_is_full(const struct store_trim *trim);

/* ---- the interface */

/* Receives rows, which are borrowed for the call. A result below 0 ends the opening with it. */
struct store_sink {
    int (*opened)(void *ctx, uint64_t epoch); /* called first; the epoch of this server */
    int (*session)(void *ctx, const struct store_session *session);
    int (*row)(void *ctx, const struct store_table *table, const void *row);
    int (*room)(void *ctx, const struct store_room *room);
    int (*event)(void *ctx, const char *room_id, const struct room_event *event);
    int (*guest)(void *ctx, const char *room_id, uint64_t session);
    /* Instead of what is left of the room, or of all of it: its rows are damaged. It stays in the
     * store as it is, and everything about it is refused. */
    int (*damaged)(void *ctx, const char *room_id, const char *why);
    void *ctx;
};

struct store_engine;

/* The head of every engine's own struct. */
struct store {
    const struct store_engine *engine;
    /*
     * Reports a problem for the log, or with STORE_OK that one is over: a name and a sentence
     * without secrets. From any thread; may be NULL. Set by the owner before the opening.
     */
    void (*warn)(const char *event, const char *message, enum store_result result);
};

struct store_engine {
    /*
     * Once, first: takes the store, making it if need be, and hands over all that is live: every
     * session, then the described rows, table by table (and of a part of a site the rows of other
     * parts with a secret that falls into this one), then every room that is not archived, each
     * followed by its events, then the guests of all of them. On failure `message` says why, and
     * only `close` may follow.
     */
    enum store_result (*open)(struct store *store, const struct store_sink *sink,
                              char message[STORE_MESSAGE_MAX]);
    void (*commit)(struct store *store, struct store_commit *commit);
    void (*read)(struct store *store, struct store_read *read);
    void (*query)(struct store *store, struct store_query *query);
    void (*trim)(struct store *store, struct store_trim *trim); /* NULL: it keeps everything */
    /*
     * Once, at any time after the opening, on a thread that may wait, while others use the rest:
     * what is known of the file's soundness only by reading all of it. STORE_CORRUPT with a message
     * if it is damaged, STORE_FAILED with one if that could not be found out or it was stopped.
     * NULL: the opening finds out.
     */
    enum store_result (*check)(struct store *store, char message[STORE_MESSAGE_MAX]);
    /* From any thread: a check that is under way, or begins later, ends at once. NULL as `check`.
     */
    void (*stop_check)(struct store *store);
    /* Ends and frees it; nothing may be under way. */
    void (*close)(struct store *store);
};

#endif
