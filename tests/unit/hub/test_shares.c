/* What requests cost, and what one address may have of sessions, rooms and memory. */
#include "suites.h"
#include "world.h"
#include <hub/push.h>
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

static bool any_endpoint(void *ctx, const char *endpoint)
{
    (void)ctx, (void)endpoint;
    return true;
}

static void limit(int64_t *limit, int64_t value)
{
    *limit = value;
    world_start(&world);
}

/* ---- prices */

/* All connections of an address have one rate in common; those from elsewhere do not notice. */
START_TEST(test_requests_per_address)
{
    static const char ping[] = "{\"id\":1,\"op\":\"ping\"}";
    limit(&world.config.requests_per_address_burst, 50);
    world.config.requests_per_address_per_s = 10;
    world_start(&world);
    int one = world_guest(&world, "Ana"), two = world_guest(&world, "Bo");
    int elsewhere = world_connect_from(&world, 9);
    world_do(&world, elsewhere, "hello", "");
    ck_assert_int_eq(world_until_refused(&world, one, "slow_down", ping), 48);
    ck_assert_int_eq(world_until_refused(&world, two, "slow_down", ping), 0);
    world_do(&world, elsewhere, "ping", "");
    world.now_ms += 1000;
    ck_assert_int_eq(world_until_refused(&world, two, "slow_down", ping), 10);
    ck_assert_int_eq(world_until_refused(&world, one, "slow_down", ping), 0);
}
END_TEST

/* Who made a room counts for the address until the session ends, and no longer. */
START_TEST(test_a_session_that_ends_gives_its_share_back)
{
    limit(&world.config.sessions_per_address, 2);
    world_start(&world);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 2; i++) {
            int tab = world_guest(&world, "Ana");
            world_do(&world, tab, "create", "");
            world_cut(&world, tab);
            world_forget(&world, tab);
        }
        world_pass(&world, world.config.lobby_idle_ms + 1);
        world_pass(&world, INT64_C(86400000) * world.config.session_idle_days + 1);
        ck_assert_uint_eq(world.store.session_count, 0);
    }
}
END_TEST

/* What it keeps beside its first device counts for the address too, also when it never played. */
START_TEST(test_a_visitor_with_more_than_a_device_counts)
{
    static const char *const ops[] = {"link", "phrase", "notify"};
    static const struct hub_push push = {.key = "the server's key", .allowed = any_endpoint};
    const bool notifies = strcmp(ops[_i], "notify") == 0;
    limit(&world.config.sessions_per_address, 2);
    world.env.push = &push;
    world_start(&world);
    for (int i = 0; i < 2; i++) {
        int tab = world_guest(&world, "Ana");
        if (notifies)
            world_post(&world, tab, "notify", "{s:s,s:s,s:s}", "endpoint", "https://push.example/1",
                       "p256dh",
                       "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6"
                       "SRpkNtoIAiw4",
                       "auth", "BTBZMqHH6r4Tts7J_aSIgg");
        else
            world_post(&world, tab, ops[_i], "");
        world_cut(&world, tab); /* before it is durable */
    }
    int tab = world_connect(&world);
    world_refused(&world, tab, "full", "hello", "");
    world_pass(&world, INT64_C(86400000) * world.config.session_idle_days + 1);
    tab = world_connect(&world);
    world_do(&world, tab, "hello", "");
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
} prices[] = {{"past", 12}, {"watch", 12}, {"record", 55 /* kept after the first */}, {"ping", 59}};

static void ask_for_all(char text[static 128], const char *op, const char *room)
{
    const char *have = strcmp(op, "record") == 0 ? "" : ",\"have\":0";
    (void)snprintf(text, 128, "{\"id\":1,\"op\":\"%s\",\"room\":\"%s\"%s}", op, room, have);
}

/* A long answer counts as several requests. */
START_TEST(test_prices)
{
    char room[CODE_SPACE], text[128];
    long_match(room);
    int tab = world_guest(&world, "Zoe");
    ask_for_all(text, prices[_i].op, room);
    int granted = world_until_refused(&world, tab, "slow_down", text);
    ck_assert_msg(granted >= 1 && granted <= prices[_i].most, "%s: %d", prices[_i].op, granted);
    ck_assert(prices[_i].most < 59 || granted == 59);
    world.now_ms += 10000; /* the debt is made up for */
    world_do(&world, tab, "ping", "");
}
END_TEST

/* To look into the store costs something too, whether the room is there or not. */
START_TEST(test_price_of_an_archived_room)
{
    char text[128];
    int tab = world_guest(&world, "Zoe");
    ask_for_all(text, "watch", "00000000");
    ck_assert_int_eq(world_until_refused(&world, tab, "slow_down", text), 12); /* 5 each, of 59 */
}
END_TEST

