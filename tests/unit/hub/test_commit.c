/* What is told is durable, however slow the store is. */
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

static void nothing_comes(const struct table *table)
{
    world_settle(&world);
    for (int i = 0; i < table->players; i++)
        ck_assert_uint_eq(world_forget(&world, table->tabs[i]), 0);
}

/* ---- slow */

START_TEST(test_told_when_durable)
{
    struct table table;
    world_table(&world, &table, 2, "");
    world_pass(&world, 2000);
    for (int i = 0; i < 2; i++)
        world_forget(&world, table.tabs[i]);
    size_t durable = world.store.rooms[0].count;
    world.held = true;
    int64_t id =
        world_post(&world, table.tabs[0], "ready", "{s:s,s:b}", "room", table.room, "ready", 1);
    nothing_comes(&table);
    ck_assert_uint_eq(world.store.rooms[0].count, durable);
    world_commit(&world, STORE_OK);
    ck_assert_uint_eq(world.store.rooms[0].count, durable + 1);
    world_granted(&world, table.tabs[0], id);
    json_t *push = world_push(&world, table.tabs[1], "event");
    ck_assert_int_eq(num(push, "seq"), (json_int_t)durable + 1);
    json_decref(push);
}
END_TEST

START_TEST(test_what_comes_meanwhile_goes_together)
{
    struct table one, two;
    int64_t ids[4];
    world_table(&world, &one, 2, "");
    world_table(&world, &two, 2, "");
    world.held = true;
    for (int i = 0; i < 4; i++) {
        const struct table *table = i < 2 ? &one : &two;
        ids[i] = world_post(&world, table->tabs[i % 2], "ready", "{s:s,s:b}", "room", table->room,
                            "ready", 1);
        world_settle(&world);
    }
    ck_assert_uint_eq(world.out->count, 1);
    world_commit(&world, STORE_OK);
    world_granted(&world, one.tabs[0], ids[0]);
    ck_assert_uint_eq(world.out->count, 3);
    world_commit(&world, STORE_OK);
    world_granted(&world, one.tabs[1], ids[1]);
    world_granted(&world, two.tabs[0], ids[2]);
    world_granted(&world, two.tabs[1], ids[3]);
    ck_assert_ptr_null(world.out);
}
END_TEST

static int64_t post_ready(const struct table *table, int player)
{
    return world_post(&world, table->tabs[player], "ready", "{s:s,s:b}", "room", table->room,
                      "ready", 1);
}

/* What the store refuses of one room takes nothing from the others, also of what fills meanwhile.
 */
START_TEST(test_a_refused_room_goes_back_alone)
{
    struct table one, two;
    world_table(&world, &one, 2, "");
    world_table(&world, &two, 2, "");
    world_pass(&world, 2000);
    world.held = true;
    int64_t early = post_ready(&two, 0);
    world_settle(&world);
    int64_t refused = post_ready(&one, 0), taken = post_ready(&two, 1);
    world_commit(&world, STORE_OK);
    int64_t later = post_ready(&one, 1);
    int64_t asked = world_post(&world, one.tabs[1], "moves", "{s:s}", "room", one.room);
    int64_t start = world_post(&world, two.tabs[0], "start", "{s:s}", "room", two.room);
    world.store.refuse = one.room;
    world_commit(&world, STORE_OK);
    world.store.refuse = NULL;
    world.held = false;
    world_settle(&world);
    world_granted(&world, two.tabs[0], early);
    world_granted(&world, two.tabs[1], taken);
    world_granted(&world, two.tabs[0], start);
    world_denied(&world, one.tabs[0], refused, "store_failing");
    world_denied(&world, one.tabs[1], later, "store_failing");
    world_denied(&world, one.tabs[1], asked, "store_failing");
    for (int i = 0; i < 2; i++)
        ck_assert_ptr_null(world_push(&world, one.tabs[i], "notice"));
    world_begin(&world, &one);
    world_play_out(&world, &two);
}
END_TEST

