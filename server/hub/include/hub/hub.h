/*
 * The whole server without sockets: sessions, connections, lobby, routing, outboxes, and what is to
 * be stored.
 *
 * The caller calls the hub; the hub never calls back but hands out data. It never reads the clock
 * and never touches a socket, a file or a thread: bytes and time are arguments, randomness comes
 * from `hub_env`, output waits in outboxes and batches until the caller fetches it. So the
 * simulator can drive the real hub, and tests can be tables.
 *
 * Time is milliseconds since 1970-01-01 UTC and must not go back within one run. All calls come
 * from one thread.
 *
 * After any call that is given a time, the caller fetches its results, in this order:
 *
 *     hub_batch_take    something to be made durable -> the store's thread, then hub_batch_done
 *     hub_read_take     a room to be fetched         -> the store's thread, then hub_read_done
 *     hub_next_ready    peers to be written or closed
 *     hub_http_next     answers to HTTP requests that had to wait
 *     hub_admin_next    the answer to the operator (hub/admin.h)
 *     hub_think_take    a question for a worker thread, then hub_think_done (hub/think.h)
 *     hub_push_take     a message for a browser, then hub_push_done (hub/push.h)
 *     hub_note_take     news for another part of the site (hub/note.h)
 *     hub_deadline_ms   when to call hub_tick
 *
 * Nothing here calls back.
 *
 * Of a large site a hub is one part, beside others in other processes: hub/part.h has the words.
 */
#ifndef HUB_HUB_H
#define HUB_HUB_H

#include <hub/config.h>
#include <hub/facts.h>
#include <hub/store.h>
#include <protocol/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hub;
struct feature;
struct hub_push;
struct game_type;
struct protocol_account;
struct record_signer;
struct request;

/* How a session becomes an account. */
enum hub_accounts {
    HUB_ACCOUNTS_OFF,      /* it does not */
    HUB_ACCOUNTS_OPEN,     /* whoever claims a handle */
    HUB_ACCOUNTS_INVITE,   /* ... and has come with an invitation */
    HUB_ACCOUNTS_EXTERNAL, /* ... and has signed in elsewhere */
    HUB_ACCOUNTS_MODES,
};

/* Who hears what is said in the lobby; those of them speak who have an account. */
enum hub_chat {
    HUB_CHAT_OFF,
    HUB_CHAT_ACCOUNTS,
    HUB_CHAT_EVERYBODY,
    HUB_CHAT_MODES,
};

/* Whose passkeys are taken (W3C WebAuthn); it outlives the hub. */
struct name_patterns;

struct hub_passkeys {
    const char *rp_id;          /* the host of the site's page */
    const char *const *origins; /* of its page, NULL at the end */
};

/* Where people sign in elsewhere; it outlives the hub. */
struct hub_external {
    const char *name; /* in the operator's words */
    uint8_t key[32];  /* by which vouchers of it are signed (hub/voucher.h) */
};

struct hub_env {
    void (*random)(void *ctx, void *bytes, size_t len); /* unpredictable; never fails */
    void *ctx;
    const char *server; /* name and version, shown in hello and in records; outlives the hub */
    const struct game_type *const *games;  /* NULL at the end; the first is the default */
    const struct feature *const *features; /* NULL at the end; NULL: there are none */
    /* Signs the records of matches that are over; outlives the hub. NULL: they are not signed. */
    const struct record_signer *signer;
    const struct hub_push *push;         /* NULL: browsers are sent no messages (hub/push.h) */
    const struct hub_passkeys *passkeys; /* NULL: none are taken */
    const struct hub_external *external; /* with HUB_ACCOUNTS_EXTERNAL, else NULL */
    enum hub_accounts accounts;
    bool accounts_only;           /* nobody else may play */
    enum hub_chat chat;           /* not without accounts */
    const char *reserved_handles; /* words between blanks and line ends; NULL: none; outlives it */
    /* What nobody is to be called; it outlives the hub, and may become another list between two
     * calls of it. NULL: none. */
    const struct name_patterns *patterns;
    /*
     * A batch is taken at least so often, an empty one if there is nothing to store. By them others
     * that may take the store see that this server lives, and this server sees that they have. 0:
     * never, as the store is its own.
     */
    int64_t sign_of_life_ms;
    /* Which part of a site of how many this hub is (hub/part.h); of 1, the only one, if nothing
     * else is meant: there is no site of 0. */
    unsigned part, parts;
};

