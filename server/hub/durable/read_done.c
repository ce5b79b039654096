/*
 * The store has answered a read: the room comes into memory, and the requests that waited for it
 * are handled; or a page of rows goes to who asked for it.
 */
#include "read_done.h"

#include "changes/room_clock.h"
#include "connections/conn.h"
#include "http.h"
#include "http/http_query.h"
#include "hub_private.h"
#include "kernel/call_private.h"
#include "operator/admin_feature.h"
#include "operator/admin_letters.h"
#include "parts/mail.h"
#include "requests/read.h"
#include "requests/route.h"
#include "rooms/damaged.h"
#include "rooms/entry.h"
#include "rooms/hub_room.h"
#include "waiting/query.h"
#include <hub/call.h>
#include <stdlib.h>
#include <string.h>

static enum protocol_error restore_events(struct room *room, const struct store_room_read *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        int restored = room_restore_event(room, &rows->events[i]);
        if (restored < 0)
            return restored == -1 ? PROTOCOL_INTERNAL : PROTOCOL_ROOM_DAMAGED;
    }
    return room_phase(room) == PROTOCOL_PHASE_OVER ? PROTOCOL_OK : PROTOCOL_ROOM_DAMAGED;
}

static enum protocol_error restore_room(struct hub *hub, const struct store_room_read *rows)
{
    if (!rows || !rows->room)
        return PROTOCOL_UNKNOWN_ROOM;
    if (!rooms_make_place_to_read(hub))
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
    for (size_t i = 0; i < rows->guest_count; i++) {
        uint64_t ignored;
        room_let_in(room, rows->guests[i], &ignored);
    }
    room_restored(room, hub->now_ms);
    hub_room->durable_seq = room_seq(room);
    hub_room_set_state(hub_room, HUB_ROOM_ARCHIVED);
    hub_room_sync(hub, hub_room);
    return PROTOCOL_OK;
}

static void serve_peer(struct hub *hub, const struct read *read, const struct reader *reader,
                       enum protocol_error error)
{
    struct request *request = &hub->request;
    struct call call;
    if (!call_again(hub, reader->peer, reader->id, reader->op, &call))
        return;
    request->follows = reader->follows;
    request->fields = reader->fields;
    request->have = reader->have;
    memcpy(request->room, read->id, sizeof request->room);
    memcpy(request->code, reader->code, sizeof request->code);
    if (error == PROTOCOL_OK) {
        route_again(hub, call.conn, request);
        return;
    }
    bool names_room = error == PROTOCOL_UNKNOWN_ROOM || error == PROTOCOL_ROOM_DAMAGED;
    call_error(&call, error, names_room ? "room" : NULL);
}

static void serve_reader(struct hub *hub, const struct read *read, struct reader *reader,
                         enum protocol_error error)
{
    if (reader->ticket)
        http_record_done(hub, reader->ticket, read->id, error);
    else
        serve_peer(hub, read, reader, error);
    free(reader);
}

static void serve_readers(struct hub *hub, struct read *read, enum protocol_error error)
{
    while (read->readers) {
        struct reader *reader = read->readers;
        read->readers = reader->next;
        serve_reader(hub, read, reader, error);
    }
}

void hub_read_done(struct hub *hub, const char *room_id, enum store_result result,
                   const struct store_room_read *read_rows, int64_t now_ms)
{
    entry_begin(hub, now_ms);
    struct read *read = read_finish(hub, room_id);
    enum protocol_error error = result == STORE_OK        ? restore_room(hub, read_rows)
                                : result == STORE_CORRUPT ? PROTOCOL_ROOM_DAMAGED
                                                          : PROTOCOL_STORE_FAILING;
    if (error == PROTOCOL_ROOM_DAMAGED) /* without memory for this it is found out again */
        damaged_add(hub, room_id, "its archive cannot be read or replayed");
    serve_readers(hub, read, error);
    free(read);
    entry_end(hub);
}

/* ---- who has lost their place to somebody else, in the middle of whose request that is */

static void reader_gives_way(struct hub *hub, const struct read *read, struct reader *reader)
{
    const struct request held = hub->request;
    serve_reader(hub, read, reader, PROTOCOL_SLOW_DOWN);
    hub->request = held;
}

static void refuse_again(struct hub *hub, struct hub_peer peer, int64_t id, enum request_op op)
{
    const struct request held = hub->request;
    struct call call;
    if (call_again(hub, peer, id, op, &call))
        call_error(&call, PROTOCOL_SLOW_DOWN, NULL);
    hub->request = held;
}

static void query_gives_way(struct hub *hub, struct queued *queued)
{
    struct query_waiting *waiting = (struct query_waiting *)(void *)queued;
    if (waiting->http)
        http_query_gives_way(hub, waiting->http);
    else
        refuse_again(hub, waiting->peer, waiting->id, waiting->op);
    query_free(waiting);
}

void read_done_begin(struct hub *hub)
{
    hub->reads.reader_gives_way = reader_gives_way;
    hub->queries.queue.gives_way = query_gives_way;
}

/* ---- pages of rows */

/* Letters have no ticket, and what the operator asks for has one that no other gets. */
bool hub_query_take(struct hub *hub, struct store_query *query)
{
    if (hub->commit.stopped)
        return false;
    if (mail_take(hub, query) || admin_letters_take(hub, query) || admin_page_take(hub, query))
        return true;
    const struct query_waiting *waiting = query_take(hub);
    if (!waiting)
        return false;
    *query = waiting->query;
    return true;
}

static void answer_waiting(struct hub *hub, const struct store_query *query)
{
    struct call call;
    struct query_waiting *waiting = query_finish(hub, query->ticket);
    if (waiting->http) {
        if (http_query_done(hub, waiting, query))
            query_free(waiting);
        return;
    }
    if (call_again(hub, waiting->peer, waiting->id, waiting->op, &call)) {
        call.kept = waiting->kept;
        if (waiting->held)
            route_held(&call, waiting->held, query);
        else
            hub->features.owners[waiting->op]->queried(&call, query);
    }
    query_free(waiting);
}

void hub_query_done(struct hub *hub, const struct store_query *query, int64_t now_ms)
{
    entry_begin(hub, now_ms);
    if (query->ticket == 0)
        mail_received(hub, query);
    else if (query->ticket == ADMIN_LETTERS_TICKET)
        admin_letters_received(hub, query);
    else if (query->ticket == ADMIN_PAGE_TICKET)
        admin_page_received(hub, query);
    else
        answer_waiting(hub, query);
    entry_end(hub);
}
