/*
 * Long answers, when there are more of them than the server has work for: they are made in turn by
 * address. Time is the test's, and what is counted is who was answered when.
 */
#include "suites.h"
#include "world.h"
#include <history/game_table.h>

static struct world world;

enum { GREEDY = 5, MODEST = 9, TURN_MS = 100 };

static void setup(void)
{
    world_init(&world);
    world.config.work_burst = 1; /* one at once, and then one each TURN_MS */
    world.config.work_per_s = 1000 / TURN_MS;
    world.config.requests_burst = 1000;
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

/* The one at once is made. */
static void use_work(void)
{
    const int tab = come_from(1);
    world_do(&world, tab, "rooms", "");
    world_cut(&world, tab);
}

static void ask(int tab, int64_t count, int64_t first_id)
{
    for (int64_t id = first_id; id < first_id + count; id++)
        world_post_id(&world, tab, id, "rooms", "");
    world_settle(&world);
}

static bool is_answered(int tab, int64_t id)
{
    json_t *reply = world_reply(&world, tab, id);
    const bool answered = reply && json_object_get(reply, "ok");
    ck_assert(!reply || answered);
    json_decref(reply);
    return answered;
}

static unsigned count_answers(int tab, int64_t count, int64_t first_id)
{
    unsigned answers = 0;
    for (int64_t id = first_id; id < first_id + count; id++)
        answers += is_answered(tab, id);
    return answers;
}

/* However many connections an address has, and however much it asks: the other one is next. */
START_TEST(test_addresses_have_turns)
{
    enum { TABS = 3, EACH = 5, ID = 100 };
    int greedy[TABS];
    use_work();
    for (int at = 0; at < TABS; at++)
        greedy[at] = come_from(GREEDY);
    const int modest = come_from(MODEST);
    for (int at = 0; at < TABS; at++)
        ask(greedy[at], EACH, ID);
    ask(modest, 2, ID);
    world_pass(&world, TURN_MS);
    ck_assert_uint_eq(count_answers(greedy[0], EACH, ID), 1);
    world_pass(&world, TURN_MS);
    ck_assert(is_answered(modest, ID));
    world_pass(&world, TURN_MS);
    ck_assert(!is_answered(modest, ID + 1));
    world_pass(&world, TURN_MS);
    ck_assert(is_answered(modest, ID + 1));
    ck_assert_uint_eq(count_answers(greedy[0], EACH, ID), 1);
    world_pass(&world, TABS * EACH * TURN_MS);
    ck_assert_uint_eq(count_answers(greedy[0], EACH, ID), EACH - 2);
    for (int at = 1; at < TABS; at++)
        ck_assert_uint_eq(count_answers(greedy[at], EACH, ID), EACH);
}
END_TEST

/* Who waits last makes room for who would come before; somebody who would be last is refused. */
START_TEST(test_the_greedy_make_room)
{
    enum { PLACES = 4, ID = 100 };
    world.config.answers_waiting = PLACES;
    world_start(&world);
    use_work();
    const int greedy = come_from(GREEDY), modest = come_from(MODEST);
    ask(greedy, PLACES, ID);
    ck_assert_uint_eq(count_answers(greedy, PLACES, ID), 0);
    world_refused(&world, greedy, "slow_down", "rooms", "");
    ask(modest, 1, ID);
    world_denied(&world, greedy, ID + PLACES - 1, "slow_down");
    world_pass(&world, 2 * TURN_MS);
    ck_assert(is_answered(modest, ID));
    world_pass(&world, PLACES * TURN_MS);
    ck_assert_uint_eq(count_answers(greedy, PLACES - 1, ID), PLACES - 1);
}
END_TEST

/* Who is gone keeps no place, and takes nobody's turn. */
START_TEST(test_who_has_gone_does_not_wait)
{
    enum { PLACES = 4, ID = 100 };
    world.config.answers_waiting = PLACES;
    world_start(&world);
    use_work();
    const int gone = come_from(GREEDY), stays = come_from(GREEDY), modest = come_from(MODEST);
    ask(gone, PLACES - 1, ID);
    ask(stays, 1, ID);
    world_cut(&world, gone);
    ask(modest, 2, ID);
    world_pass(&world, TURN_MS);
    ck_assert(is_answered(modest, ID));
    world_pass(&world, 2 * TURN_MS);
    ck_assert(is_answered(modest, ID + 1));
    ck_assert(is_answered(stays, ID));
}
END_TEST

/* Behind those of one's own address that wait already, also when there is work again. */
START_TEST(test_nobody_overtakes_their_own)
{
    enum { ID = 100 };
    use_work();
    const int tab = come_from(GREEDY);
    ask(tab, 2, ID);
    world.now_ms += TURN_MS;
    ask(tab, 1, ID + 2);
    ck_assert(!is_answered(tab, ID + 2));
    world_pass(&world, 0);
    ck_assert(is_answered(tab, ID));
    world_pass(&world, 2 * TURN_MS);
    ck_assert(is_answered(tab, ID + 1));
    ck_assert(is_answered(tab, ID + 2));
}
END_TEST

/* An answer costs what it is made of, however short it is: none is just below its price. */
START_TEST(test_short_ones_cost_as_well)
{
    enum { AT_ONCE = 20 };
    world.config.work_burst = AT_ONCE;
    world.config.answers_waiting = 0;
    world_start(&world);
    const int tab = come_from(GREEDY);
    ck_assert_int_eq(world_until_refused(&world, tab, "slow_down", "{\"id\":1,\"op\":\"rooms\"}"),
                     AT_ONCE);
    world_do(&world, tab, "ping", "");
}
END_TEST

/* A table that somebody at another address watches, and who waits in front of them. */
static int watch_behind(struct table *table, int64_t id)
{
    world_table(&world, table, 2, "");
    use_work();
    const int greedy = come_from(GREEDY), modest = come_from(MODEST);
    ask(greedy, 1, id);
    world_post_id(&world, modest, id, "watch", "{s:s}", "room", table->room);
    world_settle(&world);
    ck_assert(!is_answered(modest, id));
    return modest;
}

/* Nobody is sent away because others ask for much. */
START_TEST(test_who_watches_waits_in_turn)
{
    enum { ID = 100 };
    struct table table;
    const int modest = watch_behind(&table, ID);
    world_pass(&world, TURN_MS);
    ck_assert(!is_answered(modest, ID));
    world_pass(&world, TURN_MS);
    ck_assert(is_answered(modest, ID));
}
END_TEST

/* What takes effect does so in the order of sending; so a `watch` does not wait behind it. */
START_TEST(test_a_watch_is_not_overtaken)
{
    enum { ID = 100 };
    struct table table;
    const int modest = watch_behind(&table, ID);
    world_post_id(&world, modest, ID + 1, "past", "{s:s,s:i}", "room", table.room, "have", 0);
    world_do(&world, modest, "ping", "");
    ck_assert(!is_answered(modest, ID));
    world_do(&world, modest, "leave", "{s:s}", "room", table.room);
    world_denied(&world, modest, ID, "slow_down");
    world_post_id(&world, modest, ID + 2, "watch", "{s:s}", "room", table.room);
    world_post_id(&world, modest, ID + 3, "watch", "{s:s}", "room", table.room);
    world_settle(&world);
    world_denied(&world, modest, ID + 2, "slow_down");
    world_pass(&world, 3 * TURN_MS);
    ck_assert(is_answered(modest, ID + 1));
    ck_assert(is_answered(modest, ID + 3));
}
END_TEST

/* ---- what the store is asked */

static void post_record(int tab, int64_t id, char room)
{
    const char text[] = {'0', '0', '0', '0', '0', '0', '0', room, '\0'};
    world_post_id(&world, tab, id, "record", "{s:s}", "room", text);
}

/* Takes the next room that is to be fetched; its last character. */
static char take_read(char rooms[static 9])
{
    ck_assert(hub_read_take(world.hub, rooms));
    return rooms[7];
}

/* Rooms are fetched in turn by address, and one address has at most half of the places. */
START_TEST(test_rooms_are_fetched_in_turn)
{
    enum { READS = 6, ID = 100 };
    static const char order[] = "1723";
    char taken[sizeof order][9];
    world.config.work_burst = 1000;
    world.config.reads = READS;
    world_start(&world);
    const int greedy = come_from(GREEDY), modest = come_from(MODEST);
    for (int room = '1'; room <= '4'; room++)
        post_record(greedy, ID + room, (char)room);
    post_record(modest, ID, '7');
    for (size_t at = 0; order[at]; at++)
        ck_assert_int_eq(take_read(taken[at]), order[at]);
    for (size_t at = 0; order[at]; at++)
        model_read(&world.store, world.hub, taken[at], world.now_ms);
    world_settle(&world);
    world_denied(&world, greedy, ID + '4', "slow_down");
    world_denied(&world, greedy, ID + '3', "unknown_room");
    world_denied(&world, modest, ID, "unknown_room");
    post_record(greedy, ID, '4'); /* there is a place again */
    world_settle(&world);
    world_denied(&world, greedy, ID, "unknown_room");
    world_forget(&world, greedy);
}
END_TEST

static uint64_t session_asked(const struct store_query *page)
{
    return ((const struct game_row *)(const void *)page->from)->session;
}

/* The same of lists of finished matches. */
START_TEST(test_lists_are_fetched_in_turn)
{
    enum { LISTS = 6, ID = 100, TAKEN = 4 };
    struct store_query pages[TAKEN];
    world.config.work_burst = 1000;
    world.config.queries = LISTS;
    world_start(&world);
    const int greedy = come_from(GREEDY), modest = come_from(MODEST);
    for (int64_t id = ID; id < ID + 4; id++)
        world_post_id(&world, greedy, id, "games", "");
    world_post_id(&world, modest, ID, "games", "");
    for (int at = 0; at < TAKEN; at++)
        ck_assert(hub_query_take(world.hub, &pages[at]));
    const uint64_t first = session_asked(&pages[0]);
    ck_assert(first == session_asked(&pages[2]) && first == session_asked(&pages[3]));
    ck_assert(session_asked(&pages[1]) != first);
    for (int at = 0; at < TAKEN; at++)
        model_query(&world.store, world.hub, &pages[at], world.now_ms);
    world_settle(&world);
    world_denied(&world, greedy, ID + 3, "slow_down");
    ck_assert_uint_eq(count_answers(greedy, 3, ID), 3);
    ck_assert(is_answered(modest, ID));
}
END_TEST

Suite *turns_suite(void)
{
    Suite *suite = suite_create("turns");
    TCase *tests = near_case(suite, setup, teardown);
    tcase_add_test(tests, test_addresses_have_turns);
    tcase_add_test(tests, test_the_greedy_make_room);
    tcase_add_test(tests, test_who_has_gone_does_not_wait);
    tcase_add_test(tests, test_nobody_overtakes_their_own);
    tcase_add_test(tests, test_who_watches_waits_in_turn);
    tcase_add_test(tests, test_a_watch_is_not_overtaken);
    tcase_add_test(tests, test_rooms_are_fetched_in_turn);
    tcase_add_test(tests, test_lists_are_fetched_in_turn);
    tcase_add_test(tests, test_short_ones_cost_as_well);
    return suite;
}
