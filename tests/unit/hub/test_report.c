/* `report`: what the server knows of it comes to those who look after the site, and what they
 * decide holds. */
#include "operator.h"
#include "site.h"
#include "suites.h"
#include "world.h"
#include <hub/kernel.h>
#include <hub/log_line.h>
#include <registry/registry.h>
#include <stdlib.h>
#include <string.h>

enum { HOUR_MS = 3600 * 1000, DAY_MS = 24 * HOUR_MS };

static struct world world;
static int ana, bo, chi;
static char room[CODE_SPACE];

static int called(const char *name, const char *handle)
{
    const int tab = world_guest(&world, name);
    world_do(&world, tab, "claim", "{s:s}", "handle", handle);
    return tab;
}

static void begin(enum hub_accounts accounts)
{
    world_init(&world);
    world.env.accounts = accounts;
    world.env.features = registry;
    world.config.claims_per_address_per_day = 1000;
    operator_init(&world);
    world_start(&world);
    ck_assert(operator_holds(""));
}

/* Ana and Bo sit at a table, Chi has no account. */
static void set_up(void)
{
    begin(HUB_ACCOUNTS_OPEN);
    ana = called("Ana", "ana");
    bo = called("Bo", "Bo-1");
    chi = world_guest(&world, "Chi");
    json_t *ok = world_ok(&world, ana, "create", "{s:{s:i}}", "options", "players", 2);
    (void)snprintf(room, sizeof room, "%s", str(ok, "room"));
    json_decref(ok);
    world_do(&world, ana, "join", "{s:s,s:i}", "room", room, "seat", 0);
    world_do(&world, bo, "join", "{s:s,s:i}", "room", room, "seat", 1);
}

static void tear_down(void)
{
    world_release(&world);
}

static void say(int tab, const char *text)
{
    world_do(&world, tab, "say", "{s:s,s:s}", "room", room, "text", text);
}

static void report(int tab, int seat, const char *why, const char *text)
{
    world_do(&world, tab, "report", "{s:s,s:i,s:s,s:s}", "room", room, "seat", seat, "why", why,
             "text", text);
}

static json_t *reports(void)
{
    json_t *ok = operator_granted("{\"id\":1,\"op\":\"reports\"}");
    json_t *list = json_incref(json_object_get(ok, "reports"));
    ck_assert_uint_eq(json_array_size(list), (size_t)num(ok, "waiting"));
    json_decref(ok);
    return list;
}

static size_t count_reports(void)
{
    json_t *list = reports();
    const size_t count = json_array_size(list);
    json_decref(list);
    return count;
}

static const char *judge_line(int id, const char *verdict, const char *rest)
{
    static char text[512];
    (void)snprintf(
        text, sizeof text,
        "{\"id\":1,\"op\":\"judge\",\"report\":%d,\"verdict\":\"%s\",\"why\":\"talk\"%s}", id,
        verdict, rest);
    return text;
}

static json_t *judge(int id, const char *verdict, const char *rest)
{
    return operator_granted(judge_line(id, verdict, rest));
}

static void judged(int id, const char *verdict, const char *rest)
{
    json_decref(judge(id, verdict, rest));
}

/* Until what was decided holds. */
static void comes_into_force(void)
{
    world_pass(&world, 1000);
    ck_assert_uint_eq(operator_documents(), 1);
    world_pass(&world, 1000);
    ck_assert_uint_eq(operator_documents(), 0);
}

/* ---- reporting */

