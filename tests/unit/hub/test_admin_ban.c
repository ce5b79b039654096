/* Bans and silences of the operator: whom they mean, what they do, and how they are kept. */
#include "operator.h"
#include "suites.h"
#include "world.h"
#include <hub/admin.h>
#include <hub/ban_target.h>
#include <string.h>

static struct world world;

static void setup(void)
{
    world_init(&world);
    operator_init(&world);
}

static void teardown(void)
{
    world_release(&world);
}

static const char *line(const char *op, const char *target, const char *more)
{
    static char text[200];
    snprintf(text, sizeof text, "{\"id\":1,\"op\":\"%s\",\"target\":\"%s\"%s}", op, target, more);
    return text;
}

static const char hour[] = ",\"for_s\":3600", forced[] = ",\"for_s\":3600,\"force\":true";
enum { HOUR_MS = 3600000 };

static void done(const char *text)
{
    json_decref(operator_granted(text));
}

static size_t count_bans(void)
{
    json_t *ok = operator_granted("{\"id\":1,\"op\":\"bans\"}");
    const size_t count = json_array_size(json_object_get(ok, "bans"));
    json_decref(ok);
    return count;
}

/* Where a session is connected from, as the operator sees it. */
static void address_of_tab(int tab, char text[BAN_TARGET_TEXT])
{
    json_t *ok = operator_granted("{\"id\":1,\"op\":\"sessions\"}");
    const json_t *list = json_object_get(ok, "sessions");
    text[0] = '\0';
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *session = json_array_get(list, i);
        const json_t *addresses = json_object_get(session, "addresses");
        if (strcmp(str(session, "session"), world.tabs[tab].session) == 0)
            snprintf(text, BAN_TARGET_TEXT, "%s", json_string_value(json_array_get(addresses, 0)));
    }
    json_decref(ok);
}

/* The close code of a new connection from 198.51.100.HOST; 0: it is let in. */
static int refused_from(unsigned host)
{
    struct hub_peer peer;
    const uint8_t ip[16] = {
        [10] = 0xff, [11] = 0xff, [12] = 198, [13] = 51, [14] = 100, [15] = (uint8_t)host};
    const int code = hub_connect(world.hub, ip, world.now_ms, &peer);
    if (code == 0)
        hub_disconnect(world.hub, peer, world.now_ms);
    return code;
}

/* ---- what is refused */

static const struct {
    const char *op, *target, *code;
} refusals[] = {
    {"ban", "0000000000000009", "unknown_session"},
    {"silence", "0000000000000009", "unknown_session"},
    {"ban", "0.0.0.0/0", "too_wide"},
    {"silence", "0.0.0.0/0", "too_wide"},
    {"ban", "10.0.0.0/7", "too_wide"},
    {"ban", "127.0.0.1", "too_wide"},
    {"ban", "2000::/15", "too_wide"},
};

START_TEST(test_refused)
{
    operator_denied(line(refusals[_i].op, refusals[_i].target, hour), refusals[_i].code);
    ck_assert_uint_eq(count_bans(), 0);
    ck_assert_str_eq(operator_kept, "");
}
END_TEST

static const char *const allowed[] = {"10.0.0.0/8", "126.0.0.0/8", "128.0.0.0/8", "2000::/16"};

START_TEST(test_allowed)
{
    done(line("ban", allowed[_i], hour));
    done(line("ban", "0.0.0.0/0", forced));
    ck_assert_uint_eq(count_bans(), 2);
}
END_TEST

/* ---- what they do */

START_TEST(test_ban_session)
{
    const int ana = world_guest(&world, "Ana"), bo = world_guest(&world, "Bo");
    const int again = world_back(&world, ana);
    char token[TOKEN_SPACE];
    memcpy(token, world.tabs[ana].token, sizeof token);
    json_t *ok = operator_granted(line("ban", world.tabs[ana].session, hour));
    ck_assert_int_eq(num(ok, "closed"), 2);
    ck_assert_int_eq(num(ok, "until"), world.now_ms + HOUR_MS);
    ck_assert_str_eq(str(ok, "target"), world.tabs[ana].session);
    json_decref(ok);
    ck_assert_int_eq(world.tabs[ana].close_code, 4005);
    ck_assert_int_eq(world.tabs[again].close_code, 4005);
    ck_assert_int_eq(world.tabs[bo].close_code, 0);
    world_pass(&world, HOUR_MS - 1);
    const int late = world_connect(&world);
    world_refused(&world, late, "banned", "hello", "{s:s}", "token", token);
    ck_assert_int_eq(world.retry_ms, 1);
    ck_assert_int_eq(world.tabs[late].close_code, 4005);
    world_pass(&world, 1);
    world_do(&world, world_connect(&world), "hello", "{s:s}", "token", token);
}
END_TEST

