/* A session whose home is another part of the site: here it is as any other, but nothing of it is
 * kept. */
#include "site.h"
#include "suites.h"
#include <cards.h>
#include <hub/part.h>
#include <hub/think.h>
#include <string.h>

static struct site site;
static struct table *const table = &site.table;

static int zoe(void)
{
    return table->tabs[0];
}

static int ana(void)
{
    return table->tabs[1];
}

static void expect_seats(size_t count)
{
    struct hub_seat seat = {.seat = 99};
    ck_assert_uint_eq(hub_seats(away.hub, site.ana, &seat, 1), count);
    if (count == 0)
        return;
    ck_assert_str_eq(seat.room_id, table->room);
    ck_assert_uint_eq(seat.seat, 1);
}

/* The name that is shown of a seat. */
static void expect_seat_name(int tab, int seat, const char *name)
{
    json_t *ok = world_ok(&away, tab, "watch", "{s:s}", "room", table->room);
    const json_t *seats = json_object_get(json_object_get(ok, "state"), "seats");
    const char key[] = {(char)('0' + seat), '\0'};
    ck_assert_str_eq(str(json_object_get(seats, key), "name"), name);
    json_decref(ok);
}

/* ---- whole matches */

START_TEST(test_a_match)
{
    site_table(&site, "");
    ck_assert_uint_eq(part_of_session(site.ana, 2), 0);
    ck_assert_uint_eq(part_of_room(table->room, 2), 1);
    expect_seats(1);
    world_begin(&away, table);
    world_play_out(&away, table);
    expect_seats(0);
    world_cut(&away, ana());
    ck_assert_uint_eq(site_foreign(&away), 0);
    ck_assert_uint_eq(away.store.session_count, 1);
    ck_assert_uint_eq(model_rows(&away.store, &credential_table), 1);
    ck_assert_ptr_null(model_session(&away.store, site.ana));
}
END_TEST

static void come_back(void)
{
    table->tabs[0] = world_back(&away, zoe());
    table->tabs[1] = site_go(site.ana, "Anna");
    for (int i = 0; i < 2; i++)
        world_do(&away, table->tabs[i], "join", "{s:s}", "room", table->room);
}

START_TEST(test_a_restart_of_the_room_s_part)
{
    struct hub_metrics figures;
    site_table(&site, "");
    world_begin(&away, table);
    for (int i = 0; i < 7; i++)
        ck_assert_int_ge(world_move(&away, table), 0);
    world_restart(&away);
    ck_assert_uint_eq(site_foreign(&away), 1);
    hub_metrics(away.hub, &figures);
    ck_assert_uint_eq(figures.sessions, 1);
    expect_seats(1);
    come_back();
    ck_assert_uint_eq(site_foreign(&away), 1);
    world_play_out(&away, table);
    world_cut(&away, ana());
    ck_assert_uint_eq(site_foreign(&away), 0);
}
END_TEST

START_TEST(test_a_restart_of_its_home)
{
    site_table(&site, "");
    world_begin(&away, table);
    world_restart(&home);
    for (int i = 0; i < 7; i++)
        ck_assert_int_ge(world_move(&away, table), 0);
    ck_assert_int_ge(world_back(&home, site.ana_home), 0);
}
END_TEST

/* Sits, hosts, watches: each keeps it here, and nothing else does. */
START_TEST(test_stays_while_it_is_used)
{
    site_meet(&site);
    ck_assert_uint_eq(site_foreign(&away), 1);
    world_cut(&away, ana());
    ck_assert_uint_eq(site_foreign(&away), 0);
    site_teardown();
    site_setup();
    site_table(&site, "");
    world_cut(&away, ana());
    ck_assert_uint_eq(site_foreign(&away), 1);
    table->tabs[1] = site_go(site.ana, "Ana");
    world_do(&away, ana(), "leave", "{s:s}", "room", table->room);
    world_do(&away, ana(), "watch", "{s:s}", "room", table->room);
    expect_seats(0);
    world_cut(&away, ana());
    ck_assert_uint_eq(site_foreign(&away), 0);
    world_pass(&away, INT64_C(400) * 24 * 3600 * 1000); /* nothing of it expires */
}
END_TEST

