#include "greet.h"

#include "clients/client.h"
#include "links/link_out.h"
#include "parts/account.h"
#include "parts/port.h"
#include "site_private.h"
#include "whole.h"
#include <hub/facts.h>
#include <hub/secret.h>
#include <protocol/json_writer.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { LINKS_MAX = 64 };

/* A hello that has been sent on. */
struct greeting {
    int64_t id;
    struct message *hello;                    /* has a secret; NULL: it is answered */
    struct message *text;                     /* the answer of its home; NULL: not yet */
    size_t seats_end;                         /* ... in which there is the end of its seats here, */
    bool any_seat;                            /* of which it has some there */
    const struct site_link *asked[LINKS_MAX]; /* that have not said yet which seats there are */
    struct hub_seat seats[GREET_SEATS];       /* in parts other than its home */
    size_t count;
    uint64_t told; /* parts whose seats are known, a bit each */
};

/* ---- before hello */

/* A part that is served, each in turn; here if there is one, and rather one that may speak.
 * PARTS_MAX: there is none. */
static unsigned some_part(struct site *site)
{
    unsigned held = PARTS_MAX, there = PARTS_MAX;
    for (unsigned tried = 0; tried < site->config.parts; tried++) {
        const unsigned part = site->next_home++ % site->config.parts;
        if (part_tells(&site->parts[part]))
            return part;
        if (site->parts[part].hub)
            held = part;
        if (site->parts[part].link)
            there = part;
    }
    return there < PARTS_MAX ? there : held;
}

bool greet_stranger(struct site *site, struct client *client, int *code)
{
    client->home = some_part(site);
    *code = CLOSE_RESTART; /* it is not full: there will be a part in a moment */
    return client->home < PARTS_MAX && port_open(site, client, client->home, code);
}

/* ---- hello */

/* False: it has none. */
static bool hash_secret(const struct request *request, uint8_t hash[static 32])
{
    if (request_has(request, REQUEST_TOKEN))
        (void)secret_hash_token(hash, request->token);
    else if (request_has(request, REQUEST_PASS))
        secret_hash_code(hash, request->pass);
    else if (request_has(request, REQUEST_VOUCHER))
        secret_hash_code(hash, request->voucher);
    else
        return false;
    return true;
}

static bool is_its_secret(const struct client *client, const uint8_t hash[static 32])
{
    return sodium_memcmp(client->secret_hash, hash, sizeof client->secret_hash) == 0;
}

/* A passkey leads nowhere by itself: who has it is asked for where the client is. */
static bool is_sent_home(const struct client *client, const struct request *request)
{
    return client->answers_challenge && client->sent_home &&
           request_has(request, REQUEST_PASSKEY_SENT);
}

unsigned greet_part(const struct site *site, const struct client *client,
                    const struct request *request)
{
    uint8_t hash[32];
    if (is_sent_home(client, request))
        return client->sent_home - 1;
    if (!hash_secret(request, hash))
        return client->home;
    if (client->sent_home && is_its_secret(client, hash))
        return client->sent_home - 1;
    /* A voucher leads nowhere by itself, either. */
    return request_has(request, REQUEST_VOUCHER) ? client->home
                                                 : part_of_secret(hash, site->config.parts);
}

static bool go_home(struct site *site, struct client *client, unsigned part)
{
    int code;
    if (part == client->home)
        return true;
    if (!port_open(site, client, part, &code)) {
        site_close(site, client, code);
        return false;
    }
    port_close(site, port_find(client, client->home));
    client->home = part;
    return true;
}

/* To come again with if the home is lost; what was found out about another one is forgotten. */
static void keep_secret(struct client *client, const struct request *request)
{
    uint8_t hash[32];
    if (!hash_secret(request, hash) || is_its_secret(client, hash))
        return;
    memcpy(client->secret_hash, hash, sizeof client->secret_hash);
    client->sent_home = 0;
    client->answers_challenge = false;
}

void greet_challenged(const struct site *site, struct client *client, unsigned part,
                      const uint8_t challenge[static HUB_CHALLENGE_BYTES])
{
    if (!client->greeting || part != client->home || client->sent_home)
        return;
    memcpy(client->secret_hash, challenge, sizeof client->secret_hash);
    client->answers_challenge = true;
    client->challenge_until_ms = site->now_ms + site->config.part_wait_ms;
}

void greet_forget_challenge(struct client *client)
{
    if (!client->answers_challenge)
        return;
    sodium_memzero(client->secret_hash, sizeof client->secret_hash);
    client->answers_challenge = false;
    client->sent_home = 0;
}

