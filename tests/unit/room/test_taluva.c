/* Taluva's part of a room by itself: its words in a record, and what its computer likes. */
#include "../../support/long_tests.h"
#include "suites.h"
#include "table.h"
#include <protocol/record.h>
#include <stdio.h>
#include <string.h>
#include <taluva/game.h>
#include <taluva_match.h>

static struct table table;

static void open_match(const char *options)
{
    char create[256];
    (void)snprintf(create, sizeof create, "\"options\":%s", options);
    table_open(&table, create);
    ck_assert_ptr_nonnull(table.room);
    table_start(&table);
}

/* ---- words of a record */

static const struct {
    const char *move;
    uint8_t before, after; /* the seat's state */
    const char *words;
} words_rows[] = {
    {"draw", TALUVA_SEAT_PLAYING, TALUVA_SEAT_PLAYING, ""},
    {"JJ@0,0:0", TALUVA_SEAT_PLAYING, TALUVA_SEAT_PLAYING, "JJ@0,0:0"},
    {"JJ@0,0:0", TALUVA_SEAT_PLAYING, TALUVA_SEAT_ELIMINATED, "JJ@0,0:0 none"},
    {"JJ@0,0:0", TALUVA_SEAT_ELIMINATED, TALUVA_SEAT_ELIMINATED, "JJ@0,0:0"},
    {"hut@1,0", TALUVA_SEAT_PLAYING, TALUVA_SEAT_PLAYING, "hut@1,0"},
    {"hut@1,0", TALUVA_SEAT_PLAYING, TALUVA_SEAT_ELIMINATED, "hut@1,0"},
};

START_TEST(test_words)
{
    static struct taluva_match before, after;
    char words[RECORD_TEXT_BYTES];
    const char *move = words_rows[_i].move;
    for (uint8_t seat = 0; seat < 2; seat++) {
        memset(&before, 0, sizeof before);
        memset(&after, 0, sizeof after);
        memset(words, 'x', sizeof words);
        before.game.state[0] = before.game.state[1] = TALUVA_SEAT_PLAYING;
        after.game.state[0] = after.game.state[1] = TALUVA_SEAT_PLAYING;
        before.game.state[seat] = words_rows[_i].before;
        after.game.state[seat] = words_rows[_i].after;
        size_t len = taluva_record.words(&before, &after, seat, move, strlen(move), words);
        ck_assert_uint_eq(len, strlen(words_rows[_i].words));
        ck_assert_int_eq(memcmp(words, words_rows[_i].words, len), 0);
    }
}
END_TEST

static void read_record(struct record *record, struct buffer *buffer)
{
    struct record_problem problem;
    buffer_init(buffer, 0, RECORD_BYTES);
    ck_assert_int_eq(
        room_write_record(table.room, room_seq(table.room), "taluvad 0.1", NULL, buffer), 0);
    ck_assert_msg(record_parse(record, buffer_payload(buffer), buffer->len, &problem), "%s",
                  problem.message);
}

/* A turn stays one line, also if somebody else gives up in the middle of it. */
START_TEST(test_a_turn_is_one_line)
{
    struct record record;
    struct buffer buffer;
    char place[32], line[64];
    open_match("{\"players\":3,\"first\":0}");
    (void)snprintf(place, sizeof place, "%s@0,0:0", table_look_string(&table, "table.turn.tile"));
    expect_ok(table_move(&table, ANA, place));
    expect_ok(table_send(&table, CHI, "resign", ""));
    expect_ok(table_move(&table, ANA, "hut@1,0"));
    read_record(&record, &buffer);
    ck_assert_uint_eq(record.line_count, 2);
    ck_assert_str_eq(record.lines[0].text, "resigned");
    ck_assert_uint_eq(record.lines[0].seat, 2);
    (void)snprintf(line, sizeof line, "%s hut@1,0", place);
    ck_assert_str_eq(record.lines[1].text, line);
    ck_assert_uint_eq(record.lines[1].seat, 0);
    record_release(&record);
    buffer_release(&buffer);
    table_close(&table);
}
END_TEST