static const struct {
    const char *target;
    unsigned host;
    bool meant;
} networks[] = {
    {"198.51.100.7", 7, true},        {"198.51.100.7", 6, false},
    {"198.51.100.0/30", 3, true},     {"198.51.100.0/30", 4, false},
    {"198.51.100.255/25", 200, true}, {"198.51.100.255/25", 100, false},
    {"198.51.0.0/16", 9, true},       {"198.50.0.0/16", 9, false},
    {"2001:db8::/32", 9, false},
};

START_TEST(test_ban_network)
{
    ck_assert_int_eq(refused_from(networks[_i].host), 0);
    done(line("ban", networks[_i].target, hour));
    ck_assert_int_eq(refused_from(networks[_i].host), networks[_i].meant ? 4005 : 0);
    world_pass(&world, HOUR_MS);
    ck_assert_int_eq(refused_from(networks[_i].host), 0);
}
END_TEST

START_TEST(test_ban_closes_those_who_are_there)
{
    char target[BAN_TARGET_TEXT];
    const int ana = world_guest(&world, "Ana"), stranger = world_connect_from(&world, 77);
    const int same = world_connect(&world); /* from where Ana is; it has not said hello */
    address_of_tab(ana, target);
    json_t *ok = operator_granted(line("ban", target, forced));
    ck_assert_int_eq(num(ok, "closed"), 2);
    json_decref(ok);
    ck_assert_int_eq(world.tabs[ana].close_code, 4005);
    ck_assert_int_eq(world.tabs[same].close_code, 4005);
    ck_assert_int_eq(world.tabs[stranger].close_code, 0);
    ck_assert_int_eq((int)world_figure(&world, "closes_total{code=\"4005\"}"), 2);
}
END_TEST

static void says(int tab, const char *room, const char *code)
{
    if (code)
        world_refused(&world, tab, code, "say", "{s:s,s:s}", "room", room, "text", "hello");
    else
        world_do(&world, tab, "say", "{s:s,s:s}", "room", room, "text", "hello");
}

START_TEST(test_silence)
{
    struct table table;
    char target[BAN_TARGET_TEXT];
    world_table(&world, &table, 2, "");
    world_begin(&world, &table);
    const int ana = table.tabs[0], bo = table.tabs[1];
    address_of_tab(ana, target);
    done(_i == 0 ? line("silence", world.tabs[ana].session, hour)
                 : line("silence", target, forced));
    says(ana, table.room, "silenced");
    ck_assert_int_eq(world.retry_ms, HOUR_MS);
    says(bo, table.room, _i == 0 ? NULL : "silenced"); /* both come from there */
    ck_assert_int_ge(world_move(&world, &table), 0);   /* but they play */
    world_back(&world, ana);                           /* and come back */
    world_pass(&world, HOUR_MS);
    says(ana, table.room, NULL);
}
END_TEST

START_TEST(test_lift)
{
    const int ana = world_guest(&world, "Ana");
    char token[TOKEN_SPACE];
    memcpy(token, world.tabs[ana].token, sizeof token);
    operator_denied(line("lift", world.tabs[ana].session, ""), "not_banned");
    done(line("ban", world.tabs[ana].session, hour));
    done(line("silence", world.tabs[ana].session, hour));
    done(line("ban", "198.51.100.0/24", hour));
    operator_denied(line("lift", "198.51.100.0/25", ""), "not_banned");
    done(line("lift", world.tabs[ana].session, ""));
    world_do(&world, world_connect(&world), "hello", "{s:s}", "token", token);
    ck_assert_int_eq(refused_from(9), 4005);
    done(line("lift", "198.51.100.9/24", ""));
    ck_assert_int_eq(refused_from(9), 0);
    ck_assert_str_eq(operator_kept, "{\"bans\":1}\n{\"end\":0}\n");
}
END_TEST

