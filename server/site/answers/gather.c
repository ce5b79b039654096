#include "gather.h"

#include "clients/client.h"
#include "merge.h"
#include "parts/port.h"
#include "site_private.h"
#include "whole.h"
#include <protocol/json_writer.h>
#include <protocol/reply.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ASK_BYTES = 128 };

/* The last room of each part that the client was shown. */
struct shown {
    char last[PROTOCOL_ROOM_BYTES + 1]; /* of all */
    char of[PARTS_MAX][PROTOCOL_ROOM_BYTES + 1];
};

struct gather {
    int64_t id;
    bool paged;
    uint64_t missing; /* bit set of parts */
    struct message *answers[PARTS_MAX];
};

/* ---- asking */

/*
 * A client that names the last room of its last page goes on there: each part knows its own place.
 * If it names another one, every part is asked for what comes behind that room. A part that does
 * not have it cannot know whether its match has begun, and goes on as behind a lobby.
 */
static bool set_shown(struct client *client, const char *after)
{
    if (!client->shown)
        client->shown = calloc(1, sizeof *client->shown);
    if (!client->shown || strcmp(client->shown->last, after) == 0)
        return client->shown;
    for (unsigned part = 0; part < PARTS_MAX; part++)
        snprintf(client->shown->of[part], sizeof client->shown->of[part], "%s", after);
    return true;
}

static bool ask_part(struct site *site, const struct port *port, const struct gather *gather,
                     const char *after)
{
    struct buffer buffer;
    struct writer writer;
    struct request request;
    request_init(&request, gather->id, REQUEST_ROOMS);
    if (after[0]) {
        request.fields = REQUEST_AFTER;
        memcpy(request.after, after, PROTOCOL_ROOM_BYTES + 1);
    }
    buffer_init(&buffer, 0, ASK_BYTES);
    writer_init(&writer, &buffer);
    request_encode(&writer, &request);
    const struct hub_decoded said = {.bytes = buffer_payload(&buffer),
                                     .len = buffer.len,
                                     .request = &request,
                                     .error = PROTOCOL_OK};
    const bool asked = !buffer.failed && port_send(site, port, &said);
    buffer_release(&buffer);
    return asked;
}

/* NULL: it cannot be had, so its rooms are left out. */
static struct port *port_to(struct site *site, struct client *client, unsigned part)
{
    int code;
    struct port *port = port_find(client, part);
    if (port ? port->lost : !part_is_served(&site->parts[part]))
        return NULL;
    if (port)
        return port;
    port = port_open(site, client, part, &code);
    if (port)
        port->passing = true;
    return port;
}

void gather_begin(struct site *site, struct client *client, const struct request *request)
{
    const bool paged = request_has(request, REQUEST_AFTER);
    struct gather *gather = calloc(1, sizeof *gather);
    if (!gather || !set_shown(client, paged ? request->after : "")) {
        free(gather);
        client_refuse(site, client, request->id, PROTOCOL_INTERNAL);
        return;
    }
    gather->id = request->id;
    gather->paged = paged;
    client->gather = gather;
    client->answer_due_ms = site->now_ms + site->config.gather_wait_ms;
    site_note_wait(site, client);
    for (unsigned part = 0; part < site->config.parts; part++) {
        const struct port *port = port_to(site, client, part);
        if (port && port->late_count < PORT_LATE_MAX &&
            ask_part(site, port, gather, client->shown->of[part]))
            gather->missing |= UINT64_C(1) << part;
    }
    if (!gather->missing)
        gather_late(site, client);
}

/* ---- the answers */

static struct piece text_of(const struct gather *gather, unsigned part)
{
    struct message *answer = gather->answers[part];
    return answer ? (struct piece){(const char *)message_bytes(answer), answer->len}
                  : (struct piece){0};
}

static struct facts facts_of(const struct gather *gather, unsigned part)
{
    return gather->answers[part] ? message_facts(gather->answers[part]) : (struct facts){0};
}

void gather_end(struct site *site, struct client *client)
{
    struct gather *gather = client->gather;
    if (!gather)
        return;
    client->gather = NULL;
    client->answer_due_ms = INT64_MAX;
    site_note_wait(site, client);
    for (unsigned part = 0; part < site->config.parts; part++) {
        struct port *port = port_find(client, part);
        if (port && port->passing)
            port_close(site, port);
        else if (port && gather->missing >> part & 1)
            port->late[port->late_count++] = gather->id;
        free(gather->answers[part]);
    }
    free(gather);
}

