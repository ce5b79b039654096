/* A session on several devices: links, the recovery phrase, the list, ending one. */
#include "devices.h"
#include "suites.h"
#include <protocol/encoding.h>
#include <string.h>

/* ---- links */

START_TEST(test_a_link_opens_the_session_once)
{
    char pass[PASS_SPACE];
    int ana = world_guest(&device_world, "Ana");
    device_make(ana, "link", pass);
    int phone = device_enter(pass, "Chromium on Android");
    ck_assert_str_eq(device_world.tabs[phone].session, device_world.tabs[ana].session);
    ck_assert_str_ne(device_world.tabs[phone].token, device_world.tabs[ana].token);
    device_refused(pass, "unknown_pass");
    device_expect_list(ana, "|*|Chromium on Android");
    device_expect_list(phone, "||Chromium on Android*");
    world_cut(&device_world, ana);
    world_cut(&device_world, phone);
    world_restart(&device_world);
    device_refused(pass, "unknown_pass");
    phone = world_back(&device_world, phone);
    device_expect_list(phone, "||Chromium on Android*");
}
END_TEST

START_TEST(test_a_link_says_how_long_it_is_good)
{
    char pass[PASS_SPACE];
    int ana = world_guest(&device_world, "Ana");
    json_t *ok = world_ok(&device_world, ana, "link", "");
    ck_assert_int_eq(num(ok, "until"), device_world.now_ms + 600000);
    json_decref(ok);
    device_make(ana, "link", pass);
    device_world.now_ms += 600000;
    device_refused(pass, "unknown_pass");
    device_make(ana, "link", pass);
    world_restart(&device_world);
    device_world.now_ms += 599999;
    device_enter(pass, "a");
}
END_TEST

START_TEST(test_of_two_at_once_one_gets_in)
{
    char pass[PASS_SPACE];
    int ana = world_guest(&device_world, "Ana");
    device_make(ana, "link", pass);
    int one = world_connect(&device_world), other = world_connect(&device_world);
    device_world.held = true;
    int64_t first = world_post(&device_world, one, "hello", "{s:s}", "pass", pass);
    int64_t second = world_post(&device_world, other, "hello", "{s:s}", "pass", pass);
    world_settle(&device_world);
    world_denied(&device_world, other, second, "slow_down"); /* the first may fail yet */
    ck_assert_ptr_null(world_reply(&device_world, one, first));
    device_world.held = false;
    world_settle(&device_world);
    world_granted(&device_world, one, first);
    device_refused(pass, "unknown_pass");
    device_expect_list(ana, "|*|");
}
END_TEST

/* `number` tells one secret from another. */
static int64_t post_enter(int tab, const char *pass, int number)
{
    char secret[TOKEN_SPACE];
    uint8_t bytes[TOKEN_RANDOM_BYTES] = {(uint8_t)number};
    token_encode(secret, bytes);
    return world_post(&device_world, tab, "hello", "{s:s,s:s,s:s,s:s}", "pass", pass, "secret",
                      secret, "client", "phone", "name", "Nobody");
}

static void enter_refused(const char *pass, int number, const char *code)
{
    const int tab = world_connect(&device_world);
    const int64_t id = post_enter(tab, pass, number);
    world_settle(&device_world);
    world_denied(&device_world, tab, id, code);
    world_cut(&device_world, tab);
}

static void enter(const char *pass, int number, char token[static TOKEN_SPACE])
{
    const int tab = world_connect(&device_world);
    const int64_t id = post_enter(tab, pass, number);
    world_settle(&device_world);
    json_t *reply = world_reply(&device_world, tab, id), *ok = json_object_get(reply, "ok");
    ck_assert_str_eq(str(ok, "name"), "Ana");
    (void)snprintf(token, TOKEN_SPACE, "%s", str(ok, "token"));
    json_decref(reply);
    world_cut(&device_world, tab);
}

