/* Talk in the lobby: who hears it, who says something, how much, and what goes again. */
#include "chat/lines.h"
#include "chat/listeners.h"
#include "operator.h"
#include "suites.h"
#include "world.h"
#include <registry/registry.h>
#include <stdlib.h>
#include <string.h>

enum { DAY_MS = 24 * 3600 * 1000 };

static struct world world;
static int ana, bo, chi; /* chi has no account */

static int called(const char *name, const char *handle)
{
    world.host++; /* each from an address of their own */
    const int tab = world_guest(&world, name);
    world_do(&world, tab, "claim", "{s:s}", "handle", handle);
    return tab;
}

static void configure(enum hub_chat chat)
{
    world_init(&world);
    world.env.accounts = HUB_ACCOUNTS_OPEN;
    world.env.chat = chat;
    world.env.features = registry;
    world.config.chat_age_ms = 0;
    world.config.says_burst = world.config.says_per_address_burst = 1000;
    world.config.requests_burst = 10000;
    operator_init(&world);
}

static void begin(void)
{
    world_start(&world);
    ck_assert(operator_holds(""));
    ana = called("Ana", "ana");
    bo = called("Bo", "Bo-1");
    chi = world_guest(&world, "Chi");
}

static void set_up(void)
{
    configure(HUB_CHAT_EVERYBODY);
    begin();
}

static void tear_down(void)
{
    world_release(&world);
}

/* ---- what is asked */

static int64_t say(int tab, const char *text)
{
    json_t *ok = world_ok(&world, tab, "chat_say", "{s:s}", "text", text);
    const int64_t n = num(ok, "line");
    json_decref(ok);
    return n;
}

static void cannot_say(int tab, const char *text, const char *code)
{
    world_refused(&world, tab, code, "chat_say", "{s:s}", "text", text);
}

/* What there is, in words: "TEXT TEXT -2": two lines and two that are gone; behind them "*": all
 * that there are, "~": it could not wait. Gives what is had then. */
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
    if (json_array_size(json_object_get(ok, "gone")) > 0)
        len += (size_t)snprintf(text + len, sizeof text - len, "%s-%zu", len ? " " : "",
                                json_array_size(json_object_get(ok, "gone")));
    if (json_object_get(ok, "whole"))
        len += (size_t)snprintf(text + len, sizeof text - len, "*");
    if (json_object_get(ok, "again_ms"))
        (void)snprintf(text + len, sizeof text - len, "~");
    ck_assert_str_eq(text, expected);
    const int64_t have = num(ok, "have");
    json_decref(ok);
    return have;
}

static int64_t hear_all(int tab, const char *expected)
{
    return check_news(world_ok(&world, tab, "chat", ""), expected);
}

