/* Resuming: a client with the state at any `seq` gets what brings it to the current state. */
#include "suites.h"
#include "world.h"
#include <protocol/merge_patch.h>
#include <stdio.h>
#include <stdlib.h>
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

enum { MOVES = 24, SEQS = 64 };

/* A client's copy of one room. */
struct pending {
    json_t *state;
    json_int_t seq;
};

static void take_pushes(int tab, struct pending *held)
{
    json_t *push;
    while ((push = world_push(&world, tab, "event")) != NULL) {
        ck_assert_int_eq(num(push, "seq"), held->seq + 1);
        ck_assert(merge_patch(&held->state, json_object_get(push, "patch")));
        held->seq++;
        json_decref(push);
    }
}

static void take_view(json_t *ok, struct pending *held)
{
    json_t *state = json_object_get(ok, "state");
    if (state) {
        json_decref(held->state);
        held->state = json_deep_copy(state);
        held->seq = num(ok, "seq");
    }
}

/* A match of some moves, and a watcher's state after each event. */
static json_int_t history(struct table *table, json_t *states[SEQS])
{
    world_table(&world, table, 2, "");
    int watcher = world_guest(&world, "Zoe");
    struct pending held = {0};
    json_t *ok = world_ok(&world, watcher, "watch", "{s:s}", "room", table->room);
    take_view(ok, &held);
    json_decref(ok);
    json_int_t first = held.seq;
    states[held.seq] = json_deep_copy(held.state);
    world_begin(&world, table);
    for (int i = 0; i < MOVES; i++) {
        json_t *push;
        world_move(&world, table);
        while ((push = world_push(&world, watcher, "event")) != NULL) {
            ck_assert_int_eq(num(push, "seq"), held.seq + 1);
            ck_assert(merge_patch(&held.state, json_object_get(push, "patch")));
            states[++held.seq] = json_deep_copy(held.state);
            json_decref(push);
        }
    }
    json_decref(held.state);
    return first;
}

/* From every seq, in the same process and after reading the room from the store. */
START_TEST(test_from_every_seq)
{
    struct table table;
    json_t *states[SEQS] = {0};
    json_int_t first = history(&table, states);
    json_int_t last = first;
    while (states[last + 1])
        last++;
    if (_i) {
        world_restart(&world);
        table.tabs[0] = world_back(&world, table.tabs[0]);
    }
    for (json_int_t have = first; have <= last; have++) {
        int tab = world_guest(&world, "Chi");
        struct pending held = {json_deep_copy(states[have]), have};
        json_t *ok = world_ok(&world, tab, "watch", "{s:s,s:I}", "room", table.room, "have", have);
        ck_assert_int_eq(num(ok, "seq"), last);
        if (last - have <= 12)
            ck_assert_ptr_null(json_object_get(ok, "state"));
        take_view(ok, &held);
        take_pushes(tab, &held);
        ck_assert_int_eq(held.seq, last);
        ck_assert(json_equal(held.state, states[last]));
        json_decref(held.state);
        json_decref(ok);
        world_cut(&world, tab);
    }
    for (json_int_t seq = first; seq <= last; seq++)
        json_decref(states[seq]);
}
END_TEST

START_TEST(test_odd_seqs_get_a_snapshot)
{
    static const json_int_t haves[] = {1000000, INT64_C(9007199254740991)};
    struct table table;
    world_table(&world, &table, 2, "");
    json_t *ok = world_ok(&world, table.tabs[0], "watch", "{s:s,s:I}", "room", table.room, "have",
                          haves[_i]);
    ck_assert_ptr_nonnull(json_object_get(ok, "state"));
    json_decref(ok);
}
END_TEST

START_TEST(test_too_far_behind_is_a_snapshot)
{
    struct table table;
    world.config.resume_pushes = 3;
    world_start(&world);
    world_table(&world, &table, 2, "");
    for (int i = 0; i < 4; i++)
        world_do(&world, table.tabs[0], "ready", "{s:s,s:b}", "room", table.room, "ready",
                 i % 2 == 0);
    for (json_int_t have = 3; have <= 7; have++) {
        json_t *ok =
            world_ok(&world, table.tabs[0], "watch", "{s:s,s:I}", "room", table.room, "have", have);
        ck_assert_int_eq(json_object_get(ok, "state") == NULL, have >= 4);
        json_decref(ok);
    }
}
END_TEST

/* The shorter of the two, once there is much to send. */
START_TEST(test_a_snapshot_when_it_is_shorter)
{
    struct table table;
    world_table(&world, &table, 2, "");
    for (int i = 0; i < 40; i++) {
        world_do(&world, table.tabs[0], "ready", "{s:s,s:b}", "room", table.room, "ready",
                 i % 2 == 0);
        world.now_ms += 100;
    }
    json_t *ok =
        world_ok(&world, table.tabs[0], "watch", "{s:s,s:i}", "room", table.room, "have", 3);
    ck_assert_ptr_nonnull(json_object_get(ok, "state"));
    json_decref(ok);
}
END_TEST

