/* What cheating gains; and the systems that others have, of which taluva-rate has readings. */
#include "suites.h"
#include "systems.h"
#include <math.h>
#include <stdlib.h>

/* ---- what cheating gains, in thousandths of a point: of who is well known */

static const struct {
    unsigned matches;
    bool fresh; /* each against another new account */
    long gain;
} farms[] = {{1, true, 4770},   {1, false, 4770},   {3, true, 14179},   {3, false, 10955},
             {10, true, 45779}, {20, false, 33839}, {100, true, 321835}};

START_TEST(what_farming_gains)
{
    struct known own = known_newcomer(), other = known_newcomer();
    struct known *const players[] = {&own, &other};
    own.own.deviation = RATING_DEVIATION_MIN;
    for (unsigned match = 0; match < farms[_i].matches; match++) {
        if (farms[_i].fresh)
            other = known_newcomer();
        system_learn(SYSTEM_OWN, players, 2, RATING_ONE, 0);
    }
    ck_assert_int_eq((long)own.own.strength - RATING_START, farms[_i].gain);
}
END_TEST

/* Whoever loses on purpose has won nothing by it when they are back. */
START_TEST(what_losing_on_purpose_gains)
{
    struct known own = known_newcomer(), other = known_newcomer();
    struct known *const players[] = {&own, &other};
    own.own.deviation = RATING_DEVIATION_MIN;
    for (unsigned match = 0; match < 40; match++) {
        other.own = (struct rating){own.own.strength, RATING_DEVIATION_MIN};
        system_learn(SYSTEM_OWN, players, 2, RATING_ONE, match < 20 ? 1 : 0);
    }
    ck_assert_int_lt(labs((long)own.own.strength - RATING_START), 100);
}
END_TEST

/* ---- the others */

/* Glickman's example: 1500, 200 wins against 1400, 30, and loses to 1550, 100 and 1700, 300. */
START_TEST(glicko_2_as_published)
{
    const double points = 173.7178, scores[] = {1, 0, 0};
    const struct known player = {.glicko_deviation = 200 / points, .volatility = 0.06};
    const struct known others[] = {
        {.glicko = -100 / points, .glicko_deviation = 30 / points},
        {.glicko = 50 / points, .glicko_deviation = 100 / points},
        {.glicko = 200 / points, .glicko_deviation = 300 / points},
    };
    const struct known after = system_glicko(&player, others, scores, 3);
    ck_assert_double_eq_tol(1500 + points * after.glicko, 1464.06, 0.01);
    ck_assert_double_eq_tol(points * after.glicko_deviation, 151.52, 0.01);
    ck_assert_double_eq_tol(after.volatility, 0.05999, 0.00001);
}
END_TEST

/* Chances are shares of one, equal ones at first; who has won is likelier to win again. */
START_TEST(all_systems_learn)
{
    struct known all[SYSTEM_SEATS];
    struct known *players[SYSTEM_SEATS];
    const struct known *view[SYSTEM_SEATS];
    const unsigned count = 2 + (unsigned)_i / SYSTEMS;
    const enum system system = (enum system)(_i % SYSTEMS);
    double chances[SYSTEM_SEATS], sum = 0;
    for (unsigned i = 0; i < count; i++) {
        all[i] = known_newcomer();
        view[i] = players[i] = &all[i];
    }
    system_chances(system, view, count, RATING_ONE, chances);
    for (unsigned i = 0; i < count; i++)
        ck_assert_double_eq_tol(chances[i], 1.0 / count, 1e-9);
    system_learn(system, players, count, RATING_ONE, 1);
    system_chances(system, view, count, RATING_ONE, chances);
    for (unsigned i = 0; i < count; i++) {
        sum += chances[i];
        ck_assert_msg(i == 1 || chances[i] < chances[1], "%s", system_name(system));
    }
    ck_assert_double_eq_tol(sum, 1, 1e-9);
}
END_TEST

START_TEST(what_a_score_is)
{
    static const double chances[] = {0.75, 0.25};
    struct score score = {0};
    score_add(&score, chances, 2, 0);
    score_add(&score, chances, 2, 1);
    ck_assert_uint_eq(score.matches, 2);
    ck_assert_double_eq_tol(score.nats, -log(0.75) - log(0.25), 1e-9);
    ck_assert_double_eq_tol(score.even, 2 * log(2), 1e-9);
    ck_assert_double_eq_tol(score.brier, 2 * 0.0625 + 2 * 0.5625, 1e-9);
    ck_assert_uint_eq(score.said[7], 2);
    ck_assert_uint_eq(score.came[7], 1);
    ck_assert_uint_eq(score.came[2], 1);
}
END_TEST

Suite *systems_suite(void)
{
    Suite *suite = suite_create("systems");
    TCase *tests = tcase_create("systems");
    tcase_add_loop_test(tests, what_farming_gains, 0, sizeof farms / sizeof farms[0]);
    tcase_add_test(tests, what_losing_on_purpose_gains);
    tcase_add_test(tests, glicko_2_as_published);
    tcase_add_loop_test(tests, all_systems_learn, 0, 4 * SYSTEMS);
    tcase_add_test(tests, what_a_score_is);
    suite_add_tcase(suite, tests);
    return suite;
}
