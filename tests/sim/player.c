/*
 * What clients do: create and join rooms, play, chat, disconnect, stall, reconnect, repeat
 * requests; seeker.c has what they do to be put together, liar.c the wrong ones.
 */
#include "client.h"
#include <cards.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <totem_moves.h>

enum { TALUVA_MASTER = 6 }; /* the strongest level, which thinks */

static unsigned below(struct sim *sim, unsigned n)
{
    return rng_scaled(&sim->rng, n);
}

static const char *one_of(struct sim *sim, const char *const words[], unsigned count)
{
    return words[below(sim, count)];
}

/* ---- coming */

static json_t *hello_members(const struct client *client)
{
    if (client->token[0])
        return json_pack("{s:s}", "token", client->token);
    char name[16];
    (void)snprintf(name, sizeof name, "Client %u", client->index);
    return json_pack("{s:s,s:s}", "name", name, "client", "sim");
}

static void come(struct sim *sim, struct client *client)
{
    if (sim->now_ms < client->back_off_ms)
        return;
    client->wire = wire_open(sim, client->index);
    if (client->wire < 0) {
        client->back_off_ms = sim->now_ms + rng_between(&sim->rng, 100, 8000);
        return;
    }
    if (client->kind == CLIENT_LIAR && !sim->calm && sim_chance(sim, 150))
        return; /* says nothing, or nonsense */
    ask_send(sim, client, ask_begin_hello(client), "hello", "", hello_members(client));
}

/* ---- rooms */

static json_t *cards_options(struct sim *sim)
{
    return json_pack("{s:i}", "players", (int)(2 + below(sim, 4)));
}

/* Few rounds: in three, everything of a round has happened, and has begun again. */
static json_t *totem_options(struct sim *sim)
{
    static const char *const spells[] = {"turns", "A", "B"};
    static const char *const meals[] = {"owner", "A", "B"};
    static const char *const firsts[] = {"drawn", "drawn", "R", "B"};
    json_t *options = json_pack("{s:i}", "players", (int)(2 + below(sim, 3)));
    json_object_set_new(options, "rounds", json_integer(1 + below(sim, 3)));
    json_object_set_new(options, "spells", json_string(one_of(sim, spells, 3)));
    json_object_set_new(options, "meals", json_string(one_of(sim, meals, 3)));
    json_object_set_new(options, "first", json_string(one_of(sim, firsts, 4)));
    json_object_set_new(options, "village", json_boolean(below(sim, 2)));
    json_object_set_new(options, "totem_a", json_boolean(below(sim, 2)));
    json_object_set_new(options, "totem_b", json_boolean(below(sim, 2)));
    return options;
}

static json_t *taluva_options(struct sim *sim)
{
    static const char *const presets[] = {"ferti-2014", "ferti-2013", "original-2006"};
    static const char *const zones[] = {"none", "none", "beginner", "player", "expert"};
    unsigned players = 2 + below(sim, 4);
    const char *preset = one_of(sim, presets, 3);
    const char *zone = one_of(sim, zones, 5);
    json_t *options =
        json_pack("{s:i,s:s,s:s}", "players", (int)players, "preset", preset, "zone", zone);
    if (players < 5)
        json_object_set_new(options, "tiles", json_integer(24));
    if (players == 4 && below(sim, 2))
        json_object_set_new(options, "teams", json_true());
    else if (below(sim, 3) == 0)
        json_object_set_new(options, "ranking", json_true());
    json_object_set_new(options, "boats", json_boolean(below(sim, 2)));
    json_object_set_new(options, "two_hex", json_boolean(below(sim, 2)));
    return options;
}

static json_t *random_clock(struct sim *sim)
{
    const char *timeout = below(sim, 2) ? "computer" : "eliminate";
    switch (below(sim, 5)) {
    case 0:
        return json_pack("{s:s,s:i,s:s}", "kind", "move", "move_s", 20, "on_timeout", timeout);
    case 1:
        return json_pack("{s:s,s:i,s:i,s:s}", "kind", "fischer", "bank_s", 60, "increment_s", 5,
                         "on_timeout", timeout);
    case 2:
        return json_pack("{s:s,s:i,s:i,s:i,s:s}", "kind", "byoyomi", "bank_s", 30, "periods", 3,
                         "period_s", 10, "on_timeout", timeout);
    case 3:
        return json_pack("{s:s,s:i,s:s}", "kind", "days", "days", 1, "on_timeout", timeout);
    default:
        return json_pack("{s:s}", "kind", "none");
    }
}

