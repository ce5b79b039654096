/*
 * Queues towards the store when they are full: whoever has most places gives way to somebody from
 * elsewhere, and few are asked for at once, so that those that wait have turns (fair_queue.h).
 */
#include "suites.h"
#include "waiting/fair_queue.h"
#include "world.h"
#include <history/game_table.h>

static struct world world;

enum { GREEDY = 5, ALIKE = 6, MODEST = 9, ONE_SITE = 0x100, OTHER_SITE = 0x10000, ID = 100 };

static void setup(void)
{
    world_init(&world);
    world.config.work_burst = world.config.requests_burst = 1000;
    world.config.requests_per_address_burst = 1000;
    world_start(&world);
}

static void teardown(void)
{
    world_release(&world);
}

static int come_from(unsigned host)
{
    const int tab = world_connect_from(&world, host);
    world_do(&world, tab, "hello", "");
    return tab;
}

/* ---- rooms */

static void post_record(int tab, int64_t id, char room)
{
    const char text[] = {'0', '0', '0', '0', '0', '0', '0', room, '\0'};
    world_post_id(&world, tab, id, "record", "{s:s}", "room", text);
}

static void fetch(char expected)
{
    char room[9];
    ck_assert(hub_read_take(world.hub, room));
    ck_assert_int_eq(room[7], expected);
    model_read(&world.store, world.hub, room, world.now_ms);
}

START_TEST(a_room_gives_way)
{
    world.config.reads = 4;
    world_start(&world);
    const int greedy = come_from(GREEDY), alike = come_from(ALIKE), modest = come_from(MODEST);
    for (int at = 0; at < 2; at++) {
        post_record(greedy, ID + at, (char)('1' + at));
        post_record(alike, ID + at, (char)('3' + at));
    }
    post_record(modest, ID, '7');
    world_settle(&world);
    world_denied(&world, alike, ID + 1, "slow_down");
    world_denied(&world, modest, ID, "unknown_room");
    world_denied(&world, greedy, ID + 1, "unknown_room");
}
END_TEST

/* Somebody of a network that has none, who waits for it as well, still has it. */
START_TEST(a_room_stays_for_others)
{
    enum { PLACES = 4 };
    int crowd[PLACES];
    world.config.reads = PLACES;
    world_start(&world);
    const int also = come_from(ONE_SITE), modest = come_from(OTHER_SITE);
    for (int at = 0; at < PLACES; at++)
        crowd[at] = come_from(GREEDY + (unsigned)at);
    for (int at = 0; at < PLACES; at++)
        post_record(crowd[at], ID, (char)('1' + at));
    post_record(also, ID, '4');
    post_record(modest, ID, '7');
    world_settle(&world);
    for (int at = 0; at < PLACES; at++)
        world_denied(&world, crowd[at], ID, at < 2 ? "unknown_room" : "slow_down");
    world_denied(&world, also, ID, "unknown_room");
    world_denied(&world, modest, ID, "unknown_room");
}
END_TEST

/* Who asks for what another one waits for has it at their own turn, if that is earlier. */
START_TEST(a_room_comes_when_anybody_has_a_turn)
{
    const int greedy = come_from(GREEDY), modest = come_from(MODEST);
    for (char room = '1'; room <= '4'; room++)
        post_record(greedy, ID + room, room);
    post_record(modest, ID, '4');
    static const char order[] = "1423";
    for (size_t at = 0; order[at]; at++)
        fetch(order[at]);
    world_settle(&world);
    world_denied(&world, modest, ID, "unknown_room");
    world_denied(&world, greedy, ID + '4', "unknown_room");
}
END_TEST

/* So many wait for one room. */
START_TEST(a_reader_gives_way)
{
    world.config.readers_per_read = 2;
    world_start(&world);
    const int greedy = come_from(GREEDY), modest = come_from(MODEST);
    for (int64_t id = ID; id < ID + 3; id++)
        post_record(greedy, id, '1');
    for (int64_t id = ID; id < ID + 2; id++)
        post_record(modest, id, '1');
    world_settle(&world);
    for (int64_t id = ID + 1; id < ID + 3; id++)
        world_denied(&world, greedy, id, "slow_down");
    world_denied(&world, modest, ID + 1, "slow_down");
    world_denied(&world, modest, ID, "unknown_room");
    world_denied(&world, greedy, ID, "unknown_room");
}
END_TEST

/* ---- lists */

START_TEST(a_list_gives_way)
{
    world.config.queries = 4;
    world_start(&world);
    const int greedy = come_from(GREEDY), alike = come_from(ALIKE), modest = come_from(MODEST);
    for (int64_t id = ID; id < ID + 2; id++) {
        world_post_id(&world, greedy, id, "games", "");
        world_post_id(&world, alike, id, "games", "");
    }
    world_post_id(&world, modest, ID, "games", "");
    world_settle(&world);
    world_denied(&world, alike, ID + 1, "slow_down");
    world_granted(&world, modest, ID);
    world_granted(&world, greedy, ID + 1);
}
END_TEST

static uint64_t session_asked(const struct store_query *page)
{
    return ((const struct game_row *)(const void *)page->from)->session;
}

