/*
 * Of a call (hub/call.h), what only the hub's own handlers use: answers that wait in a batch, and
 * what a room decides. In call.c as well.
 */
#ifndef HUB_CALL_PRIVATE_H
#define HUB_CALL_PRIVATE_H

#include "waiting/batch.h"
#include <hub/call.h>
#include <protocol/reply.h>
#include <room/room.h>

/* Not a client's request: its site follows a room for it again (hub_follow). */
static inline bool call_is_follow(const struct call *call)
{
    return call->request->follows;
}

/*
 * A request that could not be answered at once is to be answered now: fills in the call again, but
 * for its room and the request's members. False: the peer is gone.
 */
bool call_again(struct hub *hub, struct hub_peer peer, int64_t id, enum request_op op,
                struct call *call);

/* A room's own refusal; it is sent once the room's last event is durable. */
void call_refuse(const struct call *call, const struct refusal *refusal);
/* The same, for call_defer. */
struct pending call_refusal(const struct call *call, const struct refusal *refusal);

/* NULL: out of memory, or the outbox is full. */
struct blob *reply_blob(struct reply *reply);

/* A pending effect that answers this call, to be filled in. */
struct pending call_pending(const struct call *call, enum pending_kind kind);
/*
 * An effect with a blob, which waits for the last event of `room` (NULL: for nothing). Answers
 * `internal` if the blob is NULL or there is no memory.
 */
void call_defer(const struct call *call, struct pending *pending, const struct hub_room *hub_room);

/*
 * Lets the room decide, after everything that is due by now. The event's text is in the hub's
 * draft. `repeat_seq` may be NULL. ROOM_REFUSED has been answered.
 */
enum room_decision call_decide(const struct call *call, struct room_event *event,
                               uint64_t *repeat_seq);

#endif