static void make_room(struct sim *sim, struct client *client)
{
    struct ask *ask = ask_begin(client);
    if (!ask)
        return;
    static const struct {
        const char *name;
        json_t *(*options)(struct sim *sim);
    } games[] = {{"cards", cards_options},
                 {"totem", totem_options},
                 {"totem", totem_options},
                 {"taluva", taluva_options},
                 {"taluva", taluva_options}};
    const bool plain = sim->plain && below(sim, 10);
    const unsigned game = plain ? 0 : below(sim, sizeof games / sizeof games[0]);
    json_t *members = json_object();
    json_object_set_new(members, "game", json_string(games[game].name));
    json_object_set_new(members, "options", games[game].options(sim));
    json_object_set_new(members, "clock", random_clock(sim));
    if (game > 2)
        json_object_set_new(members, "hints", json_boolean(below(sim, 4)));
    if (below(sim, 3) == 0)
        json_object_set_new(members, "access", json_string("code"));
    if (below(sim, 3) == 0)
        json_object_set_new(members, "title", json_string("Table"));
    ask_send(sim, client, ask, "create", "", members);
}

/* Watches or joins; with what it holds, or an older state, or nothing. */
static void look(struct sim *sim, struct client *client, struct client_room *room, const char *op)
{
    struct ask *ask = ask_begin(client);
    json_t *members = json_object();
    if (!ask) {
        json_decref(members);
        return;
    }
    if (room->code[0])
        json_object_set_new(members, "code", json_string(room->code));
    bool leaver = client->kind == CLIENT_LEAVER;
    bool old = leaver && room->old_state && below(sim, 2);
    bool nothing = !room->state || (leaver && below(sim, 4) == 0);
    if (!nothing) {
        ask->base = json_deep_copy(old ? room->old_state : room->state);
        ask->have = old ? room->old_seq : room->seq;
        json_object_set_new(members, "have", json_integer((json_int_t)ask->have));
    }
    room->asked = true;
    ask_send(sim, client, ask, op, room->id, members);
}

static void find_room(struct sim *sim, struct client *client)
{
    unsigned at = below(sim, 8);
    if (!sim->open_rooms[at][0] || room_find(client, sim->open_rooms[at]))
        return;
    const char *code = below(sim, 8) ? sim->codes[at] : sim->codes[at][0] ? "0000000000000000" : "";
    struct client_room *room = room_add(client, sim->open_rooms[at], code);
    if (room)
        look(sim, client, room, below(sim, 3) ? "join" : "watch");
}

static void simple(struct sim *sim, struct client *client, const char *op, const char *room,
                   json_t *members)
{
    struct ask *ask = ask_begin(client);
    if (ask)
        ask_send(sim, client, ask, op, room, members);
    else
        json_decref(members);
}

/* ---- in a room */

static const json_t *of_seat(const struct client_room *room, const char *member, int seat)
{
    char key[12];
    (void)snprintf(key, sizeof key, "%d", seat);
    return json_object_get(json_object_get(room->state, member), key);
}

/* Of a computer player; most often one that thinks. */
static int any_level(struct sim *sim, const struct client_room *room)
{
    const char *game = json_string_value(json_object_get(room->state, "game"));
    if (game && below(sim, 3) && strcmp(game, "cards") == 0)
        return CARDS_THINKING;
    if (game && below(sim, 3) && strcmp(game, "taluva") == 0)
        return TALUVA_MASTER;
    return 1 + (int)below(sim, TALUVA_MASTER);
}

enum { RATED_LEAVES = 20, TEAMS_LEAVE = 4 };

/* Of whoever was put together nobody does anything else there, but for who goes away. */
static void start_rated(struct sim *sim, struct client *client, const struct client_room *room)
{
    const bool leaves = sim_chance(sim, sim->teams ? TEAMS_LEAVE : RATED_LEAVES);
    simple(sim, client, leaves ? "leave" : "start", room->id, NULL);
}

