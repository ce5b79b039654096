/* What is kept of somebody, as they get it: all of it, theirs alone, and by nobody else. */
#include "operator.h"
#include "suites.h"
#include "world.h"
#include <hub/push.h>
#include <protocol/export.h>
#include <registry/registry.h>
#include <string.h>

enum { HOUR_MS = 3600 * 1000, ACCESS_SPACE = 58 };

static const char KEY[] =
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
static const char AUTH[] = "BTBZMqHH6r4Tts7J_aSIgg";

static struct world world;
static int ana, bo;
static char room[CODE_SPACE];

static int called(const char *name, const char *handle)
{
    const int tab = world_guest(&world, name);
    world_do(&world, tab, "claim", "{s:s}", "handle", handle);
    return tab;
}

static bool allowed(void *ctx, const char *endpoint)
{
    (void)ctx;
    return strncmp(endpoint, "https://push.example/", 21) == 0;
}

/* They sit at one table. */
static void set_up(void)
{
    world_init(&world);
    world.env.accounts = HUB_ACCOUNTS_OPEN;
    static const struct hub_push push = {.key = "the server's key", .allowed = allowed};
    world.env.push = &push;
    world.env.features = registry;
    operator_init(&world);
    world_start(&world);
    ana = called("Ana", "ana-1903");
    bo = called("Bo", "bo-1904");
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

/* ---- what is told */

static void say(int tab, const char *text)
{
    world_do(&world, tab, "say", "{s:s,s:s}", "room", room, "text", text);
}

static void report(int tab, int seat, const char *text)
{
    world_do(&world, tab, "report", "{s:s,s:i,s:s,s:s}", "room", room, "seat", seat, "why", "talk",
             "text", text);
}

START_TEST(test_who_reports_has_their_own_words)
{
    say(bo, "what Bo has said");
    report(ana, 1, "what Ana has written");
    json_t *ok = world_ok(&world, ana, "kept_at_desk", "");
    const json_t *first = json_array_get(json_object_get(ok, "reports"), 0);
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "reports")), 1);
    ck_assert_str_eq(str(first, "why"), "talk");
    ck_assert_str_eq(str(first, "room"), room);
    ck_assert_str_eq(str(first, "text"), "what Ana has written");
    ck_assert_int_eq(num(first, "seat"), 1);
    ck_assert(json_is_false(json_object_get(first, "decided")));
    char *text = json_dumps(ok, 0);
    ck_assert_ptr_null(strstr(text, "Bo has said"));
    free(text);
    json_decref(ok);
}
END_TEST

/* Else a report would tell who has made it. */
START_TEST(test_who_was_reported_is_not_told)
{
    report(ana, 1, "what Ana has written");
    json_t *ok = world_ok(&world, bo, "kept_at_desk", "");
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "reports")), 0);
    json_decref(ok);
}
END_TEST

START_TEST(test_a_seek)
{
    json_t *none = world_ok(&world, bo, "kept_at_desk", "");
    ck_assert_ptr_null(json_object_get(none, "seek"));
    json_decref(none);
    world_do(&world, bo, "seek", "{s:s,s:{s:[i,i]}}", "game", "taluva", "options", "sizes", 2, 3);
    json_t *ok = world_ok(&world, bo, "kept_at_desk", "");
    const json_t *seek = json_object_get(ok, "seek");
    ck_assert_str_eq(json_string_value(json_array_get(json_object_get(seek, "games"), 0)),
                     "taluva");
    ck_assert_uint_eq(json_array_size(json_object_get(seek, "sizes")), 2);
    ck_assert_str_eq(json_string_value(json_array_get(json_object_get(seek, "clocks"), 0)),
                     "normal");
    json_decref(ok);
    ok = world_ok(&world, ana, "kept_at_desk", "");
    ck_assert_ptr_null(json_object_get(ok, "seek"));
    json_decref(ok);
}
END_TEST

/* Not at which address it is: whoever has that can send messages there. */
START_TEST(test_the_browsers_that_are_told)
{
    json_t *ok = world_ok(&world, ana, "kept", "");
    ck_assert_ptr_null(json_object_get(ok, "messages"));
    json_decref(ok);
    world_do(&world, ana, "notify", "{s:s,s:s,s:s}", "endpoint", "https://push.example/secret",
             "p256dh", KEY, "auth", AUTH);
    ok = world_ok(&world, ana, "kept", "");
    const json_t *messages = json_object_get(ok, "messages"), *first = json_array_get(messages, 0);
    ck_assert_uint_eq(json_array_size(messages), 1);
    ck_assert_str_eq(str(first, "service"), "push.example");
    ck_assert_str_eq(str(first, "device"), "00000000");
    ck_assert_int_eq(num(first, "since"), world.now_ms);
    json_decref(ok);
}
END_TEST

/* ---- by a token */

static void take_token(int tab, char token[static ACCESS_SPACE])
{
    json_t *ok = world_ok(&world, tab, "export", "");
    (void)snprintf(token, ACCESS_SPACE, "%s", str(ok, "token"));
    ck_assert_int_eq(num(ok, "until"), world.now_ms + HOUR_MS);
    json_decref(ok);
}