/* A client that asks from seq 0 on gets every event, though a snapshot is shorter. */
START_TEST(test_the_whole_match)
{
    struct table table;
    world_table(&world, &table, 2, "");
    for (int i = 0; i < 40; i++) {
        world_do(&world, table.tabs[0], "ready", "{s:s,s:b}", "room", table.room, "ready",
                 i % 2 == 0);
        world.now_ms += 100;
    }
    struct pending now = {0}, replayed = {json_object(), 0};
    int tab = world_guest(&world, "Chi");
    json_t *ok = world_ok(&world, tab, "watch", "{s:s}", "room", table.room);
    take_view(ok, &now);
    json_decref(ok);
    ok = world_ok(&world, tab, "watch", "{s:s,s:i}", "room", table.room, "have", 0);
    ck_assert_ptr_null(json_object_get(ok, "state"));
    take_pushes(tab, &replayed);
    ck_assert_int_eq(replayed.seq, now.seq);
    ck_assert(json_equal(replayed.state, now.state));
    json_decref(ok);
    json_decref(now.state);
    json_decref(replayed.state);
}
END_TEST

/* Applies one page of past events to the copy; true if there are more. */
static bool take_past(int tab, const char *room, struct pending *held)
{
    json_t *ok = world_ok(&world, tab, "past", "{s:s,s:I}", "room", room, "have", held->seq);
    const json_t *events = json_object_get(ok, "events"), *push;
    size_t i;
    bool more = json_is_true(json_object_get(ok, "more"));
    json_array_foreach(events, i, push)
    {
        ck_assert_str_eq(str(push, "push"), "event");
        ck_assert_int_eq(num(push, "seq"), held->seq + 1);
        ck_assert(merge_patch(&held->state, json_object_get(push, "patch")));
        held->seq++;
    }
    ck_assert_int_eq(num(ok, "seq"), held->seq);
    ck_assert(!more || i > 0);
    json_decref(ok);
    return more;
}

/* All events of a long match can be fetched, and fetching them changes nothing else. */
START_TEST(test_the_past_by_page)
{
    enum { READIES = 80, OFFERS = 460, EVENTS = READIES + OFFERS };
    struct table table;
    struct pending now = {0}, replayed = {json_object(), 0};
    int pages = 1;
    world_table(&world, &table, 2, "");
    for (int i = 0; i < READIES; i++) {
        world_do(&world, table.tabs[0], "ready", "{s:s,s:b}", "room", table.room, "ready",
                 i % 2 == 0);
        world.now_ms += 100;
    }
    world_begin(&world, &table);
    for (int i = 0; i < OFFERS; i++) {
        world_do(&world, table.tabs[0], i % 2 ? "withdraw" : "offer", "{s:s,s:s}", "room",
                 table.room, "what", "pause");
        world.now_ms += 100;
    }
    int tab = world_guest(&world, "Chi");
    while (take_past(tab, table.room, &replayed)) {
        world.now_ms += 1000; /* a long answer counts as many requests */
        pages++;
    }
    ck_assert_int_gt(replayed.seq, EVENTS);
    ck_assert_int_ge(pages, 3);
    json_t *ok = world_ok(&world, tab, "watch", "{s:s,s:i}", "room", table.room, "have", 0);
    ck_assert_ptr_nonnull(json_object_get(ok, "state"));
    take_view(ok, &now);
    json_decref(ok);
    ck_assert_int_eq(replayed.seq, now.seq);
    ck_assert(json_equal(replayed.state, now.state));
    ck_assert(!take_past(tab, table.room, &now)); /* nothing after the last event */
    world_do(&world, tab, "leave", "{s:s}", "room", table.room);
    ck_assert(!take_past(tab, table.room, &replayed));
    world_forget(&world, tab);
    world_do(&world, table.tabs[0], "offer", "{s:s,s:s}", "room", table.room, "what", "pause");
    ck_assert_ptr_null(world_push(&world, tab, "event")); /* it subscribes to nothing */
    json_decref(now.state);
    json_decref(replayed.state);
}
END_TEST

/* All events after `have`, as one array. */
static json_t *past_from(int tab, const char *room, json_int_t have)
{
    json_t *all = json_array();
    for (bool more = true; more;) {
        json_t *ok = world_ok(&world, tab, "past", "{s:s,s:I}", "room", room, "have", have);
        ck_assert_int_eq(json_array_extend(all, json_object_get(ok, "events")), 0);
        more = json_is_true(json_object_get(ok, "more"));
        have = num(ok, "seq");
        json_decref(ok);
    }
    return all;
}

