#include "route.h"

#include "answers/gather.h"
#include "answers/greet.h"
#include "clients/client.h"
#include "parts/port.h"
#include "parts/track.h"
#include "site_private.h"
#include <features/feature.h>
#include <hub/letter.h>
#include <protocol/scope.h>
#include <sodium.h>
#include <stdlib.h>

/* What a message needs before it can go on. */
enum way {
    WAY_HOME,   /* to the client's home, which answers what is wrong with it, too */
    WAY_HELLO,  /* to `part`, as the client's home from then on */
    WAY_PART,   /* to `part`, which has what it is about */
    WAY_GATHER, /* to all */
    WAY_WAIT,   /* not yet */
    WAY_NONE,   /* it cannot be read, for want of memory */
};

/* Is it served, and the client there, with what it missed, if it was before? */
static bool is_there(const struct site *site, const struct client *client, unsigned part)
{
    const struct port *port = port_find(client, part);
    return port ? !port->lost && port->unanswered == 0 : part_is_served(&site->parts[part]);
}

static enum way way_to(const struct site *site, const struct client *client, enum way way,
                       unsigned part)
{
    return is_there(site, client, part) ? way : WAY_WAIT;
}

/* Its home says that it may not: other parts do not know with what it has come. */
static bool may_ask(const struct client *client, enum request_op op)
{
    return scopes_of_request(op) & client->scopes;
}

static enum way way_of(const struct site *site, const struct client *client,
                       const struct decoded *decoded, unsigned *part)
{
    const struct request *request = &decoded->request;
    const bool read = decoded->error == PROTOCOL_OK;
    *part = client->home;
    if (client->state == CLIENT_GREETING)
        return WAY_WAIT;
    if (decoded->error == PROTOCOL_INTERNAL)
        return WAY_NONE;
    if (client->state == CLIENT_NEW && request->op == REQUEST_HELLO) {
        *part = greet_part(site, client, request);
        return way_to(site, client, WAY_HELLO, *part);
    }
    if (!read || client->state == CLIENT_NEW)
        return way_to(site, client, WAY_HOME, *part);
    if (request->op == REQUEST_ROOMS && site->config.parts > 1)
        return client->gather ? WAY_WAIT : WAY_GATHER;
    if (may_ask(client, request->op) && site->needs[request->op] & REQUEST_AT_DESK)
        *part = part_of_session(LETTER_TO_DESK, site->config.parts);
    else if (may_ask(client, request->op) && request_has(request, REQUEST_ROOM))
        *part = part_of_room(request->room, site->config.parts);
    else
        return way_to(site, client, WAY_HOME, *part);
    return way_to(site, client, WAY_PART, *part);
}

static void send_to(struct site *site, struct client *client, unsigned part,
                    const struct hub_decoded *said)
{
    int code;
    struct port *port = port_find(client, part);
    if (!port)
        port = port_open(site, client, part, &code);
    if (!port) {
        site_close(site, client, code);
        return;
    }
    port->passing = false;
    if (!port_send(site, port, said))
        client_refuse(site, client, said->request->id, port_refusal(port));
    else if (client->state == CLIENT_KNOWN && site_goes_on(site))
        track_ask(&port->track, said->request, said->bytes, said->len);
}

/* As a hub does. A hub might be able to read it, but not who has to know what it was answered. */
static void refuse_unread(struct site *site, struct client *client, int64_t id)
{
    if (id == REQUEST_NO_ID) /* it would wait for its reply for ever */
        site_fail(site, client);
    else
        client_refuse(site, client, id, PROTOCOL_INTERNAL);
}

/* False: it has to wait. */
static bool send_on(struct site *site, struct client *client, const struct decoded *decoded,
                    const char *bytes, size_t len)
{
    unsigned part;
    const struct hub_decoded said = {
        .bytes = bytes, .len = len, .request = &decoded->request, .error = decoded->error};
    switch (way_of(site, client, decoded, &part)) {
    case WAY_WAIT:
        return false;
    case WAY_HELLO:
        greet(site, client, part, &said);
        break;
    case WAY_GATHER:
        gather_begin(site, client, &decoded->request);
        break;
    case WAY_HOME:
    case WAY_PART:
        send_to(site, client, part, &said);
        break;
    case WAY_NONE:
        refuse_unread(site, client, decoded->request.id);
        break;
    }
    return true;
}

/* As it has just been decoded; without memory it is once more, when it has its turn. */
static void keep_decoded(struct message *message, struct decoded *decoded)
{
    message->decoded = malloc(sizeof *message->decoded);
    if (!message->decoded) {
        decoded_release(decoded);
        return;
    }
    *message->decoded = *decoded;
    sodium_memzero(decoded, sizeof *decoded);
}

/* Waits behind what waits already. NULL: it does. */
static struct message *keep_waiting(struct site *site, struct client *client, const char *bytes,
                                    size_t len, enum protocol_error *error)
{
    const bool fits = client->waiting.bytes + len + sizeof(struct decoded) <= /* of the first */
                      site->config.waiting_bytes;
    struct message *message = fits ? message_copy(bytes, len) : NULL;
    *error = fits ? PROTOCOL_INTERNAL : PROTOCOL_SLOW_DOWN;
    if (!message)
        return NULL;
    message->due_ms = site->now_ms + site->config.part_wait_ms;
    messages_add(&client->waiting, message);
    site_note_wait(site, client);
    return message;
}

/* What comes behind something that waits waits as well: their order is the client's. */
static void wait_behind(struct site *site, struct client *client, const char *bytes, size_t len)
{
    enum protocol_error error;
    if (keep_waiting(site, client, bytes, len, &error))
        return;
    decoded_read(&site->decoded, bytes, len); /* for its id */
    client_refuse(site, client, site->decoded.request.id, (int)error);
    decoded_release(&site->decoded);
}

void route_message(struct site *site, struct client *client, const char *bytes, size_t len)
{
    struct decoded *decoded = &site->decoded;
    enum protocol_error error;
    if (client->waiting.first) {
        wait_behind(site, client, bytes, len);
        return;
    }
    decoded_read(decoded, bytes, len);
    if (send_on(site, client, decoded, bytes, len)) {
        decoded_release(decoded);
        return;
    }
    struct message *message = keep_waiting(site, client, bytes, len, &error);
    if (message) {
        keep_decoded(message, decoded);
        return;
    }
    client_refuse(site, client, decoded->request.id, (int)error);
    decoded_release(decoded);
}

/* The first one that waits, decoded. */
static const struct decoded *decode_waiting(struct site *site, struct message *message)
{
    if (!message->decoded) {
        decoded_read(&site->decoded, (const char *)message_bytes(message), message->len);
        keep_decoded(message, &site->decoded);
    }
    return message->decoded;
}

void route_waiting(struct site *site, struct client *client)
{
    struct message *message;
    while ((message = client->waiting.first) != NULL && client->close_code == 0) {
        const struct decoded *decoded = decode_waiting(site, message);
        if (!decoded) {
            site_fail(site, client);
            break;
        }
        const bool gone =
            send_on(site, client, decoded, (const char *)message_bytes(message), message->len);
        if (!gone && message->due_ms > site->now_ms)
            break;
        if (!gone) {
            greet_forget_challenge(client);
            client_refuse(site, client, decoded->request.id, PROTOCOL_PART_AWAY);
        }
        message_free(messages_pop(&client->waiting));
    }
    site_note_wait(site, client);
}

void route_all_waiting(struct site *site)
{
    struct client *next;
    for (struct client *client = site->clients.waits_first; client; client = next) {
        next = client->waits_next;
        route_waiting(site, client);
    }
}
