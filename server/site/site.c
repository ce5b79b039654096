#include <site/site.h>

#include "answers/gather.h"
#include "answers/greet.h"
#include "answers/whole.h"
#include "clients/client.h"
#include "http/web.h"
#include "links/link_out.h"
#include "messages/arrive.h"
#include "messages/resume.h"
#include "messages/route.h"
#include "news.h"
#include "operator/site_documents.h"
#include "parts/account.h"
#include "parts/port.h"
#include "site_private.h"
#include <assert.h>
#include <stdlib.h>

const struct site_config site_usual = {
    .parts = 1,
    .clients = 20000,
    .message_bytes = PROTOCOL_MESSAGE_BYTES,
    .waiting_bytes = 16384,
    .held_bytes = 1048576,
    .link_bytes = 8388608,
    .part_wait_ms = 5000,
    .resume_wait_ms = 15000,
    .gather_wait_ms = 2000,
    .http_waits = 256,
    .http_wait_ms = 5000,
    .list_ms = 1000,
};

struct site *site_create(const struct site_config *config)
{
    assert(config->parts >= 1 && config->parts <= PARTS_MAX);
    assert(!config->lone || (config->parts == 1 && config->resume_wait_ms == 0));
    struct site *site = calloc(1, sizeof *site);
    if (!site)
        return NULL;
    site->config = *config;
    site->due_ms = INT64_MAX;
    hub_request_needs(config->features, site->needs);
    documents_init(site);
    if (clients_init(&site->clients, config) < 0) {
        site_destroy(site);
        return NULL;
    }
    return site;
}

static void remove_client(struct site *site, struct client *client)
{
    greet_end(site, client);
    gather_end(site, client);
    shown_release(client);
    ports_close(site, client);
    client_remove(&site->clients, client);
}

void site_destroy(struct site *site)
{
    size_t at = 0;
    struct client *client;
    if (!site)
        return;
    while ((client = client_next(&site->clients, &at)) != NULL)
        remove_client(site, client);
    for (unsigned part = 0; part < site->config.parts; part++)
        free(site->parts[part].peer_ends);
    web_release(site);
    documents_release(site);
    clients_release(&site->clients);
    free(site);
}

/* ---- clients */

int site_connect(struct site *site, const uint8_t address[static 16], int64_t now_ms,
                 struct hub_peer *peer)
{
    int code = CLOSE_FULL;
    site_set_time(site, now_ms);
    struct client *client = client_add(&site->clients, address);
    if (!client)
        return code;
    if (!greet_stranger(site, client, &code)) {
        client_remove(&site->clients, client);
        return code;
    }
    *peer = client->peer;
    return 0;
}

void site_set_quiet(struct site *site, struct hub_peer peer)
{
    struct client *client = client_of(&site->clients, peer);
    if (!client)
        return;
    client->connection_quiet = true;
    for (const struct port *port = client->ports; port; port = port->next)
        port_set_quiet(site, port);
}

/* If its home is here, that counts why. */
static void reject_client(struct site *site, struct client *client, int close_code)
{
    const struct port *home = port_find(client, client->home);
    if (home && !home->lost && !home->link)
        hub_reject(site->parts[home->part].hub, home->peer, close_code);
    site_close(site, client, close_code);
}

void site_receive(struct site *site, struct hub_peer peer, const char *bytes, size_t len,
                  int64_t now_ms)
{
    struct client *client = client_of(&site->clients, peer);
    site_set_time(site, now_ms);
    if (!client || client->close_code != 0)
        return;
    if (len > site->config.message_bytes)
        reject_client(site, client, CLOSE_TOO_LONG);
    else
        route_message(site, client, bytes, len);
}

void site_reject(struct site *site, struct hub_peer peer, int close_code)
{
    struct client *client = client_of(&site->clients, peer);
    if (client)
        reject_client(site, client, close_code);
}

void site_disconnect(struct site *site, struct hub_peer peer, int64_t now_ms)
{
    struct client *client = client_of(&site->clients, peer);
    site_set_time(site, now_ms);
    if (client)
        remove_client(site, client);
}

/* The hub of a lone server tells those who are connected to it. Those of a node go on elsewhere,
 * and tell nobody. */
static bool is_told_here(const struct site *site, const struct client *client)
{
    const struct port *port = client->ports;
    while (port && (port->lost || !site->parts[port->part].hub))
        port = port->next;
    return port;
}

void site_end(struct site *site, int64_t now_ms)
{
    struct client *client;
    size_t at = 0;
    site_set_time(site, now_ms);
    if (site->ending)
        return;
    site->ending = true;
    while ((client = client_next(&site->clients, &at)) != NULL) {
        if (!site->config.lone || !is_told_here(site, client))
            client_notify(site, client, PROTOCOL_NOTICE_DRAINING, NULL,
                          "The server will restart soon; matches continue afterwards.");
    }
}

/* ---- output */

static void fetch_output(struct site *site, struct peer_end end)
{
    if (end.port)
        arrive(site, end.port);
    else if (end.channel)
        link_fetch(end.channel->link, end.channel);
}

/* Nobody, if that peer is gone. */
static struct peer_end peer_end_of(const struct part *part, struct hub_peer peer)
{
    const struct peer_end end =
        peer.index < part->size ? part->peer_ends[peer.index] : (struct peer_end){0};
    const bool same = (end.port && end.port->peer.generation == peer.generation) ||
                      (end.channel && end.channel->peer.generation == peer.generation);
    return same ? end : (struct peer_end){0};
}

