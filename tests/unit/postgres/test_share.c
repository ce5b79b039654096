/*
 * Which parts a node tries to have, and what it gives up. A site is written as a line: a word for
 * each part, who has it, "-": it was given up; "!" before it: it has committed nothing for long,
 * "?": nobody is connected who has its lock. Nodes are a, b, c...; those in `dead` are silent.
 */
#include "cases.h"
#include <postgres/membership.h>
#include <stdio.h>
#include <string.h>

enum { SILENT_MS = 3000 };

static struct membership_look look;
static struct membership_watch watch;
static const char *links; /* pairs, each with a space behind it; NULL: no node says any */

static void draw_parts(const char *line, int64_t beat)
{
    look.parts = 0;
    for (const char *at = line; *at; at++) {
        struct membership_part *part = &look.part[look.parts++];
        const bool unheld = *at == '?';
        at += unheld;
        const bool silent = *at == '!';
        at += silent;
        *part = (struct membership_part){.term = 7, .batch = silent ? 5 : beat + 5};
        part->node[0] = *at == '-' ? '\0' : *at;
        part->batch = *at == '-' ? POSTGRES_GIVEN_UP : part->batch;
        part->held = *at != '-' && !unheld;
    }
}

static void draw_nodes(const char *names, const char *dead, int64_t beat)
{
    look.nodes = strlen(names);
    for (size_t at = 0; at < look.nodes; at++) {
        struct membership_node *node = &look.node[at];
        *node = (struct membership_node){.life = 1, .beat = strchr(dead, names[at]) ? 3 : beat};
        node->name[0] = names[at];
        node->says_links = links;
        for (size_t other = 0; links && other < look.nodes; other++) {
            const char pair[] = {names[at], names[other], '\0'},
                       back[] = {names[other], names[at], '\0'};
            node->links |= (uint64_t)(strstr(links, pair) || strstr(links, back)) << other;
        }
    }
}

static uint64_t parts_of(char self)
{
    uint64_t mine = 0;
    for (unsigned part = 0; part < look.parts; part++)
        mine |= (uint64_t)(look.part[part].node[0] == self && look.part[part].held) << part;
    return mine;
}

static void watch_for(const char *nodes, const char *dead, const char *parts, int64_t seconds)
{
    watch = (struct membership_watch){0};
    for (int64_t second = 0; second <= seconds; second++) {
        draw_nodes(nodes, dead, second);
        draw_parts(parts, second);
        look.at_ms = 1000000 + second * 1000;
        membership_follow(&watch, &look);
    }
}

static const struct {
    const char *nodes, *dead, *parts, *self, *take; /* of `take` a sign for each part */
    bool gives_up;
} rows[] = {
    /* alone: everything that is nobody's, at once */
    {"a", "", "-", "a", "x", false},
    {"a", "", "----", "a", "xxxx", false},
    {"a", "", "aaaa", "a", "....", false},
    {"a", "", "aa--", "a", "..xx", false},
    /* together: first the share rounded down, each from somewhere else */
    {"ab", "", "----", "a", "xx..", false},
    {"ab", "", "----", "b", "..xx", false},
    {"abc", "", "----", "c", "..x.", false},
    /* when all have that, the rest */
    {"ab", "", "ab-", "a", "..x", false},
    {"ab", "", "ab-", "b", "..x", false},
    {"abc", "", "aabbc--", "c", ".....xx", false},
    {"abc", "", "aabbcc-", "b", "......x", false},
    /* nobody takes more than a share */
    {"ab", "", "aab-", "a", "....", false},
    {"ab", "", "aab-", "b", "...x", false},
    /* a new node: who has most gives up one, and takes nothing back */
    {"ab", "", "aaaa", "a", "....", true},
    {"ab", "", "aaaa", "b", "....", false},
    {"ab", "", "aaa-", "a", "....", false},
    {"ab", "", "aaa-", "b", "...x", false},
    {"ab", "", "aaab", "a", "....", true},
    {"ab", "", "aabb", "a", "....", false},
    {"abc", "", "aabb", "a", "....", true},
    {"abc", "", "aabb", "b", "....", false},
    {"abc", "", "a-bb", "a", "....", false},
    {"abc", "", "a-bb", "c", ".x..", false},
    {"abc", "", "acbb", "b", "....", false},
    {"abc", "", "aabbb", "b", ".....", true},
    /* more nodes than parts */
    {"abc", "", "ab", "c", "..", false},
    {"abc", "", "-b", "c", "x.", false},
    /* of who is silent: its own counter, and that of its part */
    {"ab", "b", "aa!b!b", "a", "..xx", false},
    {"ab", "b", "aabb", "a", "....", false},
    {"ab", "", "aa!bb", "a", "....", false},
    {"ab", "", "a!b!bb", "a", ".x..", false},
    {"abc", "c", "aabb!c!c", "a", "....x.", false},
    /* nobody is connected: that takes nothing from anybody, nor gives it sooner */
    {"ab", "", "aab?b", "b", "....", false},
    {"ab", "", "a?bb?b", "a", "....", false},
    {"ab", "b", "a?b?b?b", "a", "....", false},
    {"ab", "", "aab?!b", "b", "...x", false},
    {"ab", "", "a?!bb?!b", "a", ".x..", false},
    {"ab", "b", "a?!b?!b?!b", "a", ".xxx", false},
    /* it has come again with its name, and what the process before had is not its own yet */
    {"a", "", "?a?a?!a?!a", "a", "..xx", false},
    /* a server without a name has a part: its own affair */
    {"a", "", "xa", "a", "..", false},
};

