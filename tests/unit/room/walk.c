#include "walk.h"

#include "table.h"
#include <cards.h>
#include <stdio.h>
#include <string.h>
#include <taluva_match.h>
#include <totem_moves.h>

enum { PEOPLE = 6, SEQS = 4096 };

struct walker {
    struct table table;
    uint64_t random;
    uint64_t fingerprints[SEQS]; /* by seq: the room when it was there */
    uint64_t known;              /* up to this seq */
    bool calm; /* nobody resigns or leaves: such matches are played to their end */
    struct walk_count *count;
};

static uint32_t below(struct walker *walker, uint32_t n)
{
    return test_random(&walker->random, n);
}

static bool chance(struct walker *walker, uint32_t percent)
{
    return below(walker, 100) < percent;
}

/* ---- options: one draw a statement, as compilers draw in orders of their own within one */

static const char *yes_or_no(struct walker *walker, uint32_t percent)
{
    return chance(walker, percent) ? "true" : "false";
}

static void random_taluva(struct walker *walker, char *text, size_t size)
{
    static const char *const presets[] = {"ferti-2014", "ferti-2013", "original-2006"};
    static const char *const zones[] = {"none", "none", "beginner", "player", "expert"};
    const char *preset = presets[below(walker, 3)];
    unsigned players = 2 + below(walker, 4);
    bool teams = players == 4 && chance(walker, 50);
    unsigned tiles = 24 + 12 * below(walker, 3);
    const char *ranking = teams ? "false" : yes_or_no(walker, 30);
    const char *boats = yes_or_no(walker, 40);
    const char *two_hex = yes_or_no(walker, 40);
    const char *zone = zones[below(walker, 5)];
    (void)snprintf(text, size,
                   "{\"preset\":\"%s\",\"players\":%u,\"tiles\":%u,\"teams\":%s,\"ranking\":%s,"
                   "\"boats\":%s,\"two_hex\":%s,\"zone\":\"%s\"}",
                   preset, players, tiles, teams ? "true" : "false", ranking, boats, two_hex, zone);
}

static void random_cards(struct walker *walker, char *text, size_t size)
{
    (void)snprintf(text, size, "{\"players\":%u}", 2 + below(walker, 4));
}

static void random_totem(struct walker *walker, char *text, size_t size)
{
    static const char *const spells[] = {"turns", "A", "B"};
    static const char *const meals[] = {"owner", "A", "B"};
    unsigned players = 2 + below(walker, 3);
    unsigned rounds = 1 + below(walker, 4);
    const char *magic = spells[below(walker, 3)];
    const char *meal = meals[below(walker, 3)];
    const char *village = yes_or_no(walker, 40);
    const char *totem_a = yes_or_no(walker, 40);
    const char *totem_b = yes_or_no(walker, 40);
    (void)snprintf(text, size,
                   "{\"players\":%u,\"rounds\":%u,\"spells\":\"%s\",\"meals\":\"%s\","
                   "\"village\":%s,\"totem_a\":%s,\"totem_b\":%s}",
                   players, rounds, magic, meal, village, totem_a, totem_b);
}

static const char *random_clock(struct walker *walker)
{
    static const char *const clocks[] = {
        "{\"kind\":\"none\"}",
        "{\"kind\":\"none\"}",
        "{\"kind\":\"move\",\"move_s\":60}",
        "{\"kind\":\"move\",\"move_s\":6,\"on_timeout\":\"computer\"}",
        "{\"kind\":\"fischer\",\"bank_s\":120,\"increment_s\":5}",
        "{\"kind\":\"fischer\",\"bank_s\":10,\"increment_s\":5,\"on_timeout\":\"computer\"}",
        "{\"kind\":\"byoyomi\",\"bank_s\":60,\"periods\":3,\"period_s\":20}",
        "{\"kind\":\"days\",\"days\":1,\"on_timeout\":\"computer\"}",
    };
    return clocks[below(walker, sizeof clocks / sizeof *clocks)];
}