/* False: nobody of this part is ready. */
static bool pump_part(struct site *site, unsigned at)
{
    const struct part *part = &site->parts[at];
    struct hub_peer peer;
    bool any = false;
    if (!part_tells(part))
        return false;
    news_fetch(site, at);
    web_fetch(site, at);
    while (part_tells(part) && hub_next_ready(part->hub, &peer)) {
        fetch_output(site, peer_end_of(part, peer));
        any = true;
    }
    return any;
}

void site_pump(struct site *site, int64_t now_ms)
{
    bool more = true;
    site_set_time(site, now_ms);
    whole_tell(site);
    while (more) {
        more = false;
        for (unsigned part = 0; part < site->config.parts; part++)
            more = pump_part(site, part) || more;
    }
    for (struct site_link *link = site->links; link; link = link->next)
        link_flush(link);
}

/* What was held back is fetched from all: some were not ready once more since. */
void site_hold(struct site *site, unsigned at, bool held, int64_t now_ms)
{
    struct part *part = &site->parts[at];
    assert(part->hub);
    site_set_time(site, now_ms);
    part->held = held;
    web_hold(site, at);
    for (size_t index = 0; !held && index < part->size; index++)
        fetch_output(site, part->peer_ends[index]);
}

bool site_next_ready(struct site *site, struct hub_peer *peer)
{
    struct client *client = client_pop_ready(&site->clients);
    if (client)
        *peer = client->peer;
    return client;
}

bool site_is_ready(const struct site *site)
{
    return !output_queue_is_empty(&site->clients.outputs);
}

/* Of the first port that has any; NULL: none has. */
static unsigned char *ports_output(const struct site *site, const struct client *client,
                                   size_t *len)
{
    unsigned char *bytes = NULL;
    for (const struct port *port = client->ports; port && !bytes; port = port->next)
        bytes = port_output(site, port, len);
    return bytes;
}

/* The port that ports_output has given something of: if no other has, it is the last. */
static struct port *output_port(const struct site *site, const struct client *client)
{
    struct port *port = client->ports;
    size_t len;
    while (port && port->next && !port_output(site, port, &len))
        port = port->next;
    return port;
}

unsigned char *site_output(struct site *site, struct hub_peer peer, size_t *len)
{
    const struct client *client = client_of(&site->clients, peer);
    if (!client || client->incomplete || client->close_code == CLOSE_SLOW_READER)
        return NULL;
    if (client->held.first) {
        *len = client->held.first->len;
        return message_bytes(client->held.first);
    }
    return ports_output(site, client, len);
}

const struct hub_head *site_output_head(const struct site *site, struct hub_peer peer)
{
    const struct client *client = client_of(&site->clients, peer);
    if (client && client->held.first)
        return &client->held.first->head;
    const struct port *port = client ? output_port(site, client) : NULL;
    return port ? port_head(site, port) : NULL;
}

void site_sent(struct site *site, struct hub_peer peer)
{
    struct client *client = client_of(&site->clients, peer);
    if (!client)
        return;
    if (client->held.first) {
        free(messages_pop(&client->held));
        return;
    }
    struct port *port = output_port(site, client);
    if (port) {
        account_follow(site, port);
        port_sent(site, port);
    }
}

int site_close_code(const struct site *site, struct hub_peer peer)
{
    const struct client *client = client_of(&site->clients, peer);
    return client ? client->close_code : 0;
}

static struct hub *hub_of(const struct site *site, const struct port *port)
{
    return port->link || port->lost ? NULL : site->parts[port->part].hub;
}

bool site_take_probe(struct site *site, struct hub_peer peer)
{
    const struct client *client = client_of(&site->clients, peer);
    bool any = false;
    for (const struct port *port = client ? client->ports : NULL; port; port = port->next) {
        struct hub *hub = hub_of(site, port);
        any = (hub && hub_take_probe(hub, port->peer, site->now_ms)) || any;
    }
    return any;
}

void site_heard(struct site *site, struct hub_peer peer)
{
    const struct client *client = client_of(&site->clients, peer);
    for (const struct port *port = client ? client->ports : NULL; port; port = port->next) {
        struct hub *hub = hub_of(site, port);
        if (hub)
            hub_heard(hub, port->peer);
    }
}

/* ---- time */

int64_t site_deadline_ms(const struct site *site)
{
    const int64_t due_ms = web_deadline_ms(site);
    return site->clients.waits_first && site->due_ms < due_ms ? site->due_ms : due_ms;
}

static void tick_client(struct site *site, struct client *client)
{
    if (client->resume_due_ms <= site->now_ms)
        resume_due(site, client);
    if (client->answer_due_ms <= site->now_ms && client->greeting)
        greet_late(site, client);
    else if (client->answer_due_ms <= site->now_ms)
        gather_late(site, client);
    route_waiting(site, client);
}

void site_tick(struct site *site, int64_t now_ms)
{
    struct client *client, *next;
    site_set_time(site, now_ms);
    if (site_deadline_ms(site) > site->now_ms)
        return;
    site->due_ms = INT64_MAX;
    web_tick(site);
    for (client = site->clients.waits_first; client; client = next) {
        next = client->waits_next;
        tick_client(site, client);
    }
}