START_TEST(test_a_report)
{
    say(ana, "hello");
    say(bo, "you \"cheat\"");
    report(ana, 1, "talk", "Look at that.");
    json_t *list = reports(), *first = json_array_get(list, 0);
    ck_assert_uint_eq(json_array_size(list), 1);
    ck_assert_str_eq(str(first, "name"), "Bo");
    ck_assert_str_eq(str(first, "handle"), "Bo-1");
    ck_assert_str_eq(str(first, "why"), "talk");
    ck_assert_str_eq(str(first, "session"), world.tabs[bo].session);
    ck_assert_int_eq(num(first, "report"), 1);
    ck_assert_int_eq(num(first, "reports"), 1);
    ck_assert_int_eq(num(first, "sources"), 1);
    json_decref(list);
    json_t *ok = operator_granted("{\"id\":1,\"op\":\"report\",\"report\":1}");
    const json_t *one = json_array_get(json_object_get(ok, "reports"), 0);
    const json_t *talk = json_object_get(one, "talk"), *seats = json_object_get(one, "seats");
    ck_assert_str_eq(str(one, "room"), room);
    ck_assert_str_eq(str(one, "text"), "Look at that.");
    ck_assert_str_eq(str(one, "game"), "taluva");
    ck_assert_str_eq(str(one, "phase"), "lobby");
    ck_assert_int_eq(num(one, "seat"), 1);
    ck_assert_uint_eq(json_array_size(talk), 2);
    ck_assert_str_eq(str(json_array_get(talk, 0), "text"), "hello");
    ck_assert_int_eq(num(json_array_get(talk, 0), "seat"), 0);
    ck_assert_str_eq(str(json_array_get(talk, 1), "text"), "you \"cheat\"");
    ck_assert_str_eq(str(json_array_get(talk, 1), "name"), "Bo");
    ck_assert_str_eq(str(json_array_get(seats, 0), "session"), world.tabs[ana].session);
    ck_assert_str_eq(str(json_array_get(seats, 1), "handle"), "Bo-1");
    json_decref(ok);
    ck_assert_ptr_null(world_push(&world, bo, "judged"));
}
END_TEST

START_TEST(test_what_is_refused)
{
    const char *form = "{s:s,s:i,s:s}";
    const int dora = called("Dora", "dora");
    world_refused(&world, chi, "account_needed", "report", form, "room", room, "seat", 1, "why",
                  "talk");
    world_refused(&world, dora, "not_subscribed", "report", form, "room", room, "seat", 1, "why",
                  "talk");
    world_refused(&world, ana, "bad_field", "report", form, "room", room, "seat", 0, "why", "talk");
    world_refused(&world, ana, "unknown_seat", "report", form, "room", room, "seat", 2, "why",
                  "talk");
    world_do(&world, bo, "leave", "{s:s}", "room", room);
    world_refused(&world, ana, "seat_empty", "report", form, "room", room, "seat", 1, "why",
                  "talk");
    ck_assert_uint_eq(count_reports(), 0);
}
END_TEST

START_TEST(test_who_reports_again_and_again)
{
    static const char *const whys[] = {"talk", "name", "cheating", "stalling", "other"};
    world.config.reports_per_account_per_day = 4;
    world_restart(&world);
    ck_assert(operator_holds(""));
    ana = world_back(&world, ana);
    world_do(&world, ana, "watch", "{s:s}", "room", room);
    for (int at = 0; at < 4; at++) {
        report(ana, 1, whys[at], "once");
        report(ana, 1, whys[at], "twice"); /* counts once */
    }
    world_refused(&world, ana, "too_many_reports", "report", "{s:s,s:i,s:s}", "room", room, "seat",
                  1, "why", "other");
    json_t *list = reports();
    ck_assert_int_eq(num(json_array_get(list, 0), "reports"), 4);
    ck_assert_int_eq(num(json_array_get(list, 0), "sources"), 1);
    json_decref(list);
}
END_TEST

/* ---- what is decided */

START_TEST(test_a_warning)
{
    report(ana, 1, "talk", "hm");
    json_t *ok = judge(1, "warn", ",\"text\":\"Be kind.\"");
    ck_assert_int_eq(num(ok, "report"), 1);
    ck_assert_int_eq(num(ok, "judgement"), 2);
    json_decref(ok);
    world_settle(&world);
    json_t *push = world_push(&world, bo, "judged");
    ck_assert_ptr_nonnull(push);
    ck_assert_str_eq(str(push, "verdict"), "warn");
    ck_assert_str_eq(str(push, "why"), "talk");
    ck_assert_str_eq(str(push, "text"), "Be kind.");
    ck_assert_ptr_null(json_object_get(push, "until"));
    json_decref(push);
    ck_assert_ptr_null(world_push(&world, ana, "judged"));
    ck_assert_uint_eq(count_reports(), 0);
    operator_denied(judge_line(1, "warn", ""), "unknown_report");
    say(bo, "sorry");
}
END_TEST

