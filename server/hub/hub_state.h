/*
 * What the hub is made of; private to this folder. Each struct is changed by the file named after
 * it and looked at by all.
 *
 * The way of a request through the files:
 *
 *     hub.c --bytes--> route.c --admit, decode, one row per op--> op_*.c --decide, apply-->
 * change.c
 *                                                                               |
 *     outbox of every subscriber <--release-- batch.c <--store ops, pending effects--'
 *
 * Laws that the files keep together:
 *
 * - What is told to anybody is durable. An effect (reply, push, subscription) of a room that has
 *   events in a batch waits behind them, in that batch; `effect.c` releases it when the batch is
 *   done, or turns it into a refusal. Effects of a room are released in the order in which they
 *   were made, so a subscriber's `seq` moves on by one with every push, without gap or double.
 * - The store fails: every room goes back to its durable_seq; those that have none are gone.
 * - A connection is never freed or closed where it is found wanting: `conn_close` marks it, and
 *   `hub_settle`, at the end of every call from outside, detaches what is marked.
 * - Whatever can fail for want of memory is reserved before the first change.
 */
#ifndef HUB_STATE_H
#define HUB_STATE_H

#include "blob.h"
#include "map.h"
#include "timer.h"
#include <hub/bucket.h>
#include <hub/hub.h>
#include <protocol/encoding.h>
#include <protocol/json_writer.h>
#include <protocol/request.h>
#include <room/room.h>

struct call;
struct conn;
struct hub_room;
struct session;

enum timer_kind { TIMER_CONN, TIMER_ROOM, TIMER_PRESENCE };

enum {
    CLOSE_NOT_UTF8 = 1007,
    CLOSE_TOO_LONG = 1009,
    CLOSE_SERVER_FAULT = 1011,
    CLOSE_RESTART = 1012,
    CLOSE_FULL = 1013,
    CLOSE_NO_HELLO = 4001,
    CLOSE_SLOW_READER = 4002,
    CLOSE_FLOOD = 4003,
    CLOSE_IDLE = 4004,
};

/* ---- addresses: conn counts and buckets by IPv4 address or IPv6 /64 */

struct address {
    uint64_t key;      /* keyed hash of `prefix` */
    uint8_t prefix[8]; /* IPv6 /64; or ::ffff's four bytes and zeros */
    uint32_t conns;
    struct bucket sessions, guesses, rooms;
    struct address *newer, *older; /* among those without conns */
};

/* ---- sessions */

struct seat_link { /* a seat that a session holds in a room that is not over; part of the room */
    struct hub_room *hub_room;
    struct session *session;        /* NULL: free, a computer's, or the room is over */
    uint64_t session_id;            /* 0: free, or a computer's */
    uint64_t since_seq;             /* whose seat it is since then */
    struct seat_link *next, **self; /* in session->seats */
};

struct session {
    uint64_t id;
    uint8_t token_hash[32];
    int64_t created_ms, seen_ms; /* as stored */
    char *name;
    struct conn *conns;
    struct seat_link *seats;
    struct session *newer, *older; /* in the queue of the idle; see session.c */
    int64_t idle_ms;               /* since when */
    struct bucket says, guesses;
    uint16_t conn_count;
    uint16_t seat_count;
    uint16_t host_count; /* rooms made by it that are not over */
    bool idle;           /* in a queue of the idle */
    bool player;         /* has had a seat, or came back: kept longer */
    bool durable;        /* the store has it */
    bool dropping;       /* its STORE_DROP_SESSION is under way */
    bool gone;           /* was to be dropped: the store may not have it, so nobody gets it back */
};

struct session_queue {
    struct session *oldest, *newest;
};

/* ---- connections */

struct outbox { /* a ring of blobs */
    struct blob **ring;
    uint32_t first, count, size;
    uint32_t bytes;
};

struct subscription { /* one connection's subscription to one room */
    struct conn *conn;
    struct hub_room *hub_room;
    uint64_t seq; /* the last push that is in its outbox, or was */
    struct subscription *conn_next;
    struct subscription *next, **self; /* in room->subscriptions */
};

