/* A store that fails, is full, or belongs to somebody else; the end of the server, and its start
 * after it. */
#include "suites.h"
#include "world.h"
#include <hub/check.h>
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

/* ---- failing */

static const enum store_result failures[] = {STORE_FULL, STORE_FAILED};

START_TEST(test_failure_and_recovery)
{
    struct table table, quiet;
    world_table(&world, &table, 2, "");
    world_table(&world, &quiet, 2, "");
    world_begin(&world, &quiet);
    int host = table.tabs[0], guest = table.tabs[1];
    json_t *before = world_ok(&world, guest, "watch", "{s:s}", "room", table.room);
    world.held = true;
    int64_t first = world_post(&world, host, "ready", "{s:s,s:b}", "room", table.room, "ready", 1);
    world_settle(&world);
    int64_t second = world_post(&world, guest, "leave", "{s:s}", "room", table.room);
    int64_t made = world_post(&world, host, "create", "");
    world_forget(&world, host);
    world_forget(&world, guest);
    world_commit(&world, failures[_i]);
    world.held = false;
    world.answer = failures[_i];
    world_settle(&world);
    world_denied(&world, host, first, "store_failing");
    world_denied(&world, guest, second, "store_failing");
    world_denied(&world, host, made, "store_failing");
    json_t *push = world_push(&world, guest, "notice");
    ck_assert_str_eq(str(push, "code"), "store_failing");
    ck_assert_str_eq(str(push, "room"), table.room);
    json_decref(push);
    ck_assert_ptr_null(world_push(&world, guest, "event"));

    /* Nothing changes, but one can look, and is told. */
    world_refused(&world, host, "store_failing", "ready", "{s:s,s:b}", "room", table.room, "ready",
                  1);
    world_refused(&world, host, "store_failing", "create", "");
    world_refused(&world, host, "store_failing", "rename", "{s:s}", "name", "Eva");
    int stranger = world_connect(&world);
    world_refused(&world, stranger, "store_failing", "hello", "");
    int again = world_back(&world, guest);
    json_t *after = world_ok(&world, again, "watch", "{s:s}", "room", table.room);
    ck_assert(json_equal(json_object_get(before, "state"), json_object_get(after, "state")));
    ck_assert_int_eq(num(before, "seq"), num(after, "seq"));
    json_decref(before);
    json_decref(after);
    push = world_push(&world, again, "notice");
    ck_assert_str_eq(str(push, "code"), "store_failing");
    json_decref(push);

    /* It is tried again by itself, less and less often. */
    world_pass(&world, 60000);
    world_refused(&world, host, "store_failing", "create", "");
    world.answer = STORE_OK;
    world_pass(&world, world.config.store_retry_max_ms + 1);
    push = world_push(&world, again, "notice");
    ck_assert_str_eq(str(push, "code"), "store_recovered");
    json_decref(push);
    world_post_id(&world, host, first, "ready", "{s:s,s:b}", "room", table.room, "ready", 1);
    world_settle(&world);
    world_granted(&world, host, first);
    world_do(&world, host, "create", "");
    json_t *push2 = world_push(&world, again, "event");
    ck_assert_str_eq(str(json_object_get(push2, "event"), "kind"), "readied");
    json_decref(push2);
}
END_TEST

/* Its answer was lost. What it did is kept, whatever becomes of what others do meanwhile. */
START_TEST(test_repeat_while_another_change_fails)
{
    struct table table;
    world_table(&world, &table, 2, "");
    world_post_id(&world, table.tabs[0], 77, "ready", "{s:s,s:b}", "room", table.room, "ready", 1);
    world_settle(&world);
    world_granted(&world, table.tabs[0], 77);
    world.held = true;
    int64_t other =
        world_post(&world, table.tabs[1], "ready", "{s:s,s:b}", "room", table.room, "ready", 1);
    world_settle(&world);
    world_post_id(&world, table.tabs[0], 77, "ready", "{s:s,s:b}", "room", table.room, "ready", 1);
    world_settle(&world);
    world_commit(&world, STORE_FAILED);
    world_denied(&world, table.tabs[1], other, "store_failing");
    world_granted(&world, table.tabs[0], 77);
}
END_TEST

