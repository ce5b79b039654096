/* rooms, create, watch, join, leave, operations in a lobby, invitation codes, dropping of rooms. */
#include "suites.h"
#include "world.h"
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

static size_t listed(int tab, const char *after, bool *more)
{
    json_t *ok = after ? world_ok(&world, tab, "rooms", "{s:s}", "after", after)
                       : world_ok(&world, tab, "rooms", "");
    size_t count = json_array_size(json_object_get(ok, "rooms"));
    *more = json_is_true(json_object_get(ok, "more"));
    json_decref(ok);
    return count;
}

/* ---- rooms */

START_TEST(test_rooms)
{
    struct table open, hidden;
    bool more;
    int tab = world_guest(&world, "Zoe");
    ck_assert_uint_eq(listed(tab, NULL, &more), 0);
    world_table(&world, &open, 2, "{s:s}", "title", "Friday");
    world_table(&world, &hidden, 2, "{s:s}", "access", "code");
    json_t *ok = world_ok(&world, tab, "rooms", "");
    const json_t *line = json_array_get(json_object_get(ok, "rooms"), 0);
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "rooms")), 1);
    ck_assert_str_eq(str(line, "room"), open.room);
    ck_assert_str_eq(str(line, "title"), "Friday");
    ck_assert_str_eq(str(line, "phase"), "lobby");
    ck_assert_int_eq(num(line, "size"), 2);
    ck_assert_uint_eq(json_object_size(json_object_get(line, "seats")), 2);
    json_decref(ok);
    world_begin(&world, &open);
    world_begin(&world, &hidden); /* nor is it shown when it has begun */
    ok = world_ok(&world, tab, "rooms", "");
    line = json_array_get(json_object_get(ok, "rooms"), 0);
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "rooms")), 1);
    ck_assert_str_eq(str(line, "phase"), "playing");
    json_decref(ok);
    world_do(&world, open.tabs[0], "resign", "{s:s}", "room", open.room);
    ck_assert_uint_eq(listed(tab, NULL, &more), 0);
}
END_TEST

/* The session's own rooms come with whose turn it is and the clocks, also those by invitation. */
START_TEST(test_own_rooms)
{
    struct table hidden, other;
    int guest = world_guest(&world, "Zoe");
    world_table(&world, &other, 2, "");
    world_table(&world, &hidden, 2, "{s:s,s:{s:s,s:i,s:i}}", "access", "code", "clock", "kind",
                "fischer", "bank_s", 300, "increment_s", 10);
    json_t *ok = world_ok(&world, hidden.tabs[1], "rooms", "");
    const json_t *line = json_array_get(json_object_get(ok, "mine"), 0);
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "mine")), 1);
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "rooms")), 1);
    ck_assert_str_eq(str(line, "room"), hidden.room);
    ck_assert_int_eq(num(line, "seat"), 1);
    ck_assert_str_eq(str(line, "phase"), "lobby");
    ck_assert_ptr_null(json_object_get(line, "acting"));
    json_decref(ok);
    world_begin(&world, &hidden);
    ok = world_ok(&world, hidden.tabs[1], "rooms", "");
    line = json_array_get(json_object_get(ok, "mine"), 0);
    ck_assert_uint_eq(json_array_size(json_object_get(line, "acting")), 1);
    const json_t *clocks = json_object_get(json_object_get(line, "clock"), "seats");
    ck_assert_int_eq(num(json_object_get(clocks, "0"), "left_ms"), 300000);
    ck_assert_int_eq(num(json_object_get(clocks, "1"), "left_ms"), 300000);
    json_decref(ok);
    ok = world_ok(&world, hidden.tabs[1], "rooms", "{s:s}", "after", other.room);
    ck_assert_ptr_null(json_object_get(ok, "mine")); /* on the first page only */
    json_decref(ok);
    ok = world_ok(&world, guest, "rooms", "");
    ck_assert_ptr_null(json_object_get(ok, "mine"));
    json_decref(ok);
    world_do(&world, hidden.tabs[0], "resign", "{s:s}", "room", hidden.room);
    ok = world_ok(&world, hidden.tabs[1], "rooms", "");
    ck_assert_ptr_null(json_object_get(ok, "mine"));
    json_decref(ok);
}
END_TEST