/* The answer is lost with the server: who asks again as before gets it, and nobody else. */
START_TEST(test_a_lost_answer_to_a_link_is_given_again)
{
    char pass[PASS_SPACE], first[TOKEN_SPACE], again[TOKEN_SPACE], other[TOKEN_SPACE];
    int ana = world_guest(&device_world, "Ana");
    device_make(ana, "link", pass);
    enter(pass, 1, first);
    world_cut(&device_world, ana);
    world_restart(&device_world);
    ana = world_back(&device_world, ana);
    enter_refused(pass, 2, "unknown_pass");
    device_refused(pass, "unknown_pass");
    device_world.now_ms += 59000;
    enter(pass, 1, again);
    ck_assert_str_eq(again, first);
    device_expect_list(ana, "|*|phone");
    device_world.now_ms += 2000;
    enter_refused(pass, 1, "unknown_pass");
    /* A phrase makes another device for each secret, and each time without one. */
    device_make(ana, "phrase", pass);
    enter(pass, 1, first);
    enter(pass, 1, again);
    ck_assert_str_eq(again, first);
    enter(pass, 2, other);
    ck_assert_str_ne(other, first);
    device_expect_list(ana, "|*|phone|phone|phone");
    const int tab = world_connect(&device_world);
    world_refused(&device_world, tab, "bad_field", "hello", "{s:s}", "secret", first);
}
END_TEST

START_TEST(test_more_links_replace_the_oldest)
{
    char first[PASS_SPACE], second[PASS_SPACE], pass[PASS_SPACE];
    int ana = world_guest(&device_world, "Ana");
    device_make(ana, "link", first);
    device_make(ana, "link", second);
    for (int more = 0; more < device_world.config.links_per_session - 1; more++)
        device_make(ana, "link", pass);
    device_refused(first, "unknown_pass");
    device_enter(second, "a");
    device_enter(pass, "b");
    device_expect_list(ana, "|*|a|b");
}
END_TEST

START_TEST(test_only_hashes_are_stored)
{
    char pass[PASS_SPACE];
    int ana = world_guest(&device_world, "Ana");
    const uint64_t session = device_world.store.sessions[0].id;
    device_make(ana, "link", pass);
    const struct credential_row *row = model_pass(&device_world.store, session, CREDENTIAL_LINK, 0);
    ck_assert_ptr_nonnull(row);
    ck_assert_int_ne(memcmp(row->secret_hash, pass, PASS_SPACE - 1), 0);
    ck_assert_str_eq(row->name, "");
    device_enter(pass, "a");
    ck_assert_ptr_null(model_pass(&device_world.store, session, CREDENTIAL_LINK, 0));
    ck_assert_ptr_nonnull(model_pass(&device_world.store, session, CREDENTIAL_DEVICE, 1));
}
END_TEST

START_TEST(test_a_slip_is_no_guess)
{
    char pass[PASS_SPACE];
    int ana = world_guest(&device_world, "Ana"), tab = world_connect(&device_world);
    device_make(ana, "link", pass);
    for (size_t at = 0; at < PASS_SPACE - 1; at++) {
        char slip[PASS_SPACE];
        memcpy(slip, pass, sizeof slip);
        slip[at] = slip[at] == 'z' ? 'y' : 'z';
        world_refused(&device_world, tab, "bad_field", "hello", "{s:s}", "pass", slip);
        device_world.now_ms += 100;
    }
    world_refused(&device_world, tab, "bad_field", "hello", "{s:s,s:s}", "pass", pass, "token",
                  device_world.tabs[ana].token);
    world_do(&device_world, tab, "hello", "{s:s}", "pass", pass);
}
END_TEST

START_TEST(test_guessing_is_bounded)
{
    char pass[PASS_SPACE];
    int ana = world_guest(&device_world, "Ana"), tab = world_connect_from(&device_world, 2);
    device_make(ana, "link", pass);
    int guesses = world_until_refused(&device_world, tab, "slow_down",
                                      "{\"id\":1,\"op\":\"hello\","
                                      "\"pass\":\"7zk3f09qa5vtd2e8r1x6mhbw4cbv\"}");
    ck_assert_int_eq(guesses, device_world.config.guesses_burst);
    device_world.now_ms += 1000;
    world_do(&device_world, tab, "hello", "{s:s}", "pass", pass); /* a right one is none */
}
END_TEST

START_TEST(test_many_changes_have_to_wait)
{
    char phrase[PASS_SPACE];
    int ana = world_guest(&device_world, "Ana"), phone = device_by_link(ana, "Phone");
    device_make(phone, "phrase", phrase);
    int made = world_until_refused(&device_world, phone, "slow_down", "{\"id\":1,\"op\":\"link\"}");
    ck_assert_int_eq(made, device_world.config.passes_burst - 3);
    ck_assert_int_ge(device_world.retry_ms, 60000 / device_world.config.passes_per_min - 1000);
    device_forget(ana, 1); /* whoever has used them all up can still be ended */
    device_world.now_ms += 60000;
    device_enter(phrase, "a"); /* and a phrase stays, whoever made it */
}
END_TEST

