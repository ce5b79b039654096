/* Connections that are gone without a word make room for others of their session; whoever answers
 * stays. */
#include "suites.h"
#include "world.h"

static struct world world;

static void setup(void)
{
    world_init(&world);
}

static void teardown(void)
{
    world_release(&world);
}

static bool ask(int tab)
{
    return hub_take_probe(world.hub, world.tabs[tab].link.peer, world.now_ms);
}

static void hear(int tab)
{
    hub_heard(world.hub, world.tabs[tab].link.peer);
}

/* As many tabs of a session as it may have; the last of them has just said hello. */
static void fill_session(int tabs[8])
{
    tabs[0] = world_guest(&world, "Ana");
    for (int i = 1; i < 8; i++) {
        tabs[i] = world_back(&world, tabs[0]);
        world.now_ms++;
    }
}

/* Says hello once more in a new tab, which is refused with this code. */
static int refused_once_more(int tab, const char *code)
{
    const int more = world_connect(&world);
    world_refused(&world, more, code, "hello", "{s:s}", "token", world.tabs[tab].token);
    return more;
}

static void hello_in(int more, int tab)
{
    world_do(&world, more, "hello", "{s:s}", "token", world.tabs[tab].token);
}

START_TEST(test_silent_connection)
{
    int tabs[8];
    fill_session(tabs);
    for (int i = 0; i < 7; i++)
        ck_assert(ask(tabs[i]));
    ck_assert(!ask(tabs[7])); /* nobody has come since */
    ck_assert(!ask(tabs[0])); /* once is enough */
    for (int i = 0; i < 7; i++) {
        if (i != 1 && i != 2)
            hear(tabs[i]);
    }
    const int more = refused_once_more(tabs[0], "slow_down");
    ck_assert_int_eq(world.retry_ms, world.config.probe_ms);
    world.now_ms += world.config.probe_ms - 1;
    world_refused(&world, more, "slow_down", "hello", "{s:s}", "token", world.tabs[tabs[0]].token);
    ck_assert_int_eq(world.retry_ms, 1);
    world.now_ms++;
    hello_in(more, tabs[0]);
    for (int i = 0; i < 8; i++)
        ck_assert_int_eq(world.tabs[tabs[i]].close_code, i == 1 ? 1013 : 0);
    /* And the next one the other. */
    hello_in(world_connect(&world), tabs[0]);
    ck_assert_int_eq(world.tabs[tabs[2]].close_code, 1013);
}
END_TEST

/* Whoever answers stays, by a pong or by a request, however late. */
START_TEST(test_living_connections_stay)
{
    int tabs[8];
    fill_session(tabs);
    refused_once_more(tabs[0], "too_many_connections");
    for (int i = 0; i < 8; i++)
        ck_assert(ask(tabs[i]));
    world.now_ms += 2 * world.config.probe_ms;
    for (int i = 0; i < 7; i++)
        hear(tabs[i]);
    world_do(&world, tabs[7], "ping", "");
    const int more = refused_once_more(tabs[0], "too_many_connections");
    /* They are asked again, as time has passed. */
    ck_assert(ask(tabs[0]));
    world.now_ms += world.config.probe_ms;
    hello_in(more, tabs[0]);
    ck_assert_int_eq(world.tabs[tabs[0]].close_code, 1013);
}
END_TEST

/* What nobody could ask is not silent. */
START_TEST(test_unasked_connections_stay)
{
    int tabs[8];
    fill_session(tabs);
    const int more = refused_once_more(tabs[0], "too_many_connections");
    world.now_ms += 10 * world.config.probe_ms;
    world_refused(&world, more, "too_many_connections", "hello", "{s:s}", "token",
                  world.tabs[tabs[0]].token);
}
END_TEST

/* There is room: nobody has to go, silent or not. */
START_TEST(test_silent_is_no_reason)
{
    const int first = world_guest(&world, "Ana");
    world_back(&world, first);
    ck_assert(ask(first));
    world.now_ms += 10 * world.config.probe_ms;
    world_back(&world, first);
    ck_assert(world.tabs[first].link.open);
}
END_TEST

/* Of the same device first, even if another one's is older. */
START_TEST(test_own_device_first)
{
    int tabs[8];
    json_t *pass = NULL;
    world.config.connections_per_session = 3;
    world_start(&world);
    tabs[0] = world_guest(&world, "Ana");
    pass = world_ok(&world, tabs[0], "link", "");
    tabs[1] = world_connect(&world);
    world.now_ms++;
    json_t *hello = world_ok(&world, tabs[1], "hello", "{s:s}", "pass", str(pass, "pass"));
    const int more = world_connect(&world), again = world_connect(&world);
    world_do(&world, more, "hello", "{s:s}", "token", str(hello, "token"));
    for (int i = 0; i < 2; i++)
        ck_assert(ask(tabs[i]));
    world.now_ms += world.config.probe_ms;
    world_do(&world, again, "hello", "{s:s}", "token", str(hello, "token"));
    ck_assert_int_eq(world.tabs[tabs[0]].close_code, 0);
    ck_assert_int_eq(world.tabs[tabs[1]].close_code, 1013);
    json_decref(pass);
    json_decref(hello);
}
END_TEST

Suite *probe_suite(void)
{
    Suite *suite = suite_create("probe");
    TCase *tests = tcase_create("probe");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_set_tags(tests, "near"); /* nodes do not ask for others */
    tcase_add_test(tests, test_silent_connection);
    tcase_add_test(tests, test_living_connections_stay);
    tcase_add_test(tests, test_unasked_connections_stay);
    tcase_add_test(tests, test_silent_is_no_reason);
    tcase_add_test(tests, test_own_device_first);
    suite_add_tcase(suite, tests);
    return suite;
}