/* Equal to the byte, including the order of members. */
static void check_tail(const json_t *whole, const json_t *tail, size_t have)
{
    ck_assert_uint_eq(json_array_size(tail), json_array_size(whole) - have);
    for (size_t i = 0; i < json_array_size(tail); i++) {
        char *one = json_dumps(json_array_get(whole, have + i), JSON_COMPACT);
        char *two = json_dumps(json_array_get(tail, i), JSON_COMPACT);
        ck_assert_str_eq(one, two);
        free(one);
        free(two);
    }
}

/* How many encoded events are cached: none, a few pieces, all. */
static const int64_t histories[] = {0, 12000, 8388608};

/*
 * With any size of the cache, `past` returns what was pushed, from every event on, also while the
 * match is being played.
 */
START_TEST(test_history)
{
    struct table table;
    struct hub_metrics figures;
    world.config.history_bytes = histories[_i];
    world.config.requests_burst = world.config.requests_per_address_burst = 1000000;
    world.config.work_burst = 1000000;
    world_start(&world);
    world_table(&world, &table, 2, "");
    world_begin(&world, &table);
    int tab = world_guest(&world, "Chi");
    world_do(&world, tab, "watch", "{s:s,s:i}", "room", table.room, "have", 0);
    json_t *whole = json_array();
    for (json_t *push; (push = world_push(&world, tab, "event")) != NULL;)
        json_array_append_new(whole, push);
    for (int moves = 0; world_move(&world, &table) >= 0; moves++) {
        for (json_t *push; (push = world_push(&world, tab, "event")) != NULL;)
            json_array_append_new(whole, push);
        if (moves % 7 != 0)
            continue;
        size_t have = (size_t)(moves * 5) % json_array_size(whole);
        json_t *tail = past_from(tab, table.room, (json_int_t)have);
        check_tail(whole, tail, have);
        json_decref(tail);
        hub_metrics(world.hub, &figures);
        ck_assert_uint_le(figures.history_bytes, (size_t)histories[_i]);
        ck_assert(figures.history_bytes > 0 || histories[_i] == 0);
    }
    for (json_t *push; (push = world_push(&world, tab, "event")) != NULL;)
        json_array_append_new(whole, push);
    for (size_t have = 0; have <= json_array_size(whole); have++) {
        json_t *tail = past_from(tab, table.room, (json_int_t)have);
        check_tail(whole, tail, have);
        json_decref(tail);
    }
    json_decref(whole);
    world_cut(&world, tab);
    world_cut(&world, table.tabs[0]);
    world_cut(&world, table.tabs[1]);
    world_pass(&world, 86400000); /* the room and its cached events are dropped from memory */
    hub_metrics(world.hub, &figures);
    ck_assert_uint_eq(figures.rooms, 0);
    ck_assert_uint_eq(figures.history_bytes, 0);
}
END_TEST

/* An event that the store refused was never pushed, so `past` does not return it. */
START_TEST(test_history_of_what_was_not_stored)
{
    struct table table;
    world_table(&world, &table, 2, "");
    int tab = world_guest(&world, "Chi");
    world.held = true;
    world_post(&world, table.tabs[0], "ready", "{s:s,s:b}", "room", table.room, "ready", true);
    world_post(&world, tab, "watch", "{s:s,s:i}", "room", table.room, "have", 0);
    world_settle(&world);
    world.held = false;
    world_commit(&world, STORE_FULL);
    world_settle(&world);
    world_pass(&world, 10000);
    world_forget(&world, tab);
    world_forget(&world, table.tabs[0]);
    world_do(&world, table.tabs[1], "ready", "{s:s,s:b}", "room", table.room, "ready", true);
    json_t *past = past_from(tab, table.room, 0), *last = json_array_get(past, 3);
    ck_assert_uint_eq(json_array_size(past), 4);
    ck_assert_int_eq(num(json_object_get(last, "event"), "seat"), 1);
    json_decref(past);
}
END_TEST

/* Joining is resuming too. */
START_TEST(test_join_with_have)
{
    struct table table;
    world_table(&world, &table, 3, "");
    int tab = table.tabs[1];
    struct pending held = {0};
    json_t *ok = world_ok(&world, tab, "watch", "{s:s}", "room", table.room);
    take_view(ok, &held);
    json_decref(ok);
    world_do(&world, tab, "leave", "{s:s}", "room", table.room);
    world_do(&world, table.tabs[0], "ready", "{s:s,s:b}", "room", table.room, "ready", 1);
    world_forget(&world, tab);
    ok = world_ok(&world, tab, "join", "{s:s,s:I}", "room", table.room, "have", held.seq);
    ck_assert_ptr_null(json_object_get(ok, "state"));
    ck_assert_int_eq(num(ok, "seq"), held.seq + 3);
    take_pushes(tab, &held);
    ck_assert_int_eq(held.seq, num(ok, "seq"));
    json_decref(ok);
    ok = world_ok(&world, tab, "watch", "{s:s}", "room", table.room);
    ck_assert(json_equal(held.state, json_object_get(ok, "state")));
    json_decref(ok);
    json_decref(held.state);
}
END_TEST

