/* The lobby has a room for each language of the page: what is said in one is heard there alone, and
 * takes no place in another. And the operator there. */
#include "chat/lines.h"
#include "operator.h"
#include "suites.h"
#include "world.h"
#include <registry/registry.h>
#include <string.h>

static struct world world;
static int ana, bo;

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
    world.config.says_burst = world.config.says_per_address_burst = 1000;
    world.config.chat_per_account_per_min = world.config.chat_per_address_per_min = 100;
    world.config.requests_burst = 10000;
    operator_init(&world);
    world_start(&world);
    ck_assert(operator_holds(""));
    ana = called("Ana", "ana");
    bo = called("Bo", "Bo-1");
}

static void tear_down(void)
{
    world_release(&world);
}

static int64_t say(int tab, const char *lang, const char *text)
{
    json_t *ok = world_ok(&world, tab, "chat_say", "{s:s,s:s}", "lang", lang, "text", text);
    const int64_t n = num(ok, "line");
    json_decref(ok);
    return n;
}

/* What is in an answer, in words: "TEXT TEXT"; behind them "*": all that there are. Gives what is
 * had then. */
static int64_t check_news(json_t *ok, const char *expected)
{
    char text[2048] = "";
    size_t at, len = 0;
    const json_t *line;
    ck_assert_ptr_nonnull(ok);
    json_array_foreach(json_object_get(ok, "lines"), at, line)
    {
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%s", len ? " " : "",
                                str(line, "text"));
    }
    if (json_object_get(ok, "whole"))
        (void)snprintf(text + len, sizeof text - len, "*");
    ck_assert_str_eq(text, expected);
    const int64_t have = num(ok, "have");
    json_decref(ok);
    return have;
}

static int64_t hear_all(int tab, const char *lang, const char *expected)
{
    return check_news(world_ok(&world, tab, "chat", "{s:s}", "lang", lang), expected);
}

static int64_t listen(int tab, const char *lang, int64_t have)
{
    const int64_t id =
        world_post(&world, tab, "chat", "{s:s,s:I}", "lang", lang, "have", (json_int_t)have);
    world_settle(&world);
    return id;
}

static json_t *told(int tab, int64_t id)
{
    json_t *reply = world_reply(&world, tab, id);
    json_t *ok = json_incref(json_object_get(reply, "ok"));
    json_decref(reply);
    return ok;
}

START_TEST(test_a_line_is_heard_in_its_room)
{
    const int64_t id = listen(bo, "fr", hear_all(bo, "fr", "*"));
    (void)say(ana, "en", "hello");
    json_t *none = world_reply(&world, bo, id);
    ck_assert_ptr_null(none);
    (void)say(ana, "fr", "bonjour");
    const int64_t have = check_news(told(bo, id), "bonjour");
    (void)hear_all(bo, "en", "hello*");
    (void)hear_all(bo, "zh", "*");
    (void)check_news(world_ok(&world, bo, "chat", ""), "hello*"); /* English, if none is said */
    const int64_t gone = listen(bo, "fr", have);
    world_do(&world, ana, "chat_drop", "{s:I}", "line", (json_int_t)say(ana, "en", "oh"));
    none = world_reply(&world, bo, gone);
    ck_assert_ptr_null(none);
    world_refused(&world, ana, "bad_field", "chat", "{s:s}", "lang", "nl");
}
END_TEST

/* Whoever comes into another room waits there. */
START_TEST(test_one_room_at_a_time)
{
    const int64_t first = listen(bo, "en", hear_all(bo, "en", "*"));
    const int64_t second = listen(bo, "fr", hear_all(bo, "fr", "*"));
    (void)check_news(told(bo, first), "");
    (void)say(ana, "fr", "bonjour");
    (void)check_news(told(bo, second), "bonjour");
}
END_TEST

/* The same in another room is another line; how much somebody says counts in all of them. */
START_TEST(test_what_is_said_counts_everywhere)
{
    world.config.chat_per_account_per_min = 2;
    world_restart(&world);
    ana = world_back(&world, ana);
    bo = world_back(&world, bo);
    const int64_t n = say(ana, "en", "hi");
    ck_assert_int_ne(say(ana, "fr", "hi"), n);
    world_refused(&world, ana, "slow_down", "chat_say", "{s:s,s:s}", "lang", "zh", "text", "hi");
    (void)hear_all(bo, "zh", "*");
}
END_TEST