/* A match whose end is refused goes on, and is still in the list. */
START_TEST(test_a_refused_end_leaves_the_list_as_it_was)
{
    struct table table;
    world_table(&world, &table, 2, "");
    world_begin(&world, &table);
    world_pass(&world, 2000);
    world.held = true;
    int64_t offer = world_post(&world, table.tabs[0], "offer", "{s:s,s:s}", "room", table.room,
                               "what", "pause");
    world_settle(&world);
    int64_t end = world_post(&world, table.tabs[0], "resign", "{s:s}", "room", table.room);
    world_commit(&world, STORE_OK); /* the offer: from here on the room is listed as it is now */
    world.store.refuse = table.room;
    world_commit(&world, STORE_OK);
    world.store.refuse = NULL;
    world.held = false;
    world_settle(&world);
    world_granted(&world, table.tabs[0], offer);
    world_denied(&world, table.tabs[0], end, "store_failing");
    json_t *ok = world_ok(&world, table.tabs[1], "rooms", "");
    const json_t *line = json_array_get(json_object_get(ok, "rooms"), 0);
    ck_assert_str_eq(str(line, "room"), table.room);
    ck_assert_str_eq(str(line, "phase"), "playing");
    json_decref(ok);
}
END_TEST

/* A room whose every change is refused is no use to anybody: it is set apart, and told. */
START_TEST(test_a_room_that_is_always_refused_is_set_apart)
{
    struct table one, two;
    const char *id, *why;
    world_table(&world, &one, 2, "");
    world_table(&world, &two, 2, "");
    world.store.refuse = one.room;
    for (int i = 0; i < 2; i++)
        world_refused(&world, one.tabs[0], "store_failing", "ready", "{s:s,s:b}", "room", one.room,
                      "ready", 1);
    world.store.refuse = NULL;
    world_do(&world, one.tabs[0], "ready", "{s:s,s:b}", "room", one.room, "ready", 1);
    world.store.refuse = one.room;
    for (int i = 0; i < 3; i++) {
        ck_assert(!hub_damaged_at(world.hub, 0, &id, &why));
        world_refused(&world, one.tabs[0], "store_failing", "ready", "{s:s,s:b}", "room", one.room,
                      "ready", 0);
    }
    ck_assert(hub_damaged_at(world.hub, 0, &id, &why));
    ck_assert_str_eq(id, one.room);
    ck_assert_str_eq(why, "the store refuses its events");
    for (int i = 0; i < 2; i++) {
        json_t *push = world_push(&world, one.tabs[i], "notice");
        ck_assert_str_eq(str(push, "room"), one.room);
        ck_assert_str_eq(str(push, "code"), "store_failing");
        json_decref(push);
        world_refused(&world, one.tabs[i], "room_damaged", "watch", "{s:s}", "room", one.room);
    }
    world_begin(&world, &two);
    world_play_out(&world, &two);
    world.store.refuse = NULL;
    world_restart(&world);
    ck_assert(!hub_damaged_at(world.hub, 0, &id, &why));
    int tab = world_back(&world, one.tabs[0]);
    world_do(&world, tab, "ready", "{s:s,s:b}", "room", one.room, "ready", 0);
}
END_TEST

START_TEST(test_a_refused_new_room_is_none)
{
    int tab = world_guest(&world, "Ana");
    world.held = true;
    int64_t id = world_post(&world, tab, "create", "{s:{s:i}}", "options", "players", 2);
    world_settle(&world);
    char room[9];
    memcpy(room, world.out->ops[0].room_id, sizeof room);
    world.store.refuse = room;
    world_commit(&world, STORE_OK);
    world.store.refuse = NULL;
    world.held = false;
    world_denied(&world, tab, id, "store_failing");
    world_refused(&world, tab, "unknown_room", "watch", "{s:s}", "room", room);
    world_do(&world, tab, "create", "{s:{s:i}}", "options", "players", 2);
}
END_TEST

