#include "player.h"

#include <protocol/json_read.h>
#include <protocol/json_writer.h>
#include <stdio.h>
#include <string.h>

void player_init(struct player *player, const struct player_room *room_ops, void *match,
                 const struct line_route *route, struct stats *stats, uint8_t seat,
                 const char *name, int64_t first_id)
{
    *player = (struct player){
        .room_ops = room_ops,
        .match = match,
        .route = route,
        .stats = stats,
        .seat = seat,
        .first_id = first_id,
        .next_id = first_id,
        .enter_id = -1,
    };
    buffer_init(&player->out, 0, PROTOCOL_MESSAGE_BYTES);
    strncpy(player->name, name, sizeof player->name - 1);
}

void player_release(struct player *player)
{
    buffer_release(&player->out);
}

static const struct wire_socket_events events;

/* ---- asking */

void player_request(const struct player *player, struct request *request, enum request_op op)
{
    request_init(request, REQUEST_NO_ID, op);
    if (op != REQUEST_HELLO && op != REQUEST_CREATE) {
        memcpy(request->room, player->room, sizeof request->room);
        request->fields |= REQUEST_ROOM;
    }
}

int64_t player_ask(struct player *player, struct request *request)
{
    if (player->stage == PLAYER_AWAY)
        return -1;
    if (request->id == REQUEST_NO_ID)
        request->id = player->next_id++;
    struct writer writer;
    buffer_clear(&player->out);
    writer_init(&writer, &player->out);
    request_encode(&writer, request);
    player->stats->sent_bytes += player->out.len;
    const bool sent = line_send(&player->line, buffer_payload(&player->out), player->out.len);
    return sent ? request->id : -1;
}

static void say_hello(struct player *player)
{
    struct request request;
    player_request(player, &request, REQUEST_HELLO);
    memcpy(request.name, player->name, sizeof player->name);
    request.fields |= REQUEST_NAME;
    if (player->token[0] != '\0') {
        memcpy(request.token, player->token, sizeof request.token);
        request.fields |= REQUEST_TOKEN;
    }
    player->stage = PLAYER_HELLO;
    player->enter_id = player_ask(player, &request);
}

static void resume_room(struct player *player)
{
    struct request request;
    player_request(player, &request, REQUEST_WATCH);
    request.have = player->seq;
    request.fields |= REQUEST_HAVE;
    player->stage = PLAYER_ENTER;
    player->resuming = true;
    player->enter_id = player_ask(player, &request);
}

void player_leave_room(struct player *player)
{
    struct request request;
    player_request(player, &request, REQUEST_LEAVE);
    (void)player_ask(player, &request);
    player->seq = 0;
    player->in_place = false;
    player->room[0] = '\0';
    if (player->stage == PLAYER_IN)
        player->stage = PLAYER_IDLE;
}

void player_connect(struct player *player)
{
    player->stage = PLAYER_AWAY;
    player->cut_on_purpose = false;
    if (!line_open(&player->line, player->route, &events, player))
        player->room_ops->failed(player, FAILURE_CONNECT, "cannot connect");
}

void player_cut(struct player *player, enum player_cut cut)
{
    if (line_is_there(&player->line)) {
        player->cut_on_purpose = true;
        player->cut = cut;
        player->stage = PLAYER_AWAY;
        line_cut(&player->line);
    }
}

/* ---- receiving */

static void fail_malformed(struct player *player, const char *what)
{
    player->room_ops->failed(player, FAILURE_MALFORMED, what);
}

static void on_greeting(struct player *player, const json_t *ok)
{
    const char *token = json_string_value(json_object_get(ok, "token"));
    if (token && strlen(token) == PROTOCOL_TOKEN_BYTES)
        memcpy(player->token, token, sizeof player->token);
    player->stage = PLAYER_IDLE;
    player->stats->connects++;
    if (player->room[0] != '\0' && player->seq != 0)
        resume_room(player);
    else
        player->room_ops->greeted(player);
}

static void on_view(struct player *player, json_t *ok, size_t bytes)
{
    const char *room = json_string_value(json_object_get(ok, "room"));
    const json_t *seq = json_object_get(ok, "seq");
    json_t *state = json_object_get(ok, "state");
    if (!room || strcmp(room, player->room) != 0 || !json_is_integer(seq) ||
        (!state && player->seq == 0)) {
        fail_malformed(player, "a view without its room, seq or state");
        return;
    }
    if (player->resuming) {
        player->stats->resumes++;
        player->resume_bytes = bytes;
        player->resume_until = !state ? (uint64_t)json_integer_value(seq) : 0;
        if (state || player->resume_until == (uint64_t)player->seq) {
            histogram_record(&player->stats->resume_size, bytes);
            player->resume_until = 0;
        }
    }
    if (state)
        player->seq = json_integer_value(seq);
    player->stage = PLAYER_IN;
    player->resuming = false;
    player->room_ops->entered(player, state);
}

