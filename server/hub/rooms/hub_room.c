#include "hub_room.h"

#include "connections/presence_queue.h"
#include "connections/subscription.h"
#include "history.h"
#include "hub_private.h"
#include "key_map.h"
#include "limits/address.h"
#include "limits/origin.h"
#include "record_cache.h"
#include "room_list.h"
#include "sessions/session.h"
#include "timer.h"
#include "waiting/think_queue.h"
#include <assert.h>
#include <hub/address_prefix.h>
#include <hub/part.h>
#include <room/default_name.h>
#include <stdlib.h>
#include <string.h>

/* An id has 40 bits of base 32 in 8 characters. */
static uint64_t key_of(const char *id)
{
    uint64_t key;
    static_assert(sizeof key == PROTOCOL_ROOM_BYTES, "the id is its own key");
    memcpy(&key, id, sizeof key);
    return key;
}

struct hub_room *hub_room_find(const struct hub *hub, const char *id)
{
    size_t at = 0;
    if (strlen(id) != PROTOCOL_ROOM_BYTES)
        return NULL;
    return key_map_find(&hub->rooms.by_id, key_of(id), &at);
}

/* Created by requests, so that a repeat finds it. */
static uint64_t created_key(uint64_t session, int64_t request_id)
{
    return session + (uint64_t)request_id * UINT64_C(0x9e3779b97f4a7c15);
}

struct hub_room *hub_room_created_by(const struct hub *hub, uint64_t session, int64_t request_id,
                                     uint64_t *digest)
{
    size_t at = 0;
    struct hub_room *hub_room;
    while ((hub_room = key_map_find(&hub->rooms.by_request, created_key(session, request_id),
                                    &at)) != NULL) {
        struct room_event event;
        room_event_at(hub_room->room, 1, &event);
        if (event.origin.session == session && event.origin.request_id == request_id) {
            *digest = event.origin.digest;
            return hub_room;
        }
    }
    return NULL;
}

void hub_room_seed(const struct hub *hub, struct room_seed *seed, uint64_t host, bool code)
{
    uint8_t bytes[CODE_RANDOM_BYTES];
    *seed = (struct room_seed){.host = host};
    do {
        hub->env.random(hub->env.ctx, bytes, ROOM_ID_RANDOM_BYTES);
        room_id_encode(seed->id, bytes);
    } while (part_of_room(seed->id, hub->env.parts) != hub->env.part ||
             hub_room_find(hub, seed->id));
    if (code) {
        hub->env.random(hub->env.ctx, bytes, sizeof bytes);
        code_encode(seed->code, bytes);
    }
    hub->env.random(hub->env.ctx, seed->secret, sizeof seed->secret);
}

/* ---- creating and destroying */

static size_t size_without_states(size_t seats)
{
    const size_t step = _Alignof(max_align_t);
    const size_t size = sizeof(struct hub_room) + seats * sizeof(struct seat_link);
    return (size + step - 1) / step * step;
}

unsigned char *hub_room_states(const struct hub_room *hub_room)
{
    return (unsigned char *)(uintptr_t)hub_room + size_without_states(hub_room->seats);
}

struct hub_room *hub_room_add(struct hub *hub, struct room *room)
{
    unsigned seats = room_seats(room);
    assert(seats <= PROTOCOL_SEATS);
    struct hub_room *hub_room = calloc(1, size_without_states(seats) + hub->features.room_bytes);
    if (!hub_room)
        return NULL;
    memcpy(hub_room->id, room_id(room), sizeof hub_room->id);
    hub_room->key = key_of(hub_room->id);
    hub_room->epoch = hub->epoch;
    if (timers_reserve(&hub->timers) < 0)
        goto no_timer;
    if (timers_reserve(&hub->timers) < 0)
        goto no_presence;
    if (key_map_put(&hub->rooms.by_id, hub_room->key, hub_room) < 0)
        goto no_place;
    struct room_event created;
    room_event_at(room, 1, &created);
    hub_room->created_key = created_key(created.origin.session, created.origin.request_id);
    if (key_map_put(&hub->rooms.by_request, hub_room->created_key, hub_room) < 0)
        goto no_created;
    hub_room->room = room;
    hub_room->seats = (uint8_t)seats;
    hub_room->timer.kind = TIMER_ROOM;
    hub_room->presence_timer.kind = TIMER_PRESENCE;
    hub_room->unsubscribed_ms = hub->now_ms;
    for (unsigned seat = 0; seat < seats; seat++)
        hub_room->links[seat].hub_room = hub_room;
    origin_add(&hub->rooms.origins, &hub_room->origin);
    return hub_room;
no_created:
    key_map_remove(&hub->rooms.by_id, hub_room->key, hub_room);
no_place:
    timers_unreserve(&hub->timers);
no_presence:
    timers_unreserve(&hub->timers);
no_timer:
    free(hub_room);
    return NULL;
}

