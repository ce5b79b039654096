#include "port.h"

#include "clients/client.h"
#include "links/link_out.h"
#include "site_part.h"
#include "site_private.h"
#include "track.h"
#include <assert.h>
#include <protocol/reply.h>
#include <stdlib.h>
#include <string.h>

enum { REFUSAL_BYTES = 512, REFUSAL_RETRY_MS = 1000, PUSH_BYTES = 4096 };
/* Those who wait for a part that is away come again spread over a second. */
enum { AWAY_RETRY_MS = 500, AWAY_SPREAD_MS = 1000 };

struct port *port_find(const struct client *client, unsigned part)
{
    struct port *port = client->ports;
    while (port && port->part != part)
        port = port->next;
    return port;
}

static int connect_hub(struct site *site, const struct client *client, unsigned part,
                       struct hub_peer *peer)
{
    struct hub *hub = site->parts[part].hub;
    if (client->state != CLIENT_KNOWN)
        return hub_connect(hub, client->address, site->now_ms, peer);
    if (part == client->home)
        return hub_connect_again(hub, client->address, client->secret_hash, site->now_ms, peer);
    return site_may_visit(site, client->session, part)
               ? hub_connect_as(hub, client->address, client->session, client->name, site->now_ms,
                                peer)
               : CLOSE_SERVER_FAULT;
}

/* Is it that of a client who is at home elsewhere, and has an account? */
static bool is_visit(const struct port *port)
{
    const struct client *client = port->client;
    return client->state == CLIENT_KNOWN && port->part != client->home &&
           client->account.kind != ACCOUNT_NONE;
}

static bool is_quiet(const struct port *port)
{
    const struct client *client = port->client;
    return client->connection_quiet || (client->account_quiet && is_visit(port));
}

void port_set_quiet(struct site *site, const struct port *port)
{
    if (port->link)
        link_set_quiet(port->link, port->number, is_quiet(port));
    else if (!port->lost)
        hub_set_quiet(site->parts[port->part].hub, port->peer, is_quiet(port));
}

bool port_set_account(struct site *site, const struct port *port)
{
    if (!is_visit(port))
        return true;
    const struct client *client = port->client;
    struct hub *hub = site->parts[port->part].hub;
    if (port->link) {
        link_set_account(port->link, port->number, &client->account, client->owner);
        return true;
    }
    if (!hub_set_account(hub, port->peer, &client->account))
        return false;
    hub_set_owner(hub, port->peer, client->owner);
    return true;
}

static int open_here(struct site *site, struct port *port)
{
    struct part *part = &site->parts[port->part];
    const int code = connect_hub(site, port->client, port->part, &port->peer);
    if (code != 0)
        return code;
    if (part_reserve(part, port->peer.index) < 0) {
        hub_disconnect(part->hub, port->peer, site->now_ms);
        return CLOSE_FULL;
    }
    part->peer_ends[port->peer.index] = (struct peer_end){.port = port};
    hub_set_quiet(part->hub, port->peer, is_quiet(port));
    return port_set_account(site, port) ? 0 : CLOSE_FULL;
}

static int open_there(struct port *port, struct site_link *link)
{
    port->link = link;
    port->number = link_open_port(link, port, port->client, port->part);
    if (port->number && is_visit(port))
        link_set_account(link, port->number, &port->client->account, port->client->owner);
    if (port->number && is_quiet(port))
        link_set_quiet(link, port->number, true);
    return port->number ? 0 : CLOSE_FULL;
}

/* At home it is not idle as long as it is elsewhere too. */
static void keep_home(struct site *site, const struct client *client)
{
    const struct port *home = port_find(client, client->home);
    const bool keep = client->ports && client->ports->next;
    if (!home || home->lost || client->state != CLIENT_KNOWN)
        return;
    if (home->link)
        link_keep(home->link, home->number, keep);
    else
        hub_keep(site->parts[home->part].hub, home->peer, keep, site->now_ms);
}

