/*
 * A session with a server, for as long as the client wants it: hello, requests and their replies,
 * rooms that are always patched to the latest state. When the connection is lost it reconnects by
 * itself, sends `hello` with its token, resumes every room with `have`, and repeats unanswered
 * requests (with the same `id`, so that nothing is done twice).
 *
 *      offline --socket--> greeting --hello--> online --cut--> offline (waiting) ...
 *
 * Runs on one libuv loop, in callbacks. Knows the protocol (protocol/README.md) and no game: a
 * room's state is JSON. JSON handed to callbacks is borrowed and must not be changed.
 */
#ifndef WIRE_CLIENT_H
#define WIRE_CLIENT_H

#include <jansson.h>
#include <protocol/limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <wire/carrier.h>

enum {
    WIRE_PENDING_MAX = 256, /* requests without a reply */
    WIRE_ROOMS_MAX = 64,
    WIRE_BACKOFF_MIN_MS = 500, /* doubled up to the maximum, times 0.5 to 1 */
    /* The maximum while the server has not been away for long: what takes its place is there soon.
     */
    WIRE_BACKOFF_SOON_MS = 4 * 1000,
    WIRE_BACKOFF_MAX_MS = 30 * 1000,
    WIRE_AWAY_LONG_MS = 60 * 1000,
    WIRE_GREETING_MS = 10 * 1000, /* from looking up the host to the answer to hello */
    WIRE_NO_SEAT = -1,
};

/* A room that is watched or played in. Read only for its users. */
struct wire_room {
    struct wire_room *next;
    char id[PROTOCOL_ROOM_BYTES + 1];
    int64_t seq;
    json_t *state;    /* at `seq`; NULL before the first view */
    json_t *online;   /* seat -> true; those who are away are absent */
    int64_t at_ms;    /* the server's clock at the last event, or at the view */
    int64_t ahead_ms; /* the server's clock minus ours */
    int seat;         /* WIRE_NO_SEAT for watchers */
    bool host;
    bool resyncing; /* waits for a view */
};

struct wire_client;

struct wire_client_events {
    /* There is a session; `ok` is the answer to hello. Rooms are being resumed. */
    void (*online)(void *user, const json_t *ok);
    /* The connection is gone; another attempt follows in `retry_ms`. `code` as in socket.h. */
    void (*offline)(void *user, int code, const char *reason, int64_t retry_ms);
    /* Hello was refused for good; `failed` follows. May be NULL. */
    void (*refused)(void *user, const json_t *error);
    /* The client has given up: no further attempt and no further callback. */
    void (*failed)(void *user, const char *why);
    /*
     * A new token, or another one that is known, to be kept secret and given next time; NULL. For a
     * new one: another that is kept already, which is copied; the client comes again with that.
     */
    const char *(*token)(void *user, const char *token);
    /*
     * The server does not know the token that was given. Another one to try, which is copied; NULL:
     * seats of those sessions are lost, and a new one follows.
     */
    const char *(*forgotten)(void *user);
    /* The token opens nothing any more, as this device was ended; `failed` follows. May be NULL. */
    void (*ended)(void *user);
    /* A whole view of the room has come (the first, or after a gap). */
    void (*view)(void *user, const struct wire_room *room);
    /* An event was applied: `room->state` is the state after it. */
    void (*event)(void *user, const struct wire_room *room, const json_t *push);
    /* presence, said, notice, and kinds that are not known; `room` may be NULL. */
    void (*push)(void *user, const struct wire_room *room, const json_t *push);
    /* The server no longer gives access to the room. */
    void (*gone)(void *user, const char *room, const json_t *error);
    /* Every message as it came, before anything else, and as it went. May be NULL. */
    void (*received)(void *user, const char *bytes, size_t len);
    void (*sent)(void *user, const char *bytes, size_t len);
};

struct wire_client_config {
    struct wire_url url;
    const char *name;    /* or NULL: as the session is called */
    const char *token;   /* or NULL: a new session */
    const char *pass;    /* or NULL: a link or phrase, of whose player this is one more device */
    bool appeals;        /* come to appeal alone, with the token: also who is banned may */
    const char *program; /* what we are: "taluva 1.0.0" */
    int64_t patience_ms; /* give up when the server is away for so long, whatever is under way;
                            0: never */
};

/* Begins to connect. Strings and the carrier are copied. NULL if memory ran out. */
struct wire_client *wire_client_create(const struct wire_carrier *carrier,
                                       const struct wire_client_config *config,
                                       const struct wire_client_events *events, void *user);

/* Closes with a close frame; no callback comes any more. To be called outside of callbacks. NULL is
 * allowed.
 */
void wire_client_destroy(struct wire_client *client);

/* Exactly one of `ok` and `error` is not NULL. Errors of our own: code "lost" (gave up). */
typedef void wire_reply_fn(void *user, const json_t *ok, const json_t *error);

/*
 * Queues a request: an object with `op` and its fields, without `id`; the reference is taken over.
 * `reply` (may be NULL) is called once, unless the client is destroyed before. Replies to `join`
 * and `watch` also make the room known, those to `leave` forgotten. Returns the id, or -1 with
 * nothing queued if there are too many pending, the message is too long or memory ran out.
 */
int64_t wire_client_request(struct wire_client *client, json_t *request, wire_reply_fn *reply,
                            void *user);

/* NULL if it is not known. */
const struct wire_room *wire_client_room(const struct wire_client *client, const char *id);

bool wire_client_is_online(const struct wire_client *client);
size_t wire_client_pending(const struct wire_client *client);

/* How often a push did not follow on the one before: never, or the server is wrong. */
uint64_t wire_client_gaps(const struct wire_client *client);

/* Drops the connection as a cut cable would. */
void wire_client_cut(struct wire_client *client);

#endif
