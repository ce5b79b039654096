/* The computer players: they know what their seat knows, play legally, and well enough. */
#include "../../support/long_tests.h"
#include "arena.h"
#include "suites.h"
#include <base/rng.h>
#include <string.h>
#include <totem_rules/notation.h>

/* ---- what is hidden */

static void parse(const char *position, struct totem *game)
{
    size_t offset;
    const char *what = "";
    ck_assert_msg(totem_position_parse(position, strlen(position), game, &offset, &what), "%s: %s",
                  position, what);
}

/* Positions that differ in what others hide from seat 0, and how many levels there are. */
static const struct {
    const char *one, *other;
} hidden[] = {
    /* which spells lie face down, and which are chosen */
    {"4/R/24 1R cast:RBG t1b6:wwm,WM,me/t1b5:wwmW,M,me/t1b6:wwmmWM,-,e/t1b6:wm,wm,WMe "
     "T/G,H:G1/I/P:R1 -/-/-/-",
     "4/R/24 1R cast:RBG t1b6:wwm,WM,me/t1b5:wwmW,M,me/t1b6:wwmmWM,-,e/t1b6:wm,wm,WMe "
     "T/I:G1,P/L/G:R1 -/-/-/-"},
    {"4/R/24 1R reveal3:RGB t1b6:wwm,WM,me/t1b5:wwmW,M,me/t1b6:wwmmWM,-,e/t1b6:wm,wm,WMe "
     "T:R1/I:R1/P:R1/- -/-/-/-",
     "4/R/24 1R reveal3:RGB t1b6:wwm,WM,me/t1b5:wwmW,M,me/t1b6:wwmmWM,-,e/t1b6:wm,wm,WMe "
     "T:R1/M:R1/F:R1/- -/-/-/-"},
    /* what is written: spells */
    {"4/R/24/spells-b 1R write:RY t1b6:wwm,WM,me/t1b6:wwm,WM,me/t1b6:wwm,WM,me/t1b6:wwm,WM,me "
     "-/-/-/- -/+T:G1/+I:R1,P:R1/-",
     "4/R/24/spells-b 1R write:RY t1b6:wwm,WM,me/t1b6:wwm,WM,me/t1b6:wwm,WM,me/t1b6:wwm,WM,me "
     "-/-/-/- -/+-/+G:B1/-"},
    /* what is written: people */
    {"4/R/24/meals-b 1R take:RB:Y4 t1b6:wwm,WM,me/t1b6:wwm,WM,me/t1b6:wwm,WM,me/t1b0:wwm,WM,me "
     "-/-/-/- -/+w,-,-/-/-",
     "4/R/24/meals-b 1R take:RB:Y4 t1b6:wwm,WM,me/t1b6:wwm,WM,me/t1b6:wwm,WM,me/t1b0:wwm,WM,me "
     "-/-/-/- -/+-,-,e/-/-"},
};

START_TEST(test_hidden_from_it)
{
    struct totem one, other;
    parse(hidden[_i].one, &one);
    parse(hidden[_i].other, &other);
    ck_assert_mem_ne(&one, &other, sizeof one);
    struct totem mine = one;
    totem_computer_hide(&one, 0);
    totem_computer_hide(&other, 0);
    ck_assert_mem_eq(&one, &other, sizeof one);
    ck_assert_mem_eq(&one.families[0], &mine.families[0], sizeof one.families[0]);
    for (unsigned level = 1; level <= TOTEM_LEVELS; level++) {
        struct totem_command a, b;
        totem_computer_choose(&one, 0, (enum totem_level)level, 7, &a);
        totem_computer_choose(&other, 0, (enum totem_level)level, 7, &b);
        ck_assert_mem_eq(&a, &b, sizeof a);
        ck_assert_int_eq(totem_check(&mine, 0, &a), TOTEM_OK);
    }
}
END_TEST

