#include "client.h"

#include "output_queue.h"
#include <assert.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

/* ---- what clients send */

void decoded_read(struct decoded *decoded, const char *bytes, size_t len)
{
    decoded->error = request_decode(&decoded->request, bytes, len);
    if (decoded->error == PROTOCOL_OK)
        return;
    decoded->request.op = REQUEST_OPS;
    decoded->request.fields = 0;
}

/* Members that open nothing and say of nobody who they are: all that a move has. */
static const uint64_t plain_members =
    REQUEST_ROOM | REQUEST_MOVE_TEXT | REQUEST_CONFIRM | REQUEST_HAVE | REQUEST_AS;

/* To wipe all of it costs a tenth of a move, so that is left out where there is nothing to hide. */
void decoded_release(struct decoded *decoded)
{
    const bool hides =
        decoded->error != PROTOCOL_OK || (decoded->request.fields & ~plain_members) != 0;
    request_release(&decoded->request);
    if (hides)
        sodium_memzero(decoded, sizeof *decoded);
}

/* ---- messages */

struct message *message_new(size_t len)
{
    struct message *message = malloc(sizeof *message + HUB_OUTPUT_HEADROOM + len);
    if (message)
        *message = (struct message){.len = len};
    return message;
}

struct message *message_copy(const void *bytes, size_t len)
{
    struct message *message = message_new(len);
    if (message)
        memcpy(message_bytes(message), bytes, len);
    return message;
}

struct message *message_told(const void *bytes, size_t len, const struct hub_head *head,
                             struct facts facts)
{
    struct message *message = message_new(len + facts.len);
    if (!message)
        return NULL;
    message->len = len;
    message->facts_len = facts.len;
    message->head = *head;
    memcpy(message_bytes(message), bytes, len);
    if (facts.len > 0)
        memcpy(message_bytes(message) + len, facts.at, facts.len);
    return message;
}

void messages_add(struct messages *messages, struct message *message)
{
    if (!messages->first)
        messages->last = &messages->first;
    message->next = NULL;
    *messages->last = message;
    messages->last = &message->next;
    messages->bytes += message->len;
}

void messages_add_first(struct messages *messages, struct message *message)
{
    if (!messages->first) {
        messages_add(messages, message);
        return;
    }
    message->next = messages->first;
    messages->first = message;
    messages->bytes += message->len;
}

struct message *messages_pop(struct messages *messages)
{
    struct message *message = messages->first;
    if (message) {
        messages->first = message->next;
        messages->bytes -= message->len;
    }
    return message;
}

void message_free(struct message *message)
{
    if (!message)
        return;
    if (message->decoded) {
        decoded_release(message->decoded);
        free(message->decoded);
    }
    free(message);
}

void messages_clear(struct messages *messages)
{
    struct message *message;
    while ((message = messages_pop(messages)) != NULL)
        message_free(message);
}

/* ---- the table */

int clients_init(struct clients *clients, const struct site_config *config)
{
    *clients = (struct clients){.size = config->clients};
    memcpy(clients->groups_key, config->groups_key, sizeof clients->groups_key);
    clients->slots = calloc(config->clients, sizeof *clients->slots);
    return clients->slots ? 0 : -1;
}

void clients_release(struct clients *clients)
{
    assert(clients->count == 0);
    free(clients->slots);
}

struct client *client_of(const struct clients *clients, struct hub_peer peer)
{
    struct client *client = peer.index < clients->size ? clients->slots[peer.index].client : NULL;
    return client && client->peer.generation == peer.generation ? client : NULL;
}

struct client *client_next(const struct clients *clients, size_t *at)
{
    const size_t used = clients->count + clients->spare_count;
    while (*at < used) {
        struct client *client = clients->slots[(*at)++].client;
        if (client)
            return client;
    }
    return NULL;
}

/* There is one. Without free ones all that were used have a client: the next is new. */
static uint32_t next_slot(struct clients *clients)
{
    return clients->spare_count > 0 ? clients->slots[--clients->spare_count].spare
                                    : (uint32_t)clients->count;
}

struct client *client_add(struct clients *clients, const uint8_t address[static 16])
{
    struct client *client = clients->count < clients->size ? calloc(1, sizeof *client) : NULL;
    if (!client)
        return NULL;
    const uint32_t at = next_slot(clients);
    struct client_slot *slot = &clients->slots[at];
    clients->count++;
    if (++slot->generation == 0) /* {0, 0} is no peer */
        slot->generation = 1;
    client->peer = (struct hub_peer){at, slot->generation};
    memcpy(client->address, address, sizeof client->address);
    client->output.turn.group = address_group_of(clients->groups_key, address);
    client->answer_due_ms = client->resume_due_ms = INT64_MAX;
    slot->client = client;
    return client;
}

static void set_waits(struct clients *clients, struct client *client, bool waits)
{
    if (client->waits == waits)
        return;
    client->waits = waits;
    if (waits) {
        client->waits_self = &clients->waits_first;
        client->waits_next = clients->waits_first;
        clients->waits_first = client;
    } else {
        *client->waits_self = client->waits_next;
    }
    if (client->waits_next)
        client->waits_next->waits_self = waits ? &client->waits_next : client->waits_self;
}

int64_t client_note_wait(struct clients *clients, struct client *client)
{
    const struct message *first = client->waiting.first;
    int64_t due_ms = first ? first->due_ms : INT64_MAX;
    if (client->answer_due_ms < due_ms)
        due_ms = client->answer_due_ms;
    if (client->resume_due_ms < due_ms)
        due_ms = client->resume_due_ms;
    set_waits(clients, client, due_ms != INT64_MAX);
    return due_ms;
}

void client_remove(struct clients *clients, struct client *client)
{
    assert(!client->ports && !client->greeting && !client->gather && !client->shown);
    output_queue_remove(&clients->outputs, &client->output);
    set_waits(clients, client, false);
    messages_clear(&client->held);
    messages_clear(&client->waiting);
    clients->slots[client->peer.index].client = NULL;
    clients->slots[clients->spare_count++].spare = client->peer.index;
    clients->count--;
    sodium_memzero(client->secret_hash, sizeof client->secret_hash);
    free(client);
}

void client_close(struct clients *clients, struct client *client, int code)
{
    if (client->close_code != 0)
        return;
    client->close_code = code;
    client_mark_ready(clients, client, true);
}

void client_mark_ready(struct clients *clients, struct client *client, bool hurries)
{
    output_queue_add(&clients->outputs, &client->output, hurries);
}

struct client *client_pop_ready(struct clients *clients)
{
    struct output_entry *entry = output_queue_pop(&clients->outputs);
    return entry ? (struct client *)(void *)((char *)entry - offsetof(struct client, output))
                 : NULL;
}
