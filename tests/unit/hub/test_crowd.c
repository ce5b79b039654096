/*
 * Everybody at once: twenty addresses make all that they may, at a hundredth of the usual limits,
 * and honest people come, stay and come back meanwhile.
 */
#include "suites.h"
#include "world.h"
#include <stdio.h>

enum { ATTACKERS = 20, FIRST_ATTACKER = 200, SESSIONS = 2000, DAY_MS = 86400000 };
enum { HONEST_MAX = 100 };

static struct world world;
static char tokens[HONEST_MAX][TOKEN_SPACE]; /* of honest people; each has an address alone */
static unsigned honest;

static void setup(void)
{
    world_init(&world);
    world.config.sessions = SESSIONS;
    world.config.sessions_per_address = SESSIONS / ATTACKERS;
    world.config.sessions_per_address_burst = 1000000;
    world.config.sessions_per_address_per_min = 1000000;
    world_start(&world);
    honest = 0;
}

static void teardown(void)
{
    world_release(&world);
}

/* A phrase makes a player of a visitor, who is kept for weeks. */
static void make_player(int tab)
{
    world_do(&world, tab, "phrase", "");
    world_cut(&world, tab);
}

/* Somebody new from an address of their own must be served. */
static void come_new(void)
{
    const int tab = world_connect_from(&world, 1 + honest);
    json_t *hello = world_ok(&world, tab, "hello", "");
    (void)snprintf(tokens[honest++], TOKEN_SPACE, "%s", str(hello, "token"));
    json_decref(hello);
    make_player(tab);
}

static void come_back(unsigned who)
{
    const int tab = world_connect_from(&world, 1 + who);
    world_do(&world, tab, "hello", "{s:s}", "token", tokens[who]);
    world_cut(&world, tab);
}

/* One session more from there, if it is given one. */
static void attack_from(unsigned host)
{
    const int tab = world_connect_from(&world, host);
    const int64_t id = world_post(&world, tab, "hello", "");
    world_settle(&world);
    json_t *reply = world_reply(&world, tab, id);
    if (json_object_get(reply, "ok"))
        world_do(&world, tab, "phrase", "");
    json_decref(reply);
    world_forget(&world, tab);
    world_cut(&world, tab);
}

static void attack(unsigned first, int rounds)
{
    for (int round = 0; round < rounds; round++) {
        for (unsigned at = 0; at < ATTACKERS; at++)
            attack_from(first + at);
        if (round % 5 == 0)
            come_new();
        world.now_ms += 1000;
    }
}

static size_t count_sessions(void)
{
    return (size_t)world_figure(&world, "sessions");
}

START_TEST(test_newcomers_are_served)
{
    for (int i = 0; i < 30; i++)
        come_new();
    world.now_ms += DAY_MS;
    attack(FIRST_ATTACKER, 3 * SESSIONS / ATTACKERS / 2);
    ck_assert_uint_le(count_sessions(), SESSIONS);
    ck_assert_uint_ge(count_sessions(), SESSIONS - 64);
    for (unsigned who = 0; who < honest; who++)
        come_back(who);
    ck_assert_int_gt((int)world_figure(&world, "sessions_evicted_total"), 0);
}
END_TEST

/* After a restart nobody knows where sessions came from: who has come on several days stays. */
START_TEST(test_regulars_stay_over_a_restart)
{
    for (int i = 0; i < 30; i++)
        come_new();
    world.now_ms += 2 * (int64_t)DAY_MS;
    for (unsigned who = 0; who < 30; who++)
        come_back(who);
    attack(FIRST_ATTACKER, SESSIONS / ATTACKERS);
    world_restart(&world);
    world.now_ms += 1000;
    attack(FIRST_ATTACKER, SESSIONS / ATTACKERS / 2);
    for (unsigned who = 0; who < 30; who++)
        come_back(who);
}
END_TEST

/* An address takes from itself, not from others. */
START_TEST(test_most_give_way_first)
{
    world.config.sessions_per_address = SESSIONS;
    world_start(&world);
    for (int i = 0; i < 10; i++)
        come_new();
    for (int i = 0; i < SESSIONS + 100; i++)
        attack_from(FIRST_ATTACKER);
    ck_assert_uint_le(count_sessions(), SESSIONS);
    for (unsigned who = 0; who < honest; who++)
        come_back(who);
}
END_TEST