/* False: the link is full. */
static bool say_hello(struct site *site, const struct client *client,
                      const struct hub_decoded *said)
{
    const struct port *port = port_find(client, client->home);
    return (!is_sent_home(client, said->request) ||
            port_set_challenge(site, port, client->secret_hash)) &&
           port_send(site, port, said);
}

void greet(struct site *site, struct client *client, unsigned part, const struct hub_decoded *said)
{
    const int64_t id = said->request->id;
    struct greeting *greeting = calloc(1, sizeof *greeting);
    struct message *hello = message_copy(said->bytes, said->len);
    if (!greeting || !hello) {
        free(greeting);
        free(hello);
        client_refuse(site, client, id, PROTOCOL_INTERNAL);
        return;
    }
    if (!go_home(site, client, part)) {
        free(greeting);
        free(hello);
        return;
    }
    keep_secret(client, said->request);
    greeting->id = id;
    greeting->hello = hello;
    client->greeting = greeting;
    client->state = CLIENT_GREETING;
    if (say_hello(site, client, said))
        return;
    greet_end(site, client);
    client->state = CLIENT_NEW;
    client_refuse(site, client, id, port_refusal(port_find(client, part)));
}

/* ---- its answer */

size_t greet_seats(const struct site *site, uint64_t session, unsigned except,
                   struct hub_seat seats[static GREET_SEATS])
{
    size_t count = 0;
    for (unsigned part = 0; part < site->config.parts; part++) {
        if (part != except && part_tells(&site->parts[part]))
            count += hub_seats(site->parts[part].hub, session, seats + count, GREET_SEATS - count);
        if (count > GREET_SEATS)
            count = GREET_SEATS;
    }
    return count;
}

static void add_seats(struct greeting *greeting, const struct hub_seat *seats, size_t count)
{
    if (count > GREET_SEATS - greeting->count)
        count = GREET_SEATS - greeting->count;
    memcpy(greeting->seats + greeting->count, seats, count * sizeof *seats);
    greeting->count += count;
}

static void write_seats(const struct greeting *greeting, bool comma, struct buffer *buffer)
{
    for (size_t at = 0; at < greeting->count; at++) {
        struct writer writer;
        if (comma)
            buffer_append_byte(buffer, ',');
        writer_init(&writer, buffer);
        writer_object(&writer);
        writer_key_string(&writer, "room", greeting->seats[at].room_id);
        writer_key_int(&writer, "seat", greeting->seats[at].seat);
        writer_end(&writer);
        comma = true;
    }
}

static bool misses_some(const struct site *site, const struct greeting *greeting)
{
    for (unsigned part = 0; part < site->config.parts; part++) {
        if (!(greeting->told >> part & 1))
            return true;
    }
    return false;
}

/* The answer of its home, with the seats in other parts. */
static void send_answer(struct site *site, struct client *client)
{
    static const char partial[] = ",\"incomplete\":true";
    const struct greeting *greeting = client->greeting;
    const struct piece text = {(const char *)message_bytes(greeting->text), greeting->text->len};
    const size_t end = greeting->seats_end;
    const bool incomplete = misses_some(site, greeting);
    const struct hub_head head = {.kind = HUB_REPLY, .id = greeting->id};
    struct buffer buffer;
    buffer_init(&buffer, 0, site->config.held_bytes);
    buffer_append(&buffer, text.at, end);
    write_seats(greeting, greeting->any_seat, &buffer);
    buffer_append_byte(&buffer, ']');
    if (incomplete)
        buffer_append(&buffer, partial, sizeof partial - 1);
    buffer_append(&buffer, text.at + end + 1, text.len - end - 1);
    if (incomplete)
        whole_misses(site, client);
    client_push(site, client, &buffer, &head);
}

static void end_hello(struct greeting *greeting)
{
    if (greeting->hello)
        sodium_memzero(message_bytes(greeting->hello), greeting->hello->len);
    free(greeting->hello);
    greeting->hello = NULL;
}

void greet_end(struct site *site, struct client *client)
{
    if (!client->greeting)
        return;
    end_hello(client->greeting);
    free(client->greeting->text);
    free(client->greeting);
    client->greeting = NULL;
    client->answer_due_ms = INT64_MAX;
    site_note_wait(site, client);
}

void greet_late(struct site *site, struct client *client)
{
    send_answer(site, client);
    greet_end(site, client);
    client->state = CLIENT_KNOWN;
}

void greet_settle(struct site *site, struct client *client)
{
    if (client->greeting && client->greeting->text && client->close_code == 0)
        greet_late(site, client);
}