START_TEST(a_node_takes_and_gives_up)
{
    char take[PARTS_MAX + 1] = "";
    watch_for(rows[_i].nodes, rows[_i].dead, rows[_i].parts, 4);
    const struct membership_plan plan =
        membership_decide(&watch, rows[_i].self, parts_of(rows[_i].self[0]), SILENT_MS);
    for (unsigned part = 0; part < look.parts; part++)
        take[part] = plan.take >> part & 1 ? 'x' : '.';
    ck_assert_msg(strcmp(take, rows[_i].take) == 0 && plan.give_up == rows[_i].gives_up,
                  "%s of %s: %s %d", rows[_i].self, rows[_i].parts, take, plan.give_up);
}
END_TEST

static const struct {
    const char *nodes, *dead, *links, *group;
} groups[] = {
    {"a", "", "", "a"},
    {"abc", "", "ab ac bc ", "abc"},
    {"abc", "", "ab ", "ab"},
    {"abc", "", "bc ", "bc"},
    /* b and c do not reach each other: whoever has lived longer */
    {"abc", "", "ab ac ", "ab"},
    {"abc", "", "", "a"},
    {"abcd", "", "ab cd ", "ab"},
    {"abcd", "", "ac bc bd cd ", "bcd"},
    {"abc", "a", "ab bc ", "bc"},
};

START_TEST(parts_are_for_those_who_reach_each_other)
{
    char names[8] = "";
    size_t len = 0;
    links = groups[_i].links;
    watch_for(groups[_i].nodes, groups[_i].dead, "-", 4);
    const uint64_t group = membership_group(&watch, SILENT_MS);
    for (size_t at = 0; at < look.nodes; at++) {
        if (group >> at & 1)
            names[len++] = groups[_i].nodes[at];
    }
    ck_assert_str_eq(names, groups[_i].group);
    links = NULL;
}
END_TEST

/* One end says that there is a link, and the other does not: a certificate that only one believes.
 * Who says nothing is of an earlier version, or keeps none. */
START_TEST(a_link_has_two_ends)
{
    links = "ab ";
    watch_for("ab", "", "-", 4);
    look.node[1].links = 0;
    look.at_ms += 250;
    membership_follow(&watch, &look);
    ck_assert_uint_eq(membership_group(&watch, SILENT_MS), 1);
    look.node[1].says_links = false;
    look.at_ms += 250;
    membership_follow(&watch, &look);
    ck_assert_uint_eq(membership_group(&watch, SILENT_MS), 3);
    links = NULL;
}
END_TEST

static uint64_t group_with_clocks(int64_t a, int64_t b, int64_t c)
{
    const int64_t ahead_ms[] = {a, b, c};
    links = "ab ac bc ";
    watch_for("abc", "", "-", 4);
    for (size_t at = 0; at < 3; at++) {
        look.node[at].says_clock = true;
        look.node[at].ahead_ms = ahead_ms[at];
    }
    look.at_ms += 250;
    membership_follow(&watch, &look);
    links = NULL;
    return membership_group(&watch, SILENT_MS);
}

