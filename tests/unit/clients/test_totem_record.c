/*
 * The text record of a match of Totem that bots played on a server: it proves itself, and what was
 * changed in it is found. Births are not written: they follow from the secret and the nonces.
 */
#include "suites.h"
#include <cli/game.h>
#include <cli/replay.h>
#include <cli_taluva/game.h>
#include <cli_totem/game.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *from, *to; /* one change; NULL: none */
    const char *says;      /* part of what is found; NULL: nothing is */
} CASES[] = {
    {NULL, NULL, NULL},
    {"[Deal.first \"R\"]", "[Deal.first \"G\"]", "should have been the first family"},
    {"[Result.winners \"1\"]", "[Result.winners \"0\"]", "the record says 0"},
    {"10ca0c2bf6d2191158e6fa5ad9f50e67", "10ca0c2bf6d2191158e6fa5ad9f50e68", "turn "},
    {"[Rules \"1\"]", "[Rules \"2\"]", "does not know version 2 of the rules of totem"},
    {"settle@R=wwW/mmM/e", "settle@R=wwW/mmM/-", "Everybody gets a place"},
    {"cast@R=P:R3", "cast@R=H:R3", "This spell was not chosen"},
};

START_TEST(is_replayed)
{
    static const struct game *const games[] = {&game_taluva, &game_totem, NULL};
    size_t len, shown_len;
    char *text = read_source_file("tests/unit/clients/totem/match.taluva", &len), *shown;
    struct replay replay = {.where = "test"};
    games_set(games);
    if (CASES[_i].from) {
        char *at = strstr(text, CASES[_i].from);
        ck_assert_ptr_nonnull(at);
        ck_assert_uint_eq(strlen(CASES[_i].from), strlen(CASES[_i].to));
        memcpy(at, CASES[_i].to, strlen(CASES[_i].to));
    }
    replay.out = open_memstream(&shown, &shown_len);
    ck_assert_ptr_nonnull(replay.out);
    replay_record(&replay, text, len, true);
    ck_assert_int_eq(fclose(replay.out), 0);
    if (CASES[_i].says) {
        ck_assert_msg(strstr(shown, CASES[_i].says), "%s", shown);
    } else {
        ck_assert_msg(replay.differences == 0, "%s", shown);
        ck_assert_uint_eq(replay.turns, 66);
    }
    free(shown);
    free(text);
}
END_TEST

Suite *totem_record_suite(void)
{
    Suite *suite = suite_create("totem record");
    TCase *tcase = tcase_create("totem record");
    tcase_add_loop_test(tcase, is_replayed, 0, sizeof CASES / sizeof CASES[0]);
    suite_add_tcase(suite, tcase);
    return suite;
}
