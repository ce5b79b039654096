#include "lobby_share.h"

#include "hub_private.h"
#include "origin.h"
#include "session.h"
#include <room/room.h>

struct spent {
    unsigned of_address, own_ready;
};

static bool is_of_address(const struct hub *hub, uint64_t session_id, const struct origin *origin)
{
    const struct session *session = session_find(hub, session_id);
    return session && origin_is_same(&session->origin, origin);
}

static struct spent count_events(const struct hub *hub, const struct room *room,
                                 const struct session *own)
{
    const uint64_t host = room_host(room);
    struct spent spent = {0};
    for (uint64_t seq = 1; seq <= room_seq(room); seq++) {
        struct room_event event;
        room_event_at(room, seq, &event);
        const uint64_t id = event.origin.session;
        if (id == 0 || id == host)
            continue;
        spent.of_address += is_of_address(hub, id, &own->origin);
        spent.own_ready += id == own->id && event.kind == ROOM_READIED;
    }
    return spent;
}

bool lobby_share_allows(const struct hub *hub, const struct hub_room *hub_room,
                        const struct session *session, const struct room_event *event)
{
    const struct room *room = hub_room->room;
    if (room_phase(room) != PROTOCOL_PHASE_LOBBY || event->kind == ROOM_STOOD ||
        session->id == room_host(room) || room_seq(room) < LOBBY_SHARE_EVENTS)
        return true;
    const struct spent spent = count_events(hub, room, session);
    return spent.of_address < LOBBY_SHARE_EVENTS ||
           (event->kind == ROOM_READIED && spent.own_ready < LOBBY_SHARE_READY);
}