/* The old room and the new one of a rematch: both or none. */
START_TEST(test_a_rematch_is_refused_whole)
{
    struct table table;
    world_table(&world, &table, 2, "");
    world_begin(&world, &table);
    world_do(&world, table.tabs[0], "resign", "{s:s}", "room", table.room);
    world.held = true;
    int64_t id = world_post(&world, table.tabs[0], "rematch", "{s:s}", "room", table.room);
    world_settle(&world);
    char room[9];
    memcpy(room, world.out->ops[0].room_id, sizeof room);
    ck_assert_str_ne(room, table.room);
    world.store.refuse = _i == 0 ? room : table.room;
    world_commit(&world, STORE_OK);
    world.store.refuse = NULL;
    world.held = false;
    world_settle(&world);
    world_denied(&world, table.tabs[0], id, "store_failing");
    ck_assert_uint_eq(world.store.room_count, 1);
    json_t *ok = world_ok(&world, table.tabs[1], "rematch", "{s:s}", "room", table.room);
    ck_assert_str_ne(str(ok, "room"), room);
    json_decref(ok);
    ck_assert_uint_eq(world.store.room_count, 2);
}
END_TEST

/* A computer's turn or a clock whose event is refused is tried again after a pause. */
START_TEST(test_what_is_due_is_not_tried_at_once)
{
    struct table table;
    world_table(&world, &table, 2, "{s:{s:s,s:i}}", "clock", "kind", "move", "move_s", 60);
    world_begin(&world, &table);
    world.store.refuse = table.room;
    world_pass(&world, 60100);
    int64_t due_ms = hub_deadline_ms(world.hub);
    ck_assert_int_gt(due_ms, world.now_ms);
    world.store.refuse = NULL;
    world_pass(&world, 5000);
    json_t *push = NULL;
    bool fell = false;
    while ((push = world_push(&world, table.tabs[0], "event"))) {
        fell |= strcmp(str(json_object_get(push, "event"), "kind"), "timed_out") == 0;
        json_decref(push);
    }
    ck_assert(fell);
}
END_TEST

/* A session is refused alone; who asks again gets another. */
START_TEST(test_a_refused_session_is_none)
{
    int tab = world_connect(&world), other = world_guest(&world, "Bo");
    world.held = true;
    int64_t id = world_post(&world, tab, "hello", "{s:s}", "name", "Ana");
    world_settle(&world);
    int64_t made = world_post(&world, other, "create", "{s:{s:i}}", "options", "players", 2);
    int64_t early = world_post(&world, tab, "create", "{s:{s:i}}", "options", "players", 2);
    store_batch_refuse(world.out, 0);
    world_commit(&world, STORE_OK);
    world_denied(&world, tab, id, "store_failing");
    world.held = false;
    world_settle(&world);
    world_granted(&world, other, made);
    world_granted(&world, tab, early); /* its room is durable; nobody hosts it */
    world_do(&world, tab, "hello", "{s:s}", "name", "Ana");
    /* All three end in time, that of which the room was as well. */
    struct hub_metrics figures;
    world_cut(&world, tab);
    world_cut(&world, other);
    hub_metrics(world.hub, &figures);
    ck_assert_uint_eq(figures.sessions, 3);
    world_pass(&world, world.config.lobby_idle_ms + 1);
    world_pass(&world, INT64_C(86400000) * world.config.session_idle_days + 1);
    hub_metrics(world.hub, &figures);
    ck_assert_uint_eq(figures.sessions, 0);
}
END_TEST

/* Nor is anybody refused by what is not durable: what comes of the store decides, code or not. */
START_TEST(test_refusals_wait)
{
    struct table table;
    world_table(&world, &table, 3, "");
    int leaver = table.tabs[1], other = world_back(&world, leaver);
    world_do(&world, other, "watch", "{s:s}", "room", table.room);
    world.held = true;
    int64_t left = world_post(&world, leaver, "leave", "{s:s}", "room", table.room);
    int64_t refused =
        world_post(&world, other, "ready", "{s:s,s:b}", "room", table.room, "ready", 1);
    int64_t asked = world_post(&world, other, "moves", "{s:s}", "room", table.room);
    world_settle(&world);
    ck_assert_ptr_null(world_reply(&world, leaver, left));
    ck_assert_ptr_null(world_reply(&world, other, refused));
    ck_assert_ptr_null(world_reply(&world, other, asked));
    world_commit(&world, _i == 0 ? STORE_OK : STORE_FULL);
    if (_i == 0)
        world_granted(&world, leaver, left);
    world_denied(&world, other, refused, _i == 0 ? "not_seated" : "store_failing");
    world_denied(&world, other, asked, _i == 0 ? "not_seated" : "store_failing");
}
END_TEST

