#include "admin_list.h"

#include "admin_page.h"
#include "connections/conn.h"
#include "connections/subscription.h"
#include "hub_private.h"
#include "key_map.h"
#include "limits/address.h"
#include "rooms/hub_room.h"
#include "sessions/session.h"
#include <hub/address_prefix.h>
#include <protocol/encoding.h>
#include <string.h>

enum { PEOPLE_SHOWN = 200, ADDRESSES_SHOWN = 8 };

static void put_count(struct writer *writer, const char *key, uint64_t count)
{
    writer_key_int(writer, key, (int64_t)count);
}

static void put_next(struct writer *writer, const struct page *page)
{
    char text[2 * PAGE_KEY_BYTES + 1];
    if (!page->more)
        return;
    hex_encode(text, page->keys[page->count - 1], PAGE_KEY_BYTES);
    writer_key_string(writer, "next", text);
}

static void page_init(struct page *page, const struct admin_request *request)
{
    page->after = request->has_after ? request->after : NULL;
    page->count = 0;
    page->more = false;
}

/* What connections have in common, whosever they are. */
struct traffic {
    uint32_t connections, sessions;
    int64_t since_ms; /* the earliest; INT64_MAX: no connection */
    uint64_t received, sent, unsent;
};

static const struct traffic no_traffic = {.since_ms = INT64_MAX};

static void add_traffic(struct traffic *traffic, const struct conn *conn)
{
    traffic->connections++;
    traffic->sessions += conn->session ? 1 : 0;
    if (conn->opened_ms < traffic->since_ms)
        traffic->since_ms = conn->opened_ms;
    traffic->received += conn->received_bytes;
    traffic->sent += conn->sent_bytes;
    traffic->unsent += conn->outbox.bytes;
}

static void put_traffic(struct writer *writer, const struct traffic *traffic)
{
    put_count(writer, "connections", traffic->connections);
    if (traffic->connections > 0)
        writer_key_int(writer, "since", traffic->since_ms);
    put_count(writer, "received", traffic->received);
    put_count(writer, "sent", traffic->sent);
    put_count(writer, "unsent", traffic->unsent);
}

static void put_address(struct writer *writer, const struct address *address)
{
    char text[ADDRESS_PREFIX_TEXT];
    address_prefix_format(&address->prefix, text);
    writer_string(writer, text);
}

/* ---- the server */

struct totals {
    bool failing;
    uint64_t rooms, damaged, sessions, connections, addresses, received, sent, unsent;
};

static uint64_t own_connections(const struct hub *hub)
{
    uint64_t own = 0;
    uint32_t at = 0;
    const struct conn *conn;
    if (hub->sessions.foreign_count == 0)
        return hub->conns.count;
    while ((conn = conn_next(hub, &at)) != NULL)
        own += session_is_own(conn);
    return own;
}

static void add_totals(struct totals *totals, const struct hub *hub)
{
    totals->failing |= hub->commit.failing;
    totals->rooms += key_map_count(&hub->rooms.by_id);
    totals->damaged += hub->damaged.count;
    totals->sessions += key_map_count(&hub->sessions.by_id) - hub->sessions.foreign_count;
    totals->connections += own_connections(hub);
    totals->addresses += key_map_count(&hub->addresses.by_prefix);
    totals->received += hub->metrics.received_bytes;
    totals->sent += hub->metrics.sent_bytes;
    totals->unsent += hub->conns.outbox_bytes;
}

void admin_list_status(const struct admin_hubs *hubs, struct writer *writer)
{
    struct totals totals = {0};
    for (size_t at = 0; at < hubs->count; at++)
        add_totals(&totals, hubs->hubs[at]);
    writer_key_string(writer, "server", hubs->server);
    writer_key_int(writer, "time", hubs->now_ms);
    writer_key_bool(writer, "draining", hubs->draining);
    writer_key_bool(writer, "store_failing", totals.failing);
    put_count(writer, "rooms", totals.rooms);
    put_count(writer, "damaged_rooms", totals.damaged);
    put_count(writer, "sessions", totals.sessions);
    put_count(writer, "connections", totals.connections);
    put_count(writer, "addresses", totals.addresses);
    put_count(writer, "received", totals.received);
    put_count(writer, "sent", totals.sent);
    put_count(writer, "unsent", totals.unsent);
    if (hubs->status)
        hubs->status(hubs->ctx, writer);
}

