#include "client.h"

#include <assert.h>
#include <protocol/merge_patch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

json_int_t number_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_integer(value) ? json_integer_value(value) : -1;
}

static void copy(char *to, size_t size, const char *from)
{
    (void)snprintf(to, size, "%s", from);
}

/* ---- rooms */

struct client_room *room_find(struct client *client, const char *id)
{
    for (size_t i = 0; i < client->room_count; i++) {
        if (strcmp(client->rooms[i].id, id) == 0)
            return &client->rooms[i];
    }
    return NULL;
}

void room_forget(struct client *client, struct client_room *room)
{
    json_decref(room->state);
    json_decref(room->old_state);
    *room = client->rooms[--client->room_count];
}

static struct client_room *useless_room(struct client *client)
{
    for (size_t i = 0; i < client->room_count; i++) {
        struct client_room *room = &client->rooms[i];
        bool over = strcmp(text_of(room->state, "phase"), "over") == 0;
        if (!room->asked && (over || room->seat < 0) && !ask_pending(client, room->id))
            return room;
    }
    return NULL;
}

struct client_room *room_add(struct client *client, const char *id, const char *code)
{
    struct client_room *room = room_find(client, id);
    if (!room && client->room_count == CLIENT_ROOMS) {
        room = useless_room(client);
        if (!room)
            return NULL;
        room_forget(client, room);
        room = NULL;
    }
    if (!room) {
        room = &client->rooms[client->room_count++];
        *room = (struct client_room){.seat = -1};
        copy(room->id, sizeof room->id, id);
    }
    if (code[0])
        copy(room->code, sizeof room->code, code);
    return room;
}

/* ---- asks */

struct ask *ask_begin(struct client *client)
{
    for (size_t i = 1; i < CLIENT_ASKS; i++) {
        if (client->asks[i].id == 0)
            return &client->asks[i];
    }
    return NULL;
}

/* There is always room for it: who waits for many answers must come back to get them. */
struct ask *ask_begin_hello(struct client *client)
{
    assert(client->asks[0].id == 0);
    return &client->asks[0];
}

bool ask_pending(const struct client *client, const char *room)
{
    for (size_t i = 0; i < CLIENT_ASKS; i++) {
        if (client->asks[i].id && strcmp(client->asks[i].room, room) == 0)
            return true;
    }
    return false;
}

void ask_release(struct ask *ask)
{
    free(ask->text);
    json_decref(ask->answer);
    json_decref(ask->base);
    *ask = (struct ask){0};
}

static void remember_text(struct sim *sim, const char *text)
{
    char **place = &sim->recent[sim->recent_at++ % (sizeof sim->recent / sizeof sim->recent[0])];
    free(*place);
    *place = malloc(strlen(text) + 1);
    if (*place)
        memcpy(*place, text, strlen(text) + 1);
}

void ask_send(struct sim *sim, struct client *client, struct ask *ask, const char *op,
              const char *room, json_t *members)
{
    json_t *request = members ? members : json_object();
    ask->id = client->next_id++;
    copy(ask->op, sizeof ask->op, op);
    copy(ask->room, sizeof ask->room, room);
    json_object_set_new(request, "id", json_integer(ask->id));
    json_object_set_new(request, "op", json_string(op));
    if (room[0])
        json_object_set_new(request, "room", json_string(room));
    ask->text = json_dumps(request, JSON_COMPACT);
    ask->sent = true;
    ask->division = sim->divisions;
    ask->sent_ms = sim->now_ms;
    ask->start = sim->starts;
    json_decref(request);
    remember_text(sim, ask->text);
    wire_send(sim, (unsigned)client->wire, ask->text);
}

static struct ask *ask_of(struct client *client, int64_t id)
{
    for (size_t i = 0; i < CLIENT_ASKS; i++) {
        if (client->asks[i].id == id && client->asks[i].sent)
            return &client->asks[i];
    }
    return NULL;
}

/* ---- what it is told of a room */

static const struct truth *truth_of(const struct sim *sim, const char *id)
{
    const struct truth *truth = oracle_room(&sim->oracle, id);
    if (!truth)
        sim_fail(sim, "a client is told of room %s, which is not durable", id);
    return truth;
}

/* What this client is told of a state; in a lobby every audience is told the same. */
static uint64_t hash_for(const struct client *client, const struct truth *truth, uint64_t seq)
{
    uint8_t seat = room_seat_of(truth->room, client->session);
    return truth->facts[seq - 1].state_hash[room_audience(truth->room, seat)];
}

