/* Each limit of hub/config.h: reached exactly, and what happens then. */
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

static void limit(const char *name, int64_t value)
{
    ck_assert(hub_config_set(&world.config, name, value));
    world_start(&world);
}

/* Sends the same again and again until it is refused; how often it was not. */
static int until_refused(int tab, const char *code, const char *text)
{
    for (int count = 0; count < 2000; count++) {
        world_forget(&world, tab);
        world_send(&world, tab, text);
        world_settle(&world);
        ck_assert_uint_ge(world.tabs[tab].count, 1);
        const json_t *reply = world.tabs[tab].inbox[world.tabs[tab].count - 1];
        const json_t *error = json_object_get(reply, "error");
        if (error && strcmp(str(error, "code"), code) == 0) {
            world_forget(&world, tab);
            return count;
        }
    }
    return -1;
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
    ck_assert(world.tabs[tab].open);
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
    ck_assert_int_eq(until_refused(tab, "slow_down", ping), 59);
    world.now_ms += 1000;
    ck_assert_int_eq(until_refused(tab, "slow_down", ping), 20);
    /* The garbage of one counts as well; the other is not held up. */
    world.now_ms += 1000;
    ck_assert_int_eq(until_refused(tab, "slow_down", "garbage"), 20);
    world_do(&world, other, "ping", "");
}
END_TEST

