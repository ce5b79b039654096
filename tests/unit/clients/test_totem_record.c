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
    replay.proof = true;
    replay_record(&replay, text, len);
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

/* ---- pictures */

static char *pictures(int64_t turn, unsigned viewer, const char *from, const char *to)
{
    static const struct game *const games[] = {&game_taluva, &game_totem, NULL};
    const struct replay_pictures pictures = {
        .turn = turn, .viewer = viewer, .ascii = true, .colours = CANVAS_MONO};
    size_t len, shown_len;
    char *text = read_source_file("tests/unit/clients/totem/match.taluva", &len), *shown;
    struct replay replay = {.where = "test", .pictures = &pictures};
    games_set(games);
    if (from) {
        char *at = strstr(text, from);
        ck_assert_ptr_nonnull(at);
        memcpy(at, to, strlen(to));
    }
    replay.out = open_memstream(&shown, &shown_len);
    ck_assert_ptr_nonnull(replay.out);
    replay_record(&replay, text, len);
    ck_assert_int_eq(fclose(replay.out), 0);
    free(text);
    return shown;
}

static const struct {
    int64_t turn;
    unsigned viewer;
    const char *begins;
    const char *has[4], *lacks[4];
} PICTURES[] = {
    {0, REPLAY_SERVER, "The match begins.\nTo act: red", {"people 7", "wwmmWMe"}, {"face down"}},
    {12,
     REPLAY_SERVER,
     "Turn 12: Blue (C P2) places health on R2.\n",
     {"B(PH)", "R has in hand BA\n", "G face down A:B1 H:B3\n", "B has in hand GTAFL\n"},
     {"?"}},
    {12,
     REPLAY_WATCHER,
     "Turn 12: Blue (C P2) places a spell on R2.\n",
     {"B?2", "R?", "hand 5"},
     {"B(", "R(", "in hand", "face down"}},
    {12,
     2,
     "Turn 12: Blue (C P2) places health on R2.\n",
     {"B(PH)", "R?", "B has in hand GTAFL\n"},
     {"R(", "R has", "G has"}},
    {12,
     0,
     "Turn 12: Blue (C P2) places a spell on R2.\n",
     {"B?2", "R(P)", "R has in hand BA\n"},
     {"B(", "G has", "B has"}},
};

START_TEST(shows_what_the_viewer_knew)
{
    char *shown = pictures(PICTURES[_i].turn, PICTURES[_i].viewer, NULL, NULL);
    ck_assert_msg(strncmp(shown, PICTURES[_i].begins, strlen(PICTURES[_i].begins)) == 0, "%s",
                  shown);
    for (size_t i = 0; i < 4; i++) {
        if (PICTURES[_i].has[i])
            ck_assert_msg(strstr(shown, PICTURES[_i].has[i]), "%s: %s", PICTURES[_i].has[i], shown);
        if (PICTURES[_i].lacks[i])
            ck_assert_msg(!strstr(shown, PICTURES[_i].lacks[i]), "%s: %s", PICTURES[_i].lacks[i],
                          shown);
    }
    free(shown);
}
END_TEST

/* One after each turn, and one of the start. */
START_TEST(shows_every_turn)
{
    char *shown = pictures(REPLAY_EVERY_TURN, REPLAY_SERVER, NULL, NULL);
    unsigned count = 0;
    for (const char *at = shown; (at = strstr(at, "\nTurn ")) != NULL; at++) {
        char number[16];
        (void)snprintf(number, sizeof number, "\nTurn %u:", ++count);
        ck_assert_msg(strncmp(at, number, strlen(number)) == 0, "%.20s", at);
    }
    ck_assert_uint_eq(count, 66);
    ck_assert(strncmp(shown, "The match begins.\n", 18) == 0);
    free(shown);
}
END_TEST

/* No such turn, no such seat; and nothing behind a turn that cannot be played. */
START_TEST(shows_nothing_else)
{
    char *shown = pictures(67, REPLAY_SERVER, NULL, NULL);
    ck_assert_str_eq(shown, "");
    free(shown);
    shown = pictures(REPLAY_EVERY_TURN, 3, NULL, NULL);
    ck_assert_str_eq(shown, "");
    free(shown);
    shown = pictures(REPLAY_EVERY_TURN, REPLAY_SERVER, "cast@R=P:R3", "cast@R=H:R3");
    ck_assert_ptr_nonnull(strstr(shown, "This spell was not chosen"));
    const char *end = strstr(shown, "test: turn ");
    ck_assert_ptr_nonnull(end);
    ck_assert_ptr_null(strstr(end, "Turn "));
    free(shown);
}
END_TEST

Suite *totem_record_suite(void)
{
    Suite *suite = suite_create("totem record");
    TCase *tcase = tcase_create("totem record");
    tcase_add_loop_test(tcase, is_replayed, 0, sizeof CASES / sizeof CASES[0]);
    tcase_add_loop_test(tcase, shows_what_the_viewer_knew, 0, sizeof PICTURES / sizeof PICTURES[0]);
    tcase_add_test(tcase, shows_every_turn);
    tcase_add_test(tcase, shows_nothing_else);
    suite_add_tcase(suite, tcase);
    return suite;
}