/* ---- rooms */

enum { ROOMS = 130, MAKERS = 18, ROOMS_OF_EACH = 7 }; /* little less than there may be */

static void few_rooms(void)
{
    world.config.rooms = ROOMS;
    world.config.rooms_per_session = 1000;
    world.config.seats_per_session = 1000;
    world_start(&world);
}

/* A lobby of somebody from an address of their own, who goes away. */
static void make_room(unsigned host, char room[CODE_SPACE])
{
    const int tab = world_connect_from(&world, host);
    world_do(&world, tab, "hello", "");
    json_t *made = world_ok(&world, tab, "create", "");
    (void)snprintf(room, CODE_SPACE, "%s", str(made, "room"));
    world_do(&world, tab, "join", "{s:s,s:i}", "room", room, "seat", 0);
    json_decref(made);
    world_forget(&world, tab);
    world_cut(&world, tab);
    world.now_ms++;
}

static bool is_there(const char *room)
{
    const int tab = world_guest(&world, "Eve");
    const int64_t id = world_post(&world, tab, "watch", "{s:s}", "room", room);
    world_settle(&world);
    json_t *reply = world_reply(&world, tab, id);
    const bool there = json_object_get(reply, "ok");
    json_decref(reply);
    world_forget(&world, tab);
    world_cut(&world, tab);
    return there;
}

/* Many sit in their lobbies, and are connected: they are told. */
START_TEST(test_lobbies_give_way)
{
    char kept[CODE_SPACE], room[CODE_SPACE];
    int tabs[MAKERS];
    few_rooms();
    make_room(1, kept);
    for (unsigned at = 0; at < MAKERS; at++) {
        tabs[at] = world_connect_from(&world, FIRST_ATTACKER + at);
        world_do(&world, tabs[at], "hello", "");
        for (int i = 0; i < ROOMS_OF_EACH; i++) {
            json_t *made = world_ok(&world, tabs[at], "create", "");
            world_do(&world, tabs[at], "join", "{s:s,s:i}", "room", str(made, "room"), "seat", 0);
            json_decref(made);
        }
        world_forget(&world, tabs[at]);
    }
    for (unsigned host = 2; host < 32; host++)
        make_room(host, room);
    ck_assert(is_there(kept) && is_there(room));
    int told = 0;
    for (unsigned at = 0; at < MAKERS; at++) {
        json_t *notice;
        while ((notice = world_push(&world, tabs[at], "notice")) != NULL) {
            ck_assert_str_eq(str(notice, "code"), "closed");
            json_decref(notice);
            told++;
        }
        world_forget(&world, tabs[at]);
    }
    ck_assert_int_ge(told, 29);
    ck_assert_int_eq((int)world_figure(&world, "rooms_evicted_total"), told);
    ck_assert_int_le((int)world_figure(&world, "rooms"), ROOMS);
}
END_TEST

/* When nobody gives way to those who have made most, what is left is for who is new. */
START_TEST(test_the_last_places_are_kept)
{
    char room[CODE_SPACE];
    int tabs[MAKERS];
    few_rooms();
    for (unsigned at = 0; at < MAKERS; at++) {
        tabs[at] = world_connect_from(&world, FIRST_ATTACKER + at);
        world_do(&world, tabs[at], "hello", "");
    }
    for (unsigned made = 0; made < 2 * ROOMS; made++) {
        world_post(&world, tabs[made % MAKERS], "create", "");
        world_settle(&world);
        world_forget(&world, tabs[made % MAKERS]);
    }
    for (unsigned host = 2; host < 12; host++)
        make_room(host, room);
}
END_TEST

