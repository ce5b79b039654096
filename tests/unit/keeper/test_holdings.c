/* What a node does about its parts: no thread, no database. Time is that of the looks. */
#include "cases.h"
#include "holdings.h"
#include <check.h>
#include <stdio.h>
#include <string.h>

static struct holdings holdings;
static struct membership_watch watch;
static struct membership_look look;

/* A site of four parts, as node `a` sees it: who has each part, "-" for nobody. */
static void begin(void)
{
    holdings = (struct holdings){.self = "a",
                                 .parts = 4,
                                 .pace = {.silent_ms = 5000,
                                          .settle_ms = 3000,
                                          .between_ms = 2000,
                                          .retry_ms = 500,
                                          .retry_max_ms = 3000,
                                          .damaged_ms = 60000}};
    watch = (struct membership_watch){0};
    look = (struct membership_look){.at_ms = 1000000, .parts = 4};
}

static int see(const char *nodes, const char *parts, int64_t after_ms)
{
    look.at_ms += after_ms;
    look.nodes = strlen(nodes);
    for (size_t at = 0; at < look.nodes; at++) {
        struct membership_node *node = &look.node[at];
        snprintf(node->name, sizeof node->name, "%c", nodes[at]);
        node->life = (unsigned char)nodes[at];
        node->beat = look.at_ms;
    }
    for (size_t at = 0; at < 4; at++) {
        struct membership_part *part = &look.part[at];
        snprintf(part->node, sizeof part->node, "%.1s", parts[at] == '-' ? "" : &parts[at]);
        part->held = parts[at] != '-';
        part->term = 7;
        part->batch = parts[at] == '-' ? POSTGRES_GIVEN_UP : look.at_ms;
    }
    membership_follow(&watch, &look);
    return holdings_decide(&holdings, &watch);
}

static const char *states(void)
{
    static char line[5];
    for (size_t at = 0; at < 4; at++)
        line[at] = "-oOhlcC"[holdings.holding[at].state];
    return line;
}

static void open_all(void)
{
    struct holding *holding;
    while ((holding = holdings_next(&holdings, 4))) {
        const unsigned part = holding->part.part;
        holdings_opened(&holdings, part, &(struct keeper_part){.part = part, .term = 9});
        holdings_given(&holdings, part);
    }
}

START_TEST(alone_it_opens_everything_and_no_more_at_once_than_it_may)
{
    ck_assert_int_eq(see("a", "----", 0), -1);
    ck_assert_str_eq(states(), "oooo");
    ck_assert_ptr_nonnull(holdings_next(&holdings, 2));
    ck_assert_ptr_nonnull(holdings_next(&holdings, 2));
    ck_assert_ptr_null(holdings_next(&holdings, 2));
    ck_assert_str_eq(states(), "OOoo");
    holdings_opened(&holdings, 0, &(struct keeper_part){.term = 9});
    holdings_given(&holdings, 0);
    ck_assert_uint_eq(holdings_next(&holdings, 2)->part.part, 2);
    ck_assert_str_eq(states(), "hOOo");
    ck_assert_uint_eq(holdings_had(&holdings), 1);
    ck_assert_uint_eq(holdings.holding[0].part.term, 9);
}
END_TEST

START_TEST(closing_goes_first)
{
    see("a", "----", 0);
    open_all();
    holdings_ended(&holdings, 3, STORE_FENCED, look.at_ms);
    holdings.holding[1].state = HOLDING_TO_OPEN;
    ck_assert_str_eq(states(), "hohc");
    ck_assert_uint_eq(holdings_next(&holdings, 0)->part.part, 3);
    ck_assert_str_eq(states(), "hohC");
    ck_assert_ptr_null(holdings_next(&holdings, 0));
    holdings_closed(&holdings, 3);
    ck_assert_str_eq(states(), "hoh-");
    ck_assert_uint_eq(holdings.figures.lost, 1);
}
END_TEST

START_TEST(what_the_rows_show_with_a_later_term_is_lost)
{
    see("a", "----", 0);
    ck_assert_uint_eq(holdings_lost(&holdings, &watch), 0);
    open_all();
    see("a", "aaaa", 1000); /* as it was before it was opened here */
    ck_assert_uint_eq(holdings_lost(&holdings, &watch), 0);
    watch.look.part[0].term = watch.look.part[1].term = 9;
    watch.look.part[2].term = watch.look.part[3].term = 10;
    ck_assert_uint_eq(holdings_lost(&holdings, &watch), 4 + 8);
    holdings.holding[2].state = HOLDING_LEAVING;
    holdings_ended(&holdings, 3, STORE_FENCED, look.at_ms);
    ck_assert_uint_eq(holdings_lost(&holdings, &watch), 4);
    holdings.holding[2].state = HOLDING_OPENING;
    ck_assert_uint_eq(holdings_lost(&holdings, &watch), 0);
}
END_TEST