START_TEST(test_a_silence)
{
    report(ana, 1, "talk", "hm");
    judged(1, "silence", ",\"for_s\":3600");
    comes_into_force();
    world_refused(&world, bo, "silenced", "say", "{s:s,s:s}", "room", room, "text", "but");
    say(ana, "peace");
    json_t *ok = operator_granted("{\"id\":1,\"op\":\"report\",\"report\":1}");
    ck_assert(json_is_true(json_object_get(json_object_get(ok, "judgement"), "in_force")));
    json_decref(ok);
    world_pass(&world, HOUR_MS);
    ana = world_back(&world, ana);
    bo = world_back(&world, bo);
    world_do(&world, bo, "watch", "{s:s}", "room", room);
    say(bo, "again");
}
END_TEST

START_TEST(test_a_ban)
{
    report(ana, 1, "talk", "hm");
    judged(1, "ban", ",\"for_s\":3600,\"text\":\"Enough.\"");
    comes_into_force();
    ck_assert(!world.tabs[bo].link.open);
    const int tab = world_connect(&world);
    world_refused(&world, tab, "banned", "hello", "{s:s}", "token", world.tabs[bo].token);
}
END_TEST

START_TEST(test_what_cannot_be_decided)
{
    report(ana, 1, "talk", "hm");
#define JUDGE(rest) "{\"id\":1,\"op\":\"judge\",\"report\":1" rest "}"
    operator_denied(JUDGE(",\"verdict\":\"silence\",\"why\":\"talk\""), "missing_field");
    operator_denied(JUDGE(",\"verdict\":\"warn\",\"why\":\"talk\",\"for_s\":1"), "bad_field");
    operator_denied(JUDGE(",\"verdict\":\"hang\",\"why\":\"talk\""), "bad_field");
    operator_denied(JUDGE(",\"verdict\":\"warn\",\"why\":\"face\""), "bad_field");
    operator_denied(JUDGE(",\"verdict\":\"WARN\",\"why\":\"talk\""), "bad_field");
    operator_denied(JUDGE(",\"why\":\"talk\""), "missing_field");
    operator_denied("{\"id\":1,\"op\":\"report\",\"report\":2}", "unknown_report");
#undef JUDGE
    ck_assert_uint_eq(count_reports(), 1);
}
END_TEST

/* ---- as a weapon */

/* Somebody else with an account, from an address of that number, who looks on. */
static int somebody(int number, unsigned host)
{
    char handle[16];
    (void)snprintf(handle, sizeof handle, "somebody-%d", number);
    const int tab = world_connect_from(&world, host);
    world_do(&world, tab, "hello", "{s:s}", "name", "Somebody");
    world_do(&world, tab, "claim", "{s:s}", "handle", handle);
    world_do(&world, tab, "watch", "{s:s}", "room", room);
    return tab;
}

static void first_is(int reports_of_it, int sources)
{
    json_t *list = reports(), *first = json_array_get(list, 0);
    ck_assert_int_eq(num(first, "reports"), reports_of_it);
    ck_assert_int_eq(num(first, "sources"), sources);
    json_decref(list);
}

START_TEST(test_a_crowd_counts_once)
{
    for (int at = 0; at < 6; at++)
        report(somebody(at, 7), 1, "talk", "all of us");
    first_is(6, 1);
    report(somebody(6, 257), 1, "talk", "us too"); /* of two /64s of a /48 */
    report(somebody(7, 258), 1, "talk", "us too");
    first_is(8, 2);
}
END_TEST

/* A case is full: those of the crowd go, and not the one that stands alone. */
START_TEST(test_a_crowd_displaces_itself)
{
    report(ana, 1, "talk", "alone");
    for (int at = 0; at < 20; at++)
        report(somebody(at, 7), 1, "talk", "all of us");
    first_is(16, 2);
    report(somebody(20, 8), 1, "talk", "another one");
    first_is(16, 3);
    json_t *ok = operator_granted("{\"id\":1,\"op\":\"report\",\"report\":1}");
    ck_assert_str_eq(str(json_array_get(json_object_get(ok, "reports"), 0), "text"), "alone");
    json_decref(ok);
}
END_TEST