START_TEST(test_flood)
{
    int tab = world_guest(&world, "Ana");
    int sent = 0;
    while (world.tabs[tab].open && sent++ < 1000) {
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
    for (int64_t at_ms = 0; at_ms < for_ms && world.tabs[tab].open; at_ms += every_ms) {
        world_send(&world, tab, "{\"id\":1,\"op\":\"ping\"}");
        world_settle(&world);
        world.now_ms += every_ms;
        world_forget(&world, tab);
    }
    return world.tabs[tab].open;
}

/* Requests that are admitted in between, as many as the rate has, do not save a flood. */
START_TEST(test_flood_that_is_admitted_now_and_then)
{
    int patient = world_guest(&world, "Ana");
    ck_assert(stays(patient, 60000, 26)); /* 38 a second, 20 of them admitted */
    int flood = world_guest(&world, "Bo");
    ck_assert(!stays(flood, 60000, 10));
    ck_assert_int_eq(world.tabs[flood].close_code, 4003);
}
END_TEST

/* All connections of an address have one rate in common; those from elsewhere do not notice. */
START_TEST(test_requests_per_address)
{
    static const char ping[] = "{\"id\":1,\"op\":\"ping\"}";
    limit("requests_per_address_burst", 50);
    world.config.requests_per_address_per_s = 10;
    world_start(&world);
    int one = world_guest(&world, "Ana"), two = world_guest(&world, "Bo");
    int elsewhere = world_connect_from(&world, 9);
    world_do(&world, elsewhere, "hello", "");
    ck_assert_int_eq(until_refused(one, "slow_down", ping), 48);
    ck_assert_int_eq(until_refused(two, "slow_down", ping), 0);
    world_do(&world, elsewhere, "ping", "");
    world.now_ms += 1000;
    ck_assert_int_eq(until_refused(two, "slow_down", ping), 10);
    ck_assert_int_eq(until_refused(one, "slow_down", ping), 0);
}
END_TEST

/* A long match, over, in which nobody is any more. */
static void long_match(char room[CODE_SPACE])
{
    struct table table;
    world_table(&world, &table, 2, "");
    world_begin(&world, &table);
    world_play_out(&world, &table);
    memcpy(room, table.room, CODE_SPACE);
    world_pass(&world, 60000);
    for (int i = 0; i < 2; i++)
        world_forget(&world, table.tabs[i]);
}

static const struct {
    const char *op;
    int most; /* so many of them at once, of 59 requests that are left */
} prices[] = {{"past", 12}, {"watch", 12}, {"ping", 59}};

static void ask_for_all(char text[static 128], const char *op, const char *room)
{
    (void)snprintf(text, 128, "{\"id\":1,\"op\":\"%s\",\"room\":\"%s\",\"have\":0}", op, room);
}

/* A long answer counts as several requests. */
START_TEST(test_prices)
{
    char room[CODE_SPACE], text[128];
    long_match(room);
    int tab = world_guest(&world, "Zoe");
    ask_for_all(text, prices[_i].op, room);
    int granted = until_refused(tab, "slow_down", text);
    ck_assert_msg(granted >= 1 && granted <= prices[_i].most, "%s: %d", prices[_i].op, granted);
    ck_assert(prices[_i].most < 59 || granted == 59);
    world.now_ms += 10000; /* the debt is made up for */
    world_do(&world, tab, "ping", "");
}
END_TEST

START_TEST(test_prices_of_an_address)
{
    char room[CODE_SPACE], text[128];
    limit("requests_per_address_burst", 300);
    world.config.requests_per_address_per_s = 1;
    world.config.requests_burst = 100000;
    world.config.work_burst = 100000;
    world_start(&world);
    long_match(room);
    world_pass(&world, 300000);
    int one = world_guest(&world, "Zoe"), two = world_guest(&world, "Yan");
    ask_for_all(text, "past", room);
    ck_assert_int_le(until_refused(one, "slow_down", text), 60);
    world_refused(&world, two, "slow_down", "ping", "");
}
END_TEST

/* What long answers cost in one turn of the loop is bounded, whoever asks; short ones go on. */
START_TEST(test_work)
{
    char room[CODE_SPACE], text[128];
    limit("work_burst", 100);
    world.config.work_per_s = 100;
    world.config.requests_burst = 100000;
    world_start(&world);
    long_match(room);
    world_pass(&world, 10000);
    int one = world_guest(&world, "Zoe");
    ask_for_all(text, "past", room);
    ck_assert_int_le(until_refused(one, "slow_down", text), 20);
    world_do(&world, one, "ping", "");
    int others = world_connect_from(&world, 9);
    world_do(&world, others, "hello", "");
    world_refused(&world, others, "slow_down", "past", "{s:s,s:i}", "room", room, "have", 0);
    world_refused(&world, others, "slow_down", "rooms", "");
    world_do(&world, others, "ping", "");
    world.now_ms += 2000;
    world_do(&world, others, "past", "{s:s,s:i}", "room", room, "have", 0);
}
END_TEST

/* Half of it is kept for addresses that have asked for little. */
START_TEST(test_work_is_shared)
{
    char room[CODE_SPACE], text[128];
    limit("work_burst", 400);
    world.config.work_per_s = 1;
    world.config.requests_burst = 100000;
    world.config.requests_per_address_burst = 500;
    world.config.requests_per_address_per_s = 1;
    world_start(&world);
    long_match(room);
    world_pass(&world, 600000);
    int greedy = world_guest(&world, "Zoe");
    for (int i = 0; i < 250; i++) /* half of what its address has */
        world_do(&world, greedy, "ping", "");
    ask_for_all(text, "past", room);
    ck_assert_int_ge(until_refused(greedy, "slow_down", text), 1);
    world_do(&world, greedy, "ping", "");
    int light = world_connect_from(&world, 9);
    world_do(&world, light, "hello", "");
    world_do(&world, light, "past", "{s:s,s:i}", "room", room, "have", 0);
}
END_TEST

START_TEST(test_rooms_per_address)
{
    limit("rooms_per_address_burst", 3);
    world.config.rooms_per_address_per_min = 1;
    world_start(&world);
    for (int i = 0; i < 3; i++)
        world_do(&world, world_guest(&world, "Ana"), "create", "");
    /* Not for another session from there, but for somebody from elsewhere, and after a minute. */
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
    ck_assert_int_eq(until_refused(table.tabs[0], "slow_down", say), 8);
    world.now_ms += 60000;
    ck_assert_int_eq(until_refused(table.tabs[0], "slow_down", say), 8);
    world.now_ms += 2000;
    ck_assert_int_eq(until_refused(table.tabs[0], "slow_down", say), 1);
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
    ck_assert_int_eq(until_refused(thief, "slow_down", guess), 20);
    /* Not with another session from there, nor with tokens, nor with the right code. */
    int again = world_guest(&world, "Yan");
    ck_assert_int_eq(until_refused(again, "slow_down", guess), 0);
    world_refused(&world, again, "slow_down", "join", "{s:s,s:s}", "room", table.room, "code",
                  table.code);
    int third = world_connect(&world);
    world_refused(&world, third, "slow_down", "hello", "{s:s}", "token",
                  "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
    /* The session takes its limit along to another address. */
    int elsewhere = world_connect_from(&world, 2);
    world_do(&world, elsewhere, "hello", "{s:s}", "token", world.tabs[thief].token);
    ck_assert_int_eq(until_refused(elsewhere, "slow_down", guess), 0);
    world.now_ms += 6000;
    ck_assert_int_eq(until_refused(thief, "slow_down", guess), 1);
    int honest = world_connect_from(&world, 3);
    world_do(&world, honest, "hello", "");
    world_do(&world, honest, "watch", "{s:s,s:s}", "room", table.room, "code", table.code);
}
END_TEST

START_TEST(test_token_guesses)
{
    static const char guess[] = "{\"id\":1,\"op\":\"hello\",\"token\":"
                                "\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\"}";
    int known = world_guest(&world, "Ana");
    int tab = world_connect(&world);
    ck_assert_int_eq(until_refused(tab, "slow_down", guess), 20);
    /* Others of that address, who know their tokens, are not locked out. */
    int back = world_back(&world, known);
    world_do(&world, back, "ping", "");
    ck_assert_int_eq(until_refused(tab, "slow_down", guess), 0);
}
END_TEST

/* ---- sessions and connections */

START_TEST(test_sessions)
{
    limit("sessions", 3);
    int visitor = world_guest(&world, "Ana");
    int host = world_guest(&world, "Bo"), third = world_guest(&world, "Chi");
    world_do(&world, host, "create", "");
    int tab = world_connect(&world);
    world_refused(&world, tab, "full", "hello", "");
    /* The longest idle visitor makes place; a player, or who is there, does not. */
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

/* A second hello alone is no reason to keep a session: it makes place like any visitor. */
START_TEST(test_a_visitor_who_comes_back)
{
    limit("sessions", 2);
    int visitor = world_guest(&world, "Ana");
    char token[TOKEN_SPACE];
    memcpy(token, world.tabs[visitor].token, sizeof token);
    int again = world_back(&world, visitor);
    world_cut(&world, visitor);
    world_cut(&world, again);
    for (int i = 0; i < 2; i++) {
        world_guest(&world, "Bo");
        ck_assert_uint_le(world.store.session_count, 2);
    }
    int late = world_connect(&world);
    world_refused(&world, late, "unknown_token", "hello", "{s:s}", "token", token);
}
END_TEST

/* ... not after a restart either, but it is kept for as long as any visitor, from then on. */
START_TEST(test_a_visitor_expires_after_its_last_visit)
{
    enum { DAY_MS = 86400000 };
    int visitor = world_guest(&world, "Ana");
    world_cut(&world, visitor);
    world_pass(&world, INT64_C(6) * DAY_MS);
    world_cut(&world, world_back(&world, visitor));
    world_restart(&world);
    world_pass(&world, INT64_C(6) * DAY_MS);
    ck_assert_uint_eq(world.store.session_count, 1);
    world_pass(&world, INT64_C(2) * DAY_MS);
    ck_assert_uint_eq(world.store.session_count, 0);
}
END_TEST

/* Of those that are there, or that had a seat. Visitors who have gone count for nobody. */
START_TEST(test_sessions_of_an_address)
{
    struct table table;
    char visitors[TOKEN_SPACE], players[TOKEN_SPACE];
    limit("sessions_per_address", 3);
    for (int i = 0; i < 5; i++)
        world_cut(&world, world_guest(&world, "Zoe"));
    int visitor = world_guest(&world, "Yan");
    memcpy(visitors, world.tabs[visitor].token, sizeof visitors);
    world_cut(&world, visitor);
    world_table(&world, &table, 2, "");
    memcpy(players, world.tabs[table.tabs[0]].token, sizeof players);
    world_cut(&world, table.tabs[0]);
    int third = world_guest(&world, "Chi"), tab = world_connect(&world);
    world_refused(&world, tab, "full", "hello", "");
    world_refused(&world, tab, "full", "hello", "{s:s}", "token", visitors);
    world_do(&world, tab, "hello", "{s:s}", "token", players);
    int elsewhere = world_connect_from(&world, 9);
    world_do(&world, elsewhere, "hello", "");
    world_cut(&world, third);
    int fourth = world_connect(&world);
    world_do(&world, fourth, "hello", "{s:s}", "token", visitors);
}
END_TEST

START_TEST(test_sessions_per_address)
{
    int made = 0;
    limit("sessions_per_address_burst", 5);
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
    limit("connections", 3);
    for (int i = 0; i < 3; i++)
        ck_assert_int_ge(world_connect(&world), 0);
    ck_assert_int_lt(world_connect(&world), 0);
    world_cut(&world, 1);
    ck_assert_int_ge(world_connect(&world), 0);
}
END_TEST

START_TEST(test_connections_per_address)
{
    limit("connections_per_address", 2);
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
    limit("addresses", 16);
    for (unsigned i = 0; i < 16; i++)
        ck_assert_int_ge(world_connect_from(&world, i), 0);
    ck_assert_int_lt(world_connect_from(&world, 16), 0);
    world_cut(&world, 3);
    ck_assert_int_ge(world_connect_from(&world, 16), 0);
    /* One that has made a session is remembered until nothing is held against it. */
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
    ck_assert(world.tabs[silent].open);
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
    ck_assert(world.tabs[busy].open);
    world_pass(&world, 1800000);
    ck_assert_int_eq(world.tabs[busy].close_code, 4004);
    ck_assert(world.tabs[table.tabs[0]].open); /* follows a room */
    world_do(&world, table.tabs[0], "leave", "{s:s}", "room", table.room);
    world_pass(&world, 1801000);
    ck_assert_int_eq(world.tabs[table.tabs[0]].close_code, 4004);
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
    for (int i = 0; i < 200 && world.tabs[slow].open; i++) {
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
    /* Nobody else was held up, and the slow one can go on where it was. */
    ck_assert(world.tabs[fine].open);
    world.tabs[slow].deaf = false;
    int back = world_back(&world, slow);
    json_t *ok = world_ok(&world, back, "watch", "{s:s,s:I}", "room", table.room, "have", have);
    ck_assert_int_gt(num(ok, "seq"), have);
    json_decref(ok);
}
END_TEST

static size_t unsent_bytes(void)
{
    struct hub_metrics figures;
    hub_metrics(world.hub, &figures);
    return figures.outbox_bytes;
}

/* Answers that it does not read, until so much more is unsent or somebody has been cut off. */
static void fill(int tab, const char *room, size_t bytes)
{
    size_t before = unsent_bytes(), last = before;
    world.tabs[tab].deaf = true;
    while (unsent_bytes() < before + bytes && unsent_bytes() >= last) {
        last = unsent_bytes();
        world_post(&world, tab, "past", "{s:s,s:i}", "room", room, "have", 0);
        world_settle(&world);
    }
}

static void no_prices(void)
{
    world.config.requests_burst = world.config.requests_per_address_burst = 1000000;
    world.config.work_burst = 1000000;
    world_start(&world);
}

/* Together the connections of an address have a bound too; the fullest of them is cut off. */
START_TEST(test_outboxes_of_an_address)
{
    char room[CODE_SPACE];
    limit("outbox_bytes_per_address", 300000);
    no_prices();
    long_match(room);
    int little = world_guest(&world, "Ana"), much = world_guest(&world, "Bo");
    int elsewhere = world_connect_from(&world, 9), third = world_guest(&world, "Chi");
    world_do(&world, elsewhere, "hello", "");
    fill(elsewhere, room, 200000);
    fill(little, room, 20000);
    fill(much, room, 150000);
    ck_assert(world.tabs[much].open);
    fill(third, room, 130000);
    ck_assert_int_eq(world.tabs[much].close_code, 4002);
    ck_assert(world.tabs[little].open);
    ck_assert(world.tabs[third].open);
    ck_assert(world.tabs[elsewhere].open);
    ck_assert_uint_gt(unsent_bytes(), 300000); /* what is sent elsewhere counts apart */
}
END_TEST

START_TEST(test_outboxes_in_all)
{
    char room[CODE_SPACE];
    int tabs[20], cut = 0;
    limit("outbox_bytes_in_all", 300000);
    no_prices();
    long_match(room);
    for (unsigned i = 0; i < 20; i++) {
        tabs[i] = world_connect_from(&world, 10 + i);
        world_do(&world, tabs[i], "hello", "");
        fill(tabs[i], room, 40000);
        ck_assert_uint_le(unsent_bytes(), 300000);
    }
    ck_assert_uint_gt(unsent_bytes(), 200000);
    for (unsigned i = 0; i < 20; i++)
        cut += world.tabs[tabs[i]].close_code == 4002;
    ck_assert_int_ge(cut, 12);
}
END_TEST

/* ---- rooms */

static void create(int tab, char room[CODE_SPACE])
{
    json_t *ok = world_ok(&world, tab, "create", "");
    (void)snprintf(room, CODE_SPACE, "%s", str(ok, "room"));
    json_decref(ok);
}

START_TEST(test_rooms)
{
    struct table one, two;
    limit("rooms", 2);
    world_table(&world, &one, 2, "");
    world_table(&world, &two, 2, "");
    int tab = world_guest(&world, "Chi");
    world_refused(&world, tab, "full", "create", "");
    world_begin(&world, &one);
    world_do(&world, one.tabs[0], "resign", "{s:s}", "room", one.room);
    world.now_ms += 1000;
    world_refused(&world, tab, "full", "create", ""); /* the players still look at it */
    world_do(&world, one.tabs[0], "leave", "{s:s}", "room", one.room);
    world_do(&world, one.tabs[1], "leave", "{s:s}", "room", one.room);
    world.now_ms += 1000;
    world_do(&world, tab, "create", "");
    world_do(&world, two.tabs[0], "ready", "{s:s,s:b}", "room", two.room, "ready", true);
    /* It is kept, and can be looked at when there is place again. */
    world_restart(&world);
    tab = world_guest(&world, "Chi");
    world_refused(&world, tab, "unknown_room", "watch", "{s:s}", "room", "00000000");
    world_do(&world, tab, "past", "{s:s,s:i}", "room", one.room, "have", 0);
}
END_TEST

/* The oldest lobby in which nobody sits makes place, whoever watches it. */
START_TEST(test_rooms_are_evicted)
{
    char first[CODE_SPACE], second[CODE_SPACE], third[CODE_SPACE];
    limit("rooms", 2);
    int host = world_guest(&world, "Ana"), other = world_guest(&world, "Bo");
    create(host, first);
    world.now_ms += 1000;
    create(host, second);
    world_do(&world, other, "watch", "{s:s}", "room", first);
    world_do(&world, other, "watch", "{s:s}", "room", second);
    create(other, third);
    world_refused(&world, other, "unknown_room", "watch", "{s:s}", "room", first);
    world_do(&world, other, "join", "{s:s}", "room", second);
    world_do(&world, host, "join", "{s:s}", "room", third);
    world_refused(&world, host, "full", "create", "");
    ck_assert_uint_eq(world.store.room_count, 2);
}
END_TEST

/* A full server is not looked through for each request. And it stays full while nothing is kept. */
START_TEST(test_rooms_are_evicted_when_the_store_can)
{
    char first[CODE_SPACE], second[CODE_SPACE];
    limit("rooms", 1);
    int host = world_guest(&world, "Ana");
    create(host, first);
    world_do(&world, host, "join", "{s:s}", "room", first);
    world_refused(&world, host, "full", "create", "");
    world_do(&world, host, "leave", "{s:s}", "room", first);
    world_refused(&world, host, "full", "create", "");
    world.now_ms += 1000;
    create(host, second);
    /* What is dropped comes back if the store could not. */
    world.held = true;
    int64_t id = world_post(&world, host, "create", "");
    world_settle(&world);
    world_commit(&world, STORE_FULL);
    world.held = false;
    world_settle(&world);
    world_denied(&world, host, id, "store_failing");
    world_pass(&world, 10000);
    world_do(&world, host, "watch", "{s:s}", "room", second);
}
END_TEST

/* A match whose rematch is asked for does not make place for it. */
START_TEST(test_rematch_in_a_full_server)
{
    struct table table;
    limit("rooms", 1);
    world_table(&world, &table, 2, "");
    world_begin(&world, &table);
    world_do(&world, table.tabs[0], "resign", "{s:s}", "room", table.room);
    world_do(&world, table.tabs[0], "leave", "{s:s}", "room", table.room);
    world_do(&world, table.tabs[1], "leave", "{s:s}", "room", table.room);
    world_refused(&world, table.tabs[0], "full", "rematch", "{s:s}", "room", table.room);
}
END_TEST

START_TEST(test_rooms_that_one_address_has_made)
{
    char room[CODE_SPACE];
    limit("rooms_per_address", 2);
    int host = world_guest(&world, "Ana"), other = world_guest(&world, "Bo");
    create(host, room);
    create(other, room);
    world_refused(&world, host, "too_many_rooms", "create", "");
    int elsewhere = world_connect_from(&world, 9);
    world_do(&world, elsewhere, "hello", "");
    world_do(&world, elsewhere, "create", "");
    world_pass(&world, 3700000); /* unused, they are forgotten */
    host = world_guest(&world, "Ana");
    create(host, room);
    create(host, room);
    world_refused(&world, host, "too_many_rooms", "create", "");
}
END_TEST

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
    world_do(&world, host, "create", ""); /* what is over does not count */
    world_refused(&world, host, "too_many_rooms", "rematch", "{s:s}", "room", table.room);
}
END_TEST

START_TEST(test_seats_per_session)
{
    char rooms[3][CODE_SPACE];
    limit("seats_per_session", 2);
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
    limit("rooms_per_connection", 2);
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
    limit("watchers_per_room", 3);
    world_table(&world, &table, 3, "");
    world_do(&world, table.tabs[2], "leave", "{s:s}", "room", table.room);
    int one = world_guest(&world, "Yan"), two = world_guest(&world, "Zoe");
    world_do(&world, one, "watch", "{s:s}", "room", table.room);
    world_refused(&world, two, "too_many_watchers", "watch", "{s:s}", "room", table.room);
    world_do(&world, two, "join", "{s:s}", "room", table.room); /* players always may */
    int again = world_back(&world, table.tabs[0]);
    world_do(&world, again, "watch", "{s:s}", "room", table.room);
}
END_TEST

/* ---- the store */

START_TEST(test_batch_ops)
{
    struct table table;
    limit("batch_ops", 16);
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
    ck_assert_int_lt(refused, 14); /* one that is refused leaves the next nothing to change */
    world_do(&world, table.tabs[0], "leave", "{s:s}", "room", table.room);
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
    world.config.reads = 2;
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
    tcase_add_test(tests, test_message_bytes);
    tcase_add_loop_test(tests, test_not_utf8, 0, sizeof not_utf8 / sizeof not_utf8[0]);
    tcase_add_test(tests, test_requests);
    tcase_add_test(tests, test_flood);
    tcase_add_test(tests, test_flood_that_is_admitted_now_and_then);
    tcase_add_test(tests, test_requests_per_address);
    tcase_add_loop_test(tests, test_prices, 0, sizeof prices / sizeof prices[0]);
    tcase_add_test(tests, test_prices_of_an_address);
    tcase_add_test(tests, test_work);
    tcase_add_test(tests, test_work_is_shared);
    tcase_add_test(tests, test_rooms_per_address);
    tcase_add_test(tests, test_says);
    tcase_add_test(tests, test_guesses);
    tcase_add_test(tests, test_token_guesses);
    tcase_add_test(tests, test_sessions);
    tcase_add_test(tests, test_a_visitor_who_comes_back);
    tcase_add_test(tests, test_a_visitor_expires_after_its_last_visit);
    tcase_add_test(tests, test_sessions_of_an_address);
    tcase_add_test(tests, test_sessions_per_address);
    tcase_add_test(tests, test_connections);
    tcase_add_test(tests, test_connections_per_address);
    tcase_add_test(tests, test_addresses);
    tcase_add_test(tests, test_connections_per_session);
    tcase_add_test(tests, test_hello_timeout);
    tcase_add_test(tests, test_idle_timeout);
    tcase_add_test(tests, test_slow_reader);
    tcase_add_test(tests, test_outboxes_of_an_address);
    tcase_add_test(tests, test_outboxes_in_all);
    tcase_add_test(tests, test_rooms);
    tcase_add_test(tests, test_rooms_are_evicted);
    tcase_add_test(tests, test_rooms_are_evicted_when_the_store_can);
    tcase_add_test(tests, test_rematch_in_a_full_server);
    tcase_add_test(tests, test_rooms_that_one_address_has_made);
    tcase_add_test(tests, test_rooms_per_session);
    tcase_add_test(tests, test_seats_per_session);
    tcase_add_test(tests, test_rooms_per_connection);
    tcase_add_test(tests, test_watchers_per_room);
    tcase_add_test(tests, test_batch_ops);
    tcase_add_test(tests, test_reads);
    suite_add_tcase(suite, tests);
    return suite;
}
