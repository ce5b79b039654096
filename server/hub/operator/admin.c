#include <hub/admin.h>

#include "admin_feature.h"
#include "admin_letters.h"
#include "admin_list.h"
#include "admin_wait.h"
#include "changes/change.h"
#include "changes/room_clock.h"
#include "feature_table.h"
#include "hub_private.h"
#include "rooms/entry.h"
#include "rooms/hub_room.h"
#include "sessions/notice.h"
#include "sessions/session.h"
#include "waiting/batch.h"
#include <assert.h>
#include <hub/admin_request.h>
#include <hub/hub.h>
#include <protocol/request.h>

void admin_write_greeting(const char *server, struct buffer *line)
{
    struct writer writer;
    writer_init(&writer, line);
    writer_object(&writer);
    writer_key_int(&writer, "taluva_admin", ADMIN_VERSION);
    writer_key_string(&writer, "server", server);
    writer_end(&writer);
    buffer_append_byte(line, '\n');
}

void admin_write_refusal(int64_t id, const struct refusal *refusal, struct buffer *line)
{
    struct writer writer;
    writer_init(&writer, line);
    reply_refusal(&writer, id, refusal);
    buffer_append_byte(line, '\n');
}

static enum admin_outcome refuse_request(struct refusal *refusal, enum protocol_error error,
                                         const char *field)
{
    *refusal = (struct refusal){.error = error, .field = field};
    return ADMIN_REFUSED;
}

static enum admin_outcome refuse_busy(struct refusal *refusal)
{
    *refusal = (struct refusal){.code = "busy",
                                .text = "Something else is being saved; try again in a moment."};
    return ADMIN_REFUSED;
}

/* ---- changes */

/* Nobody has begun to play: it is dropped, with all who are in it. */
static enum admin_outcome close_lobby(struct hub *hub, const struct admin_request *request,
                                      struct hub_room *hub_room, struct refusal *refusal)
{
    struct batch *batch = hub->commit.filling;
    if (hub_room_is_dirty(hub_room)) /* what is dropped must be all that the store has of it */
        return refuse_busy(refusal);
    if (batch_reserve(batch, 1, 2, 0, 0) < 0)
        return refuse_request(refusal, PROTOCOL_INTERNAL, NULL);
    batch_defer(batch, &(struct pending){.kind = PENDING_ADMIN, .hub_room = hub_room});
    const bool forgotten = room_clock_forget(hub, hub_room);
    assert(forgotten);
    (void)forgotten;
    admin_wait_begin(hub, request);
    return ADMIN_WAITS;
}

static enum admin_outcome close_match(struct hub *hub, const struct admin_request *request,
                                      struct hub_room *hub_room, struct refusal *refusal)
{
    struct room_event event;
    room_clock_run(hub, hub_room); /* what is due comes first */
    if (!batch_has_room(hub, 1))
        return refuse_request(refusal, PROTOCOL_STORE_FAILING, NULL);
    if (!room_decide_close(hub_room->room, hub->now_ms, &event, hub->scratch))
        return refuse_request(refusal, PROTOCOL_IS_OVER, "room");
    if (change_apply(hub, hub_room, &event, 1) < 0)
        return refuse_request(refusal, PROTOCOL_INTERNAL, NULL);
    batch_defer(hub->commit.filling,
                &(struct pending){.kind = PENDING_ADMIN, .hub_room = hub_room});
    admin_wait_begin(hub, request);
    return ADMIN_WAITS;
}

static enum admin_outcome close_room(struct hub *hub, const struct admin_request *request,
                                     struct refusal *refusal)
{
    struct hub_room *hub_room = hub_room_find(hub, request->room);
    const enum protocol_error error = change_allowed(hub, 2);
    if (hub->admin.state != ADMIN_NOTHING)
        return refuse_busy(refusal);
    if (!hub_room)
        return refuse_request(refusal, PROTOCOL_UNKNOWN_ROOM, "room");
    if (error != PROTOCOL_OK)
        return refuse_request(refusal, error, NULL);
    const enum protocol_phase phase = room_phase(hub_room->room);
    if (phase == PROTOCOL_PHASE_LOBBY && hub_room->state != HUB_ROOM_LIVE)
        return refuse_request(refusal, PROTOCOL_UNKNOWN_ROOM, "room");
    return phase == PROTOCOL_PHASE_LOBBY ? close_lobby(hub, request, hub_room, refusal)
                                         : close_match(hub, request, hub_room, refusal);
}

size_t hub_announce(struct hub *hub, const char *text, int64_t now_ms)
{
    entry_begin(hub, now_ms);
    const size_t told = notice_to_own(hub, PROTOCOL_NOTICE_ANNOUNCEMENT, text);
    entry_end(hub);
    return told;
}

/* ---- all of it */