static void in_lobby(struct sim *sim, struct client *client, struct client_room *room)
{
    if (room->seat < 0) {
        if (below(sim, 3))
            look(sim, client, room, "join");
        return;
    }
    const json_t *mine = of_seat(room, "seats", room->seat);
    if (!json_is_true(json_object_get(mine, "ready"))) {
        json_t *members = json_pack("{s:b}", "ready", 1);
        if (below(sim, 2))
            json_object_set_new(members, "nonce", json_string("00112233445566778899aabbccddeeff"));
        simple(sim, client, "ready", room->id, members);
        return;
    }
    if (json_object_get(room->state, "rated")) {
        start_rated(sim, client, room);
        return;
    }
    switch (below(sim, 12)) {
    case 0:
    case 5:
        simple(sim, client, "bot", room->id, json_pack("{s:i}", "level", any_level(sim, room)));
        break;
    case 1:
        simple(sim, client, "sit", room->id, json_pack("{s:i}", "seat", (int)below(sim, 5)));
        break;
    case 2:
        simple(sim, client, "ready", room->id, json_pack("{s:b}", "ready", 0));
        break;
    case 3:
        simple(sim, client, "leave", room->id, NULL);
        break;
    case 4:
        simple(sim, client, "unseat", room->id, json_pack("{s:i}", "seat", (int)below(sim, 5)));
        break;
    default:
        simple(sim, client, "start", room->id, NULL);
        break;
    }
}

/* What the server knew, from the beginning: to be told of a match that is over, and of no other. */
static void ask_past_as_server(struct sim *sim, struct client *client,
                               const struct client_room *room)
{
    struct ask *ask = ask_begin(client);
    if (!ask)
        return;
    ask->base = json_object();
    ask->have = 0;
    ask->as_server = true;
    ask_send(sim, client, ask, "past", room->id, json_pack("{s:i,s:s}", "have", 0, "as", "server"));
}

/* From the beginning, or from what it has. */
static void ask_past(struct sim *sim, struct client *client, const struct client_room *room)
{
    struct ask *ask = ask_begin(client);
    if (!ask)
        return;
    bool all = !room->state || below(sim, 2);
    ask->as_server = false;
    ask->base = all ? json_object() : json_deep_copy(room->state);
    ask->have = all ? 0 : room->seq;
    ask_send(sim, client, ask, "past", room->id, json_pack("{s:I}", "have", (json_int_t)ask->have));
}

static void extras(struct sim *sim, struct client *client, struct client_room *room)
{
    static const char *const offers[] = {"pause", "resume", "call_off", "pause", "resume"};
    static const char *const checked[] = {"hut@0,1", "write@R=T:G1", "reveal@G=-", "cast@B=H:R2"};
    switch (below(sim, 11)) {
    case 0:
        simple(sim, client, "undo", room->id, NULL);
        break;
    case 1:
    case 2:
        simple(sim, client, "offer", room->id, json_pack("{s:s}", "what", one_of(sim, offers, 5)));
        break;
    case 3:
        simple(sim, client, "withdraw", room->id,
               json_pack("{s:s}", "what", one_of(sim, offers, 5)));
        break;
    case 4:
        simple(sim, client, "say", room->id, json_pack("{s:s}", "text", "well played"));
        break;
    case 5:
        simple(sim, client, "check", room->id, json_pack("{s:s}", "move", one_of(sim, checked, 4)));
        break;
    case 6:
        if (below(sim, 2))
            simple(sim, client, "record", room->id, NULL);
        else if (below(sim, 2))
            ask_past(sim, client, room);
        else
            ask_past_as_server(sim, client, room);
        break;
    case 7:
        if (below(sim, 8) == 0)
            simple(sim, client, "resign", room->id, NULL);
        break;
    case 8:
        simple(sim, client, below(sim, 2) ? "rooms" : "games", "", NULL);
        break;
    case 9:
        simple(sim, client, "analysis", room->id, NULL);
        break;
    default:
        if (below(sim, 6) == 0)
            simple(sim, client, "leave", room->id, NULL);
        break;
    }
}

/* What somebody else at the table has offered, or NULL. */
static const char *offered(const struct client_room *room)
{
    const char *what;
    json_t *seats;
    char mine[12];
    (void)snprintf(mine, sizeof mine, "%d", room->seat);
    json_object_foreach(json_object_get(room->state, "offers"), what, seats)
    {
        if (json_object_size(seats) > 0 && !json_object_get(seats, mine))
            return what;
    }
    return NULL;
}

/* Has it written what it could still take back? */
static bool has_written(const struct client_room *room)
{
    const json_t *table = json_object_get(room->state, "table");
    const char *family;
    json_t *mine;
    json_object_foreach(json_object_get(table, "mine"), family, mine)
    {
        if (json_object_get(mine, "note"))
            return true;
    }
    return false;
}