static void on_ok(struct player *player, int64_t id, json_t *ok, size_t bytes)
{
    if (id == player->enter_id && player->stage == PLAYER_HELLO)
        on_greeting(player, ok);
    else if (id == player->enter_id && player->stage == PLAYER_ENTER)
        on_view(player, ok, bytes);
    else if (json_object_get(ok, "room") && player->stage == PLAYER_IDLE)
        player->room_ops->created(player, json_string_value(json_object_get(ok, "room")));
    else
        player->room_ops->answered(player, id, json_integer_value(json_object_get(ok, "seq")));
}

static void count_push(struct player *player, size_t len)
{
    player->stats->pushes++;
    player->stats->push_bytes += len;
    player->seq++;
    if (player->resume_until != 0) {
        player->resume_bytes += len;
        if ((uint64_t)player->seq == player->resume_until) {
            histogram_record(&player->stats->resume_size, player->resume_bytes);
            player->resume_until = 0;
        }
    }
}

static void take_push(struct player *player, json_t *push, const char *bytes, size_t len)
{
    count_push(player, len);
    player->room_ops->pushed(player, push, bytes, len);
}

static void on_event_push(struct player *player, json_t *push, const char *bytes, size_t len)
{
    const char *room = json_string_value(json_object_get(push, "room"));
    if (!room || strcmp(room, player->room) != 0) {
        return; /* of a room just left */
    }
    if (player->seq == 0 || json_integer_value(json_object_get(push, "seq")) != player->seq + 1) {
        player->room_ops->failed(player, FAILURE_GAP, "a push out of sequence");
        return;
    }
    take_push(player, push, bytes, len);
}

/* What a move brings, if it is spelled as servers of ours do. */
static bool take_in_place(struct player *player, const char *bytes, size_t len)
{
    int64_t id, seq;
    struct message_event event;
    if (message_answer(bytes, len, &id, &seq)) {
        player->room_ops->answered(player, id, seq);
        return true;
    }
    if (!player->in_place || !message_event(&event, bytes, len, player->room))
        return false;
    if (event.seq != player->seq + 1) {
        player->room_ops->failed(player, FAILURE_GAP, "a push out of sequence");
        return true;
    }
    player->stats->pushes_in_place++;
    count_push(player, len);
    player->room_ops->followed(player, &event, len);
    return true;
}

/* NULL: it is no JSON. Of nearly all messages by the reader that costs a fifth of jansson's own,
 * which is for requests and takes no more than one may have. */
static json_t *read_message(const char *bytes, size_t len)
{
    enum { DEPTH = 32 }; /* far more than there is */
    json_t *message;
    if (len > PROTOCOL_MESSAGE_BYTES)
        return json_loadb(bytes, len, JSON_REJECT_DUPLICATES, NULL);
    (void)json_read(&message, bytes, len, DEPTH);
    return message;
}

static void on_message(void *user, const char *bytes, size_t len)
{
    struct player *player = user;
    if (player->stage == PLAYER_AWAY) {
        return; /* on its way when the wire was cut */
    }
    player->stats->messages++;
    player->stats->bytes += len;
    if (player->stage == PLAYER_IN && player->room_ops->same(player, bytes, len)) {
        take_push(player, NULL, bytes, len);
        return;
    }
    if (player->stage == PLAYER_IN && take_in_place(player, bytes, len))
        return;
    json_t *message = read_message(bytes, len);
    const char *push = json_string_value(json_object_get(message, "push"));
    const json_t *id = json_object_get(message, "id");
    json_t *ok = json_object_get(message, "ok");
    const json_t *error = json_object_get(message, "error");
    if (push) {
        if (strcmp(push, "event") == 0)
            on_event_push(player, message, bytes, len);
    } else if (json_is_integer(id) && ok != NULL) {
        on_ok(player, json_integer_value(id), ok, len);
    } else if (error) {
        const char *code = json_string_value(json_object_get(error, "code"));
        player->room_ops->failed(player, FAILURE_REFUSED, code ? code : "error");
    } else {
        fail_malformed(player, "neither reply nor push");
    }
    json_decref(message);
}

static void on_opened(void *user)
{
    say_hello(user);
}

static void on_closed(void *user, int code, const char *reason)
{
    struct player *player = user;
    const bool opened = player->stage != PLAYER_AWAY;
    player->line = (struct line){NULL, NULL};
    player->stage = PLAYER_AWAY;
    if (!player->cut_on_purpose) {
        char what[160];
        (void)snprintf(what, sizeof what, "connection lost, close code %d %s", code, reason);
        player->room_ops->failed(player, opened ? FAILURE_CUT : FAILURE_CONNECT, what);
    } else if (player->cut == PLAYER_BACK) {
        player_connect(player);
    }
}

static const struct wire_socket_events events = {
    .opened = on_opened,
    .message = on_message,
    .closed = on_closed,
};