void shown_release(struct client *client)
{
    free(client->shown);
    client->shown = NULL;
}

static void note_shown(struct shown *shown, const struct merged_room *room)
{
    memcpy(shown->of[room->part], room->id, sizeof room->id);
    memcpy(shown->last, room->id, sizeof room->id);
}

/* One page of all of them. */
static void write_rooms(const struct site *site, const struct gather *gather, struct shown *shown,
                        struct writer *writer)
{
    struct merge merge = {0};
    struct merged_room room;
    for (unsigned part = 0; part < site->config.parts; part++)
        merge_add(&merge, part, text_of(gather, part), facts_of(gather, part));
    writer_key_array(writer, "rooms");
    for (size_t count = 0; count < MERGE_PAGE && merge_next(&merge, &room); count++) {
        writer_raw(writer, room.text.at, room.text.len);
        note_shown(shown, &room);
    }
    writer_end(writer);
    if (merge_has_more(&merge))
        writer_key_bool(writer, "more", true);
}

static void write_own(const struct site *site, const struct gather *gather, struct writer *writer)
{
    bool any = false;
    for (unsigned part = 0; part < site->config.parts; part++) {
        const struct piece text = text_of(gather, part);
        struct facts_room room;
        size_t at = 0;
        while (facts_next_room(facts_of(gather, part), text.len, &at, &room)) {
            if (!room.own)
                continue;
            if (!any)
                writer_key_array(writer, "mine");
            any = true;
            writer_raw(writer, text.at + room.place, room.len);
        }
    }
    if (any)
        writer_end(writer);
}

/* Is a part left out, which nobody has, or which has not answered? */
static bool misses_some(const struct site *site, const struct gather *gather)
{
    for (unsigned part = 0; part < site->config.parts; part++) {
        if (!gather->answers[part])
            return true;
    }
    return false;
}

static void write_answer(struct site *site, struct client *client, struct writer *writer)
{
    const struct gather *gather = client->gather;
    reply_begin(writer, gather->id);
    write_rooms(site, gather, client->shown, writer);
    if (!gather->paged)
        write_own(site, gather, writer);
    if (misses_some(site, gather)) {
        writer_key_bool(writer, "incomplete", true);
        whole_misses(site, client);
    }
    reply_end(writer);
}

/* A part that refuses does so for all: a list without its rooms would look like a whole one. */
static struct message *refusal_among(const struct site *site, const struct gather *gather)
{
    for (unsigned part = 0; part < site->config.parts; part++) {
        if (gather->answers[part] && gather->answers[part]->head.kind == HUB_REFUSAL)
            return gather->answers[part];
    }
    return NULL;
}

void gather_late(struct site *site, struct client *client)
{
    struct gather *gather = client->gather;
    struct message *refusal = refusal_among(site, gather);
    const struct hub_head head = {.kind = HUB_REPLY, .id = gather->id};
    struct buffer buffer;
    struct writer writer;
    buffer_init(&buffer, 0, site->config.held_bytes);
    if (refusal) {
        buffer_append(&buffer, message_bytes(refusal), refusal->len);
    } else {
        writer_init(&writer, &buffer);
        write_answer(site, client, &writer);
    }
    client_push(site, client, &buffer, refusal ? &refusal->head : &head);
    gather_end(site, client);
}

static void note_answer(struct site *site, struct client *client, unsigned part)
{
    client->gather->missing &= ~(UINT64_C(1) << part);
    if (!client->gather->missing)
        gather_late(site, client);
}

static bool waits_for(const struct gather *gather, const struct port *port)
{
    return gather && gather->missing >> port->part & 1;
}

/* They come in the order in which they were asked for. */
static bool is_late(struct port *port, int64_t id)
{
    if (port->late_count == 0 || port->late[0] != id)
        return false;
    port->late_count--;
    memmove(port->late, port->late + 1, port->late_count * sizeof port->late[0]);
    return true;
}

bool gather_answer(struct site *site, struct port *port, const struct hub_head *head,
                   struct piece text)
{
    struct client *client = port->client;
    if (is_late(port, head->id))
        return true;
    if (!waits_for(client->gather, port) || head->id != client->gather->id)
        return false;
    client->gather->answers[port->part] =
        message_told(text.at, text.len, head, port_facts(site, port));
    note_answer(site, client, port->part);
    return true;
}

void gather_lost(struct site *site, struct port *port)
{
    if (waits_for(port->client->gather, port))
        note_answer(site, port->client, port->part);
}
