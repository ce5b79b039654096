#include "follow.h"

#include "conn.h"
#include "venue.h"
#include <assert.h>
#include <protocol/reply.h>
#include <stdlib.h>

enum { WATCHERS_PAUSE_MS = 1000, PRESENCE_BYTES = 1024, NOTICE_BYTES = 512 };

struct follow *follow_find(const struct conn *conn, const struct venue *venue)
{
    struct follow *follow = conn->follows;
    while (follow && follow->venue != venue)
        follow = follow->conn_next;
    return follow;
}

static bool is_watcher(const struct venue *venue, const struct conn *conn)
{
    return room_seat_of(venue->room, conn->session->id) == ROOM_NO_SEAT;
}

enum protocol_error follow_allowed(const struct hub *hub, const struct conn *conn,
                                   const struct venue *venue, bool player)
{
    if (follow_find(conn, venue))
        return PROTOCOL_OK;
    if (conn->follow_count >= hub->config.rooms_per_connection)
        return PROTOCOL_TOO_MANY_ROOMS;
    if (!player && is_watcher(venue, conn) && venue->follow_count >= hub->config.watchers_per_room)
        return PROTOCOL_TOO_MANY_WATCHERS;
    return PROTOCOL_OK;
}

struct follow *follow_start(struct hub *hub, struct conn *conn, struct venue *venue, uint64_t seq,
                            struct follow *spare)
{
    struct follow *follow = follow_find(conn, venue);
    if (follow) {
        free(spare);
        follow->seq = seq;
        return follow;
    }
    *spare = (struct follow){.conn = conn,
                             .venue = venue,
                             .seq = seq,
                             .conn_next = conn->follows,
                             .next = venue->follows,
                             .self = &venue->follows};
    if (spare->next)
        spare->next->self = &spare->next;
    venue->follows = spare;
    venue->follow_count++;
    conn->follows = spare;
    conn->follow_count++;
    presence_unsettle(hub, venue);
    return spare;
}

void follow_end(struct hub *hub, struct follow *follow)
{
    struct venue *venue = follow->venue;
    struct conn *conn = follow->conn;
    struct follow **link = &conn->follows;
    while (*link != follow)
        link = &(*link)->conn_next;
    *link = follow->conn_next;
    conn->follow_count--;
    *follow->self = follow->next;
    if (follow->next)
        follow->next->self = follow->self;
    venue->follow_count--;
    free(follow);
    if (venue->follow_count == 0)
        venue->unfollowed_ms = hub->now_ms;
    conn->active_ms = hub->now_ms; /* idling begins now */
    presence_unsettle(hub, venue);
}

/* ---- presence */

static bool seat_is_durable(const struct venue *venue, uint8_t seat)
{
    return venue->links[seat].since_seq <= venue->durable_seq;
}

struct presence {
    uint32_t present; /* seats whose owner follows */
    uint32_t online;  /* ... and that are durably theirs */
    uint32_t watchers;
};

static struct presence look(const struct venue *venue)
{
    struct presence presence = {0};
    for (const struct follow *follow = venue->follows; follow; follow = follow->next) {
        uint8_t seat = room_seat_of(venue->room, follow->conn->session->id);
        bool durable = seat != ROOM_NO_SEAT && seat_is_durable(venue, seat);
        if (seat != ROOM_NO_SEAT)
            presence.present |= UINT32_C(1) << seat;
        if (durable)
            presence.online |= UINT32_C(1) << seat;
        presence.watchers += !durable;
    }
    return presence;
}

/* `of`: the seats to write. */
static void write_online(const struct venue *venue, uint32_t online, uint32_t of,
                         struct writer *writer)
{
    writer_key_object(writer, "online");
    for (uint8_t seat = 0; seat < venue->seats; seat++) {
        if (!(of >> seat & 1) || !room_seat_session(venue->room, seat))
            continue;
        writer_key_number(writer, seat);
        writer_bool(writer, online >> seat & 1);
    }
    writer_end(writer);
}

void presence_write(const struct venue *venue, struct writer *writer)
{
    uint32_t durable = 0;
    for (uint8_t seat = 0; seat < venue->seats; seat++)
        durable |= (uint32_t)seat_is_durable(venue, seat) << seat;
    write_online(venue, look(venue).online, durable, writer);
}