void hub_room_set_origin(struct hub *hub, struct hub_room *hub_room, const struct address *address)
{
    origin_remove(&hub->rooms.origins, &hub_room->origin);
    hub_room->origin = address->origin;
    hub_room->from_here = address_prefix_is_local(&address->prefix);
    origin_add(&hub->rooms.origins, &hub_room->origin);
}

static void link_seat(struct hub *hub, struct seat_link *link, struct session *session)
{
    struct session *before = link->session;
    if (before == session)
        return;
    if (before) {
        *link->self = link->next;
        if (link->next)
            link->next->self = link->self;
        before->seat_count--;
    }
    link->session = session;
    if (session) {
        link->next = session->seats;
        link->self = &session->seats;
        if (link->next)
            link->next->self = &link->next;
        session->seats = link;
        session->seat_count++;
        session_check_idle(hub, session);
    }
    if (before)
        session_check_idle(hub, before);
}

static void set_host(struct hub *hub, struct hub_room *hub_room, struct session *host)
{
    struct session *before = hub_room->host;
    if (before == host)
        return;
    hub_room->host = host;
    if (host) {
        host->host_count++;
        session_check_idle(hub, host);
    }
    if (before) {
        before->host_count--;
        session_check_idle(hub, before);
    }
}

void hub_room_destroy(struct hub *hub, struct hub_room *hub_room)
{
    assert(!hub_room_is_dirty(hub_room));
    think_drop(hub, &hub_room->thinking, THINK_CANCELLED);
    while (hub_room->subscriptions)
        subscription_end(hub, hub_room->subscriptions);
    for (uint8_t seat = 0; seat < hub_room->seats; seat++)
        link_seat(hub, &hub_room->links[seat], NULL);
    set_host(hub, hub_room, NULL);
    room_list_remove(hub, hub_room);
    presence_queue_remove(hub, hub_room);
    timer_disarm(&hub->timers, &hub_room->timer);
    timer_disarm(&hub->timers, &hub_room->presence_timer);
    timers_unreserve(&hub->timers);
    timers_unreserve(&hub->timers);
    key_map_remove(&hub->rooms.by_id, hub_room->key, hub_room);
    key_map_remove(&hub->rooms.by_request, hub_room->created_key, hub_room);
    if (hub_room->share)
        hub->shares.rooms[hub_room->share]--;
    origin_remove(&hub->rooms.origins, &hub_room->origin);
    history_forget(hub, hub_room);
    record_cache_forget(hub, hub_room);
    room_destroy(hub_room->room);
    free(hub_room);
}

void hub_rooms_release(struct hub *hub)
{
    size_t at = 0;
    struct hub_room *hub_room;
    room_list_release(hub);
    while ((hub_room = key_map_any(&hub->rooms.by_id, &at)) != NULL) {
        hub_room->out_seq = hub_room->fill_seq = 0;
        hub_room_destroy(hub, hub_room);
    }
    key_map_release(&hub->rooms.by_id);
    key_map_release(&hub->rooms.by_request);
}

void hub_room_set_state(struct hub_room *hub_room, enum hub_room_state state)
{
    switch (state) {
    case HUB_ROOM_LIVE:
        assert(hub_room->state == HUB_ROOM_DROPPING);
        break;
    case HUB_ROOM_DROPPING:
        assert(hub_room->state == HUB_ROOM_LIVE);
        break;
    case HUB_ROOM_ARCHIVED:
        assert(hub_room->state == HUB_ROOM_DROPPING || hub_room->state == HUB_ROOM_LIVE);
        break;
    }
    hub_room->state = state;
}

bool hub_room_is_dirty(const struct hub_room *hub_room)
{
    return hub_room->out_seq || hub_room->fill_seq;
}

/* ---- who holds its seats */

uint8_t hub_room_seat_of(const struct seat_link *link)
{
    return (uint8_t)(link - link->hub_room->links);
}

bool hub_room_seat_is_durable(const struct hub_room *hub_room, uint8_t seat)
{
    return hub_room->links[seat].since_seq <= hub_room->durable_seq;
}

static struct session *meet_seated(struct hub *hub, const struct hub_room *hub_room, uint8_t seat)
{
    return session_meet(hub, room_seat_session(hub_room->room, seat),
                        room_seat_name(hub_room->room, seat));
}

/* The log knows the names of seats only. */
static struct session *meet_host(struct hub *hub, const struct hub_room *hub_room)
{
    const uint64_t id = room_host(hub_room->room);
    const uint8_t seat = room_seat_of(hub_room->room, id);
    return seat != ROOM_NO_SEAT ? meet_seated(hub, hub_room, seat)
                                : session_meet(hub, id, default_name_person((size_t)id));
}