/* All that there is place for is taken: what was judged goes first, then what the crowd says. */
START_TEST(test_so_many_and_no_more)
{
    world.config.reports = 3;
    world_restart(&world);
    ck_assert(operator_holds(""));
    ana = world_back(&world, ana);
    world_do(&world, ana, "watch", "{s:s}", "room", room);
    report(ana, 1, "talk", "first");
    judged(1, "warn", "");
    for (int at = 0; at < 5; at++)
        report(somebody(at, 7), 1, "talk", "all of us");
    first_is(3, 1);
    operator_denied("{\"id\":1,\"op\":\"report\",\"report\":1}", "unknown_report");
    report(ana, 1, "name", "second");
    first_is(3, 2);
}
END_TEST

/* Whose last five came to nothing is believed no more; a case is all the same. */
START_TEST(test_who_is_not_believed)
{
    static const char *const whys[] = {"talk", "name", "cheating", "stalling", "other"};
    for (int at = 0; at < 5; at++) {
        report(ana, 1, whys[at], "lies");
        first_is(1, 1);
        judged(2 * at + 1, "dismiss", "");
        ck_assert_ptr_null(world_push(&world, bo, "judged"));
    }
    world_pass(&world, DAY_MS);
    ana = world_back(&world, ana);
    world_do(&world, ana, "watch", "{s:s}", "room", room);
    report(ana, 1, "talk", "lies");
    first_is(1, 0);
}
END_TEST

/* Names and words that would end a text, a line, or a member. */
START_TEST(test_words_that_break_out)
{
    say(bo, "\"}],\"talk\":[{\"text\":\"\\u0000\\n<b>");
    report(ana, 1, "other", "\"},{\"by\":\"0000000000000001\"");
    json_t *ok = operator_granted("{\"id\":1,\"op\":\"report\",\"report\":1}");
    const json_t *list = json_object_get(ok, "reports"), *one = json_array_get(list, 0);
    ck_assert_uint_eq(json_array_size(list), 1);
    ck_assert_str_eq(str(one, "text"), "\"},{\"by\":\"0000000000000001\"");
    ck_assert_str_eq(str(json_array_get(json_object_get(one, "talk"), 0), "text"),
                     "\"}],\"talk\":[{\"text\":\"\\u0000\\n<b>");
    ck_assert_ptr_null(json_object_get(one, "by"));
    json_decref(ok);
}
END_TEST

/* Of long lines the last ones that there is place for; of short ones the last of the table. */
START_TEST(test_much_talk)
{
    char line[281];
    world.config.says_burst = 1000;
    world.config.says_per_address_burst = 1000;
    world_restart(&world);
    ck_assert(operator_holds(""));
    ana = world_back(&world, ana);
    bo = world_back(&world, bo);
    world_do(&world, ana, "watch", "{s:s}", "room", room);
    world_do(&world, bo, "watch", "{s:s}", "room", room);
    for (int at = 0; at < 30; at++) {
        (void)snprintf(line, sizeof line, _i ? "%d" : "%d %0250d", at, 0);
        say(bo, line);
    }
    report(ana, 1, "talk", "so much");
    json_t *ok = operator_granted("{\"id\":1,\"op\":\"report\",\"report\":1}");
    const json_t *talk = json_object_get(json_array_get(json_object_get(ok, "reports"), 0), "talk");
    const size_t count = json_array_size(talk);
    ck_assert_int_eq(atoi(str(json_array_get(talk, count - 1), "text")), 29);
    ck_assert_int_eq(atoi(str(json_array_get(talk, 0), "text")), 30 - (int)count);
    ck_assert_uint_le(count, 24);
    ck_assert(_i ? count == 24 : count > 5);
    json_decref(ok);
}
END_TEST

/* ---- a store that fails, restarts, and time */

START_TEST(test_a_store_that_fails)
{
    const int64_t id =
        world_post(&world, ana, "report", "{s:s,s:i,s:s}", "room", room, "seat", 1, "why", "talk");
    world.answer = STORE_FULL;
    world_settle(&world);
    world.answer = STORE_OK;
    world_denied(&world, ana, id, "store_failing");
    world_pass(&world, 60000);
    ck_assert_uint_eq(count_reports(), 0);
    report(ana, 1, "talk", "once more");
    ck_assert_uint_eq(count_reports(), 1);
}
END_TEST