static void check_state(const struct sim *sim, const struct client *client,
                        const struct client_room *room)
{
    const struct truth *truth = truth_of(sim, room->id);
    if (room->seq == 0 || room->seq > truth->count)
        sim_fail(sim, "client %u is told of seq %llu of room %s, which has %zu", client->index,
                 (unsigned long long)room->seq, room->id, truth->count);
    if (json_hash(room->state) != hash_for(client, truth, room->seq))
        sim_fail(sim, "client %u holds another state of room %s at seq %llu", client->index,
                 room->id, (unsigned long long)room->seq);
}

static void remember_old(struct sim *sim, const struct client *client, struct client_room *room)
{
    if (client->kind != CLIENT_LEAVER || !room->state || !sim_chance(sim, 50))
        return;
    json_decref(room->old_state);
    room->old_state = json_deep_copy(room->state);
    room->old_seq = room->seq;
}

static void receive_event(struct sim *sim, struct client *client, json_t *push)
{
    struct client_room *room = room_find(client, text_of(push, "room"));
    uint64_t seq = (uint64_t)number_of(push, "seq");
    if (!room || !room->following)
        return; /* it has left, and this was under way */
    if (seq <= room->seq && seq <= room->again_upto)
        return; /* it asked while it was being told */
    if (client->kind == CLIENT_LIAR && seq != room->seq + 1) {
        room->following = false; /* a lie of its own was to watch, or to leave */
        return;
    }
    if (seq != room->seq + 1)
        sim_fail(sim, "client %u holds seq %llu of room %s and is told %llu", client->index,
                 (unsigned long long)room->seq, room->id, (unsigned long long)seq);
    remember_old(sim, client, room);
    if (!merge_patch(&room->state, json_object_get(push, "patch")))
        sim_fail(sim, "a patch does not apply");
    room->seq = seq;
    check_state(sim, client, room);
}

static void take_snapshot(struct client_room *room, const json_t *ok, const struct ask *ask)
{
    json_decref(room->state);
    room->state = json_deep_copy(json_object_get(ok, "state"));
    room->seq = (uint64_t)number_of(ok, "seq");
    if (ask->base)
        mark(MARK_RESUMED_BY_SNAPSHOT);
}

/* From the state that it said it had; or, if it has been told more meanwhile, from that. */
static void take_base(struct sim *sim, struct client_room *room, const json_t *ok,
                      const struct ask *ask)
{
    uint64_t seq = (uint64_t)number_of(ok, "seq");
    if (!ask->base)
        sim_fail(sim, "a view without a state to somebody who has none");
    room->again_upto = seq;
    if (!room->following || room->seq < ask->have) {
        json_decref(room->state);
        room->state = json_deep_copy(ask->base);
        room->seq = ask->have;
    }
    mark(seq == ask->have ? MARK_RESUMED_NOTHING_MISSED : MARK_RESUMED_WITHOUT_STATE);
}

static void receive_view(struct sim *sim, struct client *client, const struct ask *ask,
                         const json_t *ok)
{
    struct client_room *room = room_find(client, ask->room);
    if (!room)
        return;
    if (json_object_get(ok, "state"))
        take_snapshot(room, ok, ask);
    else
        take_base(sim, room, ok, ask);
    room->asked = false;
    room->following = true;
    room->seat = (int)number_of(json_object_get(ok, "you"), "seat");
    check_state(sim, client, room);
    if (sim->disk.mode == DISK_FULL || sim->disk.mode == DISK_FAILING)
        mark(MARK_WATCHED_FAILING);
}

/* What the server knew then. */
static uint64_t hash_for_server(const struct truth *truth, uint64_t seq)
{
    struct buffer buffer;
    struct writer writer;
    buffer_init(&buffer, 0, 1 << 20);
    writer_init(&writer, &buffer);
    int written =
        room_write_state(truth->room, room_audience(truth->room, ROOM_SERVER), seq, &writer);
    assert(written == 0 && !buffer.failed);
    json_t *state = json_loadb(buffer_payload(&buffer), buffer.len, JSON_REJECT_DUPLICATES, NULL);
    uint64_t hash = json_hash(state);
    json_decref(state);
    buffer_release(&buffer);
    return hash;
}

static uint64_t hash_of_past(const struct client *client, const struct ask *ask,
                             const struct truth *truth, uint64_t seq)
{
    return ask->as_server ? hash_for_server(truth, seq) : hash_for(client, truth, seq);
}

