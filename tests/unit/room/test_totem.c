/*
 * Whole matches of Totem in a room. The table checks after every event that each audience's patch
 * leads to its state, and that views, `moves` and the computer do not depend on what is hidden.
 */
#include "../../support/long_tests.h"
#include "suites.h"
#include "table.h"
#include <protocol/record.h>
#include <stdio.h>
#include <string.h>
#include <totem/game.h>
#include <totem_match.h>

static const struct game_type *const games[] = {&game_type_totem, NULL};

static struct table table;

static void open_totem(const char *options)
{
    char create[512];
    (void)snprintf(create, sizeof create, "\"game\":\"totem\",\"options\":{%s}", options);
    table_open_game(&table, games, create);
    ck_assert_ptr_nonnull(table.room);
}

static const struct totem_match *match_value(void)
{
    return match_game_of(table.room->match);
}

static void seat_computers(unsigned first)
{
    for (unsigned seat = first; seat < room_seats(table.room); seat++) {
        char members[32];
        (void)snprintf(members, sizeof members, "\"seat\":%u", seat);
        expect_ok(table_send(&table, ANA, "bot", members));
    }
}

static void play_computers(const char *options)
{
    open_totem(options);
    table.limits.computer_ms = 100;
    seat_computers(0);
    expect_ok(table_send(&table, ANA, "start", ""));
    for (unsigned i = 0; i < 20000 && room_phase(table.room) != PROTOCOL_PHASE_OVER; i++)
        table_wait(&table, 100);
    ck_assert_int_eq(room_phase(table.room), PROTOCOL_PHASE_OVER);
}

static void close_totem(void)
{
    if (table.room)
        table_close(&table);
}

/* ---- the record */

static unsigned moves_in_log(void)
{
    unsigned moves = 0;
    for (uint64_t seq = 1; seq <= room_seq(table.room); seq++) {
        struct room_event event;
        room_event_at(table.room, seq, &event);
        moves += event.kind == ROOM_MOVE;
    }
    return moves;
}

/* Its turns, played by the rules alone with the key out of its secret, come to the same position.
 */
static void expect_record_replays(void)
{
    struct buffer buffer;
    struct record record;
    struct record_problem problem;
    struct totem_match match = *match_value();
    char is[TOTEM_POSITION_TEXT], want[TOTEM_POSITION_TEXT];
    buffer_init(&buffer, 0, RECORD_BYTES);
    ck_assert_int_eq(room_write_record(table.room, room_seq(table.room), "test", NULL, &buffer), 0);
    ck_assert_msg(record_parse(&record, buffer_payload(&buffer), buffer.len, &problem), "%s",
                  problem.message);
    ck_assert_uint_eq(record.line_count, moves_in_log());
    ck_assert_str_eq(record_find(record.deal, record.deal_count, "first"),
                     totem_family_name(match.game.options.first).text);
    totem_position_format(&match.game, TOTEM_SERVER, want);
    const struct totem_options options = match.game.options;
    totem_init(&match.game, &options);
    for (size_t i = 0; i < record.line_count; i++) {
        struct totem_command command;
        struct totem_births births;
        totem_match_births(&match, &births);
        ck_assert(
            totem_command_parse(record.lines[i].text, strlen(record.lines[i].text), &command));
        ck_assert_int_eq(totem_play(&match.game, record.lines[i].seat, &command, &births, NULL),
                         TOTEM_OK);
    }
    totem_position_format(&match.game, TOTEM_SERVER, is);
    ck_assert_str_eq(is, want);
    record_release(&record);
    buffer_release(&buffer);
}

/* ---- computers */

static const char *const spells[] = {"turns", "A", "B"};
static const char *const meals[] = {"owner", "A", "B"};
enum { VARIANTS = 3 * 3 * 3, FEW_VARIANTS = 3 * 3 };

START_TEST(test_computers_play_every_variant)
{
    char options[256];
    (void)snprintf(options, sizeof options,
                   "\"players\":%d,\"spells\":\"%s\",\"meals\":\"%s\",\"rounds\":4,\"village\":%s,"
                   "\"totem_a\":%s,\"totem_b\":%s",
                   2 + _i / 9, spells[_i / 3 % 3], meals[_i % 3], _i % 2 ? "true" : "false",
                   _i / 2 % 2 ? "true" : "false", _i / 4 % 2 ? "true" : "false");
    play_computers(options);
    ck_assert_uint_gt(table.blind_pushes, 20);
    expect_record_replays();
    ck_assert(json_is_array(table_look(&table, "result.families")));
}
END_TEST