START_TEST(test_rooms_by_page)
{
    enum { ROOMS = 120 };
    bool more;
    char last[CODE_SPACE] = "";
    size_t seen = 0, playing = 0;
    world.config.requests_burst = 1000;
    world.config.rooms_per_session = ROOMS;
    world_start(&world);
    struct table table;
    world_table(&world, &table, 2, "");
    world_begin(&world, &table);
    int tab = world_guest(&world, "Ana");
    for (int i = 1; i < ROOMS; i++)
        world_do(&world, tab, "create", "");
    do {
        json_t *ok = last[0] ? world_ok(&world, tab, "rooms", "{s:s}", "after", last)
                             : world_ok(&world, tab, "rooms", "");
        const json_t *rooms = json_object_get(ok, "rooms");
        ck_assert_uint_le(json_array_size(rooms), 50);
        for (size_t i = 0; i < json_array_size(rooms); i++) {
            const json_t *line = json_array_get(rooms, i);
            bool plays = strcmp(str(line, "phase"), "playing") == 0;
            ck_assert(plays || strcmp(str(line, "room"), last) > 0); /* lobbies first, by id */
            playing += plays;
            memcpy(last, str(line, "room"), 9);
            seen++;
        }
        more = json_is_true(json_object_get(ok, "more"));
        json_decref(ok);
    } while (more);
    ck_assert_uint_eq(seen, ROOMS);
    ck_assert_uint_eq(playing, 1);
    ck_assert_uint_eq(listed(tab, last, &more), 0);
    ck_assert(!more);
}
END_TEST

/* ---- create */

START_TEST(test_create)
{
    int tab = world_guest(&world, "Ana");
    json_t *ok = world_ok(&world, tab, "create", "");
    ck_assert_uint_eq(strlen(str(ok, "room")), 8);
    ck_assert_ptr_null(json_object_get(ok, "code"));
    json_decref(ok);
    ok = world_ok(&world, tab, "create", "{s:s}", "access", "code");
    ck_assert_uint_eq(strlen(str(ok, "code")), 16);
    json_decref(ok);
    ck_assert_uint_eq(world.store.room_count, 2);
    ck_assert_uint_eq(world.store.rooms[0].count, 1);
    world_refused(&world, tab, "unknown_game", "create", "{s:s}", "game", "chess");
    world_refused(&world, tab, "bad_options", "create", "{s:{s:i}}", "options", "players", 9);
    ck_assert_uint_eq(world.store.room_count, 2);
}
END_TEST

START_TEST(test_create_twice_is_once)
{
    int tab = world_guest(&world, "Ana");
    world_post_id(&world, tab, 7, "create", "{s:s}", "access", "code");
    world_post_id(&world, tab, 7, "create", "{s:s}", "access", "code");
    world_settle(&world);
    json_t *first = world_reply(&world, tab, 7), *second = world_reply(&world, tab, 7);
    ck_assert(json_equal(first, second));
    ck_assert_uint_eq(world.store.room_count, 1);
    world_restart(&world);
    int again = world_back(&world, tab);
    world_post_id(&world, again, 7, "create", "{s:s}", "access", "code");
    world_settle(&world);
    json_t *third = world_reply(&world, again, 7);
    ck_assert(json_equal(first, third));
    json_decref(first);
    json_decref(second);
    json_decref(third);
    world_post_id(&world, again, 7, "create", "{s:s}", "access", "open");
    world_settle(&world);
    json_t *other = world_reply(&world, again, 7);
    ck_assert_str_eq(str(json_object_get(other, "error"), "code"), "id_reused");
    json_decref(other);
    ck_assert_uint_eq(world.store.room_count, 1);
}
END_TEST

