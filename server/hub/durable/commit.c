/*
 * Handing batches to the store, and what follows from its answer.
 *
 *          take             done: OK
 *     fill ----> out ------------------> released, in order; what the store refuses of single rooms
 *                 |                      or sessions goes back alone (refused.c)
 *                 | done: FULL, FAILED
 *                 v
 *     failing: everything goes back to what is durable; an empty batch is taken now and then, as a
 *     probe, and when that succeeds, rooms can change again.
 *
 * Where the store can be taken by others, a batch is taken at least every sign_of_life_ms.
 */
#include "changes/room_clock.h"
#include "connections/conn.h"
#include "connections/presence_queue.h"
#include "connections/subscription.h"
#include "feature_table.h"
#include "hub_private.h"
#include "jump.h"
#include "jump_keep.h"
#include "key_map.h"
#include "metrics.h"
#include "parts/mail.h"
#include "refused.h"
#include "rooms/entry.h"
#include "rooms/hub_room.h"
#include "rooms/pending.h"
#include "rooms/room_list.h"
#include "sessions/notice.h"
#include "sessions/session.h"
#include "thinking/think_move.h"
#include "waiting/batch.h"
#include <assert.h>

enum {
    JUMP_MS = 1000,  /* of the clock; less is charged */
    RETRY_SIGNS = 2, /* signs of life that are left out at most between tries */
};

/* ---- taking */

static bool has_work(const struct hub *hub)
{
    if (hub->commit.failing)
        return hub->commit.retry_at_ms <= hub->now_ms;
    return hub->commit.filling->op_count > 0 || hub->commit.sign_due_ms <= hub->now_ms;
}

static void plan_sign(struct hub *hub)
{
    const int64_t after_ms = hub->env.sign_of_life_ms;
    hub->commit.sign_due_ms = after_ms > 0 ? hub->now_ms + after_ms : INT64_MAX;
}

static void swap_batches(struct hub *hub)
{
    struct batch *batch = hub->commit.filling;
    hub->commit.out = batch;
    hub->commit.filling =
        batch == &hub->commit.batches[0] ? &hub->commit.batches[1] : &hub->commit.batches[0];
    for (size_t i = 0; i < batch->room_count; i++) {
        struct hub_room *hub_room = batch->rooms[i];
        assert(!hub_room->out_seq);
        hub_room->out_seq = hub_room->fill_seq;
        hub_room->fill_seq = 0;
    }
}

bool hub_batch_ready(const struct hub *hub)
{
    return !hub->commit.out && !hub->commit.stopped && has_work(hub);
}

size_t hub_batch_ops(const struct hub *hub)
{
    return hub->commit.filling->op_count;
}

const struct store_batch *hub_batch_take(struct hub *hub)
{
    if (!hub_batch_ready(hub))
        return NULL;
    swap_batches(hub);
    hub->commit.taken_ms = hub->now_ms;
    plan_sign(hub);
    struct batch *out = hub->commit.out;
    out->handed = (struct store_batch){out->op_count, out->ops, out->results};
    return &out->handed;
}

/* ---- done */

/* Seats have become durable: from now on their players are shown as online to the others. */
static bool seats_became_durable(const struct hub_room *hub_room)
{
    bool became = false;
    for (uint8_t seat = 0; seat < hub_room->seats; seat++)
        became |= hub_room->links[seat].since_seq > hub_room->durable_seq &&
                  hub_room->links[seat].since_seq <= hub_room->out_seq;
    return became;
}

static void room_became_durable(struct hub *hub, struct hub_room *hub_room)
{
    if (seats_became_durable(hub_room))
        presence_queue_add(hub, hub_room);
    hub_room->durable_seq = hub_room->out_seq;
    hub_room->out_seq = 0;
    hub_room->refusals = 0;
    room_set_durable(hub_room->room, hub_room->durable_seq, hub->now_ms);
    room_list_update(hub, hub_room);
    think_move_ask(hub, hub_room);
    features_room_durable(hub, hub_room, false);
    hub_room_arm_timer(hub, hub_room);
}

static void commit_ok(struct hub *hub, struct batch *batch)
{
    bool refused = refused_mark(hub, batch);
    refused_mark_taken(batch);
    for (size_t i = 0; i < batch->room_count; i++) {
        if (!batch->rooms[i]->refused)
            room_became_durable(hub, batch->rooms[i]);
    }
    for (size_t i = 0; i < batch->pending_count; i++) {
        if (batch->pending[i].refused)
            pending_refuse(hub, &batch->pending[i]);
        else
            pending_release(hub, &batch->pending[i]);
    }
    if (refused) {
        refused_undo(hub, batch);
        mail_count_crowded(hub, batch);
    }
    mail_stored(hub, batch);
    batch_clear(batch);
}

/* ---- failed */

static void refuse_pending(struct hub *hub, struct batch *batch)
{
    for (size_t i = 0; i < batch->pending_count; i++)
        pending_refuse(hub, &batch->pending[i]);
    batch->pending_count = 0;
}

/* A room that is in both batches is handled when it is met for the second time. */
static void rewind_rooms(struct hub *hub, struct batch *batch, bool last)
{
    for (size_t i = 0; i < batch->room_count; i++) {
        struct hub_room *hub_room = batch->rooms[i];
        hub_room->out_seq = 0;
        if (!last && hub_room->fill_seq)
            continue;
        hub_room->fill_seq = 0;
        refused_rewind_room(hub, hub_room);
    }
    batch->room_count = 0;
}

