/*
 * Text records through the rules: a game of the reference, written as a record, is right; what is
 * left out or misspelt in it is found.
 */
#include "suites.h"
#include <cli/game.h>
#include <cli_taluva/game.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TURNS = 36 }; /* of the game below; its 32nd eliminates */

static const char *text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static json_t *read_game(void)
{
    size_t len;
    char *lines = read_source_file("tests/vectors/games.jsonl", &len);
    char *line = strstr(lines, "{\"id\":\"base-eruptive-11\"");
    ck_assert_ptr_nonnull(line);
    json_t *game = json_loads(line, JSON_DISABLE_EOF_CHECK, NULL);
    ck_assert_ptr_nonnull(game);
    free(lines);
    return game;
}

/* Its record; of one turn the build may be changed, "" leaves it out. */
static char *write_record(const json_t *game, size_t turn_changed, const char *change)
{
    char *text;
    size_t len, i;
    json_t *tile, *turn;
    FILE *out = open_memstream(&text, &len);
    ck_assert_ptr_nonnull(out);
    fputs("[Format \"taluva-record 1\"]\n[Server \"test\"]\n[Room \"k3m9x0aq\"]\n"
          "[Game \"taluva\"]\n[Start \"2026-03-01T18:00:00.000Z\"]\n"
          "[End \"2026-03-01T18:12:31.250Z\"]\n[Clock \"none\"]\n"
          "[Option.preset \"custom\"]\n[Option.players \"3\"]\n[Option.tiles \"36\"]\n"
          "[Option.huts \"isolated\"]\n[Option.first \"0\"]\n[Option.teams \"no\"]\n"
          "[Option.ranking \"no\"]\n[Option.boats \"no\"]\n[Option.two_hex \"no\"]\n"
          "[Option.zone \"none\"]\n"
          "[Seat.0.name \"Ana\"]\n[Seat.0.colour \"red\"]\n[Seat.0.nonce \"\"]\n"
          "[Seat.1.name \"Bo\"]\n[Seat.1.colour \"white\"]\n[Seat.1.nonce \"\"]\n"
          "[Seat.2.name \"Chi\"]\n[Seat.2.colour \"brown\"]\n[Seat.2.nonce \"\"]\n"
          "[Commitment \"630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd\"]\n"
          "[Secret \"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\"]\n"
          "[Deal.first \"0\"]\n[Deal.deck \"",
          out);
    json_array_foreach(json_object_get(game, "deck"), i, tile)
    {
        fprintf(out, "%s%s", i > 0 ? " " : "", json_string_value(tile));
    }
    fputs("\"]\n[Result.why \"exhausted\"]\n[Result.winners \"0\"]\n[Result.ranks \"0 2 1\"]\n\n",
          out);
    json_array_foreach(json_object_get(game, "turns"), i, turn)
    {
        int seat = (int)json_integer_value(json_object_get(turn, "seat"));
        bool changed = change && i + 1 == turn_changed;
        fprintf(out, "%zu. %d %s%s%s\n", i + 1, seat, text_of(turn, "place"),
                changed && !*change ? "" : " ", changed ? change : text_of(turn, "build"));
    }
    ck_assert_int_eq(fclose(out), 0);
    return text;
}

/* How many turns were played, and what was said. */
static uint64_t replay_shown(size_t turn, const char *change, bool proof,
                             const struct replay_pictures *pictures, char *said, size_t size)
{
    static const struct game *const games[] = {&game_taluva, NULL};
    struct replay replay = {.where = "test", .pictures = pictures};
    json_t *game = read_game();
    char *text = write_record(game, turn, change), *shown;
    size_t len;
    games_set(games);
    replay.out = open_memstream(&shown, &len);
    ck_assert_ptr_nonnull(replay.out);
    replay.proof = proof;
    replay_record(&replay, text, strlen(text));
    ck_assert_uint_eq(replay.games, 1);
    replay_print_totals(&replay);
    ck_assert_int_eq(fclose(replay.out), 0);
    snprintf(said, size, "%s", shown);
    free(shown);
    free(text);
    json_decref(game);
    return replay.turns;
}

static uint64_t replay(size_t turn, const char *change, bool proof, char *said, size_t size)
{
    return replay_shown(turn, change, proof, NULL, said, size);
}