START_TEST(test_a_whole_match)
{
    play_computers("\"players\":4");
    ck_assert_str_eq(table_look_string(&table, "table.step"), "over");
    ck_assert_ptr_null(table_look(&table, "table.acting"));
    expect_record_replays();
}
END_TEST

/* ---- looking back */

/* What this audience is told of what families hide; a new reference. */
static json_t *mine_in(unsigned audience, uint64_t seq)
{
    json_t *state = table_state(&table, audience, seq);
    json_t *mine = json_object_get(json_object_get(state, "table"), "mine");
    mine = mine ? json_incref(mine) : json_object();
    json_decref(state);
    return mine;
}

/* After each event the server knows what the seats know together, and a watcher nothing of it. */
START_TEST(test_the_server_sees_what_all_hide)
{
    char options[64];
    unsigned most = 0;
    (void)snprintf(options, sizeof options, "\"players\":%d,\"spells\":\"%s\",\"rounds\":3", 2 + _i,
                   spells[_i]);
    play_computers(options);
    unsigned seats = room_seats(table.room), server = room_audience(table.room, ROOM_SERVER);
    for (uint64_t seq = 1; seq <= room_seq(table.room); seq++) {
        json_t *together = json_object(), *all = mine_in(server, seq);
        for (unsigned seat = 0; seat < seats; seat++) {
            json_t *mine = mine_in(seat, seq);
            ck_assert_int_eq(json_object_update(together, mine), 0);
            json_decref(mine);
        }
        ck_assert(json_equal(all, together));
        most = json_object_size(all) > most ? (unsigned)json_object_size(all) : most;
        json_decref(all);
        json_decref(together);
        all = mine_in(seats, seq);
        ck_assert_uint_eq(json_object_size(all), 0);
        json_decref(all);
    }
    ck_assert_uint_eq(most, totem_families(&match_value()->options));
    table_check_replay(&table);
}
END_TEST

/* A move is told to the server as it was made, with nothing masked. */
static int expect_unmasked(void *ctx, const char *bytes, size_t len)
{
    unsigned *moves = ctx;
    json_t *push = json_loadb(bytes, len, 0, NULL), *event = json_object_get(push, "event");
    const char *move = json_string_value(json_object_get(event, "move"));
    struct room_event made;
    room_event_at(table.room, (uint64_t)json_integer_value(json_object_get(push, "seq")), &made);
    if (move) {
        ck_assert_uint_eq(strlen(move), made.text_len);
        ck_assert_mem_eq(move, made.text, made.text_len);
        ck_assert_ptr_null(memchr(bytes, '?', len));
        (*moves)++;
    }
    json_decref(push);
    return 0;
}

START_TEST(test_the_server_is_told_each_command)
{
    unsigned moves = 0;
    play_computers("\"players\":4,\"spells\":\"B\",\"meals\":\"B\",\"rounds\":5");
    ck_assert_int_eq(room_write_missed(table.room, room_audience(table.room, ROOM_SERVER), 0,
                                       room_seq(table.room), expect_unmasked, &moves),
                     0);
    ck_assert_uint_eq(moves, moves_in_log());
}
END_TEST

/* ---- people */

static const char *members(const char *key, const char *value)
{
    static char text[128];
    (void)snprintf(text, sizeof text, "\"%s\":\"%s\"", key, value);
    return text;
}

static unsigned acting_seat(void)
{
    uint32_t acting = match_acting(&table.room->setup, table.room->match);
    unsigned seat = 0;
    ck_assert_uint_ne(acting, 0);
    while (!((acting >> seat) & 1))
        seat++;
    return seat;
}

/* What the computer would do for the seat. */
static const char *choice_of(unsigned seat)
{
    static char move[PROTOCOL_MOVE_BYTES + 1];
    size_t len = game_choose(&game_type_totem, match_value(), seat, 2, 7, move);
    move[len] = '\0';
    return move;
}

static void play_until(enum totem_step step)
{
    for (unsigned i = 0; match_value()->game.step != step; i++) {
        unsigned seat = acting_seat();
        ck_assert_uint_lt(i, 500);
        expect_ok(table_move(&table, ANA + seat, choice_of(seat)));
    }
}

/* Other births to come, and other spells face down: what a computer in the seat knows is the same.
 */