/* A store that is slow has few of them; the others have turns. */
START_TEST(few_are_asked_for_at_once)
{
    struct store_query pages[FAIR_QUEUE_OUT], more;
    const int greedy = come_from(GREEDY), modest = come_from(MODEST);
    for (int64_t id = ID; id < ID + FAIR_QUEUE_OUT + 2; id++)
        world_post_id(&world, greedy, id, "games", "");
    for (int at = 0; at < FAIR_QUEUE_OUT; at++)
        ck_assert(hub_query_take(world.hub, &pages[at]));
    ck_assert(!hub_query_take(world.hub, &more));
    world_post_id(&world, modest, ID, "games", "");
    model_query(&world.store, world.hub, &pages[0], world.now_ms);
    ck_assert(hub_query_take(world.hub, &more));
    ck_assert_uint_ne(session_asked(&more), session_asked(&pages[0]));
    for (int at = 1; at < FAIR_QUEUE_OUT; at++)
        model_query(&world.store, world.hub, &pages[at], world.now_ms);
    model_query(&world.store, world.hub, &more, world.now_ms);
    world_settle(&world);
    world_granted(&world, greedy, ID + FAIR_QUEUE_OUT + 1);
}
END_TEST

/* ---- by HTTP */

static uint64_t ask_for_record(unsigned host, char room)
{
    char path[] = "/api/records/0000000?";
    struct hub_http_answer answer;
    uint64_t ticket;
    path[sizeof path - 2] = room;
    if (hub_get_from((uint8_t)host, world.hub, path, world.now_ms, &answer, &ticket)) {
        ck_assert_int_eq(answer.status, 503);
        hub_http_release(&answer);
    }
    return ticket;
}

static int next_status(uint64_t *ticket)
{
    struct hub_http_answer answer;
    if (!hub_http_next(world.hub, ticket, &answer))
        return -1;
    const int status = answer.status;
    hub_http_release(&answer);
    return status;
}

/* Its room is still fetched, and it is answered once. */
START_TEST(what_waits_by_http_gives_way)
{
    uint64_t tickets[3], done;
    world.config.http_waits = 2;
    world_start(&world);
    for (int at = 0; at < 2; at++)
        tickets[at] = ask_for_record(GREEDY, (char)('1' + at));
    ck_assert_uint_eq(ask_for_record(GREEDY, '3'), 0);
    tickets[2] = ask_for_record(MODEST, '4');
    ck_assert_uint_ne(tickets[2], 0);
    ck_assert_uint_eq(ask_for_record(MODEST, '5'), 0);
    ck_assert_int_eq(next_status(&done), 503);
    ck_assert_uint_eq(done, tickets[1]);
    world_settle(&world);
    ck_assert_int_eq(next_status(&done), 404);
    ck_assert_uint_eq(done, tickets[0]);
    ck_assert_int_eq(next_status(&done), 404);
    ck_assert_uint_eq(done, tickets[2]);
    ck_assert_int_eq(next_status(&done), -1);
}
END_TEST

/* Of the rooms that are fetched, one network has its half already. */
START_TEST(nobody_gives_way_in_vain)
{
    uint64_t tickets[4], done;
    world.config.http_waits = 4;
    world.config.reads = 2;
    world_start(&world);
    for (int at = 0; at < 3; at++)
        tickets[at] = ask_for_record(GREEDY, '1');
    tickets[3] = ask_for_record(MODEST, '2');
    ck_assert_uint_ne(tickets[3], 0);
    ck_assert_uint_eq(ask_for_record(MODEST, '3'), 0);
    ck_assert_int_eq(next_status(&done), -1);
    world_settle(&world);
    for (int at = 0; at < 4; at++)
        ck_assert_int_eq(next_status(&done), 404);
}
END_TEST

/* Those that are still to be told so are not without end. */
START_TEST(who_gave_way_has_a_place_until_told)
{
    uint64_t done;
    unsigned taken = 0;
    world.config.http_waits = 8;
    world_start(&world);
    for (unsigned host = 10; host < 200; host++) {
        for (char room = '0'; room < '4'; room++)
            taken += ask_for_record(host, room) != 0;
    }
    ck_assert_uint_le(taken, 16);
    ck_assert_uint_ge(taken, 9);
    world_settle(&world);
    while (next_status(&done) != -1)
        taken--;
    ck_assert_uint_eq(taken, 0);
}
END_TEST

Suite *fair_queue_suite(void)
{
    Suite *suite = suite_create("fair queue");
    TCase *tests = near_case(suite, setup, teardown);
    tcase_add_test(tests, a_room_gives_way);
    tcase_add_test(tests, a_room_stays_for_others);
    tcase_add_test(tests, a_room_comes_when_anybody_has_a_turn);
    tcase_add_test(tests, a_reader_gives_way);
    tcase_add_test(tests, a_list_gives_way);
    tcase_add_test(tests, few_are_asked_for_at_once);
    tcase_add_test(tests, what_waits_by_http_gives_way);
    tcase_add_test(tests, nobody_gives_way_in_vain);
    tcase_add_test(tests, who_gave_way_has_a_place_until_told);
    return suite;
}
