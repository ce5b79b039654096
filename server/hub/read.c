#include "read.h"

#include "call.h"
#include "conn.h"
#include "entry.h"
#include "http.h"
#include "hub_private.h"
#include "hub_room.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static struct read **find(struct hub *hub, const char *id)
{
    struct read **link = &hub->reads.first;
    while (*link && strcmp((*link)->id, id) != 0)
        link = &(*link)->next;
    return link;
}

/* NULL: too many, or no memory. */
static struct read *get(struct hub *hub, const char *id)
{
    struct read **link = find(hub, id);
    if (*link || hub->reads.count >= (size_t)hub->config.reads)
        return *link;
    struct read *read = calloc(1, sizeof *read);
    if (!read)
        return NULL;
    assert(strlen(id) < sizeof read->id);
    memcpy(read->id, id, strlen(id) + 1);
    read->last = &read->readers;
    hub->reads.count++;
    *link = read; /* at the end: taken in order */
    return read;
}

static void discard(struct hub *hub, struct read **link)
{
    struct read *read = *link;
    assert(read);
    *link = read->next;
    hub->reads.count--;
    free(read);
}

/* NULL: too many, or no memory. */
static struct reader *add_reader(struct hub *hub, const char *id)
{
    struct read *read = get(hub, id);
    struct reader *reader = NULL;
    if (read && read->reader_count < hub->config.readers_per_read)
        reader = calloc(1, sizeof *reader);
    if (reader) {
        *read->last = reader;
        read->last = &reader->next;
        read->reader_count++;
    } else if (read && read->reader_count == 0) {
        discard(hub, find(hub, id));
    }
    return reader;
}

void read_wait(const struct call *call)
{
    const struct request *request = call->request;
    if (!room_id_valid(request->room, strlen(request->room))) {
        call_error(call, PROTOCOL_UNKNOWN_ROOM, "room");
        return;
    }
    struct reader *reader = add_reader(call->hub, request->room);
    if (!reader) {
        call_error(call, PROTOCOL_SLOW_DOWN, NULL);
        return;
    }
    reader->peer = call->conn->peer;
    reader->id = request->id;
    reader->op = request->op;
    reader->fields = request->fields;
    reader->have = request->have;
    if (request_has(request, REQUEST_CODE))
        memcpy(reader->code, request->code, sizeof reader->code);
}

bool read_wait_http(struct hub *hub, const char *room_id, uint64_t ticket)
{
    struct reader *reader = add_reader(hub, room_id);
    if (reader)
        reader->ticket = ticket;
    return reader;
}

bool hub_read_take(struct hub *hub, char room_id[static 9])
{
    struct read *read = hub->reads.first;
    while (read && read->taken)
        read = read->next;
    if (!read || hub->commit.stopped)
        return false;
    read->taken = true;
    memcpy(room_id, read->id, sizeof read->id);
    return true;
}

/* ---- the answer */

static enum protocol_error restore_events(struct room *room, const struct store_room_read *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        int restored = room_restore_event(room, &rows->events[i]);
        if (restored < 0)
            return restored == -1 ? PROTOCOL_INTERNAL : PROTOCOL_UNKNOWN_ROOM;
    }
    bool over = rows->count > 0 && room_phase(room) == PROTOCOL_PHASE_OVER;
    return over ? PROTOCOL_OK : PROTOCOL_UNKNOWN_ROOM;
}

static enum protocol_error restore(struct hub *hub, const struct store_room_read *rows)
{
    if (!rows || !rows->room)
        return PROTOCOL_UNKNOWN_ROOM;
    if (hub->rooms.by_id.count >= (size_t)hub->config.rooms)
        return PROTOCOL_FULL;
    struct room *room = room_restore(hub->env.games, &rows->room->seed);
    if (!room)
        return PROTOCOL_INTERNAL;
    enum protocol_error error = restore_events(room, rows);
    struct hub_room *hub_room = error == PROTOCOL_OK ? hub_room_add(hub, room) : NULL;
    if (!hub_room) {
        room_destroy(room);
        return error == PROTOCOL_OK ? PROTOCOL_INTERNAL : error;
    }
    room_woken(room, hub->now_ms);
    hub_room->durable_seq = room_seq(room);
    hub_room->archived = true;
    hub_room_sync(hub, hub_room);
    return PROTOCOL_OK;
}

static void serve_peer(struct hub *hub, const struct read *read, const struct reader *reader,
                       enum protocol_error error)
{
    struct request *request = &hub->request;
    struct conn *conn = conn_of(hub, reader->peer);
    if (!conn || conn->close_code || !conn->session)
        return;
    request_init(request, reader->id, reader->op);
    request->fields = reader->fields;
    request->have = reader->have;
    memcpy(request->room, read->id, sizeof request->room);
    memcpy(request->code, reader->code, sizeof request->code);
    if (error == PROTOCOL_OK) {
        route_again(hub, conn, request);
        return;
    }
    struct call call = {.hub = hub, .conn = conn, .session = conn->session, .request = request};
    call_error(&call, error, error == PROTOCOL_UNKNOWN_ROOM ? "room" : NULL);
}

static void serve(struct hub *hub, struct read *read, enum protocol_error error)
{
    while (read->readers) {
        struct reader *reader = read->readers;
        read->readers = reader->next;
        if (reader->ticket)
            http_record_done(hub, reader->ticket, read->id, error);
        else
            serve_peer(hub, read, reader, error);
        free(reader);
    }
}

void hub_read_done(struct hub *hub, const char *room_id, enum store_result result,
                   const struct store_room_read *read_rows, int64_t now_ms)
{
    struct read **link = find(hub, room_id), *read = *link;
    assert(read && read->taken);
    entry_begin(hub, now_ms);
    *link = read->next; /* whoever asks again while these are served asks anew */
    hub->reads.count--;
    enum protocol_error error =
        result == STORE_OK ? restore(hub, read_rows) : PROTOCOL_STORE_FAILING;
    serve(hub, read, error);
    free(read);
    entry_end(hub);
}

void reads_release(struct hub *hub)
{
    while (hub->reads.first) {
        struct read *read = hub->reads.first;
        while (read->readers) {
            struct reader *reader = read->readers;
            read->readers = reader->next;
            free(reader);
        }
        discard(hub, &hub->reads.first);
    }
}