/* With a hint now and then, which not everybody waits for. */
static void think_of_move(struct sim *sim, struct client *client, const struct client_room *room)
{
    bool hinted = !sim->calm && sim_chance(sim, 80);
    if (hinted)
        simple(sim, client, "hint", room->id, NULL);
    if (!hinted || sim_chance(sim, 300))
        simple(sim, client, "moves", room->id, NULL);
}

enum { RATED_SEQ_MIN = 22, RATED_RESIGNS = 300 };
enum { TEAMS_STACK = 39 }; /* of 48: four have had two turns each, and a tile is in hand */

/* Each has played two turns by then, so that it counts; a whole match would be long. */
static bool gives_up(struct sim *sim, const struct client_room *room)
{
    const json_t *stack = json_object_get(json_object_get(room->state, "table"), "stack");
    const bool long_enough =
        sim->teams && stack ? json_integer_value(stack) <= TEAMS_STACK : room->seq >= RATED_SEQ_MIN;
    return json_object_get(room->state, "rated") && long_enough && sim_chance(sim, RATED_RESIGNS);
}

/* One that is called off is not rated, and those of teams are few. */
static bool agrees(struct sim *sim, const struct client_room *room)
{
    const char *what = offered(room);
    return what && !(sim->teams && strcmp(what, "call_off") == 0) && sim_chance(sim, 300);
}

static void in_match(struct sim *sim, struct client *client, struct client_room *room, bool paused)
{
    const json_t *mine = of_seat(room, "seats", room->seat);
    if (gives_up(sim, room))
        simple(sim, client, "resign", room->id, NULL);
    else if (!sim->calm && agrees(sim, room))
        simple(sim, client, "offer", room->id, json_pack("{s:s}", "what", offered(room)));
    else if (!sim->calm && sim_chance(sim, 120))
        extras(sim, client, room);
    else if (!sim->calm && has_written(room) && sim_chance(sim, 200))
        simple(sim, client, "undo", room->id, NULL);
    else if (json_is_true(json_object_get(mine, "replaced")))
        look(sim, client, room, "join");
    else if (paused && (sim->calm || below(sim, 4) == 0))
        simple(sim, client, "offer", room->id, json_pack("{s:s}", "what", "resume"));
    else if (sim->missing && sim_chance(sim, 5))
        simple(sim, client, "offer", room->id, json_pack("{s:s}", "what", "call_off"));
    else if (state_acts(room->state, room->seat))
        think_of_move(sim, client, room);
}

struct client_chance {
    struct chance chance;
    struct sim *sim;
};

static unsigned below_by_chance(struct chance *chance, unsigned n)
{
    const struct client_chance *own = (const struct client_chance *)chance;
    return below(own->sim, n);
}

/* One that is listed, or one put together from what is asked; false: there is nothing to do. */
static bool pick_move(struct sim *sim, const json_t *answer, char move[PROTOCOL_MOVE_BYTES + 1])
{
    struct client_chance chance = {{below_by_chance}, sim};
    const json_t *moves = json_object_get(answer, "moves"),
                 *asked = json_object_get(answer, "asked");
    unsigned count = (unsigned)json_array_size(moves);
    if (asked && (count == 0 || below(sim, 3) == 0))
        return totem_compose(asked, &chance.chance, move, PROTOCOL_MOVE_BYTES + 1);
    if (count > 0)
        (void)snprintf(move, PROTOCOL_MOVE_BYTES + 1, "%s",
                       json_string_value(json_array_get(moves, below(sim, count))));
    return count > 0;
}

/* One letter becomes another: most often a move that is refused. */
static void spoil(struct sim *sim, char *move)
{
    static const char letters[] = "RGBYgbwmWMe123TIAFHL-/@=";
    char *at = &move[below(sim, (unsigned)strlen(move))];
    *at = letters[below(sim, sizeof letters - 1)];
}

void play_move(struct sim *sim, struct client *client, const char *id, const json_t *ok)
{
    char move[PROTOCOL_MOVE_BYTES + 1];
    if (client->wire < 0 || !pick_move(sim, ok, move))
        return;
    if (!sim->calm && sim_chance(sim, 50))
        spoil(sim, move);
    simple(sim, client, "move", id, json_pack("{s:s,s:b}", "move", move, "confirm", 1));
}