/* The same, where its own event is on its way to the store when it is asked for again. */
START_TEST(test_repeat_of_what_is_on_its_way)
{
    struct table table;
    world_table(&world, &table, 2, "");
    const int again = world_back(&world, table.tabs[0]);
    world.held = true;
    world_post_id(&world, table.tabs[0], 77, "ready", "{s:s,s:b}", "room", table.room, "ready", 1);
    world_settle(&world);
    world_post(&world, table.tabs[1], "ready", "{s:s,s:b}", "room", table.room, "ready", 1);
    world_post_id(&world, again, 77, "ready", "{s:s,s:b}", "room", table.room, "ready", 1);
    world_commit(&world, STORE_OK);
    world_settle(&world);
    ck_assert_ptr_null(world_reply(&world, again, 77));
    world_commit(&world, STORE_FAILED);
    world_granted(&world, again, 77);
}
END_TEST

/* The room was made and left the first time, and that is durable. */
START_TEST(test_repeat_of_create_and_leave)
{
    struct table table;
    world_table(&world, &table, 2, "");
    const int host = world_back(&world, table.tabs[0]), guest = table.tabs[1];
    world_post_id(&world, host, 77, "create", "");
    world_settle(&world);
    json_t *made = world_reply(&world, host, 77);
    const char *room = str(json_object_get(made, "ok"), "room");
    world_do(&world, host, "join", "{s:s}", "room", room);
    world_do(&world, guest, "join", "{s:s}", "room", room);
    world_post_id(&world, guest, 78, "leave", "{s:s}", "room", room);
    world_settle(&world);
    world_granted(&world, guest, 78);
    world.held = true;
    world_post(&world, host, "ready", "{s:s,s:b}", "room", room, "ready", 1);
    world_settle(&world);
    world_post_id(&world, host, 77, "create", "");
    world_post_id(&world, guest, 78, "leave", "{s:s}", "room", room);
    world_settle(&world);
    world_commit(&world, STORE_FAILED);
    json_t *again = world_reply(&world, host, 77);
    ck_assert(json_equal(made, again));
    world_granted(&world, guest, 78);
    json_decref(again);
    json_decref(made);
}
END_TEST

START_TEST(test_back_off)
{
    struct table table;
    int tries = 0;
    world_table(&world, &table, 2, "");
    world.answer = STORE_FAILED;
    world_post(&world, table.tabs[0], "ready", "{s:s,s:b}", "room", table.room, "ready", 1);
    world_settle(&world);
    for (int64_t ms = 0; ms < 60000; ms += 10) {
        world.held = true;
        world_pass(&world, 10);
        if (world.out) {
            ck_assert_uint_eq(world.out->count, 0);
            tries++;
            world_commit(&world, STORE_FAILED);
        }
    }
    ck_assert_int_ge(tries, 60000 / 10000);
    ck_assert_int_le(tries, 12);
}
END_TEST

/* Whoever takes batches may make it wait for its pace, and is not called for it all the while. */
START_TEST(test_a_probe_that_is_due_is_no_deadline)
{
    struct table table;
    world_table(&world, &table, 2, "");
    world.answer = STORE_FAILED;
    world_post(&world, table.tabs[0], "ready", "{s:s,s:b}", "room", table.room, "ready", 1);
    world_settle(&world);
    ck_assert(!hub_batch_ready(world.hub));
    world.now_ms = hub_deadline_ms(world.hub);
    hub_tick(world.hub, world.now_ms);
    ck_assert(hub_batch_ready(world.hub));
    ck_assert_int_gt(hub_deadline_ms(world.hub), world.now_ms);
}
END_TEST

