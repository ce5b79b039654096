#include <hub/kernel_hand.h>

#include "connections/conn.h"
#include "connections/subscription.h"
#include "feature_table.h"
#include "hub_private.h"
#include "key_map.h"
#include "rooms/hub_room.h"
#include "sessions/session.h"
#include "waiting/batch.h"
#include <hub/kernel_change.h>
#include <room/hand.h>
#include <stdlib.h>
#include <string.h>

static bool is_of(const struct hub_room *hub_room, uint64_t session)
{
    uint8_t seat = 0;
    while (seat < hub_room->seats && hub_room->links[seat].session_id != session)
        seat++;
    return seat < hub_room->seats || room_host(hub_room->room) == session;
}

bool kernel_hand_meets(const struct hub *hub, uint64_t from, uint64_t to)
{
    const struct hub_room *hub_room;
    size_t at = 0;
    while ((hub_room = key_map_next(&hub->rooms.by_id, &at)) != NULL) {
        if (is_of(hub_room, from) && room_has_acted(hub_room->room, to) &&
            room_phase(hub_room->room) != PROTOCOL_PHASE_OVER)
            return true;
    }
    return false;
}

/* ---- one room */

struct handing {
    struct kernel_change change;
    struct hub_room *hub_room; /* stays until then: what drops it is behind in the store, too */
    uint64_t from, to;
};

/* Whoever looks on and has a seat now was shown what a watcher may see: they have to come again. */
static void send_watchers_back(struct hub *hub, const struct hub_room *hub_room, uint64_t session)
{
    const struct subscription *subscription = hub_room->subscriptions;
    for (; subscription; subscription = subscription->next) {
        if (subscription->conn->session->id == session)
            conn_close(hub, subscription->conn, CLOSE_RESTART);
    }
}

static void hand_in_memory(struct hub *hub, struct hub_room *hub_room, uint64_t from, uint64_t to)
{
    room_hand(hub_room->room, from, to);
    hub_room->handed_seq = room_seq(hub_room->room);
    if (room_audiences(hub_room->room) > 1)
        send_watchers_back(hub, hub_room, to);
    hub_room_sync(hub, hub_room);
}

static void carry_out(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const struct handing *handing = (const struct handing *)(const void *)change;
    (void)session;
    handing->hub_room->handing = false;
    hand_in_memory(hub, handing->hub_room, handing->from, handing->to);
}

static void undo_handing(struct hub *hub, struct session *session, struct kernel_change *change)
{
    (void)hub;
    (void)session;
    ((const struct handing *)(const void *)change)->hub_room->handing = false;
}

static void destroy_handing(struct kernel_change *change)
{
    free(change);
}

static const struct kernel_change_type handing_type = {carry_out, undo_handing, NULL, PROTOCOL_OK,
                                                       destroy_handing};

/* False: without memory, and it is tried again. */
static bool put_room(struct hub *hub, struct hub_room *hub_room, uint64_t from, uint64_t to)
{
    struct batch *batch = hub->commit.filling;
    struct handing *handing = malloc(sizeof *handing);
    if (!handing || batch_reserve(batch, 1, 1, 0, 0) < 0) {
        free(handing);
        return false;
    }
    *handing = (struct handing){{&handing_type}, hub_room, from, to};
    hub_room->handing = true;
    batch_hand_room(batch, hub_room, &(struct store_hand){from, to});
    batch_defer(batch, &(struct pending){.kind = PENDING_CHANGE,
                                         .op = REQUEST_OPS,
                                         .hub_room = hub_room,
                                         .u.change = &handing->change});
    return true;
}

/* ---- all of them */

static bool is_settled(const struct hub *hub, const struct hub_room *hub_room)
{
    return hub_room->state == HUB_ROOM_LIVE && !hub_room->handing && !hub_room_is_dirty(hub_room) &&
           !hub->commit.failing;
}

size_t kernel_hand_rooms(struct hub *hub, uint64_t from, uint64_t to, bool *busy)
{
    struct hub_room *hub_room;
    size_t at = 0, count = 0;
    while ((hub_room = key_map_next(&hub->rooms.by_id, &at)) != NULL) {
        if (!is_of(hub_room, from) || room_has_acted(hub_room->room, to))
            continue;
        if (hub_room->state == HUB_ROOM_ARCHIVED) /* its log is written anew with the list */
            hand_in_memory(hub, hub_room, from, to);
        else if (count < KERNEL_HAND_OPS && is_settled(hub, hub_room) &&
                 put_room(hub, hub_room, from, to))
            count++;
        else
            *busy = true;
    }
    return count;
}

void kernel_hand_list(struct hub *hub, uint64_t from, uint64_t to)
{
    batch_use_op(hub->commit.filling);
    batch_hand_matches(hub->commit.filling, &(struct store_hand){from, to});
}

int64_t kernel_barred_until_ms(const struct hub *hub, const struct session *session)
{
    const int64_t connect_ms = features_barred_until_ms(hub, BAR_CONNECT, session->id, NULL);
    const int64_t speak_ms = features_barred_until_ms(hub, BAR_SPEAK, session->id, NULL);
    return connect_ms > speak_ms ? connect_ms : speak_ms;
}