static enum admin_outcome show_room(struct hub *hub, const struct admin_request *request,
                                    struct writer *writer, struct refusal *refusal)
{
    const struct hub_room *hub_room = hub_room_find(hub, request->room);
    if (!hub_room)
        return refuse_request(refusal, PROTOCOL_UNKNOWN_ROOM, "room");
    admin_list_room(hub, hub_room, writer);
    return ADMIN_DONE;
}

static void show_list(const struct admin_hubs *hubs, const struct admin_request *request,
                      struct writer *writer)
{
    if (request->op == ADMIN_ROOMS)
        admin_list_rooms(hubs, request, writer);
    else if (request->op == ADMIN_SESSIONS)
        admin_list_sessions(hubs, request, writer);
    else if (request->op == ADMIN_ADDRESSES)
        admin_list_addresses(hubs, request, writer);
    else
        admin_list_status(hubs, writer);
}

static enum admin_outcome carry_out(struct hub *hub, const struct admin_request *request,
                                    struct writer *writer, struct refusal *refusal)
{
    switch ((int)request->op) {
    case ADMIN_ROOM:
        return show_room(hub, request, writer, refusal);
    case ADMIN_CLOSE:
        return close_room(hub, request, refusal);
    case ADMIN_LETTERS:
    case ADMIN_RETRY:
    case ADMIN_DISCARD:
        return admin_letters_ask(hub, request, refusal);
    }
    return refuse_request(refusal, PROTOCOL_UNKNOWN_OP, "op");
}

static enum admin_outcome answer_own(struct hub *hub, const struct admin_request *request,
                                     struct buffer *line, struct refusal *refusal)
{
    struct writer writer;
    writer_init(&writer, line);
    reply_begin(&writer, request->id);
    const enum admin_outcome outcome = carry_out(hub, request, &writer, refusal);
    if (outcome != ADMIN_DONE) {
        buffer_clear(line);
        return outcome;
    }
    reply_end(&writer);
    buffer_append_byte(line, '\n');
    return ADMIN_DONE;
}

enum admin_outcome hub_admin(struct hub *hub, const struct admin_request *request, int64_t now_ms,
                             struct buffer *line, struct refusal *refusal)
{
    const struct operator_row *row = admin_operation(hub->features.list, request->word);
    entry_begin(hub, now_ms);
    const enum admin_outcome outcome = row ? admin_feature_ask(hub, row, request, line, refusal)
                                           : answer_own(hub, request, line, refusal);
    entry_end(hub);
    return outcome;
}

void hub_admin_look(const struct admin_hubs *hubs, const struct admin_request *request,
                    struct buffer *line)
{
    struct writer writer;
    for (size_t at = 0; at < hubs->count; at++)
        entry_begin(hubs->hubs[at], hubs->now_ms);
    writer_init(&writer, line);
    reply_begin(&writer, request->id);
    show_list(hubs, request, &writer);
    reply_end(&writer);
    buffer_append_byte(line, '\n');
}

/* What a change was about. */
static void write_changed(const struct admin_request *request, struct buffer *line)
{
    char letter[ADMIN_LETTER_TEXT + 1];
    struct writer writer;
    writer_init(&writer, line);
    reply_begin(&writer, request->id);
    if (request->op == ADMIN_CLOSE) {
        writer_key_string(&writer, "room", request->room);
    } else {
        admin_letter_format(request->letter.addressee, request->letter.id, letter);
        writer_key_string(&writer, "letter", letter);
    }
    reply_end(&writer);
    buffer_append_byte(line, '\n');
}

static enum admin_outcome answer_waited(const struct hub *hub, struct buffer *line,
                                        struct refusal *refusal)
{
    const struct admin_wait *waited = &hub->admin;
    if (waited->refused) {
        *refusal = waited->refusal;
        return ADMIN_REFUSED;
    }
    if (session_is_elsewhere(hub, waited->request.session))
        return ADMIN_MOVED;
    if (waited->request.word->changes && !waited->stored)
        return refuse_request(refusal, PROTOCOL_STORE_FAILING, NULL);
    if (waited->line.failed)
        return refuse_request(refusal, PROTOCOL_INTERNAL, NULL);
    if (waited->line.len > 0)
        buffer_append(line, buffer_payload(&waited->line), waited->line.len);
    else
        write_changed(&waited->request, line);
    return ADMIN_DONE;
}

enum admin_outcome hub_admin_next(struct hub *hub, struct buffer *line, struct refusal *refusal,
                                  uint64_t *session)
{
    if (hub->admin.state != ADMIN_ANSWERED)
        return ADMIN_WAITS;
    const enum admin_outcome outcome = answer_waited(hub, line, refusal);
    *session = hub->admin.request.session;
    admin_wait_end(hub);
    return outcome;
}
