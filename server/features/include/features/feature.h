/*
 * A feature as the hub sees it: what a server does for its players beside the rooms themselves, as
 * one table. The hub (connections, calls, prices, rooms, batches, timers) knows features by this
 * alone; which there are it is told by its environment, as it is told of games.
 *
 *     feature
 *       |-- memory       of each hub, and of each of its sessions, rooms and connections
 *       |-- tables       of the rows that it keeps
 *       |-- requests     of clients and of the operator, each with its handler
 *       |-- pages        of HTTP
 *       |-- hello        what clients are told of it
 *       |-- document     of the whole site, that it goes by
 *       |-- hooks        what it is told: a match is over, a session ends, time has come
 *       `-- figures      on the page of metrics
 *
 * A feature calls the hub by hub/call.h and hub/kernel.h and sees nothing else of it. It never
 * reads a clock and never touches a socket, a file or a thread. Features do not know each other.
 *
 * A handler checks, then changes, then answers, as everywhere. Memory is reserved before the first
 * change. Clients are told of what is durable alone: an answer that depends on a change waits for
 * it.
 *
 * The words of operations, and what members each has, are the wire's: they stand in the protocol's
 * table of requests, whoever answers them. Those of the operator's are the feature's own.
 */
#ifndef FEATURES_FEATURE_H
#define FEATURES_FEATURE_H

#include <protocol/error.h>
#include <protocol/request.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct address_prefix;
struct admin_request;
struct buffer;
struct call;
struct hub;
struct hub_http_answer;
struct hub_http_post;
struct hub_push_job;
struct hub_room;
struct kernel_query;
struct letter_row;
struct operator_word;
struct protocol_account;
struct refusal;
struct room;
struct room_result;
struct session;
struct store_query;
struct store_table;
struct writer;

/* More of them in one hub have no place. */
enum { FEATURES_MAX = 16 };

/* What an operation needs, of which the hub takes care before the handler is called. */
enum request_needs {
    REQUEST_BY_ANYBODY = 1 << 0, /* before hello too */
    REQUEST_OF_ROOM = 1 << 1,    /* of a room that is in memory */
    REQUEST_MAY_FETCH = 1 << 2,  /* ... or may be fetched from the store */
    REQUEST_LONG = 1 << 3,       /* its answer may be long, and can wait */
    REQUEST_AT_HOME = 1 << 4,    /* of the session itself: only where its home is */
    REQUEST_AT_DESK = 1 << 5,    /* of what the whole site has: only at part 0, where those whose
                                    home is elsewhere come for it */
    REQUEST_ONCE = 1 << 6,       /* sent again with its id it would be carried out again, or be
                                    refused for what it has done: nobody but the client does so */
};

/* One operation. The handler answers exactly once, immediately or later. */
struct request_row {
    enum request_op op;
    unsigned needs; /* enum request_needs */
    void (*handle)(struct call *call);
};

/* What becomes of an operation of the operator's after a page of rows that it has asked for. */
enum operator_found { OPERATOR_REFUSED, OPERATOR_ASKS_ON, OPERATOR_CARRIES_OUT };

/*
 * One operation of the operator's, and its word (hub/admin_request.h). Fills in the answer; or
 * refuses, with nothing written. One that changes something puts that into the batch that fills,
 * with one change (hub/kernel_change.h) at most; the answer goes out when it is durable.
 */
struct operator_row {
    const struct operator_word *word;
    /* It names an account by a handle: that is found first, and it is carried out at its home, with
     * the session in the request. */
    bool by_handle;
    /* Pages of rows that are asked for before, one after the other, from page 0 on; of one that
     * names an account at its home. `from` is zeros to be filled in, to which the query points.
     * What a page has found may be noted in the feature's memory of the hub: of all these
     * operations one waits at a time. NULL: none. */
    void (*ask)(const struct hub *hub, const struct admin_request *request, unsigned page,
                struct kernel_query *query, void *from);
    enum operator_found (*found)(struct hub *hub, const struct admin_request *request,
                                 unsigned page, const struct store_query *found,
                                 struct refusal *refusal);
    bool (*carry_out)(struct hub *hub, const struct admin_request *request, struct writer *writer,
                      struct refusal *refusal);
};

