/* Lines of talk: how many there may be, and who is left out when a connection is slow. */
#include "suites.h"
#include "world.h"
#include <stdio.h>
#include <string.h>

static struct world world;

static void setup(void)
{
    world_init(&world);
}

static void teardown(void)
{
    world_release(&world);
}

/* So many lines of all sessions of an address, and of all who watch a room. */
START_TEST(test_says_of_many)
{
    char say[128];
    struct table table;
    world.config.says_per_address_burst = 20;
    world.config.watchers_say_burst = 12;
    world_start(&world);
    world_table(&world, &table, 2, "");
    (void)snprintf(say, sizeof say, "{\"id\":1,\"op\":\"say\",\"room\":\"%s\",\"text\":\"hi\"}",
                   table.room);
    const int bo = world_guest(&world, "Bo"), chi = world_guest(&world, "Chi");
    world_do(&world, bo, "watch", "{s:s}", "room", table.room);
    world_do(&world, chi, "watch", "{s:s}", "room", table.room);
    const int eve = world_connect_from(&world, 99);
    world_do(&world, eve, "hello", "");
    world_do(&world, eve, "watch", "{s:s}", "room", table.room);
    /* Of twelve lines six, and then one each time somebody else has spoken. */
    ck_assert_int_eq(world_until_refused(&world, bo, "slow_down", say), 6);
    ck_assert_int_eq(world_until_refused(&world, chi, "slow_down", say), 0);
    for (int turn = 0; turn < 3; turn++) {
        ck_assert_int_eq(world_until_refused(&world, eve, "slow_down", say), 1);
        ck_assert_int_eq(world_until_refused(&world, turn < 2 ? bo : chi, "slow_down", say), 1);
    }
    ck_assert_int_eq(world_until_refused(&world, eve, "slow_down", say), 0);
    ck_assert_int_eq(world.retry_ms, 60000 / world.config.watchers_say_per_min);
    ck_assert_int_eq(world_until_refused(&world, table.tabs[0], "slow_down", say), 8);
    ck_assert_int_eq(world_until_refused(&world, table.tabs[1], "slow_down", say), 3);
    ck_assert_int_eq(world.retry_ms, 60000 / world.config.says_per_address_per_min);
    world.now_ms += 60000;
    ck_assert_int_eq(world_until_refused(&world, table.tabs[1], "slow_down", say), 8);
}
END_TEST

/* A line is sent to all who watch: of a hundred and more, all together have half as many. */
START_TEST(test_lines_for_a_crowd)
{
    enum { CROWD = 98 };
    char say[128];
    struct table table;
    world.config.watchers_say_burst = 6;
    world_start(&world);
    world_table(&world, &table, 2, "");
    (void)snprintf(say, sizeof say, "{\"id\":1,\"op\":\"say\",\"room\":\"%s\",\"text\":\"hi\"}",
                   table.room);
    int tab = -1;
    for (int at = 0; at < CROWD; at++) {
        tab = world_connect_from(&world, (unsigned)(10 + at));
        world_do(&world, tab, "hello", "");
        world_do(&world, tab, "watch", "{s:s}", "room", table.room);
    }
    ck_assert_int_eq(world_until_refused(&world, tab, "slow_down", say),
                     2); /* of six half, at two each */
    ck_assert_int_eq(world.retry_ms, 2 * 60000 / world.config.watchers_say_per_min);
    ck_assert_int_eq(world_until_refused(&world, table.tabs[0], "slow_down", say), 8);
}
END_TEST

static void watch_from(unsigned host, const struct table *table)
{
    const int tab = world_connect_from(&world, host);
    world_do(&world, tab, "hello", "");
    world_do(&world, tab, "watch", "{s:s}", "room", table->room);
}

/* When that one is told how many watch. */
static int64_t told_after_ms(int tab)
{
    const int64_t began_ms = world.now_ms;
    json_t *push;
    while ((push = world_push(&world, tab, "presence")) == NULL) {
        ck_assert_int_lt(world.now_ms, began_ms + 60000);
        world_pass(&world, 500);
    }
    json_decref(push);
    return world.now_ms - began_ms;
}

/* How many watch is sent to all of them, too: of a hundred and more it is told half as often. */
START_TEST(test_count_of_a_crowd)
{
    enum { CROWD = 95 }; /* and two players */
    struct table table;
    world_start(&world);
    world_table(&world, &table, 2, "");
    for (unsigned at = 0; at < CROWD; at++)
        watch_from(10 + at, &table);
    for (unsigned seconds = 1; seconds <= 2; seconds++) {
        world_pass(&world, 60000);
        world_forget(&world, table.tabs[0]);
        watch_from(2 * seconds, &table);
        ck_assert_int_eq(told_after_ms(table.tabs[0]), 0);
        watch_from(2 * seconds + 1, &table);
        ck_assert_int_eq(told_after_ms(table.tabs[0]), 1000 * (int64_t)seconds);
    }
}
END_TEST