/* Answers that wait for the store have a bound for each connection, and count no more after it. */
START_TEST(test_what_waits_is_bounded)
{
    struct table table;
    world.config.requests_burst = 100000;
    world.config.outbox_bytes = 131072;
    world.config.work_burst = 100000;
    world_start(&world);
    world_table(&world, &table, 2, "");
    int asker = world_guest(&world, "Zoe");
    for (int round = 0; round < 2; round++) {
        int waiting = 0;
        json_t *reply = NULL;
        world.held = true;
        world_post(&world, table.tabs[0], "ready", "{s:s,s:b}", "room", table.room, "ready",
                   round == 0);
        while (!reply && ++waiting < 10000) {
            int64_t id = world_post(&world, asker, "rooms", "");
            world_settle(&world);
            reply = world_reply(&world, asker, id);
        }
        ck_assert_int_gt(waiting, 50);
        ck_assert_int_lt(waiting, 2000);
        ck_assert_str_eq(str(json_object_get(reply, "error"), "code"), "slow_down");
        json_decref(reply);
        world_do(&world, table.tabs[1], "ping", ""); /* somebody else */
        world.held = false;
        world_commit(&world, round == 0 ? STORE_OK : STORE_FULL);
        world_settle(&world);
        ck_assert(world.tabs[asker].link.open);
        world_forget(&world, asker);
        world_do(&world, asker, "ping", "");
    }
}
END_TEST

/* A view of a room with changes that are not stored yet waits for them too. */
START_TEST(test_looking_waits)
{
    static const char *const ops[] = {"watch", "join", "leave"};
    struct table table, other;
    world_table(&world, &table, 3, "");
    world_table(&world, &other, 2, "");
    int watcher = world_guest(&world, "Zoe");
    world.held = true;
    size_t durable = world.store.rooms[0].count;
    world_post(&world, table.tabs[0], "leave", "{s:s}", "room", table.room);
    int64_t look = world_post(&world, watcher, ops[_i], "{s:s}", "room", table.room);
    int64_t rooms = world_post(&world, watcher, "rooms", "");
    int64_t elsewhere = world_post(&world, watcher, "watch", "{s:s}", "room", other.room);
    int64_t record = world_post(&world, watcher, "record", "{s:s}", "room", table.room);
    int64_t past = world_post(&world, watcher, "past", "{s:s,s:i}", "room", table.room, "have", 0);
    world_settle(&world);
    ck_assert_ptr_null(world_reply(&world, watcher, look));
    ck_assert_ptr_null(world_reply(&world, watcher, rooms));
    world_granted(&world, watcher, elsewhere);
    world_granted(&world, watcher, record); /* shows what is durable */
    json_t *shown = world_reply(&world, watcher, past);
    ck_assert_uint_eq((size_t)num(json_object_get(shown, "ok"), "seq"), durable);
    json_decref(shown);
    world_commit(&world, STORE_OK);
    if (world.out)
        world_commit(&world, STORE_OK);
    world_granted(&world, watcher, look);
    world_granted(&world, watcher, rooms);
}
END_TEST

START_TEST(test_watch_in_the_middle_has_no_gap_and_no_double)
{
    struct table table;
    world_table(&world, &table, 2, "");
    int watcher = world_guest(&world, "Zoe");
    world.held = true;
    size_t durable = world.store.rooms[0].count;
    for (int i = 0; i < 3; i++) {
        world_post(&world, table.tabs[0], "ready", "{s:s,s:b}", "room", table.room, "ready",
                   i % 2 == 0);
        world_settle(&world);
        if (i == 1)
            world_post(&world, watcher, "watch", "{s:s}", "room", table.room);
    }
    while (world.out)
        world_commit(&world, STORE_OK);
    ck_assert_uint_eq(world.tabs[watcher].count, 2);
    const json_t *view = json_object_get(world.tabs[watcher].inbox[0], "ok");
    ck_assert_int_eq(num(view, "seq"), (json_int_t)durable + 2);
    ck_assert_int_eq(num(world.tabs[watcher].inbox[1], "seq"), (json_int_t)durable + 3);
}
END_TEST