START_TEST(test_new_session_is_taken_back)
{
    int tab = world_connect(&world);
    struct table table;
    world_table(&world, &table, 2, "");
    world.held = true;
    int64_t hello = world_post(&world, tab, "hello", "");
    int64_t watch = world_post(&world, tab, "watch", "{s:s}", "room", table.room);
    int64_t made = world_post(&world, tab, "create", "");
    world_settle(&world);
    world_granted(&world, tab, watch); /* the room is durable */
    world_commit(&world, STORE_FULL);
    world_denied(&world, tab, hello, "store_failing");
    world_denied(&world, tab, made, "store_failing");
    world.held = false;
    world_pass(&world, 1000);
    struct hub_metrics figures;
    hub_metrics(world.hub, &figures);
    ck_assert_uint_eq(figures.sessions, 2);
    ck_assert_uint_eq(figures.rooms, 1);
    world_refused(&world, tab, "hello_first", "ping", "");
    world_do(&world, tab, "hello", "");
    world_forget(&world, tab);
    world_do(&world, table.tabs[0], "ready", "{s:s,s:b}", "room", table.room, "ready", 1);
    ck_assert_ptr_null(world_push(&world, tab, "event"));
}
END_TEST

/* Who has no session any more has as long for another hello as at first. */
START_TEST(test_time_for_another_hello)
{
    int tab = world_connect(&world);
    world.held = true;
    int64_t hello = world_post(&world, tab, "hello", "");
    world_pass(&world, 2 * world.config.hello_timeout_ms);
    world_commit(&world, STORE_FULL);
    world_denied(&world, tab, hello, "store_failing");
    world.held = false;
    world_pass(&world, world.config.hello_timeout_ms - 1);
    world_do(&world, tab, "hello", "");
}
END_TEST

static const enum store_result ends[] = {STORE_FENCED, STORE_CORRUPT};

START_TEST(test_it_stops)
{
    struct table table;
    world_table(&world, &table, 2, "");
    ck_assert_int_eq(hub_stopped(world.hub), STORE_OK);
    world.held = true;
    int64_t id =
        world_post(&world, table.tabs[0], "ready", "{s:s,s:b}", "room", table.room, "ready", 1);
    world_settle(&world);
    world_commit(&world, ends[_i]);
    ck_assert_int_eq(hub_stopped(world.hub), ends[_i]);
    if (hub_is_far && ends[_i] == STORE_FENCED) { /* whoever has its rooms now will answer */
        ck_assert_ptr_null(world_reply(&world, table.tabs[0], id));
        ck_assert(world.tabs[table.tabs[0]].link.open);
    } else {
        world_denied(&world, table.tabs[0], id, "store_failing");
        ck_assert_int_eq(world.tabs[table.tabs[0]].close_code, 1011);
    }
    ck_assert_int_lt(world_connect(&world), 0);
    ck_assert_ptr_null(hub_batch_take(world.hub));
}
END_TEST

/* ---- the end, and after it */

START_TEST(test_drain)
{
    struct table table, lobby;
    world_table(&world, &table, 2, "");
    world_table(&world, &lobby, 2, "");
    world_begin(&world, &table);
    for (int i = 0; i < 2; i++)
        world_do(&world, lobby.tabs[i], "ready", "{s:s,s:b}", "room", lobby.room, "ready", 1);
    world.held = true;
    world_post(&world, lobby.tabs[0], "leave", "{s:s}", "room", lobby.room);
    world_settle(&world);
    hub_drain(world.hub, world.now_ms);
    ck_assert(!hub_drained(world.hub));
    world.held = false;
    world_settle(&world);
    ck_assert(hub_drained(world.hub));
    json_t *push = world_push(&world, table.tabs[0], "notice");
    ck_assert_str_eq(str(push, "code"), "draining");
    json_decref(push);
    world_do(&world, lobby.tabs[0], "join", "{s:s}", "room", lobby.room);
    world_do(&world, lobby.tabs[0], "ready", "{s:s,s:b}", "room", lobby.room, "ready", 1);
    world_refused(&world, lobby.tabs[0], "draining", "start", "{s:s}", "room", lobby.room);
    world_refused(&world, lobby.tabs[0], "draining", "create", "");
    int tab = world_connect(&world);
    world_refused(&world, tab, "draining", "hello", "");
    ck_assert_int_ge(world_move(&world, &table), 0); /* what runs, runs */
}
END_TEST