static bool is_line_of(const json_t *push, const char *name)
{
    return strcmp(str(push, "name"), name) == 0;
}

/* How many lines of that name are in the inbox; all pushes of talk are taken out. */
static void count_lines(int tab, size_t *players, size_t *watchers)
{
    json_t *push;
    *players = *watchers = 0;
    while ((push = world_push(&world, tab, "said")) != NULL) {
        *players += is_line_of(push, "Ana");
        *watchers += is_line_of(push, "Wat");
        json_decref(push);
    }
}

/*
 * Nobody is closed for what others say: what does not fit into a share of the outbox is left out,
 * of watchers first, and that is told when there is place again.
 */
START_TEST(test_talk_closes_nobody)
{
    struct table table;
    size_t players, watchers;
    world.config.outbox_bytes = 16384;
    world.config.says_burst = 1000;
    world.config.requests_burst = 1000;
    world.config.watchers_say_burst = 1000;
    world.config.says_per_address_burst = 1000;
    world_start(&world);
    world_table(&world, &table, 2, "");
    const int slow = world_guest(&world, "Zoe"), fine = world_guest(&world, "Yan");
    const int watcher = world_guest(&world, "Wat");
    world_do(&world, slow, "watch", "{s:s}", "room", table.room);
    world_do(&world, fine, "watch", "{s:s}", "room", table.room);
    world_do(&world, watcher, "watch", "{s:s}", "room", table.room);
    world_forget(&world, slow);
    world_forget(&world, fine);
    world.tabs[slow].deaf = true;
    for (int i = 0; i < 100; i++) {
        world_do(&world, watcher, "say", "{s:s,s:s}", "room", table.room, "text", "look at that");
        world_do(&world, table.tabs[0], "say", "{s:s,s:s}", "room", table.room, "text", "hm");
    }
    world_cut(&world, table.tabs[1]);
    hub_drain(world.hub, world.now_ms);
    hub_drain_cancel(world.hub, world.now_ms);
    count_lines(fine, &players, &watchers);
    ck_assert_uint_eq(players, 100);
    ck_assert_uint_eq(watchers, 100);
    ck_assert(world.tabs[slow].link.open);
    world.tabs[slow].deaf = false;
    world_settle(&world);
    count_lines(slow, &players, &watchers);
    ck_assert_uint_gt(watchers, 1);
    ck_assert_uint_gt(players, watchers);
    ck_assert_uint_lt(players, 100);
    /* Presence as it is, whole, then that lines are missing; notices had more place. */
    json_t *push = world_push(&world, slow, "presence");
    ck_assert_ptr_nonnull(push);
    ck_assert(json_is_true(json_object_get(json_object_get(push, "online"), "0")));
    ck_assert(json_is_false(json_object_get(json_object_get(push, "online"), "1")));
    ck_assert_int_eq(num(push, "watchers"), 3);
    json_decref(push);
    static const char *const codes[] = {"draining", "serving", "left_out"};
    for (size_t i = 0; i < 3; i++) {
        push = world_push(&world, slow, "notice");
        ck_assert_str_eq(str(push, "code"), codes[i]);
        json_decref(push);
    }
    ck_assert_uint_eq(world_forget(&world, slow), 0);
}
END_TEST

/* And when even notices were: the one that still holds comes again. */
START_TEST(test_notices_are_left_out_last)
{
    struct table table;
    world.config.outbox_bytes = 8192;
    world.config.requests_burst = 1000;
    world_start(&world);
    world_table(&world, &table, 2, "");
    const int slow = world_guest(&world, "Zoe");
    world_do(&world, slow, "watch", "{s:s}", "room", table.room);
    world_forget(&world, slow);
    world.tabs[slow].deaf = true;
    for (int i = 0; i < 100; i++) {
        hub_drain(world.hub, world.now_ms);
        hub_drain_cancel(world.hub, world.now_ms);
    }
    hub_drain(world.hub, world.now_ms);
    ck_assert(world.tabs[slow].link.open);
    world.tabs[slow].deaf = false;
    world_settle(&world);
    json_t *push, *last = NULL, *before = NULL;
    while ((push = world_push(&world, slow, "notice")) != NULL) {
        json_decref(before);
        before = last;
        last = push;
    }
    ck_assert_str_eq(str(before, "code"), "draining");
    ck_assert_str_eq(str(last, "code"), "left_out");
    ck_assert_ptr_null(json_object_get(last, "room"));
    json_decref(before);
    json_decref(last);
}
END_TEST

Suite *talk_suite(void)
{
    Suite *suite = suite_create("talk");
    TCase *tests = tcase_create("talk");
    TCase *near = near_case(suite, setup, teardown); /* far: tests/unit/site/test_trouble.c */
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, test_says_of_many);
    tcase_add_test(tests, test_lines_for_a_crowd);
    tcase_add_test(tests, test_count_of_a_crowd);
    tcase_add_test(near, test_talk_closes_nobody);
    tcase_add_test(near, test_notices_are_left_out_last);
    suite_add_tcase(suite, tests);
    return suite;
}