static void open_table(struct walker *walker)
{
    static const struct {
        const char *name;
        void (*options)(struct walker *walker, char *text, size_t size);
    } games[] = {{"cards", random_cards}, {"totem", random_totem}, {"taluva", random_taluva}};
    char options[512], create[1024];
    unsigned game = chance(walker, 20) ? 0 : chance(walker, 40) ? 1 : 2;
    games[game].options(walker, options, sizeof options);
    const char *clock = random_clock(walker);
    (void)snprintf(create, sizeof create, "\"game\":\"%s\",\"options\":%s,\"clock\":%s%s",
                   games[game].name, options, clock,
                   chance(walker, 30) ? ",\"title\":\"\\\"Friday\\\" \\\\ night\"" : "");
    table_open_game(&walker->table, test_games, create);
    ck_assert_msg(walker->table.room, "%s: %s", create, walker->table.refusal.field);
}

/* ---- what people do */

static const char *send(struct walker *walker, uint64_t session, const char *op,
                        const char *members)
{
    const char *code = table_send(&walker->table, session, op, members);
    walker->count->refused += strcmp(code, "ok") != 0;
    return code;
}

static void lobby_step(struct walker *walker)
{
    char members[128];
    uint64_t who = ANA + below(walker, PEOPLE);
    unsigned seat = below(walker, 6);
    static const char *const colours[] = {"red", "white", "yellow", "brown", "black"};
    (void)snprintf(members, sizeof members, "\"seat\":%u,\"colour\":\"%s\"", seat,
                   colours[below(walker, 5)]);
    switch (below(walker, 40)) {
    case 0:
    case 1:
        send(walker, who, "sit", members);
        break;
    case 2:
        send(walker, who, "leave", "");
        break;
    case 3:
    case 4:
        send(walker, who, "join", members);
        break;
    case 5:
        send(walker, chance(walker, 80) ? ANA : who, "bot", "");
        break;
    case 6:
        (void)snprintf(members, sizeof members, "\"seat\":%u", seat);
        send(walker, chance(walker, 80) ? ANA : who, "unseat", members);
        break;
    case 7:
        send(walker, who, "ready", "\"ready\":false");
        break;
    case 8:
    case 9:
    case 10:
        send(walker, who, "start", "");
        break;
    case 11:
    case 12:
    case 13:
    case 14:
    case 15:
    case 16:
        send(walker, who, "join", "");
        break;
    default:
        (void)snprintf(members, sizeof members, "\"ready\":true,\"nonce\":\"%032x\"",
                       below(walker, 1000000));
        send(walker, who, "ready", members);
    }
}

/* A move for somebody who may act: the computer's choice, or any at all from the list. */
static void good_move(struct walker *walker)
{
    const struct table *table = &walker->table;
    const struct setup *setup = &table->room->setup;
    uint32_t acting = match_acting(setup, table->room->match);
    char move[PROTOCOL_MOVE_BYTES + 1], members[PROTOCOL_MOVE_BYTES + 64];
    unsigned seat = below(walker, setup->seats);
    if (acting == 0)
        return;
    while (!((acting >> seat) & 1))
        seat = (seat + 1) % setup->seats;
    uint64_t session = room_seat_session(table->room, (uint8_t)seat);
    if (session == 0)
        return;
    const void *game = match_game_of(table->room->match);
    unsigned level = 1 + (unsigned)(walker->random % game_levels(setup->game));
    size_t len = game_choose(setup->game, game, seat, level, walker->random, move);
    move[len] = '\0';
    walker->count->draws += strcmp(move, "draw") == 0;
    (void)snprintf(members, sizeof members, "\"move\":\"%s\",\"confirm\":true", move);
    send(walker, session, "move", members);
}

/* The answer to `moves`; NULL: refused. */
static json_t *ask_moves(const struct walker *walker, uint64_t who)
{
    struct room_actor actor = {.session = who, .name = table_name(who)};
    struct refusal refusal;
    struct buffer buffer;
    struct writer writer;
    json_t *answer = NULL;
    buffer_init(&buffer, 0, 1 << 20);
    writer_init(&writer, &buffer);
    writer_object(&writer);
    if (room_write_moves(walker->table.room, &actor, &writer, &refusal)) {
        writer_end(&writer);
        answer = json_loadb(buffer_payload(&buffer), buffer.len, 0, NULL);
    }
    buffer_release(&buffer);
    return answer;
}