/* A connection as other layers name it: an index and a generation; {0, 0} is none. */
struct hub_peer {
    uint32_t index, generation;
};

/* What each operation needs (enum request_needs), into REQUEST_OPS of them: by what features and
 * the hub itself say, as all hubs of a site. */
void hub_request_needs(const struct feature *const *features, unsigned *needs);

/* NULL: out of memory. The config is copied. */
struct hub *hub_create(const struct hub_config *config, const struct hub_env *env);
void hub_destroy(struct hub *hub);

/*
 * Before the first peer: the sink for everything that the store hands over when it is opened, in
 * the order that hub/store.h gives; then hub_restored. Any result below 0: unusable (STORE_CORRUPT:
 * not a log of this program; STORE_FAILED: out of memory).
 */
struct store_sink hub_sink(struct hub *hub);
/* The rooms that cannot be served, and why; false: there are no more. They are kept in the store.
 */
bool hub_damaged_at(const struct hub *hub, size_t at, const char **id, const char **why);
size_t hub_damaged(const struct hub *hub); /* how many there are */
/* The latest time in what was restored; the hub's time must not begin before it. */
int64_t hub_known_ms(const struct hub *hub);
int hub_restored(struct hub *hub, int64_t now_ms);
/*
 * The caller's clock was set ahead from `since_ms` to `now_ms`, as another hub that it has knew of
 * later times. No time has gone by: clocks of matches go on without it, unless it is less than a
 * second, which is not worth an event in each match. Before the hub is given the new time by any
 * other call.
 */
void hub_clock_set(struct hub *hub, int64_t since_ms, int64_t now_ms);

/*
 * Peers. `address` is 16 bytes (IPv4 mapped into IPv6), for the limits per address. hub_connect
 * returns 0 and the peer, or the close code to give (and then there is no peer).
 *
 * A message is handed over whole: `len` bytes of what should be text. If something is wrong with
 * it, the hub answers with an error or marks the peer for closing. hub_reject marks the peer
 * because of a message that the hub is not given: a binary one, or one in pieces that are too long
 * together (with the code to close with).
 *
 * Every peer ends with exactly one hub_disconnect, whichever side closed; then the handle is
 * invalid.
 */
int hub_connect(struct hub *hub, const uint8_t address[static 16], int64_t now_ms,
                struct hub_peer *peer);
void hub_receive(struct hub *hub, struct hub_peer peer, const char *bytes, size_t len,
                 int64_t now_ms);
/*
 * The same of one that the caller has decoded (request_decode, with that outcome), and whose length
 * is within config.message_bytes. The request is the caller's; of one that could not be read its op
 * is REQUEST_OPS.
 */
struct hub_decoded {
    const char *bytes;
    size_t len;
    const struct request *request;
    enum protocol_error error;
};
void hub_request(struct hub *hub, struct hub_peer peer, const struct hub_decoded *decoded,
                 int64_t now_ms);
void hub_reject(struct hub *hub, struct hub_peer peer, int close_code);
void hub_disconnect(struct hub *hub, struct hub_peer peer, int64_t now_ms);

/*
 * A peer of a foreign session (hub/part.h): one whose home, another part, has let it in. It says no
 * `hello`; for the rest it is a peer as any other, counted and limited here as if the session had
 * no other part. The session has this name from now on, on all its peers here. Requests about the
 * session itself, `create` among them, are refused with `unknown_op`: they are its home's. A close
 * code concerns this peer, not the client's connection.
 */
int hub_connect_as(struct hub *hub, const uint8_t address[static 16], uint64_t session_id,
                   const char *name, int64_t now_ms, struct hub_peer *peer);
/* The session of such a peer has that account (protocol/account.h). False: out of memory, and it is
 * not known here. */
bool hub_set_account(struct hub *hub, struct hub_peer peer, const struct protocol_account *account);
/*
 * A program is kept from what the session that has made it is kept from, in every part: its home
 * says which one that is (0: it is no program's account), and others are told after its account.
 */