/* Two people of two addresses, and their tokens. */
static void begin_honest_match(struct table *table)
{
    for (unsigned seat = 0; seat < 2; seat++) {
        const int tab = world_connect_from(&world, 1 + seat);
        json_t *hello = world_ok(&world, tab, "hello", "");
        (void)snprintf(tokens[seat], TOKEN_SPACE, "%s", str(hello, "token"));
        json_decref(hello);
        table->tabs[seat] = tab;
        if (seat == 0) {
            json_t *made = world_ok(&world, tab, "create", "");
            (void)snprintf(table->room, CODE_SPACE, "%s", str(made, "room"));
            json_decref(made);
        }
        world_do(&world, tab, "join", "{s:s,s:i}", "room", table->room, "seat", seat);
    }
    table->players = 2;
    world_begin(&world, table);
}

/* Matches that people of one address play with themselves, and leave alone. */
static void fill_with_matches(void)
{
    struct table table;
    for (unsigned at = 0; at < MAKERS; at++) {
        world.host = FIRST_ATTACKER + at;
        for (int i = 0; i < ROOMS_OF_EACH; i++) {
            world_table(&world, &table, 2, "");
            world_begin(&world, &table);
            for (int seat = 0; seat < 2; seat++) {
                world_forget(&world, table.tabs[seat]);
                world_cut(&world, table.tabs[seat]);
            }
        }
    }
}

static void expect_newcomers_served(void)
{
    char room[CODE_SPACE];
    for (unsigned host = 3; host < 33; host++)
        make_room(host, room);
    ck_assert_int_ge((int)world_figure(&world, "rooms_evicted_total"), 29);
}

static void expect_played_on(struct table *table)
{
    ck_assert_int_ge(world_move(&world, table), 0);
    for (int seat = 0; seat < 2; seat++)
        world_forget(&world, table->tabs[seat]);
}

START_TEST(test_matches_give_way)
{
    struct table honest_match;
    few_rooms();
    begin_honest_match(&honest_match);
    fill_with_matches();
    expect_newcomers_served();
    expect_played_on(&honest_match);
}
END_TEST

/* Nobody knows then where they were made; but people of two addresses have come back to theirs. */
START_TEST(test_matches_give_way_after_a_restart)
{
    struct table honest_match;
    few_rooms();
    begin_honest_match(&honest_match);
    fill_with_matches();
    world_restart(&world);
    for (unsigned seat = 0; seat < 2; seat++) {
        const int tab = world_connect_from(&world, 1 + seat);
        world_do(&world, tab, "hello", "{s:s}", "token", tokens[seat]);
        world_do(&world, tab, "watch", "{s:s}", "room", honest_match.room);
        honest_match.tabs[seat] = tab;
    }
    expect_newcomers_served();
    expect_played_on(&honest_match);
}
END_TEST

/* A match that is over at once; the room. */
static void finish_match(char room[CODE_SPACE])
{
    struct table table = {0};
    world_table(&world, &table, 2, "");
    world_begin(&world, &table);
    world_do(&world, table.tabs[0], "resign", "{s:s}", "room", table.room);
    (void)snprintf(room, CODE_SPACE, "%s", table.room);
    for (int seat = 0; seat < 2; seat++) {
        world_forget(&world, table.tabs[seat]);
        world_cut(&world, table.tabs[seat]);
    }
}

/* Whoever watches finished matches, as many as there may be rooms, is told that some were closed.
 */
START_TEST(test_what_is_over_and_watched_gives_way)
{
    enum { FINISHED = 40 };
    char rooms[FINISHED][CODE_SPACE], room[CODE_SPACE];
    world.config.rooms = 32;
    world.config.rooms_per_session = world.config.rooms_per_connection = 1000;
    world_start(&world);
    for (int at = 0; at < FINISHED; at++)
        finish_match(rooms[at]);
    const int eve = world_connect_from(&world, FIRST_ATTACKER);
    world_do(&world, eve, "hello", "");
    unsigned watched = 0;
    for (int at = 0; at < FINISHED; at++) {
        const int64_t id = world_post(&world, eve, "watch", "{s:s}", "room", rooms[at]);
        world_settle(&world);
        json_t *reply = world_reply(&world, eve, id);
        watched += json_object_get(reply, "ok") != NULL;
        world.now_ms += 1000;
        json_decref(reply);
    }
    ck_assert_uint_ge(watched, 30);
    world_forget(&world, eve);
    for (unsigned host = 1; host < 9; host++)
        make_room(host, room);
    unsigned told = 0;
    for (json_t *notice; (notice = world_push(&world, eve, "notice")) != NULL; told++) {
        ck_assert_str_eq(str(notice, "code"), "closed");
        json_decref(notice);
    }
    ck_assert_uint_ge(told, 7);
    ck_assert_int_le((int)world_figure(&world, "rooms"), 32);
    world_forget(&world, eve);
}
END_TEST

