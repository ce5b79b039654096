/* Each limit of hub/config.h: what is allowed up to it, and what happens beyond it. */
#include "suites.h"
#include "world.h"
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

static void limit(int64_t *limit, int64_t value)
{
    *limit = value;
    world_start(&world);
}

/* ---- requests */

START_TEST(test_message_bytes)
{
    char text[5000];
    int tab = world_guest(&world, "Ana");
    (void)snprintf(text, sizeof text, "{\"id\":1,\"op\":\"ping\"%*s}", 4076, "");
    ck_assert_uint_eq(strlen(text), 4096);
    world_send(&world, tab, text);
    world_settle(&world);
    ck_assert(world.tabs[tab].link.open);
    (void)snprintf(text, sizeof text, "{\"id\":1,\"op\":\"ping\"%*s}", 4077, "");
    world_send(&world, tab, text);
    world_settle(&world);
    ck_assert_int_eq(world.tabs[tab].close_code, 1009);
    world_forget(&world, tab);
}
END_TEST

static const char *const not_utf8[] = {
    "{\"id\":1,\"op\":\"\xff\"}",
    "{\"id\":1,\"op\":\"ping\"}\xc3",
    "{\"id\":}\x80",
    "[[[[[[[[[[[[[[[[[[[[\xed\xa0\x80",
    "\xff",
};

/* Wherever it is, also behind what is no JSON or is nested too deep. */
START_TEST(test_not_utf8)
{
    int tab = world_guest(&world, "Ana");
    world_send(&world, tab, not_utf8[_i]);
    world_settle(&world);
    ck_assert_int_eq(world.tabs[tab].close_code, 1007);
    world_forget(&world, tab);
}
END_TEST

START_TEST(test_requests)
{
    static const char ping[] = "{\"id\":1,\"op\":\"ping\"}";
    int tab = world_guest(&world, "Ana"), other = world_guest(&world, "Bo");
    ck_assert_int_eq(world_until_refused(&world, tab, "slow_down", ping), 59);
    world.now_ms += 1000;
    ck_assert_int_eq(world_until_refused(&world, tab, "slow_down", ping), 20);
    /* Invalid messages count as well; another connection is not held up. */
    world.now_ms += 1000;
    ck_assert_int_eq(world_until_refused(&world, tab, "slow_down", "garbage"), 20);
    world_do(&world, other, "ping", "");
}
END_TEST

START_TEST(test_flood)
{
    int tab = world_guest(&world, "Ana");
    int sent = 0;
    while (world.tabs[tab].link.open && sent++ < 1000) {
        world_send(&world, tab, "{\"id\":1,\"op\":\"ping\"}");
        world_settle(&world);
    }
    ck_assert_int_eq(sent, 59 + 300 + 1);
    ck_assert_int_eq(world.tabs[tab].close_code, 4003);
}
END_TEST

/* Sends for so long, a request each `every_ms`; false: closed meanwhile. */
static bool stays(int tab, int64_t for_ms, int64_t every_ms)
{
    for (int64_t at_ms = 0; at_ms < for_ms && world.tabs[tab].link.open; at_ms += every_ms) {
        world_send(&world, tab, "{\"id\":1,\"op\":\"ping\"}");
        world_settle(&world);
        world.now_ms += every_ms;
        world_forget(&world, tab);
    }
    return world.tabs[tab].link.open;
}

/* A flood is closed even if some of its requests are admitted. */
START_TEST(test_flood_that_is_admitted_now_and_then)
{
    int patient = world_guest(&world, "Ana");
    ck_assert(stays(patient, 60000, 26)); /* 38 a second, 20 of them admitted */
    int flood = world_guest(&world, "Bo");
    ck_assert(!stays(flood, 60000, 10));
    ck_assert_int_eq(world.tabs[flood].close_code, 4003);
}
END_TEST

