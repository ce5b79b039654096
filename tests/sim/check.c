/* Invariants, checked from outside the hub. */
#include "client.h"
#include "secrets.h"
#include <stdlib.h>
#include <string.h>

/* ---- what leaves the hub */

static const struct truth *durable(const struct sim *sim, const char *room, json_int_t seq)
{
    const struct truth *truth = oracle_room(&sim->oracle, room);
    if (!truth || seq < 1 || (uint64_t)seq > truth->count)
        sim_fail(sim, "seq %lld of room %s is told and is not durable", (long long)seq, room);
    return truth;
}

/* An answer to a request that changes something: the change is in the log, under its id. */
static void check_done(const struct sim *sim, const struct client *client, const struct ask *ask,
                       const json_t *ok)
{
    json_int_t seq = number_of(ok, "seq");
    const struct truth *truth = durable(sim, ask->room, seq);
    const struct fact *fact = &truth->facts[seq - 1];
    bool its = fact->session == client->session && fact->request_id == ask->id;
    bool must = strcmp(ask->op, "move") == 0 || strcmp(ask->op, "resign") == 0 ||
                strcmp(ask->op, "start") == 0 || strcmp(ask->op, "undo") == 0;
    if (must && !its)
        sim_fail(sim, "%s is acknowledged as seq %lld, which is not it", ask->text, (long long)seq);
}

/*
 * Nobody is told that it failed when it is durable: only what the store has refused is. A join that
 * is asked for again waits with the view for what others have done since, and is refused with that.
 */
static void check_failed(const struct sim *sim, const struct client *client, const struct ask *ask)
{
    const struct truth *truth = oracle_room(&sim->oracle, ask->room);
    for (size_t i = 0; truth && i < truth->count; i++) {
        const struct fact *fact = &truth->facts[i];
        const bool view = strcmp(ask->op, "join") == 0 && i + 1 < truth->count;
        if (fact->session == client->session && fact->request_id == ask->id && !view)
            sim_fail(sim, "%s is refused as store_failing, and is durable as seq %zu", ask->text,
                     i + 1);
    }
}

/* The request that a message answers; NULL: it is no reply, or nobody waits for it. */
static const struct ask *ask_of(const struct client *client, const json_t *message)
{
    int64_t id = number_of(message, "id");
    for (size_t i = 0; i < CLIENT_ASKS; i++) {
        if (client->asks[i].id == id && client->asks[i].sent)
            return &client->asks[i];
    }
    return NULL;
}

/* ---- finished matches */

/* A match that has durably ended as the line says, and the session sat there. */
static void check_game(const struct sim *sim, const struct client *client, const json_t *line)
{
    const char *room = text_of(line, "room"), *name;
    const struct truth *truth = oracle_room(&sim->oracle, room);
    const json_t *seats = truth ? json_object_get(truth->state, "seats") : NULL;
    const json_t *result = truth ? json_object_get(truth->state, "result") : NULL;
    json_t *seat;
    if (!result || !json_equal(result, json_object_get(line, "result")))
        sim_fail(sim, "client %u is told another end of room %s", client->index, room);
    if (number_of(line, "seat") != room_seat_of(truth->room, client->session))
        sim_fail(sim, "client %u is told another seat of room %s", client->index, room);
    json_object_foreach(json_object_get(line, "seats"), name, seat)
    {
        if (strcmp(text_of(seat, "name"), text_of(json_object_get(seats, name), "name")) != 0)
            sim_fail(sim, "client %u is told other players of room %s", client->index, room);
    }
}

/* The newest first. */
static void check_games(const struct sim *sim, const struct client *client, const json_t *ok)
{
    const json_t *games = json_object_get(ok, "games");
    for (size_t i = 0; i < json_array_size(games); i++) {
        const json_t *line = json_array_get(games, i);
        check_game(sim, client, line);
        mark(MARK_GAMES_TOLD);
        if (i > 0 && number_of(line, "at") > number_of(json_array_get(games, i - 1), "at"))
            sim_fail(sim, "client %u is told finished matches out of order", client->index);
    }
}

static void check_reply(struct sim *sim, unsigned index, const struct client *client,
                        const json_t *message)
{
    const json_t *ok = json_object_get(message, "ok");
    const struct ask *ask = ask_of(client, message);
    const char *code = text_of(json_object_get(message, "error"), "code");
    /* Who is not there any more has asked again perhaps, and it was done then. */
    const bool there = client->wire == (int)index;
    if (ask && there && strcmp(code, "store_failing") == 0 && client->kind == CLIENT_HONEST &&
        !sim->disk.lied)
        check_failed(sim, client, ask);
    if (ask && client->kind != CLIENT_LIAR)
        check_no_thought(sim, ask, code);
    if (!ok || !ask || client->kind == CLIENT_LIAR) /* a liar's ids say nothing */
        return;
    if (strcmp(ask->op, "hello") == 0) {
        uint64_t session = strtoull(text_of(ok, "session"), NULL, 16);
        if (!sim_knows_session(sim, session))
            sim_fail(sim, "a session is told that is not durable");
    } else if (strcmp(ask->op, "create") == 0 || strcmp(ask->op, "rematch") == 0) {
        durable(sim, text_of(ok, "room"), 1);
    } else if (strcmp(ask->op, "hint") == 0) {
        durable(sim, ask->room, number_of(ok, "seq"));
        check_hint(sim, client, ask, ok);
    } else if (strcmp(ask->op, "games") == 0) {
        check_games(sim, client, ok);
    } else if (strcmp(ask->op, "analysis") == 0) {
        check_analysis(sim, ask, ok);
    } else if (json_object_get(ok, "you")) {
        durable(sim, text_of(ok, "room"), number_of(ok, "seq"));
    } else if (json_object_get(ok, "seq") && !json_object_get(ok, "moves")) {
        check_done(sim, client, ask, ok);
    }
}