static int open_in(struct site *site, struct port *port)
{
    const struct part *part = &site->parts[port->part];
    return part->hub ? open_here(site, port) : open_there(port, part->link);
}

struct port *port_open(struct site *site, struct client *client, unsigned at, int *code)
{
    struct port *port = calloc(1, sizeof *port);
    *code = CLOSE_FULL;
    if (!port)
        return NULL;
    port->client = client;
    port->part = at;
    *code = open_in(site, port);
    if (*code != 0) {
        free(port);
        return NULL;
    }
    port->next = client->ports;
    client->ports = port;
    keep_home(site, client);
    return port;
}

static struct port **link_to(const struct port *port)
{
    struct port **link = &port->client->ports;
    while (*link != port)
        link = &(*link)->next;
    return link;
}

void port_detach(struct site *site, struct port *port)
{
    struct part *part = &site->parts[port->part];
    if (port->link) {
        link_end_port(port->link, port->number);
    } else {
        hub_disconnect(part->hub, port->peer, site->now_ms);
        part->peer_ends[port->peer.index] = (struct peer_end){0};
    }
    messages_clear(&port->told);
    port->hurries = false;
    port->link = NULL;
    port->code = 0;
    port->elsewhere = 0;
    port->lost = true;
    port->late_count = 0;
}

int port_reopen(struct site *site, struct port *port)
{
    const int code = open_in(site, port);
    if (code != 0) {
        port->link = NULL;
        return code;
    }
    port->lost = false;
    keep_home(site, port->client);
    return 0;
}

void port_close(struct site *site, struct port *port)
{
    struct client *client = port->client;
    if (!port->lost)
        port_detach(site, port);
    *link_to(port) = port->next;
    track_release(&port->track);
    free(port);
    keep_home(site, client);
}

void ports_close(struct site *site, struct client *client)
{
    struct port *first;
    while ((first = client->ports)) {
        port_close(site, first);
        assert(client->ports != first);
    }
}

bool port_send(struct site *site, const struct port *port, const struct hub_decoded *said)
{
    struct hub *hub = site->parts[port->part].hub;
    if (port->link)
        return link_say(port->link, port->number, said->bytes, said->len);
    hub_request(hub, port->peer, said, site->now_ms);
    return true;
}

int port_refusal(const struct port *port)
{
    return port->link && !port->link->broken ? PROTOCOL_SLOW_DOWN : PROTOCOL_INTERNAL;
}

void port_follow(struct site *site, const struct port *port, int64_t number, const char *room,
                 int64_t have)
{
    if (port->link)
        link_follow(port->link, port->number, number, room, have);
    else
        hub_follow(site->parts[port->part].hub, port->peer, number, room, have, site->now_ms);
}

unsigned char *port_output(const struct site *site, const struct port *port, size_t *len)
{
    const struct part *part = &site->parts[port->part];
    if (port->lost)
        return NULL;
    if (!port->link)
        return part_tells(part) ? hub_output(part->hub, port->peer, len) : NULL;
    if (!port->told.first)
        return NULL;
    *len = port->told.first->len;
    return message_bytes(port->told.first);
}

/* All that was unread has been read. */
static void tell_left_out(struct site *site, struct port *port)
{
    port->left_out = false;
    client_notify(site, port->client, PROTOCOL_NOTICE_LEFT_OUT, NULL,
                  "Your connection is slow: some of what was said was left out.");
}

const struct hub_head *port_head(const struct site *site, const struct port *port)
{
    if (port->link)
        return port->told.first ? &port->told.first->head : NULL;
    return port->lost ? NULL : hub_output_head(site->parts[port->part].hub, port->peer);
}

struct facts port_facts(const struct site *site, const struct port *port)
{
    static const struct facts none;
    if (port->link)
        return port->told.first ? message_facts(port->told.first) : none;
    return port->lost ? none : hub_output_facts(site->parts[port->part].hub, port->peer);
}

static void pop_told(struct port *port)
{
    free(messages_pop(&port->told));
    port->hurries = port->hurries && port->told.first;
}