START_TEST(a_part_is_given_up_when_the_nodes_have_settled_and_one_after_the_other)
{
    see("a", "----", 0);
    open_all();
    ck_assert_int_eq(see("ab", "aaaa", 1000), -1);
    ck_assert_int_eq(see("ab", "aaaa", 1000), -1);
    /* it went, and came again */
    ck_assert_int_eq(see("a", "aaaa", 1000), -1);
    ck_assert_int_eq(see("ab", "aaaa", 1000), -1);
    ck_assert_int_eq(see("ab", "aaaa", 1000), -1);
    ck_assert_int_eq(see("ab", "aaaa", 1000), -1);
    ck_assert_int_eq(see("ab", "aaaa", 1000), 3);
    ck_assert_str_eq(states(), "hhhl");
    ck_assert_int_eq(see("ab", "aaaa", 1000), -1);
    holdings_ended(&holdings, 3, STORE_OK, look.at_ms);
    ck_assert(!holdings.leaving);
    ck_assert_uint_eq(holdings.figures.given_up, 1);
    ck_assert_uint_eq(holdings_next(&holdings, 4)->part.part, 3);
    holdings_closed(&holdings, 3);
    /* it is not taken back, and nothing else is given up before somebody has it */
    ck_assert_int_eq(see("ab", "aaa-", 500), -1);
    ck_assert_str_eq(states(), "hhh-");
    ck_assert_int_eq(see("ab", "aaab", 300), -1); /* too soon */
    ck_assert_int_eq(see("ab", "aaab", 200), 2);
}
END_TEST

static int see_for(const char *nodes, const char *parts, int64_t seconds)
{
    int given = -1;
    while (seconds-- > 0 && given < 0)
        given = see(nodes, parts, 1000);
    return given;
}

/* Node b is there and takes nothing: all four parts come to a, two of them as they are left. */
static void take_what_is_left(void)
{
    see("ab", "----", 0);
    open_all();
    for (int at = 0; at < 5; at++) {
        ck_assert_str_eq(states(), "hh--");
        ck_assert_int_eq(see("ab", "aa--", 1000), -1);
    }
    ck_assert_str_eq(states(), "hho-");
    open_all();
    ck_assert_int_eq(see("ab", "aaa-", 1000), -1);
    ck_assert_str_eq(states(), "hhho");
    open_all();
}

/* Its turn would come again and again: a part that the others cannot open stays. */
START_TEST(what_nobody_else_has_taken_is_not_given_up)
{
    take_what_is_left();
    ck_assert_int_eq(see_for("ab", "aaaa", 10), 1);
    holdings_ended(&holdings, 1, STORE_OK, look.at_ms);
    ck_assert_uint_eq(holdings_next(&holdings, 1)->part.part, 1);
    holdings_closed(&holdings, 1);
    ck_assert_str_eq(states(), "h-hh");
    ck_assert_int_eq(see_for("ab", "abaa", 10), 0);
    holdings_ended(&holdings, 0, STORE_OK, look.at_ms);
    ck_assert_uint_eq(holdings_next(&holdings, 1)->part.part, 0);
    holdings_closed(&holdings, 0);
    ck_assert_int_eq(see_for("ab", "bbaa", 20), -1);
}
END_TEST

/* One at a time, and one that cannot be opened does not hide the others. */
START_TEST(what_others_have_left_is_tried_part_by_part)
{
    see("a", "aa--", 0);
    holdings.holding[2].state = holdings.holding[3].state = HOLDING_NONE;
    open_all();
    holdings.holding[0].state = holdings.holding[1].state = HOLDING_HAD;
    holdings.holding[2].state = holdings.holding[3].state = HOLDING_NONE;
    see_for("ab", "aa--", 5);
    ck_assert_str_eq(states(), "hho-");
    ck_assert_uint_eq(holdings_next(&holdings, 4)->part.part, 2);
    holdings_failed(&holdings, 2, STORE_CORRUPT, look.at_ms);
    see("ab", "aa--", 1000);
    ck_assert_str_eq(states(), "hh-o");
    ck_assert(holdings.holding[3].left_over);
}
END_TEST