/*
 * What takes too long for the loop: made on a thread that thinks (hub/think.h). It is part of a
 * larger struct of the feature's, which refers to nothing that changes.
 */
struct feature_work {
    /* On that thread. False: it could not be made. */
    bool (*make)(struct feature_work *work, struct buffer *out);
    /* Back in the hub: what was made, which can be shared (hub_http_share). Not called if it was
     * not made. NULL: it need not be known. */
    void (*made)(struct hub *hub, struct feature_work *work, const struct hub_http_answer *answer);
    /* Of the same page: is it the same that is made? Then it is made once for both. */
    bool (*same)(const struct feature_work *work, const struct feature_work *other);
    void (*release)(struct feature_work *work); /* the last call */
};

/* Which part of a site answers a page, whatever node it is asked of. */
enum page_place {
    PAGE_ANYWHERE,   /* any, as all know the same: one that is near. What it has a `get` for is
                      * nothing that the store has */
    PAGE_OF_DESK,    /* part 0, which has what is the whole site's */
    PAGE_OF_ROOM,    /* that of the room with whose id `rest` begins */
    PAGE_OF_SESSION, /* that of the session with whose id it begins, 16 hexadecimal digits */
};

/* What the operator asks about a document of the site. */
struct document_asked {
    const struct admin_request *request;
    int64_t now_ms;
    size_t most;            /* of what it lists may hold: a limit of the server's */
    const struct hub *home; /* of the session that is meant; of none: any. NULL: it is not here */
};

/* One operation of the operator's about it: one that shows, or one that changes. */
struct document_row {
    const struct operator_word *word;
    void (*show)(const void *value, const struct document_asked *asked, struct writer *writer);
    /* Writes the text as it is to be, of ADMIN_ANSWER_BYTES at most; or refuses. Nothing holds of
     * it before it is kept: then `changed` answers. */
    bool (*change)(const void *value, const struct document_asked *asked, struct buffer *text,
                   struct refusal *refusal);
    void (*changed)(const struct document_asked *asked, size_t closed, struct writer *writer);
};

/*
 * A document of the site (hub/store_document.h) that a feature goes by. It is read once for all
 * parts that are here, whose hubs share what was read.
 */
struct feature_document {
    const char *name; /* a-z */
    /* NULL: it is no such text, or no memory. "": nobody has written it yet. */
    void *(*read)(const char *text, size_t len);
    void (*release)(void *value); /* takes NULL */
    /* It holds from now on, and is borrowed until the next one does: how many connections were
     * closed by that, of those at home here. */
    size_t (*hold)(struct hub *hub, const void *value);
    const struct document_row *rows;
    size_t row_count;
    /* What has become of a change that it has asked for by a request (kernel_change_document), of
     * which this is the call: it is answered here. NULL: it asks for none. */
    void (*kept)(struct call *call, int kept /* enum document_kept */);
};

/* What somebody has said in a room. Borrowed. */
struct feature_line {
    uint64_t session;
    uint16_t household; /* below KERNEL_SHARES: the IPv4 address or /56 that it was said from */
    uint8_t seat;       /* ROOM_NO_SEAT: looks on */
    const char *name, *text;
};

/* What somebody may be kept from. */
enum feature_bar { BAR_CONNECT, BAR_SPEAK };

/*
 * A page for GET, answered at once with hub_http_make; who asks pays for it, and for what is sent.
 * A `path` that ends with "/" is that of all pages below: `rest` is what follows it. Of several
 * that fit the first one counts.
 */
