#include "presence.h"

#include "connections/blob.h"
#include "connections/conn.h"
#include "connections/left_out.h"
#include "connections/presence_queue.h"
#include "connections/subscription.h"
#include "hub_private.h"
#include "hub_room.h"
#include "timer.h"
#include <protocol/reply.h>

enum {
    WATCHERS_PAUSE_MS = 1000 /* of a hundred; more are told more seldom */,
    PRESENCE_BYTES = 1024
};

struct presence {
    uint32_t present; /* seats whose owner is subscribed */
    uint32_t online;  /* ... and that are durably theirs */
    uint32_t watchers;
};

static struct presence presence_of(const struct hub_room *hub_room)
{
    struct presence presence = {0};
    for (const struct subscription *subscription = hub_room->subscriptions; subscription;
         subscription = subscription->next) {
        uint8_t seat = room_seat_of(hub_room->room, subscription->conn->session->id);
        bool durable = seat != ROOM_NO_SEAT && hub_room_seat_is_durable(hub_room, seat);
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

/* Since when those are not there who are not; `of` as before. */
static void write_away(const struct hub_room *hub_room, uint32_t online, uint32_t of,
                       struct writer *writer)
{
    bool any = false;
    for (uint8_t seat = 0; seat < hub_room->seats; seat++) {
        if (!((of & ~online) >> seat & 1) || !room_seat_session(hub_room->room, seat))
            continue;
        if (!any)
            writer_key_object(writer, "away");
        any = true;
        writer_key_number(writer, seat);
        writer_int(writer, room_away_ms(hub_room->room, seat));
    }
    if (any)
        writer_end(writer);
}

void presence_write(const struct hub_room *hub_room, struct writer *writer)
{
    const uint32_t online = presence_of(hub_room).online;
    uint32_t durable = 0;
    for (uint8_t seat = 0; seat < hub_room->seats; seat++)
        durable |= (uint32_t)hub_room_seat_is_durable(hub_room, seat) << seat;
    write_online(hub_room, online, durable, writer);
    write_away(hub_room, online, durable, writer);
}

static void push_presence(struct hub *hub, struct hub_room *hub_room,
                          const struct presence *presence)
{
    struct buffer buffer;
    struct writer writer;
    blob_buffer_init(&buffer, PRESENCE_BYTES);
    writer_init(&writer, &buffer);
    push_begin(&writer, "presence", hub_room->id);
    uint32_t changed = presence->online ^ hub_room->pushed_online;
    if (changed) {
        write_online(hub_room, presence->online, changed, &writer);
        write_away(hub_room, presence->online, changed, &writer);
    }
    if (presence->watchers != hub_room->pushed_watchers)
        writer_key_int(&writer, "watchers", presence->watchers);
    push_end(&writer);
    hub_room->pushed_online = presence->online;
    hub_room->pushed_watchers = presence->watchers;
    hub_room->pushed_ms = hub->now_ms;
    timer_disarm(&hub->timers, &hub_room->presence_timer);
    const struct hub_head head = head_push(HUB_PUSH, hub_room->id, 0);
    struct blob *blob = blob_message(&buffer, &head);
    if (blob) /* else it is lost: presence is sent without a guarantee */
        left_out_or_sent(hub, hub_room, blob, LEFT_OUT_PRESENCE);
    blob_unref(blob);
}

void presence_tell(struct hub *hub, const struct hub_room *hub_room, struct conn *conn)
{
    struct buffer buffer;
    struct writer writer;
    blob_buffer_init(&buffer, PRESENCE_BYTES);
    writer_init(&writer, &buffer);
    push_begin(&writer, "presence", hub_room->id);
    write_online(hub_room, hub_room->pushed_online, UINT32_MAX, &writer);
    write_away(hub_room, hub_room->pushed_online, UINT32_MAX, &writer);
    writer_key_int(&writer, "watchers", hub_room->pushed_watchers);
    push_end(&writer);
    const struct hub_head head = head_push(HUB_PUSH, hub_room->id, 0);
    conn_send_buffer(hub, conn, &buffer, &head);
}

void presence_tell_now(struct hub *hub, const struct hub_room *hub_room, struct conn *conn)
{
    struct buffer buffer;
    struct writer writer;
    blob_buffer_init(&buffer, PRESENCE_BYTES);
    writer_init(&writer, &buffer);
    push_begin(&writer, "presence", hub_room->id);
    presence_write(hub_room, &writer);
    writer_key_int(&writer, "watchers", hub_room->pushed_watchers);
    push_end(&writer);
    const struct hub_head head = head_push(HUB_PUSH, hub_room->id, 0);
    conn_send_buffer(hub, conn, &buffer, &head);
}

static void report_to_room(struct hub *hub, struct hub_room *hub_room, uint32_t present)
{
    uint32_t changed = (present ^ hub_room->reported_present) | hub_room->unreported;
    for (uint8_t seat = 0; seat < hub_room->seats; seat++) {
        if (changed >> seat & 1)
            room_present(hub_room->room, seat, present >> seat & 1, hub->now_ms);
    }
    hub_room->reported_present = present;
    hub_room->unreported = 0;
    if (changed)
        hub_room_arm_timer(hub, hub_room);
}

/* When the number of watchers may be told again. */
static int64_t watchers_due_ms(const struct hub_room *hub_room)
{
    return hub_room->pushed_ms + WATCHERS_PAUSE_MS * subscription_weight(hub_room);
}

static void update(struct hub *hub, struct hub_room *hub_room)
{
    struct presence presence = presence_of(hub_room);
    report_to_room(hub, hub_room, presence.present);
    if (presence.online != hub_room->pushed_online)
        push_presence(hub, hub_room, &presence);
    else if (presence.watchers == hub_room->pushed_watchers)
        timer_disarm(&hub->timers, &hub_room->presence_timer);
    else if (watchers_due_ms(hub_room) <= hub->now_ms)
        push_presence(hub, hub_room, &presence);
    else
        timer_arm(&hub->timers, &hub_room->presence_timer, watchers_due_ms(hub_room));
    if (hub_room->subscription_count == 0)
        hub_room_arm_timer(hub, hub_room);
}

void presence_update_all(struct hub *hub)
{
    struct hub_room *hub_room;
    while ((hub_room = presence_queue_pop(hub)) != NULL)
        update(hub, hub_room);
}