/* Whom it would leave without a couple, or without elders, it knows before. */
START_TEST(test_keeps_its_elder)
{
    struct totem game;
    struct totem_command command;
    parse("4/R/24 2R settle:RGBY t2b5:wwwwwwwww,mmmmmmmmmW,eee/t1b6:wwm,WM,me/t1b6:wwm,WM,me/"
          "t1b6:wwm,WM,me -/-/-/- -/-/-/-",
          &game);
    for (uint64_t seed = 0; seed < 20; seed++) {
        totem_computer_choose(&game, 0, TOTEM_LEVEL_STRONG, seed, &command);
        struct totem_family settled = game.families[0];
        memcpy(settled.huts, command.people, sizeof settled.huts);
        struct totem_people all = totem_everybody(&settled);
        ck_assert_uint_ge(all.of[TOTEM_ELDER], 1);
        ck_assert_uint_ge(totem_count_women(&all), 9);
    }
}
END_TEST

/* ---- strength */

/* All variants between them, with 2 to 4 players. */
static struct totem_options variant(unsigned i)
{
    return (struct totem_options){
        .players = (uint8_t)(2 + i % 3),
        .rounds = 12,
        .spells = (uint8_t)(i / 3 % 3),
        .meals = (uint8_t)((i + i / 3) % 3),
        .village = i % 2 == 1,
        .totem_a = i / 2 % 2 == 1,
        .totem_b = i / 4 % 2 == 1,
    };
}

/* Every command of some games, as one number: another one means that a level plays otherwise. */
START_TEST(test_plays_the_same_everywhere)
{
    static const uint64_t digests[TOTEM_LEVELS] = {0x470973ffba4af2d8, 0x106c90fb656af6aa,
                                                   0x48d0e956c7b55a03, 0x62816142d8206414};
    struct arena_result result = {0};
    for (unsigned i = 0; i < 9; i++) {
        const struct totem_options options = variant(i);
        arena_play(&options, (unsigned)_i + 1, ARENA_RANDOM, i, 1, &result);
    }
    ck_assert_msg(result.digest == digests[_i], "level %d: 0x%016llx", _i + 1,
                  (unsigned long long)result.digest);
}
END_TEST

/* Each level against others that it must beat, in percent of so many deals. */
static const struct {
    unsigned level, other, players, deals, floor;
} matches[] = {
    {4, 0, 4, 12, 95}, {4, 0, 3, 12, 95}, {4, 0, 2, 15, 95}, {3, 0, 4, 25, 95}, {2, 0, 4, 25, 95},
    {1, 0, 4, 25, 85}, {2, 1, 4, 25, 90}, {3, 2, 4, 15, 40}, {4, 2, 4, 12, 65}, {4, 2, 2, 12, 90},
};

START_TEST(test_wins)
{
    const struct totem_options options = {.players = (uint8_t)matches[_i].players, .rounds = 24};
    struct arena_result result = {0};
    arena_play(&options, matches[_i].level, matches[_i].other, 1, matches[_i].deals, &result);
    ck_assert_uint_eq(result.games, matches[_i].deals * matches[_i].players);
    ck_assert_msg(result.wins * 100 >= result.games * matches[_i].floor, "%u of %u", result.wins,
                  result.games);
}
END_TEST

/* And with every variant of the rules. */
START_TEST(test_wins_in_all_variants)
{
    struct arena_result result = {0};
    for (unsigned i = 0; i < 18; i++) {
        const struct totem_options options = variant(i);
        arena_play(&options, TOTEM_LEVEL_STRONG, ARENA_RANDOM, i, 1, &result);
    }
    ck_assert_msg(result.wins * 100 >= result.games * 95, "%u of %u", result.wins, result.games);
}
END_TEST

Suite *computer_suite(void)
{
    Suite *suite = suite_create("computer");
    TCase *tcase = tcase_create("hidden");
    tcase_add_loop_test(tcase, test_hidden_from_it, 0, sizeof hidden / sizeof *hidden);
    tcase_add_test(tcase, test_keeps_its_elder);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("strength");
    tcase_set_timeout(tcase, 600);
    tcase_add_loop_test(tcase, test_plays_the_same_everywhere, 0, TOTEM_LEVELS);
    tcase_add_loop_test(tcase, test_wins, 0, 1);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("numbers");
    tcase_set_tags(tcase, SAME_NUMBERS);
    tcase_set_timeout(tcase, 600);
    tcase_add_loop_test(tcase, test_wins, 1, sizeof matches / sizeof *matches);
    tcase_add_test(tcase, test_wins_in_all_variants);
    suite_add_tcase(suite, tcase);
    return suite;
}