START_TEST(test_a_computer_knows_what_its_seat_knows)
{
    static struct totem_match other, knows, would_know;
    unsigned exchanged = 0;
    open_totem("\"players\":4");
    table_start(&table);
    play_until(TOTEM_STEP_REVEAL_BIRTHS);
    memcpy(&other, match_value(), sizeof other);
    memset(other.key, 0x5a, sizeof other.key);
    for (unsigned i = 1; i < TOTEM_FAMILIES; i++) {
        struct totem_spell_place *places = other.game.families[i].spells;
        struct totem_spell_place first = places[0];
        for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
            places[spell] = spell + 1 < TOTEM_SPELLS ? places[spell + 1] : first;
            exchanged += places[spell].state == TOTEM_SPELL_DOWN;
        }
        other.game.families[i].note.puts.hut[0] = 1;
    }
    ck_assert_uint_gt(exchanged, 0);
    game_type_totem.computer->know(match_value(), 0, &knows);
    game_type_totem.computer->know(&other, 0, &would_know);
    ck_assert_mem_eq(&knows, &would_know, sizeof knows);
    ck_assert_mem_eq(&knows.game.families[0], &match_value()->game.families[0],
                     sizeof knows.game.families[0]);
    game_type_totem.computer->know(match_value(), 1, &would_know);
    ck_assert_mem_ne(&knows, &would_know, sizeof knows);
}
END_TEST

START_TEST(test_colours_belong_to_seats)
{
    open_totem("\"players\":3");
    expect_code(table_send(&table, ANA, "join", members("colour", "green")), "colour_fixed");
    expect_code(table_send(&table, ANA, "join", members("colour", "pink")), "unknown_colour");
    expect_ok(table_send(&table, ANA, "join", members("colour", "red")));
    expect_ok(table_send(&table, BO, "join", "\"seat\":2"));
    ck_assert_str_eq(table_look_string(&table, "seats.2.colour"), "blue");
    expect_ok(table_send(&table, ANA, "sit", "\"seat\":1"));
    ck_assert_str_eq(table_look_string(&table, "seats.1.colour"), "green");
    expect_ok(table_send(&table, ANA, "bot", ""));
    ck_assert_str_eq(table_look_string(&table, "seats.0.colour"), "red");
}
END_TEST

/* Everybody moves on by one seat, and plays the colour of the new one. */
START_TEST(test_a_rematch_has_the_colours_of_seats)
{
    struct room_seed seed = {.id = "7c2k0v5n", .code = "", .host = ANA};
    struct refusal refusal;
    struct room_event event;
    char scratch[ROOM_EVENT_TEXT_MAX];
    open_totem("\"players\":3");
    table_start(&table);
    expect_ok(table_send(&table, ANA, "resign", ""));
    expect_ok(table_send(&table, BO, "resign", ""));
    expect_ok(table_send(&table, CHI, "rematch", ""));
    struct room *next = room_create_rematch(table.room, &seed, table.now_ms, &refusal);
    ck_assert_ptr_nonnull(next);
    for (unsigned i = 0;
         room_decide_rematch_seat(next, table.room, i, table.now_ms, &event, scratch); i++)
        ck_assert_int_eq(room_apply(next, &event, NULL), 0);
    ck_assert_uint_eq(room_seat_of(next, ANA), 2);
    for (unsigned seat = 0; seat < 3; seat++)
        ck_assert_uint_eq(next->match->seats[seat].colour, seat);
    room_destroy(next);
}
END_TEST

START_TEST(test_who_is_absent_does_the_least)
{
    struct totem_command command;
    char least[TOTEM_COMMAND_TEXT];
    table_open_game(&table, games,
                    "\"game\":\"totem\",\"options\":{\"first\":\"B\"},\"clock\":{\"kind\":\"move\","
                    "\"move_s\":60,\"on_timeout\":\"computer\"}");
    table_start(&table);
    totem_default_command(&match_value()->game, 2, &command);
    totem_command_format(&command, least);
    uint64_t seq = room_seq(table.room);
    table_wait(&table, 60400);
    struct room_event event;
    room_event_at(table.room, seq + 1, &event);
    ck_assert_int_eq(event.kind, ROOM_REPLACED);
    room_event_at(table.room, seq + 2, &event);
    ck_assert_int_eq(event.kind, ROOM_MOVE);
    ck_assert_uint_eq(event.seat, 2);
    ck_assert_uint_eq(event.text_len, strlen(least));
    ck_assert_mem_eq(event.text, least, event.text_len);
}
END_TEST

