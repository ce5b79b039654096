/* Keepers of several nodes with a real database. */
#include "../../support/run_suites.h"
#include "../postgres/fixture.h"
#include "cases.h"
#include "node.h"
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- nodes of a site */

static void others_are(struct node *node, const char *others)
{
    pthread_mutex_lock(&node->mutex);
    ck_assert_str_eq(node->others, others);
    pthread_mutex_unlock(&node->mutex);
}

START_TEST(three_nodes_share_and_one_hands_over)
{
    struct node a, b, c;
    prepare(&a, "a");
    prepare(&b, "b");
    prepare(&c, "c");
    start(&a);
    until_it_has(&a, 6);
    start(&b);
    until_it_has(&b, 3);
    start(&c);
    until_it_has(&c, 2);
    until_it_has(&a, 2);
    until_it_has(&b, 2);
    ck_assert_uint_eq(figures_of(&a).given_up, 4);
    ck_assert_uint_eq(figures_of(&a).taken_over, 0);
    others_are(&c, "a=a b=b ");
    end(&a);
    until_it_has(&b, 3);
    until_it_has(&c, 3);
    ck_assert_uint_eq(figures_of(&b).taken_over + figures_of(&c).taken_over, 0);
    ck_assert_uint_eq(figures_of(&b).failed + figures_of(&c).failed, 0);
    others_are(&c, "b=b ");
    end(&b);
    until_it_has(&c, 6);
    ck_assert_uint_eq(figures_of(&c).lost, 0);
    end(&c);
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM taluva.node"), 0);
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM taluva.server WHERE node <> ''"), 0);
}
END_TEST

static int change(struct node *node, const char *name, const char *text, int64_t revision)
{
    pthread_mutex_lock(&node->mutex);
    node->bans_kept = 1;
    pthread_mutex_unlock(&node->mutex);
    ck_assert(keeper_change_document(node->keeper, name, text, strlen(text), revision));
    for (;;) {
        pthread_mutex_lock(&node->mutex);
        const int kept = node->bans_kept;
        pthread_mutex_unlock(&node->mutex);
        if (kept != 1)
            return kept;
        pause_ms(10);
    }
}

static int change_bans(struct node *node, const char *text, int64_t revision)
{
    return change(node, "bans", text, revision);
}

static void until_bans_are(struct node *node, const char *text)
{
    bool same = false;
    for (; !same; pause_ms(10)) {
        pthread_mutex_lock(&node->mutex);
        same = strcmp(node->bans, text) == 0;
        pthread_mutex_unlock(&node->mutex);
    }
}

START_TEST(bans_are_those_of_all_nodes)
{
    struct node a, b;
    prepare(&a, "a");
    prepare(&b, "b");
    start(&a);
    start(&b);
    until_it_has(&a, 3);
    ck_assert_int_eq(change_bans(&a, "one", 0), STORE_OK);
    ck_assert_str_eq(a.bans, "one");
    ck_assert_int_eq(change_bans(&b, "two", 0), STORE_FENCED);
    until_bans_are(&b, "one");
    ck_assert_int_eq(change_bans(&b, "two", 1), STORE_OK);
    until_bans_are(&a, "two");
    end(&a);
    end(&b);
}
END_TEST

/* For want of memory: nothing is opened before the first ones are taken. */
START_TEST(bans_that_were_not_taken_are_told_again)
{
    struct node a;
    prepare(&a, "a");
    a.bans_refused = 3;
    start(&a);
    until_it_has(&a, PARTS);
    pthread_mutex_lock(&a.mutex);
    ck_assert_int_eq(a.bans_refused, 0);
    a.bans_refused = 2;
    pthread_mutex_unlock(&a.mutex);
    ck_assert_int_eq(change_bans(&a, "one", 0), STORE_FAILED);
    until_bans_are(&a, "one");
    ck_assert_int_eq(a.bans_revision, 1);
    end(&a);
}
END_TEST