START_TEST(a_node_with_a_wrong_clock_is_given_nothing)
{
    ck_assert_uint_eq(group_with_clocks(0, 10000, -10000), 7);
    ck_assert_uint_eq(group_with_clocks(0, 10001, 0), 5);
    ck_assert_uint_eq(group_with_clocks(0, 0, -3600000), 3);
    ck_assert_uint_eq(group_with_clocks(3600000, 3600000, 3600000), 7); /* it is the database's */
}
END_TEST

/* It is given nothing, and after a while the others have its share as well. */
START_TEST(who_is_not_reached_is_given_nothing)
{
    links = "";
    watch_for("ab", "", "----", 0);
    ck_assert_uint_eq(membership_decide(&watch, "b", 0, SILENT_MS).take, 0);
    ck_assert(membership_is_cut_off(&watch, 1)); /* it never was */
    ck_assert(!membership_is_cut_off(&watch, 0));
    ck_assert_uint_eq(membership_decide(&watch, "a", 0, SILENT_MS).take, 3);
    watch_for("ab", "", "aa--", 5);
    const struct membership_plan plan = membership_decide(&watch, "a", 3, SILENT_MS);
    ck_assert_uint_eq(plan.take & ~plan.left_over, 12); /* not as something left over */
    ck_assert_uint_eq(membership_decide(&watch, "b", 0, SILENT_MS).take, 0);
    links = "ab ";
    watch_for("ab", "", "----", 1);
    ck_assert_uint_eq(membership_decide(&watch, "b", 0, SILENT_MS).take, 12);
    links = NULL;
}
END_TEST

/* A database that takes no writes: none of its nodes is silent, also for a while afterwards. */
START_TEST(where_nobody_can_write_nobody_is_silent)
{
    watch_for("ab", "", "aabb", 4);
    for (int64_t quarter = 0; quarter < 40; quarter++) { /* nothing moves for ten seconds */
        look.at_ms += 250;
        membership_follow(&watch, &look);
        ck_assert_uint_eq(membership_decide(&watch, "a", 3, SILENT_MS).take, 0);
    }
    const int64_t again_ms = look.at_ms;
    while (look.at_ms - again_ms < SILENT_MS - 250) { /* only a writes again */
        look.at_ms += 250;
        look.node[0].beat++;
        membership_follow(&watch, &look);
        ck_assert_uint_eq(membership_decide(&watch, "a", 3, SILENT_MS).take, 0);
    }
    look.at_ms += 500;
    look.node[0].beat++;
    membership_follow(&watch, &look);
    ck_assert_uint_ne(membership_decide(&watch, "a", 3, SILENT_MS).take, 0);
}
END_TEST

/* Not at once: links are lost for a moment. */
START_TEST(who_is_cut_off_gives_everything_up)
{
    links = "ab ac bc ";
    watch_for("abc", "", "aabbcc", 4);
    links = "ab ";
    for (int64_t second = 5; second <= 6; second++) {
        draw_nodes("abc", "", second);
        draw_parts("aabbcc", second);
        look.at_ms += 1000;
        membership_follow(&watch, &look);
        const struct membership_plan plan = membership_decide(&watch, "c", 48, SILENT_MS);
        ck_assert(plan.cut_off == (second == 6));
        ck_assert(!plan.give_up && !plan.take);
        ck_assert(!membership_decide(&watch, "a", 3, SILENT_MS).cut_off);
    }
    links = "ab ac bc ";
    draw_nodes("abc", "", 7);
    look.at_ms += 1000;
    membership_follow(&watch, &look);
    ck_assert(!membership_is_cut_off(&watch, 2));
    links = NULL;
}
END_TEST

START_TEST(silence_is_listened_to_for_long_enough)
{
    watch_for("ab", "b", "aa!b!b", 2);
    ck_assert_uint_eq(membership_decide(&watch, "a", 3, SILENT_MS).take, 0);
    watch_for("ab", "b", "aa!b!b", 3);
    ck_assert_uint_eq(membership_decide(&watch, "a", 3, SILENT_MS).take, 12);
    /* A gap: perhaps the database stood still, and they could not raise their counters. */
    look.at_ms += 3000;
    membership_follow(&watch, &look);
    ck_assert_uint_eq(membership_decide(&watch, "a", 3, SILENT_MS).take, 0);
}
END_TEST