START_TEST(test_goes_with_its_lobby)
{
    site_table(&site, "");
    world_cut(&away, ana());
    world_cut(&away, zoe());
    world_pass(&away, away.config.lobby_idle_ms - 1000);
    ck_assert_uint_eq(site_foreign(&away), 1);
    world_pass(&away, 2000);
    ck_assert_uint_eq(site_foreign(&away), 0);
}
END_TEST

START_TEST(test_hosts_a_rematch)
{
    site_table(&site, "");
    world_begin(&away, table);
    world_do(&away, zoe(), "resign", "{s:s}", "room", table->room);
    json_t *ok = world_ok(&away, ana(), "rematch", "{s:s}", "room", table->room);
    memcpy(table->room, str(ok, "room"), 9);
    json_decref(ok);
    ck_assert_uint_eq(part_of_room(table->room, 2), 1);
    world_do(&away, ana(), "leave", "{s:s}", "room", table->room);
    world_do(&away, zoe(), "leave", "{s:s}", "room", table->room);
    world_do(&away, ana(), "bot", "{s:s}", "room", table->room); /* a host's */
    world_cut(&away, ana());
    ck_assert_uint_eq(site_foreign(&away), 1);
    world_restart(&away);
    ck_assert_uint_eq(site_foreign(&away), 1);
    ck_assert_uint_eq(hub_seats(away.hub, site.ana, NULL, 0), 0);
}
END_TEST

/* As one's own: who is away has a seat at the next table too. */
START_TEST(test_a_rematch_while_it_is_away)
{
    site_table(&site, "");
    world_begin(&away, table);
    world_do(&away, zoe(), "resign", "{s:s}", "room", table->room);
    world_cut(&away, ana());
    ck_assert_uint_eq(site_foreign(&away), 0);
    json_t *ok = world_ok(&away, zoe(), "rematch", "{s:s}", "room", table->room);
    memcpy(table->room, str(ok, "room"), 9);
    json_decref(ok);
    ck_assert_uint_eq(site_foreign(&away), 1);
    struct hub_seat seat;
    ck_assert_uint_eq(hub_seats(away.hub, site.ana, &seat, 1), 1);
    ck_assert_str_eq(seat.room_id, table->room);
    ck_assert_uint_eq(seat.seat, 0);
    expect_seat_name(zoe(), 0, "Ana");
}
END_TEST

/* ---- every operation on rooms */

START_TEST(test_operations_of_a_lobby)
{
    const char *room = table->room;
    site_table(&site, "{s:s,s:{s:i}}", "access", "code", "options", "players", 3);
    world_do(&away, ana(), "ping", "");
    world_do(&away, ana(), "sit", "{s:s,s:i}", "room", room, "seat", 2);
    world_do(&away, ana(), "ready", "{s:s,s:b}", "room", room, "ready", 1);
    world_do(&away, ana(), "say", "{s:s,s:s}", "room", room, "text", "hello");
    json_t *said = world_push(&away, zoe(), "said");
    ck_assert_str_eq(str(said, "name"), "Ana");
    json_decref(said);
    json_t *rooms = world_ok(&away, ana(), "rooms", "");
    ck_assert_uint_eq(json_array_size(json_object_get(rooms, "mine")), 1);
    json_decref(rooms);
    world_refused(&away, ana(), "not_host", "unseat", "{s:s,s:i}", "room", room, "seat", 0);
    world_do(&away, zoe(), "unseat", "{s:s,s:i}", "room", room, "seat", 2);
    world_do(&away, ana(), "leave", "{s:s}", "room", room);
    world_cut(&away, ana());
    world_restart(&away);
    table->tabs[1] = site_go(site.ana, "Ana"); /* who has given the code need not again */
    world_do(&away, ana(), "watch", "{s:s}", "room", room);
    const int other = site_go(site.ana + 2, "Eve");
    world_refused(&away, other, "code_needed", "watch", "{s:s}", "room", room);
    world_refused(&away, other, "wrong_code", "join", "{s:s,s:s}", "room", room, "code",
                  "0000000000000000");
}
END_TEST