/* Cards that its receiver may not know. */
static void check_leak(const struct sim *sim, uint64_t session, const char *room, const char *text,
                       size_t len)
{
    const struct truth *truth = oracle_room(&sim->oracle, room);
    if (truth && secrets_leak(truth->room, session, text, len))
        sim_fail(sim, "session %llx is told what it may not know of room %s: %s",
                 (unsigned long long)session, room, text);
}

void check_page(const struct sim *sim, const unsigned char *bytes, size_t len)
{
    static const char header[] = "[Room \"";
    const char *text = (const char *)bytes;
    const char *at = len > 0 ? memmem(text, len, header, sizeof header - 1) : NULL;
    char room[ROOM_SPACE] = "";
    if (!at || (size_t)(text + len - at) < sizeof header - 1 + 8)
        return;
    memcpy(room, at + sizeof header - 1, 8);
    mark(MARK_RECORD_READ);
    check_leak(sim, 0, room, text, len);
}

/* The room that a reply is about: it says so, or the request did. */
static const char *room_of_reply(const struct client *client, const json_t *message)
{
    const char *room = text_of(json_object_get(message, "ok"), "room");
    const struct ask *ask = ask_of(client, message);
    return room[0] || !ask ? room : ask->room;
}

/* The secret of a stack is told when the match is over, and not before. */
static void check_secret(const struct sim *sim, const char *text, const char *room)
{
    const struct truth *truth = oracle_room(&sim->oracle, room);
    if (truth && room_phase(truth->room) != PROTOCOL_PHASE_OVER && strstr(text, truth->secret))
        sim_fail(sim, "the secret of room %s is told", room);
}

/* Of a room that tells everybody something else: what is told is for this receiver. */
static void check_push(const struct sim *sim, const struct client *client, const char *room,
                       const json_t *push)
{
    json_int_t seq = number_of(push, "seq");
    const struct truth *truth = durable(sim, room, seq);
    unsigned audience = room_audience(truth->room, room_seat_of(truth->room, client->session));
    if (!secrets_kept(truth->room) || seq < 2)
        return;
    mark(MARK_PUSH_COMPARED);
    if (json_hash(push) != truth->facts[seq - 1].push_hash[audience])
        sim_fail(sim, "client %u is told event %lld of room %s as for another", client->index,
                 (long long)seq, room);
}

/* As the room has it for the owner of this session. */
static void check_moves(const struct sim *sim, const struct client *client, const char *room,
                        const json_t *ok)
{
    const struct truth *truth = oracle_room(&sim->oracle, room);
    if (!truth || (uint64_t)number_of(ok, "seq") != truth->count)
        return;
    json_t *moves = oracle_moves(truth, client->session);
    mark(MARK_MOVES_COMPARED);
    if (!json_equal(moves, ok))
        sim_fail(sim, "client %u is told other moves in room %s", client->index, room);
    json_decref(moves);
}

static void check_told(const struct sim *sim, const struct client *client, const json_t *message)
{
    const json_t *ok = json_object_get(message, "ok"), *events = json_object_get(ok, "events");
    const char *room = room_of_reply(client, message);
    const struct ask *ask = ask_of(client, message);
    /*
     * With whose eyes events are told is said by the request alone. What the server knew is
     * compared by the client.
     */
    bool its_own = ask && !ask->as_server;
    if (client->kind == CLIENT_LIAR)
        return; /* may have said that it is somebody else */
    if (strcmp(text_of(message, "push"), "event") == 0)
        check_push(sim, client, text_of(message, "room"), message);
    for (size_t i = 0; its_own && room[0] && i < json_array_size(events); i++)
        check_push(sim, client, room, json_array_get(events, i));
    if (room[0] && json_object_get(ok, "moves"))
        check_moves(sim, client, room, ok);
}

void check_outgoing(struct sim *sim, unsigned index, const char *text, size_t len, json_t *message)
{
    struct wire *wire = &sim->wires[index];
    const char *push = text_of(message, "push");
    const struct client *client = &sim->clients[wire->client];
    if (client->kind != CLIENT_LIAR) /* it may have said hello as somebody else */
        check_leak(sim, client->session,
                   push[0] ? text_of(message, "room") : room_of_reply(client, message), text, len);
    check_told(sim, client, message);
    if (push[0] && strcmp(push, "event") == 0) {
        durable(sim, text_of(message, "room"), number_of(message, "seq"));
        check_secret(sim, text, text_of(message, "room"));
    }
    if (push[0])
        return;
    if (!json_object_get(message, "id") ||
        !json_object_get(message, "ok") == !json_object_get(message, "error"))
        sim_fail(sim, "neither a push nor a reply: %s", text);
    if (++wire->replied > wire->received)
        sim_fail(sim, "more replies than requests: %s", text);
    check_reply(sim, index, &sim->clients[wire->client], message);
    check_secret(sim, text, text_of(json_object_get(message, "ok"), "room"));
}