static void tell(struct hub *hub, struct venue *venue, const struct presence *presence)
{
    struct buffer buffer;
    struct writer writer;
    blob_buffer_init(&buffer, PRESENCE_BYTES);
    writer_init(&writer, &buffer);
    push_begin(&writer, "presence", venue->id);
    uint32_t changed = presence->online ^ venue->online;
    if (changed)
        write_online(venue, presence->online, changed, &writer);
    if (presence->watchers != venue->watchers)
        writer_key_int(&writer, "watchers", presence->watchers);
    push_end(&writer);
    venue->online = presence->online;
    venue->watchers = presence->watchers;
    venue->presence_ms = hub->now_ms;
    timer_disarm(&hub->timers, &venue->presence);
    struct blob *blob = blob_from_buffer(&buffer);
    if (blob) /* else nobody hears of it: presence promises nothing */
        venue_send(hub, venue, blob);
    blob_unref(blob);
}

static void tell_room(struct hub *hub, struct venue *venue, uint32_t present)
{
    uint32_t changed = (present ^ venue->present) | venue->unasked;
    for (uint8_t seat = 0; seat < venue->seats; seat++) {
        if (changed >> seat & 1)
            room_present(venue->room, seat, present >> seat & 1, hub->now_ms);
    }
    venue->present = present;
    venue->unasked = 0;
    if (changed)
        venue_arm_timer(hub, venue);
}

static void settle(struct hub *hub, struct venue *venue)
{
    struct presence presence = look(venue);
    tell_room(hub, venue, presence.present);
    if (presence.online != venue->online)
        tell(hub, venue, &presence);
    else if (presence.watchers == venue->watchers)
        timer_disarm(&hub->timers, &venue->presence);
    else if (venue->presence_ms + WATCHERS_PAUSE_MS <= hub->now_ms)
        tell(hub, venue, &presence);
    else
        timer_arm(&hub->timers, &venue->presence, venue->presence_ms + WATCHERS_PAUSE_MS);
    if (venue->follow_count == 0)
        venue_arm_timer(hub, venue);
}

void presence_unsettle(struct hub *hub, struct venue *venue)
{
    if (venue->unsettled)
        return;
    venue->unsettled = true;
    venue->unsettled_next = hub->unsettled;
    hub->unsettled = venue;
}

void presence_settle(struct hub *hub)
{
    while (hub->unsettled) {
        struct venue *venue = hub->unsettled;
        hub->unsettled = venue->unsettled_next;
        venue->unsettled = false;
        settle(hub, venue);
    }
}

void presence_due(struct hub *hub, struct venue *venue)
{
    presence_unsettle(hub, venue);
}

/* ---- to many */

void venue_send(struct hub *hub, struct venue *venue, struct blob *blob)
{
    for (struct follow *follow = venue->follows; follow; follow = follow->next)
        conn_send(hub, follow->conn, blob);
}

static const char *const sentences[PROTOCOL_NOTICE_COUNT] = {
    [PROTOCOL_NOTICE_DRAINING] = "The server will restart soon; venues go on after it.",
    [PROTOCOL_NOTICE_STORE_FAILING] =
        "The server cannot save moves right now; it takes none until it can.",
    [PROTOCOL_NOTICE_STORE_RECOVERED] = "The server can save moves again; the venue goes on.",
};

static struct blob *notice_blob(enum protocol_notice notice, const struct venue *venue)
{
    struct buffer buffer;
    struct writer writer;
    blob_buffer_init(&buffer, NOTICE_BYTES);
    writer_init(&writer, &buffer);
    push_notice(&writer, notice, venue ? venue->id : NULL, sentences[notice]);
    return blob_from_buffer(&buffer);
}

void venue_notice(struct hub *hub, struct venue *venue, enum protocol_notice notice)
{
    struct blob *blob = venue->follows ? notice_blob(notice, venue) : NULL;
    if (blob)
        venue_send(hub, venue, blob);
    blob_unref(blob);
}

void conn_notice(struct hub *hub, struct conn *conn, enum protocol_notice notice,
                 const struct venue *venue)
{
    struct blob *blob = notice_blob(notice, venue);
    if (blob)
        conn_send(hub, conn, blob);
    blob_unref(blob);
}