static int64_t listen(int tab, int64_t have)
{
    const int64_t id = world_post(&world, tab, "chat", "{s:I}", "have", (json_int_t)have);
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

static void waits(int tab, int64_t id)
{
    json_t *reply = world_reply(&world, tab, id);
    ck_assert_ptr_null(reply);
}

/* ---- hearing */

START_TEST(test_a_line_is_heard)
{
    const int64_t nothing = hear_all(bo, "*");
    const int64_t id = listen(bo, nothing), other = listen(chi, nothing);
    waits(bo, id);
    const int64_t n = say(ana, "hello");
    json_t *ok = told(bo, id);
    const json_t *line = json_array_get(json_object_get(ok, "lines"), 0);
    ck_assert_int_eq(num(line, "line"), n);
    ck_assert_int_eq(num(line, "at"), world.now_ms);
    ck_assert_str_eq(str(line, "handle"), "ana");
    ck_assert_str_eq(str(line, "name"), "Ana");
    ck_assert_int_eq(check_news(ok, "hello"), n);
    (void)check_news(told(chi, other), "hello");
    const int64_t more = say(bo, "you"); /* nobody listens */
    ck_assert_int_gt(more, n);
    (void)check_news(told(bo, listen(bo, n)), "you");
    waits(bo, listen(bo, more));
    (void)hear_all(chi, "hello you*");
    ck_assert(world_figure(&world, "chat_lines_total") == 2);
    ck_assert(world_figure(&world, "chat_listeners") == 1);
}
END_TEST

START_TEST(test_nothing_is_said)
{
    const int64_t have = hear_all(bo, "*"), id = listen(bo, have);
    world_pass(&world, CHAT_HOLD_MS - 1);
    waits(bo, id);
    world_pass(&world, 1);
    ck_assert_int_eq(check_news(told(bo, id), ""), have);
    ck_assert(world_figure(&world, "chat_listeners") == 0);
}
END_TEST

START_TEST(test_who_listens_twice)
{
    const int64_t have = hear_all(bo, "*"), first = listen(bo, have), second = listen(bo, have);
    (void)check_news(told(bo, first), "");
    waits(bo, second);
    (void)say(ana, "hello");
    (void)check_news(told(bo, second), "hello");
}
END_TEST

START_TEST(test_too_many_listen)
{
    tear_down();
    configure(HUB_CHAT_EVERYBODY);
    world.config.chat_listeners = 1;
    begin();
    const int64_t have = hear_all(bo, "*"), id = listen(bo, have);
    (void)check_news(told(ana, listen(ana, have)), "~");
    const int64_t again = listen(bo, have); /* in place of its own */
    (void)check_news(told(bo, id), "");
    waits(bo, again);
    world_cut(&world, bo); /* nobody is remembered for long */
    world_pass(&world, CHAT_HOLD_MS);
    waits(ana, listen(ana, have));
}
END_TEST

/* Whoever comes after them asks again later, others wait. */
START_TEST(test_too_many_of_an_address_listen)
{
    int tabs[LISTENERS_PER_SHARE + 1];
    const int64_t have = hear_all(bo, "*");
    for (int at = 0; at <= LISTENERS_PER_SHARE; at++) {
        tabs[at] = world_connect_from(&world, 99);
        world_do(&world, tabs[at], "hello", "");
        const int64_t id = listen(tabs[at], have);
        if (at < LISTENERS_PER_SHARE)
            waits(tabs[at], id);
        else
            (void)check_news(told(tabs[at], id), "~");
    }
    waits(bo, listen(bo, have));
}
END_TEST

START_TEST(test_a_new_start)
{
    const int64_t n = say(ana, "hello");
    world_restart(&world);
    bo = world_back(&world, bo);
    (void)check_news(told(bo, listen(bo, n)), "*");
}
END_TEST

/* ---- who may */

START_TEST(test_it_is_off)
{
    static const char *const forms[] = {"{s:s}", "{s:i}"};
    tear_down();
    configure(HUB_CHAT_OFF);
    begin();
    world_refused(&world, ana, "chat_off", "chat", "");
    world_refused(&world, ana, "chat_off", "chat_say", forms[0], "text", "hi");
    world_refused(&world, ana, "chat_off", "chat_drop", forms[1], "line", 1);
    world_refused(&world, ana, "chat_off", "chat_report", "{s:i,s:s}", "line", 1, "why", "talk");
    json_t *ok = world_ok(&world, ana, "kept_at_desk", "");
    ck_assert_ptr_null(json_object_get(ok, "chat"));
    json_decref(ok);
}
END_TEST

START_TEST(test_who_has_no_account)
{
    cannot_say(chi, "hi", "account_needed");
    (void)hear_all(chi, "*");
    tear_down();
    configure(HUB_CHAT_ACCOUNTS);
    begin();
    world_refused(&world, chi, "account_needed", "chat", "");
    cannot_say(chi, "hi", "account_needed");
    (void)hear_all(ana, "*");
}
END_TEST

START_TEST(test_who_is_new)
{
    tear_down();
    configure(HUB_CHAT_ACCOUNTS);
    world.config.chat_age_ms = DAY_MS;
    begin();
    world_pass(&world, DAY_MS - 1000);
    ana = world_back(&world, ana);
    cannot_say(ana, "hi", "chat_young");
    ck_assert_int_gt(world.retry_ms, 0);
    ck_assert_int_le(world.retry_ms, 1000);
    world_pass(&world, 1000);
    (void)say(ana, "hi");
}
END_TEST

START_TEST(test_who_is_silenced)
{
    char text[160];
    (void)snprintf(text, sizeof text,
                   "{\"id\":1,\"op\":\"silence\",\"target\":\"%s\",\"for_s\":60,\"reason\":\"r\"}",
                   world.tabs[ana].session);
    json_decref(operator_granted(text));
    cannot_say(ana, "hi", "silenced");
    (void)hear_all(ana, "*");
    (void)say(bo, "hi");
    world_pass(&world, 60000);
    (void)say(ana, "hi");
}
END_TEST

START_TEST(test_who_is_quiet)
{
    const int64_t id = listen(ana, hear_all(ana, "*"));
    world_do(&world, ana, "quiet", "{s:b}", "on", true);
    (void)say(bo, "hi");
    world_pass(&world, CHAT_HOLD_MS);
    world_denied(&world, ana, id, "quiet");
    cannot_say(ana, "hi", "quiet");
    world_refused(&world, ana, "quiet", "chat", "");
    hub_set_quiet(world.hub, world.tabs[chi].link.peer, true); /* by the name of the server */
    world_refused(&world, chi, "quiet", "chat", "");
}
END_TEST

START_TEST(test_who_is_blocked)
{
    world_do(&world, ana, "block", "{s:s}", "handle", "Bo-1");
    const int64_t have = hear_all(ana, "*"), id = listen(ana, have);
    (void)say(bo, "hi");
    waits(ana, id);
    (void)say(bo, "you");
    waits(ana, id);
    const int64_t bos = hear_all(bo, "hi you*");
    (void)say(ana, "hello");
    (void)check_news(told(ana, id), "hello");
    (void)check_news(told(bo, listen(bo, bos)), "hello"); /* who is blocked hears */
    world_do(&world, ana, "unblock", "{s:s}", "handle", "Bo-1");
    (void)hear_all(ana, "hi you hello*");
}
END_TEST

/* ---- what, and how much */

START_TEST(test_what_is_no_line)
{
    char text[PROTOCOL_CHAT_CHARS + 2];
    memset(text, 'x', sizeof text);
    text[PROTOCOL_CHAT_CHARS + 1] = '\0';
    cannot_say(ana, text, "bad_field");
    text[PROTOCOL_CHAT_CHARS] = '\0';
    (void)say(ana, text);
    cannot_say(ana, "see http://example.org", "chat_link");
    cannot_say(ana, "WWW.example.org", "chat_link");
    cannot_say(ana, "(www.example.org)", "chat_link");
    (void)say(ana, "awww. nice");
    cannot_say(ana, " ", "bad_field");
}
END_TEST

START_TEST(test_the_same_again)
{
    const int64_t n = say(ana, "hello");
    ck_assert_int_eq(say(ana, "hello"), n);
    ck_assert_int_ne(say(bo, "hello"), n);
    ck_assert_int_eq(say(ana, "hello"), n);
    (void)say(ana, "you");
    ck_assert_int_ne(say(ana, "hello"), n);
    (void)hear_all(bo, "hello hello you hello*");
}
END_TEST

static void say_many(int tab, int count)
{
    char text[32];
    static int said;
    for (int at = 0; at < count; at++) {
        (void)snprintf(text, sizeof text, "n%d", said++);
        (void)say(tab, text);
    }
}

START_TEST(test_how_much)
{
    tear_down();
    configure(HUB_CHAT_EVERYBODY);
    world.config.chat_per_account_per_min = 3;
    world.config.chat_per_address_per_min = 5;
    world.config.chat_per_min = 7;
    begin();
    world.host--; /* one address has two of them */
    const int dee = called("Dee", "dee"), eve = called("Eve", "eve");
    say_many(ana, 3);
    cannot_say(ana, "more", "slow_down");
    ck_assert_int_eq(world.retry_ms, CHAT_MINUTE_MS);
    say_many(bo, 3); /* of another address */
    say_many(dee, 1);
    cannot_say(eve, "more", "slow_down"); /* all of them */
    world_pass(&world, CHAT_MINUTE_MS);
    say_many(bo, 3);
    say_many(dee, 2);
    cannot_say(dee, "more", "slow_down"); /* of the address */
    ck_assert_int_eq(world.retry_ms, CHAT_MINUTE_MS);
    say_many(eve, 1);
}
END_TEST

/* What is taken away again counts. */
START_TEST(test_what_is_gone_counts)
{
    for (int at = 0; at < 10; at++) {
        char text[8];
        (void)snprintf(text, sizeof text, "n%d", at);
        world_do(&world, ana, "chat_drop", "{s:I}", "line", (json_int_t)say(ana, text));
    }
    cannot_say(ana, "more", "slow_down");
}
END_TEST

/* The same of an address, whoever says the next one. */
START_TEST(test_what_is_gone_counts_for_the_address)
{
    tear_down();
    configure(HUB_CHAT_EVERYBODY);
    world.config.chat_per_address_per_min = 1;
    begin();
    world.host--;
    const int dee = called("Dee", "dee");
    world_do(&world, bo, "chat_drop", "{s:I}", "line", (json_int_t)say(bo, "hm"));
    cannot_say(dee, "more", "slow_down");
}
END_TEST

/* While the store is asked since when they have an account they say more. */
START_TEST(test_two_at_once)
{
    tear_down();
    configure(HUB_CHAT_EVERYBODY);
    world.config.chat_per_account_per_min = 1;
    begin();
    const int64_t first = world_post(&world, ana, "chat_say", "{s:s}", "text", "hi");
    const int64_t other = world_post(&world, ana, "chat_say", "{s:s}", "text", "you");
    world_settle(&world);
    world_granted(&world, ana, first);
    world_denied(&world, ana, other, "slow_down");
    const int64_t bos = world_post(&world, bo, "chat_say", "{s:s}", "text", "hi");
    world_do(&world, bo, "quiet", "{s:b}", "on", true);
    world_denied(&world, bo, bos, "quiet");
    (void)hear_all(chi, "hi*");
}
END_TEST

START_TEST(test_the_same_at_once)
{
    const int64_t first = world_post(&world, ana, "chat_say", "{s:s}", "text", "hi");
    const int64_t other = world_post(&world, ana, "chat_say", "{s:s}", "text", "hi");
    world_settle(&world);
    json_t *one = told(ana, first), *two = told(ana, other);
    ck_assert_int_eq(num(one, "line"), num(two, "line"));
    json_decref(one);
    json_decref(two);
    (void)hear_all(bo, "hi*");
}
END_TEST

START_TEST(test_the_oldest_go)
{
    char expected[2048] = "";
    size_t len = 0;
    const int64_t first = say(ana, "first");
    const int64_t second = say(ana, "second");
    for (int at = 0; at < CHAT_LINES - 1; at++) {
        char text[8];
        world_pass(&world, 10000);
        (void)snprintf(text, sizeof text, "n%d", at);
        (void)say(ana, text);
        len += (size_t)snprintf(expected + len, sizeof expected - len, "%sn%d", at ? " " : "", at);
    }
    bo = world_back(&world, bo);
    (void)check_news(told(bo, listen(bo, second)), expected);
    char all[2100];
    (void)snprintf(all, sizeof all, "second %s*", expected);
    (void)check_news(told(bo, listen(bo, first - 1)), all); /* has missed one */
}
END_TEST

START_TEST(test_what_is_old)
{
    (void)say(ana, "old");
    world_pass(&world, DAY_MS / 2);
    ana = world_back(&world, ana);
    bo = world_back(&world, bo);
    (void)say(ana, "new");
    const int64_t have = hear_all(bo, "old new*");
    world_pass(&world, DAY_MS / 2 - 1000);
    bo = world_back(&world, bo);
    const int64_t id = listen(bo, have);
    world_pass(&world, 1000);
    (void)check_news(told(bo, id), "-1");
    (void)hear_all(bo, "new*");
}
END_TEST

/* ---- taking away */

static void drop(int tab, int64_t n)
{
    world_do(&world, tab, "chat_drop", "{s:I}", "line", (json_int_t)n);
}

static void cannot_drop(int tab, int64_t n, const char *code)
{
    world_refused(&world, tab, code, "chat_drop", "{s:I}", "line", (json_int_t)n);
}

START_TEST(test_a_line_is_taken_away)
{
    const int64_t own = say(ana, "mine"), other = say(bo, "yours");
    const int64_t have = hear_all(chi, "mine yours*"), id = listen(chi, have);
    drop(ana, own);
    (void)check_news(told(chi, id), "-1");
    cannot_drop(ana, own, "unknown_line");
    cannot_drop(ana, other, "not_moderator");
    cannot_drop(chi, other, "not_moderator");
    cannot_drop(ana, 1, "unknown_line");
    json_decref(operator_granted("{\"id\":1,\"op\":\"moderator\",\"handle\":\"ana\"}"));
    drop(ana, other);
    (void)hear_all(chi, "*");
    const int64_t later = check_news(told(bo, listen(bo, have)), "-2");
    drop(ana, say(ana, "oh")); /* came and went: nothing to tell */
    waits(bo, listen(bo, later));
}
END_TEST

/* ---- what is kept of one */

static const char *kept_text(int tab)
{
    static char text[64];
    json_t *ok = world_ok(&world, tab, "kept_at_desk", "");
    const json_t *lines = json_object_get(ok, "chat");
    ck_assert(json_is_array(lines));
    ck_assert_uint_le(json_array_size(lines), 1);
    (void)snprintf(text, sizeof text, "%s", str(json_array_get(lines, 0), "text"));
    json_decref(ok);
    return text;
}

START_TEST(test_a_copy_has_ones_own)
{
    (void)say(ana, "mine");
    ck_assert_str_eq(kept_text(ana), "mine");
    ck_assert_str_eq(kept_text(bo), "");
}
END_TEST

START_TEST(test_somebody_is_erased)
{
    tear_down();
    configure(HUB_CHAT_EVERYBODY);
    world.config.closing_ms = 3600000;
    begin();
    (void)say(ana, "mine");
    (void)say(bo, "yours");
    const int64_t have = hear_all(chi, "mine yours*");
    world_do(&world, ana, "close_account", "{s:s}", "handle", "ana");
    world_pass(&world, world.config.closing_ms + 120000);
    chi = world_back(&world, chi);
    (void)check_news(told(chi, listen(chi, have)), "-1");
    (void)hear_all(chi, "yours*");
}
END_TEST

Suite *chat_suite(void)
{
    Suite *suite = suite_create("chat");
    TCase *tests = tcase_create("talk in the lobby");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, test_a_line_is_heard);
    tcase_add_test(tests, test_nothing_is_said);
    tcase_add_test(tests, test_who_listens_twice);
    tcase_add_test(tests, test_too_many_listen);
    tcase_add_test(tests, test_too_many_of_an_address_listen);
    tcase_add_test(tests, test_a_new_start);
    tcase_add_test(tests, test_it_is_off);
    tcase_add_test(tests, test_who_has_no_account);
    tcase_add_test(tests, test_who_is_new);
    tcase_add_test(tests, test_who_is_silenced);
    tcase_add_test(tests, test_who_is_quiet);
    tcase_add_test(tests, test_who_is_blocked);
    tcase_add_test(tests, test_what_is_no_line);
    tcase_add_test(tests, test_the_same_again);
    tcase_add_test(tests, test_how_much);
    tcase_add_test(tests, test_what_is_gone_counts);
    tcase_add_test(tests, test_what_is_gone_counts_for_the_address);
    tcase_add_test(tests, test_two_at_once);
    tcase_add_test(tests, test_the_same_at_once);
    tcase_add_test(tests, test_the_oldest_go);
    tcase_add_test(tests, test_what_is_old);
    tcase_add_test(tests, test_a_line_is_taken_away);
    tcase_add_test(tests, test_a_copy_has_ones_own);
    tcase_add_test(tests, test_somebody_is_erased);
    suite_add_tcase(suite, tests);
    return suite;
}