static unsigned seat_of(uint64_t session)
{
    unsigned seat = 0;
    while (table.room->match->seats[seat].session != session)
        seat++;
    return seat;
}

/* Each turn of a match is a line of its own, with its seat and what was done, in their order. */
START_TEST(test_a_line_for_each_turn)
{
    static struct {
        unsigned seat;
        char text[64];
    } turns[128];
    struct record record;
    struct buffer buffer;
    uint64_t mover;
    unsigned count = 0;
    open_match("{\"players\":3,\"tiles\":24,\"boats\":true,\"two_hex\":true}");
    for (uint64_t move = 0; (mover = table_mover(&table)) != 0; move++) {
        const char *text = table_any_move(&table, move);
        unsigned seat = seat_of(mover);
        bool build = strstr(text, ":") == NULL;
        if (strcmp(text, "draw") != 0 && build) {
            strcat(turns[count - 1].text, " ");
            strcat(turns[count - 1].text, text);
        } else if (!build) {
            ck_assert_uint_lt(count, sizeof turns / sizeof *turns);
            turns[count].seat = seat;
            (void)snprintf(turns[count++].text, sizeof turns->text, "%s", text);
        }
        expect_ok(table_move(&table, mover, text));
        if (json_is_true(json_object_get(table.event, "eliminated")))
            strcat(turns[count - 1].text, " none");
    }
    read_record(&record, &buffer);
    ck_assert_uint_eq(record.line_count, count);
    for (unsigned i = 0; i < count; i++) {
        ck_assert_uint_eq(record.lines[i].number, i + 1);
        ck_assert_uint_eq(record.lines[i].seat, turns[i].seat);
        ck_assert_str_eq(record.lines[i].text, turns[i].text);
    }
    record_release(&record);
    buffer_release(&buffer);
    table_close(&table);
}
END_TEST

static const struct {
    unsigned resigns;
    const char *options, *winners, *ranks; /* winners of teams are teams */
} result_rows[] = {
    {0, "{}", "1", "1 0"},
    {1, "{}", "0", "0 1"},
    {0, "{\"players\":4,\"teams\":true}", "1", NULL},
    {1, "{\"players\":4,\"teams\":true}", "0", NULL},
};

static const struct {
    const char *options, *name, *value;
} option_rows[] = {
    {"{}", "first", "drawn"},
    {"{\"first\":1}", "first", "1"},
    {"{}", "preset", "ferti-2014"},
    {"{\"players\":3}", "players", "3"},
    {"{}", "tiles", "48"},
    {"{\"preset\":\"custom\"}", "tiles", "48"},
    {"{}", "huts", "isolated"},
    {"{\"players\":4,\"teams\":true}", "teams", "yes"},
    {"{\"players\":4}", "teams", "no"},
    {"{\"players\":3,\"ranking\":true}", "ranking", "yes"},
    {"{\"boats\":true}", "boats", "yes"},
    {"{\"two_hex\":true}", "two_hex", "yes"},
    {"{\"zone\":\"expert\"}", "zone", "expert"},
};

START_TEST(test_record_of_options)
{
    struct record record;
    struct buffer buffer;
    open_match(option_rows[_i].options);
    read_record(&record, &buffer);
    const char *value = record_find(record.options, record.option_count, option_rows[_i].name);
    ck_assert_ptr_nonnull(value);
    ck_assert_str_eq(value, option_rows[_i].value);
    record_release(&record);
    buffer_release(&buffer);
    table_close(&table);
}
END_TEST