/* Subscribing again to a room neither repeats nor loses a push. */
/* Which message of the tab has that id; -1: none has. */
static int place_of(int tab, int64_t id)
{
    const struct tab *at = &world.tabs[tab];
    for (size_t place = 0; place < at->count; place++) {
        if (num(at->inbox[place], "id") == id)
            return (int)place;
    }
    return -1;
}

/*
 * Somebody who comes back asks for what was missed, and once more for what was not answered, while
 * something else is on its way to the store: the answer does not come before the event of which it
 * tells, and it holds whatever becomes of the rest.
 */
START_TEST(test_a_repeat_waits_for_the_view)
{
    struct table table;
    world_table(&world, &table, 3, "");
    const int64_t id = 4242;
    world_post_id(&world, table.tabs[1], id, "ready", "{s:s,s:b}", "room", table.room, "ready", 1);
    world_settle(&world);
    world_granted(&world, table.tabs[1], id);
    world_cut(&world, table.tabs[1]);
    const int tab = world_back(&world, table.tabs[1]);
    world.held = true;
    world_post(&world, table.tabs[2], "ready", "{s:s,s:b}", "room", table.room, "ready", 1);
    world_settle(&world);
    const int64_t view = world_post(&world, tab, "watch", "{s:s}", "room", table.room);
    world_post_id(&world, tab, id, "ready", "{s:s,s:b}", "room", table.room, "ready", 1);
    world_settle(&world);
    ck_assert_int_eq(place_of(tab, id), -1);
    world.held = false;
    world_commit(&world, _i == 0 ? STORE_OK : STORE_FAILED);
    world_settle(&world);
    ck_assert_int_ge(place_of(tab, view), 0);
    ck_assert_int_gt(place_of(tab, id), place_of(tab, view));
    world_granted(&world, tab, id);
    world_forget(&world, tab);
}
END_TEST

START_TEST(test_watch_twice)
{
    struct table table;
    struct pending held = {0};
    world_table(&world, &table, 2, "");
    int tab = table.tabs[0];
    json_t *ok = world_ok(&world, tab, "watch", "{s:s}", "room", table.room);
    take_view(ok, &held);
    json_decref(ok);
    world_forget(&world, tab);
    for (int i = 0; i < 4; i++) {
        world.held = true;
        world_post(&world, tab, "ready", "{s:s,s:b}", "room", table.room, "ready", i % 2 == 0);
        world_settle(&world);
        int64_t again = world_post(&world, tab, "watch", "{s:s,s:I}", "room", table.room, "have",
                                   held.seq + (i < 2));
        world_settle(&world);
        world.held = false;
        world_settle(&world);
        json_t *reply = world_reply(&world, tab, again);
        ck_assert_ptr_null(json_object_get(json_object_get(reply, "ok"), "state"));
        json_decref(reply);
        /* One push of its own, and a second one if that was what it asked for. */
        json_t *push = world_push(&world, tab, "event"), *second = world_push(&world, tab, "event");
        ck_assert_int_eq(num(push, "seq"), held.seq + 1);
        ck_assert_int_eq(second != NULL, i >= 2);
        held.seq++;
        json_decref(push);
        json_decref(second);
    }
    json_decref(held.state);
}
END_TEST

Suite *resume_suite(void)
{
    Suite *suite = suite_create("resuming");
    TCase *tests = tcase_create("resuming");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_loop_test(tests, test_from_every_seq, 0, 2);
    tcase_add_loop_test(tests, test_odd_seqs_get_a_snapshot, 0, 2);
    tcase_add_test(tests, test_too_far_behind_is_a_snapshot);
    tcase_add_test(tests, test_a_snapshot_when_it_is_shorter);
    tcase_add_test(tests, test_the_whole_match);
    tcase_add_test(tests, test_the_past_by_page);
    tcase_add_loop_test(tests, test_history, 0, sizeof histories / sizeof histories[0]);
    tcase_add_test(tests, test_history_of_what_was_not_stored);
    tcase_add_test(tests, test_join_with_have);
    tcase_add_loop_test(tests, test_a_repeat_waits_for_the_view, 0, 2);
    tcase_add_test(tests, test_watch_twice);
    suite_add_tcase(suite, tests);
    return suite;
}
