#include "resume.h"

#include "answers/greet.h"
#include "clients/client.h"
#include "parts/port.h"
#include "parts/track.h"
#include "route.h"
#include "site_private.h"
#include <features/feature.h>
#include <protocol/reply.h>

enum { RETRY_MS = 200 };

/* ---- when */

static int64_t due_of(const struct site *site, const struct port *port)
{
    if (port->resume_ms == 0)
        return INT64_MAX;
    const bool tries = port->lost && part_is_served(&site->parts[port->part]);
    return tries && port->retry_ms < port->resume_ms ? port->retry_ms : port->resume_ms;
}

static void note_due(struct site *site, struct client *client)
{
    client->resume_due_ms = INT64_MAX;
    for (const struct port *port = client->ports; port && client->close_code == 0;
         port = port->next) {
        if (due_of(site, port) < client->resume_due_ms)
            client->resume_due_ms = due_of(site, port);
    }
    site_note_wait(site, client);
}

/* ---- lost */

/* Before hello it may be anywhere. */
static void lost_stranger(struct site *site, struct client *client, struct port *port)
{
    int code;
    greet_back(site, client);
    port_close(site, port);
    if (!greet_stranger(site, client, &code))
        site_close(site, client, CLOSE_RESTART);
    route_waiting(site, client);
}

void resume_lost(struct site *site, struct port *port)
{
    struct client *client = port->client;
    greet_settle(site, client);
    if (client->state != CLIENT_KNOWN && client->close_code == 0) {
        lost_stranger(site, client, port);
        return;
    }
    if (client->close_code != 0 || port->passing ||
        (port->part != client->home && track_is_empty(&port->track))) {
        port_close(site, port);
        note_due(site, client);
        return;
    }
    if (port->track.unsure || !site_goes_on(site))
        site_close(site, client, CLOSE_RESTART);
    port->unanswered = 0;
    port->retry_ms = site->now_ms;
    if (port->resume_ms == 0) /* else it had not got through yet */
        port->resume_ms = site->now_ms + site->config.resume_wait_ms;
    note_due(site, client);
}

/* ---- served again */

static void follow_all(struct site *site, struct port *port)
{
    for (struct follow *follow = port->track.follows; follow; follow = follow->next) {
        follow->number = ++site->last_follow;
        port->unanswered++;
        port_follow(site, port, follow->number, follow->room, follow->seq);
    }
}

/* It was kept as it came. */
static bool send_again(struct site *site, const struct port *port, const struct asked *asked)
{
    struct decoded *decoded = &site->decoded;
    if (site->needs[asked->op] & REQUEST_ONCE)
        return false;
    decoded_read(decoded, asked->bytes, asked->len);
    const bool sent = port_send(site, port,
                                &(struct hub_decoded){.bytes = asked->bytes,
                                                      .len = asked->len,
                                                      .request = &decoded->request,
                                                      .error = decoded->error});
    decoded_release(decoded);
    return sent;
}

/* In their order. */
static void ask_again(struct site *site, struct port *port)
{
    struct asked *next;
    for (struct asked *asked = port->track.asked; asked; asked = next) {
        const int64_t id = asked->id;
        next = asked->next;
        if (send_again(site, port, asked))
            continue;
        track_answered(&port->track, asked);
        client_refuse(site, port->client, id, PROTOCOL_SLOW_DOWN);
    }
}

/* It has been told what it missed: what it asks for is answered after that. */
static void finish_resuming(struct site *site, struct port *port)
{
    ask_again(site, port);
    port->resume_ms = 0;
    /* What it was told does not hold for who has the part now. */
    if (port->track.draining && !site->ending)
        client_notify(site, port->client, PROTOCOL_NOTICE_SERVING, NULL,
                      "The server does not restart now; new matches can begin.");
    port->track.draining = false;
    note_due(site, port->client);
}

void resume_later(struct site *site, struct port *port)
{
    if (!port->lost)
        port_detach(site, port);
    port->unanswered = 0;
    port->retry_ms = site->now_ms + RETRY_MS;
    note_due(site, port->client);
}

void resume_port(struct site *site, struct port *port)
{
    struct client *client = port->client;
    if (client->close_code != 0)
        return;
    const int code = port_reopen(site, port);
    if (code == CLOSE_FULL) {
        resume_later(site, port);
        return;
    }
    if (code != 0) {
        site_close(site, client, code);
        return;
    }
    follow_all(site, port);
    if (port->unanswered == 0)
        finish_resuming(site, port);
    note_due(site, client);
}

/* ---- a room is followed */

static void note_followed(struct site *site, struct client *client, struct follow *follow,
                          const struct hub_head *head)
{
    follow->number = 0;
    if (head->kind != HUB_REPLY) { /* what it missed cannot be had as events */
        site_close(site, client, CLOSE_RESTART);
        return;
    }
    if (follow->failing)
        client_notify(site, client, PROTOCOL_NOTICE_STORE_RECOVERED, follow->room,
                      "The server can save moves again; the match continues.");
    follow->failing = false;
}

void resume_answer(struct site *site, struct port *port, const struct hub_head *head)
{
    struct follow *follow = port->track.follows;
    if (port->unanswered == 0) /* whoever says so was not asked */
        return;
    while (follow && follow->number != head->id)
        follow = follow->next;
    if (follow) /* else the client has left it since */
        note_followed(site, port->client, follow, head);
    if (--port->unanswered == 0)
        finish_resuming(site, port);
}

/* ---- time */

void resume_due(struct site *site, struct client *client)
{
    struct port *next;
    for (struct port *port = client->ports; port && client->close_code == 0; port = next) {
        next = port->next;
        if (port->lost && port->retry_ms <= site->now_ms &&
            part_is_served(&site->parts[port->part]))
            resume_port(site, port);
        else if (port->resume_ms != 0 && port->resume_ms <= site->now_ms)
            site_close(site, client, CLOSE_RESTART);
    }
    note_due(site, client);
}