uint64_t hub_owner(const struct hub *hub, struct hub_peer peer);
void hub_set_owner(struct hub *hub, struct hub_peer peer, uint64_t owner);

/* Such a peer, or any other, is quiet, or not any more: it says nothing, and hears nothing of what
 * others say, whatever its session may. It is told so in the answer to `hello`. */
void hub_set_quiet(struct hub *hub, struct hub_peer peer, bool quiet);

/*
 * A peer whose client a node of the site has let in before, with what opens the session, and has
 * kept connected while this part was not served: it says no `hello` again. The node keeps the hash
 * of the device's token and not the token. The part's store decides, as it does of a `hello`: what
 * is not known any more is closed with 1012, so that the client says hello and is told.
 */
int hub_connect_again(struct hub *hub, const uint8_t address[static 16],
                      const uint8_t secret_hash[static 32], int64_t now_ms, struct hub_peer *peer);
/*
 * The node goes on following a room for such a peer, or one of hub_connect_as: as `watch` with
 * `have`, but what was missed comes as pushes if it can be had at all. It costs the peer nothing.
 * The answer is the node's: its head says that it is one to this, and has `number` for its id.
 */
void hub_follow(struct hub *hub, struct hub_peer peer, int64_t number, const char *room_id,
                int64_t have, int64_t now_ms);

/*
 * A peer that is kept is not idle, however long it says nothing: its client is busy in another
 * part. Not kept any more, it is idle from then on.
 */
void hub_keep(struct hub *hub, struct hub_peer peer, bool keep, int64_t now_ms);

/*
 * The seats that a session, its own or a foreign one, durably has in this part, for the answer to
 * its `hello` elsewhere. Returns how many there are; `seats` has the first `max` of them.
 */
struct hub_seat {
    char room_id[9];
    uint8_t seat;
};
size_t hub_seats(const struct hub *hub, uint64_t session_id, struct hub_seat *seats, size_t max);

/*
 * A `hello` with a secret that opens a session of another part (hub/part.h) is not answered: the
 * peer is to be ended, with close code 1012, and that part is told here. The client's connection
 * stays; the same hello is answered there.
 */
bool hub_elsewhere(const struct hub *hub, struct hub_peer peer, unsigned *part);
/*
 * What that hello answers, if it is a challenge that the peer was given here: the part where it is
 * answered is told before, by hub_set_challenge. It is good once, as in the part that made it.
 * False: there is none.
 */
enum { HUB_CHALLENGE_BYTES = 32 };
bool hub_challenge(struct hub *hub, struct hub_peer peer,
                   uint8_t challenge[static HUB_CHALLENGE_BYTES]);
void hub_set_challenge(struct hub *hub, struct hub_peer peer,
                       const uint8_t challenge[static HUB_CHALLENGE_BYTES], int64_t now_ms);

/* Turn clocks, time-outs, computer players, forgetting. */
void hub_tick(struct hub *hub, int64_t now_ms);
int64_t hub_deadline_ms(const struct hub *hub); /* when hub_tick has work; INT64_MAX: never */

/*
 * What a message is, so that who passes it on need not read it.
 */
enum hub_kind {
    HUB_NO_MESSAGE,
    HUB_REPLY,   /* granted: `id` */
    HUB_VIEW,    /* ... with the state of a room as it was after `seq` */
    HUB_REFUSAL, /* `id`, `error` */
    HUB_EVENT,   /* a push: `room`, `seq` */
    HUB_NOTICE,  /* a push: `notice`, and `room` if it is about one */
    HUB_PUSH,    /* any other: `room` */
    HUB_KINDS
};
/* Of a push HUB_PUSH: what who passes it on has to know. */
enum hub_about {
    HUB_ABOUT_OTHER,
    HUB_ABOUT_LINE,          /* talk of a player */
    HUB_ABOUT_WATCHERS_LINE, /* talk of somebody who looks on */
    HUB_ABOUT_ACCOUNT,       /* of the client's own session: it has changed */
    HUB_ABOUTS
};
struct hub_head {
    int64_t id; /* of the request, or of hub_follow; REQUEST_NO_ID: it could not be read */
    int64_t seq;
    uint8_t kind;   /* enum hub_kind */
    uint8_t notice; /* enum protocol_notice */
    uint8_t about;  /* enum hub_about */
    uint8_t error;  /* enum protocol_error; PROTOCOL_OK: of the rules of a game */
    bool follows;   /* it answers hub_follow, and no request of the client */
    char room[9];   /* "": of none */
};
static inline bool head_is_reply(const struct hub_head *head)
{
    return head->kind == HUB_REPLY || head->kind == HUB_VIEW || head->kind == HUB_REFUSAL;
}