/* The upper end of the bucket in which 99 of 100 are, of buckets that double. */
static double most_of(const uint64_t buckets[], size_t count, size_t first, uint64_t total)
{
    size_t at = 0;
    uint64_t below = 0;
    while (at + 1 < count && (below += buckets[at]) * 100 < total * 99)
        at++;
    return total == 0 ? 0 : (double)(UINT64_C(1) << (first + at));
}

void hub_admin_part(const struct hub *hub, struct writer *writer)
{
    const struct metrics *metrics = &hub->metrics;
    uint64_t commits = 0;
    for (size_t at = 0; at < COMMIT_BUCKETS; at++)
        commits += metrics->commit_us[at];
    const double count = commits > 0 ? (double)commits : 1;
    put_count(writer, "rooms", key_map_count(&hub->rooms.by_id));
    put_count(writer, "sessions",
              key_map_count(&hub->sessions.by_id) - hub->sessions.foreign_count);
    put_count(writer, "connections", own_connections(hub));
    writer_key_bool(writer, "store_failing", hub->commit.failing);
    put_count(writer, "commits", commits);
    put_count(writer, "commit_failures", metrics->commit_failures);
    put_count(writer, "batch_ops", metrics->batch_ops_sum);
    put_count(writer, "batch_ops_p99",
              (uint64_t)most_of(metrics->batch_ops, BATCH_BUCKETS, BATCH_FIRST, commits));
    put_count(writer, "commit_us", (uint64_t)((double)metrics->commit_us_sum / count));
    put_count(writer, "commit_us_p99",
              (uint64_t)most_of(metrics->commit_us, COMMIT_BUCKETS, COMMIT_FIRST, commits));
}

/* ---- rooms */

static const char *state_name(enum hub_room_state state)
{
    switch (state) {
    case HUB_ROOM_LIVE:
        return "live";
    case HUB_ROOM_DROPPING:
        return "leaving";
    case HUB_ROOM_ARCHIVED:
        return "archived";
    }
    return "";
}

static void put_room(struct writer *writer, const struct hub_room *hub_room)
{
    struct room_event created;
    room_event_at(hub_room->room, 1, &created);
    writer_key_string(writer, "room", hub_room->id);
    writer_key_string(writer, "state", state_name(hub_room->state));
    writer_key_int(writer, "created", created.at_ms);
    writer_key_id(writer, "host", room_host(hub_room->room));
    writer_key_bool(writer, "by_invitation", room_access(hub_room->room) == PROTOCOL_ACCESS_CODE);
    put_count(writer, "seq", room_seq(hub_room->room));
    put_count(writer, "durable_seq", hub_room->durable_seq);
    put_count(writer, "connections", hub_room->subscription_count);
    put_count(writer, "memory", room_bytes(hub_room->room));
    writer_key(writer, "summary");
    room_write_summary(hub_room->room, ROOM_NO_SEAT, writer);
}

static void offer_rooms(struct page *page, const struct hub *hub, bool all)
{
    size_t at = 0;
    const struct hub_room *hub_room;
    while ((hub_room = key_map_next(&hub->rooms.by_id, &at)) != NULL) {
        if (all || room_phase(hub_room->room) != PROTOCOL_PHASE_OVER)
            page_offer(page, (const uint8_t *)hub_room->id, hub_room);
    }
}

void admin_list_rooms(const struct admin_hubs *hubs, const struct admin_request *request,
                      struct writer *writer)
{
    struct page page;
    page_init(&page, request);
    for (size_t at = 0; at < hubs->count; at++)
        offer_rooms(&page, hubs->hubs[at], request->all);
    writer_key_array(writer, "rooms");
    for (size_t i = 0; i < page.count; i++) {
        writer_object(writer);
        put_room(writer, page.items[i]);
        writer_end(writer);
    }
    writer_end(writer);
    put_next(writer, &page);
}

static void put_person(const struct hub_room *hub_room, const struct subscription *subscription,
                       struct writer *writer)
{
    const struct conn *conn = subscription->conn;
    const uint8_t seat = room_seat_of(hub_room->room, conn->session->id);
    struct traffic traffic = no_traffic;
    add_traffic(&traffic, conn);
    writer_object(writer);
    writer_key_id(writer, "session", conn->session->id);
    writer_key_string(writer, "name", conn->session->name);
    if (seat != ROOM_NO_SEAT)
        writer_key_int(writer, "seat", seat);
    writer_key(writer, "address");
    put_address(writer, conn->address);
    put_traffic(writer, &traffic);
    writer_end(writer);
}