struct feature_page {
    const char *path; /* a file of that name that the server has comes first */
    enum page_place place;
    const char *type; /* of what is found, status 200; anything else is text/plain */
    void (*get)(struct hub *hub, const char *rest, struct hub_http_answer *answer);
    /*
     * POST, for what browsers and services send; NULL: nothing can be sent to it. `post` is whole,
     * of the one type and within the bound that are said here. What it changes is put into the
     * batch that fills; then the answer waits for that, and becomes 503 if it cannot be stored.
     * Returns the session of which it has put something; 0: of none. Pages of other sites can have
     * a browser send something, too: then `origin` is theirs, and the feature's to refuse.
     */
    uint64_t (*post)(struct hub *hub, const char *rest, const struct hub_http_post *post,
                     struct hub_http_answer *answer);
    const char *post_type; /* without parameters */
    size_t post_bytes;     /* up to HUB_HTTP_POST_MAX */
    /*
     * Instead of `get`, of a page that takes long to make: what is to be made, which is the hub's
     * from now on; NULL: it is answered.
     */
    struct feature_work *(*begin)(struct hub *hub, const char *rest,
                                  struct hub_http_answer *answer);
    /*
     * Instead of `get`, of a page that is made of rows of the whole site: which are asked for;
     * `from` is zeros to be filled in, to which the query points. False: there is no such page.
     * Each that comes is written; the answer may end before the last one. What it keeps with the
     * query (`kept`) is found in each query of ask_next, and destroyed with the page.
     */
    bool (*ask)(struct hub *hub, const char *rest, struct kernel_query *query, void *from);
    void (*write_row)(struct hub *hub, const void *row, struct buffer *out);
    /*
     * Instead of `write_row`, of a page that is made of several questions, each about what the one
     * before has found: called when page `step` of them is here, from 0. Writes what is known by
     * it, and says what is asked next, as `ask` does; false: that was all. If nothing has been
     * written by then there is no such page.
     */
    bool (*ask_next)(struct hub *hub, unsigned step, const struct store_query *done,
                     struct kernel_query *query, void *from, struct buffer *out);
};

/* Messages that threads of the hub's caller send to browsers (hub/push.h). One feature has them. */
struct feature_poster {
    bool (*take)(struct hub *hub, struct hub_push_job *job);
    void (*done)(struct hub *hub, uint64_t ticket, int outcome, /* enum hub_push_outcome */
                 int64_t retry_after_ms);
    /*
     * Of a turn in a room that is here, of a session whose home is another part: what its home is
     * to be told, HUB_PUSH_TEXT_MAX bytes at most. False: nothing, as the turn is over.
     */
    bool (*write_turn)(struct hub *hub, const struct hub_room *hub_room, uint8_t seat, char *text,
                       size_t *len);
    /* At the session's home: what its other part has to tell. */
    void (*tell)(struct hub *hub, struct session *session, const char *room_id, const char *text,
                 size_t len);
};

/*
 * What a feature has on a device of a session, and what goes with it. It comes in one batch with
 * the device's own end: `drop` puts it there, if `store`, and says how many operations that takes.
 */
struct feature_devices {
    size_t ops_max;
    size_t (*drop)(struct hub *hub, const struct session *session, uint32_t device, bool store);
    void (*dropped)(struct hub *hub, struct session *session, uint32_t device);
};

enum { FEATURE_CHALLENGE_BYTES = 32 };

/* What a secret opens. */
struct feature_opened {
    struct session *session;
    uint32_t device;
    unsigned scopes; /* what may be asked by it (protocol/scope.h) */
};

/* What opens sessions (hub/kernel_enter.h). One feature has them. */
struct feature_doors {
    /* By the hash of a secret that has opened it before; the kernel sees who has a place. False: it
     * opens none, now. */
    bool (*open)(struct hub *hub, const uint8_t hash[static 32], struct feature_opened *opened);
    /* kernel_ask_proof and kernel_is_proven (hub/kernel_others.h). */
    void (*ask_proof)(const struct call *call, struct kernel_query *query, void *from);
    bool (*is_proven)(const struct call *call, const struct store_query *query);
    /* kernel_signed_in (hub/kernel_others.h). */
    bool (*signed_in)(const struct hub *hub, const struct session *session);
    /* A connection of that device is gone. */
    void (*left)(struct hub *hub, struct session *session, uint32_t device);
    /* The challenge of a connection whose hello is answered in another part (kernel_redirect), and
     * there: the connection has been given it. False: there is none. */
    bool (*challenge)(const struct call *call, uint8_t challenge[static FEATURE_CHALLENGE_BYTES]);
    void (*set_challenge)(const struct call *call,
                          const uint8_t challenge[static FEATURE_CHALLENGE_BYTES]);
};