static void undo_sessions(struct hub *hub, struct batch *batch)
{
    for (size_t i = 0; i < batch->op_count; i++) {
        const struct store_op *op = &batch->ops[i];
        struct session *session =
            op->kind == STORE_PUT_SESSION ? session_find(hub, op->u.session.id) : NULL;
        if (session && session->state == SESSION_NEW)
            refused_undo_session(hub, session);
    }
}

static void notify_rooms(struct hub *hub, enum protocol_notice notice)
{
    size_t at = 0;
    struct hub_room *hub_room;
    while ((hub_room = key_map_next(&hub->rooms.by_id, &at)) != NULL) {
        if (room_phase(hub_room->room) != PROTOCOL_PHASE_OVER)
            notice_to_room(hub, hub_room, notice, NULL);
    }
}

static void undo_all(struct hub *hub, struct batch *out)
{
    struct batch *filling = hub->commit.filling;
    refuse_pending(hub, out);
    refuse_pending(hub, filling);
    rewind_rooms(hub, out, false);
    rewind_rooms(hub, filling, true);
    undo_sessions(hub, out);
    undo_sessions(hub, filling);
    batch_clear(out);
    batch_clear(filling);
    mail_undone(hub);
}

/* Where others may take the store there is a sign of life as soon as it can be written again. */
static int64_t longest_pause_ms(const struct hub *hub)
{
    const int64_t shared_ms = RETRY_SIGNS * hub->env.sign_of_life_ms;
    const int64_t own_ms = hub->config.store_retry_max_ms;
    return shared_ms > 0 && shared_ms < own_ms ? shared_ms : own_ms;
}

static void plan_retry(struct hub *hub)
{
    int64_t pause_ms =
        hub->commit.failing ? hub->commit.retry_pause_ms * 2 : hub->config.store_retry_min_ms;
    if (pause_ms > longest_pause_ms(hub))
        pause_ms = longest_pause_ms(hub);
    hub->commit.retry_pause_ms = pause_ms;
    hub->commit.retry_at_ms = hub->now_ms + pause_ms;
}

static void commit_failed(struct hub *hub, struct batch *batch)
{
    bool already = hub->commit.failing;
    plan_retry(hub);
    hub->commit.failing = true;
    undo_all(hub, batch);
    if (already)
        return;
    hub->commit.failing_since_ms = hub->commit.taken_ms;
    if (hub->commit.resumed_ms != 0 && hub->commit.held_since_ms < hub->commit.taken_ms)
        hub->commit.failing_since_ms = hub->commit.held_since_ms; /* it is undone with the rest */
    notify_rooms(hub, PROTOCOL_NOTICE_STORE_FAILING);
}

/* ---- recovered */

void commit_note_resumed(struct commit *commit, int64_t since_ms, int64_t now_ms)
{
    if (commit->resumed_ms == 0 || since_ms < commit->held_since_ms)
        commit->held_since_ms = since_ms;
    commit->resumed_ms = now_ms;
}

static void resume_clocks(struct hub *hub, int64_t since_ms)
{
    commit_note_resumed(&hub->commit, since_ms, hub->now_ms);
    room_clock_resume_all(hub, since_ms);
}

/* While the store fails the clocks stand still anyway, until it has recovered. */
void hub_clock_set(struct hub *hub, int64_t since_ms, int64_t now_ms)
{
    entry_begin(hub, now_ms);
    jump_note(hub, since_ms, now_ms);
    sessions_excuse(hub, jump_uncounted_ms(since_ms, now_ms));
    if (!hub->commit.failing && now_ms - since_ms >= JUMP_MS)
        resume_clocks(hub, since_ms);
    jumps_keep(hub);
    entry_end(hub);
}

static void recover_store(struct hub *hub, struct batch *batch)
{
    batch_clear(batch);
    hub->commit.failing = false;
    resume_clocks(hub, hub->commit.failing_since_ms);
    notify_rooms(hub, PROTOCOL_NOTICE_STORE_RECOVERED);
}

static void stop_committing(struct hub *hub, struct batch *batch, enum store_result why)
{
    hub->commit.stopped = why;
    hub->commit.failing = true;
    undo_all(hub, batch);
    conns_close(hub, CLOSE_SERVER_FAULT);
}

void hub_batch_done(struct hub *hub, enum store_result result, int64_t elapsed_us, int64_t now_ms)
{
    struct batch *batch = hub->commit.out;
    assert(batch);
    entry_begin(hub, now_ms);
    metrics_commit(hub, result, batch->op_count, elapsed_us);
    hub->commit.out = NULL;
    switch (result) {
    case STORE_OK:
        if (hub->commit.taken_ms >= hub->commit.resumed_ms)
            hub->commit.resumed_ms = 0;
        if (hub->commit.failing)
            recover_store(hub, batch);
        else
            commit_ok(hub, batch);
        break;
    case STORE_FULL:
    case STORE_FAILED:
        commit_failed(hub, batch);
        break;
    case STORE_FENCED:
    case STORE_CORRUPT:
    case STORE_NEWER:
    case STORE_REFUSED: /* not of a whole batch */
    case STORE_TAKEN:
    case STORE_CROWDED:
        stop_committing(hub, batch, result);
        break;
    }
    entry_end(hub);
}

enum store_result hub_stopped(const struct hub *hub)
{
    return hub->commit.stopped;
}

const char *hub_fault(const struct hub *hub)
{
    const bool stores = !hub->commit.failing && !hub->commit.stopped;
    return hub->draining ? "it is drained" : stores ? NULL : "its store does not work";
}

bool hub_drained(const struct hub *hub)
{
    return !hub->commit.out && (hub->commit.failing || hub->commit.filling->op_count == 0);
}
