/* When a request that was refused with slow_down may succeed, as the server says. */
#include "suites.h"
#include "world.h"
#include <stdio.h>

static struct world world;

static void setup(void)
{
    world_init(&world);
}

static void teardown(void)
{
    world_release(&world);
}

/* One request too many, then one again exactly when the server said. */
static void check_retry(int tab, int64_t wait_ms, const char *text)
{
    ck_assert_int_ge(world_until_refused(&world, tab, "slow_down", text), 0);

    ck_assert_int_eq(world.retry_ms, wait_ms);
    world.now_ms += wait_ms - 1;
    ck_assert_int_eq(world_until_refused(&world, tab, "slow_down", text), 0);
    ck_assert_int_eq(world.retry_ms, 1);
    world.now_ms += 1;
    ck_assert_int_eq(world_until_refused(&world, tab, "slow_down", text), 1);
}

/* The same for what would be taken for a repetition if its id were the same. */
static void check_retry_anew(int tab, int64_t wait_ms, const char *op)
{
    world_refused(&world, tab, "slow_down", op, "");
    ck_assert_int_eq(world.retry_ms, wait_ms);
    world.now_ms += wait_ms - 1;
    world_refused(&world, tab, "slow_down", op, "");
    ck_assert_int_eq(world.retry_ms, 1);
    world.now_ms += 1;
    world_do(&world, tab, op, "");
}

START_TEST(test_when_to_come_again)
{
    static const char ping[] = "{\"id\":1,\"op\":\"ping\"}";
    char say[128], guess[160], wrong[160];
    struct table table;
    world.config.rooms_per_address_burst = 2;
    world.config.rooms_per_address_per_min = 2;
    world.config.rooms_per_session = 100;
    world.config.sessions_per_address_burst = 8;
    world.config.sessions_per_address_per_min = 12;
    world.config.requests_per_s = 3;
    world.config.requests_burst = 1500;
    world_start(&world);
    world_table(&world, &table, 2, "{s:s}", "access", "code");
    (void)snprintf(say, sizeof say, "{\"id\":1,\"op\":\"say\",\"room\":\"%s\",\"text\":\"hi\"}",
                   table.room);
    (void)snprintf(guess, sizeof guess,
                   "{\"id\":1,\"op\":\"watch\",\"room\":\"%s\",\"code\":\"0000000000000000\"}",
                   table.room);
    (void)snprintf(wrong, sizeof wrong, "{\"id\":1,\"op\":\"hello\",\"token\":\"%s\"}",
                   "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
    const int thief = world_guest(&world, "Zoe");
    for (int sessions = 3; sessions < 8; sessions++)
        world_do(&world, world_connect(&world), "hello", "");
    world_do(&world, table.tabs[0], "create", ""); /* the table was the first one */
    check_retry_anew(world_connect(&world), 5000, "hello");
    check_retry_anew(table.tabs[0], 25000, "create");
    check_retry(table.tabs[0], 2000, say);
    check_retry(thief, 6000, guess);
    check_retry(world_connect(&world), 6000, wrong); /* as the address has guessed too often */
    check_retry(thief, 334, ping);
    /* Refused for the rate alone: what was guessed before does not make it longer. */
    ck_assert_int_eq(world_until_refused(&world, thief, "slow_down", guess), 0);
    ck_assert_int_le(world.retry_ms, 334);
}
END_TEST

/*
 * Of a crowd whose address has nothing left nobody is told the same moment as many others, and who
 * comes when told is not sent away by who was told earlier.
 */
START_TEST(test_a_crowd_comes_one_after_the_other)
{
    enum { CROWD = 60 };
    static const char ping[] = "{\"id\":1,\"op\":\"ping\"}";
    int tabs[CROWD], told[2 * CROWD] = {0}, most = 0, granted = 0;
    int64_t due_ms[CROWD];
    world.config.requests_per_address_per_s = 1000;
    world.config.requests_per_address_burst = CROWD + 1;
    world.config.requests_burst = 2 * CROWD;
    world_start(&world);
    for (int at = 0; at < CROWD; at++)
        tabs[at] = world_connect(&world);
    ck_assert_int_ge(world_until_refused(&world, tabs[0], "slow_down", ping), 0);
    for (int at = 0; at < CROWD; at++) {
        ck_assert_int_eq(world_until_refused(&world, tabs[at], "slow_down", ping), 0);
        ck_assert_int_ge(world.retry_ms, 1);
        ck_assert_int_le(world.retry_ms, CROWD + 1);
        due_ms[at] = world.now_ms + world.retry_ms;
        told[world.retry_ms]++;
    }
    for (int at = 0; at < 2 * CROWD; at++)
        most = told[at] > most ? told[at] : most;
    ck_assert_int_le(most, 8);
    for (int passed = 0; passed <= CROWD; passed++, world.now_ms++) {
        for (int at = 0; at < CROWD; at++) {
            if (due_ms[at] == world.now_ms)
                granted += world_until_refused(&world, tabs[at], "slow_down", ping) > 0;
        }
    }
    ck_assert_int_ge(granted, CROWD / 2);
}
END_TEST

Suite *retry_suite(void)
{
    Suite *suite = suite_create("retry");
    TCase *tests = tcase_create("retry");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, test_when_to_come_again);
    tcase_add_test(tests, test_a_crowd_comes_one_after_the_other);
    suite_add_tcase(suite, tests);
    return suite;
}