void admin_list_room(const struct hub *hub, const struct hub_room *hub_room, struct writer *writer)
{
    size_t shown = 0;
    const struct subscription *subscription = hub_room->subscriptions;
    (void)hub;
    put_room(writer, hub_room);
    writer_key_array(writer, "people");
    for (; subscription && shown < PEOPLE_SHOWN; subscription = subscription->next, shown++)
        put_person(hub_room, subscription, writer);
    writer_end(writer);
    if (subscription)
        writer_key_bool(writer, "more", true);
}

/* ---- sessions */

static void key_of(uint8_t key[PAGE_KEY_BYTES], const struct session *session)
{
    for (int i = 0; i < PAGE_KEY_BYTES; i++)
        key[i] = (uint8_t)(session->id >> (56 - 8 * i));
}

static bool comes_again(const struct conn *conn)
{
    const struct conn *other = conn->session_next;
    while (other && other->address != conn->address)
        other = other->session_next;
    return other;
}

static void write_session(const struct session *session, struct writer *writer)
{
    struct traffic traffic = no_traffic;
    size_t shown = 0;
    writer_object(writer);
    writer_key_id(writer, "session", session->id);
    writer_key_string(writer, "name", session->name);
    writer_key_int(writer, "created", session->created_ms);
    writer_key_int(writer, "seen", session->seen_ms);
    put_count(writer, "seats", session->seat_count);
    put_count(writer, "rooms", session->host_count);
    writer_key_array(writer, "addresses");
    for (const struct conn *conn = session->conns; conn; conn = conn->session_next) {
        add_traffic(&traffic, conn);
        if (!comes_again(conn) && shown++ < ADDRESSES_SHOWN)
            put_address(writer, conn->address);
    }
    writer_end(writer);
    put_traffic(writer, &traffic);
    writer_end(writer);
}

static void offer_sessions(struct page *page, const struct hub *hub, bool all)
{
    uint8_t key[PAGE_KEY_BYTES];
    size_t at = 0;
    const struct session *session;
    while ((session = key_map_next(&hub->sessions.by_id, &at)) != NULL) {
        key_of(key, session);
        const bool here = !session_is_gone(session) && session->state != SESSION_FOREIGN;
        if ((all || session->conn_count > 0) && here)
            page_offer(page, key, session);
    }
}

void admin_list_sessions(const struct admin_hubs *hubs, const struct admin_request *request,
                         struct writer *writer)
{
    struct page page;
    page_init(&page, request);
    for (size_t at = 0; at < hubs->count; at++)
        offer_sessions(&page, hubs->hubs[at], request->all);
    writer_key_array(writer, "sessions");
    for (size_t i = 0; i < page.count; i++)
        write_session(page.items[i], writer);
    writer_end(writer);
    put_next(writer, &page);
}

/* ---- addresses */

/* The same one may be known in several parts. */
static void offer_addresses(struct page *page, const struct hub *hub, bool all)
{
    size_t at = 0;
    const struct address *address;
    while ((address = key_map_next(&hub->addresses.by_prefix, &at)) != NULL) {
        if ((all || address->conns > 0) && page_find(page, address->prefix.bytes) == page->count)
            page_offer(page, address->prefix.bytes, address);
    }
}

static void add_connections(struct traffic traffic[], const struct page *page,
                            const struct hub *hub)
{
    uint32_t slot = 0;
    const struct conn *conn;
    while ((conn = conn_next(hub, &slot)) != NULL) {
        const size_t i = page_find(page, conn->address->prefix.bytes);
        if (i < page->count && session_is_own(conn))
            add_traffic(&traffic[i], conn);
    }
}

void admin_list_addresses(const struct admin_hubs *hubs, const struct admin_request *request,
                          struct writer *writer)
{
    struct page page;
    struct traffic traffic[ADMIN_PAGE];
    page_init(&page, request);
    for (size_t at = 0; at < hubs->count; at++)
        offer_addresses(&page, hubs->hubs[at], request->all);
    for (size_t i = 0; i < page.count; i++)
        traffic[i] = no_traffic;
    for (size_t at = 0; at < hubs->count; at++)
        add_connections(traffic, &page, hubs->hubs[at]);
    writer_key_array(writer, "addresses");
    for (size_t i = 0; i < page.count; i++) {
        writer_object(writer);
        writer_key(writer, "address");
        put_address(writer, page.items[i]);
        put_count(writer, "sessions", traffic[i].sessions);
        put_traffic(writer, &traffic[i]);
        writer_end(writer);
    }
    writer_end(writer);
    put_next(writer, &page);
}