void greet_back(struct site *site, struct client *client)
{
    if (!client->greeting)
        return;
    struct message *hello = client->greeting->hello;
    client->greeting->hello = NULL;
    greet_end(site, client);
    client->state = CLIENT_NEW;
    hello->due_ms = client->answers_challenge ? client->challenge_until_ms
                                              : site->now_ms + site->config.part_wait_ms;
    messages_add_first(&client->waiting, hello);
}

bool greet_elsewhere(struct site *site, struct client *client, unsigned part)
{
    const bool can_be = client->greeting && !client->greeting->text && client->sent_home == 0 &&
                        part < site->config.parts && part != client->home;
    if (can_be) {
        client->sent_home = part + 1;
        greet_back(site, client);
    }
    return can_be;
}

static void finish_if_whole(struct site *site, struct client *client)
{
    for (size_t at = 0; at < LINKS_MAX; at++) {
        if (client->greeting->asked[at])
            return;
    }
    greet_late(site, client);
}

static uint64_t parts_at(const struct site *site, const struct site_link *link)
{
    uint64_t parts = 0;
    for (unsigned part = 0; part < site->config.parts; part++)
        parts |= (uint64_t)(link ? site->parts[part].link == link : part_tells(&site->parts[part]))
                 << part;
    return parts;
}

/* Clients are asked about by their handle. */
static void ask_links(struct site *site, struct client *client)
{
    const uint64_t question = (uint64_t)client->peer.index << 32 | client->peer.generation;
    size_t count = 0;
    for (struct site_link *link = site->links; link && count < LINKS_MAX; link = link->next) {
        if (link_ask_seats(link, question, client->session, client->home))
            client->greeting->asked[count++] = link;
    }
    client->answer_due_ms = site->now_ms + site->config.gather_wait_ms;
    site_note_wait(site, client);
}

static void refuse_client(struct site *site, struct client *client, const struct hub_head *head,
                          struct piece text)
{
    client_hold(site, client, text.at, text.len, head);
    greet_end(site, client);
    client->state = CLIENT_NEW;
    greet_forget_challenge(client);
}

/* Who it is, as its home says. */
static void learn_client(struct site *site, struct client *client, const struct facts_hello *hello)
{
    client->session = hello->session;
    client->scopes = (uint8_t)hello->scopes;
    memcpy(client->name, hello->name, sizeof client->name);
    if (hello->has_token)
        memcpy(client->secret_hash, hello->token_hash, sizeof client->secret_hash);
    account_set(site, client, &hello->account);
}

bool greet_answer(struct site *site, const struct port *port, const struct hub_head *head,
                  struct piece text)
{
    struct client *client = port->client;
    struct greeting *greeting = client->greeting;
    struct hub_seat seats[GREET_SEATS];
    struct facts_hello hello;
    if (greeting->text || head->id != greeting->id)
        return false;
    if (head->kind == HUB_REFUSAL) {
        refuse_client(site, client, head, text);
        return true;
    }
    end_hello(greeting);
    greet_forget_challenge(client);
    greeting->text = message_copy(text.at, text.len);
    if (!greeting->text || !facts_read_hello(port_facts(site, port), text.len, &hello)) {
        site_fail(site, client);
        return true;
    }
    greeting->seats_end = hello.seats_end;
    greeting->any_seat = hello.any_seat;
    learn_client(site, client, &hello);
    add_seats(greeting, seats, greet_seats(site, client->session, client->home, seats));
    greeting->told = parts_at(site, NULL) | UINT64_C(1) << client->home;
    ask_links(site, client);
    finish_if_whole(site, client);
    return true;
}

/* False: it was not asked, or not by this client, or has answered. */
static bool forget_link(struct greeting *greeting, const struct site_link *link)
{
    for (size_t at = 0; greeting && at < LINKS_MAX; at++) {
        if (greeting->asked[at] == link) {
            greeting->asked[at] = NULL;
            return true;
        }
    }
    return false;
}

struct client *greet_seated(struct site *site, const struct site_link *link, uint64_t question,
                            const struct hub_seat *seats, size_t count)
{
    const struct hub_peer peer = {(uint32_t)(question >> 32), (uint32_t)question};
    struct client *client = client_of(&site->clients, peer);
    if (!client || !forget_link(client->greeting, link))
        return NULL;
    add_seats(client->greeting, seats, count);
    client->greeting->told |= parts_at(site, link);
    finish_if_whole(site, client);
    return client;
}

void greet_forget(struct site *site, const struct site_link *link)
{
    size_t at = 0;
    struct client *client;
    while ((client = client_next(&site->clients, &at)) != NULL) {
        if (forget_link(client->greeting, link))
            finish_if_whole(site, client);
    }
}
