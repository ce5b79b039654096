#include "room_clock.h"

#include "change.h"
#include "hub_private.h"
#include "key_map.h"
#include "rooms/hub_room.h"
#include "rooms/room_evict.h"
#include "sessions/notice.h"
#include "thinking/think_move.h"
#include "waiting/batch.h"
#include <string.h>

/* How long until the next try if there was no memory, no space in the batch, or nothing to do. */
enum { RETRY_MS = 1000 };

bool room_clock_forget(struct hub *hub, struct hub_room *hub_room)
{
    struct batch *batch = hub->commit.filling;
    if (hub_room->state == HUB_ROOM_ARCHIVED) { /* it came from the store and has not changed */
        hub_room_destroy(hub, hub_room);
        return true;
    }
    if (!batch_has_room(hub, 1) || batch_reserve(batch, 1, 1, 0, 0) < 0)
        return false;
    if (room_phase(hub_room->room) == PROTOCOL_PHASE_OVER)
        batch_archive_room(batch, hub_room);
    else
        batch_drop_room(batch, hub_room);
    batch_defer(batch, &(struct pending){.kind = PENDING_DROP_ROOM, .hub_room = hub_room});
    hub_room_set_state(hub_room, HUB_ROOM_DROPPING);
    hub->rooms.dropping_count++;
    return true;
}

/* At most one: its next one comes when this one is durable. */
void room_clock_run(struct hub *hub, struct hub_room *hub_room)
{
    struct room_event event;
    if (hub_room_due_ms(hub, hub_room) > hub->now_ms)
        return;
    think_move_ask(hub, hub_room); /* after a restart nobody has */
    if (hub_room_due_ms(hub, hub_room) > hub->now_ms)
        return;
    think_move_late(hub, hub_room);
    if (!batch_has_room(hub, 1) ||
        !room_decide_due(hub_room->room, &hub->rules.room_limits, hub->now_ms, &event,
                         hub->scratch) ||
        change_apply(hub, hub_room, &event, 0) < 0)
        hub_room->retry_ms = hub->now_ms + RETRY_MS;
}

void room_clock_fired(struct hub *hub, struct hub_room *hub_room)
{
    room_clock_run(hub, hub_room);
    if (hub_room_forget_ms(hub, hub_room) <= hub->now_ms) {
        if (!room_clock_forget(hub, hub_room))
            hub_room->retry_ms = hub->now_ms + RETRY_MS;
        else
            return;
    }
    hub_room_arm_timer(hub, hub_room);
}

/* Until when its part served a room of another part nobody knows but by the room's own events. */
static int64_t served_ms(const struct hub *hub, const struct hub_room *hub_room, int64_t known_ms)
{
    struct room_event last;
    room_event_at(hub_room->room, room_seq(hub_room->room), &last);
    return last.at_ms < hub->restoring.resumed_ms ? last.at_ms : known_ms;
}

void room_clock_resume(struct hub *hub, struct hub_room *hub_room, int64_t since_ms)
{
    struct room_event event;
    since_ms = served_ms(hub, hub_room, since_ms);
    /* Without memory for it the pause counts as time used; the room continues. */
    if (room_decide_held(hub_room->room, since_ms, hub->now_ms, &event))
        change_apply(hub, hub_room, &event, 0);
    hub_room_arm_timer(hub, hub_room);
}

void room_clock_resume_all(struct hub *hub, int64_t since_ms)
{
    size_t at = 0;
    struct hub_room *hub_room;
    while ((hub_room = key_map_next(&hub->rooms.by_id, &at)) != NULL)
        room_clock_resume(hub, hub_room, since_ms);
}

/* ---- evicting rooms */

static bool has_players(const struct hub_room *hub_room)
{
    for (uint8_t seat = 0; seat < hub_room->seats; seat++) {
        if (room_seat_session(hub_room->room, seat))
            return true;
    }
    return false;
}

static int64_t made_ms(const struct hub_room *hub_room)
{
    struct room_event created;
    room_event_at(hub_room->room, 1, &created);
    return created.at_ms;
}

/* A match that is over and that nobody watches, or a lobby in which nobody sits. */
static bool may_be_evicted(const struct hub_room *hub_room)
{
    enum protocol_phase phase = room_phase(hub_room->room);
    if (hub_room->state == HUB_ROOM_DROPPING || hub_room_is_dirty(hub_room))
        return false;
    if (phase == PROTOCOL_PHASE_OVER)
        return hub_room->subscription_count == 0 || hub_room->evicted;
    return phase == PROTOCOL_PHASE_LOBBY && !has_players(hub_room);
}

struct found {
    const struct hub_room *rooms[ROOMS_UNUSED_MAX]; /* the newest first */
    int64_t made_ms[ROOMS_UNUSED_MAX];
    size_t count;
};

/* In its place, for the newest of them if there are as many as may be. */
static void note_found(struct found *found, const struct hub_room *hub_room)
{
    const int64_t room_made_ms = made_ms(hub_room);
    size_t at = 0;
    if (found->count == ROOMS_UNUSED_MAX && room_made_ms >= found->made_ms[0])
        return;
    if (found->count < ROOMS_UNUSED_MAX) {
        at = found->count++;
        for (; at > 0 && found->made_ms[at - 1] < room_made_ms; at--) {
            found->rooms[at] = found->rooms[at - 1];
            found->made_ms[at] = found->made_ms[at - 1];
        }
    } else {
        for (; at + 1 < found->count && found->made_ms[at + 1] > room_made_ms; at++) {
            found->rooms[at] = found->rooms[at + 1];
            found->made_ms[at] = found->made_ms[at + 1];
        }
    }
    found->rooms[at] = hub_room;
    found->made_ms[at] = room_made_ms;
}

