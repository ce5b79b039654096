#include "subscription.h"

#include "conn.h"
#include "hub_private.h"
#include "hub_room.h"
#include <assert.h>
#include <protocol/reply.h>
#include <stdlib.h>

enum { WATCHERS_PAUSE_MS = 1000, PRESENCE_BYTES = 1024, NOTICE_BYTES = 512 };

struct subscription *subscription_find(const struct conn *conn, const struct hub_room *hub_room)
{
    struct subscription *subscription = conn->subscriptions;
    while (subscription && subscription->hub_room != hub_room)
        subscription = subscription->conn_next;
    return subscription;
}

static bool is_watcher(const struct hub_room *hub_room, const struct conn *conn)
{
    return room_seat_of(hub_room->room, conn->session->id) == ROOM_NO_SEAT;
}

enum protocol_error subscription_allowed(const struct hub *hub, const struct conn *conn,
                                         const struct hub_room *hub_room, bool player)
{
    if (subscription_find(conn, hub_room))
        return PROTOCOL_OK;
    if (conn->subscription_count >= hub->config.rooms_per_connection)
        return PROTOCOL_TOO_MANY_ROOMS;
    if (!player && is_watcher(hub_room, conn) &&
        hub_room->subscription_count >= hub->config.watchers_per_room)
        return PROTOCOL_TOO_MANY_WATCHERS;
    return PROTOCOL_OK;
}

struct subscription *subscription_start(struct hub *hub, struct conn *conn,
                                        struct hub_room *hub_room, uint64_t seq,
                                        struct subscription *spare)
{
    struct subscription *subscription = subscription_find(conn, hub_room);
    if (subscription) {
        free(spare);
        subscription->seq = seq;
        return subscription;
    }
    *spare = (struct subscription){.conn = conn,
                                   .hub_room = hub_room,
                                   .seq = seq,
                                   .conn_next = conn->subscriptions,
                                   .next = hub_room->subscriptions,
                                   .self = &hub_room->subscriptions};
    if (spare->next)
        spare->next->self = &spare->next;
    hub_room->subscriptions = spare;
    hub_room->subscription_count++;
    conn->subscriptions = spare;
    conn->subscription_count++;
    presence_unsettle(hub, hub_room);
    return spare;
}

void subscription_end(struct hub *hub, struct subscription *subscription)
{
    struct hub_room *hub_room = subscription->hub_room;
    struct conn *conn = subscription->conn;
    struct subscription **link = &conn->subscriptions;
    while (*link != subscription)
        link = &(*link)->conn_next;
    *link = subscription->conn_next;
    conn->subscription_count--;
    *subscription->self = subscription->next;
    if (subscription->next)
        subscription->next->self = subscription->self;
    hub_room->subscription_count--;
    free(subscription);
    if (hub_room->subscription_count == 0)
        hub_room->unsubscribed_ms = hub->now_ms;
    conn->active_ms = hub->now_ms; /* idling begins now */
    presence_unsettle(hub, hub_room);
}

/* ---- presence */

static bool seat_is_durable(const struct hub_room *hub_room, uint8_t seat)
{
    return hub_room->links[seat].since_seq <= hub_room->durable_seq;
}

struct presence {
    uint32_t present; /* seats whose owner is subscribed */
    uint32_t online;  /* ... and that are durably theirs */
    uint32_t watchers;
};

static struct presence look(const struct hub_room *hub_room)
{
    struct presence presence = {0};
    for (const struct subscription *subscription = hub_room->subscriptions; subscription;
         subscription = subscription->next) {
        uint8_t seat = room_seat_of(hub_room->room, subscription->conn->session->id);
        bool durable = seat != ROOM_NO_SEAT && seat_is_durable(hub_room, seat);
        if (seat != ROOM_NO_SEAT)
            presence.present |= UINT32_C(1) << seat;
        if (durable)
            presence.online |= UINT32_C(1) << seat;
        presence.watchers += !durable;
    }
    return presence;
}

/* `of`: the seats to write. */
static void write_online(const struct hub_room *hub_room, uint32_t online, uint32_t of,
                         struct writer *writer)
{
    writer_key_object(writer, "online");
    for (uint8_t seat = 0; seat < hub_room->seats; seat++) {
        if (!(of >> seat & 1) || !room_seat_session(hub_room->room, seat))
            continue;
        writer_key_number(writer, seat);
        writer_bool(writer, online >> seat & 1);
    }
    writer_end(writer);
}

void presence_write(const struct hub_room *hub_room, struct writer *writer)
{
    uint32_t durable = 0;
    for (uint8_t seat = 0; seat < hub_room->seats; seat++)
        durable |= (uint32_t)seat_is_durable(hub_room, seat) << seat;
    write_online(hub_room, look(hub_room).online, durable, writer);
}