/*
 * Output. hub_next_ready pops one peer that has something to be written, or is to be closed; each
 * is listed once until it is popped, and again when more comes. The caller then, whenever the peer
 * is writable, takes messages with hub_output (the first unsent one, NULL if there is none) and
 * hub_sent (it is out), and closes with hub_close_code (0: stay open) when hub_output has nothing
 * more.
 *
 * The bytes of a message have HUB_OUTPUT_HEADROOM writable bytes before them for a frame's header,
 * which is the same for all receivers, as they share the bytes. The bytes stay valid until hub_sent
 * or the next call that is given a time.
 */
enum { HUB_OUTPUT_HEADROOM = 16 };
bool hub_next_ready(struct hub *hub, struct hub_peer *peer);
unsigned char *hub_output(struct hub *hub, struct hub_peer peer, size_t *len);
/* Of the message that hub_output gives, and as long as that. NULL: there is none. */
const struct hub_head *hub_output_head(const struct hub *hub, struct hub_peer peer);
/* The same of what it says beside its text (hub/facts.h). */
struct facts hub_output_facts(const struct hub *hub, struct hub_peer peer);
void hub_sent(struct hub *hub, struct hub_peer peer);
/*
 * Is there something among it that the peer waits for, or is it to be closed? Talk, presence and
 * what happens at a table where it only looks on can be written later than what others wait for.
 */
bool hub_hurries(const struct hub *hub, struct hub_peer peer);
int hub_close_code(const struct hub *hub, struct hub_peer peer);

/*
 * Is the peer to be asked for a sign of life? True once each time that the hub wants to know, which
 * makes the peer ready; who asks it says so by calling this, and with hub_heard that something has
 * come since, if it was no message. One whose hub_take_probe is not called is taken for alive.
 */
bool hub_take_probe(struct hub *hub, struct hub_peer peer, int64_t now_ms);
void hub_heard(struct hub *hub, struct hub_peer peer);

/*
 * What is to be made durable since the last call, or NULL. At most one batch is out at a time;
 * another thread may read it while it is out, so the hub does not touch it until hub_batch_done.
 * Nothing that depends on it is sent to anybody before that. `elapsed_us`, for the metrics, is how
 * long the store took.
 *
 * STORE_OK: all of it is durable but for what the batch's `results` refuse; such rooms and sessions
 * go back to what is durable, alone. STORE_FULL, STORE_FAILED: the hub goes back to what is
 * durable, refuses changes with `store_failing` and tries again by itself. Any other failure: the
 * hub stops; hub_stopped says why, and the program should end.
 */
const struct store_batch *hub_batch_take(struct hub *hub);
bool hub_batch_ready(const struct hub *hub); /* would hub_batch_take give one now? */
size_t hub_batch_ops(const struct hub *hub); /* operations that wait for the next batch */
void hub_batch_done(struct hub *hub, enum store_result result, int64_t elapsed_us, int64_t now_ms);
enum store_result hub_stopped(const struct hub *hub); /* STORE_OK: it has not */

/*
 * A finished room that somebody asks for and that is not in memory: hub_read_take pops its id. The
 * caller has the store read it (any number may be under way, limited by config.reads) and hands
 * over the answer. A result that is not STORE_OK goes without rows; a room that does not exist is
 * STORE_OK with read->room NULL.
 */
bool hub_read_take(struct hub *hub, char room_id[static 9]);
void hub_read_done(struct hub *hub, const char *room_id, enum store_result result,
                   const struct store_room_read *read, int64_t now_ms);