static void set_slow(struct node *node, bool slow)
{
    pthread_mutex_lock(&node->mutex);
    node->slow = slow;
    pthread_mutex_unlock(&node->mutex);
}

/* Whoever changes them is answered when they hold at all nodes that live. */
START_TEST(bans_are_kept_when_they_hold_everywhere)
{
    struct node a, b;
    prepare(&a, "a");
    prepare(&b, "b");
    start(&a);
    start(&b);
    until_it_has(&a, 3);
    ck_assert_int_eq(change_bans(&a, "one", 0), STORE_OK);
    pthread_mutex_lock(&b.mutex);
    ck_assert_str_eq(b.bans, "one");
    pthread_mutex_unlock(&b.mutex);
    set_slow(&b, true);
    ck_assert_int_eq(change_bans(&a, "two", 1), STORE_REFUSED);
    ck_assert_str_eq(last_said(), "document_late: bans");
    set_slow(&b, false);
    ck_assert_int_eq(change_bans(&a, "three", 2), STORE_OK);
    /* Its own node as well. */
    set_slow(&a, true);
    ck_assert_int_eq(change_bans(&a, "four", 3), STORE_REFUSED);
    end(&b);
    set_slow(&a, false);
    ck_assert_int_eq(change_bans(&a, "five", 4), STORE_OK);
    end(&a);
}
END_TEST

START_TEST(documents_do_not_touch_each_other)
{
    struct node a;
    prepare(&a, "a");
    start(&a);
    until_it_has(&a, PARTS);
    ck_assert_int_eq(change(&a, "other", "one", 0), STORE_OK);
    ck_assert_int_eq(change(&a, "other", "two", 0), STORE_FENCED);
    ck_assert_int_eq(change_bans(&a, "three", 0), STORE_OK);
    ck_assert_int_eq(change(&a, "other", "four", 1), STORE_OK);
    ck_assert(!keeper_change_document(a.keeper, "none", "five", 4, 0));
    ck_assert_str_eq(a.bans, "three");
    ck_assert_int_eq(a.bans_revision, 1);
    ck_assert_str_eq(a.other, "four");
    ck_assert_int_eq(a.other_revision, 2);
    end(&a);
}
END_TEST

START_TEST(bans_are_changed_by_one_at_a_time)
{
    struct node a;
    prepare(&a, "a"); /* it has no thread yet that would take the first one */
    ck_assert(keeper_change_document(a.keeper, "bans", "one", 3, 0));
    ck_assert(!keeper_change_document(a.keeper, "other", "two", 3, 0));
    start(&a);
    until_bans_are(&a, "one");
    end(&a);
    ck_assert_int_eq(fixture_number("SELECT revision FROM taluva.bans"), 1);
}
END_TEST

/* All that it had was given back unasked: it takes nothing any more, and is not gone yet. */
START_TEST(a_node_that_leaves_hears_of_bans_and_changes_none)
{
    struct node a, b;
    prepare(&a, "a");
    prepare(&b, "b");
    start(&a);
    until_it_has(&a, PARTS);
    pthread_mutex_lock(&a.mutex);
    a.stops = true;
    pthread_mutex_unlock(&a.mutex);
    pthread_join(a.server, NULL);
    start(&b);
    until_it_has(&b, PARTS);
    ck_assert_int_eq(change_bans(&b, "one", 0), STORE_OK);
    until_bans_are(&a, "one");
    ck_assert_int_eq(change_bans(&a, "two", 1), STORE_FAILED);
    ck_assert_str_eq(last_said(), "document_not_changed: bans: this node is leaving");
    keeper_stop(a.keeper);
    keeper_leave(a.keeper);
    keeper_destroy(a.keeper);
    end(&b);
}
END_TEST