START_TEST(test_one_change_at_a_time)
{
    int ana = world_guest(&device_world, "Ana");
    device_world.held = true;
    int64_t first = world_post(&device_world, ana, "link", "");
    int64_t second = world_post(&device_world, ana, "phrase", "");
    int64_t third =
        world_post(&device_world, ana, "unnotify", "{s:s}", "endpoint", "https://a.example");
    world_settle(&device_world);
    world_denied(&device_world, ana, second, "slow_down");
    world_denied(&device_world, ana, third, "slow_down");
    device_world.held = false;
    world_settle(&device_world);
    world_granted(&device_world, ana, first);
    world_do(&device_world, ana, "phrase", "");
}
END_TEST

/* ---- the recovery phrase */

START_TEST(test_a_phrase_is_good_until_it_is_replaced)
{
    char old[PASS_SPACE], pass[PASS_SPACE];
    int ana = world_guest(&device_world, "Ana");
    device_make(ana, "phrase", old);
    device_make(ana, "phrase", pass);
    json_t *ok = world_ok(&device_world, ana, "devices", "");
    ck_assert_int_eq(num(ok, "phrase"), device_world.now_ms);
    json_decref(ok);
    device_refused(old, "unknown_pass");
    device_enter(pass, "a");
    world_restart(&device_world);
    device_world.now_ms += 30 * INT64_C(86400000);
    int again = device_enter(pass, "b");
    device_expect_list(again, "||a|b*");
}
END_TEST

/* ---- the list */

START_TEST(test_names_and_times)
{
    int ana = world_connect(&device_world);
    char device[DEVICE_SPACE];
    json_t *ok =
        world_ok(&device_world, ana, "hello", "{s:s,s:s}", "name", "Ana", "client", "Firefox");
    memcpy(device_world.tabs[ana].token, str(ok, "token"), TOKEN_SPACE);
    json_decref(ok);
    const int64_t then_ms = device_world.now_ms;
    int phone = device_by_link(ana, "Phone");
    device_world.now_ms += 5000;
    world_cut(&device_world, phone);
    device_world.now_ms += 5000;
    ok = world_ok(&device_world, ana, "devices", "");
    const json_t *devices = json_object_get(ok, "devices");
    const json_t *first = json_array_get(devices, 0), *other = json_array_get(devices, 1);
    ck_assert_str_eq(str(first, "device"), "00000000");
    ck_assert_str_eq(str(first, "name"), "Firefox");
    ck_assert_int_eq(num(first, "since"), then_ms);
    ck_assert_int_eq(num(ok, "phrase"), -1);
    ck_assert_int_eq(num(first, "seen"), device_world.now_ms);
    ck_assert(json_is_true(json_object_get(first, "online")));
    ck_assert_int_eq(num(other, "since"), then_ms);
    ck_assert_int_eq(num(other, "seen"), then_ms + 5000);
    ck_assert(json_is_false(json_object_get(other, "online")));
    ck_assert_ptr_null(json_object_get(other, "this"));
    json_decref(ok);
    device_number(ana, 1, device);
    world_do(&device_world, ana, "rename", "{s:s,s:s}", "name", "My phone", "device", device);
    device_expect_list(ana, "|Firefox*|My phone");
    world_restart(&device_world);
    ana = world_back(&device_world, ana);
    device_expect_list(ana, "|Firefox*|My phone");
    world_refused(&device_world, ana, "unknown_device", "rename", "{s:s,s:s}", "name", "x",
                  "device", "ffffffff");
}
END_TEST

/* A hello that stores when the device was seen and another name needs two places in the batch,
 * however full that is. */