START_TEST(test_rooms_per_address)
{
    limit(&world.config.rooms_per_address_burst, 3);
    world.config.rooms_per_address_per_min = 1;
    world_start(&world);
    for (int i = 0; i < 3; i++)
        world_do(&world, world_guest(&world, "Ana"), "create", "");
    /* Refused for another session of the address; allowed from another address, and after a minute.
     */
    int more = world_guest(&world, "Bo");
    world_refused(&world, more, "slow_down", "create", "");
    int elsewhere = world_connect_from(&world, 9);
    world_do(&world, elsewhere, "hello", "");
    world_do(&world, elsewhere, "create", "");
    world.now_ms += 60000;
    world_do(&world, more, "create", "");
    world_refused(&world, more, "slow_down", "create", "");
}
END_TEST

START_TEST(test_says)
{
    char say[128];
    struct table table;
    world_table(&world, &table, 2, "");
    (void)snprintf(say, sizeof say, "{\"id\":1,\"op\":\"say\",\"room\":\"%s\",\"text\":\"hi\"}",
                   table.room);
    ck_assert_int_eq(world_until_refused(&world, table.tabs[0], "slow_down", say), 8);
    world.now_ms += 60000;
    ck_assert_int_eq(world_until_refused(&world, table.tabs[0], "slow_down", say), 8);
    world.now_ms += 2000;
    ck_assert_int_eq(world_until_refused(&world, table.tabs[0], "slow_down", say), 1);
}
END_TEST

