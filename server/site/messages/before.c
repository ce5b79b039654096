#include "before.h"

#include "arrive.h"
#include "clients/client.h"
#include "parts/port.h"
#include "pieces.h"
#include "site_private.h"
#include <hub/facts.h>
#include <hub/secret.h>
#include <jansson.h>
#include <protocol/encoding.h>
#include <protocol/json_read.h>
#include <protocol/reply.h>
#include <protocol/scope.h>
#include <stdio.h>
#include <string.h>

enum { PUSH_BYTES = 4096 };

/* ---- the account */

static struct protocol_account read_account(struct piece ok)
{
    const struct piece account = piece_member(ok, "account");
    const struct piece handle = piece_string(piece_member(account, "handle"));
    struct protocol_account found = {.kind = ACCOUNT_NONE};
    if (!handle.at || !handle_valid(handle.at, handle.len))
        return found;
    found.quiet = piece_is(piece_member(account, "quiet"), "true");
    found.kind = piece_is(piece_member(account, "bot"), "true") ? ACCOUNT_BOT : ACCOUNT_PERSON;
    memcpy(found.handle, handle.at, handle.len);
    return found;
}

/* ---- hello */

static bool read_name(struct piece name, char text[static PROTOCOL_NAME_BYTES + 1])
{
    json_t *value;
    if (!name.at || json_read(&value, name.at, name.len, 1) != JSON_READ_OK)
        return false;
    const bool fits = json_is_string(value) && json_string_length(value) <= PROTOCOL_NAME_BYTES;
    if (fits)
        (void)snprintf(text, PROTOCOL_NAME_BYTES + 1, "%s", json_string_value(value));
    json_decref(value);
    return fits;
}

static bool read_session(struct piece id, uint64_t *session)
{
    uint8_t bytes[8];
    const struct piece hex = piece_string(id);
    if (hex.len != 16 || !hex_decode(bytes, sizeof bytes, hex.at, hex.len))
        return false;
    *session = 0;
    for (int at = 0; at < 8; at++)
        *session = *session << 8 | bytes[at];
    return true;
}

/* Without any, of whoever has come with a device: everything; but who has come to appeal. */
static unsigned read_scopes(struct piece ok)
{
    if (piece_member(ok, "banned_ms").at)
        return SCOPE_LOOK | SCOPE_APPEAL;
    const struct piece member = piece_member(ok, "scope");
    const struct piece text = piece_string(member);
    unsigned scopes = 0;
    if (text.at)
        (void)scopes_read(&scopes, text.at, text.len);
    return member.at ? scopes | SCOPE_LOOK : SCOPE_ALL;
}

static void put_token(struct piece value, struct buffer *facts)
{
    char token[PROTOCOL_TOKEN_BYTES + 1] = "";
    uint8_t hash[32];
    const struct piece text = piece_string(value);
    if (text.len != PROTOCOL_TOKEN_BYTES)
        return;
    memcpy(token, text.at, text.len);
    (void)secret_hash_token(hash, token);
    facts_put_token(facts, hash);
}

/* Nothing, if it is no answer to that. */
static void put_hello(struct piece text, struct buffer *facts)
{
    const struct piece ok = piece_member(text, "ok"), seats = piece_member(ok, "seats");
    struct facts_hello hello = {.scopes = read_scopes(ok), .account = read_account(ok)};
    size_t at = 0;
    if (!read_session(piece_member(ok, "session"), &hello.session) ||
        !read_name(piece_member(ok, "name"), hello.name) || seats.len < 2)
        return;
    hello.any_seat = piece_next(seats, &at).at != NULL;
    hello.seats_end = (size_t)(seats.at - text.at) + seats.len - 1;
    facts_put_hello(facts, &hello);
    put_token(piece_member(ok, "token"), facts);
}

/* ---- lists */

static void put_room(struct piece text, struct piece item, bool own, struct buffer *facts)
{
    const struct piece id = piece_string(piece_member(item, "room"));
    struct facts_room room = {.place = (size_t)(item.at - text.at),
                              .len = item.len,
                              .own = own,
                              .lobby = piece_is(piece_member(item, "phase"), "\"lobby\"")};
    if (id.len != PROTOCOL_ROOM_BYTES)
        return;
    memcpy(room.id, id.at, PROTOCOL_ROOM_BYTES);
    facts_put_room(facts, &room);
}

