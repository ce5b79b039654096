/*
 * One request while it is handled: who sent it, what it asks, about which room; and the ways to
 * answer it.
 *
 * Every handler answers exactly once, immediately or with a pending effect.
 */
#ifndef HUB_CALL_H
#define HUB_CALL_H

#include <protocol/buffer.h>
#include <protocol/error.h>
#include <protocol/json_writer.h>
#include <protocol/request.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct conn;
struct hub;
struct hub_room;
struct kernel_kept;
struct kernel_query;
struct session;

struct call {
    struct hub *hub;
    struct conn *conn;
    struct session *session;   /* NULL: before hello */
    struct hub_room *hub_room; /* of the ops on a room */
    const struct request *request;
    bool is_long;             /* the answer may be */
    bool passes;              /* has been held, and may go on */
    struct kernel_kept *kept; /* while a page is answered: of the query */
};

/* Refuses at once, for a reason that does not depend on events. `field` may be NULL. */
void call_error(const struct call *call, enum protocol_error error, const char *field);
/* The same, because of the operator, until then. */
void call_error_until(const struct call *call, enum protocol_error error, int64_t until_ms);

/* A reply to be filled in: begin, write the members, call_reply. */
struct reply {
    struct buffer buffer;
    struct writer writer;
    struct buffer facts; /* what it says beside its text (hub/facts.h) */
    bool has_facts;      /* else nothing, and there is no such buffer */
    int64_t id;          /* of the request */
};
void call_reply_begin(const struct call *call, struct reply *reply);
/*
 * The reply is complete, and is charged for by its length. It waits for the last event of the room;
 * NULL: for nothing. Answers `internal` if there was no memory.
 */
void call_reply(const struct call *call, struct reply *reply, const struct hub_room *hub_room);

/* To be filled in with what it says beside its text, of one kind. */
struct buffer *call_reply_facts(struct reply *reply);

/* It is not sent after all. */
void call_reply_drop(struct reply *reply);

/* So many bytes of the answer were made for it alone: it is charged for them as well. */
void call_charge(const struct call *call, size_t encoded_bytes);

/*
 * Asks the store for a page of rows of the whole site. The feature whose operation it is gets it by
 * `queried`, if whoever asked is still there; that is the case before `hello` too, of what anybody
 * may ask. False: too many wait, or no memory; then the call is not answered, and what was to be
 * kept is still the caller's.
 */
bool call_query(const struct call *call, const struct kernel_query *query);

/*
 * The same before a request is handled (feature.gate): the request waits, and is handed
 * to the feature's `held` with the page. Nothing else of it is remembered than that it is so.
 * False: too many wait, or no memory; then the call is not answered.
 */
bool call_hold(const struct call *call, const struct kernel_query *query);

/*
 * Who is to be answered when others of the site have said something: the request is remembered by
 * its feature, which bounds how many there are and for how long, and answers it then. Nothing else
 * of the request is kept.
 */
struct call_later {
    uint64_t peer;
    int64_t id;
    enum request_op op;
};
struct call_later call_put_off(const struct call *call);
/* Fills in the call again. False: whoever asked is gone. */
bool call_resume(struct hub *hub, const struct call_later *later, struct call *call);

/*
 * The code or credential was compared, and is a wrong one: that is answered, or slow_down after
 * too many. A right one is never refused for what others of its address have tried: all have 80
 * bits or more, so nobody finds one by trying. So nothing is charged before there is something to
 * compare.
 */
void call_refuse_guess(const struct call *call, enum protocol_error error, const char *field);

#endif