/* ---- how they are kept */

START_TEST(test_listed_and_kept)
{
    size_t closed;
    done(line("ban", "198.51.100.0/24", ",\"for_s\":10,\"reason\":\"first\""));
    done(line("ban", "198.51.100.0/24", ",\"for_s\":60,\"reason\":\"spam\""));
    done(line("silence", "2001:db8::/48", hour));
    json_t *ok = operator_granted("{\"id\":1,\"op\":\"bans\"}");
    const json_t *list = json_object_get(ok, "bans");
    ck_assert_uint_eq(json_array_size(list), 2); /* the second is in place of the first */
    ck_assert_str_eq(str(json_array_get(list, 0), "reason"), "spam");
    ck_assert_int_eq(num(json_array_get(list, 0), "since"), world.now_ms);
    ck_assert_int_eq(num(json_array_get(list, 0), "until"), world.now_ms + 60000);
    ck_assert(json_is_true(json_object_get(json_array_get(list, 1), "silence")));
    ck_assert_str_eq(str(json_array_get(list, 1), "target"), "2001:db8:0:0::/48");
    json_decref(ok);
    world_restart(&world);
    ck_assert_int_eq(refused_from(9), 0);
    ck_assert(operator_restore(&closed));
    ck_assert_int_eq(refused_from(9), 4005);
    world_pass(&world, 60000);
    ck_assert_uint_eq(count_bans(), 1);
    done(line("lift", "2001:db8::/48", "")); /* leaves out what has ended */
    ck_assert_str_eq(operator_kept, "{\"bans\":1}\n{\"end\":0}\n");
}
END_TEST

/* The clock was a hundred days behind, and is set right; of them one counts. */
START_TEST(test_a_jump_of_the_clock_lifts_nothing)
{
    enum { DAY_MS = 86400000 };
    size_t closed;
    world_cut(&world, world_guest(&world, "Ana")); /* by whom the time is known */
    done(line("ban", "198.51.100.0/24", ",\"for_s\":2592000"));
    world.now_ms += INT64_C(100) * DAY_MS;
    for (int start = 0; start < 3; start++) { /* the second time nothing else was stored */
        world_restart(&world);
        ck_assert(operator_restore(&closed));
        ck_assert_int_eq(refused_from(9), 4005);
        if (start == 1)
            world_cut(&world, world_guest(&world, "Bob"));
    }
    done(line("ban", "2001:db8::/48", hour)); /* leaves out what has ended */
    json_t *ok = operator_granted("{\"id\":1,\"op\":\"bans\"}");
    const json_t *first = json_array_get(json_object_get(ok, "bans"), 0);
    ck_assert_str_eq(str(first, "target"), "198.51.100.0/24");
    ck_assert_int_eq(num(first, "until"), world.now_ms + INT64_C(29) * DAY_MS);
    json_decref(ok);
    world_pass(&world, INT64_C(29) * DAY_MS);
    ck_assert_uint_eq(count_bans(), 0);
    ck_assert_int_eq(refused_from(9), 0);
}
END_TEST

START_TEST(test_what_cannot_be_kept_is_refused)
{
    const int ana = world_guest(&world, "Ana");
    char token[TOKEN_SPACE];
    memcpy(token, world.tabs[ana].token, sizeof token);
    operator_full = true;
    operator_denied(line("ban", world.tabs[ana].session, hour), "store_failing");
    ck_assert_int_eq(world.tabs[ana].close_code, 0);
    ck_assert_uint_eq(count_bans(), 0);
    operator_full = false;
    done(line("ban", world.tabs[ana].session, hour));
    operator_full = true;
    operator_denied(line("lift", world.tabs[ana].session, ""), "store_failing");
    world_refused(&world, world_connect(&world), "banned", "hello", "{s:s}", "token", token);
}
END_TEST

START_TEST(test_too_many)
{
    world.config.bans = 2;
    world_start(&world);
    done(line("ban", "198.51.100.1", hour));
    done(line("ban", "198.51.100.2", hour));
    operator_denied(line("ban", "198.51.100.3", hour), "too_many_bans");
    done(line("ban", "198.51.100.2", hour));
    world_pass(&world, HOUR_MS);
    done(line("ban", "198.51.100.3", hour));
}
END_TEST