static void take_only_what_is_left(void)
{
    take_what_is_left();
    for (size_t part = 0; part < 2; part++)
        holdings.holding[part].left_over = true;
}

/* All that it has were left: who comes finds something all the same. */
START_TEST(who_has_come_is_offered_what_others_have_left)
{
    take_only_what_is_left();
    ck_assert_int_eq(see_for("ab", "aaaa", 20), -1);
    ck_assert_int_eq(see_for("abc", "aaaa", 10), 3);
}
END_TEST

/* The same of one that was there before, did not live for a while, and does again. */
START_TEST(who_has_come_back_is_offered_what_others_have_left)
{
    take_only_what_is_left();
    ck_assert_int_eq(see_for("a", "aaaa", 20), -1);
    ck_assert_int_eq(see_for("ab", "aaaa", 10), 3);
}
END_TEST

/* It may have been something that is over. */
START_TEST(what_others_have_left_is_offered_again_after_a_while)
{
    take_only_what_is_left();
    const int64_t since_ms = holdings.holding[3].left_over_ms;
    ck_assert_int_eq(see_for("ab", "aaaa", 2 * 600), 1);
    ck_assert_int_ge(look.at_ms, since_ms + 10 * holdings.pace.damaged_ms - 10000);
}
END_TEST

/* Rooms with what only a later version can read: that opens them, if there is one. */
START_TEST(what_nobody_else_can_read_is_set_aside)
{
    see("ab", "--bb", 0);
    struct holding *holding = holdings_next(&holdings, 4);
    ck_assert(holding->part.sets_aside); /* all have one version */
    holdings_failed(&holdings, holding->part.part, STORE_FENCED, look.at_ms);
    snprintf(look.node[1].version, sizeof look.node[1].version, "2");
    see("ab", "--bb", 1000);
    holding = holdings_next(&holdings, 4);
    ck_assert(!holding->part.sets_aside);
    holdings_failed(&holdings, holding->part.part, STORE_NEWER, look.at_ms);
    for (int waited = 0; waited < 60; waited++)
        see("ab", "--bb", 1000);
    holding = holdings_next(&holdings, 4);
    ck_assert_ptr_nonnull(holding);
    ck_assert(holding->part.sets_aside); /* the other one has had its time */
}
END_TEST

START_TEST(what_cannot_be_opened_is_tried_less_and_less_often)
{
    static const int64_t waits[] = {500, 1000, 2000, 3000, 3000};
    for (size_t at = 0; at < sizeof waits / sizeof waits[0]; at++) {
        see("a", "aa-a", 0);
        holdings.holding[0].state = holdings.holding[1].state = holdings.holding[3].state =
            HOLDING_HAD;
        ck_assert_str_eq(states(), "hhoh");
        ck_assert_ptr_nonnull(holdings_next(&holdings, 4));
        holdings_failed(&holdings, 2, STORE_FAILED, look.at_ms);
        for (int64_t waited = 0; waited < waits[at]; waited += 250) {
            see("a", "aa-a", waited ? 250 : 0);
            ck_assert_msg(strcmp(states(), "hh-h") == 0, "%zu %lld", at, (long long)waited);
        }
        look.at_ms += 250;
    }
    see("a", "aa-a", 0);
    ck_assert_ptr_nonnull(holdings_next(&holdings, 4));
    holdings_failed(&holdings, 2, STORE_CORRUPT, look.at_ms);
    ck_assert_int_eq(holdings.holding[2].retry_ms, look.at_ms + 60000);
    ck_assert_uint_eq(holdings.figures.failed, 6);
    /* Another node was faster: no failure. */
    holdings.holding[2].state = HOLDING_OPENING;
    holdings_failed(&holdings, 2, STORE_FENCED, look.at_ms);
    ck_assert_uint_eq(holdings.figures.failed, 6);
    ck_assert_int_eq(holdings.holding[2].retry_ms, look.at_ms + 500);
}
END_TEST

START_TEST(what_is_drained_without_being_asked_back_ends_everything)
{
    see("a", "aa--", 0);
    ck_assert_str_eq(states(), "--oo");
    ck_assert_ptr_nonnull(holdings_next(&holdings, 1));
    holdings.holding[0].state = HOLDING_HAD;
    holdings_ended(&holdings, 0, STORE_OK, look.at_ms);
    ck_assert_str_eq(states(), "c-O-");
    see("a", "aa--", 250);
    ck_assert_str_eq(states(), "c-O-");
    /* What is opened meanwhile is closed. */
    holdings_opened(&holdings, 2, &(struct keeper_part){.part = 2});
    ck_assert_str_eq(states(), "c-c-");
    ck_assert(!holdings_empty(&holdings));
    while (holdings_next(&holdings, 1)) {
    }
    holdings_closed(&holdings, 0);
    holdings_closed(&holdings, 2);
    ck_assert(holdings_empty(&holdings));
    ck_assert_uint_eq(holdings.figures.given_up, 0);
}
END_TEST