/* A client that is refused because others used up the address's share loses nothing of its own. */
START_TEST(test_refused_for_the_address)
{
    static const char ping[] = "{\"id\":1,\"op\":\"ping\"}";
    world.config.requests_burst = 10;
    world.config.requests_per_s = 1;
    world.config.requests_per_address_burst = 12;
    world.config.requests_per_address_per_s = 10;
    world_start(&world);
    int one = world_guest(&world, "Ana"), two = world_guest(&world, "Bo");
    ck_assert_int_eq(world_until_refused(&world, one, "slow_down", ping), 9);
    world_do(&world, two, "ping", "");
    for (int i = 0; i < 9; i++)
        world_refused(&world, two, "slow_down", "ping", "");
    world.now_ms += 1000;
    ck_assert_int_eq(world_until_refused(&world, two, "slow_down", ping), 9);
}
END_TEST

START_TEST(test_prices_of_an_address)
{
    char room[CODE_SPACE], text[128];
    limit(&world.config.requests_per_address_burst, 300);
    world.config.requests_per_address_per_s = 1;
    world.config.requests_burst = world.config.work_burst = 100000;
    world_start(&world);
    long_match(room);
    world_pass(&world, 300000);
    int one = world_guest(&world, "Zoe"), two = world_guest(&world, "Yan");
    ask_for_all(text, "past", room);
    ck_assert_int_le(world_until_refused(&world, one, "slow_down", text), 60);
    world_refused(&world, two, "slow_down", "ping", "");
}
END_TEST

/* The cost of long answers in one turn of the loop is bounded for all clients; short ones are not
 * held up. */