/* All of a side give up. */
START_TEST(test_result)
{
    struct record record;
    struct buffer buffer;
    open_match(result_rows[_i].options);
    expect_ok(table_send(&table, ANA + result_rows[_i].resigns, "resign", ""));
    if (!result_rows[_i].ranks)
        expect_ok(table_send(&table, ANA + result_rows[_i].resigns + 2, "resign", ""));
    read_record(&record, &buffer);
    ck_assert_str_eq(record_find(record.result, record.result_count, "winners"),
                     result_rows[_i].winners);
    const char *ranks = record_find(record.result, record.result_count, "ranks");
    ck_assert_int_eq(ranks != NULL, result_rows[_i].ranks != NULL);
    if (ranks)
        ck_assert_str_eq(ranks, result_rows[_i].ranks);
    for (unsigned team = 0; team < 2; team++) {
        const char *const name = team == 0 ? "totals_0" : "totals_1";
        const char *totals = record_find(record.result, record.result_count, name);
        ck_assert_int_eq(totals != NULL, ranks == NULL);
        if (totals)
            ck_assert_str_eq(totals, "0 0 0 0");
    }
    record_release(&record);
    buffer_release(&buffer);
    table_close(&table);
}
END_TEST

/* ---- what may be done */

static json_t *ask_moves(void)
{
    struct refusal refusal;
    struct buffer buffer;
    struct writer writer;
    struct room_actor actor = {.session = table_mover(&table), .name = "Ana"};
    buffer_init(&buffer, 0, 1 << 20);
    writer_init(&writer, &buffer);
    writer_object(&writer);
    ck_assert(room_write_moves(table.room, &actor, &writer, &refusal));
    writer_end(&writer);
    json_t *answer = json_loadb(buffer_payload(&buffer), buffer.len, 0, NULL);
    ck_assert_ptr_nonnull(answer);
    buffer_release(&buffer);
    return answer;
}

/* Does it on a copy; the code of the refusal or "ok". */
static const char *try_move(const char *move, bool confirm, struct taluva_match *after)
{
    static struct refusal refusal;
    struct game_change change;
    memcpy(after, match_game_of(table.room->match), sizeof *after);
    refusal = (struct refusal){0};
    bool done =
        taluva_rules.act(after, after->game.seat, move, strlen(move), confirm, &change, &refusal);
    return done ? "ok" : refusal.code ? refusal.code : "bad_field";
}

static bool is_listed(const json_t *list, const char *move)
{
    size_t at;
    json_t *value;
    json_array_foreach(list, at, value)
    {
        if (strcmp(json_string_value(value), move) == 0)
            return true;
    }
    return false;
}

/* All of the moves are legal, none but the eliminating ones asks back, and each is there once. */
static void check_listed(const json_t *answer)
{
    static struct taluva_match after;
    const json_t *moves = json_object_get(answer, "moves");
    const json_t *eliminating = json_object_get(answer, "eliminating");
    ck_assert_uint_gt(json_array_size(moves), 0);
    for (size_t i = 0; i < json_array_size(moves); i++) {
        const char *move = json_string_value(json_array_get(moves, i));
        ck_assert_str_eq(try_move(move, true, &after), "ok");
        ck_assert_str_eq(try_move(move, false, &after),
                         is_listed(eliminating, move) ? "eliminates_you" : "ok");
        /* Every ck_assert tells the parent where it is: not for each pair. */
        for (size_t j = 0; j < i; j++) {
            if (strcmp(json_string_value(json_array_get(moves, j)), move) == 0)
                ck_abort_msg("%s is there twice", move);
        }
    }
    for (size_t i = 0; i < json_array_size(eliminating); i++)
        ck_assert(is_listed(moves, json_string_value(json_array_get(eliminating, i))));
    ck_assert_int_eq(is_listed(moves, "draw"), strcmp(try_move("draw", true, &after), "ok") == 0);
}

/* As many as the rules know, whatever tile they are of. */
static void check_count(const json_t *answer)
{
    const struct taluva_match *match = match_game_of(table.room->match);
    const struct taluva *game = &match->game;
    size_t count = 0;
    if (game->step == TALUVA_STEP_BUILD) {
        struct taluva_build builds[TALUVA_BUILDS_MAX];
        count = taluva_list_builds(game, builds);
    } else {
        struct taluva_placement list[TALUVA_PLACEMENTS_MAX];
        bool dead_end[TALUVA_PLACEMENTS_MAX];
        unsigned may_take = taluva_may_take(game);
        count += (may_take & TALUVA_TAKE_DRAW) != 0;
        if (game->step == TALUVA_STEP_PLACE)
            count += taluva_list_placements(game, game->tile, list, dead_end);
        for (unsigned i = 0; i < TALUVA_TWO_HEX_MAX; i++) {
            taluva_tile tile = (taluva_tile)(TALUVA_TILE_TWO_HEX + i);
            if ((may_take >> i) & 1)
                count += taluva_list_placements(game, tile, list, dead_end);
        }
    }
    ck_assert_uint_eq(json_array_size(json_object_get(answer, "moves")), count);
}

