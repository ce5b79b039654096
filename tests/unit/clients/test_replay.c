/*
 * Replaying must find what is wrong, whatever it is: a good game is changed in one place at a time.
 */
#include "replay_stage.h"
#include "suites.h"
#include <cli/crc32.h>
#include <cli_taluva/game.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *read_game(const char *id)
{
    size_t len;
    char *lines = read_source_file("tests/vectors/games.jsonl", &len), key[128];
    snprintf(key, sizeof key, "{\"id\":\"%s\"", id);
    char *line = strstr(lines, key);
    ck_assert_ptr_nonnull(line);
    json_t *game = json_loads(line, JSON_DISABLE_EOF_CHECK, NULL);
    ck_assert_ptr_nonnull(game);
    free(lines);
    return game;
}

/* A path into the game, and the value (as JSON) to put there; NULL changes nothing. */
static const struct {
    const char *id, *path, *value, *said;
} CASES[] = {
    {"base-eruptive-12", NULL, NULL, ""},
    {"teams-eruptive-13", NULL, NULL, ""},
    {"everything-uniform-10", NULL, NULL, ""},
    {"base-eruptive-12", "turns.5.placements", "0", "placements: "},
    {"base-eruptive-12", "turns.5.placements_crc", "\"00000000\"", "CRC"},
    {"base-eruptive-12", "turns.5.builds", "0", "builds: "},
    {"base-eruptive-12", "turns.5.builds_crc", "\"00000000\"", "CRC"},
    {"base-eruptive-12", "turns.5.seat", "0", "seat 2 is to move"},
    {"base-eruptive-12", "turns.5.place", "\"JJ@0,0:0\"", "not the tile"},
    {"base-eruptive-12", "turns.5.place", "\"nonsense\"", "cannot be read"},
    {"base-eruptive-12", "turns.5.build", "\"none\"", "should eliminate"},
    {"base-eruptive-12", "turns.5.build", "\"hut@99,0\"", "not part of the island"},
    {"base-eruptive-12", "turns.5.take", "[]", "what may be taken"},
    {"base-eruptive-12", "turns.5.take", "[\"draw\", \"2VL\"]", "what may be taken"},
    {"base-eruptive-12", "deck.7", "\"LL\"", "not the tile"},
    {"base-eruptive-12", "deck.7", "\"2VL\"", "deck"},
    {"base-eruptive-12", "deck", "[]", "a deck of 0"},
    {"base-eruptive-12", "options.seats", "9", "options"},
    {"base-eruptive-12", "options.zone", "\"huge\"", "options"},
    {"base-eruptive-12", "options.teams", "true", "Teams"},
    {"base-eruptive-12", "turns.9", NULL, "turn 10"},
    {"base-eruptive-12", "result.why", "\"exhausted\"", "result: two-kinds"},
    {"base-eruptive-12", "result.winners", "[1]", "winners"},
    {"base-eruptive-12", "result.ranks", "[[0],[1],[2]]", "rank 2"},
    {"base-eruptive-12", "result.ranks", "[[0]]", "3 ranks"},
    {"base-eruptive-12", "result.built.1.hut", "3", "seat 1 built"},
    {"teams-eruptive-13", "result.totals.1.2", "3", "totals of team 1"},
    {"everything-uniform-10", "result.built.1.boat", "0", "seat 1 built"},
};

START_TEST(differences)
{
    char shown[4096];
    json_t *game = read_game(CASES[_i].id);
    bool good = CASES[_i].path == NULL;
    if (!good)
        replay_change(game, CASES[_i].path, CASES[_i].value);
    struct replay replay = replay_all_of(&game_taluva, game, shown, sizeof shown);
    ck_assert_uint_eq(replay.games, 1);
    if (good)
        ck_assert_uint_eq(replay.turns, json_array_size(json_object_get(game, "turns")));
    ck_assert_msg((replay.differences == 0) == good, "%s: %s", CASES[_i].id, shown);
    ck_assert_msg(strstr(shown, CASES[_i].said), "\"%s\" is not in: %s", CASES[_i].said, shown);
    json_decref(game);
}
END_TEST

START_TEST(crc)
{
    ck_assert_uint_eq(crc32_add(0, "", 0), 0);
    ck_assert_uint_eq(crc32_add(0, "123456789", 9), 0xcbf43926);
    ck_assert_uint_eq(crc32_add(crc32_add(0, "1234", 4), "56789", 5), 0xcbf43926);
}
END_TEST

Suite *replay_suite(void)
{
    Suite *suite = suite_create("replay");
    TCase *tcase = tcase_create("replay");
    tcase_add_loop_test(tcase, differences, 0, sizeof CASES / sizeof CASES[0]);
    tcase_add_test(tcase, crc);
    suite_add_tcase(suite, tcase);
    return suite;
}