/* A seat that is not durable is nobody's yet, for presence too. */
START_TEST(test_presence_waits)
{
    struct table table;
    world_table(&world, &table, 3, "");
    world_do(&world, table.tabs[2], "leave", "{s:s}", "room", table.room);
    world_do(&world, table.tabs[2], "watch", "{s:s}", "room", table.room);
    world_pass(&world, 2000);
    world_forget(&world, table.tabs[0]);
    world.held = true;
    world_post(&world, table.tabs[2], "join", "{s:s}", "room", table.room);
    world_settle(&world);
    ck_assert_uint_eq(world_forget(&world, table.tabs[0]), 0);
    world_commit(&world, STORE_OK);
    json_t *push = world_push(&world, table.tabs[0], "presence");
    ck_assert(json_is_true(json_object_get(json_object_get(push, "online"), "2")));
    json_decref(push);
}
END_TEST

START_TEST(test_seats_in_hello_wait)
{
    struct table table;
    world_table(&world, &table, 2, "");
    int tab = world_guest(&world, "Zoe"), made = table.tabs[1];
    world_do(&world, made, "leave", "{s:s}", "room", table.room);
    world.held = true;
    world_post(&world, tab, "join", "{s:s}", "room", table.room);
    world_settle(&world);
    for (size_t seats = 0; seats < 2; seats++) {
        int again = world_connect(&world);
        json_t *ok = world_ok(&world, again, "hello", "{s:s}", "token", world.tabs[tab].token);
        ck_assert_uint_eq(json_array_size(json_object_get(ok, "seats")), seats);
        json_decref(ok);
        if (seats == 0)
            world_commit(&world, STORE_OK);
    }
}
END_TEST

/* ---- forgetting takes its time too */

START_TEST(test_a_match_that_is_being_archived)
{
    struct table table;
    struct hub_metrics figures;
    world_table(&world, &table, 2, "");
    world_begin(&world, &table);
    world_do(&world, table.tabs[0], "resign", "{s:s}", "room", table.room);
    for (int i = 0; i < 2; i++)
        world_do(&world, table.tabs[i], "leave", "{s:s}", "room", table.room);
    world.held = true;
    world_pass(&world, world.config.over_idle_ms + 1);
    ck_assert_ptr_nonnull(world.out);
    /* Meanwhile somebody comes back, and it stays for them. */
    int64_t watch = world_post(&world, table.tabs[0], "watch", "{s:s}", "room", table.room);
    world_settle(&world);
    world_granted(&world, table.tabs[0], watch);
    world_commit(&world, STORE_OK);
    world.held = false;
    ck_assert(world.store.rooms[0].archived);
    hub_metrics(world.hub, &figures);
    ck_assert_uint_eq(figures.rooms, 1);
    world_forget(&world, table.tabs[0]);
    world_refused(&world, table.tabs[1], "is_over", "rematch", "{s:s}", "room", table.room);
    world_do(&world, table.tabs[0], "leave", "{s:s}", "room", table.room);
    world_pass(&world, world.config.over_idle_ms + 1);
    hub_metrics(world.hub, &figures);
    ck_assert_uint_eq(figures.rooms, 0);
    /* The same once it comes from the store. */
    world_do(&world, table.tabs[1], "watch", "{s:s}", "room", table.room);
    world_refused(&world, table.tabs[1], "is_over", "rematch", "{s:s}", "room", table.room);
}
END_TEST

START_TEST(test_a_lobby_that_is_being_dropped)
{
    char room[9];
    int host = world_guest(&world, "Ana");
    char token[TOKEN_SPACE];
    memcpy(token, world.tabs[host].token, sizeof token);
    world_do(&world, host, "create", "");
    memcpy(room, world.store.rooms[0].row.seed.id, 9);
    world.held = true;
    world_pass(&world, world.config.lobby_idle_ms + 1);
    ck_assert_ptr_nonnull(world.out);
    host = world_connect(&world);
    world_do(&world, host, "hello", "{s:s}", "token", token);
    int64_t join = world_post(&world, host, "join", "{s:s}", "room", room);
    world_settle(&world);
    world_denied(&world, host, join, "unknown_room");
    world.held = false;
    if (_i == 0) { /* it is gone */
        world_settle(&world);
        ck_assert_uint_eq(world.store.room_count, 0);
        world_refused(&world, host, "unknown_room", "join", "{s:s}", "room", room);
    } else { /* it is still there, and is dropped another time */
        world_commit(&world, STORE_FAILED);
        world.answer = STORE_FAILED;
        world_do(&world, host, "watch", "{s:s}", "room", room);
        world.answer = STORE_OK;
        world_pass(&world, world.config.lobby_idle_ms + 1);
        ck_assert_uint_eq(world.store.room_count, 1);
        world_cut(&world, host);
        world_pass(&world, world.config.lobby_idle_ms + 1);
        ck_assert_uint_eq(world.store.room_count, 0);
    }
}
END_TEST