/*
 * The same for a page of described rows: hub_query_take fills in what is asked for (limited by
 * config.queries; letters for this part, see hub/letter.h, come beside them), and the answer is
 * handed over with the result and the rows.
 */
bool hub_query_take(struct hub *hub, struct store_query *query);
void hub_query_done(struct hub *hub, const struct store_query *query, int64_t now_ms);

/*
 * The same for a step of letting finished rooms go: hub_trim_take fills in what is asked for, one
 * step at a time, and only if the configuration bounds what is kept.
 */
bool hub_trim_take(struct hub *hub, struct store_trim *trim);
void hub_trim_done(struct hub *hub, const struct store_trim *trim, int64_t now_ms);

/*
 * HTTP, as far as it is the hub's: bodies of GET requests of `path` (without query). Returns true
 * with the answer, or false with a ticket (not 0): the answer comes out of hub_http_next. A
 * requester that goes away before calls hub_http_cancel. Every answer is released by who got it.
 *
 *     /api/rooms /api/records/ROOM /metrics /.well-known/taluva-keys.json
 *     the pages of features (features/feature.h)
 *
 * HUB_ROOMS_OF_PART is for the site alone: the list of rooms, and behind it where each is, as
 * several parts are shown as one (facts_append). Anything else: 404. Who asks pays for it by its
 * address; NULL: nobody pays.
 */
struct hub_http_answer {
    int status;          /* 200, 404, 405, 413, 429, 503; of features any */
    const char *type;    /* content type; static */
    unsigned char *body; /* HUB_OUTPUT_HEADROOM writable bytes before it */
    size_t len;
    int64_t max_age_s; /* how long caches may keep it; 0: not at all */
    int64_t retry_s;   /* when to ask again; 0: that is not known */
    void *owner;       /* the hub's */
};
#define HUB_ROOMS_OF_PART "/api/rooms/of-part"
bool hub_http_get(struct hub *hub, const char *path, const uint8_t *address, int64_t now_ms,
                  struct hub_http_answer *answer, uint64_t *ticket);
/*
 * The same for what is sent (POST) to a page of a feature's, which is borrowed for the call.
 */
enum { HUB_HTTP_POST_MAX = 16384, HUB_HTTP_NAME_MAX = 255 };
struct hub_http_post {
    const char *path;
    const char *host, *origin; /* as the client wrote them, up to HUB_HTTP_NAME_MAX; "": nothing */
    const void *body;
    size_t len; /* up to HUB_HTTP_POST_MAX */
};
bool hub_http_post(struct hub *hub, const struct hub_http_post *post, const uint8_t *address,
                   int64_t now_ms, struct hub_http_answer *answer, uint64_t *ticket);
bool hub_http_next(struct hub *hub, uint64_t *ticket, struct hub_http_answer *answer);
void hub_http_cancel(struct hub *hub, uint64_t ticket);
void hub_http_release(struct hub_http_answer *answer);
/* An answer of somebody else, to be released like a hub's: the bytes are copied, or there is no
 * body (out of memory) and the status is 503. */
void hub_http_make(struct hub_http_answer *answer, int status, const char *type, const void *bytes,
                   size_t len);
/* The same answer for somebody else as well, who releases it, too. */
struct hub_http_answer hub_http_share(const struct hub_http_answer *answer);

/*
 * Draining: no new sessions, rooms and matches; everybody gets a notice. hub_drained: nothing waits
 * for the store any more. Then whoever serves the hub closes its clients (1012).
 */
void hub_drain(struct hub *hub, int64_t now_ms);
bool hub_drained(const struct hub *hub);
/* New sessions, rooms and matches are accepted again. No effect while it does not drain. */
void hub_drain_cancel(struct hub *hub, int64_t now_ms);
/* Why clients cannot begin anything, as the end of a sentence; NULL: they can. */
const char *hub_fault(const struct hub *hub);

/* Numbers for log lines. */
struct hub_metrics {
    size_t sessions, foreign_sessions, connections, rooms, addresses;
    size_t outbox_bytes; /* unsent, a shared message counted for every receiver */
    size_t history_bytes;
};
void hub_metrics(const struct hub *hub, struct hub_metrics *metrics);

#endif