START_TEST(documents_that_cannot_be_read_are_said_once)
{
    struct node a;
    fixture_sql("ALTER TABLE taluva.document RENAME COLUMN revision TO elsewhere");
    prepare(&a, "a");
    start(&a);
    for (int tries = 0; tries < 3000 && count_said() < 2; tries++)
        pause_ms(20);
    pause_ms(5 * pace.beat_ms);
    ck_assert_int_eq(count_said(), 2); /* of each */
    ck_assert_uint_eq(figures_of(&a).had, 0);
    fixture_sql("ALTER TABLE taluva.document RENAME COLUMN elsewhere TO revision");
    until_it_has(&a, PARTS);
    end(&a);
}
END_TEST

/* A node in a process of its own; its exit status is how many parts it has lost. */
static pid_t fork_node(const char *name)
{
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child > 0)
        return child;
    struct node node;
    prepare(&node, name);
    start(&node);
    for (int tries = 0; tries < 3000 && figures_of(&node).lost < 3; tries++)
        pause_ms(20);
    _exit((int)figures_of(&node).lost);
}

/* The other one is first, and gives up what is too much. */
static void until_both_share(struct node *a)
{
    while (fixture_number("SELECT count(*) FROM taluva.server WHERE batch > 0") < PARTS)
        pause_ms(50);
    start(a);
    until_it_has(a, 3);
}

START_TEST(what_a_killed_node_had_is_taken)
{
    struct node a;
    int status;
    const pid_t b = fork_node("b");
    prepare(&a, "a");
    until_both_share(&a);
    kill(b, SIGKILL);
    until_it_has(&a, 6);
    ck_assert_uint_eq(figures_of(&a).taken_over, 3);
    waitpid(b, &status, 0);
    /* Its name is free again, as it has not come back. */
    while (fixture_number("SELECT count(*) FROM taluva.node") > 1)
        pause_ms(50);
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM taluva.node WHERE name = 'a'"), 1);
    end(&a);
}
END_TEST

START_TEST(what_a_stopped_node_had_is_taken_and_it_finds_out)
{
    struct node a;
    int status;
    const pid_t b = fork_node("b");
    prepare(&a, "a");
    until_both_share(&a);
    kill(b, SIGSTOP);
    until_it_has(&a, 6);
    ck_assert_uint_eq(figures_of(&a).taken_over, 3);
    kill(b, SIGCONT);
    ck_assert_int_eq(waitpid(b, &status, 0), b);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 3, "%d", status);
    end(&a);
}
END_TEST

/* Its own store waits for an answer meanwhile. */
START_TEST(who_has_lost_a_part_sees_it_in_the_rows)
{
    struct node a;
    prepare(&a, "a");
    start(&a);
    until_it_has(&a, 6);
    pthread_mutex_lock(&a.mutex);
    a.waits = true;
    pthread_mutex_unlock(&a.mutex);
    const long long term = fixture_number("SELECT taluva.take(4, 'z', '')");
    for (int tries = 0; tries < 3000 && figures_of(&a).lost < 1; tries++)
        pause_ms(20);
    pthread_mutex_lock(&a.mutex);
    for (unsigned part = 0; part < PARTS; part++)
        ck_assert_int_eq((long long)a.lost[part], part == 4 ? term : 0);
    a.waits = false;
    pthread_mutex_unlock(&a.mutex);
    until_it_has(&a, 6); /* nobody has heard of z */
    ck_assert_uint_eq(figures_of(&a).lost, 1);
    end(&a);
}
END_TEST

static int times_replaced(struct node *node)
{
    pthread_mutex_lock(&node->mutex);
    const int times = node->replaced;
    pthread_mutex_unlock(&node->mutex);
    return times;
}

START_TEST(a_name_is_had_once)
{
    char message[STORE_MESSAGE_MAX];
    struct node a, again;
    prepare(&a, "a");
    prepare(&again, "a");
    start(&a);
    ck_assert_int_eq(keeper_start(again.keeper, message), STORE_FENCED);
    ck_assert_str_eq(message, "another process is the node a of this site");
    keeper_destroy(again.keeper);
    until_it_has(&a, 6);
    fixture_sql("UPDATE taluva.node SET life = nextval('taluva.life')");
    for (int tries = 0; tries < 1000 && times_replaced(&a) == 0; tries++)
        pause_ms(20);
    ck_assert_int_eq(times_replaced(&a), 1);
    end(&a);
    ck_assert_int_eq(a.replaced, 1);
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM taluva.node"), 1);
}
END_TEST