/* Nobody has made many more than whoever comes: then it is simply full. */
START_TEST(test_full_of_honest_rooms)
{
    char room[CODE_SPACE];
    world.config.rooms = 8;
    world_start(&world);
    for (unsigned host = 1; host <= 8; host++)
        make_room(host, room);
    const int tab = world_connect_from(&world, 9);
    world_do(&world, tab, "hello", "");
    world_refused(&world, tab, "full", "create", "");
}
END_TEST

/* ---- one lobby */

static bool is_granted(int tab, int64_t id)
{
    world_settle(&world);
    json_t *reply = world_reply(&world, tab, id);
    const bool granted = json_object_get(reply, "ok");
    if (!granted)
        ck_assert_str_eq(str(json_object_get(reply, "error"), "code"), "too_many_changes");
    json_decref(reply);
    world.now_ms += 1000;
    return granted;
}

/* A session of that address is ready and not, for as long as it may. How often that was. */
static int spend_from(unsigned host, const char *room)
{
    const int tab = world_connect_from(&world, host);
    int spent = 0;
    world_do(&world, tab, "hello", "");
    bool granted = is_granted(tab, world_post(&world, tab, "join", "{s:s}", "room", room));
    while (granted) {
        spent++;
        granted = is_granted(
            tab, world_post(&world, tab, "ready", "{s:s,s:b}", "room", room, "ready", spent % 2));
    }
    if (spent > 0)
        world_do(&world, tab, "leave", "{s:s}", "room", room);
    world_forget(&world, tab);
    world_cut(&world, tab);
    return spent;
}

/* With its host in the first seat; the host's tab. */
static int open_lobby(char room[CODE_SPACE])
{
    world_start(&world);
    const int host = world_connect_from(&world, 1);
    world_do(&world, host, "hello", "");
    json_t *made = world_ok(&world, host, "create", "");
    (void)snprintf(room, CODE_SPACE, "%s", str(made, "room"));
    json_decref(made);
    world_do(&world, host, "join", "{s:s,s:i}", "room", room, "seat", 0);
    return host;
}

/* However many sessions they come with. */
START_TEST(test_an_address_does_not_spend_a_lobby)
{
    char room[CODE_SPACE];
    int spent = 0;
    const int host = open_lobby(room);
    for (int session = 0; session < 10; session++)
        spent += spend_from(FIRST_ATTACKER, room);
    ck_assert_int_ge(spent, 60);
    ck_assert_int_le(spent, 90);
    ck_assert_int_ge(spend_from(3, room), 30); /* as much as a stranger may */
    world_do(&world, host, "ready", "{s:s,s:b}", "room", room, "ready", 1);
    world_forget(&world, host);
}
END_TEST

static int64_t lobby_seq(int tab, const char *room)
{
    json_t *watched = world_ok(&world, tab, "watch", "{s:s}", "room", room);
    const int64_t seq = num(json_object_get(watched, "state"), "seq");
    json_decref(watched);
    return seq;
}

/*
 * Nine addresses with nine sessions each have spent what is there for all who come: somebody from
 * elsewhere still joins and is ready, and of the nine each has no more than the few that are left.
 */
START_TEST(test_addresses_leave_a_place_in_a_lobby)
{
    enum { SOME = 9 };
    char room[CODE_SPACE];
    const int host = open_lobby(room);
    for (unsigned at = 0; at < SOME * SOME; at++)
        spend_from(FIRST_ATTACKER + at % SOME, room);
    const int64_t before = lobby_seq(host, room);
    for (unsigned at = 0; at < SOME; at++)
        ck_assert_int_eq(spend_from(FIRST_ATTACKER + at, room), 0);
    ck_assert_int_eq(lobby_seq(host, room), before);
    const int late = world_connect_from(&world, 3);
    world_do(&world, late, "hello", "");
    world_do(&world, late, "join", "{s:s}", "room", room);
    world_do(&world, late, "ready", "{s:s,s:b}", "room", room, "ready", 1);
    world_do(&world, host, "ready", "{s:s,s:b}", "room", room, "ready", 1);
    world_do(&world, host, "start", "{s:s}", "room", room);
    world_forget(&world, host);
    world_forget(&world, late);
}
END_TEST