/*
 * What it has in memory of a hub, and of each session, room and connection there: so many bytes,
 * which begin as zeros, aligned as malloc aligns. It is found by this (kernel_state). What is to be
 * remembered of somebody before `hello` is the connection's (a challenge, say).
 */
struct feature_memory {
    size_t hub_bytes; /* from 1 */
    size_t session_bytes, room_bytes, conn_bytes;
};

/* Which session has which handle (hub/kernel_others.h). One feature knows it. */
struct feature_accounts {
    const struct store_table *table;
    unsigned index; /* of the table, by which a handle is found */
    /* Into a row of zeros, from which on it is asked for. */
    void (*ask)(const char *handle, void *from);
    uint64_t (*read)(const void *row, struct protocol_account *account);
    int64_t (*read_since_ms)(const void *row);
    /* Since when a session that is at home here has its account; 0: it has none. */
    int64_t (*since_ms)(const struct hub *hub, const struct session *session);
    /* The program's account with that handle, of which the session is the owner; NULL: none. */
    struct session *(*owned)(const struct hub *hub, const struct session *owner,
                             const char *handle);
};

/* Everything is static and lasts as long as the program. What is NULL is not called. */
struct feature {
    const char *name;                    /* a-z */
    const struct feature_memory *memory; /* NULL: it keeps nothing in memory */
    /* Once its memory is there; and before the hub goes, also after a `begin` that found no memory
     * (<0). */
    int (*begin)(struct hub *hub);
    void (*end)(struct hub *hub);

    const struct request_row *requests;
    size_t request_count;
    /* What one of them would have somebody be called, and by which field; NULL: nothing. */
    const char *(*called)(const struct request *request, const char **field);
    /* In how many milliseconds a rate of the session's lets one through; 0: now. */
    int64_t (*wait_ms)(const struct hub *hub, const struct session *session,
                       const struct request *request);
    /* May the session ask that, whoever answers it? PROTOCOL_OK, or why not. */
    enum protocol_error (*allows)(const struct hub *hub, const struct session *session,
                                  const struct request *request);
    const struct operator_row *operations;
    size_t operation_count;
    const struct feature_document *document; /* NULL: none */
    const struct feature_page *pages;
    size_t page_count;

    /* Members of the answer to `hello`, for this session. */
    void (*write_hello)(const struct hub *hub, const struct session *session,
                        struct writer *writer);
    bool hello_for_owner; /* ... which no program is told (SCOPE_OWNER) */
    /* Members of what a person is told that is kept of them and that no other operation shows
     * (`kept`): at the session's home, or at the desk, which may not know the session. */
    void (*write_kept)(const struct hub *hub, uint64_t session, bool at_desk,
                       struct writer *writer);
    /* Lines of the page of metrics (hub/prometheus.h). */
    void (*write_figures)(const struct hub *hub, struct buffer *out);