/* By a, who goes on writing. */
static uint64_t taken_after(int64_t ms)
{
    uint64_t take = 0;
    for (const int64_t until_ms = look.at_ms + ms; look.at_ms < until_ms;) {
        look.at_ms += 250;
        look.node[0].beat++;
        membership_follow(&watch, &look);
        take |= membership_decide(&watch, "a", 1, SILENT_MS).take;
    }
    return take;
}

/* As after a restart of the database: whoever had them is there, and still has its lease. */
START_TEST(locks_that_are_gone_give_nothing_sooner)
{
    watch_for("ab", "", "a?bb?b", 4);
    look.part[0].batch++;
    for (unsigned part = 1; part < 4; part++) {
        look.part[part].batch++;
        look.part[part].held = false;
    }
    look.part[3].batch = 0; /* it was being loaded, which has failed then */
    ck_assert_uint_eq(taken_after(SILENT_MS), 0);
    ck_assert_uint_eq(taken_after(250), 14);
}
END_TEST

START_TEST(what_is_given_up_is_had_at_once)
{
    watch_for("ab", "", "abbb", 4);
    look.part[2].batch = POSTGRES_GIVEN_UP; /* by a server without a name as well */
    ck_assert_uint_eq(taken_after(250), 4);
    look.part[2].batch = 0;
    look.part[2].term = 0;
    ck_assert_uint_eq(taken_after(250), 4);
}
END_TEST

/* It has no part in what is shared any more, and what it has is its own until that is free. */
START_TEST(a_node_without_a_connection_does_not_live)
{
    watch_for("ab", "", "a-bb", 4);
    ck_assert_uint_eq(membership_decide(&watch, "a", 1, SILENT_MS).take, 2);
    watch_for("ab", "", "aa-b", 3);
    ck_assert_uint_eq(membership_decide(&watch, "a", 3, SILENT_MS).take, 0);
    for (int at = 0; at < 4; at++) {
        look.at_ms += 250;
        look.node[1].away = true;
        membership_follow(&watch, &look);
        ck_assert(membership_lives(&watch, 1, SILENT_MS));
        ck_assert_uint_eq(membership_decide(&watch, "a", 3, SILENT_MS).take, 0);
    }
    look.at_ms += 250;
    membership_follow(&watch, &look);
    ck_assert(!membership_lives(&watch, 1, SILENT_MS));
    ck_assert_uint_eq(membership_decide(&watch, "a", 3, SILENT_MS).take, 4);
    look.at_ms += 250;
    look.node[1].away = false;
    membership_follow(&watch, &look);
    ck_assert(membership_lives(&watch, 1, SILENT_MS));
}
END_TEST

/* It would first have to listen for as long as the others have: they do not wait for that. */
START_TEST(who_has_just_come_is_not_waited_for)
{
    watch_for("ab", "", "a-!c!c!c!c", 4);
    look.node[1].life++; /* it has come again, and b is what it is called */
    look.at_ms += 1000;
    look.node[0].beat++;
    membership_follow(&watch, &look);
    /* What was given up it can have. */
    ck_assert_uint_eq(membership_decide(&watch, "a", 1, SILENT_MS).take, 0x3c);
    watch_for("ab", "", "a-!c!c!c!c", 4);
    ck_assert_uint_eq(membership_decide(&watch, "a", 1, SILENT_MS).take, 0xc);
    ck_assert_uint_eq(membership_decide(&watch, "b", 0, SILENT_MS).take, 0x30 | 4);
}
END_TEST

/* Who should have it does not take it: then who has its share already does. */
START_TEST(what_is_left_over_is_for_anybody)
{
    for (int64_t second = 4; second <= 5; second++) {
        watch_for("ab", "", "aa--", second);
        const struct membership_plan plan = membership_decide(&watch, "a", 3, SILENT_MS);
        ck_assert_uint_eq(plan.take, second < 5 ? 0 : 12);
        ck_assert_uint_eq(plan.left_over, plan.take);
    }
    const struct membership_plan plan = membership_decide(&watch, "b", 0, SILENT_MS);
    ck_assert_uint_eq(plan.take, 12); /* it is its share, and it tries again */
    ck_assert_uint_eq(plan.left_over, 0);
}
END_TEST

