/* hello, rename, ping, tokens, expiry. */
#include "suites.h"
#include "world.h"
#include <room/default_name.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

static struct world world;

static void setup(void)
{
    world_init(&world);
}

static void teardown(void)
{
    world_release(&world);
}

START_TEST(test_hello)
{
    int tab = world_connect(&world);
    json_t *ok = world_ok(&world, tab, "hello", "{s:s,s:s}", "name", " Ana ", "client", "test");
    ck_assert_str_eq(str(ok, "name"), "Ana");
    ck_assert_str_eq(str(ok, "server"), "test 1");
    ck_assert_uint_eq(strlen(str(ok, "session")), 16);
    ck_assert_uint_eq(strlen(str(ok, "token")), 43);
    ck_assert_int_eq(num(ok, "time"), world.now_ms);
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "seats")), 0);
    const json_t *limits = json_object_get(ok, "limits");
    ck_assert_int_eq(num(limits, "message_bytes"), 4096);
    ck_assert_int_eq(num(limits, "requests_per_s"), 20);
    ck_assert_int_eq(num(limits, "requests_burst"), 60);
    ck_assert_int_eq(num(limits, "rooms_per_session"), 8);
    ck_assert_int_eq(num(limits, "seats_per_session"), 32);
    ck_assert_int_eq(num(limits, "connections_per_session"), 8);
    ck_assert_int_eq(num(limits, "name_chars"), 24);
    ck_assert_int_eq(num(limits, "title_chars"), 40);
    ck_assert_int_eq(num(limits, "say_chars"), 280);
    json_decref(ok);
    world_refused(&world, tab, "hello_twice", "hello", "");
}
END_TEST

/* Whoever gives no name gets one that the next one does not get too, and keeps it. */
START_TEST(test_hello_without_a_name)
{
    int tabs[] = {world_connect(&world), world_connect(&world), world_connect(&world)};
    json_t *first = world_ok(&world, tabs[0], "hello", "");
    json_t *second = world_ok(&world, tabs[1], "hello", "");
    ck_assert_str_eq(str(first, "name"), default_name_person(0));
    ck_assert_str_eq(str(second, "name"), default_name_person(1));
    ck_assert_str_ne(str(first, "name"), str(second, "name"));
    json_t *again = world_ok(&world, tabs[2], "hello", "{s:s}", "token", str(first, "token"));
    ck_assert_str_eq(str(again, "name"), str(first, "name"));
    json_decref(first);
    json_decref(second);
    json_decref(again);
}
END_TEST