/* A repeat with any difference in the room's options, its clock included, is another request. */
START_TEST(test_create_with_another_clock)
{
    int tab = world_guest(&world, "Ana");
    world_post_id(&world, tab, 7, "create", "{s:{s:s,s:i}}", "clock", "kind", "move", "move_s", 60);
    world_settle(&world);
    world_granted(&world, tab, 7);
    world_post_id(&world, tab, 7, "create", "{s:{s:s,s:i}}", "clock", "kind", "move", "move_s", 90);
    world_settle(&world);
    world_denied(&world, tab, 7, "id_reused");
    world_post_id(&world, tab, 7, "create", "");
    world_settle(&world);
    world_denied(&world, tab, 7, "id_reused");
}
END_TEST

/* Watchers are told that the owner of a seat is online once the seat is stored, the first seat too.
 */
START_TEST(test_presence_waits_for_the_store)
{
    int host = world_guest(&world, "Ana"), watcher = world_guest(&world, "Bo");
    json_t *ok = world_ok(&world, host, "create", ""), *push;
    char room[CODE_SPACE];
    (void)snprintf(room, sizeof room, "%s", str(ok, "room"));
    json_decref(ok);
    world_do(&world, host, "watch", "{s:s}", "room", room);
    world_do(&world, watcher, "watch", "{s:s}", "room", room);
    world_pass(&world, 5000);
    world_forget(&world, watcher);
    world.held = true;
    world_post(&world, host, "join", "{s:s}", "room", room);
    world_settle(&world);
    ck_assert_ptr_null(world_push(&world, watcher, "presence"));
    world.held = false;
    world_settle(&world);
    push = world_push(&world, watcher, "presence");
    ck_assert_ptr_nonnull(push);
    ck_assert(json_is_true(json_object_get(json_object_get(push, "online"), "0")));
    json_decref(push);
    world_forget(&world, host);
    world_forget(&world, watcher);
}
END_TEST

/* A room that was read without success takes no place: another one can be read. */
START_TEST(test_reads_are_given_back)
{
    world.config.reads = world.config.readers_per_read = 1;
    world_start(&world);
    int tab = world_guest(&world, "Ana");
    for (int i = 0; i < 5; i++)
        world_refused(&world, tab, "unknown_room", "watch", "{s:s}", "room", "00000000");
}
END_TEST

/* ---- seats */

START_TEST(test_lobby_ops)
{
    int host = world_guest(&world, "Ana"), guest = world_guest(&world, "Bo");
    json_t *ok = world_ok(&world, host, "create", "{s:{s:i}}", "options", "players", 3);
    char room[CODE_SPACE];
    memcpy(room, str(ok, "room"), 9);
    json_decref(ok);
    ok = world_ok(&world, host, "join", "{s:s,s:s}", "room", room, "colour", "brown");
    ck_assert_int_eq(num(ok, "seq"), 2);
    const json_t *you = json_object_get(ok, "you");
    ck_assert_int_eq(num(you, "seat"), 0);
    ck_assert(json_is_true(json_object_get(you, "host")));
    ck_assert(json_is_true(json_object_get(json_object_get(ok, "online"), "0")));
    const json_t *state = json_object_get(ok, "state");
    const json_t *seat = json_object_get(json_object_get(state, "seats"), "0");
    ck_assert_str_eq(str(seat, "name"), "Ana");
    ck_assert_str_eq(str(seat, "colour"), "brown");
    json_decref(ok);

    world_refused(&world, guest, "unknown_room", "join", "{s:s}", "room", "zzzzzzzz");
    world_refused(&world, guest, "seat_taken", "join", "{s:s,s:i}", "room", room, "seat", 0);
    world_refused(&world, guest, "unknown_seat", "join", "{s:s,s:i}", "room", room, "seat", 3);
    world_refused(&world, guest, "colour_taken", "join", "{s:s,s:s}", "room", room, "colour",
                  "brown");
    world_refused(&world, guest, "not_seated", "ready", "{s:s,s:b}", "room", room, "ready", 1);
    world_refused(&world, guest, "not_host", "bot", "{s:s}", "room", room);
    world_do(&world, guest, "join", "{s:s,s:i}", "room", room, "seat", 2);
    world_do(&world, guest, "sit", "{s:s,s:i}", "room", room, "seat", 1);
    world_refused(&world, guest, "not_host", "unseat", "{s:s,s:i}", "room", room, "seat", 0);
    world_do(&world, host, "bot", "{s:s}", "room", room);
    int third = world_guest(&world, "Chi");
    world_refused(&world, third, "no_seat_free", "join", "{s:s}", "room", room);
    world_do(&world, host, "unseat", "{s:s,s:i}", "room", room, "seat", 2);
    world_refused(&world, host, "seat_empty", "unseat", "{s:s,s:i}", "room", room, "seat", 2);
    world_refused(&world, host, "not_ready", "start", "{s:s}", "room", room);
    world_do(&world, third, "join", "{s:s}", "room", room);
    for (int tab = 0; tab < 3; tab++)
        world_do(&world, tab, "ready", "{s:s,s:b}", "room", room, "ready", 1);
    world_do(&world, guest, "start", "{s:s}", "room", room);
    world_refused(&world, host, "not_in_lobby", "start", "{s:s}", "room", room);
    world_refused(&world, host, "not_in_lobby", "sit", "{s:s,s:i}", "room", room, "seat", 1);
}
END_TEST

