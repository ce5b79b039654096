#include "room_open.h"

#include "change.h"
#include "hub_private.h"
#include "room_clock.h"
#include "rooms/hub_room.h"
#include "sessions/session.h"
#include "waiting/batch.h"
#include <hub/kernel_account.h>
#include <protocol/reply.h>
#include <protocol/request.h>

struct hub_room *room_open(struct hub *hub, struct room *room, uint16_t share)
{
    struct hub_room *hub_room = hub_room_add(hub, room);
    if (!hub_room)
        return NULL;
    hub_room->share = share;
    if (share)
        hub->shares.rooms[share]++;
    struct store_room row = {.seed = *room_seed(room), .created_ms = hub->now_ms};
    struct room_event created;
    room_event_at(room, 1, &created);
    batch_put_room(hub->commit.filling, &row);
    batch_append(hub->commit.filling, hub_room, &created);
    hub->metrics.events[ROOM_CREATED]++;
    hub_room_sync(hub, hub_room);
    return hub_room;
}

void room_open_undo(struct hub *hub, struct hub_room *hub_room, struct batch_mark mark)
{
    batch_take_back(hub->commit.filling, mark);
    hub_room_destroy(hub, hub_room);
}

/* ---- seats */

/*
 * A session that is being dropped can hold nothing any more. Of a foreign one only its home knows
 * that; then a seat of nobody's is the host's to free.
 */
static bool may_seat(const struct hub *hub, uint64_t id)
{
    const struct session *session = session_find(hub, id);
    return session_is_elsewhere(hub, id) || (session && !session_is_gone(session));
}

int room_open_seat(struct hub *hub, struct hub_room *hub_room, room_open_next *next, void *ctx)
{
    struct room_event event;
    while (next(hub, hub_room, ctx, &event)) {
        const uint64_t session = event.origin.session; /* 0: a computer */
        if (session != 0 && !may_seat(hub, session))
            continue;
        if (room_apply(hub_room->room, &event, NULL) < 0)
            return -1;
        batch_append(hub->commit.filling, hub_room, &event);
        hub->metrics.events[event.kind]++;
    }
    if (!hub_room_meet(hub, hub_room))
        return -1;
    hub_room_sync(hub, hub_room);
    return 0;
}

/* ---- by a plan */

static enum protocol_error open_allowed(struct hub *hub)
{
    const enum protocol_error error = change_allowed(hub, KERNEL_ROOM_OPS);
    if (error != PROTOCOL_OK)
        return error;
    if (hub->draining)
        return PROTOCOL_DRAINING;
    return rooms_make_place(hub, NULL, NULL) ? PROTOCOL_OK : PROTOCOL_FULL;
}

struct planned {
    const struct kernel_room_plan *plan;
    uint8_t seat; /* the next one */
};

static bool is_planned(const struct kernel_seat *seat)
{
    return seat->session != 0 || seat->computer;
}

static bool next_planned(struct hub *hub, const struct hub_room *hub_room, void *ctx,
                         struct room_event *event)
{
    struct planned *planned = ctx;
    const struct kernel_seat *seats = planned->plan->seat;
    while (planned->seat < hub_room->seats && !is_planned(&seats[planned->seat]))
        planned->seat++;
    if (planned->seat == hub_room->seats)
        return false;
    const uint8_t seat = planned->seat++;
    const struct session *session = session_find(hub, seats[seat].session);
    const struct protocol_account *known =
        session && session->account ? &session->account->shown : NULL;
    const struct room_actor actor = {seats[seat].session, seats[seat].name,
                                     seats[seat].account ? seats[seat].account : known};
    room_decide_given_seat(hub_room->room, seat, seats[seat].computer ? NULL : &actor, hub->now_ms,
                           event, hub->scratch);
    return true;
}

struct room *room_plan(struct hub *hub, const struct kernel_room_plan *plan, int64_t id,
                       struct refusal *refusal)
{
    struct request create = *plan->create;
    struct room_seed seed;
    create.id = id;
    hub_room_seed(hub, &seed, plan->host,
                  request_has(&create, REQUEST_ACCESS) && create.access == PROTOCOL_ACCESS_CODE);
    return room_create(hub->env.games, &seed, &create, plan->rated ? plan->rated : "", hub->now_ms,
                       refusal);
}

static size_t count_planned(const struct kernel_room_plan *plan)
{
    size_t count = 0;
    for (size_t seat = 0; seat < PROTOCOL_SEATS; seat++)
        count += is_planned(&plan->seat[seat]);
    return count;
}

struct hub_room *room_open_made(struct hub *hub, const struct kernel_room_plan *plan,
                                struct room *room, uint16_t share, size_t effects)
{
    struct batch *batch = hub->commit.filling;
    /* Not before: another room may have gone, to make place. */
    const struct batch_mark mark = batch_mark(batch);
    const size_t ops = KERNEL_ROOM_OPS - PROTOCOL_SEATS + count_planned(plan);
    struct hub_room *hub_room = NULL;
    if (batch_reserve(batch, ops, effects, 1, ops * ROOM_EVENT_TEXT_MAX) == 0)
        hub_room = room_open(hub, room, share);
    if (!hub_room) {
        room_destroy(room);
        return NULL;
    }
    if (room_open_seat(hub, hub_room, next_planned, &(struct planned){.plan = plan}) == 0)
        return hub_room;
    room_open_undo(hub, hub_room, mark);
    return NULL;
}

struct hub_room *room_open_planned(struct hub *hub, const struct kernel_room_plan *plan,
                                   struct refusal *refusal)
{
    *refusal = (struct refusal){.error = may_seat(hub, plan->host) ? open_allowed(hub)
                                                                   : PROTOCOL_SEAT_REFUSED};
    struct room *room =
        refusal->error == PROTOCOL_OK ? room_plan(hub, plan, REQUEST_NO_ID, refusal) : NULL;
    if (!room)
        return NULL;
    *refusal = (struct refusal){.error = PROTOCOL_INTERNAL};
    return room_open_made(hub, plan, room, 0, 0);
}
