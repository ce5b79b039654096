/* `chat_report`: a line of the lobby comes to those who look after the site, with what was said
 * around it. */
#include "operator.h"
#include "suites.h"
#include "world.h"
#include <registry/registry.h>
#include <string.h>

static struct world world;
static int ana, bo, chi; /* chi has no account */

static int called(const char *name, const char *handle)
{
    world.host++; /* each from an address of their own */
    const int tab = world_guest(&world, name);
    world_do(&world, tab, "claim", "{s:s}", "handle", handle);
    return tab;
}

static void set_up(void)
{
    world_init(&world);
    world.env.accounts = HUB_ACCOUNTS_OPEN;
    world.env.chat = HUB_CHAT_EVERYBODY;
    world.env.features = registry;
    world.config.chat_age_ms = 0;
    operator_init(&world);
    world_start(&world);
    ck_assert(operator_holds(""));
    ana = called("Ana", "ana");
    bo = called("Bo", "Bo-1");
    chi = world_guest(&world, "Chi");
}

static void tear_down(void)
{
    world_release(&world);
}

static int64_t say(int tab, const char *text)
{
    json_t *ok = world_ok(&world, tab, "chat_say", "{s:s}", "text", text);
    const int64_t n = num(ok, "line");
    json_decref(ok);
    return n;
}

static void drop(int tab, int64_t n)
{
    world_do(&world, tab, "chat_drop", "{s:I}", "line", (json_int_t)n);
}

static json_t *case_of(int report)
{
    char text[64];
    (void)snprintf(text, sizeof text, "{\"id\":1,\"op\":\"report\",\"report\":%d}", report);
    return operator_granted(text);
}

static void report(int tab, int64_t n, const char *why)
{
    world_do(&world, tab, "chat_report", "{s:I,s:s,s:s}", "line", (json_int_t)n, "why", why, "text",
             "Look.");
}

START_TEST(test_a_line_is_reported)
{
    (void)say(ana, "hello");
    const int64_t n = say(bo, "you \"cheat\"");
    drop(ana, say(ana, "gone"));
    (void)say(ana, "no");
    report(ana, n, "talk");
    json_t *ok = case_of(1);
    ck_assert_str_eq(str(ok, "handle"), "Bo-1");
    ck_assert_str_eq(str(ok, "session"), world.tabs[bo].session);
    const json_t *one = json_array_get(json_object_get(ok, "reports"), 0);
    const json_t *talk = json_object_get(one, "talk");
    ck_assert(json_is_true(json_object_get(one, "lobby")));
    ck_assert_int_eq(num(one, "line"), n);
    ck_assert_str_eq(str(one, "why"), "talk");
    ck_assert_str_eq(str(one, "text"), "Look.");
    ck_assert_uint_eq(json_array_size(talk), 3);
    ck_assert_str_eq(str(json_array_get(talk, 1), "text"), "you \"cheat\"");
    ck_assert_str_eq(str(json_array_get(talk, 1), "handle"), "Bo-1");
    ck_assert_int_eq(num(json_array_get(talk, 1), "line"), n);
    json_decref(ok);
    ok = world_ok(&world, ana, "kept_at_desk", "");
    one = json_array_get(json_object_get(ok, "reports"), 0);
    ck_assert(json_is_true(json_object_get(one, "lobby")));
    ck_assert_str_eq(str(one, "text"), "Look.");
    json_decref(ok);
    drop(bo, n); /* that does not help */
    json_decref(case_of(1));
    world_refused(&world, ana, "unknown_line", "chat_report", "{s:I,s:s}", "line", (json_int_t)n,
                  "why", "name");
}
END_TEST

START_TEST(test_who_reports_a_line)
{
    const int64_t n = say(bo, "hm");
    const char *form = "{s:I,s:s}";
    world_refused(&world, chi, "account_needed", "chat_report", form, "line", (json_int_t)n, "why",
                  "talk");
    world_refused(&world, bo, "bad_field", "chat_report", form, "line", (json_int_t)n, "why",
                  "talk");
    static const char *const whys[] = {"talk", "name", "cheating", "stalling", "other"};
    for (int at = 0; at < 5; at++)
        report(ana, n, whys[at]);
    report(ana, n, "talk"); /* counts once */
    const int dee = called("Dee", "dee");
    const int64_t other = say(dee, "hm");
    world_refused(&world, ana, "too_many_reports", "chat_report", form, "line", (json_int_t)other,
                  "why", "talk");
    json_t *ok = case_of(1);
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "reports")), 5);
    json_decref(ok);
}
END_TEST

/* As much of it as there is place for, and the line itself in any case. */
START_TEST(test_a_long_evening)
{
    char text[PROTOCOL_CHAT_CHARS + 1];
    int64_t n = 0;
    memset(text, '"', sizeof text); /* two bytes each */
    text[PROTOCOL_CHAT_CHARS] = '\0';
    for (int at = 0; at < 30; at++) {
        text[0] = (char)('a' + at % 26);
        world_pass(&world, 10000);
        const int64_t said = say(bo, text);
        n = at == 15 ? said : n;
    }
    report(ana, n, "talk");
    json_t *ok = case_of(1);
    const json_t *talk = json_object_get(json_array_get(json_object_get(ok, "reports"), 0), "talk");
    bool found = false;
    for (size_t at = 0; at < json_array_size(talk); at++)
        found = found || num(json_array_get(talk, at), "line") == n;
    ck_assert(found);
    ck_assert_uint_gt(json_array_size(talk), 5);
    json_decref(ok);
}
END_TEST

Suite *chat_report_suite(void)
{
    Suite *suite = suite_create("chat reported");
    TCase *tests = tcase_create("reports of lines in the lobby");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, test_a_line_is_reported);
    tcase_add_test(tests, test_who_reports_a_line);
    tcase_add_test(tests, test_a_long_evening);
    suite_add_tcase(suite, tests);
    return suite;
}