START_TEST(test_event_of_a_forfeit_has_effects)
{
    open_totem("\"players\":4,\"first\":\"R\"");
    table_start(&table);
    expect_ok(table_send(&table, BO, "resign", ""));
    const json_t *effects = json_object_get(table.event, "effects");
    ck_assert_str_eq(json_string_value(json_array_get(effects, 0)), "out@G");
    ck_assert(json_is_true(table_look(&table, "table.families.G.out")));
    ck_assert_ptr_null(table_look(&table, "table.huts.G1"));
    expect_ok(table_send(&table, CHI, "resign", ""));
    expect_ok(table_send(&table, DEE, "resign", ""));
    effects = json_object_get(table.event, "effects");
    ck_assert_str_eq(json_string_value(json_array_get(effects, 1)), "over@last-standing=R");
    ck_assert_str_eq(table_look_string(&table, "result.why"), "last-standing");
}
END_TEST

START_TEST(test_only_what_is_written_is_taken_back)
{
    open_totem("\"players\":2,\"spells\":\"B\",\"first\":\"R\"");
    table_start(&table);
    expect_ok(table_move(&table, ANA, choice_of(0)));
    expect_code(table_send(&table, ANA, "undo", ""), "nothing_to_undo");
    play_until(TOTEM_STEP_WRITE);
    expect_ok(table_move(&table, ANA, "write@R=T:R1"));
    expect_ok(table_move(&table, ANA, "write@B=T:B1"));
    ck_assert(!table_acts(&table, 0));
    expect_code(table_send(&table, BO, "undo", ""), "nothing_to_undo");
    expect_ok(table_send(&table, ANA, "undo", ""));
    ck_assert_str_eq(table_look_string(&table, "table.mine.R.note"), "T:R1");
    ck_assert_ptr_null(table_look(&table, "table.mine.B"));
    expect_ok(table_send(&table, ANA, "undo", ""));
    expect_code(table_send(&table, ANA, "undo", ""), "nothing_to_undo");
    expect_ok(table_move(&table, ANA, "write@R=-"));
    expect_ok(table_move(&table, ANA, "write@B=G:R1"));
    expect_ok(table_move(&table, BO, "write@G=-"));
    expect_ok(table_move(&table, BO, "write@Y=-"));
    expect_code(table_send(&table, ANA, "undo", ""), "nothing_to_undo");
    ck_assert_int_eq(table_look_int(&table, "table.huts.R1.down.B"), 1);
    ck_assert_str_eq(table_look_string(&table, "table.mine.B.down.G"), "R1");
}
END_TEST

/* In the state of the seat that leads the family. */
static bool has_note(unsigned seat, unsigned family)
{
    const char name[2] = {totem_family_letters[family], '\0'};
    const json_t *shown =
        json_object_get(table.state[room_audience(table.room, (uint8_t)seat)], "table");
    const json_t *own = json_object_get(json_object_get(shown, "mine"), name);
    return json_object_get(own, "note") != NULL;
}

/* Who writes whose people starve may write it anew until the last has written. */
START_TEST(test_a_written_taking_is_taken_back)
{
    open_totem("\"players\":3,\"meals\":\"B\",\"first\":\"R\"");
    table_start(&table);
    play_until(TOTEM_STEP_TAKE);
    while (match_value()->game.n_queue < 2) { /* one alone is read as it is written */
        const unsigned seat = acting_seat();
        expect_ok(table_move(&table, ANA + seat, choice_of(seat)));
        play_until(TOTEM_STEP_TAKE);
    }
    const struct totem *game = &match_value()->game;
    const unsigned writer = totem_seat_of(&game->options, game->queue[0]);
    const unsigned other = totem_seat_of(&game->options, game->queue[1]);
    const unsigned hungry = totem_seat_of(&game->options, game->hungry[0].family);
    const unsigned left = game->hungry[0].number;
    const unsigned family = game->queue[0];
    char move[PROTOCOL_MOVE_BYTES + 1];
    (void)snprintf(move, sizeof move, "%s", choice_of(writer));
    expect_code(table_send(&table, ANA + writer, "undo", ""), "nothing_to_undo");
    for (unsigned i = 0; i < 2; i++) {
        expect_ok(table_move(&table, ANA + writer, move));
        ck_assert(has_note(writer, family));
        ck_assert(!table_acts(&table, writer));
        expect_code(table_send(&table, ANA + hungry, "undo", ""), "nothing_to_undo");
        expect_code(table_send(&table, ANA + other, "undo", ""), "nothing_to_undo");
        expect_ok(table_send(&table, ANA + writer, "undo", ""));
        ck_assert(!has_note(writer, family));
        ck_assert(table_acts(&table, writer));
    }
    expect_ok(table_move(&table, ANA + writer, move));
    expect_ok(table_move(&table, ANA + other, choice_of(other)));
    expect_code(table_send(&table, ANA + writer, "undo", ""), "nothing_to_undo");
    game = &match_value()->game;
    ck_assert(game->step != TOTEM_STEP_TAKE || game->hungry[0].number != left ||
              totem_seat_of(&game->options, game->hungry[0].family) != hungry);
}
END_TEST