START_TEST(test_a_busy_room_takes_no_place)
{
    const int64_t own = say(bo, "fr", "bonjour");
    for (int at = 0; at < CHAT_LINES + 5; at++) {
        char text[8];
        world_pass(&world, 10000);
        (void)snprintf(text, sizeof text, "n%d", at);
        (void)say(ana, "en", text);
    }
    bo = world_back(&world, bo);
    (void)hear_all(bo, "fr", "bonjour*");
    const int64_t id = listen(bo, "fr", own); /* has missed nothing there */
    json_t *none = world_reply(&world, bo, id);
    ck_assert_ptr_null(none);
    json_t *ok = world_ok(&world, bo, "chat", "{s:s,s:I}", "lang", "en", "have", (json_int_t)own);
    ck_assert(json_is_true(json_object_get(ok, "whole"))); /* and something here */
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "lines")), CHAT_LINES);
    json_decref(ok);
}
END_TEST

/* With what was said in the same room before and behind it. */
START_TEST(test_a_report_has_lines_of_its_room)
{
    enum { AROUND = 12 };
    int64_t n = 0;
    for (int at = 0; at < 2 * AROUND + 4; at++) {
        char text[8];
        world_pass(&world, 10000);
        (void)snprintf(text, sizeof text, "e%d", at);
        (void)say(bo, "en", text);
        text[0] = 'f';
        const int64_t said = say(bo, "fr", text);
        n = at == AROUND + 1 ? said : n;
    }
    ana = world_back(&world, ana);
    world_do(&world, ana, "chat_report", "{s:I,s:s}", "line", (json_int_t)n, "why", "talk");
    json_t *ok = operator_granted("{\"id\":1,\"op\":\"report\",\"report\":1}");
    const json_t *one = json_array_get(json_object_get(ok, "reports"), 0);
    const json_t *talk = json_object_get(one, "talk");
    ck_assert_uint_eq(json_array_size(talk), 2 * AROUND + 1);
    ck_assert_str_eq(str(json_array_get(talk, 0), "text"), "f1");
    ck_assert_int_eq(num(json_array_get(talk, AROUND), "line"), n);
    ck_assert_str_eq(str(json_array_get(talk, 2 * AROUND), "text"), "f25");
    json_decref(ok);
}
END_TEST

/* ---- the operator */

static json_t *operators_answer(const char *op)
{
    char text[512];
    (void)snprintf(text, sizeof text, "{\"id\":1,\"op\":%s}", op);
    return operator_granted(text);
}

static void operator_cannot(const char *op, const char *code)
{
    char text[512];
    (void)snprintf(text, sizeof text, "{\"id\":1,\"op\":%s}", op);
    operator_denied(text, code);
}

/* It is heard as the operator's, also by who hides everybody, and nobody reports it. */
START_TEST(test_the_operator_says_something)
{
    const int64_t id = listen(bo, "fr", hear_all(bo, "fr", "*"));
    json_t *ok = operators_answer("\"say\",\"text\":\"bonsoir\",\"lang\":\"fr\"");
    const int64_t n = num(ok, "line");
    json_decref(ok);
    ok = told(bo, id);
    const json_t *line = json_array_get(json_object_get(ok, "lines"), 0);
    ck_assert(json_is_true(json_object_get(line, "operator")));
    ck_assert_ptr_null(json_object_get(line, "handle"));
    ck_assert_ptr_null(json_object_get(line, "name"));
    ck_assert_int_eq(num(line, "line"), n);
    (void)check_news(ok, "bonsoir");
    (void)hear_all(bo, "en", "*");
    json_decref(operators_answer("\"say\",\"text\":\"see www.example.org\""));
    (void)hear_all(bo, "en", "see www.example.org*");
    world_refused(&world, bo, "bad_field", "chat_report", "{s:I,s:s}", "line", (json_int_t)n, "why",
                  "talk");
    world_refused(&world, bo, "not_moderator", "chat_drop", "{s:I}", "line", (json_int_t)n);
}
END_TEST