#define BANS      "{\"bans\":1}\n"
#define ONE(more) "{\"target\":\"1.2.3.4\"," more "}\n"
#define END(n)    "{\"end\":" n "}\n"

static const char *const damaged[] = {
    "\n",
    BANS,
    "{\"bans\":2}\n" END("0"),
    BANS END("1"),
    BANS "{\"end\":0}",
    BANS END("0") "\n",
    BANS ONE("\"silence\":false,\"since\":1,\"until\":2") END("0"),
    BANS "{\"target\":\"1.2.3\",\"silence\":false,\"since\":1,\"until\":2}\n" END("1"),
    BANS ONE("\"silence\":0,\"since\":1,\"until\":2") END("1"),
    BANS ONE("\"silence\":true,\"since\":1,\"until\":\"2\"") END("1"),
    BANS ONE("\"silence\":true,\"until\":2") END("1"),
    BANS ONE("\"silence\":true,\"since\":1,\"until\":2,\"reason\":\"\"") END("1"),
};

START_TEST(test_damaged)
{
    done(line("ban", "198.51.100.0/24", hour));
    ck_assert(!operator_holds(damaged[_i]));
    ck_assert_int_eq(refused_from(9), 4005); /* what held goes on */
}
END_TEST

/* ---- whom they mean */

static const struct {
    const char *text, *shown; /* NULL: it is no target */
} targets[] = {
    {"2f1c5e0ab9d34477", "2f1c5e0ab9d34477"},
    {"0000000000000000", NULL},
    {"2f1c5e0ab9d3447", NULL},
    {"203.0.113.7", "203.0.113.7"},
    {"203.0.113.7/32", "203.0.113.7"},
    {"203.0.113.7/31", "203.0.113.6/31"},
    {"203.0.113.7/8", "203.0.0.0/8"},
    {"203.0.113.7/33", NULL},
    {"203.0.113.7/", NULL},
    {"203.0.113.7/+8", NULL},
    {"203.0.113.7/8x", NULL},
    {"203.0.113", NULL},
    {" 203.0.113.7", NULL},
    {"2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"},
    {"2001:db8:1:2:3:4:5:6/128", "2001:db8:1:2::/64"},
    {"2001:db8:1:2::/63", "2001:db8:1:2::/63"},
    {"2001:db8:1:3::/63", "2001:db8:1:2::/63"},
    {"2001:db8::/129", NULL},
    {"::1", NULL},
    {"::/0", NULL},
    {"local", NULL},
    {"", NULL},
};

START_TEST(test_target)
{
    struct ban_target target, again;
    char text[BAN_TARGET_TEXT];
    const bool good = ban_target_read(&target, targets[_i].text);
    ck_assert_msg(good == (targets[_i].shown != NULL), "%s", targets[_i].text);
    if (!good)
        return;
    ban_target_format(&target, text);
    ck_assert_str_eq(text, targets[_i].shown);
    ck_assert(ban_target_read(&again, text) && ban_target_same(&target, &again));
}
END_TEST

Suite *admin_ban_suite(void)
{
    Suite *suite = suite_create("admin ban");
    TCase *tests = tcase_create("admin ban");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_loop_test(tests, test_refused, 0, sizeof refusals / sizeof refusals[0]);
    tcase_add_loop_test(tests, test_allowed, 0, sizeof allowed / sizeof allowed[0]);
    tcase_add_test(tests, test_ban_session);
    tcase_add_loop_test(tests, test_ban_network, 0, sizeof networks / sizeof networks[0]);
    tcase_add_test(tests, test_ban_closes_those_who_are_there);
    tcase_add_loop_test(tests, test_silence, 0, 2);
    tcase_add_test(tests, test_lift);
    tcase_add_test(tests, test_listed_and_kept);
    tcase_add_test(tests, test_a_jump_of_the_clock_lifts_nothing);
    tcase_add_test(tests, test_what_cannot_be_kept_is_refused);
    tcase_add_test(tests, test_too_many);
    tcase_add_loop_test(tests, test_damaged, 0, sizeof damaged / sizeof damaged[0]);
    tcase_add_loop_test(tests, test_target, 0, sizeof targets / sizeof targets[0]);
    suite_add_tcase(suite, tests);
    return suite;
}
