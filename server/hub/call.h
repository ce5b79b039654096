/*
 * One request while it is handled: who sent it, what it asks, about which room; and the ways to
 * answer it.
 *
 * Every handler answers exactly once, immediately or with a pending effect.
 */
#ifndef HUB_CALL_H
#define HUB_CALL_H

#include "batch.h"
#include <protocol/buffer.h>
#include <protocol/json_writer.h>
#include <protocol/limits.h>
#include <protocol/reply.h>
#include <protocol/request.h>
#include <room/room.h>
#include <stdbool.h>

struct conn;
struct hub;
struct hub_room;
struct session;

struct call {
    struct hub *hub;
    struct conn *conn;
    struct session *session;   /* NULL: before hello */
    struct hub_room *hub_room; /* of the ops on a room */
    const struct request *request;
    bool is_long; /* the answer may be */
};

/* Not a client's request: its site follows a room for it again (hub_follow). */
static inline bool call_is_follow(const struct call *call)
{
    return call->request->id > PROTOCOL_INTEGER_MAX;
}

/*
 * A request that could not be answered at once is to be answered now: fills in the call again, but
 * for its room and the request's members. False: the peer is gone.
 */
bool call_again(struct hub *hub, struct hub_peer peer, int64_t id, enum request_op op,
                struct call *call);

/* Refuses at once, for a reason that does not depend on events. `field` may be NULL. */
void call_error(const struct call *call, enum protocol_error error, const char *field);
/* The same, because of the operator, until then. */
void call_error_until(const struct call *call, enum protocol_error error, int64_t until_ms);
/* A room's own refusal; it is sent once the room's last event is durable. */
void call_refuse(const struct call *call, const struct refusal *refusal);

/* A reply to be filled in: begin, write the members, done. */
struct reply {
    struct buffer buffer;
    struct writer writer;
};
void call_reply_begin(const struct call *call, struct reply *reply);
/* NULL: out of memory, or the outbox is full. */
struct blob *reply_blob(struct reply *reply);

/* A pending effect that answers this call, to be filled in. */
struct pending call_pending(const struct call *call, enum pending_kind kind);
/*
 * An effect with a blob, which waits for the last event of `room` (NULL: for nothing). Answers
 * `internal` if the blob is NULL or there is no memory.
 */
void call_defer(const struct call *call, struct pending *pending, const struct hub_room *hub_room);
/* The reply is complete: makes a PENDING_REPLY of it. */
void call_reply(const struct call *call, struct reply *reply, const struct hub_room *hub_room);

/*
 * Lets the room decide, after everything that is due by now. The event's text is in the hub's
 * draft. `repeat_seq` may be NULL. ROOM_REFUSED has been answered.
 */
enum room_decision call_decide(const struct call *call, struct room_event *event,
                               uint64_t *repeat_seq);

/* Counts a wrong code or token. False: there were too many, and slow_down was answered. */
bool call_may_guess(const struct call *call);
void call_guessed_wrong(const struct call *call);

#endif