bool hub_room_meet(struct hub *hub, struct hub_room *hub_room)
{
    bool met = true;
    if (room_phase(hub_room->room) == PROTOCOL_PHASE_OVER)
        return true;
    for (uint8_t seat = 0; seat < hub_room->seats; seat++)
        met &= meet_seated(hub, hub_room, seat) ||
               !session_is_elsewhere(hub, room_seat_session(hub_room->room, seat));
    return (meet_host(hub, hub_room) || !session_is_elsewhere(hub, room_host(hub_room->room))) &&
           met;
}

/* Does somebody sit there who comes from elsewhere than whoever made the room? */
static void note_network(struct hub_room *hub_room, const struct seat_link *link)
{
    const uint16_t network = link->session ? link->session->origin.at[ORIGIN_WIDEST] : 0;
    if (hub_room->other == 0 && network != hub_room->origin.at[ORIGIN_WIDEST])
        hub_room->other = network;
}

void hub_room_sync(struct hub *hub, struct hub_room *hub_room)
{
    bool over = room_phase(hub_room->room) == PROTOCOL_PHASE_OVER;
    for (uint8_t seat = 0; seat < hub_room->seats; seat++) {
        struct seat_link *link = &hub_room->links[seat];
        uint64_t id = room_seat_session(hub_room->room, seat);
        if (id != link->session_id) {
            link->session_id = id;
            link->since_seq = room_seq(hub_room->room);
            hub_room->unreported |= UINT32_C(1) << seat;
        }
        link_seat(hub, link, id && !over ? meet_seated(hub, hub_room, seat) : NULL);
        note_network(hub_room, link);
    }
    set_host(hub, hub_room, over ? NULL : meet_host(hub, hub_room));
    presence_queue_add(hub, hub_room);
    hub_room_arm_timer(hub, hub_room);
}

/* ---- time */

int64_t hub_room_forget_ms(const struct hub *hub, const struct hub_room *hub_room)
{
    if (hub_room->subscription_count > 0 || hub_room_is_dirty(hub_room) ||
        hub_room->state == HUB_ROOM_DROPPING || hub->commit.failing)
        return INT64_MAX;
    switch (room_phase(hub_room->room)) {
    case PROTOCOL_PHASE_LOBBY:
        return hub_room->unsubscribed_ms + hub->config.lobby_idle_ms;
    case PROTOCOL_PHASE_OVER:
        return hub_room->unsubscribed_ms + hub->config.over_idle_ms;
    case PROTOCOL_PHASE_PLAYING:
    case PROTOCOL_PHASE_PAUSED:
    case PROTOCOL_PHASE_COUNT:
        break;
    }
    return INT64_MAX; /* the room has rules of its own, see room_limits */
}

/* The room's clocks stand still while the store fails, and while events wait to be stored. */
int64_t hub_room_due_ms(const struct hub *hub, const struct hub_room *hub_room)
{
    if (hub->commit.failing || hub_room_is_dirty(hub_room))
        return INT64_MAX;
    return room_deadline_ms(hub_room->room, &hub->rules.room_limits);
}

/* A timer that is armed for an earlier time stays as it is and is armed again when it fires. */
void hub_room_arm_timer(struct hub *hub, struct hub_room *hub_room)
{
    int64_t due_ms = hub_room_due_ms(hub, hub_room), forget = hub_room_forget_ms(hub, hub_room);
    if (forget < due_ms)
        due_ms = forget;
    if (due_ms < hub_room->retry_ms && due_ms != INT64_MAX)
        due_ms = hub_room->retry_ms;
    if (!hub_room->timer.place || due_ms < hub_room->timer.due_ms)
        timer_arm(&hub->timers, &hub_room->timer, due_ms);
}

void hub_room_dropped(struct hub *hub, struct hub_room *hub_room, bool done)
{
    bool lobby = room_phase(hub_room->room) == PROTOCOL_PHASE_LOBBY;
    assert(hub_room->state == HUB_ROOM_DROPPING);
    hub->rooms.dropping_count--;
    hub_room->evicted &= done;
    hub_room->taken_back &= done;
    const bool unused = hub_room->subscription_count == 0 || hub_room->evicted;
    if (done && (lobby || (unused && !hub_room_is_dirty(hub_room)))) {
        hub_room_destroy(hub, hub_room);
        return;
    }
    hub_room_set_state(hub_room, done ? HUB_ROOM_ARCHIVED : HUB_ROOM_LIVE);
    hub_room_arm_timer(hub, hub_room);
}