static const struct {
    enum store_result why;
    int tries;
} failing[] = {{STORE_FAILED, 4}, {STORE_CORRUPT, 1}};

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int tries_of(struct node *node)
{
    pthread_mutex_lock(&node->mutex);
    const int tries = node->tries;
    pthread_mutex_unlock(&node->mutex);
    return tries;
}

START_TEST(a_part_that_cannot_be_opened_is_tried_again)
{
    struct node a;
    prepare(&a, "a");
    a.fails = failing[_i].why;
    const int64_t begun_ms = now_ms();
    start(&a);
    until_it_has(&a, 5);
    while (tries_of(&a) < failing[_i].tries)
        pause_ms(20);
    pause_ms(1500);
    pthread_mutex_lock(&a.mutex);
    ck_assert_int_ge(now_ms() - begun_ms, (a.tries - 1) * pace.retry_ms);
    if (failing[_i].why == STORE_CORRUPT)
        ck_assert_int_eq(a.tries, 1);
    a.fails = STORE_OK;
    pthread_mutex_unlock(&a.mutex);
    ck_assert_uint_eq(figures_of(&a).had, 5);
    ck_assert_uint_ge(figures_of(&a).failed, 1);
    if (failing[_i].why == STORE_FAILED)
        until_it_has(&a, 6);
    end(&a);
}
END_TEST

START_TEST(a_database_that_is_away_takes_nothing)
{
    struct node a;
    prepare(&a, "a");
    start(&a);
    until_it_has(&a, 6);
    for (int times = 0; times < 5; times++) {
        fixture_sql("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                    " WHERE application_name LIKE 'taluvad%'");
        pause_ms(200);
    }
    pause_ms(1000);
    while (figures_of(&a).since_beat_ms > pace.beat_ms)
        pause_ms(20);
    ck_assert_uint_eq(figures_of(&a).had, 6);
    pthread_mutex_lock(&a.mutex);
    ck_assert_int_eq(a.closed, 0);
    pthread_mutex_unlock(&a.mutex);
    end(&a);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("keeper");
    TCase *decisions = tcase_create("decisions"), *nodes = tcase_create("nodes");
    add_holdings_tests(decisions);
    tcase_add_checked_fixture(nodes, begin_nodes, NULL);
    tcase_add_test(nodes, three_nodes_share_and_one_hands_over);
    tcase_add_test(nodes, bans_are_those_of_all_nodes);
    tcase_add_test(nodes, bans_that_were_not_taken_are_told_again);
    tcase_add_test(nodes, bans_are_kept_when_they_hold_everywhere);
    tcase_add_test(nodes, documents_do_not_touch_each_other);
    tcase_add_test(nodes, bans_are_changed_by_one_at_a_time);
    tcase_add_test(nodes, a_node_that_leaves_hears_of_bans_and_changes_none);
    tcase_add_test(nodes, documents_that_cannot_be_read_are_said_once);
    tcase_add_test(nodes, what_a_killed_node_had_is_taken);
    tcase_add_test(nodes, what_a_stopped_node_had_is_taken_and_it_finds_out);
    tcase_add_test(nodes, who_has_lost_a_part_sees_it_in_the_rows);
    tcase_add_test(nodes, a_name_is_had_once);
    tcase_add_loop_test(nodes, a_part_that_cannot_be_opened_is_tried_again, 0,
                        sizeof failing / sizeof failing[0]);
    tcase_add_test(nodes, a_database_that_is_away_takes_nothing);
    suite_add_tcase(suite, decisions);
    suite_add_tcase(suite, nodes);
    return run_suites(srunner_create(suite));
}