START_TEST(test_guesses)
{
    char guess[160];
    struct table table;
    world_table(&world, &table, 2, "{s:s}", "access", "code");
    (void)snprintf(guess, sizeof guess,
                   "{\"id\":1,\"op\":\"watch\",\"room\":\"%s\",\"code\":\"0000000000000000\"}",
                   table.room);
    int thief = world_guest(&world, "Zoe");
    ck_assert_int_eq(world_until_refused(&world, thief, "slow_down", guess), 20);
    /* Refused for another session of the address, and with tokens; but with the right code nobody
     * is, neither of the address nor who has guessed. */
    int again = world_guest(&world, "Yan");
    ck_assert_int_eq(world_until_refused(&world, again, "slow_down", guess), 0);
    world_do(&world, again, "watch", "{s:s,s:s}", "room", table.room, "code", table.code);
    int third = world_connect(&world);
    world_refused(&world, third, "slow_down", "hello", "{s:s}", "token",
                  "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
    /* The session's own limit applies at another address too. */
    int elsewhere = world_connect_from(&world, 2);
    world_do(&world, elsewhere, "hello", "{s:s}", "token", world.tabs[thief].token);
    ck_assert_int_eq(world_until_refused(&world, elsewhere, "slow_down", guess), 0);
    world.now_ms += 6000;
    ck_assert_int_eq(world_until_refused(&world, thief, "slow_down", guess), 1);
    world_do(&world, elsewhere, "watch", "{s:s,s:s}", "room", table.room, "code", table.code);
}
END_TEST

START_TEST(test_token_guesses)
{
    static const char guess[] = "{\"id\":1,\"op\":\"hello\",\"token\":"
                                "\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\"}";
    int known = world_guest(&world, "Ana");
    int tab = world_connect(&world);
    ck_assert_int_eq(world_until_refused(&world, tab, "slow_down", guess), 20);
    /* Others at that address with valid tokens are not locked out. */
    int back = world_back(&world, known);
    world_do(&world, back, "ping", "");
    ck_assert_int_eq(world_until_refused(&world, tab, "slow_down", guess), 0);
}
END_TEST

/* ---- sessions and connections */

START_TEST(test_sessions)
{
    limit(&world.config.sessions, 3);
    int visitor = world_guest(&world, "Ana");
    int host = world_guest(&world, "Bo"), third = world_guest(&world, "Chi");
    world_do(&world, host, "create", "");
    int tab = world_connect(&world);
    world_refused(&world, tab, "full", "hello", "");
    /* The longest idle visitor is replaced; players and connected sessions are not. */
    world_cut(&world, host);
    world_refused(&world, tab, "full", "hello", "");
    char token[TOKEN_SPACE];
    memcpy(token, world.tabs[visitor].token, sizeof token);
    world_cut(&world, visitor);
    world_do(&world, tab, "hello", "");
    ck_assert_uint_eq(world.store.session_count, 3);
    int late = world_connect(&world);
    world_refused(&world, late, "unknown_token", "hello", "{s:s}", "token", token);
    (void)third;
}
END_TEST

START_TEST(test_sessions_per_address)
{
    int made = 0;
    limit(&world.config.sessions_per_address_burst, 5);
    world.config.sessions_per_address_per_min = 6;
    world_start(&world);
    for (;;) {
        int tab = world_connect(&world);
        int64_t id = world_post(&world, tab, "hello", "");
        world_settle(&world);
        json_t *reply = world_reply(&world, tab, id);
        bool refused = json_object_get(reply, "error");
        if (refused)
            ck_assert_str_eq(str(json_object_get(reply, "error"), "code"), "slow_down");
        json_decref(reply);
        if (refused)
            break;
        made++;
    }
    ck_assert_int_eq(made, 5);
    int elsewhere = world_connect_from(&world, 9);
    world_do(&world, elsewhere, "hello", "");
    world.now_ms += 10000;
    int later = world_connect(&world);
    world_do(&world, later, "hello", "");
}
END_TEST

START_TEST(test_connections)
{
    limit(&world.config.connections, 3);
    for (int i = 0; i < 3; i++)
        ck_assert_int_ge(world_connect(&world), 0);
    ck_assert_int_lt(world_connect(&world), 0);
    world_cut(&world, 1);
    ck_assert_int_ge(world_connect(&world), 0);
}
END_TEST

START_TEST(test_connections_per_address)
{
    limit(&world.config.connections_per_address, 2);
    ck_assert_int_ge(world_connect(&world), 0);
    ck_assert_int_ge(world_connect(&world), 0);
    ck_assert_int_lt(world_connect(&world), 0);
    ck_assert_int_ge(world_connect_from(&world, 2), 0);
    /* An IPv6 /64 is one address; another is another. */
    uint8_t six[16] = {0x20, 0x01, 0x0d, 0xb8};
    struct hub_peer peer;
    for (uint8_t i = 0; i < 2; i++) {
        six[15] = i;
        ck_assert_int_eq(hub_connect(world.hub, six, world.now_ms, &peer), 0);
    }
    six[8] = 7;
    ck_assert_int_eq(hub_connect(world.hub, six, world.now_ms, &peer), 1013);
    six[7] = 7;
    ck_assert_int_eq(hub_connect(world.hub, six, world.now_ms, &peer), 0);
}
END_TEST

START_TEST(test_addresses)
{
    struct hub_metrics figures;
    limit(&world.config.addresses, 16);
    for (unsigned i = 0; i < 16; i++)
        ck_assert_int_ge(world_connect_from(&world, i), 0);
    ck_assert_int_lt(world_connect_from(&world, 16), 0);
    world_cut(&world, 3);
    ck_assert_int_ge(world_connect_from(&world, 16), 0);
    /* An address that created a session is remembered until its rates have recovered. */
    world_do(&world, 5, "hello", "");
    world_cut(&world, 5);
    ck_assert_int_lt(world_connect_from(&world, 17), 0);
    hub_metrics(world.hub, &figures);
    ck_assert_uint_eq(figures.addresses, 16);
    world.now_ms += 1000;
    ck_assert_int_ge(world_connect_from(&world, 17), 0);
}
END_TEST

START_TEST(test_connections_per_session)
{
    int tab = world_guest(&world, "Ana"), last = tab;
    for (int i = 1; i < 8; i++)
        last = world_back(&world, tab);
    int more = world_connect(&world);
    world_refused(&world, more, "too_many_connections", "hello", "{s:s}", "token",
                  world.tabs[tab].token);
    world_cut(&world, last);
    world_do(&world, more, "hello", "{s:s}", "token", world.tabs[tab].token);
}
END_TEST

START_TEST(test_hello_timeout)
{
    int silent = world_connect(&world), chatty = world_connect(&world);
    world_pass(&world, 9000);
    world_refused(&world, chatty, "hello_first", "ping", ""); /* does not help */
    world_pass(&world, 999);
    ck_assert(world.tabs[silent].link.open);
    world_pass(&world, 1);
    ck_assert_int_eq(world.tabs[silent].close_code, 4001);
    ck_assert_int_eq(world.tabs[chatty].close_code, 4001);
}
END_TEST

START_TEST(test_idle_timeout)
{
    struct table table;
    world_table(&world, &table, 2, "");
    int idle = world_guest(&world, "Zoe"), busy = world_guest(&world, "Yan");
    world_pass(&world, 1700000);
    world_do(&world, busy, "ping", "");
    world_pass(&world, 101000);
    ck_assert_int_eq(world.tabs[idle].close_code, 4004);
    ck_assert(world.tabs[busy].link.open);
    world_pass(&world, 1800000);
    ck_assert_int_eq(world.tabs[busy].close_code, 4004);
    ck_assert(world.tabs[table.tabs[0]].link.open); /* follows a room */
    world_do(&world, table.tabs[0], "leave", "{s:s}", "room", table.room);
    world_pass(&world, 1801000);
    ck_assert_int_eq(world.tabs[table.tabs[0]].close_code, 4004);
}
END_TEST

/* Its client is busy in another part (hub_keep). */
START_TEST(test_kept)
{
    const int kept = world_guest(&world, "Zoe"), other = world_guest(&world, "Yan");
    hub_keep(world.hub, world.tabs[kept].link.peer, true, world.now_ms);
    world_pass(&world, 5400000);
    ck_assert_int_eq(world.tabs[other].close_code, 4004);
    ck_assert(world.tabs[kept].link.open);
    hub_keep(world.hub, world.tabs[kept].link.peer, false, world.now_ms);
    world_pass(&world, 1799000);
    ck_assert(world.tabs[kept].link.open);
    world_pass(&world, 2000);
    ck_assert_int_eq(world.tabs[kept].close_code, 4004);
    hub_keep(world.hub, (struct hub_peer){77, 1}, true, world.now_ms);
}
END_TEST

/* ---- outbox */

START_TEST(test_slow_reader)
{
    struct table table;
    struct hub_metrics figures;
    world.config.outbox_bytes = 16384; /* less than a server may have: its longest reply must fit */
    world_start(&world);
    world_table(&world, &table, 2, "");
    int slow = world_guest(&world, "Zoe"), fine = world_guest(&world, "Yan");
    world_do(&world, slow, "watch", "{s:s}", "room", table.room);
    world_do(&world, fine, "watch", "{s:s}", "room", table.room);
    world.tabs[slow].deaf = true;
    size_t most = 0;
    json_int_t have = 3;
    for (int i = 0; i < 200 && world.tabs[slow].link.open; i++) {
        world_do(&world, table.tabs[0], "ready", "{s:s,s:b}", "room", table.room, "ready",
                 i % 2 == 0);
        world.now_ms += 100;
        hub_metrics(world.hub, &figures);
        most = figures.outbox_bytes > most ? figures.outbox_bytes : most;
    }
    ck_assert_int_eq(world.tabs[slow].close_code, 4002);
    ck_assert_uint_gt(most, 10000);
    ck_assert_uint_le(most, 16384);
    hub_metrics(world.hub, &figures);
    ck_assert_uint_eq(figures.outbox_bytes, 0);
    ck_assert_uint_eq(world_forget(&world, slow), 0);
    /* Nobody else was held up, and the slow client can resume. */
    ck_assert(world.tabs[fine].link.open);
    world.tabs[slow].deaf = false;
    int back = world_back(&world, slow);
    json_t *ok = world_ok(&world, back, "watch", "{s:s,s:I}", "room", table.room, "have", have);
    ck_assert_int_gt(num(ok, "seq"), have);
    json_decref(ok);
}
END_TEST

/* ---- rooms */

START_TEST(test_rooms_per_session)
{
    struct table table;
    world_table(&world, &table, 2, "");
    int host = table.tabs[0];
    for (int i = 1; i < 8; i++)
        world_do(&world, host, "create", "");
    world_refused(&world, host, "too_many_rooms", "create", "");
    world_begin(&world, &table);
    world_do(&world, host, "resign", "{s:s}", "room", table.room);
    world_do(&world, host, "create", ""); /* finished matches do not count */
    world_refused(&world, host, "too_many_rooms", "rematch", "{s:s}", "room", table.room);
}
END_TEST

START_TEST(test_seats_per_session)
{
    char rooms[3][CODE_SPACE];
    limit(&world.config.seats_per_session, 2);
    int host = world_guest(&world, "Ana"), tab = world_guest(&world, "Bo");
    for (int i = 0; i < 3; i++) {
        json_t *ok = world_ok(&world, host, "create", "");
        memcpy(rooms[i], str(ok, "room"), 9);
        json_decref(ok);
    }
    world_do(&world, tab, "join", "{s:s}", "room", rooms[0]);
    world_do(&world, tab, "join", "{s:s}", "room", rooms[1]);
    world_refused(&world, tab, "too_many_seats", "join", "{s:s}", "room", rooms[2]);
    world_do(&world, tab, "join", "{s:s}", "room", rooms[1]); /* has it already */
    world_do(&world, tab, "leave", "{s:s}", "room", rooms[0]);
    world_do(&world, tab, "join", "{s:s}", "room", rooms[2]);
}
END_TEST

START_TEST(test_rooms_per_connection)
{
    char rooms[3][CODE_SPACE];
    limit(&world.config.rooms_per_connection, 2);
    int tab = world_guest(&world, "Ana");
    for (int i = 0; i < 3; i++) {
        json_t *ok = world_ok(&world, tab, "create", "");
        memcpy(rooms[i], str(ok, "room"), 9);
        json_decref(ok);
    }
    world_do(&world, tab, "watch", "{s:s}", "room", rooms[0]);
    world_do(&world, tab, "join", "{s:s}", "room", rooms[1]);
    world_refused(&world, tab, "too_many_rooms", "watch", "{s:s}", "room", rooms[2]);
    world_refused(&world, tab, "too_many_rooms", "join", "{s:s}", "room", rooms[2]);
    world_do(&world, tab, "watch", "{s:s}", "room", rooms[0]);
    world_do(&world, tab, "leave", "{s:s}", "room", rooms[0]);
    world_do(&world, tab, "watch", "{s:s}", "room", rooms[2]);
}
END_TEST

START_TEST(test_watchers_per_room)
{
    struct table table;
    limit(&world.config.watchers_per_room, 3);
    world_table(&world, &table, 3, "");
    world_do(&world, table.tabs[2], "leave", "{s:s}", "room", table.room);
    int one = world_guest(&world, "Yan"), two = world_guest(&world, "Zoe");
    world_do(&world, one, "watch", "{s:s}", "room", table.room);
    world_refused(&world, two, "too_many_watchers", "watch", "{s:s}", "room", table.room);
    world_do(&world, two, "join", "{s:s}", "room", table.room); /* players are always admitted */
    int again = world_back(&world, table.tabs[0]);
    world_do(&world, again, "watch", "{s:s}", "room", table.room);
}
END_TEST

/* ---- the store */

START_TEST(test_batch_ops)
{
    struct table table;
    limit(&world.config.batch_ops, 16);
    world_table(&world, &table, 2, "");
    world.held = true;
    int refused = 0;
    int64_t ids[30];
    for (int i = 0; i < 30; i++) {
        ids[i] = world_post(&world, table.tabs[0], "ready", "{s:s,s:b}", "room", table.room,
                            "ready", i % 2 == 0);
        world_settle(&world);
    }
    world.held = false;
    world_settle(&world);
    for (int i = 0; i < 30; i++) {
        json_t *reply = world_reply(&world, table.tabs[0], ids[i]);
        refused += strcmp(str(json_object_get(reply, "error"), "code"), "store_failing") == 0;
        json_decref(reply);
    }
    ck_assert_int_ge(refused, 5);
    ck_assert_int_lt(refused, 14); /* after a refused one the next has nothing to change */
    world_do(&world, table.tabs[0], "leave", "{s:s}", "room", table.room);
}
END_TEST

/* So many offers wait for the store, or as many as it takes until one is refused. */
static int offer_while_held(const struct table *table, int most)
{
    static const char *const ops[] = {"offer", "withdraw"};
    world.held = true;
    for (int i = 0; i < most; i++) {
        int64_t id = world_post(&world, table->tabs[1], ops[i % 2], "{s:s,s:s}", "room",
                                table->room, "what", "pause");
        world_settle(&world);
        json_t *refused = world_reply(&world, table->tabs[1], id);
        json_decref(refused);
        if (refused)
            return i;
    }
    return most;
}

/* The last place among what waits for the store is enough for a hint. */
START_TEST(test_batch_ops_and_a_hint)
{
    struct table table;
    int most = 100;
    for (int round = 0; round < 2; round++) {
        limit(&world.config.batch_ops, 16);
        world_table(&world, &table, 2, "{s:{s:i}}", "options", "first", 0);
        world_begin(&world, &table);
        int places = offer_while_held(&table, most);
        int64_t id = world_post(&world, table.tabs[0], "hint", "{s:s}", "room", table.room);
        world_settle(&world);
        json_t *refused = world_reply(&world, table.tabs[0], id);
        ck_assert((refused != NULL) == (round == 0));
        json_decref(refused);
        most = places - 1;
        teardown();
        setup();
    }
}
END_TEST

START_TEST(test_reads)
{
    int64_t ids[6];
    char room[9];
    static const char *const rooms[] = {"00000000", "00000000", "00000000",
                                        "00000001", "00000002", "00000002"};
    static const char *const codes[] = {"unknown_room", "unknown_room", "slow_down",
                                        "unknown_room", "slow_down",    "slow_down"};
    world.config.reads = 4; /* half of them for one address */
    world.config.readers_per_read = 2;
    world_start(&world);
    int tab = world_guest(&world, "Ana");
    for (int i = 0; i < 6; i++)
        ids[i] = world_post(&world, tab, "watch", "{s:s}", "room", rooms[i]);
    int asked = 0;
    while (hub_read_take(world.hub, room)) {
        ck_assert_str_eq(room, asked ? "00000001" : "00000000");
        asked++;
    }
    ck_assert_int_eq(asked, 2);
    model_read(&world.store, world.hub, "00000001", world.now_ms);
    model_read(&world.store, world.hub, "00000000", world.now_ms);
    world_settle(&world);
    for (int i = 0; i < 6; i++) {
        json_t *reply = world_reply(&world, tab, ids[i]);
        ck_assert_str_eq(str(json_object_get(reply, "error"), "code"), codes[i]);
        json_decref(reply);
    }
    world_refused(&world, tab, "unknown_room", "watch", "{s:s}", "room", "00000002");
}
END_TEST

Suite *limits_suite(void)
{
    Suite *suite = suite_create("limits");
    TCase *tests = tcase_create("limits");
    tcase_add_checked_fixture(tests, setup, teardown);
    TCase *near = near_case(suite, setup, teardown);
    tcase_add_test(tests, test_message_bytes);
    tcase_add_loop_test(tests, test_not_utf8, 0, sizeof not_utf8 / sizeof not_utf8[0]);
    tcase_add_test(tests, test_requests);
    tcase_add_test(tests, test_flood);
    tcase_add_test(tests, test_flood_that_is_admitted_now_and_then);
    tcase_add_test(tests, test_rooms_per_address);
    tcase_add_test(tests, test_says);
    tcase_add_test(tests, test_guesses);
    tcase_add_test(tests, test_token_guesses);
    tcase_add_test(tests, test_sessions);
    tcase_add_test(tests, test_sessions_per_address);
    tcase_add_test(tests, test_connections);
    tcase_add_test(tests, test_connections_per_address);
    tcase_add_test(tests, test_addresses);
    tcase_add_test(tests, test_connections_per_session);
    tcase_add_test(tests, test_hello_timeout);
    tcase_add_test(tests, test_idle_timeout);
    tcase_add_test(near, test_kept);
    tcase_add_test(near, test_slow_reader);
    tcase_add_test(tests, test_rooms_per_session);
    tcase_add_test(tests, test_seats_per_session);
    tcase_add_test(tests, test_rooms_per_connection);
    tcase_add_test(tests, test_watchers_per_room);
    tcase_add_test(tests, test_batch_ops);
    tcase_add_test(tests, test_batch_ops_and_a_hint);
    tcase_add_test(tests, test_reads);
    suite_add_tcase(suite, tests);
    return suite;
}