/* What was decided comes into force, however often that cannot be kept, and after a restart. */
START_TEST(test_it_comes_into_force_in_the_end)
{
    report(ana, 1, "talk", "hm");
    judged(1, "silence", ",\"for_s\":3600");
    operator_full = true;
    world_pass(&world, 5000);
    ck_assert_uint_gt(operator_documents(), 0);
    world_restart(&world);
    ck_assert(operator_holds(""));
    operator_full = false;
    comes_into_force();
    ck_assert_uint_eq(count_reports(), 0);
    bo = world_back(&world, bo);
    world_do(&world, bo, "watch", "{s:s}", "room", room);
    world_refused(&world, bo, "silenced", "say", "{s:s,s:s}", "room", room, "text", "but");
}
END_TEST

START_TEST(test_after_a_restart)
{
    char token[TOKEN_SPACE];
    memcpy(token, world.tabs[bo].token, sizeof token);
    say(bo, "hm");
    report(ana, 1, "talk", "hm");
    world_restart(&world);
    first_is(1, 1);
    ck_assert(operator_holds(""));
    judged(1, "warn", ",\"text\":\"Be kind.\"");
    world_pass(&world, 1000);
    world_restart(&world);
    const int tab = world_connect(&world);
    json_t *ok = world_ok(&world, tab, "hello", "{s:s}", "token", token);
    const json_t *told = json_array_get(json_object_get(ok, "judgements"), 0);
    ck_assert_str_eq(str(told, "verdict"), "warn");
    ck_assert_str_eq(str(told, "text"), "Be kind.");
    ck_assert_int_eq(num(told, "judgement"), 2);
    json_decref(ok);
    world_do(&world, tab, "heed", "");
    world_do(&world, tab, "heed", ""); /* once more */
    const int other = world_connect(&world);
    ok = world_ok(&world, other, "hello", "{s:s}", "token", token);
    ck_assert_ptr_null(json_object_get(ok, "judgements"));
    json_decref(ok);
    world_restart(&world);
    const int later = world_connect(&world);
    ok = world_ok(&world, later, "hello", "{s:s}", "token", token);
    ck_assert_ptr_null(json_object_get(ok, "judgements"));
    json_decref(ok);
}
END_TEST

START_TEST(test_what_was_judged_long_ago_is_dropped)
{
    world.config.report_keep_days = 2;
    world_restart(&world);
    ck_assert(operator_holds(""));
    ana = world_back(&world, ana);
    world_do(&world, ana, "watch", "{s:s}", "room", room);
    report(ana, 1, "talk", "hm");
    judged(1, "warn", "");
    world_pass(&world, DAY_MS);
    json_decref(operator_granted("{\"id\":1,\"op\":\"report\",\"report\":1}"));
    world_pass(&world, 2 * DAY_MS);
    operator_denied("{\"id\":1,\"op\":\"report\",\"report\":1}", "unknown_report");
    world_restart(&world);
    operator_denied("{\"id\":1,\"op\":\"report\",\"report\":1}", "unknown_report");
}
END_TEST

/* Those who were at the table are there again, after a restart with another bound. */
static void come_back(void)
{
    world_restart(&world);
    ck_assert(operator_restore(&(size_t){0}));
    ana = world_back(&world, ana);
    bo = world_back(&world, bo);
    world_do(&world, ana, "watch", "{s:s}", "room", room);
    world_do(&world, bo, "watch", "{s:s}", "room", room);
}

/* As many as may be kept: the next one has a place when one is old, and over. */
START_TEST(test_what_was_decided_long_ago_is_dropped)
{
    world.config.judgements = world.config.reports = 1;
    world.config.report_keep_days = 2;
    come_back();
    report(ana, 1, "talk", "hm");
    judged(1, _i ? "silence" : "warn", _i ? ",\"for_s\":345600" : "");
    report(ana, 1, "name", "hm");
    if (_i)
        comes_into_force();
    operator_denied(judge_line(3, "warn", ""), "too_many_judgements");
    world_pass(&world, DAY_MS);
    operator_denied(judge_line(3, "warn", ""), "too_many_judgements");
    world_pass(&world, 2 * DAY_MS);
    if (_i) {
        operator_denied(judge_line(3, "warn", ""), "too_many_judgements"); /* it holds */
        world_pass(&world, 2 * DAY_MS);
    }
    judged(3, "warn", "");
    come_back();
    report(ana, 1, "other", "hm");
    operator_denied(judge_line(5, "warn", ""), "too_many_judgements");
}
END_TEST