/* Every event from the one that it had, each leading to the state that was then. */
static void receive_past(const struct sim *sim, const struct client *client, const struct ask *ask,
                         const json_t *ok)
{
    const struct truth *truth = truth_of(sim, ask->room);
    const json_t *events = json_object_get(ok, "events");
    json_t *state = json_deep_copy(ask->base);
    uint64_t seq = ask->have;
    if (seq + json_array_size(events) > truth->count)
        sim_fail(sim, "client %u is told a past that is not durable", client->index);
    if (ask->as_server && room_phase(truth->room) != PROTOCOL_PHASE_OVER)
        sim_fail(sim, "client %u is told all of room %s, which goes on", client->index, ask->room);
    for (size_t i = 0; i < json_array_size(events); i++, seq++) {
        json_t *push = json_array_get(events, i);
        if ((uint64_t)number_of(push, "seq") != seq + 1 ||
            !merge_patch(&state, json_object_get(push, "patch")) ||
            json_hash(state) != hash_of_past(client, ask, truth, seq + 1))
            sim_fail(sim, "client %u is told another past of room %s", client->index, ask->room);
    }
    json_decref(state);
    if ((uint64_t)number_of(ok, "seq") != seq)
        sim_fail(sim, "the past of room %s ends elsewhere than it says", ask->room);
    mark(ask->as_server ? MARK_ALL_TOLD : MARK_PAST_TOLD);
}

/* ---- handles */

/* Whoever was told that it has one has it for ever. */
static void check_account(const struct sim *sim, struct client *client, const json_t *ok)
{
    const char *handle = text_of(json_object_get(ok, "account"), "handle");
    if (client->kind == CLIENT_LIAR) /* may have come as somebody else */
        return;
    if (!handle[0] && client->has_handle)
        sim_fail(sim, "client %u has a handle, and is told that it has none", client->index);
    if (handle[0] && !handles_has(&sim->oracle.handles, client->session, handle))
        sim_fail(sim, "client %u is told that it is %s, which is not durable", client->index,
                 handle);
    client->has_handle = handle[0] != '\0';
}

static void check_taken(const struct sim *sim, const struct client *client, const struct ask *ask)
{
    json_t *request = json_loads(ask->text, 0, NULL);
    const char *handle = text_of(request, "handle");
    mark(MARK_CLAIM_REFUSED);
    if (!handles_has_another(&sim->oracle.handles, client->session, handle))
        sim_fail(sim, "client %u is refused %s, which nobody has", client->index, handle);
    json_decref(request);
}

/* ---- ratings */

/* A seat is kept for it. */
static void receive_found(struct client *client, const json_t *push)
{
    (void)room_add(client, text_of(push, "room"), "");
    mark(MARK_MATCH_FOUND);
}

static void check_rated(const struct sim *sim, const struct client *client, const json_t *push)
{
    const char *wrong = client->kind == CLIENT_LIAR /* may have come as somebody else */
                            ? NULL
                            : rated_check_told(&sim->oracle.rated, client->session, push);
    if (wrong)
        sim_fail(sim, "client %u is told %s", client->index, wrong);
}

/* ---- replies */

static void receive_hello(struct sim *sim, struct client *client, const json_t *ok)
{
    const json_t *seats = json_object_get(ok, "seats");
    client->greeted = true;
    client->back_off_ms = 0;
    client->session = strtoull(text_of(ok, "session"), NULL, 16);
    if (text_of(ok, "token")[0])
        copy(client->token, sizeof client->token, text_of(ok, "token"));
    for (size_t i = 0; i < json_array_size(seats); i++) {
        const json_t *seat = json_array_get(seats, i);
        struct client_room *room = room_add(client, text_of(seat, "room"), "");
        if (room)
            room->seat = (int)number_of(seat, "seat");
    }
    check_account(sim, client, ok);
    if (client->has_handle)
        mark(MARK_CLAIM_BACK);
}

static void remember_room(struct sim *sim, struct client *client, const json_t *ok)
{
    unsigned at = sim->open_room_at++ % 8;
    copy(sim->open_rooms[at], ROOM_SPACE, text_of(ok, "room"));
    copy(sim->codes[at], sizeof sim->codes[at], text_of(ok, "code"));
    room_add(client, text_of(ok, "room"), text_of(ok, "code"));
}