/* All of it, in which room, and what is gone no more. */
START_TEST(test_the_operator_sees_what_is_said)
{
    char text[64];
    const int64_t n = say(ana, "en", "hi"), other = say(bo, "fr", "salut");
    json_decref(operators_answer("\"say\",\"text\":\"be kind\""));
    const int64_t id = listen(bo, "en", hear_all(bo, "en", "hi be kind*"));
    (void)snprintf(text, sizeof text, "\"unsay\",\"line\":%lld,\"reason\":\"spam\"", (long long)n);
    json_decref(operators_answer(text));
    json_t *ok = told(bo, id);
    ck_assert_int_eq(json_integer_value(json_array_get(json_object_get(ok, "gone"), 0)), n);
    json_decref(ok);
    operator_cannot(text, "unknown_line");
    ok = operators_answer("\"lobby\"");
    const json_t *lines = json_object_get(ok, "lines"), *first = json_array_get(lines, 0);
    ck_assert_uint_eq(json_array_size(lines), 2);
    ck_assert_int_eq(num(first, "line"), other);
    ck_assert_str_eq(str(first, "lang"), "fr");
    ck_assert_str_eq(str(first, "handle"), "Bo-1");
    ck_assert(json_is_true(json_object_get(json_array_get(lines, 1), "operator")));
    json_decref(ok);
}
END_TEST

/* Nor is it in what somebody reports. */
START_TEST(test_what_the_operator_says_is_no_evidence)
{
    const int64_t n = say(bo, "en", "hm");
    json_decref(operators_answer("\"say\",\"text\":\"be kind\""));
    world_do(&world, ana, "chat_report", "{s:I,s:s}", "line", (json_int_t)n, "why", "talk");
    json_t *ok = operators_answer("\"report\",\"report\":1");
    const json_t *one = json_array_get(json_object_get(ok, "reports"), 0);
    ck_assert_uint_eq(json_array_size(json_object_get(one, "talk")), 1);
    json_decref(ok);
}
END_TEST

START_TEST(test_what_the_operator_cannot)
{
    char text[64 + PROTOCOL_CHAT_CHARS] = "\"say\",\"text\":\"";
    const size_t len = strlen(text);
    memset(text + len, 'x', PROTOCOL_CHAT_CHARS + 1);
    (void)strcpy(text + len + PROTOCOL_CHAT_CHARS + 1, "\"");
    operator_cannot(text, "bad_field");
    operator_cannot("\"say\",\"text\":\"hallo\",\"lang\":\"nl\"", "bad_field");
    operator_cannot("\"unsay\",\"line\":1", "unknown_line");
    world.env.chat = HUB_CHAT_OFF;
    world_restart(&world);
    operator_cannot("\"lobby\"", "chat_off");
    operator_cannot("\"say\",\"text\":\"hi\"", "chat_off");
    operator_cannot("\"unsay\",\"line\":1", "chat_off");
}
END_TEST

Suite *chat_rooms_suite(void)
{
    Suite *suite = suite_create("chat_rooms");
    TCase *tests = tcase_create("rooms of the lobby");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, test_a_line_is_heard_in_its_room);
    tcase_add_test(tests, test_one_room_at_a_time);
    tcase_add_test(tests, test_what_is_said_counts_everywhere);
    tcase_add_test(tests, test_a_busy_room_takes_no_place);
    tcase_add_test(tests, test_a_report_has_lines_of_its_room);
    suite_add_tcase(suite, tests);
    TCase *operators = tcase_create("the operator in the lobby");
    tcase_add_checked_fixture(operators, set_up, tear_down);
    tcase_add_test(operators, test_the_operator_says_something);
    tcase_add_test(operators, test_the_operator_sees_what_is_said);
    tcase_add_test(operators, test_what_the_operator_says_is_no_evidence);
    tcase_add_test(operators, test_what_the_operator_cannot);
    suite_add_tcase(suite, operators);
    return suite;
}