/* One network that has filled all places keeps nobody of another one out. */
START_TEST(test_addresses_of_one_network)
{
    uint8_t crowd[16] = {0x20, 0x01, 0x0d, 0xb8, 0, 7}, other[16] = {0x20, 0x01, 0x0d, 0xb8, 0, 8};
    struct hub_metrics figures;
    struct hub_peer peer;
    world.config.addresses = 16;
    world_restart(&world);
    for (uint8_t i = 0; i < 16; i++) {
        crowd[7] = i;
        ck_assert_int_eq(hub_connect(world.hub, crowd, world.now_ms, &peer), 0);
        if (i > 1)
            continue;
        hub_receive(world.hub, peer, "{}", 2, world.now_ms); /* its rates have to recover */
        hub_disconnect(world.hub, peer, world.now_ms);
    }
    crowd[7] = 16;
    ck_assert_int_eq(hub_connect(world.hub, crowd, world.now_ms, &peer), 1013);
    ck_assert_int_eq(hub_connect(world.hub, other, world.now_ms, &peer), 0);
    ck_assert_int_ge(world_connect_from(&world, 1), 0);
    hub_metrics(world.hub, &figures);
    ck_assert_uint_eq(figures.addresses, 16);
    /* The others are connected. */
    ck_assert_int_lt(world_connect_from(&world, 2), 0);
}
END_TEST

/* Each /64 of it has a place of its own, but those who come from elsewhere have some too. */
START_TEST(test_connections_of_one_network)
{
    uint8_t crowd[16] = {0x20, 0x01, 0x0d, 0xb8, 0, 7}, other[16] = {0x20, 0x01, 0x0d, 0xb8, 0, 8};
    struct hub_peer peer, first = {0};
    int taken = 0;
    world.config.connections = 20;
    world_restart(&world);
    for (; taken < 20; taken++) {
        crowd[7] = (uint8_t)taken;
        if (hub_connect(world.hub, crowd, world.now_ms, &peer) != 0)
            break;
        if (taken == 0)
            first = peer;
    }
    ck_assert_int_eq(taken, 16);
    ck_assert_int_eq(hub_connect(world.hub, other, world.now_ms, &peer), 0);
    ck_assert_int_ge(world_connect_from(&world, 1), 0);
    /* A place that it gives back is not its own any more. */
    hub_disconnect(world.hub, first, world.now_ms);
    ck_assert_int_eq(hub_connect(world.hub, crowd, world.now_ms, &peer), 1013);
    ck_assert_int_ge(world_connect_from(&world, 1), 0);
}
END_TEST

Suite *crowd_suite(void)
{
    Suite *suite = suite_create("crowd");
    TCase *tests = tcase_create("crowd");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, test_newcomers_are_served);
    tcase_add_test(tests, test_regulars_stay_over_a_restart);
    tcase_add_test(tests, test_most_give_way_first);
    tcase_add_test(tests, test_lobbies_give_way);
    tcase_add_test(tests, test_the_last_places_are_kept);
    tcase_add_test(tests, test_what_is_over_and_watched_gives_way);
    tcase_add_test(tests, test_matches_give_way);
    tcase_add_test(tests, test_matches_give_way_after_a_restart);
    tcase_add_test(tests, test_full_of_honest_rooms);
    tcase_add_test(tests, test_an_address_does_not_spend_a_lobby);
    tcase_add_test(tests, test_addresses_leave_a_place_in_a_lobby);
    tcase_add_test(tests, test_addresses_of_one_network);
    tcase_add_test(tests, test_connections_of_one_network);
    suite_add_tcase(suite, tests);
    return suite;
}