START_TEST(test_a_hello_that_stores_two_things)
{
    struct table table;
    world_table(&device_world, &table, 2, "");
    int ana = world_guest(&device_world, "Ana"), host = table.tabs[0];
    const struct tab was = device_tab(ana);
    world_cut(&device_world, ana);
    device_world.now_ms += 7200000;
    host = world_back(&device_world, host);
    device_world.held = true;
    for (int i = 0; i < _i; i++) {
        world_post(&device_world, host, "ready", "{s:s,s:b}", "room", table.room, "ready",
                   i % 2 == 0);
        world_settle(&device_world); /* the first goes out alone */
    }
    int again = world_connect(&device_world);
    int64_t hello = world_post(&device_world, again, "hello", "{s:s,s:s,s:s}", "token", was.token,
                               "name", "Eva", "client", "New");
    world_settle(&device_world);
    device_world.held = false;
    world_settle(&device_world);
    world_granted(&device_world, again, hello);
}
END_TEST

/* Seen again much later: that is stored, and the name that it was given stays. */
START_TEST(test_what_is_known_of_a_device_is_stored)
{
    int ana = world_guest(&device_world, "Ana");
    const uint64_t session = device_world.store.sessions[0].id;
    const struct tab was = device_tab(ana);
    world_cut(&device_world, ana);
    device_world.now_ms += 7200000;
    int again = world_connect(&device_world);
    world_do(&device_world, again, "hello", "{s:s,s:s}", "token", was.token, "client", "New");
    world_settle(&device_world);
    const struct credential_row *row =
        model_pass(&device_world.store, session, CREDENTIAL_DEVICE, 0);
    ck_assert_int_eq(row->seen_ms, device_world.now_ms);
    ck_assert_str_eq(row->name, "New"); /* it had none */
    int third = world_connect(&device_world);
    world_do(&device_world, third, "hello", "{s:s,s:s}", "token", was.token, "client", "Two");
    device_expect_list(third, "|New*");
}
END_TEST

START_TEST(test_who_was_away_longest_makes_room)
{
    char pass[PASS_SPACE];
    int ana = world_guest(&device_world, "Ana");
    device_make(ana, "phrase", pass);
    struct tab first = {.count = 0};
    for (int at = 1; at < device_world.config.devices_per_session; at++) {
        device_world.now_ms += 60000;
        int tab = device_enter(pass, at == 1 ? "first" : "other");
        if (at == 1)
            first = device_tab(tab);
        if (at <= 2)
            world_cut(&device_world, tab);
    }
    device_enter(pass, "new");
    device_is_ended(first.token);
    ck_assert_uint_eq(model_rows(&device_world.store, &credential_table),
                      (size_t)device_world.config.devices_per_session + 1);
}
END_TEST

START_TEST(test_devices_in_use_do_not_make_room)
{
    char pass[PASS_SPACE];
    device_world.config.devices_per_session = 2;
    world_start(&device_world);
    int ana = world_guest(&device_world, "Ana");
    int phone = device_by_link(ana, "Phone");
    device_make(ana, "link", pass);
    device_refused(pass, "too_many_devices");
    const struct tab was = device_tab(phone);
    world_cut(&device_world, phone);
    device_enter(pass, "new"); /* the link was not used up */
    device_is_ended(was.token);
}
END_TEST

/* ---- ending a device */

static void tell(int tab, const char *endpoint)
{
    world_do(
        &device_world, tab, "notify", "{s:s,s:s,s:s}", "endpoint", endpoint, "p256dh",
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth", "BTBZMqHH6r4Tts7J_aSIgg");
}

START_TEST(test_an_ended_device_is_out_at_once)
{
    char pass[PASS_SPACE];
    int ana = world_guest(&device_world, "Ana");
    int phone = device_by_link(ana, "Phone");
    tell(ana, "https://push.example/1");
    tell(phone, "https://push.example/2");
    device_make(phone, "link", pass);
    int tab = world_back(&device_world, phone);
    const struct tab was = device_tab(phone);
    device_forget(ana, 1);
    ck_assert_int_eq(device_world.tabs[phone].close_code, 4006);
    ck_assert_int_eq(device_world.tabs[tab].close_code, 4006);
    device_is_ended(was.token);
    device_refused(pass, "unknown_pass");
    device_expect_list(ana, "|*");
    ck_assert_uint_eq(model_rows(&device_world.store, &browser_table), 1);
    ck_assert_str_eq(
        ((const struct browser_row *)model_nth(&device_world.store, &browser_table, 0))->endpoint,
        "https://push.example/1");
    json_t *ok =
        world_ok(&device_world, ana, "unnotify", "{s:s}", "endpoint", "https://push.example/3");
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "devices")), 1);
    json_decref(ok);
    world_restart(&device_world);
    ana = world_back(&device_world, ana);
    device_is_ended(was.token);
    device_expect_list(ana, "|*");
}
END_TEST