static const char *send_move(struct walker *walker, uint64_t who, const char *move)
{
    char members[PROTOCOL_MOVE_BYTES + 64];
    (void)snprintf(members, sizeof members, "\"move\":\"%s\",\"confirm\":true", move);
    return send(walker, who, "move", members);
}

struct walk_chance {
    struct chance chance;
    struct walker *walker;
};

static unsigned below_by_chance(struct chance *chance, unsigned n)
{
    return below(((struct walk_chance *)chance)->walker, n);
}

/* Of a game that says what it asks for: put together from that, right or nearly so. */
static void composed_move(struct walker *walker, uint64_t who, const json_t *asked)
{
    struct walk_chance source = {{below_by_chance}, walker};
    char move[PROTOCOL_MOVE_BYTES + 1];
    if (totem_compose(asked, &source.chance, move, sizeof move))
        send_move(walker, who, move);
}

/* One of the moves that the answer to `moves` lists: each must be accepted. */
static void listed_move(struct walker *walker)
{
    uint64_t who = ANA + below(walker, PEOPLE);
    json_t *answer = ask_moves(walker, who);
    if (!answer)
        return;
    const json_t *moves = json_object_get(answer, "moves"),
                 *asked = json_object_get(answer, "asked");
    size_t count = json_array_size(moves);
    ck_assert(count > 0 || json_object_size(asked) > 0);
    if (count == 0 || (asked && chance(walker, 30))) {
        composed_move(walker, who, asked);
    } else {
        const char *move = json_string_value(json_array_get(moves, below(walker, (uint32_t)count)));
        const char *code = send_move(walker, who, move);
        ck_assert_msg(strcmp(code, "ok") == 0 || strcmp(code, "time_is_up") == 0, "%s: %s", move,
                      code);
    }
    json_decref(answer);
}

static void bad_move(struct walker *walker)
{
    static const char *const moves[] = {"draw",          "hut@0,0",    "JC@0,0:0",  "expand@0,1=L",
                                        "temple@1,-1",   "2VL@3,3:1",  "c4017",     "nonsense",
                                        "JJ@99,99:5",    "reveal@R=T", "write@G=-", "cast@B=H:R2",
                                        "take@Y=R:e/-/-"};
    char members[PROTOCOL_MOVE_BYTES + 64];
    (void)snprintf(members, sizeof members, "\"move\":\"%s\"",
                   moves[below(walker, sizeof moves / sizeof *moves)]);
    send(walker, ANA + below(walker, PEOPLE), "move", members);
}

static void agree_to_call_off(struct walker *walker)
{
    for (uint64_t who = ANA; who < ANA + PEOPLE; who++)
        send(walker, who, "offer", "\"what\":\"call_off\"");
}

static void offer_step(struct walker *walker)
{
    static const char *const what[] = {"\"what\":\"pause\"", "\"what\":\"resume\"",
                                       "\"what\":\"call_off\""};
    uint64_t who = ANA + below(walker, PEOPLE);
    bool paused = walker->table.room->match->phase == PROTOCOL_PHASE_PAUSED;
    if (!walker->calm && chance(walker, 6)) {
        agree_to_call_off(walker);
        return;
    }
    const char *members = what[chance(walker, 2) ? 2 : paused || chance(walker, 10)];
    send(walker, who, chance(walker, 80) ? "offer" : "withdraw", members);
}

/* Somebody for whom the computer plays may come back. */
static bool come_back(struct walker *walker)
{
    const struct table *table = &walker->table;
    unsigned i = below(walker, table->room->setup.seats);
    const struct seat *seat = &table->room->match->seats[i];
    if (!seat->replaced || seat->returning || !chance(walker, 10))
        return false;
    expect_ok(send(walker, seat->session, "join", ""));
    return true;
}