struct conn {
    struct hub_peer peer;
    struct session *session;
    struct conn *session_next;
    struct address *address;
    struct subscription *subscriptions;
    struct outbox outbox;
    uint32_t pending_bytes;       /* of answers that wait for the store; at most half an outbox */
    struct bucket rate, refusals; /* requests; slow_down beyond their rate */
    struct timer timer;           /* hello, then idle */
    int64_t active_ms;            /* last request */
    struct conn *ready_next, *ready_prev; /* in the queue of the ready; ready_next: of the free */
    struct conn *marked_next;
    uint16_t subscription_count;
    uint16_t close_code; /* not 0: marked */
    bool open;           /* between hub_connect and hub_disconnect */
    bool ready;          /* in the queue of the ready */
};

/* ---- rooms: the hub's side of a room */

struct hub_room {
    char id[9];
    bool listed;     /* in hub->listed */
    bool archived;   /* the store does not hand it out at start any more */
    bool dropping;   /* its archiving or dropping is under way */
    bool unsettled;  /* in the queue of hub_settle */
    bool list_begun; /* listed among those that have begun */
    uint8_t seats;
    struct room *room;
    uint64_t key, created_key;
    uint64_t durable_seq; /* 0: not even its creation */
    uint64_t out_seq;     /* last seq in the batch that is out; 0: none */
    uint64_t fill_seq;    /* last seq in the batch that fills; 0: none */
    struct subscription *subscriptions;
    uint32_t subscription_count;
    uint32_t watchers;       /* subscriptions without a seat, as told last */
    uint32_t online;         /* seats whose owner is subscribed, as told last to the peers */
    uint32_t present;        /* ... to the room */
    uint32_t unasked;        /* seats whose presence the room is to be told, whatever it was */
    struct session *host;    /* counted in its host_count; NULL: over, or not known any more */
    struct timer timer;      /* the room's deadline, or forgetting */
    struct timer presence;   /* the number of watchers is to be told */
    int64_t unsubscribed_ms; /* since when nobody is subscribed */
    int64_t retry_ms;        /* the timer has no use before */
    int64_t presence_ms;     /* when the number of watchers was told last */
    struct hub_room *unsettled_next;
    struct seat_link links[]; /* by seat */
};

/* ---- batches, and what waits for them */

enum pending_kind {
    PENDING_REPLY,        /* `blob` -> peer */
    PENDING_PUSH,         /* `pushes` -> subscribers of room that are at seq - 1 */
    PENDING_SUBSCRIBE,    /* `view` -> peer, which is subscribed from then on */
    PENDING_UNSUBSCRIBE,  /* `blob` -> peer, not subscribed any more */
    PENDING_HELLO,        /* `blob` -> peer; `session` is durable */
    PENDING_RENAME,       /* `blob` -> peer; `session` is called `name` */
    PENDING_DROP_SESSION, /* `session` is gone */
    PENDING_DROP_ROOM,    /* `room` leaves the memory */
    PENDING_HTTP,         /* `blob` -> ticket */
};

struct pushes { /* of one event, one for each audience */
    uint32_t count;
    struct blob *blobs[];
};

struct view { /* a snapshot or what was missed, encoded when it was asked for */
    struct subscription *subscription; /* made beforehand */
    struct blob *state;                /* NULL: `missed` instead */
    uint32_t count;
    uint32_t size;
    struct blob *missed[];
};

struct pending {
    enum pending_kind kind;
    enum request_op op; /* of the request that is answered */
    uint16_t result; /* of PENDING_REPLY: a protocol_error or RESULT_GAME, as a refusal waits too */
    uint32_t charged; /* to the peer's pending_bytes */
    uint8_t seat;     /* PENDING_SUBSCRIBE: of the subscriber */
    struct hub_peer peer;
    int64_t id; /* of the request */
    struct hub_room *hub_room;
    uint64_t seq;
    uint64_t session;
    uint64_t ticket;
    struct blob *blob;
    union {
        struct pushes *pushes;
        struct view *view;
        char *name;
    } u;
};

