/* Where sessions and rooms come from, by networks of three widths; turns of addresses, and places
 * in queues. */
#include "hub_private.h"
#include "limits/origin.h"
#include "limits/turns.h"
#include "suites.h"
#include "waiting/fair_queue.h"
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
    static const struct origin a = {{1, 1, 1}, 1}, b = {{2, 2, 1}, 1}, c = {{3, 3, 2}, 2};
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
    turns_back(&turns, SHARE, 2);
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

/* ---- places in a queue (fair_queue.h) */

enum { MOST = 6 };
static struct fair_queue queue;
static struct queued made[16];

/* IPv6 addresses of one /48 each are `net`, and of one /64 each `host`. */
static struct origin from(uint8_t net, uint8_t host)
{
    const uint8_t prefix[8] = {0x20, 1, 0xd, 0xb8, 0, net, 0, host};
    return origin_at(prefix);
}

static bool add(size_t at, struct origin origin, struct queued **instead)
{
    if (!fair_queue_allow(&queue, &origin, MOST, instead))
        return false;
    if (*instead)
        fair_queue_leave(&queue, *instead);
    fair_queue_add(&queue, &made[at], &origin);
    return true;
}

static void add_all(size_t from_at, size_t to_at, uint8_t net)
{
    struct queued *instead;
    for (size_t at = from_at; at < to_at; at++)
        ck_assert(add(at, from(net, (uint8_t)at), &instead) && !instead);
}

/* A /48 with many /64s has half of the queue, and its turns, as one address. */
START_TEST(a_network_stands_once)
{
    static const size_t order[] = {0, 3, 1, 2};
    struct queued *instead;
    queue = (struct fair_queue){0};
    add_all(0, MOST / 2, 1);
    ck_assert(!add(9, from(1, 77), &instead));
    add_all(3, 4, 2);
    for (size_t at = 0; at < 4; at++) {
        struct queued *next = fair_queue_next(&queue);
        ck_assert_ptr_eq(next, &made[order[at]]);
        fair_queue_take(&queue, next);
    }
    ck_assert_ptr_null(fair_queue_next(&queue));
}
END_TEST

/* Two have them all: the latest of one of them leaves, with the turn that it has had. */
START_TEST(who_has_most_gives_way)
{
    struct queued *instead;
    queue = (struct fair_queue){0};
    add_all(0, 3, 1);
    add_all(3, 6, 2);
    ck_assert(add(6, from(3, 1), &instead));
    ck_assert_ptr_eq(instead, &made[5]);
    ck_assert(add(7, from(3, 1), &instead)); /* one each would be less than it has */
    ck_assert_ptr_eq(instead, &made[2]);
    ck_assert(!add(8, from(3, 1), &instead)); /* two each: nobody has more */
    fair_queue_take(&queue, &made[0]);
    fair_queue_leave(&queue, &made[0]);
    ck_assert(add(8, from(1, 1), &instead) && !instead);
    ck_assert_uint_eq(made[8].turn, made[1].turn + 1);
}
END_TEST

/* What the store is asked for already stays, and what is nobody's as well. */
START_TEST(what_is_asked_for_stays)
{
    const struct origin nobody = {.turns = 0};
    struct queued *instead;
    queue = (struct fair_queue){0};
    add_all(0, 3, 1);
    for (size_t at = 3; at < 6; at++)
        ck_assert(add(at, nobody, &instead) && !instead);
    ck_assert(!add(6, nobody, &instead));
    for (size_t at = 0; at < 3; at++)
        fair_queue_take(&queue, &made[at]);
    ck_assert(!add(6, from(3, 1), &instead));
}
END_TEST

Suite *origin_suite(void)
{
    Suite *suite = suite_create("origin");
    TCase *tests = tcase_create("origin");
    tcase_add_test(tests, test_origins);
    tcase_add_test(tests, test_more_by_the_widest);
    tcase_add_test(tests, test_a_place_that_is_lost_is_no_turn);
    tcase_add_test(tests, a_network_stands_once);
    tcase_add_test(tests, who_has_most_gives_way);
    tcase_add_test(tests, what_is_asked_for_stays);
    suite_add_tcase(suite, tests);
    return suite;
}