START_TEST(test_operations_of_a_match)
{
    const char *room = table->room;
    site_table(&site, "{s:s,s:b,s:{s:i}}", "game", "cards", "hints", 1, "options", "players", 2);
    world_begin(&away, table);
    json_t *moves = world_ok(&away, ana(), "moves", "{s:s}", "room", room);
    const char *move = json_string_value(json_array_get(json_object_get(moves, "moves"), 0));
    world_do(&away, ana(), "check", "{s:s,s:s}", "room", room, "move", move);
    world_do(&away, ana(), "hint", "{s:s}", "room", room);
    world_do(&away, ana(), "move", "{s:s,s:s}", "room", room, "move", move);
    world_do(&away, ana(), "undo", "{s:s}", "room", room);
    world_do(&away, ana(), "offer", "{s:s,s:s}", "room", room, "what", "pause");
    world_do(&away, ana(), "withdraw", "{s:s,s:s}", "room", room, "what", "pause");
    world_do(&away, ana(), "past", "{s:s,s:i}", "room", room, "have", 0);
    world_do(&away, ana(), "record", "{s:s}", "room", room);
    world_do(&away, ana(), "resign", "{s:s}", "room", room);
    json_decref(moves);
}
END_TEST

START_TEST(test_analysis)
{
    static _Alignas(max_align_t) unsigned char memory[CARDS_THINKING_BYTES];
    hub_think_workers(away.hub, 1, sizeof memory);
    site_table(&site, "{s:s,s:{s:i}}", "game", "cards", "options", "players", 2);
    world_begin(&away, table);
    ck_assert_int_ge(world_move(&away, table), 0);
    world_do(&away, ana(), "resign", "{s:s}", "room", table->room);
    const int64_t id = world_post(&away, ana(), "analysis", "{s:s}", "room", table->room);
    struct think_job *job = hub_think_take(away.hub);
    hub_think_run(job, memory, sizeof memory);
    hub_think_done(away.hub, job, 1, away.now_ms);
    world_settle(&away);
    world_granted(&away, ana(), id);
}
END_TEST

/* ---- what is its home's */

START_TEST(test_operations_of_its_home)
{
    static const char *const plain[] = {"devices", "link", "phrase", "unnotify", "create", "games"};
    site_table(&site, "");
    world_refused(&away, ana(), "hello_twice", "hello", "");
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        world_refused(&away, ana(), "unknown_op", plain[i], "");
    world_refused(&away, ana(), "unknown_op", "rename", "{s:s}", "name", "Bea");
    world_refused(&away, ana(), "unknown_op", "rename", "{s:s,s:s}", "name", "Bea", "device",
                  "00000000");
    world_refused(&away, ana(), "unknown_op", "forget", "{s:s}", "device", "00000000");
    world_refused(&away, ana(), "unknown_op", "notify", "{s:s,s:s,s:s}", "endpoint",
                  "https://push.example/1", "p256dh", SITE_KEY, "auth", SITE_AUTH);
}
END_TEST

/* ---- its name */

START_TEST(test_has_the_name_of_its_last_connection)
{
    site_table(&site, "");
    const int second = site_go(site.ana, "Anna");
    ck_assert_uint_eq(site_foreign(&away), 1);
    world_do(&away, ana(), "say", "{s:s,s:s}", "room", table->room, "text", "hello");
    json_t *said = world_push(&away, zoe(), "said");
    ck_assert_str_eq(str(said, "name"), "Ana"); /* at the table it is what stands there */
    json_decref(said);
    expect_seat_name(second, 1, "Ana"); /* as anybody's, who sat down before a rename */
    world_cut(&away, ana());
    world_cut(&away, second);
    ck_assert_uint_eq(site_foreign(&away), 1);
}
END_TEST

/* ---- seats */