START_TEST(test_everybody_sees_who_sits)
{
    struct table table;
    world_table(&world, &table, 2, "");
    int watcher = world_guest(&world, "Zoe");
    world_do(&world, watcher, "watch", "{s:s}", "room", table.room);
    world_forget(&world, watcher);
    world_do(&world, table.tabs[1], "leave", "{s:s}", "room", table.room);
    json_t *push = world_push(&world, watcher, "event");
    ck_assert_str_eq(str(json_object_get(push, "event"), "kind"), "stood");
    ck_assert_int_eq(num(json_object_get(push, "event"), "seat"), 1);
    json_decref(push);
    /* A client that has left gets nothing more. */
    world_forget(&world, table.tabs[1]);
    world_do(&world, table.tabs[0], "ready", "{s:s,s:b}", "room", table.room, "ready", 1);
    ck_assert_uint_eq(world_forget(&world, table.tabs[1]), 0);
    push = world_push(&world, watcher, "event");
    ck_assert_str_eq(str(json_object_get(push, "event"), "kind"), "readied");
    json_decref(push);
}
END_TEST

START_TEST(test_seats_in_hello)
{
    struct table table;
    world_table(&world, &table, 2, "");
    int again = world_connect(&world);
    json_t *ok =
        world_ok(&world, again, "hello", "{s:s}", "token", world.tabs[table.tabs[1]].token);
    const json_t *seats = json_object_get(ok, "seats");
    ck_assert_uint_eq(json_array_size(seats), 1);
    ck_assert_str_eq(str(json_array_get(seats, 0), "room"), table.room);
    ck_assert_int_eq(num(json_array_get(seats, 0), "seat"), 1);
    json_decref(ok);
    world_do(&world, again, "leave", "{s:s}", "room", table.room);
    int third = world_connect(&world);
    ok = world_ok(&world, third, "hello", "{s:s}", "token", world.tabs[table.tabs[1]].token);
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "seats")), 0);
    json_decref(ok);
}
END_TEST

/* ---- invitation codes */