/* What is wrong with the whole is not said of a line. */
START_TEST(says_that_it_is_too_long)
{
    struct replay replay = {.where = "test"};
    char *text = malloc(RECORD_BYTES + 1), *shown;
    size_t len;
    ck_assert_ptr_nonnull(text);
    memset(text, 'x', RECORD_BYTES + 1);
    replay.out = open_memstream(&shown, &len);
    ck_assert_ptr_nonnull(replay.out);
    replay_record(&replay, text, RECORD_BYTES + 1);
    ck_assert_int_eq(fclose(replay.out), 0);
    ck_assert_str_eq(shown, "test: the record is too long\n");
    free(shown);
    free(text);
}
END_TEST

static const struct {
    size_t turn;
    const char *change, *says;
    unsigned turns;
} CASES[] = {
    {0, NULL, "1 games, 36 turns, 0 differences\n", TURNS},
    {32, "non", "turn 32: non: seat ", 32},
    {32, "nones", "turn 32: nones: seat ", 32},
    {32, "", "turn 32: the placement eliminates seat ", 32},
    {32, "none none", "turn 32: none behind none\n", 32},
    {31, "none", "turn 31: none, but seat ", 31},
    {31, "", "turn 32: the turn before it was not finished\n", 32},
    {5, "hut@99,0", "turn 5: hut@99,0: ", 5},
};

START_TEST(words)
{
    char said[4096];
    uint64_t turns = replay(CASES[_i].turn, CASES[_i].change, false, said, sizeof said);
    ck_assert_msg(strstr(said, CASES[_i].says), "\"%s\" is not in: %s", CASES[_i].says, said);
    ck_assert_uint_eq(turns, CASES[_i].turns);
}
END_TEST

/* The stack of a reference game does not follow from this secret, which is the right one. */
START_TEST(no_proof)
{
    char said[4096];
    (void)replay(0, NULL, true, said, sizeof said);
    ck_assert_ptr_nonnull(strstr(said, "this is not the stack that was dealt"));
    ck_assert_ptr_nonnull(strstr(said, "1 games, 36 turns, 1 differences"));
}
END_TEST

/* The island grows from picture to picture; nothing is hidden in it, so all see the same. */
START_TEST(pictures)
{
    static char said[3][1 << 16];
    static const unsigned viewers[] = {REPLAY_SERVER, REPLAY_WATCHER, 0};
    for (size_t i = 0; i < 3; i++) {
        const struct replay_pictures every = {
            .turn = REPLAY_EVERY_TURN, .viewer = viewers[i], .small = true, .ascii = true};
        (void)replay_shown(0, NULL, false, &every, said[i], sizeof said[i]);
        ck_assert_uint_lt(strlen(said[i]), sizeof said[i] - 1);
    }
    ck_assert_str_eq(said[0], said[1]);
    ck_assert_str_eq(said[0], said[2]);
    unsigned turns = 0;
    for (const char *at = said[0]; (at = strstr(at, "\nTurn ")) != NULL; at++)
        turns++;
    ck_assert_uint_eq(turns, TURNS);
    ck_assert_ptr_nonnull(strstr(said[0], "\nTurn 1: A Ana: "));
    ck_assert_ptr_nonnull(strstr(said[0], ", has nothing to build and is out of the game.\n"));
}
END_TEST

/* What is drawn after a turn is the position that the match has come to. */
START_TEST(picture_of_one_turn)
{
    static char said[2][1 << 16];
    const struct replay_pictures every = {
        .turn = REPLAY_EVERY_TURN, .viewer = REPLAY_SERVER, .ascii = true};
    (void)replay_shown(0, NULL, false, &every, said[0], sizeof said[0]);
    for (int turn = 0; turn <= TURNS; turn += 6) {
        const struct replay_pictures one = {.turn = turn, .viewer = REPLAY_SERVER, .ascii = true};
        (void)replay_shown(0, NULL, false, &one, said[1], sizeof said[1]);
        char *end = strstr(said[1], "1 games, ");
        ck_assert_ptr_nonnull(end);
        *end = '\0';
        ck_assert_uint_gt(strlen(said[1]), 0);
        ck_assert_ptr_nonnull(strstr(said[0], said[1]));
    }
}
END_TEST

Suite *record_suite(void)
{
    Suite *suite = suite_create("record");
    TCase *tcase = tcase_create("record");
    tcase_add_loop_test(tcase, words, 0, sizeof CASES / sizeof CASES[0]);
    tcase_add_test(tcase, says_that_it_is_too_long);
    tcase_add_test(tcase, no_proof);
    tcase_add_test(tcase, pictures);
    tcase_add_test(tcase, picture_of_one_turn);
    suite_add_tcase(suite, tcase);
    return suite;
}