static void after_match(struct sim *sim, struct client *client, struct client_room *room)
{
    if (room->seat >= 0 && !sim->calm && below(sim, 10) == 0)
        simple(sim, client, "rematch", room->id, NULL);
    else if (!sim->calm && below(sim, 4) == 0)
        ask_past_as_server(sim, client, room);
    else if (!sim->calm && below(sim, 5) == 0)
        simple(sim, client, "analysis", room->id, NULL);
    else if (below(sim, 4) == 0)
        simple(sim, client, "leave", room->id, NULL);
}

static void in_room(struct sim *sim, struct client *client, struct client_room *room)
{
    const char *phase = text_of(room->state, "phase");
    if (room->asked || ask_pending(client, room->id))
        return;
    if (!room->following)
        look(sim, client, room, "watch");
    else if (strcmp(phase, "lobby") == 0 && !sim->calm)
        in_lobby(sim, client, room);
    else if (strcmp(phase, "over") == 0)
        after_match(sim, client, room);
    else if (room->seat >= 0 && strcmp(phase, "lobby") != 0)
        in_match(sim, client, room, strcmp(phase, "paused") == 0);
    else if (sim_chance(sim, 20) && !sim->calm)
        extras(sim, client, room);
}

/* ---- repeating */

static void send_again(struct sim *sim, struct client *client)
{
    for (size_t i = 0; i < CLIENT_ASKS; i++) {
        struct ask *ask = &client->asks[i];
        if (!ask->id || ask->sent)
            continue;
        ask->sent = true;
        mark(MARK_RESENT_AFTER_CUT);
        wire_send(sim, (unsigned)client->wire, ask->text);
    }
}

static void repeat(struct sim *sim, struct client *client)
{
    struct ask *ask = ask_begin(client);
    const struct ask *last = &client->last;
    for (size_t i = 0; i < CLIENT_ASKS; i++) {
        if (last->id && client->asks[i].id == last->id)
            return;
    }
    if (!last->id || !ask)
        return;
    *ask = *last;
    ask->answer = json_incref(last->answer);
    ask->text = malloc(strlen(last->text) + 1);
    if (!ask->text)
        sim_fail(sim, "no memory");
    memcpy(ask->text, last->text, strlen(last->text) + 1);
    wire_send(sim, (unsigned)client->wire, ask->text);
}

/* ---- all together */

static int64_t pause_ms(struct sim *sim, const struct client *client)
{
    if (sim->calm)
        return rng_between(&sim->rng, 50, 400);
    if (client->kind == CLIENT_SLEEPER && sim_chance(sim, 60))
        return rng_between(&sim->rng, 10000, 900000);
    return rng_between(&sim->rng, 50, 1500);
}

/* Who seeks is mostly where they were put last. */
static struct client_room *room_of_now(struct sim *sim, struct client *client, bool seeks)
{
    const unsigned count = (unsigned)client->room_count;
    return &client->rooms[seeks && below(sim, 4) ? count - 1 : below(sim, count)];
}

static void go_on(struct sim *sim, struct client *client)
{
    send_again(sim, client);
    if (client->kind == CLIENT_REPEATER && sim_chance(sim, 200))
        repeat(sim, client);
    const bool seeks = sim->rated && !sim->calm && client->has_handle;
    if (!sim->calm && !seeks && client->room_count < 4 && below(sim, 4) == 0)
        find_room(sim, client);
    if (!sim->calm && !seeks && client->room_count < 2 && below(sim, 6) == 0)
        make_room(sim, client);
    client_seek(sim, client, seeks);
    if (sim->talks)
        lobby_act(sim, client);
    if (client->room_count > 0)
        in_room(sim, client, room_of_now(sim, client, seeks));
}

void client_act(struct sim *sim, struct client *client)
{
    bool lies = client->kind == CLIENT_LIAR && !sim->calm;
    if (client == sim->missing)
        return;
    if (client->wire < 0)
        come(sim, client);
    else if (lies && sim_chance(sim, sim->faults.lie))
        client_lie(sim, client);
    else if (client->kind == CLIENT_LEAVER && !sim->calm && sim_chance(sim, 80))
        wire_cut(sim, (unsigned)client->wire);
    else if (client->greeted)
        go_on(sim, client);
}

void client_think(struct sim *sim, struct client *client)
{
    sim_schedule(sim, pause_ms(sim, client),
                 (struct event){.kind = EVENT_THINK, .a = client->index});
    client_act(sim, client);
}