struct text_chunk {
    struct text_chunk *next;
    size_t used, size;
    char bytes[];
};

struct batch {
    struct store_op *ops;
    size_t op_count, op_size;
    struct pending *pending;
    size_t pending_count, pending_size;
    struct hub_room **rooms; /* that have events in it */
    size_t room_count, room_size;
    struct text_chunk *texts;  /* the first one is in use */
    struct store_batch handed; /* to the store */
};

/* ---- rooms that are being fetched from the store */

struct reader { /* a request that waits for it: of a peer, or over HTTP */
    struct reader *next;
    struct hub_peer peer;
    uint64_t ticket; /* not 0: over HTTP */
    int64_t id, have;
    enum request_op op;
    uint32_t fields;
    char code[PROTOCOL_CODE_BYTES + 1];
};

struct read {
    struct read *next;
    char id[9];
    bool taken;
    uint32_t reader_count;
    struct reader *readers, **last;
};

/* ---- HTTP */

struct http_wait {
    struct http_wait *next;
    uint64_t ticket;
    bool done;
    struct hub_http_answer answer;
};

/* ---- metrics, for /metrics */

enum { RESULT_GAME = PROTOCOL_ERROR_COUNT, RESULTS }; /* a game's own refusal */
enum { BATCH_BUCKETS = 13, BATCH_FIRST = 0, COMMIT_BUCKETS = 16, COMMIT_FIRST = 6 };

struct metrics {
    uint64_t requests[REQUEST_OPS + 1][RESULTS]; /* the last row: op unknown */
    uint64_t closes[11];                         /* by close_codes[] of metrics.c */
    uint64_t refused_connections;
    uint64_t events[ROOM_EVENT_KINDS];
    uint64_t commits, commit_failures;
    uint64_t batch_ops[BATCH_BUCKETS], batch_ops_sum; /* bucket i: up to 2^(FIRST + i) */
    uint64_t commit_us[COMMIT_BUCKETS], commit_us_sum;
    uint64_t sent, sent_bytes;
    uint64_t received, received_bytes;
    uint64_t snapshots, resumes;
};

/* ---- the whole */

struct hub {
    struct hub_config config;
    struct hub_env env;
    const struct game_type *const *games;
    struct room_limits room_limits;
    struct bucket_rule rate_rule, refusal_rule, room_rule, say_rule, guess_rule, session_rule;
    int64_t now_ms;
    int64_t known_ms; /* while restoring: when the server was last known to be well */
    struct room *restoring;
    bool restored_events; /* `restoring` has some */
    struct timers timers;

    struct conn **slabs;
    uint32_t slab_count;
    struct conn *free_conns;
    uint32_t conn_count;
    struct conn *ready_first, *ready_last;
    struct conn *marked;
    size_t outbox_bytes;

    struct map addresses;
    struct address *address_oldest, *address_newest; /* without conns */
    uint8_t hash_key[16];

    struct map sessions, tokens;
    size_t dropping_count; /* sessions whose dropping is under way */
    int64_t expire_after_ms;
    struct session_queue visitors, players; /* idle, oldest first */

    struct map rooms;
    struct map created;       /* the same, by who made them with which request */
    struct hub_room **listed; /* sorted, see hub_room.c */
    size_t listed_count, listed_size;
    struct hub_room *unsettled;

    struct batch batches[2];
    struct batch *filling;
    struct batch *out; /* NULL: none is out */
    bool failing;
    int64_t taken_ms; /* when the batch that is out was taken */
    int64_t failing_since_ms, retry_at_ms, retry_pause_ms;
    enum store_result stopped;
    bool draining;

    struct read *reads;
    size_t read_count;
    struct http_wait *http;
    size_t http_count;
    uint64_t next_ticket;

    struct metrics metrics;
    struct request request; /* the one that is being handled */
    char scratch[ROOM_EVENT_TEXT_MAX];
};

#endif