static int enter(const char *token)
{
    const int tab = world_connect(&world);
    json_t *ok = world_ok(&world, tab, "hello", "{s:s}", "token", token);
    ck_assert_str_eq(str(ok, "scope"), "export");
    ck_assert_str_eq(str(ok, "name"), "Ana");
    json_decref(ok);
    return tab;
}

static void is_unknown(const char *token)
{
    world_refused(&world, world_connect(&world), "unknown_token", "hello", "{s:s}", "token", token);
}

START_TEST(test_all_of_an_export)
{
    char token[ACCESS_SPACE];
    take_token(ana, token);
    const int tab = enter(token);
    for (size_t at = 0; at < EXPORT_STEPS; at++) {
        const char *op = export_steps[at].op;
        if (strcmp(op, "profile") == 0)
            world_do(&world, tab, op, "{s:s}", "handle", "ana-1903");
        else
            world_do(&world, tab, op, "");
    }
}
END_TEST

/* It reads what is one's own, and does nothing. */
START_TEST(test_beyond_an_export)
{
    static const char *const requests[] = {
        "\"op\":\"create\"",
        "\"op\":\"rename\",\"name\":\"Eve\"",
        "\"op\":\"claim\",\"handle\":\"another\"",
        "\"op\":\"link\"",
        "\"op\":\"phrase\"",
        "\"op\":\"export\"",
        "\"op\":\"forget\",\"device\":\"00000000\"",
        "\"op\":\"tokens\",\"handle\":\"bo-1904\"",
        "\"op\":\"token_add\",\"name\":\"x\",\"scope\":\"play\",\"days\":1",
        "\"op\":\"token_drop\",\"key\":\"00000000\"",
        "\"op\":\"block\",\"handle\":\"bo-1904\"",
        "\"op\":\"unblock\",\"handle\":\"bo-1904\"",
        "\"op\":\"follow\",\"handle\":\"bo-1904\"",
        "\"op\":\"close_account\",\"handle\":\"ana-1903\"",
        "\"op\":\"cases\"",
        "\"op\":\"seek\"",
    };
    char token[ACCESS_SPACE];
    take_token(ana, token);
    const int tab = enter(token);
    for (size_t at = 0; at < sizeof requests / sizeof requests[0]; at++) {
        char text[128];
        (void)snprintf(text, sizeof text, "{\"id\":%zu,%s}", 900 + at, requests[at]);
        world_send(&world, tab, text);
        world_settle(&world);
        world_denied(&world, tab, (int64_t)(900 + at),
                     strstr(text, "\"tokens\"") ? "unknown_handle" : "not_allowed");
    }
}
END_TEST

static size_t count_tokens(void)
{
    json_t *ok = world_ok(&world, ana, "tokens", "");
    const size_t count = json_array_size(json_object_get(ok, "tokens"));
    json_decref(ok);
    return count;
}

/* In no list, in no row, and there is one of each account. */
START_TEST(test_one_at_a_time)
{
    char first[ACCESS_SPACE], second[ACCESS_SPACE];
    const size_t rows = world.store.row_count;
    take_token(ana, first);
    const int tab = enter(first);
    take_token(ana, second);
    world_settle(&world);
    ck_assert_int_ne(world.tabs[tab].close_code, 0);
    is_unknown(first);
    enter(second);
    ck_assert_uint_eq(count_tokens(), 0);
    ck_assert_uint_eq(world.store.row_count, rows);
    world_restart(&world);
    is_unknown(second);
}
END_TEST

START_TEST(test_for_an_hour)
{
    char token[ACCESS_SPACE];
    take_token(ana, token);
    const size_t rows = world.store.row_count;
    world_pass(&world, HOUR_MS - 1);
    const int tab = enter(token);
    world_pass(&world, 1);
    ck_assert_int_eq(world.tabs[tab].close_code, 4006);
    is_unknown(token);
    ck_assert_uint_eq(world.store.row_count, rows);
}
END_TEST

START_TEST(test_who_may)
{
    const int guest = world_guest(&world, "Chi");
    world_refused(&world, guest, "account_needed", "export", "");
    world_refused(&world, bo, "bad_field", "token_add", "{s:s,s:s,s:i}", "name", "x", "scope",
                  "export", "days", 1);
    json_decref(world_ok(&world, ana, "phrase", ""));
    world_refused(&world, ana, "proof_needed", "export", "");
    ck_assert_uint_eq(count_tokens(), 0);
}
END_TEST

Suite *export_suite(void)
{
    Suite *suite = suite_create("export");
    TCase *tests = tcase_create("export");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, test_who_reports_has_their_own_words);
    tcase_add_test(tests, test_who_was_reported_is_not_told);
    tcase_add_test(tests, test_a_seek);
    tcase_add_test(tests, test_the_browsers_that_are_told);
    tcase_add_test(tests, test_all_of_an_export);
    tcase_add_test(tests, test_beyond_an_export);
    tcase_add_test(tests, test_one_at_a_time);
    tcase_add_test(tests, test_for_an_hour);
    tcase_add_test(tests, test_who_may);
    suite_add_tcase(suite, tests);
    return suite;
}