START_TEST(test_code)
{
    struct table table;
    world_table(&world, &table, 3, "{s:s}", "access", "code");
    int stranger = world_guest(&world, "Zoe");
    world_refused(&world, stranger, "code_needed", "watch", "{s:s}", "room", table.room);
    world_refused(&world, stranger, "code_needed", "join", "{s:s}", "room", table.room);
    world_refused(&world, stranger, "code_needed", "record", "{s:s}", "room", table.room);
    world_refused(&world, stranger, "code_needed", "past", "{s:s,s:i}", "room", table.room, "have",
                  0);
    world_refused(&world, stranger, "wrong_code", "watch", "{s:s,s:s}", "room", table.room, "code",
                  "0000000000000000");
    world_do(&world, stranger, "watch", "{s:s,s:s}", "room", table.room, "code", table.code);
    /* Once is enough, from any tab. */
    int again = world_back(&world, stranger);
    world_do(&world, again, "watch", "{s:s}", "room", table.room);
    /* Players do not need it again, even after a restart. */
    world_restart(&world);
    int player = world_back(&world, table.tabs[1]);
    world_do(&world, player, "watch", "{s:s}", "room", table.room);
    /* Nor do watchers; new clients do. */
    again = world_back(&world, stranger);
    world_do(&world, again, "watch", "{s:s}", "room", table.room);
    int other = world_guest(&world, "Yan");
    world_refused(&world, other, "code_needed", "watch", "{s:s}", "room", table.room);
}
END_TEST

/* As long as a match is kept it is known who has given its code, also when it is put away. */
START_TEST(test_code_of_a_match_put_away)
{
    struct table table;
    world_table(&world, &table, 2, "{s:s}", "access", "code");
    world_begin(&world, &table);
    const int watcher = world_guest(&world, "Zoe");
    world_do(&world, watcher, "watch", "{s:s,s:s}", "room", table.room, "code", table.code);
    world_do(&world, table.tabs[0], "resign", "{s:s}", "room", table.room);
    world_do(&world, watcher, "leave", "{s:s}", "room", table.room);
    world_do(&world, watcher, "watch", "{s:s}", "room", table.room);
    world_cut(&world, watcher);
    world_cut(&world, table.tabs[0]);
    world_cut(&world, table.tabs[1]);
    world_pass(&world, world.config.over_idle_ms + 1);
    ck_assert(world.store.rooms[0].archived);
    const int player = world_back(&world, table.tabs[1]), again = world_back(&world, watcher);
    world_do(&world, player, "watch", "{s:s}", "room", table.room);
    world_do(&world, again, "watch", "{s:s}", "room", table.room);
    world_do(&world, again, "record", "{s:s}", "room", table.room);
    const int late = world_guest(&world, "Chi");
    world_refused(&world, late, "code_needed", "watch", "{s:s}", "room", table.room);
    world_do(&world, late, "watch", "{s:s,s:s}", "room", table.room, "code", table.code);
    world_cut(&world, late);
    world_cut(&world, player);
    world_cut(&world, again);
    world_pass(&world, world.config.over_idle_ms + 1); /* it leaves memory, and is read again */
    const int later = world_back(&world, late);
    world_do(&world, later, "watch", "{s:s}", "room", table.room);
}
END_TEST

/* ---- dropping of rooms */

START_TEST(test_idle_lobby_is_dropped)
{
    int tab = world_guest(&world, "Ana");
    world_do(&world, tab, "create", "");
    const struct model_room *row = &world.store.rooms[0];
    char room[9];
    memcpy(room, row->row.seed.id, 9);
    world_do(&world, tab, "join", "{s:s}", "room", room);
    world_pass(&world, world.config.lobby_idle_ms * 2);
    ck_assert_uint_eq(world.store.room_count, 1); /* it has a subscriber */
    world_cut(&world, tab);
    world_pass(&world, world.config.lobby_idle_ms - 1);
    ck_assert_uint_eq(world.store.room_count, 1);
    world_pass(&world, 2);
    ck_assert_uint_eq(world.store.room_count, 0);
    struct hub_metrics figures;
    hub_metrics(world.hub, &figures);
    ck_assert_uint_eq(figures.rooms, 0);
    int late = world_guest(&world, "Bo");
    world_refused(&world, late, "unknown_room", "join", "{s:s}", "room", room);
}
END_TEST

