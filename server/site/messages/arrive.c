#include "arrive.h"

#include "answers/gather.h"
#include "answers/greet.h"
#include "clients/client.h"
#include "parts/account.h"
#include "parts/port.h"
#include "resume.h"
#include "route.h"
#include "site_private.h"

/* While an answer is waited for, every message is looked at, and those before it are kept. */
static bool is_watched(const struct port *port)
{
    const struct client *client = port->client;
    return client->gather || port->unanswered > 0 || port->late_count > 0 ||
           (client->greeting && port->part == client->home);
}

/* Is it still there, and of the same client? */
static struct port *found_again(struct client *client, unsigned part, const struct port *port)
{
    struct port *found = port_find(client, part);
    return found == port ? found : NULL;
}

/* Of the answer to what a client has asked: is it the site that makes use of it? */
static bool is_for_site(struct site *site, struct port *port, const struct hub_head *head,
                        struct piece text)
{
    struct client *client = port->client;
    const bool greets = client->greeting && port->part == client->home;
    return (greets && greet_answer(site, port, head, text)) ||
           gather_answer(site, port, head, text);
}

/* The port may be gone afterwards. */
static void look_at(struct site *site, struct port *port, unsigned char *bytes, size_t len)
{
    struct client *client = port->client;
    const unsigned part = port->part;
    const struct piece text = {(const char *)bytes, len};
    const struct hub_head head = *port_head(site, port);
    if (head.follows)
        resume_answer(site, port, &head);
    else if (!head_is_reply(&head) || !is_for_site(site, port, &head, text))
        client_hold(site, client, bytes, len, &head);
    if (found_again(client, part, port)) {
        account_follow(site, port);
        port_sent(site, port);
    }
}

/* The hello that waits is said where it belongs; until then the client is a stranger as it was. */
static void go_elsewhere(struct site *site, struct port *port, unsigned part)
{
    struct client *client = port->client;
    uint8_t challenge[HUB_CHALLENGE_BYTES];
    int code = CLOSE_SERVER_FAULT;
    if (!port->link && !port->lost &&
        hub_challenge(site->parts[port->part].hub, port->peer, challenge))
        greet_challenged(site, client, port->part, challenge);
    const bool can_be = port->part == client->home && greet_elsewhere(site, client, part);
    if (can_be)
        port_close(site, port);
    if (!can_be || !greet_stranger(site, client, &code))
        site_close(site, client, code);
}

/* What is only asked something, or is idle elsewhere, is no reason to close the client. */
static void leave_port(struct site *site, struct port *port, int code)
{
    struct client *client = port->client;
    const unsigned part = port->part;
    unsigned elsewhere;
    gather_lost(site, port);
    if (!found_again(client, part, port))
        return;
    if (port_elsewhere(site, port, &elsewhere))
        go_elsewhere(site, port, elsewhere);
    else if (port->resume_ms != 0 && code == CLOSE_FULL)
        resume_later(site, port);
    else if (port->passing || (code == CLOSE_IDLE && part != client->home))
        port_close(site, port);
    else
        site_close(site, client, code);
}

/* What is left to do is that the client reads it. */
static bool is_only_read(const struct site *site, const struct port *port)
{
    return !is_watched(port) && !port->client->waiting.first && port_code(site, port) == 0;
}

void arrive(struct site *site, struct port *port)
{
    struct client *client = port->client;
    const unsigned part = port->part;
    unsigned char *bytes;
    size_t len;
    if (is_only_read(site, port)) {
        client_mark_ready(&site->clients, client, port_hurries(site, port));
        return;
    }
    while (found_again(client, part, port) && is_watched(port) &&
           (bytes = port_output(site, port, &len)) != NULL)
        look_at(site, port, bytes, len);
    client_mark_ready(&site->clients, client, true);
    if (found_again(client, part, port) && port_code(site, port) != 0)
        leave_port(site, port, port_code(site, port));
    route_waiting(site, client);
}

void arrive_rest(struct site *site, struct port *port)
{
    struct client *client = port->client;
    const unsigned part = port->part;
    unsigned char *bytes;
    size_t len;
    while (found_again(client, part, port) && (bytes = port_output(site, port, &len)) != NULL)
        look_at(site, port, bytes, len);
    if (found_again(client, part, port) && port_code(site, port) != 0)
        leave_port(site, port, port_code(site, port));
}

/* A line of talk is left out when such a part of the bound is unread; of watchers sooner. */
enum { TALK_SHARE = 4, WATCHERS_SHARE = 8 };

/* What others say closes nobody, as in a hub (hub/connections/left_out.h). */
static bool is_left_out(const struct site *site, const struct port *port,
                        const struct hub_head *head)
{
    const bool watchers = head->about == HUB_ABOUT_WATCHERS_LINE;
    if (head->kind != HUB_PUSH || (head->about != HUB_ABOUT_LINE && !watchers))
        return false;
    return port->told.bytes > site->config.held_bytes / (watchers ? WATCHERS_SHARE : TALK_SHARE);
}

void arrive_told(struct site *site, struct port *port, const struct hub_head *head,
                 struct facts facts, const unsigned char *bytes, size_t len)
{
    struct message *message;
    if (port->client->close_code != 0)
        return; /* it may say no more, and what is kept for it has a bound */
    if (is_left_out(site, port, head)) {
        port->left_out = true;
        return;
    }
    message = message_told(bytes, len, head, facts);
    if (!message) {
        site_fail(site, port->client);
        return;
    }
    port->hurries = port->hurries || head->kind != HUB_PUSH;
    messages_add(&port->told, message);
    if (port->told.bytes > site->config.held_bytes)
        site_close(site, port->client, CLOSE_SLOW_READER);
    arrive(site, port);
}

void arrive_closed(struct site *site, struct port *port, int code)
{
    port->code = code;
    arrive(site, port);
}

void arrive_elsewhere(struct site *site, struct port *port, unsigned part)
{
    port->elsewhere = part + 1;
    arrive_closed(site, port, CLOSE_RESTART);
}