static void receive_leave(struct client *client, const struct ask *ask)
{
    struct client_room *room = room_find(client, ask->room);
    if (room)
        room_forget(client, room);
}

/* Not one that was accepted and found nothing to change: that is not remembered. */
static bool is_change(const struct sim *sim, const struct client *client, const struct ask *ask)
{
    const struct truth *truth = oracle_room(&sim->oracle, ask->room);
    json_int_t seq = number_of(ask->answer, "seq");
    if (!truth || seq < 1)
        return true;
    return truth->facts[seq - 1].session == client->session &&
           truth->facts[seq - 1].request_id == ask->id;
}

/* What was answered once is answered again; of a room that has gone, not all is known. */
static void check_repeat(struct sim *sim, const struct client *client, const struct ask *ask,
                         const json_t *ok)
{
    const struct truth *made = oracle_room(&sim->oracle, text_of(ask->answer, "room"));
    bool makes = strcmp(ask->op, "create") == 0 || strcmp(ask->op, "rematch") == 0;
    bool thought = strcmp(ask->op, "hint") == 0; /* again: by a worker or, if none comes, at once */
    /* It is looked for where the session is at home: a room may have come elsewhere since. */
    bool moved = makes && ask->division != sim->divisions;
    bool gone =
        moved ||
        (makes && (!made || made->dropped || room_phase(made->room) == PROTOCOL_PHASE_OVER));
    if (gone || thought || !is_change(sim, client, ask))
        return;
    if (!json_equal(ok, ask->answer))
        sim_fail(sim, "client %u repeats %s and is answered otherwise", client->index, ask->text);
    mark(MARK_REPEAT_ANSWERED);
    if (client->last_start != sim->starts)
        mark(MARK_REPEAT_AFTER_RESTART);
}

static bool op_changes(const char *op)
{
    static const char *const looks[] = {"hello", "watch",  "moves", "rooms",    "check",    "say",
                                        "ping",  "record", "leave", "join",     "past",     "games",
                                        "claim", "seek",   "chat",  "chat_say", "chat_drop"};
    for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++) {
        if (strcmp(looks[i], op) == 0)
            return false;
    }
    return true;
}

static void remember_answer(struct sim *sim, struct client *client, const struct ask *ask,
                            json_t *ok)
{
    if (!op_changes(ask->op) || client->kind != CLIENT_REPEATER)
        return;
    struct ask last = *ask;
    last.text = malloc(strlen(ask->text) + 1);
    if (!last.text)
        return;
    memcpy(last.text, ask->text, strlen(ask->text) + 1);
    last.answer = json_incref(ok);
    last.base = NULL;
    ask_release(&client->last);
    client->last = last;
    client->last_start = sim->starts;
}

/* Whoever follows a room is told what a request has changed before its reply. */
static void check_told_before(struct sim *sim, struct client *client, const struct ask *ask,
                              const json_t *ok)
{
    const struct client_room *room = room_find(client, ask->room);
    const json_int_t seq = number_of(ok, "seq");
    if (!room || !room->following || client->kind == CLIENT_LIAR || !op_changes(ask->op))
        return;
    if (seq > (json_int_t)room->seq)
        sim_fail(sim, "client %u holds seq %llu of room %s and is answered %s at %lld",
                 client->index, (unsigned long long)room->seq, room->id, ask->op, (long long)seq);
}

static void receive_ok(struct sim *sim, struct client *client, struct ask *ask, json_t *ok)
{
    check_told_before(sim, client, ask, ok);
    if (ask->answer)
        check_repeat(sim, client, ask, ok);
    else
        remember_answer(sim, client, ask, ok);
    if (strcmp(ask->op, "hello") == 0)
        receive_hello(sim, client, ok);
    else if (strcmp(ask->op, "create") == 0 || strcmp(ask->op, "rematch") == 0)
        remember_room(sim, client, ok);
    else if (strcmp(ask->op, "watch") == 0 || strcmp(ask->op, "join") == 0)
        receive_view(sim, client, ask, ok);
    else if (strcmp(ask->op, "past") == 0 && client->kind != CLIENT_LIAR)
        receive_past(sim, client, ask, ok);
    else if (strcmp(ask->op, "leave") == 0)
        receive_leave(client, ask);
    else if (strcmp(ask->op, "claim") == 0)
        check_account(sim, client, ok);
    else if (strncmp(ask->op, "chat", 4) == 0)
        lobby_receive(sim, client, ask, ok);
}

