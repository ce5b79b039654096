#include "venue.h"

#include "batch.h"
#include "change.h"
#include "follow.h"
#include "session.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* When a timer found no memory, no place in the batch, or a room that wanted nothing after all. */
enum { RETRY_MS = 1000 };

/* An id has 40 bits of base 32 in 8 characters. */
static uint64_t key_of(const char *id)
{
    uint64_t key;
    static_assert(sizeof key == PROTOCOL_ROOM_BYTES, "the id is its own key");
    memcpy(&key, id, sizeof key);
    return key;
}

struct venue *venue_find(const struct hub *hub, const char *id)
{
    size_t at = 0;
    if (strlen(id) != PROTOCOL_ROOM_BYTES)
        return NULL;
    return map_find(&hub->venues, key_of(id), &at);
}

/* Created by requests, so that a repeat finds it. */
static uint64_t created_key(uint64_t session, int64_t request_id)
{
    return session + (uint64_t)request_id * UINT64_C(0x9e3779b97f4a7c15);
}

struct venue *venue_created_by(const struct hub *hub, uint64_t session, int64_t request_id,
                               uint64_t *digest)
{
    size_t at = 0;
    struct venue *venue;
    while ((venue = map_find(&hub->created, created_key(session, request_id), &at)) != NULL) {
        struct room_event event;
        room_event_at(venue->room, 1, &event);
        if (event.origin.session == session && event.origin.request_id == request_id) {
            *digest = event.origin.digest;
            return venue;
        }
    }
    return NULL;
}

void venue_seed(const struct hub *hub, struct room_seed *seed, uint64_t host, bool code)
{
    uint8_t bytes[CODE_RANDOM_BYTES];
    *seed = (struct room_seed){.host = host};
    do {
        hub->env.random(hub->env.ctx, bytes, ROOM_ID_RANDOM_BYTES);
        room_id_encode(seed->id, bytes);
    } while (venue_find(hub, seed->id));
    if (code) {
        hub->env.random(hub->env.ctx, bytes, sizeof bytes);
        code_encode(seed->code, bytes);
    }
    hub->env.random(hub->env.ctx, seed->secret, sizeof seed->secret);
}

/* ---- life */

