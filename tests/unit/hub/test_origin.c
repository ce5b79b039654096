/* Where sessions and rooms come from, by networks of three widths; and turns of addresses. */
#include "hub_private.h"
#include "origin.h"
#include "suites.h"
#include "turns.h"
#include <string.h>

static struct hub hub;

static struct origin origin_at(const uint8_t prefix[8])
{
    struct address_prefix from = {0};
    memcpy(from.bytes, prefix, 8);
    return origin_of(&hub, &from);
}

START_TEST(test_origins)
{
    static const uint8_t v6[5][8] = {{0x20, 1, 0xd, 0xb8, 0, 1, 2, 3},
                                     {0x20, 1, 0xd, 0xb8, 0, 1, 2, 4},
                                     {0x20, 1, 0xd, 0xb8, 0, 1, 3, 3},
                                     {0x20, 1, 0xd, 0xb8, 0, 2, 2, 3},
                                     {0x20, 1, 0xd, 0xb9, 0, 1, 2, 3}};
    static const uint8_t v4[3][8] = {
        {0, 0, 0, 0, 192, 0, 2, 1}, {0, 0, 0, 0, 192, 0, 2, 2}, {0, 0, 0, 0, 192, 0, 3, 1}};
    const struct origin one = origin_at(v6[0]), other = origin_at(v4[0]);
    static const int same6[] = {0, 2, 1, 0, 0}, same4[] = {0, 1, 0}; /* widths that they share */
    ck_assert(origin_is_same(&one, &one) && !origin_is_same(&one, &other));
    for (int i = 1; i < 5; i++) {
        const struct origin at = origin_at(v6[i]);
        for (int width = 0; width < ORIGIN_WIDTHS; width++)
            ck_assert_int_eq(at.at[width] == one.at[width], width >= ORIGIN_WIDTHS - same6[i]);
    }
    for (int i = 1; i < 3; i++) {
        const struct origin at = origin_at(v4[i]);
        for (int width = 0; width < ORIGIN_WIDTHS; width++)
            ck_assert_int_eq(at.at[width] == other.at[width], width >= ORIGIN_WIDTHS - same4[i]);
    }
}
END_TEST

/* The widest network counts first: many addresses of one /48 are not many origins. */
START_TEST(test_more_by_the_widest)
{
    static struct origin_counts counts;
    static const struct origin a = {{1, 1, 1}, 1}, b = {{2, 2, 1}, 1},
                               c = {{3, 3, 2}, 2};
    origin_add(&counts, &a);
    origin_add(&counts, &b);
    origin_add(&counts, &b);
    for (int i = 0; i < 2; i++)
        origin_add(&counts, &c);
    ck_assert_int_gt(origin_compare(&counts, &a, &c), 0);
    ck_assert_int_gt(origin_compare(&counts, &b, &a), 0);
    ck_assert_int_eq(origin_compare(&counts, &b, &b), 0);
    ck_assert_int_lt(origin_compare(&counts, &c, &b), 0);
    for (int i = 0; i < 2; i++)
        origin_remove(&counts, &b);
    ck_assert_int_gt(origin_compare(&counts, &c, &a), 0);
}
END_TEST

/* ---- turns of addresses (turns.h) */

START_TEST(test_a_place_that_is_lost_is_no_turn)
{
    enum { SHARE = 7, QUEUE = 5 };
    static struct turns turns;
    turns = (struct turns){0};
    for (uint32_t turn = 0; turn < 3; turn++) {
        ck_assert(turns_allow(&turns, SHARE, QUEUE));
        ck_assert_uint_eq(turns_give(&turns, SHARE), turn);
    }
    ck_assert(!turns_allow(&turns, SHARE, QUEUE));
    ck_assert(turns_allow(&turns, SHARE + 1, QUEUE));
    turns_back(&turns, SHARE);
    ck_assert(turns_allow(&turns, SHARE, QUEUE));
    ck_assert_uint_eq(turns_give(&turns, SHARE), 2);
    turns_take(&turns, 1);
    turns_take(&turns, 0);
    ck_assert_uint_eq(turns_give(&turns, SHARE + 1), 1);
    ck_assert(!turns_allow(&turns, SHARE, QUEUE)); /* they have not left yet */
    turns_leave(&turns, SHARE);
    ck_assert(turns_allow(&turns, SHARE, QUEUE));
    ck_assert_uint_eq(turns_next(&turns, SHARE), 3);
}
END_TEST

Suite *origin_suite(void)
{
    Suite *suite = suite_create("origin");
    TCase *tests = tcase_create("origin");
    tcase_add_test(tests, test_origins);
    tcase_add_test(tests, test_more_by_the_widest);
    tcase_add_test(tests, test_a_place_that_is_lost_is_no_turn);
    suite_add_tcase(suite, tests);
    return suite;
}
