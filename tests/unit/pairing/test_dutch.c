/* What holds of every round of an event, whatever has happened in it. */
#include "../../support/failing_alloc.h"
#include "contestants.h"
#include "event_walk.h"
#include "suites.h"
#include <pairing/compare.h>
#include <string.h>

enum { EVENTS = 3000, SMALL = 11 /* so many are tried in all ways */ };

static struct pairing_round found, again;
static struct contestants all;

static const struct contestant *find_contestant(unsigned number)
{
    for (unsigned i = 0; i < all.count; i++) {
        if (all.list[i].number == number)
            return &all.list[i];
    }
    ck_abort_msg("%u is not to be paired", number);
    return NULL;
}

/* C1 to C3 */
static void check_board(unsigned white, unsigned black)
{
    const struct contestant *a = find_contestant(white);
    if (black == 0)
        ck_assert(a->may_rest);
    else
        ck_assert(contestants_may_meet(&all, a, find_contestant(black)));
}

static void check_everybody_once(void)
{
    bool there[PAIRING_ENTRANTS_MAX + 1] = {false};
    unsigned byes = 0;
    for (unsigned i = 0; i < found.boards; i++) {
        const unsigned white = found.board[i].white, black = found.board[i].black;
        ck_assert(!there[white] && (black == 0 || !there[black]));
        there[white] = true;
        there[black] = black != 0;
        byes += black == 0;
        check_board(white, black);
    }
    for (unsigned i = 0; i < all.count; i++)
        ck_assert(there[all.list[i].number]);
    ck_assert_uint_eq(byes, all.count % 2);
}

/* Nobody who is no topscorer gets a difference above 2, or a third colour in a row. */
static void check_colour(unsigned number, char colour)
{
    const struct contestant *one = find_contestant(number);
    if (!all.last || one->score <= all.top)
        ck_assert(!one->absolute || one->wants == colour || all.last);
}

/* ---- in all ways, where there are few */

static bool can_pair(unsigned left)
{
    unsigned first = 0;
    if (left == 0)
        return true;
    while (!(left >> first & 1))
        first++;
    const unsigned others = left & ~(1U << first);
    for (unsigned other = first + 1; other < all.count; other++) {
        if (others >> other & 1 && contestants_may_meet(&all, &all.list[first], &all.list[other]) &&
            can_pair(others & ~(1U << other)))
            return true;
    }
    return false;
}

static bool can_rest(unsigned index)
{
    return all.list[index].may_rest && can_pair(((1U << all.count) - 1) & ~(1U << index));
}

/* The lowest score of who may rest so that all others can be paired; false: nobody may. */
static bool find_rest_score(unsigned *score)
{
    for (unsigned i = all.count; i-- > 0;) {
        if (can_rest(i)) {
            *score = all.list[i].score;
            return true;
        }
    }
    return false;
}

static void check_in_all_ways(enum pairing_outcome outcome)
{
    unsigned score = 0;
    if (all.count > SMALL)
        return;
    if (all.count % 2 == 0) {
        ck_assert((outcome == PAIRING_DONE) == can_pair((1U << all.count) - 1));
        return;
    }
    ck_assert((outcome == PAIRING_DONE) == find_rest_score(&score));
    if (outcome == PAIRING_DONE)
        ck_assert_uint_eq(find_contestant(found.board[found.boards - 1].white)->score, score);
}

static bool check_round(struct event_walk *walk)
{
    const unsigned round = walk->event.rounds + 1;
    const enum pairing_outcome outcome = pairing_dutch(&walk->event, round, &found);
    contestants_gather(&all, &walk->event, round);
    check_in_all_ways(outcome);
    if (outcome == PAIRING_IMPOSSIBLE)
        return false;
    ck_assert_int_eq(outcome, PAIRING_DONE);
    check_everybody_once();
    for (unsigned i = 0; i < found.boards; i++) {
        if (found.board[i].black != 0) {
            check_colour(found.board[i].white, 'w');
            check_colour(found.board[i].black, 'b');
        }
    }
    return true;
}

START_TEST(rounds_keep_what_is_absolute)
{
    unsigned rounds = 0;
    for (uint64_t seed = 1; seed <= EVENTS; seed++) {
        struct event_walk walk;
        struct rng rng = {seed};
        event_walk_begin(&walk, seed, 1 + rng_below(&rng, 26), 1 + rng_below(&rng, 9));
        for (unsigned i = 0; i < walk.event.planned; i++, rounds++) {
            event_walk_choose_away(&walk);
            if (!check_round(&walk))
                break;
            event_walk_play(&walk, &found);
        }
        event_walk_end(&walk);
    }
    ck_assert_uint_gt(rounds, 10000);
}
END_TEST

/* A round that has been paired comes out the same from the event as it is later. */
START_TEST(rounds_can_be_repeated)
{
    struct event_walk walk;
    static struct pairing_difference difference;
    event_walk_begin(&walk, (uint64_t)_i, 21, 9);
    while (walk.event.rounds < 7 && check_round(&walk)) {
        event_walk_play(&walk, &found);
        event_walk_choose_away(&walk);
    }
    for (unsigned round = 1; round <= walk.event.rounds; round++) {
        ck_assert_int_eq(pairing_dutch(&walk.event, round, &again), PAIRING_DONE);
        ck_assert(!pairing_compare(&walk.event, round, &again, &difference));
    }
    event_walk_end(&walk);
}
END_TEST

