#include "lobby_share.h"

#include "hub_private.h"
#include "limits/origin.h"
#include "sessions/session.h"
#include <room/room.h>

struct spent {
    unsigned all, own_ready;
    unsigned of[ORIGIN_WIDTHS]; /* of those of the session's origin */
};

static struct spent count_events(const struct hub *hub, const struct room *room,
                                 const struct session *own)
{
    struct spent spent = {0};
    for (uint64_t seq = 1; seq <= room_seq(room); seq++) {
        struct room_event event;
        room_event_at(room, seq, &event);
        const uint64_t id = event.origin.session;
        if (id == 0 || id == room_host(room))
            continue;
        const struct session *session = session_find(hub, id);
        spent.all++;
        for (int width = 0; session && width < ORIGIN_WIDTHS; width++)
            spent.of[width] += session->origin.at[width] == own->origin.at[width];
        spent.own_ready += id == own->id && event.kind == ROOM_READIED;
    }
    return spent;
}

static bool is_below(const struct spent *spent, const unsigned most[ORIGIN_WIDTHS])
{
    for (int width = 0; width < ORIGIN_WIDTHS; width++) {
        if (spent->of[width] >= most[width])
            return false;
    }
    return true;
}

static bool is_within_share(const struct spent *spent)
{
    static const unsigned first[] = {LOBBY_SHARE_EVENTS, LOBBY_SHARE_EVENTS, LOBBY_SHARE_WIDE};
    static const unsigned late[] = {LOBBY_SHARE_LATE, LOBBY_SHARE_LATE, LOBBY_SHARE_LATE_WIDE};
    return (spent->all < ROOM_LOBBY_OTHERS && is_below(spent, first)) || is_below(spent, late);
}

bool lobby_share_allows(const struct hub *hub, const struct hub_room *hub_room,
                        const struct session *session, const struct room_event *event)
{
    const struct room *room = hub_room->room;
    if (room_phase(room) != PROTOCOL_PHASE_LOBBY || event->kind == ROOM_STOOD ||
        session->id == room_host(room) || room_seq(room) < LOBBY_SHARE_EVENTS)
        return true;
    const struct spent spent = count_events(hub, room, session);
    return is_within_share(&spent) ||
           (event->kind == ROOM_READIED && spent.own_ready < LOBBY_SHARE_READY);
}