    /* Until when a session (0: none yet) or an address (NULL: any) is kept from that; 0: it is
     * not. */
    int64_t (*barred_until_ms)(const struct hub *hub, enum feature_bar bar, uint64_t session,
                               const struct address_prefix *address);
    /*
     * A match has ended; what is put into the batch now is durable together with the event that
     * ended it, or is not. Without memory nothing is kept.
     */
    void (*match_over)(struct hub *hub, const struct room *room, const struct room_result *result);
    /*
     * Other seats are in play (room_in_play) than before: a match has begun, somebody is out of it,
     * or it is over, which is told here before `match_over`. As there, what is put into the batch
     * now is durable together with that event, or is not.
     */
    void (*in_play)(struct hub *hub, const struct room *room, uint32_t before, uint32_t now);
    /*
     * A session that is at home here is dropped with the batch that fills. Letters that it sends
     * now (kernel_letter.at_end) are durable together with that, or are not; then it is told again.
     * It puts nothing else. False: no memory, and the session is dropped later, as it is if the
     * batch has no place for all that they send.
     */
    bool (*session_ends)(struct hub *hub, const struct session *session);
    /*
     * An account is erased, wherever it was at home: what is kept here of others that names it goes
     * with the batch that fills, `max` rows of it at most, and from memory when that is durable.
     * How many; `*more` becomes true if there are others, or one is on its way to the store.
     */
    size_t (*forget)(struct hub *hub, uint64_t session, size_t max, bool *more);
    /* A session is durable for the first time; and: its memory is about to be freed. */
    void (*session_begun)(struct hub *hub, struct session *session);
    void (*session_gone)(struct hub *hub, struct session *session);
    /* Has it something of the session for which it is to be kept as long as a player? */
    bool (*keeps_session)(const struct hub *hub, const struct session *session);
    const struct feature_devices *devices;
    /* The described rows that it keeps (hub/store_row.h): NULL at the end, each in one feature. */
    const struct store_table *const *tables;
    /* One of them, from the store, once all sessions are there. False: out of memory. */
    bool (*restore_row)(struct hub *hub, const struct store_table *table, const void *row);
    /* Something of the room has become durable; `restored`: it comes from the store. */
    void (*room_durable)(struct hub *hub, struct hub_room *hub_room, bool restored);
    /* When `tick` has something to do; INT64_MAX: nothing. It may be called at other times too. */
    int64_t (*deadline_ms)(const struct hub *hub);
    void (*tick)(struct hub *hub);
    /* A page of rows that it has asked for (call_query) is here. */
    void (*queried)(struct call *call, const struct store_query *query);
    /* Letters that it takes (hub/letter.h). */
    const struct letter_row *letters;
    size_t letter_count;
    /* What it has said (kernel_send_note) in another part, for this one; of one feature. Another
     * node may have brought it: it may be anything. */
    void (*hear)(struct hub *hub, const char *text, size_t len);
    const struct feature_poster *poster;
    const struct feature_doors *doors;
    const struct feature_accounts *accounts;

    /*
     * Before `watch`, `join` and `rematch` are carried out, by which somebody comes to a table, and
     * others by which they hear what is said (kernel_knows_blocks); by one feature. False: it has
     * been refused, or waits for a page of rows (call_hold). When that is here `held` says the same
     * of the same request, whose room may have changed, and then it is decided anew.
     */
    bool (*gate)(struct call *call);
    bool (*held)(struct call *call, const struct store_query *query);
    /* Is the session not to hear what that one says? */
    bool (*hides)(const struct hub *hub, const struct session *session, uint64_t speaker);
    /* It was said to those who are to hear it. Nothing of it is durable. */
    void (*said)(struct hub *hub, struct hub_room *hub_room, const struct feature_line *line);
    /* Whom a session that is at home here has blocked: how many, `max` of them. */
    size_t (*blocks)(const struct hub *hub, const struct session *session, uint64_t *others,
                     size_t max);
    /* Does a session that is at home here follow that one? */
    bool (*follows)(const struct hub *hub, uint64_t session, uint64_t other);
    /* It blocks that one from now on, or not any more; in the batch that fills, in which there is
     * place for KERNEL_APART_OPS and _TEXT (hub/kernel_others.h). <0: no memory. */
    int (*apart)(struct hub *hub, const struct session *session, uint64_t other, bool blocks);
    /* Another feature has seen something of it that those who look after the site are to know; as
     * above, in the batch that fills, with place for KERNEL_SEEN_OPS and _TEXT. <0: no memory. */
    int (*seen)(struct hub *hub, const struct session *session, const char *object, size_t len);
};

#endif
