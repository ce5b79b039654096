#include "refused.h"

#include "connections/conn.h"
#include "connections/subscription.h"
#include "hub_private.h"
#include "rooms/damaged.h"
#include "rooms/entry.h"
#include "rooms/hub_room.h"
#include "rooms/pending.h"
#include "rooms/room_list.h"
#include "sessions/notice.h"
#include "sessions/session.h"
#include "thinking/hint_job.h"
#include <assert.h>
#include <hub/store.h>
#include <room/room.h>

/* A single refusal may be the other room's, whose rematch this is; then the next try is taken. */
enum { REFUSALS_MAX = 3 };

/* ---- marking */

/* NULL: of a session, or the room is gone. */
static struct hub_room *room_of(const struct hub *hub, const struct store_op *op)
{
    return op->room_id[0] ? hub_room_find(hub, op->room_id) : NULL;
}

/* NULL: of a room, or the session is gone. */
static struct session *session_of(const struct hub *hub, const struct store_op *op)
{
    const uint64_t id = store_op_session(op);
    return id ? session_find(hub, id) : NULL;
}

static bool mark_ops(struct hub *hub, const struct batch *batch)
{
    bool any = false;
    for (size_t i = 0; i < batch->op_count; i++) {
        if (batch->results[i] != STORE_REFUSED && batch->results[i] != STORE_CROWDED)
            continue;
        struct hub_room *hub_room = room_of(hub, &batch->ops[i]);
        struct session *session = session_of(hub, &batch->ops[i]);
        any = true;
        if (hub_room) {
            hub_room->refused = true;
            /* Events that are due by time are not tried again immediately, which would loop. */
            hub_room->retry_ms = hub->now_ms + hub->config.store_retry_min_ms;
        }
        if (session)
            session->refused = true;
    }
    return any;
}

/* The batch that fills contains later events of what is refused: refuses them too. */
static void spread(struct hub *hub, struct batch *filling)
{
    const struct store_batch view = {filling->op_count, filling->ops, filling->results};
    for (size_t i = 0; i < filling->op_count; i++) {
        const struct hub_room *hub_room = room_of(hub, &filling->ops[i]);
        const struct session *session = session_of(hub, &filling->ops[i]);
        if ((hub_room && hub_room->refused) || (session && session->refused))
            store_batch_refuse(&view, i);
    }
    mark_ops(hub, filling);
}

static void mark_pending(const struct hub *hub, struct batch *batch)
{
    for (size_t i = 0; i < batch->pending_count; i++) {
        struct pending *pending = &batch->pending[i];
        const struct session *session =
            pending->session ? session_find(hub, pending->session) : NULL;
        pending->refused = (pending->hub_room && pending->hub_room->refused) ||
                           (pending->behind && pending->behind->refused) ||
                           (session && session->refused);
    }
}

bool refused_mark(struct hub *hub, struct batch *out)
{
    if (!mark_ops(hub, out))
        return false;
    spread(hub, hub->commit.filling);
    mark_pending(hub, out);
    mark_pending(hub, hub->commit.filling);
    return true;
}

static void mark_change(struct batch *out, uint64_t session)
{
    for (size_t i = 0; i < out->pending_count; i++) {
        struct pending *pending = &out->pending[i];
        pending->taken |= pending->kind == PENDING_CHANGE && pending->session == session;
    }
}

void refused_mark_taken(struct batch *out)
{
    for (size_t i = 0; i < out->op_count; i++) {
        if (out->results[i] == STORE_TAKEN)
            mark_change(out, store_op_session(&out->ops[i]));
    }
}

/* ---- undoing */

void refused_rewind_room(struct hub *hub, struct hub_room *hub_room)
{
    if (hub_room->durable_seq == 0) {
        hub_room_destroy(hub, hub_room);
        return;
    }
    assert(!hub_room->thinking); /* it has events that are not durable */
    room_rewind(hub_room->room, hub_room->durable_seq);
    hint_jobs_follow(hub, hub_room);
    hub_room_sync(hub, hub_room);
    room_list_update(hub, hub_room);
}

static void detach_all(struct hub *hub, const struct session *session)
{
    while (session->conns)
        entry_send_back(hub, session->conns);
}

void refused_undo_session(struct hub *hub, struct session *session)
{
    detach_all(hub, session);
    if (!session->seats && session->host_count == 0) {
        session_destroy(hub, session);
        return;
    }
    /*
     * Durable rooms name the session: it is kept until they are over, but its token is not valid.
     */
    session_disown(session);
}

static void refuse_filling(struct hub *hub, struct batch *filling)
{
    size_t kept = 0;
    for (size_t i = 0; i < filling->pending_count; i++) {
        if (filling->pending[i].refused)
            pending_refuse(hub, &filling->pending[i]);
        else
            filling->pending[kept++] = filling->pending[i];
    }
    filling->pending_count = kept;
    kept = 0;
    for (size_t i = 0; i < filling->room_count; i++) {
        if (!filling->rooms[i]->refused)
            filling->rooms[kept++] = filling->rooms[i];
    }
    filling->room_count = kept;
}

/* False: it goes on; also without memory, until the next refusal. */
static bool set_apart(struct hub *hub, struct hub_room *hub_room, bool crowded)
{
    hub_room->refusals += crowded ? 0 : 1; /* of a rematch, and nothing is wrong with the room */
    if (hub_room->refusals < REFUSALS_MAX || hub_room->durable_seq == 0 ||
        hub_room->state != HUB_ROOM_LIVE)
        return false;
    if (damaged_add(hub, hub_room->id, "the store refuses its events") < 0)
        return false;
    notice_to_room(hub, hub_room, PROTOCOL_NOTICE_STORE_FAILING, NULL);
    hub_room_destroy(hub, hub_room);
    return true;
}

static void undo_rooms(struct hub *hub, const struct batch *batch, bool crowded)
{
    for (size_t i = 0; i < batch->op_count; i++) {
        struct hub_room *hub_room =
            batch->results[i] == STORE_OK ? NULL : room_of(hub, &batch->ops[i]);
        if (!hub_room || !hub_room->refused)
            continue;
        hub_room->refused = false;
        hub_room->out_seq = hub_room->fill_seq = 0;
        if (!set_apart(hub, hub_room, crowded))
            refused_rewind_room(hub, hub_room);
    }
}

static void undo_sessions(struct hub *hub, const struct batch *batch)
{
    for (size_t i = 0; i < batch->op_count; i++) {
        struct session *session =
            batch->results[i] == STORE_OK ? NULL : session_of(hub, &batch->ops[i]);
        if (!session || !session->refused)
            continue;
        session->refused = false;
        if (session->state == SESSION_NEW)
            refused_undo_session(hub, session);
    }
}

static void remove_ops(struct batch *batch)
{
    size_t kept = 0;
    for (size_t i = 0; i < batch->op_count; i++) {
        if (batch->results[i] != STORE_OK)
            continue;
        batch->ops[kept] = batch->ops[i];
        batch->results[kept++] = STORE_OK;
    }
    batch->op_count = kept;
}

/* Rooms before sessions, which hold seats in them; new ones are gone then. */
void refused_undo(struct hub *hub, const struct batch *out)
{
    struct batch *filling = hub->commit.filling;
    const bool crowded = store_batch_is_crowded(&out->handed);
    refuse_filling(hub, filling);
    undo_rooms(hub, out, crowded);
    undo_rooms(hub, filling, crowded);
    undo_sessions(hub, out);
    undo_sessions(hub, filling);
    remove_ops(filling);
}