START_TEST(test_finished_match_is_archived_and_fetched)
{
    struct table table;
    struct hub_metrics figures;
    world_table(&world, &table, 2, "");
    world_begin(&world, &table);
    world_do(&world, table.tabs[0], "resign", "{s:s}", "room", table.room);
    json_t *before = world_ok(&world, table.tabs[0], "record", "{s:s}", "room", table.room);
    world_cut(&world, table.tabs[0]);
    world_cut(&world, table.tabs[1]);
    world_pass(&world, world.config.over_idle_ms + 1);
    hub_metrics(world.hub, &figures);
    ck_assert_uint_eq(figures.rooms, 0);
    ck_assert_uint_eq(world.store.room_count, 1);
    ck_assert(world.store.rooms[0].archived);

    int tab = world_guest(&world, "Zoe");
    json_t *after = world_ok(&world, tab, "record", "{s:s}", "room", table.room);
    ck_assert(json_equal(before, after));
    hub_metrics(world.hub, &figures);
    ck_assert_uint_eq(figures.rooms, 1);
    /* Nobody has watched it, and it is forgotten all the same. */
    world_pass(&world, world.config.over_idle_ms + 1);
    hub_metrics(world.hub, &figures);
    ck_assert_uint_eq(figures.rooms, 0);
    json_t *ok = world_ok(&world, tab, "watch", "{s:s}", "room", table.room);
    ck_assert_str_eq(str(json_object_get(ok, "state"), "phase"), "over");
    json_int_t last = num(ok, "seq");
    json_decref(before);
    json_decref(after);
    json_decref(ok);
    hub_metrics(world.hub, &figures);
    ck_assert_uint_eq(figures.rooms, 1);
    world_cut(&world, tab);
    world_pass(&world, world.config.over_idle_ms + 1);
    hub_metrics(world.hub, &figures);
    ck_assert_uint_eq(figures.rooms, 0);
    /* After a restart it is not in memory, but it can still be read. */
    world_restart(&world);
    hub_metrics(world.hub, &figures);
    ck_assert_uint_eq(figures.rooms, 0);
    tab = world_guest(&world, "Zoe");
    /* Each who waits for it is answered what they asked. */
    int other = world_guest(&world, "Yan");
    int64_t id = world_post(&world, tab, "past", "{s:s,s:I}", "room", table.room, "have", last - 1);
    (void)world_post(&world, other, "past", "{s:s,s:i}", "room", table.room, "have", 0);
    world_settle(&world);
    json_t *reply = world_reply(&world, tab, id);
    ok = json_incref(json_object_get(reply, "ok"));
    json_decref(reply);
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "events")), 1);
    ck_assert_int_eq(num(ok, "seq"), last);
    json_decref(ok);
    world_do(&world, tab, "watch", "{s:s}", "room", table.room);
    world_refused(&world, tab, "unknown_room", "watch", "{s:s}", "room", "00000000");
    world_refused(&world, tab, "unknown_room", "record", "{s:s}", "room", "00000000");
    world_refused(&world, tab, "unknown_room", "past", "{s:s,s:i}", "room", "00000000", "have", 0);
}
END_TEST

Suite *lobby_suite(void)
{
    Suite *suite = suite_create("lobby");
    TCase *tests = tcase_create("lobby");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, test_rooms);
    tcase_add_test(tests, test_own_rooms);
    tcase_add_test(tests, test_rooms_by_page);
    tcase_add_test(tests, test_create);
    tcase_add_test(tests, test_create_twice_is_once);
    tcase_add_test(tests, test_create_with_another_clock);
    tcase_add_test(tests, test_presence_waits_for_the_store);
    tcase_add_test(tests, test_reads_are_given_back);
    tcase_add_test(tests, test_lobby_ops);
    tcase_add_test(tests, test_everybody_sees_who_sits);
    tcase_add_test(tests, test_seats_in_hello);
    tcase_add_test(tests, test_code);
    tcase_add_test(tests, test_code_of_a_match_put_away);
    tcase_add_test(tests, test_idle_lobby_is_dropped);
    tcase_add_test(tests, test_finished_match_is_archived_and_fetched);
    suite_add_tcase(suite, tests);
    return suite;
}