static void tell(struct hub *hub, struct hub_room *hub_room, const struct presence *presence)
{
    struct buffer buffer;
    struct writer writer;
    blob_buffer_init(&buffer, PRESENCE_BYTES);
    writer_init(&writer, &buffer);
    push_begin(&writer, "presence", hub_room->id);
    uint32_t changed = presence->online ^ hub_room->online;
    if (changed)
        write_online(hub_room, presence->online, changed, &writer);
    if (presence->watchers != hub_room->watchers)
        writer_key_int(&writer, "watchers", presence->watchers);
    push_end(&writer);
    hub_room->online = presence->online;
    hub_room->watchers = presence->watchers;
    hub_room->presence_ms = hub->now_ms;
    timer_disarm(&hub->timers, &hub_room->presence);
    struct blob *blob = blob_from_buffer(&buffer);
    if (blob) /* else nobody hears of it: presence promises nothing */
        hub_room_send(hub, hub_room, blob);
    blob_unref(blob);
}

static void tell_room(struct hub *hub, struct hub_room *hub_room, uint32_t present)
{
    uint32_t changed = (present ^ hub_room->present) | hub_room->unasked;
    for (uint8_t seat = 0; seat < hub_room->seats; seat++) {
        if (changed >> seat & 1)
            room_present(hub_room->room, seat, present >> seat & 1, hub->now_ms);
    }
    hub_room->present = present;
    hub_room->unasked = 0;
    if (changed)
        hub_room_arm_timer(hub, hub_room);
}

static void settle(struct hub *hub, struct hub_room *hub_room)
{
    struct presence presence = look(hub_room);
    tell_room(hub, hub_room, presence.present);
    if (presence.online != hub_room->online)
        tell(hub, hub_room, &presence);
    else if (presence.watchers == hub_room->watchers)
        timer_disarm(&hub->timers, &hub_room->presence);
    else if (hub_room->presence_ms + WATCHERS_PAUSE_MS <= hub->now_ms)
        tell(hub, hub_room, &presence);
    else
        timer_arm(&hub->timers, &hub_room->presence, hub_room->presence_ms + WATCHERS_PAUSE_MS);
    if (hub_room->subscription_count == 0)
        hub_room_arm_timer(hub, hub_room);
}

void presence_unsettle(struct hub *hub, struct hub_room *hub_room)
{
    if (hub_room->unsettled)
        return;
    hub_room->unsettled = true;
    hub_room->unsettled_next = hub->rooms.unsettled;
    hub->rooms.unsettled = hub_room;
}

void presence_settle(struct hub *hub)
{
    while (hub->rooms.unsettled) {
        struct hub_room *hub_room = hub->rooms.unsettled;
        hub->rooms.unsettled = hub_room->unsettled_next;
        hub_room->unsettled = false;
        settle(hub, hub_room);
    }
}

void presence_due(struct hub *hub, struct hub_room *hub_room)
{
    presence_unsettle(hub, hub_room);
}

/* ---- to many */

void hub_room_send(struct hub *hub, struct hub_room *hub_room, struct blob *blob)
{
    for (struct subscription *subscription = hub_room->subscriptions; subscription;
         subscription = subscription->next)
        conn_send(hub, subscription->conn, blob);
}

static const char *const sentences[PROTOCOL_NOTICE_COUNT] = {
    [PROTOCOL_NOTICE_DRAINING] = "The server will restart soon; rooms go on after it.",
    [PROTOCOL_NOTICE_STORE_FAILING] =
        "The server cannot save moves right now; it takes none until it can.",
    [PROTOCOL_NOTICE_STORE_RECOVERED] = "The server can save moves again; the room goes on.",
};

static struct blob *notice_blob(enum protocol_notice notice, const struct hub_room *hub_room)
{
    struct buffer buffer;
    struct writer writer;
    blob_buffer_init(&buffer, NOTICE_BYTES);
    writer_init(&writer, &buffer);
    push_notice(&writer, notice, hub_room ? hub_room->id : NULL, sentences[notice]);
    return blob_from_buffer(&buffer);
}

void hub_room_notice(struct hub *hub, struct hub_room *hub_room, enum protocol_notice notice)
{
    struct blob *blob = hub_room->subscriptions ? notice_blob(notice, hub_room) : NULL;
    if (blob)
        hub_room_send(hub, hub_room, blob);
    blob_unref(blob);
}

void conn_notice(struct hub *hub, struct conn *conn, enum protocol_notice notice,
                 const struct hub_room *hub_room)
{
    struct blob *blob = notice_blob(notice, hub_room);
    if (blob)
        conn_send(hub, conn, blob);
    blob_unref(blob);
}