START_TEST(test_restart_loses_only_what_was_not_told)
{
    struct table table;
    world_table(&world, &table, 2, "");
    world_begin(&world, &table);
    for (int i = 0; i < 9; i++)
        world_move(&world, &table);
    json_t *before = world_ok(&world, table.tabs[0], "watch", "{s:s}", "room", table.room);
    world.held = true;
    world_post(&world, table.tabs[0], "resign", "{s:s}", "room", table.room);
    world_settle(&world);
    world.held = false;
    world_restart(&world); /* the batch was out, and is lost */
    int tab = world_back(&world, table.tabs[0]);
    json_t *after = world_ok(&world, tab, "watch", "{s:s}", "room", table.room);
    ck_assert(json_equal(json_object_get(before, "state"), json_object_get(after, "state")));
    ck_assert_int_eq(num(before, "seq"), num(after, "seq"));
    json_decref(before);
    json_decref(after);
}
END_TEST

/* What breaks the order of an engine is refused. */
START_TEST(test_broken_engines_are_refused)
{
    struct table table;
    world_table(&world, &table, 2, "");
    struct model_room *room = &world.store.rooms[0];
    struct hub *hub = hub_create(&world.config, &world.env);
    ck_assert_ptr_nonnull(hub);
    struct store_sink sink = hub_sink(hub);
    ck_assert_int_eq(sink.event(sink.ctx, room->row.seed.id, &room->events[0]), STORE_CORRUPT);
    ck_assert_int_eq(sink.room(sink.ctx, &room->row), 0);
    ck_assert_int_eq(sink.event(sink.ctx, "zzzzzzzz", &room->events[0]), STORE_CORRUPT);
    ck_assert_int_eq(sink.guest(sink.ctx, "zzzzzzzz", 5), STORE_CORRUPT);
    ck_assert_int_eq(sink.session(sink.ctx, &world.store.sessions[0]), 0);
    ck_assert_int_eq(sink.session(sink.ctx, &world.store.sessions[0]), STORE_CORRUPT);
    hub_destroy(hub);
}
END_TEST

/* One room that cannot be replayed: it is said which and why, and everything else is served. */
START_TEST(test_a_damaged_room_harms_nobody)
{
    struct table sick, well;
    world_table(&world, &sick, 2, "");
    world_table(&world, &well, 2, "");
    world_begin(&world, &sick);
    world_begin(&world, &well);
    struct model_room *room = &world.store.rooms[0];
    ck_assert_str_eq(room->row.seed.id, sick.room);
    size_t count = room->count;
    if (_i == 0)
        room->events[2].seat = 77;
    else if (_i == 1)
        room->events[1].seq = 5;
    else
        room->count = 0;
    int tokens[2] = {well.tabs[0], sick.tabs[0]};
    world_restart(&world);
    const char *id, *why;
    ck_assert(hub_damaged_at(world.hub, 0, &id, &why));
    ck_assert_str_eq(id, sick.room);
    static const char *const whys[] = {"event 3 cannot be replayed", "event 5 cannot be replayed",
                                       "it has no events"};
    ck_assert_str_eq(why, whys[_i]);
    ck_assert(!hub_damaged_at(world.hub, 1, &id, &why));
    int ana = world_back(&world, tokens[0]), bo = world_back(&world, tokens[1]);
    json_decref(world_ok(&world, ana, "watch", "{s:s}", "room", well.room));
    world_refused(&world, bo, "room_damaged", "watch", "{s:s}", "room", sick.room);
    world_refused(&world, bo, "room_damaged", "join", "{s:s}", "room", sick.room);
    world_refused(&world, bo, "room_damaged", "record", "{s:s}", "room", sick.room);
    world_refused(&world, bo, "unknown_room", "watch", "{s:s}", "room", "zzzzzzzz");
    world_do(&world, bo, "create", "{s:{s:i}}", "options", "players", 2);
    world_pass(&world, 10 * INT64_C(86400000));
    ck_assert_ptr_nonnull(model_room(&world.store, sick.room));
    room->count = count;
}
END_TEST

/* Rules that only a later version knows: where others may have the store they serve it, and here
 * nothing is opened; else one room is missing. */