/* Where the huts of a build come, and how many to each: as many as it costs. */
static void check_huts(json_t *answer)
{
    static struct taluva_match after;
    const struct taluva_match *match = match_game_of(table.room->match);
    const json_t *moves = json_object_get(answer, "moves");
    json_t *huts = json_object_get(answer, "huts");
    size_t entries = 0, at;
    json_t *value;
    if (match->game.step != TALUVA_STEP_BUILD) {
        ck_assert_ptr_null(huts);
        return;
    }
    json_array_foreach(moves, at, value)
    {
        const char *move = json_string_value(value);
        json_t *hexes = json_object_get(huts, move), *level;
        bool has_huts = strncmp(move, "hut@", 4) == 0 || strncmp(move, "expand@", 7) == 0;
        const char *key;
        json_int_t sum = 0;
        ck_assert_msg((hexes != NULL) == has_huts, "%s", move);
        if (!hexes)
            continue;
        entries++;
        ck_assert_str_eq(try_move(move, true, &after), "ok");
        json_object_foreach(hexes, key, level)
        {
            sum += json_integer_value(level);
        }
        unsigned seat = match->game.seat;
        ck_assert_int_eq(sum, match->game.reserve[seat][TALUVA_HUT] -
                                  after.game.reserve[seat][TALUVA_HUT]);
    }
    ck_assert_uint_eq(json_object_size(huts), entries);
}

static const char *const moves_rows[] = {
    "{\"players\":2,\"boats\":true,\"two_hex\":true,\"first\":0}",
    "{\"players\":3,\"ranking\":true,\"first\":1}",
};

START_TEST(test_moves)
{
    uint64_t mover;
    open_match(moves_rows[_i]);
    for (uint64_t move = 0; move < 60 && (mover = table_mover(&table)) != 0; move++) {
        json_t *answer = ask_moves();
        check_listed(answer);
        check_count(answer);
        check_huts(answer);
        json_decref(answer);
        expect_ok(table_move(&table, mover, table_any_move(&table, move)));
    }
    table_close(&table);
}
END_TEST

/* The latest turn of a seat: the tile, and then what was built. */
START_TEST(test_last)
{
    char place[32], line[64];
    open_match("{\"first\":0}");
    (void)snprintf(place, sizeof place, "%s@0,0:0", table_look_string(&table, "table.turn.tile"));
    ck_assert_ptr_null(table_look(&table, "table.last.0"));
    expect_ok(table_move(&table, ANA, place));
    ck_assert_str_eq(table_look_string(&table, "table.last.0"), place);
    expect_ok(table_move(&table, ANA, "hut@1,0"));
    (void)snprintf(line, sizeof line, "%s hut@1,0", place);
    ck_assert_str_eq(table_look_string(&table, "table.last.0"), line);
    ck_assert_ptr_null(table_look(&table, "table.last.1"));
    table_close(&table);
}
END_TEST

/* A refusal says what its number is about only where it has one. */
START_TEST(test_refusals)
{
    open_match("{\"first\":0}");
    expect_code(table_move(&table, ANA, "hut@1,0"), "wrong_step");
    ck_assert(!table.refusal.has_number);
    ck_assert_str_eq(table.refusal.at, "");
    expect_code(table_move(&table, BO, "draw"), "not_your_turn");
    ck_assert(!table.refusal.has_number);
    table_close(&table);
}
END_TEST

/* ---- the computer */

