/* A recorded game of Totem with all that each seat saw: what was changed in it is found. */
#include "replay_stage.h"
#include "suites.h"
#include <cli_totem/game.h>
#include <stdlib.h>
#include <string.h>

static json_t *read_game(void)
{
    size_t len;
    char *text = read_source_file("tests/unit/clients/totem/game.json", &len);
    json_t *game = json_loads(text, 0, NULL);
    ck_assert_ptr_nonnull(game);
    free(text);
    return game;
}

#define UNREADABLE "these options cannot be read"
#define NO_KEY     "the key does not follow"
static const struct {
    const char *path, *value, *said;
    size_t turns; /* that are played; 0: all */
} CASES[] = {
    {NULL, NULL, "", 0},
    {"options.players", "1", UNREADABLE, 0},
    {"options.players", "5", UNREADABLE, 0},
    {"options.players", "4", UNREADABLE, 0},
    {"options.rounds", "0", UNREADABLE, 0},
    {"options.rounds", "100", UNREADABLE, 0},
    {"options.first", "\"Q\"", UNREADABLE, 0},
    {"options.first", "\"RG\"", UNREADABLE, 0},
    {"options.first", "\"Y\"", UNREADABLE, 0},
    {"options.spells", "\"C\"", UNREADABLE, 0},
    {"options.meals", "\"C\"", UNREADABLE, 0},
    {"options.village", "true", "start: ", 0},
    {"options.totem_a", "true", "start: ", 0},
    {"options.totem_b", "false", "start: ", 0},
    {"secret", "\"zz\"", UNREADABLE, 0},
    {"secret", "\"164576994ba546ba4e91e1358bf9186dc169dc0882fab1bf1f75f4da8a770a72\"", NO_KEY, 0},
    {"key", "\"26f1f51b2f781fdb89acff2d74a99d1bab7e85648595547d136cadce56c653a8\"", NO_KEY, 0},
    {"key", "\"26\"", NO_KEY, 0},
    {"nonces", "[]", UNREADABLE, 0},
    {"nonces.2", "\"4e1e81f8787d16c21f6b183d61c5df57\"", NO_KEY, 0},
    {"start", "\"2\"", "expected 2", 0},
    {"end", "\"2\"", "expected 2", 0},
    {"steps.3.do", "\"dance\"", "turn 4: dance: ", 4},
    {"steps.3.do", "\"cast@R=T:R9\"", "turn 4: cast@R=T:R9: ", 4},
    {"steps.3.seat", "1", "turn 4: cast@R=T:R1: ", 4},
    {"steps.3.forfeit", "true", "turn 4: ", 0},
    {"steps.3.n", "90", "turn 4: 91 commands, expected 90", 0},
    {"steps.3.legal", "\"00000000\"", "turn 4: legal: ", 0},
    {"steps.9.fx", "\"\"", "turn 10: effects: show@R=T:R1, expected ", 0},
    {"steps.3.full", "\"00000000\"", "turn 4: position: ", 0},
    {"steps.3.full", "7", "turn 4: position: ", 0},
    {"steps.3.views.0", "\"c35c91d5\"", "turn 4: watcher's view: ", 0},
    {"steps.3.views.1", "\"00b92511\"", "turn 4: view of seat 0: ", 0},
    {"steps.3.views.3", "\"c35c91d5\"", "turn 4: view of seat 2: ", 0},
    {"steps.3.views.3", NULL, "turn 4: views: not as many as who look on", 0},
    {"steps.3.events.0", "\"959c290c\"", "turn 4: watcher's event: ", 0},
    {"steps.3.events.1", "\"79bb590e\"", "turn 4: event of seat 0: ", 0},
    {"steps.3.events.3", "\"959c290c\"", "turn 4: event of seat 2: ", 0},
    {"steps.3.events.3", NULL, "turn 4: events: not as many as who listen", 0},
    {"steps.46", NULL, "the turns end, but the game is not over", 46},
    {"result.why", "\"totem\"", "result: rounds, expected totem", 0},
    {"result.winners", "[1]", "result: the winners differ (set 0x1)", 0},
    {"result.winners", "[0,2]", "result: the winners differ (set 0x1)", 0},
    {"result.winners", "[0,-1,4]", "", 0}, /* what is no seat counts for nothing */
    {"result.ranks", "[[0],[1]]", "result: 3 ranks, expected 2", 0},
    {"result.ranks", "[[0],[2],[1]]", "result: rank 2 differs", 0},
    {"result.ranks", "[[1],[0],[2]]", "result: rank 1 differs", 0},
};

START_TEST(differences)
{
    static char shown[65536];
    json_t *game = read_game();
    size_t turns = json_array_size(json_object_get(game, "steps"));
    if (CASES[_i].path)
        replay_change(game, CASES[_i].path, CASES[_i].value);
    struct replay replay = replay_all_of(&game_totem, game, shown, sizeof shown);
    ck_assert_uint_eq(replay.games, 1);
    ck_assert_msg((replay.differences == 0) == !*CASES[_i].said, "%s", shown);
    ck_assert_msg(strstr(shown, CASES[_i].said), "\"%s\" is not in: %s", CASES[_i].said, shown);
    if (!*CASES[_i].said || CASES[_i].turns)
        ck_assert_uint_eq(replay.turns, CASES[_i].turns ? CASES[_i].turns : turns);
    /* What is found after the last turn is of none. */
    if (strncmp(CASES[_i].said, "result", 6) == 0)
        ck_assert_ptr_null(strstr(shown, "turn "));
    json_decref(game);
}
END_TEST

Suite *totem_replay_suite(void)
{
    Suite *suite = suite_create("totem replay");
    TCase *tcase = tcase_create("totem replay");
    tcase_add_loop_test(tcase, differences, 0, sizeof CASES / sizeof CASES[0]);
    suite_add_tcase(suite, tcase);
    return suite;
}
