/* The clock was a hundred days behind, and is set right: what ends because of that. What needs a
 * stage of its own is tried there: sessions, accounts that close, bans, invitations. */
#include "operator.h"
#include "suites.h"
#include "world.h"
#include <registry/registry.h>
#include <string.h>

enum { DAY_MS = 24 * 3600 * 1000, ACCESS_SPACE = 58 };

static struct world world;
static int ana, bo;

/* Ana and Bo have accounts. */
static void set_up(void)
{
    world_init(&world);
    world.env.accounts = HUB_ACCOUNTS_OPEN;
    world.env.features = registry;
    world.config.report_keep_days = 3;
    operator_init(&world);
    world_start(&world);
    ck_assert(operator_holds(""));
    ana = world_guest(&world, "Ana");
    bo = world_guest(&world, "Bo");
    world_do(&world, ana, "claim", "{s:s}", "handle", "ana");
    world_do(&world, bo, "claim", "{s:s}", "handle", "bo-1");
    world_forget(&world, ana);
}

static void tear_down(void)
{
    world_release(&world);
}

/* Not the one of the clock: time in which the server does not run. */
static void start_after(int64_t pause_ms)
{
    world.now_ms += pause_ms;
    world_restart(&world);
    world_pass(&world, 0);
}

/* ---- tokens of programs */

static void enter(const char *token)
{
    const int tab = world_connect(&world);
    world_do(&world, tab, "hello", "{s:s}", "token", token);
    world_cut(&world, tab);
}

/* Nothing comes of it later either. */
START_TEST(it_ends_no_token)
{
    char token[ACCESS_SPACE];
    json_t *ok = world_ok(&world, ana, "token_add", "{s:s,s:s,s:i}", "name", "a program", "scope",
                          "play", "days", 30);
    (void)snprintf(token, sizeof token, "%s", str(ok, "token"));
    json_decref(ok);
    start_after(100 * (int64_t)DAY_MS);
    world_cut(&world, world_guest(&world, "Cat"));
    start_after(0);
    enter(token);
    world_pass(&world, 29 * (int64_t)DAY_MS - 60000);
    enter(token);
    world_pass(&world, 2 * 60000);
    world_refused(&world, world_connect(&world), "unknown_token", "hello", "{s:s}", "token", token);
}
END_TEST

/* ---- links: what is good for minutes is asked for again */

START_TEST(it_ends_a_link)
{
    char pass[CODE_SPACE * 4];
    json_t *ok = world_ok(&world, ana, "link", "");
    (void)snprintf(pass, sizeof pass, "%s", str(ok, "pass"));
    json_decref(ok);
    start_after(100 * (int64_t)DAY_MS);
    world_refused(&world, world_connect(&world), "unknown_pass", "hello", "{s:s}", "pass", pass);
}
END_TEST

/* ---- reports that were judged */

static void report_bo(void)
{
    json_t *ok = world_ok(&world, ana, "create", "{s:{s:i}}", "options", "players", 2);
    char room[CODE_SPACE];
    (void)snprintf(room, sizeof room, "%s", str(ok, "room"));
    json_decref(ok);
    world_do(&world, ana, "join", "{s:s,s:i}", "room", room, "seat", 0);
    world_do(&world, bo, "join", "{s:s,s:i}", "room", room, "seat", 1);
    world_do(&world, ana, "report", "{s:s,s:i,s:s,s:s}", "room", room, "seat", 1, "why", "talk",
             "text", "hm");
}

START_TEST(it_drops_no_report)
{
    static const char shown[] = "{\"id\":1,\"op\":\"report\",\"report\":1}";
    report_bo();
    json_decref(operator_granted(
        "{\"id\":1,\"op\":\"judge\",\"report\":1,\"verdict\":\"warn\",\"why\":\"talk\"}"));
    start_after(100 * (int64_t)DAY_MS);
    world_pass(&world, DAY_MS);
    json_decref(operator_granted(shown));
    world_pass(&world, DAY_MS);
    operator_denied(shown, "unknown_report");
}
END_TEST

Suite *jumps_suite(void)
{
    Suite *suite = suite_create("jumps");
    TCase *tests = tcase_create("jumps of the clock");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, it_ends_no_token);
    tcase_add_test(tests, it_ends_a_link);
    tcase_add_test(tests, it_drops_no_report);
    suite_add_tcase(suite, tests);
    return suite;
}
