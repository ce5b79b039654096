/* How many rooms there may be, and which of them make place for another one. */
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

static void create(int tab, char room[CODE_SPACE])
{
    json_t *ok = world_ok(&world, tab, "create", "");
    (void)snprintf(room, CODE_SPACE, "%s", str(ok, "room"));
    json_decref(ok);
}

START_TEST(test_rooms)
{
    struct table one, two;
    limit(&world.config.rooms, 2);
    world_table(&world, &one, 2, "");
    world_table(&world, &two, 2, "");
    int tab = world_guest(&world, "Chi");
    world_refused(&world, tab, "full", "create", "");
    world_begin(&world, &one);
    world_do(&world, one.tabs[0], "resign", "{s:s}", "room", one.room);
    world.now_ms += 1000;
    world_refused(&world, tab, "full", "create", ""); /* the players are still subscribed */
    world_do(&world, one.tabs[0], "leave", "{s:s}", "room", one.room);
    world_do(&world, one.tabs[1], "leave", "{s:s}", "room", one.room);
    world.now_ms += 1000;
    world_do(&world, tab, "create", "");
    world_do(&world, two.tabs[0], "ready", "{s:s,s:b}", "room", two.room, "ready", true);
    /* It is stored, and can be watched when there is room in memory again. */
    world_restart(&world);
    tab = world_guest(&world, "Chi");
    world_refused(&world, tab, "unknown_room", "watch", "{s:s}", "room", "00000000");
    world_do(&world, tab, "past", "{s:s,s:i}", "room", one.room, "have", 0);
}
END_TEST

/* The oldest lobby in which nobody sits is replaced, even if it is watched. */
START_TEST(test_rooms_are_evicted)
{
    char first[CODE_SPACE], second[CODE_SPACE], third[CODE_SPACE];
    limit(&world.config.rooms, 2);
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

/* By when they were made, wherever they are in the list and whatever has happened since. */
START_TEST(test_the_oldest_room_is_evicted_first)
{
    enum { ROOMS = 8 };
    char rooms[ROOMS][CODE_SPACE], new_room[CODE_SPACE];
    world.config.rooms_per_session = 2 * ROOMS;
    limit(&world.config.rooms, ROOMS);
    int host = world_guest(&world, "Ana"), other = world_guest(&world, "Bo");
    for (int i = 0; i < ROOMS; i++) {
        create(host, rooms[i]);
        world_do(&world, other, "watch", "{s:s}", "room", rooms[i]);
        world.now_ms += 2000;
    }
    for (int i = ROOMS - 1; i >= 0; i--) {
        world_do(&world, host, "join", "{s:s}", "room", rooms[i]);
        world_do(&world, host, "leave", "{s:s}", "room", rooms[i]);
        world.now_ms += 2000;
    }
    for (int i = 0; i < ROOMS; i++) {
        create(host, new_room);
        world_do(&world, host, "join", "{s:s}", "room", new_room);
        for (int j = 0; j < ROOMS; j++) {
            if (j <= i)
                world_refused(&world, other, "unknown_room", "watch", "{s:s}", "room", rooms[j]);
            else
                world_do(&world, other, "watch", "{s:s}", "room", rooms[j]);
        }
        world.now_ms += 20000;
    }
}
END_TEST

/* At any place in the list of rooms. */
START_TEST(test_any_room_can_be_evicted)
{
    enum { ROOMS = 200 };
    char room[CODE_SPACE];
    limit(&world.config.rooms, 1);
    for (unsigned i = 0; i < ROOMS; i++) {
        int host = world_connect_from(&world, i);
        world_do(&world, host, "hello", "");
        create(host, room);
        world_cut(&world, host);
        world.now_ms += 1000;
    }
    ck_assert_uint_eq(world.store.room_count, 1);
}
END_TEST

/* A full server does not search all rooms for each request, and stays full while nothing is stored.
 */
START_TEST(test_rooms_are_evicted_when_the_store_can)
{
    char first[CODE_SPACE], second[CODE_SPACE];
    limit(&world.config.rooms, 1);
    int host = world_guest(&world, "Ana");
    create(host, first);
    world_do(&world, host, "join", "{s:s}", "room", first);
    world_refused(&world, host, "full", "create", "");
    world_do(&world, host, "leave", "{s:s}", "room", first);
    world_refused(&world, host, "full", "create", "");
    world.now_ms += 1000;
    create(host, second);
    /* A dropped lobby comes back if the store fails. */
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

/* A match is not dropped to make room for its own rematch. */
START_TEST(test_rematch_in_a_full_server)
{
    struct table table;
    limit(&world.config.rooms, 1);
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
    limit(&world.config.rooms_per_address, 2);
    int host = world_guest(&world, "Ana"), other = world_guest(&world, "Bo");
    create(host, room);
    create(other, room);
    world_refused(&world, host, "too_many_rooms", "create", "");
    int elsewhere = world_connect_from(&world, 9);
    world_do(&world, elsewhere, "hello", "");
    world_do(&world, elsewhere, "create", "");
    world_pass(&world, 3700000); /* unused rooms are dropped */
    host = world_guest(&world, "Ana");
    create(host, room);
    create(host, room);
    world_refused(&world, host, "too_many_rooms", "create", "");
}
END_TEST

Suite *room_places_suite(void)
{
    Suite *suite = suite_create("places of rooms");
    TCase *tests = tcase_create("places of rooms");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, test_rooms);
    tcase_add_test(tests, test_rooms_are_evicted);
    tcase_add_test(tests, test_the_oldest_room_is_evicted_first);
    tcase_add_test(tests, test_any_room_can_be_evicted);
    tcase_add_test(tests, test_rooms_are_evicted_when_the_store_can);
    tcase_add_test(tests, test_rematch_in_a_full_server);
    tcase_add_test(tests, test_rooms_that_one_address_has_made);
    suite_add_tcase(suite, tests);
    return suite;
}
