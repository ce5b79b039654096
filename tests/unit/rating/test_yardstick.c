/* What a level is worth, by those who have played against it. */
#include "suites.h"
#include <rating/yardstick.h>

static const struct rating_class *class_of(const char *name)
{
    return rating_class_at(rating_class_find(name));
}

/* `wins` of `trials` by people with that strength. */
static struct yardstick_count counted(unsigned sides, uint32_t strength, uint64_t trials,
                                      uint64_t wins)
{
    return (struct yardstick_count){.sides = (uint8_t)sides,
                                    .inside = (uint8_t)sides,
                                    .strength = yardstick_step(strength),
                                    .trials = trials,
                                    .won = wins * YARDSTICK_WIN};
}

static void is_about(uint32_t strength, uint32_t right)
{
    ck_assert_uint_le(strength, right + 3000);
    ck_assert_uint_ge(strength + 3000, right);
}

START_TEST(two_players)
{
    struct rating worth;
    const struct rating_class *duel = class_of("taluva.duel.live");
    struct yardstick_count counts[] = {counted(2, 1500000, 100, 50)};
    ck_assert(yardstick_fit(duel, counts, 1, &worth));
    ck_assert_uint_eq(worth.strength, 1510000);
    ck_assert_uint_eq(worth.deviation, 34743); /* 400 / ln 10 / sqrt(100 / 4) */
    counts[0].won = 1000 * YARDSTICK_WIN;
    counts[0].trials = 1100; /* ten to one is 400 points */
    ck_assert(yardstick_fit(duel, counts, 1, &worth));
    is_about(worth.strength, 1110000);
    counts[0].won = 0;
    ck_assert(yardstick_fit(duel, counts, 1, &worth));
    ck_assert_uint_ge(worth.strength, 3500000);
    ck_assert_uint_eq(worth.deviation, RATING_DEVIATION_MAX);
    ck_assert(!yardstick_fit(duel, counts, 0, &worth));
}
END_TEST

/* Two groups, each as often as it should: both say the same. */
START_TEST(people_of_all_strengths)
{
    struct rating worth;
    const struct rating_class *duel = class_of("totem.duel.live");
    const struct yardstick_count counts[] = {counted(2, 1700000, 1100, 1000),
                                             counted(2, 900000, 1100, 100)};
    ck_assert(yardstick_fit(duel, counts, 2, &worth));
    is_about(worth.strength, 1310000);
}
END_TEST

/* A third of three, or one more of three who are left. */
START_TEST(larger_tables)
{
    struct rating worth;
    struct yardstick_count counts[] = {counted(3, 1500000, 300, 100)};
    ck_assert(yardstick_fit(class_of("taluva.table.live"), counts, 1, &worth));
    is_about(worth.strength, 1510000);
    ck_assert(yardstick_fit(class_of("taluva.ranking.slow"), counts, 1, &worth));
    is_about(worth.strength, 1510000);
    counts[0] = counted(4, 1500000, 200, 100);
    counts[0].inside = 2;
    ck_assert(yardstick_fit(class_of("taluva.ranking.live"), counts, 1, &worth));
    is_about(worth.strength, 1510000);
}
END_TEST

/* With a partner of that level one's own strength is half of the team's. */
START_TEST(teams)
{
    struct rating worth;
    struct yardstick_count counts[] = {counted(2, 1500000, 1100, 1000)};
    ck_assert(yardstick_fit(class_of("taluva.team.live"), counts, 1, &worth));
    is_about(worth.strength, 710000);
}
END_TEST

START_TEST(many_trials_do_not_overflow)
{
    struct rating worth;
    const uint64_t many = UINT64_C(1) << 32;
    const struct yardstick_count counts[] = {counted(2, 1500000, many, many / 2)};
    ck_assert(yardstick_fit(class_of("taluva.duel.live"), counts, 1, &worth));
    ck_assert_uint_eq(worth.strength, 1510000);
    ck_assert_uint_lt(worth.deviation, 10);
}
END_TEST

Suite *yardstick_suite(void)
{
    Suite *suite = suite_create("yardstick");
    TCase *fit = tcase_create("fit");
    tcase_add_test(fit, two_players);
    tcase_add_test(fit, people_of_all_strengths);
    tcase_add_test(fit, larger_tables);
    tcase_add_test(fit, teams);
    tcase_add_test(fit, many_trials_do_not_overflow);
    suite_add_tcase(suite, fit);
    return suite;
}