START_TEST(test_hello_first)
{
    static const char *const ops[] = {"ping", "rooms", "create", "rename"};
    int tab = world_connect(&world);
    world_refused(&world, tab, "hello_first", "ping", "");
    world_refused(&world, tab, "hello_first", "rooms", "");
    world_refused(&world, tab, "hello_first", "create", "");
    world_refused(&world, tab, "hello_first", "watch", "{s:s}", "room", "00000000");
    world_refused(&world, tab, "unknown_token", "hello", "{s:s}", "token",
                  "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
    world_do(&world, tab, "hello", "");
    (void)ops;
}
END_TEST

START_TEST(test_token_is_kept_as_hash_only)
{
    int tab = world_guest(&world, "Ana");
    ck_assert_uint_eq(world.store.session_count, 1);
    const struct store_session *row = &world.store.sessions[0];
    char id[17];
    (void)snprintf(id, sizeof id, "%016llx", (unsigned long long)row->id);
    ck_assert_str_eq(id, world.tabs[tab].session);
    ck_assert_str_eq(row->name, "Ana");
    uint8_t token[32], hash[32];
    size_t len;
    ck_assert_int_eq(sodium_base642bin(token, sizeof token, world.tabs[tab].token, 43, NULL, &len,
                                       NULL, sodium_base64_VARIANT_URLSAFE_NO_PADDING),
                     0);
    ck_assert_uint_eq(len, 32);
    const struct credential_row *device = model_pass(&world.store, row->id, CREDENTIAL_DEVICE, 0);
    ck_assert_ptr_nonnull(device);
    ck_assert(memcmp(device->secret_hash, token, sizeof token) != 0);
    crypto_generichash(hash, sizeof hash, token, sizeof token, NULL, 0);
    ck_assert_mem_eq(device->secret_hash, hash, sizeof hash);
}
END_TEST

START_TEST(test_hello_waits_for_the_store)
{
    int tab = world_connect(&world);
    world.held = true;
    int64_t id = world_post(&world, tab, "hello", "{s:s}", "name", "Ana");
    world_settle(&world);
    ck_assert_ptr_null(world_reply(&world, tab, id));
    world.held = false;
    world_settle(&world);
    json_t *reply = world_reply(&world, tab, id);
    ck_assert_ptr_nonnull(json_object_get(reply, "ok"));
    json_decref(reply);
}
END_TEST

START_TEST(test_same_session_again)
{
    int tab = world_guest(&world, "Ana");
    int second = world_back(&world, tab);
    ck_assert_str_eq(world.tabs[tab].session, world.tabs[second].session);
    world_cut(&world, tab);
    world_restart(&world);
    int third = world_back(&world, second);
    ck_assert_str_eq(world.tabs[third].session, world.tabs[second].session);
    json_t *ok = world_ok(&world, third, "rename", "{s:s}", "name", "Bo");
    ck_assert_str_eq(str(ok, "name"), "Bo");
    json_decref(ok);
    ck_assert_str_eq(world.store.sessions[0].name, "Bo");
}
END_TEST

START_TEST(test_another_name_at_hello)
{
    int tab = world_guest(&world, "Ana");
    int again = world_connect(&world);
    json_t *ok = world_ok(&world, again, "hello", "{s:s,s:s}", "token", world.tabs[tab].token,
                          "name", "Chi");
    ck_assert_str_eq(str(ok, "name"), "Chi");
    json_decref(ok);
    ck_assert_str_eq(world.store.sessions[0].name, "Chi");
}
END_TEST

START_TEST(test_two_sessions_are_two)
{
    int one = world_guest(&world, "Ana"), two = world_guest(&world, "Ana");
    ck_assert_str_ne(world.tabs[one].session, world.tabs[two].session);
    ck_assert_str_ne(world.tabs[one].token, world.tabs[two].token);
}
END_TEST

START_TEST(test_ping)
{
    int tab = world_guest(&world, "Ana");
    world.now_ms += 77;
    json_t *ok = world_ok(&world, tab, "ping", "");
    ck_assert_int_eq(num(ok, "time"), world.now_ms);
    json_decref(ok);
}
END_TEST

enum { DAY_MS = 24 * 3600 * 1000 };

START_TEST(test_visitors_expire_first)
{
    int visitor = world_guest(&world, "Ana"), host = world_guest(&world, "Bo");
    world_do(&world, host, "create", "");
    char token[TOKEN_SPACE];
    memcpy(token, world.tabs[visitor].token, sizeof token);
    world_cut(&world, visitor);
    world_cut(&world, host);
    ck_assert_uint_eq(world.store.session_count, 2);
    world_pass(&world, (int64_t)world.config.visitor_idle_days * DAY_MS + 1);
    ck_assert_uint_eq(world.store.session_count, 1);
    world_pass(&world, (int64_t)world.config.session_idle_days * DAY_MS);
    ck_assert_uint_eq(world.store.session_count, 0);
    int late = world_connect(&world);
    world_refused(&world, late, "unknown_token", "hello", "{s:s}", "token", token);
}
END_TEST

/* A session that lost its seat while its owner was away is kept no longer than any other. */
START_TEST(test_a_seat_lost_while_away)
{
    struct table table;
    world_table(&world, &table, 2, "");
    world_cut(&world, table.tabs[1]);
    world_do(&world, table.tabs[0], "unseat", "{s:s,s:i}", "room", table.room, "seat", 1);
    ck_assert_uint_eq(world.store.session_count, 2);
    world_pass(&world, ((int64_t)world.config.session_idle_days + 1) * DAY_MS);
    ck_assert_uint_eq(world.store.session_count, 1);
}
END_TEST

/* A session with a seat in a rematch is kept while the rematch waits, even if its owner never joins
 * it. */
START_TEST(test_a_seat_in_a_rematch)
{
    struct table table;
    world_table(&world, &table, 2, "");
    world_begin(&world, &table);
    world_do(&world, table.tabs[0], "resign", "{s:s}", "room", table.room);
    json_t *ok = world_ok(&world, table.tabs[1], "rematch", "{s:s}", "room", table.room);
    int watcher = world_guest(&world, "Zoe");
    world_do(&world, watcher, "watch", "{s:s}", "room", str(ok, "room"));
    json_decref(ok);
    world_cut(&world, table.tabs[0]);
    world_cut(&world, table.tabs[1]);
    world_pass(&world, ((int64_t)world.config.session_idle_days + 1) * DAY_MS);
    ck_assert_uint_eq(world.store.session_count, 3);
}
END_TEST

/* After a restart too, the sessions seen longest ago are dropped first. */
START_TEST(test_expiry_after_a_restart)
{
    enum { VISITORS = 30, HOUR_MS = 3600000 };
    int64_t begun_ms = world.now_ms;
    for (int i = 0; i < VISITORS; i++) {
        world_cut(&world, world_guest(&world, "Zoe"));
        world.now_ms += HOUR_MS;
    }
    world_restart(&world);
    world.now_ms = begun_ms + (int64_t)world.config.visitor_idle_days * DAY_MS + 1;
    for (size_t i = 1; i <= VISITORS; i++) {
        world_pass(&world, 0);
        ck_assert_uint_eq(world.store.session_count, VISITORS - i);
        world.now_ms += HOUR_MS;
    }
}
END_TEST

/* The clock was a hundred days behind, and is set right at a start or while it runs; or nobody ran
 * the server for so long: nobody is forgotten for that, not at the next start either, and who stays
 * away afterwards is in the end. */
START_TEST(test_a_jump_of_the_clock_ends_no_session)
{
    char token[TOKEN_SPACE];
    const int first = world_guest(&world, "Ana");
    memcpy(token, world.tabs[first].token, sizeof token);
    world_cut(&world, first);
    world.now_ms += INT64_C(100) * DAY_MS;
    if (_i % 2 == 0)
        world_restart(&world);
    else
        hub_clock_set(world.hub, world.now_ms - INT64_C(100) * DAY_MS, world.now_ms);
    world_pass(&world, 0);
    if (_i >= 2) { /* when the store is as young as that */
        world_cut(&world, world_guest(&world, "Bob"));
        world_restart(&world);
        world_pass(&world, 0);
    }
    const int back = world_connect(&world);
    world_do(&world, back, "hello", "{s:s}", "token", token);
    world_cut(&world, back);
    world_pass(&world, (int64_t)world.config.visitor_idle_days * DAY_MS - 1);
    ck_assert_uint_eq(world.store.session_count, _i >= 2 ? 2 : 1);
    world_pass(&world, 1);
    ck_assert_uint_eq(world.store.session_count, 0);
}
END_TEST

START_TEST(test_players_do_not_expire)
{
    struct table table;
    world_table(&world, &table, 2, "");
    world_begin(&world, &table);
    world_pass(&world, (int64_t)world.config.session_idle_days * DAY_MS * 2);
    ck_assert_uint_eq(world.store.session_count, 2);
    world_cut(&world, table.tabs[1]);
    /* a seat in a match that is not over */
    world_pass(&world, (int64_t)world.config.session_idle_days * DAY_MS * 2);
    ck_assert_uint_eq(world.store.session_count, 2);
    world_restart(&world);
    /* Nobody returns: the match is called off, and the players lose their seats. */
    world_pass(&world, (int64_t)world.config.visitor_idle_days * DAY_MS * 2);
    ck_assert_uint_eq(world.store.session_count, 2);
    world_pass(&world, (int64_t)world.config.session_idle_days * DAY_MS);
    ck_assert_uint_eq(world.store.session_count, 0);
}
END_TEST

/* An error in the envelope is answered with the request's id, if it has one. */
static const struct {
    const char *text, *code, *field;
    bool has_id;
} bad[] = {
    {"", "bad_json", "", false},
    {"[]", "bad_json", "", false},
    {"{\"id\":1", "bad_json", "", false},
    {"{\"id\":1}", "missing_field", "op", true},
    {"{\"id\":1,\"op\":\"fly\"}", "unknown_op", "op", true},
    {"{\"op\":\"ping\"}", "missing_field", "id", false},
    {"{\"id\":-1,\"op\":\"ping\"}", "bad_field", "id", false},
    {"{\"id\":1.5,\"op\":\"ping\"}", "bad_field", "id", false},
    {"{\"id\":1,\"op\":\"ping\",\"x\":0}", "unknown_field", "x", true},
    {"{\"id\":1,\"op\":\"join\"}", "missing_field", "room", true},
    {"{\"id\":1,\"op\":\"join\",\"room\":7}", "bad_field", "room", true},
    {"{\"id\":1,\"id\":1,\"op\":\"ping\"}", "duplicate_key", "", false},
    {"{\"id\":1,\"op\":\"rename\",\"name\":\"\\u202e\"}", "bad_field", "name", true},
};

START_TEST(test_bad_messages)
{
    int tab = world_guest(&world, "Ana");
    world_send(&world, tab, bad[_i].text);
    world_settle(&world);
    ck_assert_uint_eq(world.tabs[tab].count, 1);
    const json_t *reply = world.tabs[tab].inbox[0], *error = json_object_get(reply, "error");
    ck_assert_str_eq(str(error, "code"), bad[_i].code);
    ck_assert_str_eq(str(error, "field"), bad[_i].field);
    ck_assert_int_eq(json_is_integer(json_object_get(reply, "id")), bad[_i].has_id);
    ck_assert_int_eq(json_is_null(json_object_get(reply, "id")), !bad[_i].has_id);
    world_forget(&world, tab);
    world_do(&world, tab, "ping", "");
}
END_TEST

/* More operations than fit into a batch: the rest waits for the next one. */
START_TEST(test_many_expire_at_once)
{
    enum { VISITORS = 40 };
    world.config.batch_ops = 16;
    world_start(&world);
    for (unsigned i = 0; i < VISITORS; i++) {
        int tab = world_connect_from(&world, i);
        world_do(&world, tab, "hello", "");
        world_cut(&world, tab);
    }
    ck_assert_uint_eq(world.store.session_count, VISITORS);
    world_pass(&world, INT64_C(8) * DAY_MS);
    ck_assert_uint_eq(world.store.session_count, 0);
}
END_TEST

Suite *session_suite(void)
{
    Suite *suite = suite_create("sessions");
    TCase *tests = tcase_create("sessions");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, test_hello);
    tcase_add_test(tests, test_hello_without_a_name);
    tcase_add_test(tests, test_hello_first);
    tcase_add_test(tests, test_token_is_kept_as_hash_only);
    tcase_add_test(tests, test_hello_waits_for_the_store);
    tcase_add_test(tests, test_same_session_again);
    tcase_add_test(tests, test_another_name_at_hello);
    tcase_add_test(tests, test_two_sessions_are_two);
    tcase_add_test(tests, test_ping);
    tcase_add_test(tests, test_visitors_expire_first);
    tcase_add_test(tests, test_a_seat_lost_while_away);
    tcase_add_test(tests, test_a_seat_in_a_rematch);
    tcase_add_test(tests, test_expiry_after_a_restart);
    tcase_add_loop_test(tests, test_a_jump_of_the_clock_ends_no_session, 0, 4);
    tcase_add_test(tests, test_players_do_not_expire);
    tcase_add_loop_test(tests, test_bad_messages, 0, sizeof bad / sizeof bad[0]);
    tcase_add_test(tests, test_many_expire_at_once);
    suite_add_tcase(suite, tests);
    return suite;
}