START_TEST(test_seats_are_durable_ones)
{
    struct hub_seat seats[3] = {{.seat = 99}, {.seat = 99}, {.seat = 99}};
    site_meet(&site);
    for (int i = 0; i < 3; i++) {
        json_t *ok = world_ok(&away, zoe(), "create", "{s:{s:i}}", "options", "players", 2);
        away.held = i == 2;
        world_post(&away, ana(), "join", "{s:s}", "room", str(ok, "room"));
        world_settle(&away);
        json_decref(ok);
    }
    ck_assert_uint_eq(hub_seats(away.hub, site.ana, seats, 3), 2);
    ck_assert_uint_eq(seats[2].seat, 99);
    away.held = false;
    world_settle(&away);
    seats[2].seat = 99;
    ck_assert_uint_eq(hub_seats(away.hub, site.ana, seats, 2), 3);
    ck_assert_uint_eq(seats[2].seat, 99);
    ck_assert_uint_eq(seats[1].seat, 0);
    ck_assert_uint_eq(hub_seats(away.hub, site.ana + 2, seats, 3), 0);
    ck_assert_uint_eq(hub_seats(away.hub, site_session(&away, zoe()), seats, 3), 0);
}
END_TEST

/* ---- the store fails */

/* It has left and gone, when the leaving could not be stored: it sits there still. */
START_TEST(test_comes_back_with_its_seat)
{
    site_table(&site, "");
    away.held = true;
    world_post(&away, ana(), "leave", "{s:s}", "room", table->room);
    world_settle(&away);
    world_cut(&away, ana());
    ck_assert_uint_eq(site_foreign(&away), 0);
    world_commit(&away, STORE_FULL);
    ck_assert_uint_eq(site_foreign(&away), 1);
    expect_seats(1);
    away.held = false;
    world_pass(&away, 60000);
    table->tabs[1] = site_go(site.ana, "Ana");
    world_do(&away, ana(), "join", "{s:s}", "room", table->room);
    world_begin(&away, table);
}
END_TEST

START_TEST(test_goes_with_a_seat_that_was_not_stored)
{
    site_table(&site, "");
    world_do(&away, ana(), "leave", "{s:s}", "room", table->room);
    away.held = true;
    world_post(&away, ana(), "join", "{s:s}", "room", table->room);
    world_settle(&away);
    world_cut(&away, ana());
    ck_assert_uint_eq(site_foreign(&away), 1);
    expect_seats(0);
    world_commit(&away, STORE_FULL);
    ck_assert_uint_eq(site_foreign(&away), 0);
}
END_TEST

/* What a part is given from the store is its own. */
START_TEST(test_a_stored_session_of_another_part)
{
    site_meet(&site);
    hub_destroy(away.hub);
    away.env.part = 0;
    away.hub = hub_create(&away.config, &away.env);
    ck_assert_int_eq(model_restore(&away.store, away.hub, away.now_ms), STORE_CORRUPT);
}
END_TEST

/* ---- limits */

static void expect_refused(uint64_t session, int close_code)
{
    int refused;
    const double before = world_figure(&away, "connections_refused_total");
    ck_assert_int_eq(world_connect_as(&away, session, "Ana", &refused), -1);
    ck_assert_int_eq(refused, close_code);
    ck_assert(world_figure(&away, "connections_refused_total") == before + 1);
}

START_TEST(test_connections_of_a_session)
{
    site_meet(&site);
    for (int64_t i = 1; i < away.config.connections_per_session; i++)
        (void)site_go(site.ana, "Ana");
    expect_refused(site.ana, 1013);
    world_cut(&away, ana());
    (void)site_go(site.ana, "Ana");
}
END_TEST

START_TEST(test_sessions_in_all)
{
    away.config.sessions = 2;
    site_start();
    site_meet(&site);
    expect_refused(site.ana + 2, 1013);
    (void)site_go(site.ana, "Ana");
    ck_assert_uint_eq(site_foreign(&away), 1);
    world_cut(&away, zoe()); /* a visitor, who makes room */
    (void)site_go(site.ana + 2, "Eve");
    world_settle(&away);
    ck_assert_uint_eq(away.store.session_count, 0);
}
END_TEST

START_TEST(test_sessions_of_an_address)
{
    away.config.sessions_per_address = 2;
    site_start();
    site_meet(&site);
    expect_refused(site.ana + 2, 1013);
    world_cut(&away, ana());
    const int eve = site_go(site.ana + 2, "Eve");
    world_cut(&away, eve);
    (void)site_go(site.ana, "Ana");
}
END_TEST