static void count_refusal(const char *code)
{
    static const struct {
        const char *code;
        enum mark mark;
    } rows[] = {{"slow_down", MARK_SLOW_DOWN},         {"wrong_code", MARK_WRONG_CODE},
                {"unknown_token", MARK_UNKNOWN_TOKEN}, {"store_failing", MARK_REFUSED_FAILING},
                {"internal", MARK_NO_MEMORY_REFUSED},  {"id_reused", MARK_ID_REUSED}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i].code, code) == 0)
            mark(rows[i].mark);
    }
}

/* A state that was told to a session's seat is no state of another session's. */
static void forget_session(struct client *client)
{
    client->token[0] = '\0';
    for (size_t i = 0; i < client->room_count; i++) {
        struct client_room *room = &client->rooms[i];
        json_decref(room->state);
        json_decref(room->old_state);
        room->state = room->old_state = NULL;
        room->seq = room->old_seq = room->again_upto = 0;
    }
}

static void receive_refusal(struct sim *sim, struct client *client, const struct ask *ask,
                            const char *code)
{
    struct client_room *room = room_find(client, ask->room);
    bool unknown = strcmp(code, "unknown_room") == 0;
    if (ask->as_server && strcmp(code, "not_over") == 0)
        mark(MARK_ALL_REFUSED);
    if (room && (strcmp(ask->op, "watch") == 0 || strcmp(ask->op, "join") == 0))
        room->asked = false;
    if (room && strcmp(code, "not_seated") == 0)
        room->seat = -1;
    if (room && (unknown || strcmp(code, "code_needed") == 0))
        room_forget(client, room);
    if (strcmp(code, "handle_taken") == 0 && client->kind != CLIENT_LIAR)
        check_taken(sim, client, ask);
    if (strcmp(ask->op, "hello") != 0)
        return;
    if (strcmp(code, "unknown_token") == 0 && client->has_handle)
        sim_fail(sim, "client %u has a handle, and nobody knows it", client->index);
    if (strcmp(code, "unknown_token") == 0)
        forget_session(client);
    wire_cut(sim, (unsigned)client->wire);
}

static void receive_reply(struct sim *sim, struct client *client, const json_t *message)
{
    json_t *ok = json_object_get(message, "ok");
    const char *code = text_of(json_object_get(message, "error"), "code");
    struct ask *ask = ask_of(client, number_of(message, "id"));
    count_refusal(code);
    if (!ask)
        return; /* to a lie */
    struct ask done = *ask;
    *ask = (struct ask){0};
    if (ok)
        receive_ok(sim, client, &done, ok);
    else
        receive_refusal(sim, client, &done, code);
    if (ok && strcmp(done.op, "moves") == 0)
        play_move(sim, client, done.room, ok);
    ask_release(&done);
}

void client_receive(struct sim *sim, struct client *client, json_t *message)
{
    const char *push = text_of(message, "push");
    if (client->wire < 0)
        return;
    if (strcmp(push, "event") == 0)
        receive_event(sim, client, message);
    else if (strcmp(push, "found") == 0)
        receive_found(client, message);
    else if (strcmp(push, "rated") == 0 || strcmp(push, "refunded") == 0)
        check_rated(sim, client, message);
    else if (strcmp(text_of(message, "code"), "store_recovered") == 0)
        mark(MARK_STORE_RECOVERED);
    else if (!push[0])
        receive_reply(sim, client, message);
}

/* ---- the end of a wire */

void client_closed(struct sim *sim, struct client *client, int code)
{
    client->wire = -1;
    client->greeted = false;
    client->back_off_ms = sim->now_ms + rng_between(&sim->rng, 10, code == 1013 ? 60000 : 4000);
    for (size_t i = 0; i < client->room_count; i++) {
        client->rooms[i].following = false;
        client->rooms[i].asked = false;
    }
    for (size_t i = 0; i < CLIENT_ASKS; i++) {
        struct ask *ask = &client->asks[i];
        /* What changes something is sent again until it is answered; the rest is forgotten. */
        if (ask->id && op_changes(ask->op))
            ask->sent = false;
        else
            ask_release(ask);
    }
}

void client_release(struct client *client)
{
    while (client->room_count > 0)
        room_forget(client, &client->rooms[0]);
    for (size_t i = 0; i < CLIENT_ASKS; i++)
        ask_release(&client->asks[i]);
    ask_release(&client->last);
}