/* The room that a request made is gone: the same request makes another one. */
START_TEST(test_a_lobby_is_made_anew)
{
    int tab = world_guest(&world, "Ana");
    for (int round = 0; round < 2; round++) {
        world_post_id(&world, tab, 77, "create", "");
        world_settle(&world);
        world_granted(&world, tab, 77);
        ck_assert_uint_eq(world.store.room_count, 1);
        world_forget(&world, tab);
        world_cut(&world, tab);
        world_pass(&world, world.config.lobby_idle_ms + 1);
        ck_assert_uint_eq(world.store.room_count, 0);
        tab = world_back(&world, tab);
    }
}
END_TEST

START_TEST(test_a_session_that_is_being_dropped)
{
    int tab = world_guest(&world, "Ana");
    char token[TOKEN_SPACE];
    memcpy(token, world.tabs[tab].token, sizeof token);
    world_cut(&world, tab);
    world.held = true;
    world_pass(&world, INT64_C(86400000) * world.config.visitor_idle_days + 1);
    ck_assert_ptr_nonnull(world.out);
    tab = world_connect(&world);
    int64_t hello = world_post(&world, tab, "hello", "{s:s}", "token", token);
    world_settle(&world);
    world_denied(&world, tab, hello, "unknown_token");
    world.held = false;
    if (_i == 0) {
        world_settle(&world);
        ck_assert_uint_eq(world.store.session_count, 0);
        world_refused(&world, tab, "unknown_token", "hello", "{s:s}", "token", token);
    } else { /* a store that failed may have done it all the same: it is dropped another time */
        world_commit(&world, STORE_FAILED);
        world_refused(&world, tab, "unknown_token", "hello", "{s:s}", "token", token);
        ck_assert_uint_eq(world.store.session_count, 1);
        world_pass(&world, INT64_C(86400000) * world.config.visitor_idle_days + 1);
        ck_assert_uint_eq(world.store.session_count, 0);
    }
}
END_TEST

END_TEST

Suite *commit_suite(void)
{
    Suite *suite = suite_create("commits");
    TCase *tests = tcase_create("commits");
    tcase_add_checked_fixture(tests, setup, teardown);
    TCase *near = near_case(suite, setup, teardown);
    tcase_add_test(tests, test_told_when_durable);
    tcase_add_test(tests, test_what_comes_meanwhile_goes_together);
    tcase_add_loop_test(tests, test_looking_waits, 0, 3);
    tcase_add_test(tests, test_a_refused_room_goes_back_alone);
    tcase_add_test(tests, test_a_refused_end_leaves_the_list_as_it_was);
    tcase_add_test(tests, test_a_room_that_is_always_refused_is_set_apart);
    tcase_add_test(tests, test_a_refused_new_room_is_none);
    tcase_add_loop_test(tests, test_a_rematch_is_refused_whole, 0, 2);
    tcase_add_test(tests, test_what_is_due_is_not_tried_at_once);
    tcase_add_test(near, test_a_refused_session_is_none);
    tcase_add_loop_test(tests, test_refusals_wait, 0, 2);
    tcase_add_test(near, test_what_waits_is_bounded);
    tcase_add_test(tests, test_watch_in_the_middle_has_no_gap_and_no_double);
    tcase_add_test(tests, test_presence_waits);
    tcase_add_test(tests, test_seats_in_hello_wait);
    tcase_add_test(tests, test_a_match_that_is_being_archived);
    tcase_add_loop_test(tests, test_a_lobby_that_is_being_dropped, 0, 2);
    tcase_add_test(tests, test_a_lobby_is_made_anew);
    tcase_add_loop_test(tests, test_a_session_that_is_being_dropped, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}