START_TEST(test_a_room_of_a_later_version)
{
    struct table table;
    world_table(&world, &table, 2, "{s:s}", "game", "cards");
    struct room_event *created = &world.store.rooms[0].events[0];
    ck_assert_int_eq(memcmp(created->text, "rules=2 ", 8), 0);
    ((char *)(uintptr_t)created->text)[6] = '3';
    for (int64_t shared = 0; shared < 2; shared++) {
        world.env.sign_of_life_ms = shared * 1000;
        struct hub *hub = hub_create(&world.config, &world.env);
        ck_assert_int_eq(model_restore(&world.store, hub, world.now_ms), shared ? STORE_NEWER : 0);
        hub_destroy(hub);
    }
}
END_TEST

/* What the store says of one room reaches who asked for it. */
static const struct {
    enum store_result result;
    const char *code;
    bool damaged;
} reads[] = {
    {STORE_FAILED, "store_failing", false},
    {STORE_FULL, "store_failing", false},
    {STORE_CORRUPT, "room_damaged", true},
};

START_TEST(test_a_room_that_cannot_be_read)
{
    char room[CODE_SPACE];
    const char *id, *why;
    int tab = world_guest(&world, "Zoe");
    int64_t asked = world_post(&world, tab, "watch", "{s:s}", "room", "00000000");
    ck_assert(hub_read_take(world.hub, room));
    hub_read_done(world.hub, room, reads[_i].result, NULL, world.now_ms);
    world_settle(&world);
    world_denied(&world, tab, asked, reads[_i].code);
    ck_assert(hub_damaged_at(world.hub, 0, &id, &why) == reads[_i].damaged);
}
END_TEST

/* An archived one is found out when somebody asks for it. */
START_TEST(test_a_damaged_archive_is_told)
{
    struct table table;
    world_table(&world, &table, 2, "");
    world_begin(&world, &table);
    world_do(&world, table.tabs[0], "resign", "{s:s}", "room", table.room);
    world.store.rooms[0].archived = true;
    world.store.rooms[0].events[1].seat = 77;
    world_restart(&world);
    int tab = world_guest(&world, "Zoe");
    world_refused(&world, tab, "room_damaged", "watch", "{s:s}", "room", table.room);
    const char *id, *why;
    ck_assert(hub_damaged_at(world.hub, 0, &id, &why));
    ck_assert_str_eq(id, table.room);
    world_refused(&world, tab, "room_damaged", "record", "{s:s}", "room", table.room);
}
END_TEST

/* What is told of an archived room is told at the time at which it has been read. */
START_TEST(test_when_an_archive_was_read)
{
    struct table table;
    world_table(&world, &table, 2, "");
    world_begin(&world, &table);
    world_do(&world, table.tabs[0], "resign", "{s:s}", "room", table.room);
    world.store.rooms[0].archived = true;
    world_restart(&world);
    int tab = world_guest(&world, "Zoe");
    int64_t asked = world_post(&world, tab, "watch", "{s:s}", "room", table.room);
    world.now_ms += 2000;
    world_settle(&world);
    json_t *reply = world_reply(&world, tab, asked);
    ck_assert_int_eq(json_integer_value(json_object_get(json_object_get(reply, "ok"), "time")),
                     world.now_ms);
    json_decref(reply);
}
END_TEST

static void note_damaged(void *ctx, const char *room_id, const char *why)
{
    char *text = ctx;
    size_t len = strlen(text);
    snprintf(text + len, 256 - len, "%s: %s\n", room_id, why);
}

static void check_rooms(struct hub_check *check, size_t count)
{
    struct store_sink sink = hub_check_sink(check);
    ck_assert_int_eq(sink.opened(sink.ctx, 1), 0);
    ck_assert_int_eq(sink.session(sink.ctx, &world.store.sessions[0]), 0);
    for (size_t at = 0; at < count; at++) {
        struct model_room *room = &world.store.rooms[at];
        ck_assert_int_eq(sink.room(sink.ctx, &room->row), 0);
        for (size_t event = 0; event < room->count; event++)
            ck_assert_int_eq(sink.event(sink.ctx, room->row.seed.id, &room->events[event]), 0);
    }
    ck_assert_int_eq(sink.guest(sink.ctx, world.store.rooms[0].row.seed.id, 5), 0);
}