/* The same of what its owner has not given up: it is silent, and who should have it waits. */
START_TEST(what_is_silent_is_left_over_as_well)
{
    for (int64_t second = 4; second <= 5; second++) {
        watch_for("abc", "c", "a!cb", second);
        const struct membership_plan plan = membership_decide(&watch, "a", 1, SILENT_MS);
        ck_assert_uint_eq(plan.take, 2);
        ck_assert_uint_eq(plan.left_over, 0);
        watch_for("abc", "c", "aa!c", second);
        const struct membership_plan over = membership_decide(&watch, "a", 3, SILENT_MS);
        ck_assert_uint_eq(over.take, second < 5 ? 0 : 4);
        ck_assert_uint_eq(over.left_over, over.take);
    }
    watch_for("ab", "", "aab", 9); /* it is quiet, and lives */
    ck_assert_uint_eq(membership_decide(&watch, "a", 3, SILENT_MS).take, 0);
}
END_TEST

/* It has just been opened, and its matches are being loaded. */
START_TEST(who_loads_is_not_silent)
{
    watch_for("ab", "", "aa!bb", 4);
    for (int second = 0; second < 8; second++) {
        look.part[2].batch = 0;
        look.part[3].batch++;
        look.node[0].beat++;
        look.node[1].beat++;
        look.at_ms += 1000;
        membership_follow(&watch, &look);
    }
    ck_assert_uint_eq(membership_decide(&watch, "a", 3, SILENT_MS).take, 0);
}
END_TEST

/* It has come again under its name, and the database does not know yet that it was gone. */
START_TEST(what_a_process_before_has_loaded_is_silent)
{
    watch_for("ab", "", "aa!ab", 4);
    for (int second = 0; second < 4; second++) {
        look.part[2].batch = 0;
        look.part[0].batch++;
        look.part[1].batch++;
        look.part[3].batch++;
        look.node[0].beat++;
        look.node[1].beat++;
        look.at_ms += 1000;
        membership_follow(&watch, &look);
    }
    ck_assert_uint_eq(membership_decide(&watch, "b", 8, SILENT_MS).take, 0);
    ck_assert_uint_eq(membership_decide(&watch, "a", 3 + 4, SILENT_MS).take, 0);
    ck_assert_uint_eq(membership_decide(&watch, "a", 1, SILENT_MS).take, 4);
}
END_TEST

/* A process with the same name is another one. */
START_TEST(a_new_life_is_life)
{
    watch_for("ab", "b", "aa!b!b", 4);
    look.node[1].life++;
    look.at_ms += 1000;
    look.part[2].batch = look.part[3].batch = 0;
    membership_follow(&watch, &look);
    ck_assert_uint_eq(membership_decide(&watch, "a", 3, SILENT_MS).take, 0);
}
END_TEST

void add_share_tests(TCase *tests)
{
    tcase_add_loop_test(tests, a_node_takes_and_gives_up, 0, sizeof rows / sizeof rows[0]);
    tcase_add_loop_test(tests, parts_are_for_those_who_reach_each_other, 0,
                        sizeof groups / sizeof groups[0]);
    tcase_add_test(tests, a_node_with_a_wrong_clock_is_given_nothing);
    tcase_add_test(tests, a_link_has_two_ends);
    tcase_add_test(tests, who_is_not_reached_is_given_nothing);
    tcase_add_test(tests, where_nobody_can_write_nobody_is_silent);
    tcase_add_test(tests, who_is_cut_off_gives_everything_up);
    tcase_add_test(tests, silence_is_listened_to_for_long_enough);
    tcase_add_test(tests, locks_that_are_gone_give_nothing_sooner);
    tcase_add_test(tests, what_is_given_up_is_had_at_once);
    tcase_add_test(tests, a_node_without_a_connection_does_not_live);
    tcase_add_test(tests, who_has_just_come_is_not_waited_for);
    tcase_add_test(tests, what_is_left_over_is_for_anybody);
    tcase_add_test(tests, what_is_silent_is_left_over_as_well);
    tcase_add_test(tests, who_loads_is_not_silent);
    tcase_add_test(tests, what_a_process_before_has_loaded_is_silent);
    tcase_add_test(tests, a_new_life_is_life);
}