START_TEST(two_who_must_not_meet_do_not)
{
    struct event_walk walk;
    event_walk_begin(&walk, 5, 8, 5);
    ck_assert_int_eq(pairing_dutch(&walk.event, 1, &found), PAIRING_DONE);
    const unsigned a = found.board[0].white, b = found.board[0].black;
    walk.event.ban[walk.event.bans++] = (struct pairing_ban){(uint16_t)a, (uint16_t)b, 1, 1};
    ck_assert_int_eq(pairing_dutch(&walk.event, 1, &found), PAIRING_DONE);
    for (unsigned i = 0; i < found.boards; i++)
        ck_assert(found.board[i].white != a || found.board[i].black != b);
    walk.event.ban[0].from = walk.event.ban[0].to = 2;
    ck_assert_int_eq(pairing_dutch(&walk.event, 1, &found), PAIRING_DONE);
    ck_assert_uint_eq(found.board[0].white + found.board[0].black, a + b);
    event_walk_end(&walk);
}
END_TEST

/* The upper half plays among itself at first; boards are in the order of points without that. */
START_TEST(acceleration_parts_the_halves)
{
    struct event_walk walk;
    event_walk_begin(&walk, 3, 8, 5);
    walk.event.first = 'w';
    walk.event.baku = true;
    ck_assert_int_eq(pairing_dutch(&walk.event, 1, &found), PAIRING_DONE);
    static const struct pairing_board boards[] = {{1, 3}, {4, 2}, {5, 7}, {8, 6}};
    ck_assert_uint_eq(found.boards, 4);
    for (unsigned i = 0; i < 4; i++) {
        ck_assert_uint_eq(found.board[i].white, boards[i].white);
        ck_assert_uint_eq(found.board[i].black, boards[i].black);
    }
    walk.event.baku = false;
    walk.event.entrant[7].extra[0] = 10;
    walk.event.entrant[6].extra[0] = 10;
    ck_assert_int_eq(pairing_dutch(&walk.event, 1, &found), PAIRING_DONE);
    ck_assert_uint_eq(found.board[3].white + found.board[3].black, 7 + 8);
    event_walk_end(&walk);
}
END_TEST

START_TEST(the_first_colour_must_be_known)
{
    struct event_walk walk;
    event_walk_begin(&walk, 1, 4, 3);
    walk.event.first = 0;
    ck_assert_int_eq(pairing_dutch(&walk.event, 1, &found), PAIRING_UNKNOWN_COLOUR);
    walk.event.first = 'b';
    ck_assert_int_eq(pairing_dutch(&walk.event, 1, &found), PAIRING_DONE);
    ck_assert_uint_eq(found.board[0].black, 1);
    event_walk_play(&walk, &found);
    walk.event.first = 0;
    ck_assert_int_eq(pairing_first_colour(&walk.event), 'b');
    ck_assert_int_eq(pairing_dutch(&walk.event, 2, &found), PAIRING_DONE);
    event_walk_end(&walk);
}
END_TEST

START_TEST(without_memory_nothing_is_paired)
{
    struct event_walk walk;
    event_walk_begin(&walk, 7, 9, 5);
    ck_assert(check_round(&walk));
    event_walk_play(&walk, &found);
    bool failed = true;
    for (uint64_t nth = 1; failed; nth++) {
        failing_alloc_arm(nth, false);
        failing_alloc_enter();
        const enum pairing_outcome outcome = pairing_dutch(&walk.event, 2, &found);
        failing_alloc_leave();
        (void)failing_alloc_disarm(&failed);
        ck_assert_int_eq(outcome, failed ? PAIRING_OUT_OF_MEMORY : PAIRING_DONE);
    }
    event_walk_end(&walk);
}
END_TEST

START_TEST(nobody_and_one_alone)
{
    struct event_walk walk;
    event_walk_begin(&walk, 1, 1, 3);
    ck_assert_int_eq(pairing_dutch(&walk.event, 1, &found), PAIRING_DONE);
    ck_assert_uint_eq(found.boards, 1);
    ck_assert_uint_eq(found.board[0].black, 0);
    event_walk_play(&walk, &found);
    ck_assert_int_eq(pairing_dutch(&walk.event, 2, &found), PAIRING_IMPOSSIBLE);
    walk.event.entrant[0].away = true;
    ck_assert_int_eq(pairing_dutch(&walk.event, 2, &found), PAIRING_DONE);
    ck_assert_uint_eq(found.boards, 0);
    event_walk_end(&walk);
}
END_TEST

Suite *dutch_suite(void)
{
    Suite *suite = suite_create("dutch");
    TCase *cases = tcase_create("all");
    tcase_add_test(cases, rounds_keep_what_is_absolute);
    tcase_add_loop_test(cases, rounds_can_be_repeated, 1, 30);
    tcase_add_test(cases, two_who_must_not_meet_do_not);
    tcase_add_test(cases, acceleration_parts_the_halves);
    tcase_add_test(cases, the_first_colour_must_be_known);
    tcase_add_test(cases, without_memory_nothing_is_paired);
    tcase_add_test(cases, nobody_and_one_alone);
    suite_add_tcase(suite, cases);
    return suite;
}