START_TEST(a_part_that_ends_while_it_is_given_is_closed)
{
    see("a", "----", 0);
    ck_assert_ptr_nonnull(holdings_next(&holdings, 1));
    holdings_opened(&holdings, 0, &(struct keeper_part){.part = 0});
    holdings_ended(&holdings, 0, STORE_FAILED, look.at_ms);
    holdings_given(&holdings, 0);
    ck_assert_str_eq(states(), "cooo");
    holdings_leave(&holdings, true);
    ck_assert_str_eq(states(), "c---");
}
END_TEST

/* One after the other, but all with the same look: here nobody can be served with them. */
START_TEST(who_is_cut_off_gives_all_back_at_once)
{
    see("ab", "----", 0);
    open_all();
    see("ab", "aabb", 1000);
    ck_assert_str_eq(states(), "hh--");
    ck_assert_int_eq(holdings_give_next(&holdings, &watch), -1);
    look.node[0].says_clock = true;
    look.node[0].ahead_ms = 2 * MEMBERSHIP_CLOCK_WRONG_MS;
    ck_assert_int_eq(see("ab", "aabb", 1000), -1);
    ck_assert_int_eq(see("ab", "aabb", MEMBERSHIP_CUT_OFF_MS), 1);
    ck_assert_int_eq(holdings_give_next(&holdings, &watch), 0);
    ck_assert_int_eq(holdings_give_next(&holdings, &watch), -1);
    ck_assert_str_eq(states(), "ll--");
}
END_TEST

START_TEST(it_knows_from_whom_a_part_was_taken)
{
    see("a", "b---", 0);
    look.part[0].held = false;
    for (int at = 0; at < 24; at++) {
        look.at_ms += 250;
        look.node[0].beat++;
        membership_follow(&watch, &look);
        holdings_decide(&holdings, &watch);
    }
    ck_assert_int_eq(holdings.holding[0].silent.term, 7);
    ck_assert_int_eq(holdings.holding[0].silent.batch, 1000000);
    open_all();
    ck_assert_uint_eq(holdings.figures.taken_over, 1);
    ck_assert_uint_eq(holdings.figures.opened, 4);
}
END_TEST

START_TEST(the_others_are_those_that_live)
{
    size_t places[MEMBERSHIP_NODES_MAX];
    see("abc", "----", 0);
    for (int at = 0; at < 5; at++) {
        look.at_ms += 1000;
        look.node[2].beat++;
        membership_follow(&watch, &look);
        ck_assert_uint_eq(holdings_others(&holdings, &watch, places), at < 4 ? 2 : 1);
    }
    ck_assert_uint_eq(places[0], 2);
}
END_TEST

void add_holdings_tests(TCase *tests)
{
    tcase_add_checked_fixture(tests, begin, NULL);
    tcase_add_test(tests, alone_it_opens_everything_and_no_more_at_once_than_it_may);
    tcase_add_test(tests, closing_goes_first);
    tcase_add_test(tests, what_the_rows_show_with_a_later_term_is_lost);
    tcase_add_test(tests, a_part_is_given_up_when_the_nodes_have_settled_and_one_after_the_other);
    tcase_add_test(tests, what_nobody_else_has_taken_is_not_given_up);
    tcase_add_test(tests, what_others_have_left_is_tried_part_by_part);
    tcase_add_test(tests, who_has_come_is_offered_what_others_have_left);
    tcase_add_test(tests, who_has_come_back_is_offered_what_others_have_left);
    tcase_add_test(tests, what_others_have_left_is_offered_again_after_a_while);
    tcase_add_test(tests, what_nobody_else_can_read_is_set_aside);
    tcase_add_test(tests, what_cannot_be_opened_is_tried_less_and_less_often);
    tcase_add_test(tests, what_is_drained_without_being_asked_back_ends_everything);
    tcase_add_test(tests, a_part_that_ends_while_it_is_given_is_closed);
    tcase_add_test(tests, who_is_cut_off_gives_all_back_at_once);
    tcase_add_test(tests, it_knows_from_whom_a_part_was_taken);
    tcase_add_test(tests, the_others_are_those_that_live);
}