/* Nothing that lasts is decided if it cannot come into force; and if there is no place any more
 * when it should, that is logged once, and it does as soon as there is. */
START_TEST(test_as_many_bans_as_may_be)
{
    static const char ban[] =
        "{\"id\":1,\"op\":\"ban\",\"target\":\"198.51.100.1\",\"for_s\":3600}";
    struct hub_log_line line;
    world.config.bans = 1;
    come_back();
    report(ana, 1, "talk", "hm");
    report(bo, 0, "talk", "hm");
    judged(1, "silence", ",\"for_s\":3600");
    for (int again = 0; again < 2; again++) { /* it waits, and is in force */
        operator_denied(judge_line(2, "ban", ",\"for_s\":60"), "too_many_bans");
        world_pass(&world, 1000);
        (void)operator_documents();
    }
    judged(2, "warn", "");
    world_pass(&world, HOUR_MS);
    ana = world_back(&world, ana);
    world_do(&world, ana, "watch", "{s:s}", "room", room);
    report(ana, 1, "name", "hm");
    judged(5, "silence", ",\"for_s\":7200");
    operator_full = true;
    (void)operator_documents();
    operator_full = false;
    json_decref(operator_granted(ban)); /* before it could be kept */
    for (int again = 0; again < 3; again++) {
        world_pass(&world, 1000);
        ck_assert_uint_eq(operator_documents(), 0);
    }
    ck_assert(hub_log_take(world.hub, &line));
    ck_assert_str_eq(line.event, "judgements_crowded");
    ck_assert_uint_eq(line.session, strtoull(world.tabs[bo].session, NULL, 16));
    ck_assert(line.is_warning && !hub_log_take(world.hub, &line));
    world_pass(&world, HOUR_MS);
    comes_into_force();
}
END_TEST

START_TEST(test_without_accounts)
{
    tear_down();
    begin(HUB_ACCOUNTS_OFF);
    struct table table;
    world_table(&world, &table, 2, "");
    memcpy(room, table.room, sizeof room);
    say(table.tabs[0], "hello");
    world_refused(&world, table.tabs[0], "account_needed", "report", "{s:s,s:i,s:s}", "room", room,
                  "seat", 1, "why", "talk");
    ck_assert_uint_eq(count_reports(), 0);
}
END_TEST

Suite *report_suite(void)
{
    Suite *suite = suite_create("report");
    TCase *told = tcase_create("reports"), *decided = tcase_create("judgements"),
          *weapon = tcase_create("reports as a weapon"),
          *later = tcase_create("reports that are kept");
    tcase_add_checked_fixture(told, set_up, tear_down);
    tcase_add_test(told, test_a_report);
    tcase_add_test(told, test_what_is_refused);
    tcase_add_test(told, test_who_reports_again_and_again);
    tcase_add_checked_fixture(decided, set_up, tear_down);
    tcase_add_test(decided, test_a_warning);
    tcase_add_test(decided, test_a_silence);
    tcase_add_test(decided, test_a_ban);
    tcase_add_test(decided, test_what_cannot_be_decided);
    tcase_add_checked_fixture(weapon, set_up, tear_down);
    tcase_add_test(weapon, test_a_crowd_counts_once);
    tcase_add_test(weapon, test_a_crowd_displaces_itself);
    tcase_add_test(weapon, test_so_many_and_no_more);
    tcase_add_test(weapon, test_who_is_not_believed);
    tcase_add_test(weapon, test_words_that_break_out);
    tcase_add_loop_test(weapon, test_much_talk, 0, 2);
    tcase_add_checked_fixture(later, set_up, tear_down);
    tcase_add_test(later, test_a_store_that_fails);
    tcase_add_test(later, test_it_comes_into_force_in_the_end);
    tcase_add_test(later, test_after_a_restart);
    tcase_add_test(later, test_what_was_judged_long_ago_is_dropped);
    tcase_add_loop_test(later, test_what_was_decided_long_ago_is_dropped, 0, 2);
    tcase_add_test(later, test_as_many_bans_as_may_be);
    tcase_add_test(later, test_without_accounts);
    suite_add_tcase(suite, weapon);
    suite_add_tcase(suite, later);
    suite_add_tcase(suite, told);
    suite_add_tcase(suite, decided);
    return suite;
}