/* Time that writing would give is given only when it cannot be taken back any more. */
START_TEST(test_writing_again_gains_no_time)
{
    table_open_game(&table, games,
                    "\"game\":\"totem\",\"options\":{\"players\":2,\"spells\":\"B\"},\"clock\":{"
                    "\"kind\":\"fischer\",\"bank_s\":100,\"increment_s\":10}");
    table_start(&table);
    play_until(TOTEM_STEP_WRITE);
    int64_t left_ms = table_look_int(&table, "clock.seats.0.left_ms");
    for (unsigned i = 0; i < 3; i++) {
        expect_ok(table_move(&table, ANA, "write@R=-"));
        expect_ok(table_send(&table, ANA, "undo", ""));
    }
    ck_assert_int_eq(table_look_int(&table, "clock.seats.0.left_ms"), left_ms);
    left_ms = table_look_int(&table, "clock.seats.1.left_ms");
    expect_ok(table_move(&table, BO, "write@G=-"));
    expect_ok(table_move(&table, BO, "write@Y=-"));
    expect_ok(table_move(&table, ANA, "write@R=-"));
    ck_assert_int_eq(table_look_int(&table, "clock.seats.1.left_ms"), left_ms);
    expect_ok(table_move(&table, ANA, "write@B=-")); /* the last one: all are read */
    ck_assert_int_gt(table_look_int(&table, "clock.seats.1.left_ms"), left_ms);
}
END_TEST

START_TEST(test_refusals)
{
    open_totem("\"players\":2,\"first\":\"R\"");
    table_start(&table);
    expect_code(table_move(&table, ANA, "settle@R=everybody"), "bad_command");
    expect_code(table_move(&table, ANA, "settle@G=wm/-/-"), "not_yours");
    expect_code(table_move(&table, ANA, "settle@B=wwmmWMe/-/-"), "not_your_turn");
    expect_code(table_move(&table, ANA, "choose@R=-"), "not_now");
    expect_code(table_move(&table, ANA, "settle@R=wwmmWMe/-/-"), "hut_full");
    expect_code(table_move(&table, ANA, "settle@R=wwmmWM/-/-"), "people_left");
    expect_ok(table_move(&table, ANA, "settle@R=wwmmWM/-/e"));
}
END_TEST

Suite *totem_suite(void)
{
    Suite *suite = suite_create("totem");
    TCase *tcase = tcase_create("computers");
    tcase_add_checked_fixture(tcase, NULL, close_totem);
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, test_computers_play_every_variant, 0, FEW_VARIANTS);
    tcase_add_test(tcase, test_a_whole_match);
    tcase_add_loop_test(tcase, test_the_server_sees_what_all_hide, 0, 3);
    tcase_add_test(tcase, test_the_server_is_told_each_command);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("more computers");
    tcase_set_tags(tcase, LONG_TESTS);
    tcase_add_checked_fixture(tcase, NULL, close_totem);
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, test_computers_play_every_variant, FEW_VARIANTS, VARIANTS);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("people");
    tcase_add_checked_fixture(tcase, NULL, close_totem);
    tcase_add_test(tcase, test_colours_belong_to_seats);
    tcase_add_test(tcase, test_a_computer_knows_what_its_seat_knows);
    tcase_add_test(tcase, test_a_rematch_has_the_colours_of_seats);
    tcase_add_test(tcase, test_a_written_taking_is_taken_back);
    tcase_add_test(tcase, test_who_is_absent_does_the_least);
    tcase_add_test(tcase, test_event_of_a_forfeit_has_effects);
    tcase_add_test(tcase, test_only_what_is_written_is_taken_back);
    tcase_add_test(tcase, test_writing_again_gains_no_time);
    tcase_add_test(tcase, test_refusals);
    suite_add_tcase(suite, tcase);
    return suite;
}