START_TEST(test_ones_own_device)
{
    char pass[PASS_SPACE];
    int ana = world_guest(&device_world, "Ana");
    device_make(ana, "phrase", pass);
    int64_t id = world_post(&device_world, ana, "forget", "{s:s}", "device", "00000000");
    world_settle(&device_world);
    world_granted(&device_world, ana, id);
    ck_assert_int_eq(device_world.tabs[ana].close_code, 4006);
    const struct tab was = device_tab(ana);
    device_is_ended(was.token);
    int again = device_enter(pass, "again");
    ck_assert_str_eq(device_world.tabs[again].session, was.session);
    device_expect_list(again, "|again*");
}
END_TEST

START_TEST(test_devices_of_others_are_none_of_ones_own)
{
    char device[DEVICE_SPACE];
    int ana = world_guest(&device_world, "Ana"), bo = world_guest(&device_world, "Bo");
    int phone = device_by_link(bo, "Phone");
    device_number(bo, 1, device);
    world_refused(&device_world, ana, "unknown_device", "forget", "{s:s}", "device", device);
    world_refused(&device_world, ana, "bad_field", "forget", "{s:s}", "device", "0000000G");
    device_expect_list(phone, "||Phone*");
}
END_TEST

/* What it has asked for before is done, and its seat is the other device's too. */
START_TEST(test_ended_in_the_middle_of_a_move)
{
    struct table table;
    char device[DEVICE_SPACE];
    world_table(&device_world, &table, 2, "");
    world_begin(&device_world, &table);
    int home = world_back(&device_world, table.tabs[0]);
    int phone = device_by_link(home, "Phone");
    device_number(home, 1, device);
    world_do(&device_world, phone, "join", "{s:s,s:i}", "room", table.room, "have", 0);
    world_forget(&device_world, phone);
    const size_t before = model_room(&device_world.store, table.room)->count;
    device_world.held = true;
    (void)world_post(&device_world, phone, "resign", "{s:s}", "room", table.room);
    int64_t id = world_post(&device_world, home, "forget", "{s:s}", "device", device);
    world_settle(&device_world);
    device_world.held = false;
    world_settle(&device_world);
    world_granted(&device_world, home, id);
    ck_assert_int_eq(device_world.tabs[phone].close_code, 4006);
    ck_assert_uint_gt(model_room(&device_world.store, table.room)->count, before);
    world_refused(&device_world, home, "is_over", "resign", "{s:s}", "room", table.room);
}
END_TEST

Suite *device_suite(void)
{
    Suite *suite = suite_create("devices");
    TCase *tests = tcase_create("devices");
    tcase_add_checked_fixture(tests, device_setup, device_teardown);
    tcase_add_test(tests, test_a_link_opens_the_session_once);
    tcase_add_test(tests, test_a_link_says_how_long_it_is_good);
    tcase_add_test(tests, test_of_two_at_once_one_gets_in);
    tcase_add_test(tests, test_a_lost_answer_to_a_link_is_given_again);
    tcase_add_test(tests, test_more_links_replace_the_oldest);
    tcase_add_test(tests, test_only_hashes_are_stored);
    tcase_add_test(tests, test_a_slip_is_no_guess);
    tcase_add_test(tests, test_guessing_is_bounded);
    tcase_add_test(tests, test_many_changes_have_to_wait);
    tcase_add_test(tests, test_one_change_at_a_time);
    tcase_add_test(tests, test_a_phrase_is_good_until_it_is_replaced);
    tcase_add_test(tests, test_names_and_times);
    tcase_add_loop_test(tests, test_a_hello_that_stores_two_things, 8, 20);
    tcase_add_test(tests, test_what_is_known_of_a_device_is_stored);
    tcase_add_test(tests, test_who_was_away_longest_makes_room);
    tcase_add_test(tests, test_devices_in_use_do_not_make_room);
    tcase_add_test(tests, test_an_ended_device_is_out_at_once);
    tcase_add_test(tests, test_ones_own_device);
    tcase_add_test(tests, test_devices_of_others_are_none_of_ones_own);
    tcase_add_test(tests, test_ended_in_the_middle_of_a_move);
    suite_add_tcase(suite, tests);
    return suite;
}