/* The same rooms that a server would set apart, each told once, and what is whole counted. */
START_TEST(test_a_check_finds_the_rooms_that_do_not_replay)
{
    struct table sick, empty, well;
    char told[256] = "", expected[256];
    world_table(&world, &sick, 2, "");
    world_table(&world, &empty, 2, "");
    world_table(&world, &well, 2, "");
    world_begin(&world, &well);
    struct hub_check check = {.games = world.env.games, .damaged = note_damaged, .ctx = told};
    struct model_room *rooms = world.store.rooms;
    size_t events = rooms[0].count + rooms[2].count, count = rooms[1].count;
    rooms[0].events[1].seat = 77;
    rooms[1].count = 0;
    check_rooms(&check, 3);
    hub_check_end(&check);
    hub_check_end(&check);
    snprintf(expected, sizeof expected, "%s: event 2 cannot be replayed\n%s: it has no events\n",
             sick.room, empty.room);
    ck_assert_str_eq(told, expected);
    ck_assert_uint_eq(check.sessions, 1);
    ck_assert_uint_eq(check.rooms, 3);
    ck_assert_uint_eq(check.damaged_rooms, 2);
    ck_assert_uint_eq(check.events, events);
    rooms[1].count = count;
}
END_TEST

/* What the store itself finds, in a room whose row came or not, is told once too. */
START_TEST(test_a_check_tells_what_the_store_finds)
{
    struct table table;
    char told[256] = "", expected[256];
    world_table(&world, &table, 2, "");
    struct hub_check check = {
        .games = world.env.games, .over = true, .damaged = note_damaged, .ctx = told};
    check_rooms(&check, 1);
    struct store_sink sink = hub_check_sink(&check);
    ck_assert_int_eq(sink.damaged(sink.ctx, "aaaaaaaa", "its row was changed"), 0);
    ck_assert_int_eq(sink.damaged(sink.ctx, "aaaaaaaa", "again"), 0);
    ck_assert_int_eq(sink.room(sink.ctx, &world.store.rooms[0].row), 0);
    ck_assert_int_eq(sink.damaged(sink.ctx, table.room, "its log has a gap"), 0);
    hub_check_end(&check);
    snprintf(expected, sizeof expected,
             "%s: it is archived, and its match is not over\naaaaaaaa: its row was changed\n"
             "%s: its log has a gap\n",
             table.room, table.room);
    ck_assert_str_eq(told, expected);
    ck_assert_uint_eq(check.rooms, 3);
    ck_assert_uint_eq(check.damaged_rooms, 3);
}
END_TEST

Suite *failing_suite(void)
{
    Suite *suite = suite_create("failing");
    TCase *tests = tcase_create("failing");
    tcase_add_checked_fixture(tests, setup, teardown);
    TCase *near = near_case(suite, setup, teardown);
    TCase *model = model_case(suite, setup, teardown);
    tcase_add_loop_test(tests, test_failure_and_recovery, 0, 2);
    tcase_add_test(tests, test_repeat_while_another_change_fails);
    tcase_add_test(tests, test_repeat_of_what_is_on_its_way);
    tcase_add_test(tests, test_repeat_of_create_and_leave);
    tcase_add_test(tests, test_back_off);
    tcase_add_test(tests, test_a_probe_that_is_due_is_no_deadline);
    tcase_add_test(near, test_new_session_is_taken_back);
    tcase_add_test(tests, test_time_for_another_hello);
    tcase_add_loop_test(tests, test_it_stops, 0, 2);
    tcase_add_test(tests, test_drain);
    tcase_add_test(tests, test_restart_loses_only_what_was_not_told);
    tcase_add_test(tests, test_broken_engines_are_refused);
    tcase_add_test(model, test_a_room_of_a_later_version);
    tcase_add_loop_test(model, test_a_damaged_room_harms_nobody, 0, 3);
    tcase_add_loop_test(tests, test_a_room_that_cannot_be_read, 0, sizeof reads / sizeof *reads);
    tcase_add_test(model, test_a_damaged_archive_is_told);
    tcase_add_test(model, test_when_an_archive_was_read);
    tcase_add_test(tests, test_a_check_finds_the_rooms_that_do_not_replay);
    tcase_add_test(tests, test_a_check_tells_what_the_store_finds);
    suite_add_tcase(suite, tests);
    return suite;
}