static const struct {
    const char *options;
    uint64_t moves; /* a sum over all that it chooses in three matches */
} computer_rows[] = {
    {"{\"players\":2}", UINT64_C(0x6fc28f40003ba265)},
    {"{\"players\":3,\"boats\":true}", UINT64_C(0x32ffbceba190ea2f)},
    {"{\"players\":4,\"teams\":true,\"two_hex\":true}", UINT64_C(0x85ee22d1dd49ece0)},
    {"{\"players\":5,\"boats\":true,\"two_hex\":true}", UINT64_C(0x64083c2194819f40)},
};

static uint64_t add_text(uint64_t sum, const char *text)
{
    for (; *text; text++)
        sum = (sum ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return (sum ^ '\n') * UINT64_C(0x100000001b3);
}

/* What it weighs is a matter of taste, but changes on purpose only: then the sums change too. */
START_TEST(test_computer_chooses_as_it_did)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325), mover;
    for (uint64_t match = 0; match < 3; match++) {
        open_match(computer_rows[_i].options);
        for (uint64_t move = 0; (mover = table_mover(&table)) != 0; move++) {
            const char *text = table_any_move(&table, 1000 * match + move);
            sum = add_text(sum, text);
            expect_ok(table_move(&table, mover, text));
        }
        table_close(&table);
    }
    ck_assert_msg(sum == computer_rows[_i].moves, "0x%016llx", (unsigned long long)sum);
}
END_TEST

/* Where one build is all that there is, it is chosen; where there are two, both now and then. */
START_TEST(test_computer_has_few_choices)
{
    static struct taluva_match match;
    struct taluva_build builds[TALUVA_BUILDS_MAX];
    char place[32], move[PROTOCOL_MOVE_BYTES];
    bool seen[2] = {false, false};
    open_match("{\"first\":0}");
    (void)snprintf(place, sizeof place, "%s@0,0:0", table_look_string(&table, "table.turn.tile"));
    expect_ok(table_move(&table, ANA, place));
    memcpy(&match, match_game_of(table.room->match), sizeof match);
    ck_assert_uint_eq(taluva_list_builds(&match.game, builds), 2);
    for (uint64_t seed = 0; seed < 64; seed++) {
        size_t len = game_choose(&game_type_taluva, &match, 0, 2, seed, move);
        ck_assert_uint_eq(len, 7);
        seen[memcmp(move, "hut@1,0", 7) == 0] = true;
    }
    ck_assert(seen[0] && seen[1]);
    match.game.cells[1].owner = 1;
    match.game.cells[1].count = 1;
    ck_assert_uint_eq(taluva_list_builds(&match.game, builds), 1);
    ck_assert_uint_eq(game_choose(&game_type_taluva, &match, 0, 2, 1, move), 7);
    ck_assert_int_eq(memcmp(move, "hut@", 4), 0);
    ck_assert_int_eq(builds[0].verb, TALUVA_BUILD_HUT);
    table_close(&table);
}
END_TEST

Suite *taluva_suite(void)
{
    Suite *suite = suite_create("Taluva");
    TCase *tcase = tcase_create("record");
    tcase_add_loop_test(tcase, test_words, 0, sizeof words_rows / sizeof *words_rows);
    tcase_add_test(tcase, test_a_turn_is_one_line);
    tcase_add_test(tcase, test_a_line_for_each_turn);
    tcase_add_loop_test(tcase, test_result, 0, sizeof result_rows / sizeof *result_rows);
    tcase_add_loop_test(tcase, test_record_of_options, 0, sizeof option_rows / sizeof *option_rows);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("moves");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, test_moves, 0, sizeof moves_rows / sizeof *moves_rows);
    tcase_add_test(tcase, test_last);
    tcase_add_test(tcase, test_refusals);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("computer");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, test_computer_has_few_choices);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("matches of the computer");
    tcase_set_tags(tcase, LONG_TESTS);
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, test_computer_chooses_as_it_did, 0,
                        sizeof computer_rows / sizeof *computer_rows);
    suite_add_tcase(suite, tcase);
    return suite;
}