START_TEST(test_connections_of_an_address)
{
    away.config.connections_per_address = 2;
    site_start();
    site_meet(&site);
    expect_refused(site.ana, 1013);
}
END_TEST

START_TEST(test_requests_have_a_rate)
{
    site_meet(&site);
    const int granted =
        world_until_refused(&away, ana(), "slow_down", "{\"id\":1,\"op\":\"ping\"}");
    ck_assert_int_ge(granted, (int)away.config.requests_burst);
    ck_assert_int_le(granted, (int)away.config.requests_burst + 1);
}
END_TEST

START_TEST(test_seats_of_a_session)
{
    away.config.seats_per_session = 1;
    site_start();
    site_table(&site, "");
    json_t *ok = world_ok(&away, zoe(), "create", "{s:{s:i}}", "options", "players", 2);
    world_refused(&away, ana(), "too_many_seats", "join", "{s:s}", "room", str(ok, "room"));
    json_decref(ok);
}
END_TEST

START_TEST(test_rooms_of_a_session)
{
    away.config.rooms_per_session = 1;
    site_start();
    site_table(&site, "");
    for (int i = 0; i < 2; i++) {
        world_begin(&away, table);
        world_do(&away, zoe(), "resign", "{s:s}", "room", table->room);
        if (i == 1)
            break;
        json_t *ok = world_ok(&away, ana(), "rematch", "{s:s}", "room", table->room);
        json_t *lobby = world_ok(&away, zoe(), "create", "{s:{s:i}}", "options", "players", 2);
        for (int j = 0; j < 2; j++)
            world_do(&away, table->tabs[j], "join", "{s:s}", "room", str(lobby, "room"));
        memcpy(table->room, str(lobby, "room"), 9);
        json_decref(lobby);
        json_decref(ok);
    }
    world_refused(&away, ana(), "too_many_rooms", "rematch", "{s:s}", "room", table->room);
}
END_TEST

START_TEST(test_idle_peers_are_closed)
{
    site_meet(&site);
    world_pass(&away, away.config.hello_timeout_ms * 2);
    ck_assert(away.tabs[ana()].link.open); /* it need not say hello */
    world_pass(&away, away.config.idle_timeout_ms);
    ck_assert_int_eq(away.tabs[ana()].close_code, 4004);
    ck_assert_uint_eq(site_foreign(&away), 0);
}
END_TEST

Suite *foreign_suite(void)
{
    Suite *suite = suite_create("foreign");
    TCase *tests = tcase_create("foreign");
    tcase_set_tags(tests, "near");
    tcase_add_checked_fixture(tests, site_setup, site_teardown);
    tcase_add_test(tests, test_a_match);
    tcase_add_test(tests, test_a_restart_of_the_room_s_part);
    tcase_add_test(tests, test_a_restart_of_its_home);
    tcase_add_test(tests, test_stays_while_it_is_used);
    tcase_add_test(tests, test_goes_with_its_lobby);
    tcase_add_test(tests, test_hosts_a_rematch);
    tcase_add_test(tests, test_a_rematch_while_it_is_away);
    tcase_add_test(tests, test_operations_of_a_lobby);
    tcase_add_test(tests, test_operations_of_a_match);
    tcase_add_test(tests, test_analysis);
    tcase_add_test(tests, test_operations_of_its_home);
    tcase_add_test(tests, test_has_the_name_of_its_last_connection);
    tcase_add_test(tests, test_seats_are_durable_ones);
    tcase_add_test(tests, test_comes_back_with_its_seat);
    tcase_add_test(tests, test_goes_with_a_seat_that_was_not_stored);
    tcase_add_test(tests, test_a_stored_session_of_another_part);
    tcase_add_test(tests, test_connections_of_a_session);
    tcase_add_test(tests, test_sessions_in_all);
    tcase_add_test(tests, test_sessions_of_an_address);
    tcase_add_test(tests, test_connections_of_an_address);
    tcase_add_test(tests, test_requests_have_a_rate);
    tcase_add_test(tests, test_seats_of_a_session);
    tcase_add_test(tests, test_rooms_of_a_session);
    tcase_add_test(tests, test_idle_peers_are_closed);
    suite_add_tcase(suite, tests);
    return suite;
}