/* The next of the client's ports has its turn. */
static void put_last(struct port *port)
{
    struct port **link = link_to(port);
    *link = port->next;
    while (*link)
        link = &(*link)->next;
    *link = port;
    port->next = NULL;
}

void port_sent(struct site *site, struct port *port)
{
    if (site_goes_on(site))
        track_told(&port->track, port_head(site, port));
    if (port->link)
        pop_told(port);
    else
        hub_sent(site->parts[port->part].hub, port->peer);
    if (port->left_out && !port->told.first)
        tell_left_out(site, port);
    if (port->next)
        put_last(port);
}

bool port_hurries(const struct site *site, const struct port *port)
{
    if (port->link || port->lost)
        return port->hurries;
    return hub_hurries(site->parts[port->part].hub, port->peer);
}

int port_code(const struct site *site, const struct port *port)
{
    const struct part *part = &site->parts[port->part];
    if (port->link || port->lost)
        return port->code;
    return part_tells(part) ? hub_close_code(part->hub, port->peer) : 0;
}

bool port_elsewhere(const struct site *site, const struct port *port, unsigned *part)
{
    if (!port->link && !port->lost)
        return hub_elsewhere(site->parts[port->part].hub, port->peer, part);
    *part = port->elsewhere - 1;
    return port->elsewhere > 0;
}

bool port_set_challenge(struct site *site, const struct port *port,
                        const uint8_t challenge[static HUB_CHALLENGE_BYTES])
{
    if (port->link)
        return link_add_challenge(port->link, FRAME_CHALLENGE, port->number, challenge);
    hub_set_challenge(site->parts[port->part].hub, port->peer, challenge, site->now_ms);
    return true;
}

/* ---- from the site itself */

void client_hold(struct site *site, struct client *client, const void *bytes, size_t len,
                 const struct hub_head *head)
{
    static const struct facts none;
    struct message *message = message_told(bytes, len, head, none);
    if (!message) {
        site_fail(site, client);
        return;
    }
    messages_add(&client->held, message);
    client_mark_ready(&site->clients, client, true);
    if (client->held.bytes > site->config.held_bytes)
        site_close(site, client, CLOSE_SLOW_READER);
}

void client_push(struct site *site, struct client *client, struct buffer *buffer,
                 const struct hub_head *head)
{
    if (buffer->failed)
        site_fail(site, client);
    else
        client_hold(site, client, buffer_payload(buffer), buffer->len, head);
    buffer_release(buffer);
}

void client_notify(struct site *site, struct client *client, enum protocol_notice notice,
                   const char *room, const char *text)
{
    struct hub_head head = {.kind = HUB_NOTICE, .notice = (uint8_t)notice};
    struct buffer buffer;
    struct writer writer;
    if (room)
        memcpy(head.room, room, PROTOCOL_ROOM_BYTES);
    buffer_init(&buffer, 0, PUSH_BYTES);
    writer_init(&writer, &buffer);
    push_notice(&writer, notice, room, text);
    client_push(site, client, &buffer, &head);
}

static int64_t retry_ms_of(const struct client *client, int error)
{
    if (error == PROTOCOL_PART_AWAY)
        return AWAY_RETRY_MS + (int64_t)((client->session + client->peer.index) % AWAY_SPREAD_MS);
    return error == PROTOCOL_SLOW_DOWN ? REFUSAL_RETRY_MS : 0;
}

void client_refuse(struct site *site, struct client *client, int64_t id, int error)
{
    const struct refusal refusal = {
        .error = (enum protocol_error)error,
        .retry_ms = retry_ms_of(client, error),
    };
    const struct hub_head head = {.kind = HUB_REFUSAL, .id = id, .error = (uint8_t)error};
    struct buffer buffer;
    struct writer writer;
    buffer_init(&buffer, 0, REFUSAL_BYTES);
    writer_init(&writer, &buffer);
    reply_refusal(&writer, id, &refusal);
    client_push(site, client, &buffer, &head);
}
