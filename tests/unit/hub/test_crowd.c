/*
 * Everybody at once: twenty addresses make all that they may, at a hundredth of the usual limits,
 * and honest people come, stay and come back meanwhile.
 */
#include "suites.h"
#include "world.h"
#include <stdio.h>

enum { ATTACKERS = 20, FIRST_ATTACKER = 200, SESSIONS = 2000, DAY_MS = 86400000 };
enum { HONEST_MAX = 100 };

static struct world world;
static char tokens[HONEST_MAX][TOKEN_SPACE]; /* of honest people; each has an address alone */
static unsigned honest;

static void setup(void)
{
    world_init(&world);
    world.config.sessions = SESSIONS;
    world.config.sessions_per_address = SESSIONS / ATTACKERS;
    world.config.sessions_per_address_burst = 1000000;
    world.config.sessions_per_address_per_min = 1000000;
    world_start(&world);
    honest = 0;
}

static void teardown(void)
{
    world_release(&world);
}

/* A phrase makes a player of a visitor, who is kept for weeks. */
static void make_player(int tab)
{
    world_do(&world, tab, "phrase", "");
    world_cut(&world, tab);
}

/* Somebody new from an address of their own must be served. */
static void come_new(void)
{
    const int tab = world_connect_from(&world, 1 + honest);
    json_t *hello = world_ok(&world, tab, "hello", "");
    (void)snprintf(tokens[honest++], TOKEN_SPACE, "%s", str(hello, "token"));
    json_decref(hello);
    make_player(tab);
}

static void come_back(unsigned who)
{
    const int tab = world_connect_from(&world, 1 + who);
    world_do(&world, tab, "hello", "{s:s}", "token", tokens[who]);
    world_cut(&world, tab);
}

/* One session more from there, if it is given one. */
static void attack_from(unsigned host)
{
    const int tab = world_connect_from(&world, host);
    const int64_t id = world_post(&world, tab, "hello", "");
    world_settle(&world);
    json_t *reply = world_reply(&world, tab, id);
    if (json_object_get(reply, "ok"))
        world_do(&world, tab, "phrase", "");
    json_decref(reply);
    world_forget(&world, tab);
    world_cut(&world, tab);
}

static void attack(unsigned first, int rounds)
{
    for (int round = 0; round < rounds; round++) {
        for (unsigned at = 0; at < ATTACKERS; at++)
            attack_from(first + at);
        if (round % 5 == 0)
            come_new();
        world.now_ms += 1000;
    }
}

static size_t count_sessions(void)
{
    return (size_t)world_figure(&world, "sessions");
}

START_TEST(test_newcomers_are_served)
{
    for (int i = 0; i < 30; i++)
        come_new();
    world.now_ms += DAY_MS;
    attack(FIRST_ATTACKER, 3 * SESSIONS / ATTACKERS / 2);
    ck_assert_uint_le(count_sessions(), SESSIONS);
    ck_assert_uint_ge(count_sessions(), SESSIONS - 64);
    for (unsigned who = 0; who < honest; who++)
        come_back(who);
    ck_assert_int_gt((int)world_figure(&world, "sessions_evicted_total"), 0);
}
END_TEST

/* After a restart nobody knows where sessions came from: who has come on several days stays. */
START_TEST(test_regulars_stay_over_a_restart)
{
    for (int i = 0; i < 30; i++)
        come_new();
    world.now_ms += 2 * (int64_t)DAY_MS;
    for (unsigned who = 0; who < 30; who++)
        come_back(who);
    attack(FIRST_ATTACKER, SESSIONS / ATTACKERS);
    world_restart(&world);
    world.now_ms += 1000;
    attack(FIRST_ATTACKER, SESSIONS / ATTACKERS / 2);
    for (unsigned who = 0; who < 30; who++)
        come_back(who);
}
END_TEST

/* An address takes from itself, not from others. */
START_TEST(test_most_give_way_first)
{
    world.config.sessions_per_address = SESSIONS;
    world_start(&world);
    for (int i = 0; i < 10; i++)
        come_new();
    for (int i = 0; i < SESSIONS + 100; i++)
        attack_from(FIRST_ATTACKER);
    ck_assert_uint_le(count_sessions(), SESSIONS);
    for (unsigned who = 0; who < honest; who++)
        come_back(who);
}
END_TEST

Suite *crowd_suite(void)
{
    Suite *suite = suite_create("crowd");
    TCase *tests = tcase_create("crowd");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, test_newcomers_are_served);
    tcase_add_test(tests, test_regulars_stay_over_a_restart);
    tcase_add_test(tests, test_most_give_way_first);
    suite_add_tcase(suite, tests);
    return suite;
}