static void put_rooms(struct piece text, struct piece list, struct buffer *facts)
{
    const struct piece rooms = piece_open(list, "rooms"), own = piece_member(list, "mine");
    struct piece item;
    size_t at = 0;
    if (!rooms.at)
        return;
    facts_begin_rooms(facts);
    while ((item = piece_next(rooms, &at)).at != NULL)
        put_room(text, item, false, facts);
    at = 0;
    while ((item = piece_next(own, &at)).at != NULL)
        put_room(text, item, true, facts);
    facts_end_rooms(facts, piece_is(piece_member(list, "more"), "true"));
}

void before_page(struct hub_http_answer *page)
{
    const struct piece text = {(const char *)page->body, page->len};
    struct hub_http_answer made;
    struct buffer facts, body;
    buffer_init(&facts, 0, FACTS_BYTES_MAX);
    buffer_init(&body, 0, page->len + FACTS_BYTES_MAX);
    put_rooms(text, text, &facts);
    buffer_append(&body, text.at, text.len);
    facts_append(&body, &facts);
    hub_http_make(&made, page->status, page->type, buffer_payload(&body), body.len);
    buffer_release(&facts);
    buffer_release(&body);
    hub_http_release(page);
    *page = made;
}

/* ---- messages */

static void put_facts(const struct port *port, const struct hub_head *head, struct piece text,
                      struct buffer *facts)
{
    const struct client *client = port->client;
    struct protocol_account account;
    if (head->kind == HUB_PUSH && head->about == HUB_ABOUT_ACCOUNT) {
        account = read_account(text);
        facts_put_account(facts, &account);
    } else if (head->kind == HUB_REPLY && client->greeting && port->part == client->home) {
        put_hello(text, facts);
    } else if (head->kind == HUB_REPLY && client->gather) {
        put_rooms(text, piece_open(text, "ok"), facts);
    }
}

/* Who is there has changed perhaps, and would not be said again. */
static void tell_presence(struct site *site, struct port *port, const char *room, struct piece ok)
{
    static const struct facts none;
    const struct piece online = piece_member(ok, "online"), away = piece_member(ok, "away");
    const struct hub_head head = {.kind = HUB_PUSH};
    int64_t watchers;
    struct buffer buffer;
    struct writer writer;
    buffer_init(&buffer, 0, PUSH_BYTES);
    writer_init(&writer, &buffer);
    push_begin(&writer, "presence", room);
    if (online.len > 2)
        writer_key_raw(&writer, "online", online.at, online.len);
    if (away.len > 2)
        writer_key_raw(&writer, "away", away.at, away.len);
    if (piece_number(piece_member(ok, "watchers"), &watchers))
        writer_key_int(&writer, "watchers", watchers);
    push_end(&writer);
    if (!buffer.failed)
        arrive_told(site, port, &head, none, (const unsigned char *)buffer_payload(&buffer),
                    buffer.len);
    buffer_release(&buffer);
}

static const char *followed_room(const struct port *port, int64_t number)
{
    const struct follow *follow = port->track.follows;
    while (follow && follow->number != number)
        follow = follow->next;
    return follow ? follow->room : NULL;
}

void before_told(struct site *site, struct port *port, const struct hub_head *head,
                 const unsigned char *bytes, size_t len)
{
    const struct piece text = {(const char *)bytes, len};
    const char *room =
        head->follows && head->kind == HUB_REPLY ? followed_room(port, head->id) : NULL;
    struct buffer facts;
    if (room) /* it is not sent on: the port is there still */
        tell_presence(site, port, room, piece_member(text, "ok"));
    buffer_init(&facts, 0, FACTS_BYTES_MAX);
    put_facts(port, head, text, &facts);
    const struct facts found = {(const unsigned char *)buffer_payload(&facts), facts.len};
    arrive_told(site, port, head, found, bytes, len);
    buffer_release(&facts);
}