/* The oldest that are not used. */
static void search_unused(struct hub *hub)
{
    struct found found = {.count = 0};
    size_t at = 0;
    const struct hub_room *hub_room;
    while ((hub_room = key_map_next(&hub->rooms.by_id, &at)) != NULL) {
        if (may_be_evicted(hub_room))
            note_found(&found, hub_room);
    }
    for (size_t room = 0; room < found.count; room++)
        memcpy(hub->rooms.unused[room], room_id(found.rooms[room]->room),
               sizeof hub->rooms.unused[room]);
    hub->rooms.unused_count = found.count;
}

/* Of those that were found before, the oldest that is still there and not used. */
static struct hub_room *take_unused(struct hub *hub, const struct hub_room *spare)
{
    while (hub->rooms.unused_count > 0) {
        struct hub_room *hub_room =
            hub_room_find(hub, hub->rooms.unused[--hub->rooms.unused_count]);
        if (hub_room && hub_room != spare && may_be_evicted(hub_room))
            return hub_room;
    }
    return NULL;
}

static struct hub_room *find_evictable(struct hub *hub, const struct hub_room *spare)
{
    struct hub_room *hub_room = take_unused(hub, spare);
    if (hub_room)
        return hub_room;
    search_unused(hub);
    return take_unused(hub, spare);
}

static size_t count_rooms(const struct hub *hub)
{
    return key_map_count(&hub->rooms.by_id) - hub->rooms.dropping_count;
}

/*
 * A match ends first, and is archived when that is durable: so this begins before there is no place
 * any more. What is left then is only for those for whom another room goes: else whoever has made
 * most would take it, and who is new would wait.
 */
static size_t enough_rooms(const struct hub *hub)
{
    enum { PART_KEPT_FREE = 64 };
    return (size_t)(hub->config.rooms - hub->config.rooms / PART_KEPT_FREE);
}

static bool give_up(struct hub *hub, struct hub_room *hub_room)
{
    struct room_event event;
    const enum protocol_phase phase = room_phase(hub_room->room);
    if (phase == PROTOCOL_PHASE_LOBBY || phase == PROTOCOL_PHASE_OVER)
        return room_clock_forget(hub, hub_room);
    return batch_has_room(hub, 1) &&
           room_decide_close(hub_room->room, hub->now_ms, &event, hub->scratch) &&
           change_apply(hub, hub_room, &event, 0) == 0;
}

/* Searching all rooms is dear, so what is found lasts for some, and what has not been found is not
 * looked for at once again. */
static bool evict_unused(struct hub *hub, const struct hub_room *spare)
{
    if (hub->now_ms < hub->rooms.evict_after_ms)
        return false;
    struct hub_room *hub_room = find_evictable(hub, spare);
    if (hub_room && give_up(hub, hub_room))
        return true;
    hub->rooms.evict_after_ms = hub->now_ms + RETRY_MS;
    return false;
}

/* Who watches it is told. */
static bool evict_watched(struct hub *hub, const struct hub_room *spare)
{
    struct hub_room *hub_room = room_find_watched(hub, spare);
    if (!hub_room)
        return false;
    notice_to_room(hub, hub_room, PROTOCOL_NOTICE_CLOSED, NOTICE_SERVER_FULL);
    if (!give_up(hub, hub_room))
        return false;
    hub->rooms.evict_after_ms = 0; /* the next one looks again */
    hub->metrics.rooms_evicted++;
    return true;
}

/* Also dear, but whether there is one depends on who comes; each try costs its address something.
 */
static bool evict_cheapest(struct hub *hub, const struct hub_room *spare,
                           const struct origin *newcomer)
{
    struct hub_room *hub_room = room_find_cheapest(hub, newcomer, spare);
    if (!hub_room || !give_up(hub, hub_room))
        return false;
    hub_room->evicted = true;
    hub->rooms.evict_after_ms = 0; /* a match is unused as soon as its end is durable */
    hub->metrics.rooms_evicted++;
    return true;
}

bool rooms_make_place(struct hub *hub, const struct hub_room *spare, const struct origin *newcomer)
{
    if (count_rooms(hub) < enough_rooms(hub))
        return true;
    const bool looks = hub->now_ms >= hub->rooms.evict_after_ms;
    bool one_goes =
        !hub->commit.failing && (evict_unused(hub, spare) || (looks && evict_watched(hub, spare)));
    if (!hub->commit.failing && newcomer && count_rooms(hub) >= enough_rooms(hub))
        one_goes = evict_cheapest(hub, spare, newcomer) || one_goes;
    return count_rooms(hub) < (size_t)hub->config.rooms && (one_goes || !newcomer);
}

bool rooms_make_place_to_read(struct hub *hub)
{
    return count_rooms(hub) < enough_rooms(hub) ||
           (!hub->commit.failing && evict_unused(hub, NULL) &&
            count_rooms(hub) < enough_rooms(hub));
}