struct venue *venue_add(struct hub *hub, struct room *room)
{
    unsigned seats = room_seats(room);
    assert(seats <= PROTOCOL_SEATS);
    struct venue *venue = calloc(1, sizeof *venue + seats * sizeof venue->links[0]);
    if (!venue)
        return NULL;
    memcpy(venue->id, room_id(room), sizeof venue->id);
    venue->key = key_of(venue->id);
    if (timers_reserve(&hub->timers) < 0)
        goto no_timer;
    if (timers_reserve(&hub->timers) < 0)
        goto no_presence;
    if (map_put(&hub->venues, venue->key, venue) < 0)
        goto no_place;
    struct room_event created;
    room_event_at(room, 1, &created);
    venue->created_key = created_key(created.origin.session, created.origin.request_id);
    if (map_put(&hub->created, venue->created_key, venue) < 0)
        goto no_created;
    venue->room = room;
    venue->seats = (uint8_t)seats;
    venue->timer.kind = TIMER_VENUE;
    venue->presence.kind = TIMER_PRESENCE;
    venue->unfollowed_ms = hub->now_ms;
    for (unsigned seat = 0; seat < seats; seat++)
        venue->links[seat].venue = venue;
    return venue;
no_created:
    map_remove(&hub->venues, venue->key, venue);
no_place:
    timers_unreserve(&hub->timers);
no_presence:
    timers_unreserve(&hub->timers);
no_timer:
    free(venue);
    return NULL;
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

static void set_host(struct hub *hub, struct venue *venue, struct session *host)
{
    struct session *before = venue->host;
    if (before == host)
        return;
    venue->host = host;
    if (host) {
        host->host_count++;
        session_check_idle(hub, host);
    }
    if (before) {
        before->host_count--;
        session_check_idle(hub, before);
    }
}

static void unsettled_remove(struct hub *hub, struct venue *venue)
{
    struct venue **link = &hub->unsettled;
    if (!venue->unsettled)
        return;
    while (*link != venue)
        link = &(*link)->unsettled_next;
    *link = venue->unsettled_next;
    venue->unsettled = false;
}

static void unlist(struct hub *hub, struct venue *venue);

void venue_destroy(struct hub *hub, struct venue *venue)
{
    assert(!venue_is_dirty(venue));
    while (venue->follows)
        follow_end(hub, venue->follows);
    for (uint8_t seat = 0; seat < venue->seats; seat++)
        link_seat(hub, &venue->links[seat], NULL);
    set_host(hub, venue, NULL);
    unlist(hub, venue);
    unsettled_remove(hub, venue);
    timer_disarm(&hub->timers, &venue->timer);
    timer_disarm(&hub->timers, &venue->presence);
    timers_unreserve(&hub->timers);
    timers_unreserve(&hub->timers);
    map_remove(&hub->venues, venue->key, venue);
    map_remove(&hub->created, venue->created_key, venue);
    room_destroy(venue->room);
    free(venue);
}

void matches_release(struct hub *hub)
{
    for (;;) {
        size_t at = 0;
        struct venue *venue = map_next(&hub->venues, &at);
        if (!venue)
            break;
        venue->out_seq = venue->fill_seq = 0;
        venue_destroy(hub, venue);
    }
    map_release(&hub->venues);
    map_release(&hub->created);
    free(hub->listed);
}

bool venue_is_dirty(const struct venue *venue)
{
    return venue->out_seq || venue->fill_seq;
}

/* ---- who holds its seats */

void venue_sync(struct hub *hub, struct venue *venue)
{
    bool over = room_phase(venue->room) == PROTOCOL_PHASE_OVER;
    for (uint8_t seat = 0; seat < venue->seats; seat++) {
        struct seat_link *link = &venue->links[seat];
        uint64_t id = room_seat_session(venue->room, seat);
        if (id != link->session_id) {
            link->session_id = id;
            link->since_seq = room_seq(venue->room);
            venue->unasked |= UINT32_C(1) << seat;
        }
        link_seat(hub, link, id && !over ? session_find(hub, id) : NULL);
    }
    set_host(hub, venue, over ? NULL : session_find(hub, room_host(venue->room)));
    presence_unsettle(hub, venue);
    venue_arm_timer(hub, venue);
}

/* ---- the list of open rooms: lobbies first, each kind by id */

static int list_order(const struct venue *venue, bool begun, const char *id)
{
    bool venue_begun = venue->list_begun;
    if (venue_begun != begun)
        return venue_begun ? 1 : -1;
    return strcmp(venue->id, id);
}

/* The first that is not before (begun, id). */
static size_t list_place(const struct hub *hub, bool begun, const char *id)
{
    size_t low = 0, high = hub->listed_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list_order(hub->listed[middle], begun, id) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void unlist(struct hub *hub, struct venue *venue)
{
    if (!venue->listed)
        return;
    size_t at = list_place(hub, venue->list_begun, venue->id);
    assert(hub->listed[at] == venue);
    memmove(&hub->listed[at], &hub->listed[at + 1],
            (hub->listed_count - at - 1) * sizeof(struct venue *));
    hub->listed_count--;
    venue->listed = false;
}

/* Without memory it stays unlisted until it changes again. */
static void enlist(struct hub *hub, struct venue *venue, bool begun)
{
    if (hub->listed_count == hub->listed_size) {
        size_t size = hub->listed_size ? hub->listed_size * 2 : 64;
        struct venue **listed = realloc(hub->listed, size * sizeof(struct venue *));
        if (!listed)
            return;
        hub->listed = listed;
        hub->listed_size = size;
    }
    size_t at = list_place(hub, begun, venue->id);
    memmove(&hub->listed[at + 1], &hub->listed[at],
            (hub->listed_count - at) * sizeof(struct venue *));
    hub->listed[at] = venue;
    hub->listed_count++;
    venue->listed = true;
    venue->list_begun = begun;
}

void venue_list(struct hub *hub, struct venue *venue)
{
    enum protocol_phase phase = room_phase(venue->room);
    bool begun = phase != PROTOCOL_PHASE_LOBBY;
    bool list = venue->durable_seq && room_access(venue->room) == PROTOCOL_ACCESS_OPEN &&
                phase != PROTOCOL_PHASE_OVER;
    if (venue->listed && (!list || venue->list_begun != begun))
        unlist(hub, venue);
    if (list && !venue->listed)
        enlist(hub, venue, begun);
}

size_t venue_listed_after(const struct hub *hub, const char *after)
{
    if (!after[0])
        return 0;
    const struct venue *venue = venue_find(hub, after);
    bool begun = venue && venue->listed && venue->list_begun;
    size_t at = list_place(hub, begun, after);
    bool there = at < hub->listed_count && strcmp(hub->listed[at]->id, after) == 0;
    return there ? at + 1 : at;
}

/* ---- time */

static int64_t forget_ms(const struct hub *hub, const struct venue *venue)
{
    if (venue->follow_count > 0 || venue_is_dirty(venue) || venue->dropping || hub->failing)
        return INT64_MAX;
    switch (room_phase(venue->room)) {
    case PROTOCOL_PHASE_LOBBY:
        return venue->unfollowed_ms + hub->config.lobby_idle_ms;
    case PROTOCOL_PHASE_OVER:
        return venue->unfollowed_ms + hub->config.over_idle_ms;
    case PROTOCOL_PHASE_PLAYING:
    case PROTOCOL_PHASE_PAUSED:
    case PROTOCOL_PHASE_COUNT:
        break;
    }
    return INT64_MAX; /* the room has rules of its own, see room_limits */
}

/* The room's clocks stand still while the store fails, and while it has events to keep. */
static int64_t room_due_ms(const struct hub *hub, const struct venue *venue)
{
    if (hub->failing || venue_is_dirty(venue))
        return INT64_MAX;
    return room_deadline_ms(venue->room, &hub->room_limits);
}

/* Lazy: one that is armed for earlier stays, and finds out when it fires. */
void venue_arm_timer(struct hub *hub, struct venue *venue)
{
    int64_t due_ms = room_due_ms(hub, venue), forget = forget_ms(hub, venue);
    if (forget < due_ms)
        due_ms = forget;
    if (due_ms < venue->retry_ms && due_ms != INT64_MAX)
        due_ms = venue->retry_ms;
    if (!venue->timer.place || due_ms < venue->timer.due_ms)
        timer_arm(&hub->timers, &venue->timer, due_ms);
}

static bool forget(struct hub *hub, struct venue *venue)
{
    struct batch *batch = hub->filling;
    if (venue->archived) { /* it came from the store and has not changed */
        venue_destroy(hub, venue);
        return true;
    }
    if (!batch_has_room(hub, 1) || batch_reserve(batch, 1, 1, 0, 0) < 0)
        return false;
    if (room_phase(venue->room) == PROTOCOL_PHASE_OVER)
        batch_archive_room(batch, venue);
    else
        batch_drop_room(batch, venue);
    batch_hold(batch, &(struct held){.kind = HELD_DROP_VENUE, .venue = venue});
    venue->dropping = true;
    return true;
}

void venue_dropped(struct hub *hub, struct venue *venue, bool done)
{
    bool lobby = room_phase(venue->room) == PROTOCOL_PHASE_LOBBY;
    venue->dropping = false;
    if (done && !lobby)
        venue->archived = true;
    if (done && (lobby || (venue->follow_count == 0 && !venue_is_dirty(venue))))
        venue_destroy(hub, venue);
    else
        venue_arm_timer(hub, venue);
}

/* At most one: its next one comes when this one is durable. */
void venue_run_due(struct hub *hub, struct venue *venue)
{
    struct room_event event;
    if (room_due_ms(hub, venue) > hub->now_ms)
        return;
    if (!batch_has_room(hub, 1) ||
        !room_decide_due(venue->room, &hub->room_limits, hub->now_ms, &event, hub->scratch) ||
        change_apply(hub, venue, &event, 0) < 0)
        venue->retry_ms = hub->now_ms + RETRY_MS;
}

void venue_due(struct hub *hub, struct venue *venue)
{
    venue_run_due(hub, venue);
    if (forget_ms(hub, venue) <= hub->now_ms) {
        if (!forget(hub, venue))
            venue->retry_ms = hub->now_ms + RETRY_MS;
        else
            return;
    }
    venue_arm_timer(hub, venue);
}

void venue_resume_clocks(struct hub *hub, struct venue *venue, int64_t since_ms)
{
    struct room_event event;
    /* Without memory for it the time counts; the venue goes on. */
    if (room_decide_held(venue->room, since_ms, hub->now_ms, &event))
        change_apply(hub, venue, &event, 0);
    venue_arm_timer(hub, venue);
}