static void match_step(struct walker *walker)
{
    if (come_back(walker))
        return;
    uint64_t who = ANA + below(walker, PEOPLE);
    uint32_t pick = below(walker, 100);
    bool paused = walker->table.room->match->phase == PROTOCOL_PHASE_PAUSED;
    if (pick < 60 && !paused)
        good_move(walker);
    else if (pick < 75)
        listed_move(walker);
    else if (pick < 80)
        bad_move(walker);
    else if (pick < 85)
        send(walker, who, "undo", "");
    else if (pick < 88)
        send(walker, who, "hint", "");
    else if (pick < 95 || (paused && pick < 97))
        offer_step(walker);
    else if (pick < 97)
        send(walker, who, "join", "");
    else if (pick < 98 && !walker->calm)
        send(walker, who, "resign", "");
    else
        lobby_step(walker);
}

/* ---- what the world does */

static void remember(struct walker *walker)
{
    const struct room *room = walker->table.room;
    uint64_t seq = room_seq(room);
    ck_assert_uint_lt(seq, SEQS);
    while (walker->known < seq)
        walker->fingerprints[++walker->known] = 0; /* went by unseen, or is another one now */
    walker->fingerprints[seq] = table_fingerprint(room);
}

static void rewind_some(struct walker *walker)
{
    struct table *table = &walker->table;
    uint64_t seq = room_seq(table->room);
    uint64_t to = seq - below(walker, (uint32_t)(seq < 8 ? seq : 8));
    if (to == 0 || walker->fingerprints[to] == 0)
        return;
    room_rewind(table->room, to);
    ck_assert_uint_eq(table_fingerprint(table->room), walker->fingerprints[to]);
    walker->known = to;
    walker->count->rewound++;
    for (unsigned i = 0; i < room_audiences(table->room); i++) {
        json_decref(table->state[i]);
        table->state[i] = table_state(table, i, to);
    }
}

static void world_step(struct walker *walker)
{
    struct table *table = &walker->table;
    struct room_event event;
    uint8_t seat;
    switch (below(walker, 8)) {
    case 0:
        seat = (uint8_t)below(walker, 6);
        room_present(table->room, seat, chance(walker, 50), table->now_ms);
        break;
    case 1:
        table_wait(table, 1000 * (int64_t)below(walker, chance(walker, 20) ? 100 : 10));
        break;
    case 2:
        if (chance(walker, 2))
            table_wait(table, INT64_C(3600000) * below(walker, 3));
        break;
    case 3:
        if (chance(walker, 20))
            rewind_some(walker);
        break;
    case 4:
        if (chance(walker, 20) && room_decide_held(table->room, table->now_ms - below(walker, 5000),
                                                   table->now_ms, &event))
            table_apply(table, &event);
        break;
    case 5:
        table->kept_at_once = chance(walker, 70);
        break;
    case 6:
        room_set_durable(table->room, room_seq(table->room), table->now_ms);
        break;
    default:
        table->now_ms += below(walker, 3000);
    }
}

static void count_kinds(struct walker *walker)
{
    const struct room *room = walker->table.room;
    for (uint64_t seq = 1; seq <= room_seq(room); seq++) {
        struct room_event event;
        room_event_at(room, seq, &event);
        walker->count->kinds[event.kind]++;
    }
    walker->count->over += room_phase(room) == PROTOCOL_PHASE_OVER;
    walker->count->blind_pushes += walker->table.blind_pushes;
}

void walk(uint64_t seed, unsigned steps, struct walk_count *count)
{
    struct walker walker = {.random = seed * 2654435761U + 1, .count = count};
    walker.calm = chance(&walker, 60);
    open_table(&walker);
    struct table *table = &walker.table;
    table->limits.computer_ms = 100 * (int64_t)below(&walker, 5);
    walker.fingerprints[1] = table_fingerprint(table->room);
    for (unsigned i = 0; i < steps; i++) {
        remember(&walker);
        if (room_deadline_ms(table->room, &table->limits) <= table->now_ms)
            table_due(table);
        else if (chance(&walker, 15))
            world_step(&walker);
        else if (room_phase(table->room) == PROTOCOL_PHASE_LOBBY)
            lobby_step(&walker);
        else if (room_phase(table->room) == PROTOCOL_PHASE_OVER)
            send(&walker, ANA + below(&walker, PEOPLE), "rematch", "");
        else
            match_step(&walker);
    }
    count_kinds(&walker);
    table_check_replay(table);
    table_close(table);
}