START_TEST(test_work)
{
    char room[CODE_SPACE], text[128];
    limit(&world.config.work_burst, 100);
    world.config.work_per_s = 100;
    world.config.answers_waiting = 0;
    world.config.requests_burst = 100000;
    world_start(&world);
    long_match(room);
    world_pass(&world, 10000);
    int one = world_guest(&world, "Zoe");
    ask_for_all(text, "past", room);
    ck_assert_int_le(world_until_refused(&world, one, "slow_down", text), 20);
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

/* Half of it is reserved for addresses with little use. */
START_TEST(test_work_is_shared)
{
    char room[CODE_SPACE], text[128];
    limit(&world.config.work_burst, 400);
    world.config.answers_waiting = 0;
    world.config.requests_burst = 100000;
    world.config.requests_per_address_burst = 500;
    world.config.work_per_s = world.config.requests_per_address_per_s = 1;
    world_start(&world);
    long_match(room);
    world_pass(&world, 600000);
    int greedy = world_guest(&world, "Zoe");
    for (int i = 0; i < 250; i++) /* half of what its address has */
        world_do(&world, greedy, "ping", "");
    ask_for_all(text, "past", room);
    ck_assert_int_ge(world_until_refused(&world, greedy, "slow_down", text), 1);
    world_do(&world, greedy, "ping", "");
    int light = world_connect_from(&world, 9);
    world_do(&world, light, "hello", "");
    world_do(&world, light, "past", "{s:s,s:i}", "room", room, "have", 0);
}
END_TEST

/* ---- unread answers */

static size_t unsent_bytes(void)
{
    struct hub_metrics figures;
    hub_metrics(world.hub, &figures);
    return figures.outbox_bytes;
}

/* Makes answers that the tab does not read, until so much more is unsent or a tab is closed. */
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

/* The connections of an address have a common limit too; the one with most unsent bytes is closed.
 */
START_TEST(test_outboxes_of_an_address)
{
    char room[CODE_SPACE];
    limit(&world.config.outbox_bytes_per_address, 300000);
    no_prices();
    long_match(room);
    int little = world_guest(&world, "Ana"), much = world_guest(&world, "Bo");
    int elsewhere = world_connect_from(&world, 9), third = world_guest(&world, "Chi");
    world_do(&world, elsewhere, "hello", "");
    fill(elsewhere, room, 200000);
    fill(little, room, 20000);
    fill(much, room, 150000);
    ck_assert(world.tabs[much].link.open);
    fill(third, room, 130000);
    ck_assert_int_eq(world.tabs[much].close_code, 4002);
    ck_assert(world.tabs[little].link.open);
    ck_assert(world.tabs[third].link.open);
    ck_assert(world.tabs[elsewhere].link.open);
    ck_assert_uint_gt(unsent_bytes(), 300000); /* what is sent elsewhere counts apart */
}
END_TEST

START_TEST(test_outboxes_in_all)
{
    char room[CODE_SPACE];
    int tabs[20], cut = 0;
    limit(&world.config.outbox_bytes_in_all, 300000);
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

/* Others who do not read keep nobody from hearing what is said: who has little unsent is told. */
START_TEST(test_talk_goes_on_though_others_do_not_read)
{
    char room[CODE_SPACE];
    struct table table;
    limit(&world.config.outbox_bytes_in_all, 300000);
    no_prices();
    long_match(room);
    for (unsigned host = 10; host < 15; host++) {
        const int tab = world_connect_from(&world, host);
        world_do(&world, tab, "hello", "");
        fill(tab, room, 40000);
    }
    ck_assert_uint_gt(unsent_bytes(), 150000);
    world.host = 99;
    world_table(&world, &table, 2, "");
    world_forget(&world, table.tabs[1]);
    world_do(&world, table.tabs[0], "say", "{s:s,s:s}", "room", table.room, "text", "hi");
    json_t *said = world_push(&world, table.tabs[1], "said");
    ck_assert_ptr_nonnull(said);
    json_decref(said);
}
END_TEST

/* What is still unsent to this tab: how many messages. */
static int count_unsent(int tab)
{
    size_t len;
    int count = 0;
    while (hub_output(world.hub, world.tabs[tab].link.peer, &len)) {
        hub_sent(world.hub, world.tabs[tab].link.peer);
        count++;
    }
    return count;
}

/* What was asked may overflow an outbox: the others are told at once who was disconnected. */
START_TEST(test_cut_off_by_an_answer)
{
    struct table table;
    world.config.outbox_bytes = 16384;
    world.config.requests_burst = 1000;
    world_start(&world);
    world_table(&world, &table, 2, "");
    world.tabs[table.tabs[1]].deaf = true;
    while (unsent_bytes() + 120 < 16384) {
        world_post(&world, table.tabs[1], "ping", "");
        world_settle(&world);
    }
    ck_assert(world.tabs[table.tabs[1]].link.open);
    hub_drain(world.hub, world.now_ms); /* a notice is left out instead */
    ck_assert_int_eq(count_unsent(table.tabs[0]), 1);
    ck_assert(world.tabs[table.tabs[1]].link.open);
    world_post(&world, table.tabs[1], "ping", "");
    world_post(&world, table.tabs[1], "ping", "");
    ck_assert_int_eq(hub_close_code(world.hub, world.tabs[table.tabs[1]].link.peer), 4002);
    ck_assert_int_eq(count_unsent(table.tabs[0]), 1); /* the presence */
    world_settle(&world);
}
END_TEST

/* ---- sessions */

/* A second hello alone does not make a session worth keeping: it is replaced like any visitor. */
START_TEST(test_a_visitor_who_comes_back)
{
    limit(&world.config.sessions, 2);
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

/* The same after a restart, from which on it is kept for as long as any visitor. */
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

/* Sessions that are connected or had a seat count; visitors who have left do not. */
START_TEST(test_sessions_of_an_address)
{
    struct table table;
    char visitors[TOKEN_SPACE], players[TOKEN_SPACE];
    limit(&world.config.sessions_per_address, 3);
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

Suite *shares_suite(void)
{
    Suite *suite = suite_create("shares");
    TCase *tests = tcase_create("shares");
    tcase_add_checked_fixture(tests, setup, teardown);
    TCase *near = near_case(suite, setup, teardown);
    tcase_add_loop_test(tests, test_prices, 0, sizeof prices / sizeof prices[0]);
    tcase_add_test(tests, test_requests_per_address);
    tcase_add_test(tests, test_a_session_that_ends_gives_its_share_back);
    tcase_add_loop_test(tests, test_a_visitor_with_more_than_a_device_counts, 0, 3);
    tcase_add_test(tests, test_price_of_an_archived_room);
    tcase_add_test(tests, test_refused_for_the_address);
    tcase_add_test(tests, test_prices_of_an_address);
    tcase_add_test(tests, test_work);
    tcase_add_test(tests, test_work_is_shared);
    tcase_add_test(tests, test_a_visitor_who_comes_back);
    tcase_add_test(tests, test_a_visitor_expires_after_its_last_visit);
    tcase_add_test(tests, test_sessions_of_an_address);
    tcase_add_test(near, test_outboxes_of_an_address);
    tcase_add_test(near, test_outboxes_in_all);
    tcase_add_test(near, test_talk_goes_on_though_others_do_not_read);
    tcase_add_test(near, test_cut_off_by_an_answer);
    suite_add_tcase(suite, tests);
    return suite;
}
