#include "room_evict.h"

#include "hub_private.h"
#include "hub_room.h"
#include "key_map.h"
#include "limits/origin.h"
#include "sessions/session.h"
#include <room/result.h>

enum {
    ROOMS_LEAD = 4, /* so many more a network must have made than the newcomer's */
    /* So many of one address, or of one customer's /56, are not those of people who meet; */
    ROOMS_HEAVY = 64,
    ROOMS_HEAVY_WIDE = 256 /* nor are so many of a /48 or /24. */
};

static bool is_known(const struct origin *origin)
{
    return origin->at[0] != 0;
}

/* An IPv4 address, or a /56: whose sessions those of one household are. */
static bool is_one_household(const struct origin *a, const struct origin *b)
{
    return a->at[ORIGIN_HOUSEHOLD] == b->at[ORIGIN_HOUSEHOLD];
}

/* Very many were made there. */
static bool is_heavy(const struct hub *hub, const struct origin *origin)
{
    static const uint32_t heavy[ORIGIN_WIDTHS] = {ROOMS_HEAVY, ROOMS_HEAVY, ROOMS_HEAVY_WIDE};
    bool any = false;
    for (int width = 0; width < ORIGIN_WIDTHS; width++)
        any = any || hub->rooms.origins.of[width][origin->at[width]] >= heavy[width];
    return any && is_known(origin);
}

/*
 * All people in it came from where it was made. After a restart nobody knows where that was: then
 * who has come back since has come from one address. So a match that people of two addresses play
 * stays as soon as both are back.
 */
static bool is_of_one_origin(const struct hub_room *hub_room)
{
    const bool forgotten = !is_known(&hub_room->origin);
    struct origin from = hub_room->origin;
    for (uint8_t seat = 0; seat < hub_room->seats; seat++) {
        const struct seat_link *link = &hub_room->links[seat];
        if (link->session_id == 0)
            continue;
        const bool back = link->session && is_known(&link->session->origin);
        if (!back && !forgotten)
            return false;
        if (back && !is_known(&from))
            from = link->session->origin;
        if (back && !is_one_household(&link->session->origin, &from))
            return false;
    }
    return true;
}

static bool may_go(const struct hub *hub, const struct hub_room *hub_room)
{
    if (hub_room->state != HUB_ROOM_LIVE || hub_room->evicted || hub_room_is_dirty(hub_room))
        return false;
    switch (room_phase(hub_room->room)) {
    case PROTOCOL_PHASE_LOBBY:
        return true;
    case PROTOCOL_PHASE_PLAYING:
    case PROTOCOL_PHASE_PAUSED:
        return is_of_one_origin(hub_room) || is_heavy(hub, &hub_room->origin);
    case PROTOCOL_PHASE_OVER: /* whose seats nobody is linked to after a restart */
        return is_known(&hub_room->origin) &&
               (is_of_one_origin(hub_room) || is_heavy(hub, &hub_room->origin));
    case PROTOCOL_PHASE_COUNT:
        break;
    }
    return false;
}

/* By addresses or by a wider network. */
static bool has_lead(const struct hub *hub, const struct hub_room *hub_room,
                     const struct origin *newcomer)
{
    for (int width = 0; width < ORIGIN_WIDTHS; width++) {
        const uint32_t *made = hub->rooms.origins.of[width];
        if (made[hub_room->origin.at[width]] > made[newcomer->at[width]] + ROOMS_LEAD)
            return true;
    }
    return false;
}

static bool is_cheaper(const struct hub *hub, const struct hub_room *a, const struct hub_room *b)
{
    const bool lobby_a = room_phase(a->room) == PROTOCOL_PHASE_LOBBY;
    const bool lobby_b = room_phase(b->room) == PROTOCOL_PHASE_LOBBY;
    const int more = origin_compare(&hub->rooms.origins, &a->origin, &b->origin);
    if (more != 0)
        return more > 0;
    if (lobby_a != lobby_b)
        return lobby_a;
    const bool met_a = room_has_met(a->room), met_b = room_has_met(b->room);
    if (met_a != met_b)
        return met_b;
    if (!a->subscription_count != !b->subscription_count)
        return !a->subscription_count;
    return a->unsubscribed_ms < b->unsubscribed_ms;
}

struct hub_room *room_find_cheapest(const struct hub *hub, const struct origin *newcomer,
                                    const struct hub_room *spare)
{
    size_t at = 0;
    struct hub_room *hub_room, *found = NULL;
    while ((hub_room = key_map_next(&hub->rooms.by_id, &at)) != NULL) {
        if (hub_room != spare && may_go(hub, hub_room) && has_lead(hub, hub_room, newcomer) &&
            (!found || is_cheaper(hub, hub_room, found)))
            found = hub_room;
    }
    return found;
}

static int64_t over_ms(const struct hub_room *hub_room)
{
    struct room_event last;
    room_event_at(hub_room->room, room_seq(hub_room->room), &last);
    return last.at_ms;
}

struct hub_room *room_find_watched(const struct hub *hub, const struct hub_room *spare)
{
    size_t at = 0;
    struct hub_room *hub_room, *found = NULL;
    while ((hub_room = key_map_next(&hub->rooms.by_id, &at)) != NULL) {
        if (hub_room == spare || hub_room->state != HUB_ROOM_ARCHIVED ||
            hub_room_is_dirty(hub_room))
            continue;
        if (!found || over_ms(hub_room) < over_ms(found))
            found = hub_room;
    }
    return found;
}
