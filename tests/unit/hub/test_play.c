/* Whole matches through the hub, and every operation of one. */
#include "suites.h"
#include "world.h"
#include <protocol/state.h>
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

static json_t *state_of(int tab, const struct table *table)
{
    json_t *ok = world_ok(&world, tab, "watch", "{s:s}", "room", table->room);
    json_t *state = json_incref(json_object_get(ok, "state"));
    json_decref(ok);
    return state;
}

START_TEST(test_whole_match)
{
    struct table table;
    world_table(&world, &table, 2 + _i, "");
    world_begin(&world, &table);
    world_play_out(&world, &table);
    json_t *state = state_of(table.tabs[0], &table);
    ck_assert_str_eq(str(state, "phase"), "over");
    json_decref(state);
}
END_TEST

/* Whose turn it is: the tab, and a legal move of it. */
static int to_move(const struct table *table, char move[80])
{
    for (int i = 0; i < table->players; i++) {
        int64_t id = world_post(&world, table->tabs[i], "moves", "{s:s}", "room", table->room);
        world_settle(&world);
        json_t *reply = world_reply(&world, table->tabs[i], id);
        const json_t *moves = json_object_get(json_object_get(reply, "ok"), "moves");
        if (moves)
            (void)snprintf(move, 80, "%s", json_string_value(json_array_get(moves, 0)));
        json_decref(reply);
        if (moves)
            return i;
    }
    ck_abort_msg("nobody may move");
    return -1;
}

START_TEST(test_move_ops)
{
    struct table table;
    char move[80];
    world_table(&world, &table, 2, "");
    world_refused(&world, table.tabs[0], "not_begun", "move", "{s:s,s:s}", "room", table.room,
                  "move", "CJ@0,0:0");
    world_begin(&world, &table);
    int seat = to_move(&table, move), mine = table.tabs[seat], other = table.tabs[1 - seat];
    int watcher = world_guest(&world, "Zoe");
    world_do(&world, watcher, "watch", "{s:s}", "room", table.room);
    world_refused(&world, other, "not_your_turn", "move", "{s:s,s:s}", "room", table.room, "move",
                  move);
    world_refused(&world, watcher, "not_seated", "move", "{s:s,s:s}", "room", table.room, "move",
                  move);
    world_refused(&world, watcher, "not_seated", "moves", "{s:s}", "room", table.room);
    world_do(&world, mine, "check", "{s:s,s:s}", "room", table.room, "move", move);
    world_refused(&world, mine, "nothing_to_undo", "undo", "{s:s}", "room", table.room);
    json_t *before = state_of(watcher, &table);
    world_do(&world, mine, "move", "{s:s,s:s}", "room", table.room, "move", move);
    world_do(&world, mine, "undo", "{s:s}", "room", table.room);
    json_t *after = state_of(watcher, &table);
    ck_assert(json_equal(json_object_get(before, "table"), json_object_get(after, "table")));
    json_decref(before);
    json_decref(after);
    world_do(&world, mine, "move", "{s:s,s:s}", "room", table.room, "move", move);
    world_refused(&world, mine, "not_on_island", "move", "{s:s,s:s}", "room", table.room, "move",
                  "hut@77,77");
    world_refused(&world, mine, "bad_field", "check", "{s:s,s:s}", "room", table.room, "move", "?");
}
END_TEST

START_TEST(test_offers)
{
    struct table table;
    world_table(&world, &table, 2, "");
    world_begin(&world, &table);
    int one = table.tabs[0], two = table.tabs[1];
    world_refused(&world, one, "not_offered", "withdraw", "{s:s,s:s}", "room", table.room, "what",
                  "pause");
    world_do(&world, one, "offer", "{s:s,s:s}", "room", table.room, "what", "pause");
    world_refused(&world, one, "already_offered", "offer", "{s:s,s:s}", "room", table.room, "what",
                  "pause");
    world_do(&world, one, "withdraw", "{s:s,s:s}", "room", table.room, "what", "pause");
    world_do(&world, one, "offer", "{s:s,s:s}", "room", table.room, "what", "pause");
    world_do(&world, two, "offer", "{s:s,s:s}", "room", table.room, "what", "pause");
    json_t *state = state_of(one, &table);
    ck_assert_str_eq(str(state, "phase"), "paused");
    json_decref(state);
    world_refused(&world, one, "is_paused", "offer", "{s:s,s:s}", "room", table.room, "what",
                  "pause");
    world_do(&world, one, "offer", "{s:s,s:s}", "room", table.room, "what", "call_off");
    world_do(&world, two, "offer", "{s:s,s:s}", "room", table.room, "what", "call_off");
    state = state_of(one, &table);
    ck_assert_str_eq(str(state, "phase"), "over");
    ck_assert_str_eq(str(json_object_get(state, "result"), "why"), "called-off");
    json_decref(state);
    world_refused(&world, one, "is_over", "resign", "{s:s}", "room", table.room);
}
END_TEST

START_TEST(test_repeats_are_answered_as_the_first_time)
{
    struct table table;
    char move[80];
    world_table(&world, &table, 2, "");
    world_begin(&world, &table);
    int tab = table.tabs[to_move(&table, move)];
    json_t *replies[4];
    for (int i = 0; i < 4; i++) {
        if (i == 2)
            tab = world_back(&world, tab); /* from another connection */
        if (i == 3) {
            world_restart(&world); /* and another process */
            tab = world_back(&world, tab);
        }
        world_post_id(&world, tab, 5, "move", "{s:s,s:s}", "room", table.room, "move", move);
        world_settle(&world);
        replies[i] = world_reply(&world, tab, 5);
        ck_assert_ptr_nonnull(json_object_get(replies[i], "ok"));
        ck_assert(json_equal(replies[0], replies[i]));
    }
    for (int i = 0; i < 4; i++)
        json_decref(replies[i]);
    world_post_id(&world, tab, 5, "move", "{s:s,s:s}", "room", table.room, "move", "hut@9,9");
    world_settle(&world);
    json_t *reply = world_reply(&world, tab, 5);
    ck_assert_str_eq(str(json_object_get(reply, "error"), "code"), "id_reused");
    json_decref(reply);
}
END_TEST

START_TEST(test_rematch)
{
    struct table table;
    bool hidden = _i == 1;
    world_table(&world, &table, 3, "{s:s}", "access", hidden ? "code" : "open");
    world_refused(&world, table.tabs[0], "not_over", "rematch", "{s:s}", "room", table.room);
    world_begin(&world, &table);
    for (int i = 0; i < 2; i++)
        world_do(&world, table.tabs[i], "resign", "{s:s}", "room", table.room);
    int stranger = world_guest(&world, "Zoe");
    world_refused(&world, stranger, "not_seated", "rematch", "{s:s}", "room", table.room);
    world_forget(&world, table.tabs[2]);
    json_t *ok = world_ok(&world, table.tabs[1], "rematch", "{s:s}", "room", table.room);
    ck_assert_int_eq(strlen(str(ok, "code")) == 16, hidden);
    json_t *push = world_push(&world, table.tabs[2], "event");
    ck_assert_str_eq(str(json_object_get(push, "event"), "kind"), "rematched");
    ck_assert_str_eq(str(json_object_get(push, "event"), "to"), str(ok, "room"));
    json_decref(push);
    /* A second rematch request returns the same room, also after a restart. */
    json_t *second = world_ok(&world, table.tabs[0], "rematch", "{s:s}", "room", table.room);
    ck_assert(json_equal(ok, second));
    struct table next = table;
    memcpy(next.room, str(ok, "room"), 9);
    json_t *state = state_of(table.tabs[0], &next);
    ck_assert_str_eq(str(state, "phase"), "lobby");
    const json_t *seats = json_object_get(state, "seats");
    ck_assert_uint_eq(json_object_size(seats), 3);
    for (int i = 0; i < 3; i++) { /* the seats are rotated */
        static const char *const before[] = {"Ana", "Bo", "Chi"};
        char seat[2] = {(char)('0' + i), 0};
        ck_assert_str_ne(str(json_object_get(seats, seat), "name"), before[i]);
    }
    json_decref(state);
    world_restart(&world);
    int tab = world_back(&world, table.tabs[0]);
    json_t *third = world_ok(&world, tab, "rematch", "{s:s}", "room", table.room);
    ck_assert(json_equal(ok, third));
    json_decref(ok);
    json_decref(second);
    json_decref(third);
}
END_TEST

/* A player whose session has expired, or is being dropped by the store, gets no seat. */
START_TEST(test_rematch_without_who_has_expired)
{
    const int64_t day_ms = INT64_C(24) * 3600 * 1000;
    struct table table;
    world.config.session_idle_days = 1;
    world_start(&world);
    world_table(&world, &table, 2, "");
    world_begin(&world, &table);
    world_do(&world, table.tabs[1], "resign", "{s:s}", "room", table.room);
    world_cut(&world, table.tabs[1]);
    world_pass(&world, day_ms - 1000);
    world.held = _i == 0;
    world_pass(&world, 2000);
    ck_assert_int_eq(world.out != NULL, world.held);
    int64_t id = world_post(&world, table.tabs[0], "rematch", "{s:s}", "room", table.room);
    world.held = false;
    if (world.out)
        world_commit(&world, STORE_OK);
    world_settle(&world);
    json_t *reply = world_reply(&world, table.tabs[0], id);
    struct table next = table;
    memcpy(next.room, str(json_object_get(reply, "ok"), "room"), 9);
    json_decref(reply);
    json_t *state = state_of(table.tabs[0], &next);
    ck_assert_uint_eq(json_object_size(json_object_get(state, "seats")), 1);
    json_decref(state);
}
END_TEST

/* ---- computer players */

START_TEST(test_computer_plays)
{
    struct table table;
    world_table(&world, &table, 2, "");
    world_do(&world, table.tabs[1], "leave", "{s:s}", "room", table.room);
    world_do(&world, table.tabs[0], "bot", "{s:s}", "room", table.room);
    world_do(&world, table.tabs[0], "ready", "{s:s,s:b}", "room", table.room, "ready", 1);
    world_do(&world, table.tabs[0], "start", "{s:s}", "room", table.room);
    table.players = 1;
    bool restarted = false;
    for (int i = 0; i < 400; i++) {
        json_t *state = state_of(table.tabs[0], &table);
        bool over = strcmp(str(state, "phase"), "over") == 0;
        bool mine = state_acts(state, 0);
        json_decref(state);
        world_forget(&world, table.tabs[0]);
        if (over)
            return;
        if (mine)
            world_move(&world, &table);
        else
            world_pass(&world, world.config.computer_ms);
        if (i == 20 && !restarted) { /* it continues by itself afterwards */
            restarted = true;
            world_restart(&world);
            table.tabs[0] = world_back(&world, table.tabs[0]);
        }
    }
    ck_abort_msg("the match does not end");
}
END_TEST

START_TEST(test_computer_takes_its_time)
{
    struct table table;
    int moves = 0;
    world.config.computer_ms = 700;
    world_start(&world);
    world_table(&world, &table, 2, "");
    world_do(&world, table.tabs[1], "leave", "{s:s}", "room", table.room);
    world_do(&world, table.tabs[0], "bot", "{s:s}", "room", table.room);
    world_do(&world, table.tabs[0], "ready", "{s:s,s:b}", "room", table.room, "ready", 1);
    world_do(&world, table.tabs[0], "start", "{s:s}", "room", table.room);
    world_forget(&world, table.tabs[0]);
    table.players = 1;
    int64_t last_ms = world.now_ms;
    for (int i = 0; i < 20 && moves < 3; i++) {
        json_t *push;
        world_pass(&world, 700);
        while ((push = world_push(&world, table.tabs[0], "event")) != NULL) {
            if (num(json_object_get(push, "event"), "seat") == 1) {
                ck_assert_int_eq(num(push, "at"), last_ms + 700);
                moves++;
            }
            last_ms = num(push, "at");
            json_decref(push);
        }
        world_move(&world, &table);
    }
    ck_assert_int_ge(moves, 3);
}
END_TEST

/* ---- clocks */

START_TEST(test_flag_falls)
{
    struct table table;
    world_table(&world, &table, 2, "{s:{s:s,s:i}}", "clock", "kind", "move", "move_s", 60);
    world_begin(&world, &table);
    world_forget(&world, table.tabs[0]);
    world_pass(&world, 59000);
    ck_assert_ptr_null(world_push(&world, table.tabs[0], "event"));
    world_pass(&world, 2000);
    json_t *push = world_push(&world, table.tabs[0], "event");
    const json_t *event = json_object_get(push, "event");
    ck_assert_str_eq(str(event, "kind"), "timed_out");
    ck_assert_str_eq(str(event, "over"), "last-standing");
    json_decref(push);
}
END_TEST

START_TEST(test_abandoned_match_ends)
{
    struct table table;
    world_table(&world, &table, 2, "");
    world_begin(&world, &table);
    int watcher = world_guest(&world, "Zoe");
    world_do(&world, watcher, "watch", "{s:s}", "room", table.room);
    world_cut(&world, table.tabs[0]);
    world_pass(&world, world.config.abandoned_ms * 2); /* one of them is connected */
    world_forget(&world, watcher);
    world_cut(&world, table.tabs[1]);
    json_t *push = world_push(&world, watcher, "presence");
    ck_assert(json_is_false(json_object_get(json_object_get(push, "online"), "1")));
    json_decref(push);
    world_pass(&world, world.config.abandoned_ms - 1);
    ck_assert_ptr_null(world_push(&world, watcher, "event"));
    world_pass(&world, 2);
    push = world_push(&world, watcher, "event");
    ck_assert_str_eq(str(json_object_get(push, "event"), "kind"), "called_off");
    ck_assert_str_eq(str(json_object_get(push, "event"), "over"), "abandoned");
    json_decref(push);
}
END_TEST

/* A player whose connection ends before the seat is stored is not taken for present. */
START_TEST(test_absent_since_the_seat_was_taken)
{
    struct table table;
    world_table(&world, &table, 2, "");
    world_do(&world, table.tabs[1], "leave", "{s:s}", "room", table.room);
    table.tabs[1] = world_guest(&world, "Chi");
    world.held = true;
    (void)world_post(&world, table.tabs[1], "join", "{s:s}", "room", table.room);
    world_settle(&world);
    world_cut(&world, table.tabs[1]);
    world.held = false;
    world_commit(&world, STORE_OK);
    world_settle(&world);
    table.tabs[1] = world_back(&world, table.tabs[1]);
    world_begin(&world, &table); /* connected, but not to this room */
    int watcher = world_guest(&world, "Zoe");
    world_do(&world, watcher, "watch", "{s:s}", "room", table.room);
    world_cut(&world, table.tabs[0]);
    world_forget(&world, watcher);
    world_pass(&world, world.config.abandoned_ms + 1);
    json_t *push = world_push(&world, watcher, "event");
    ck_assert_str_eq(str(json_object_get(push, "event"), "over"), "abandoned");
    json_decref(push);
}
END_TEST

/* ---- talk and presence */

START_TEST(test_say)
{
    struct table table;
    world_table(&world, &table, 2, "");
    int watcher = world_guest(&world, "Zoe");
    world_refused(&world, watcher, "not_subscribed", "say", "{s:s,s:s}", "room", table.room, "text",
                  "hi");
    world_do(&world, watcher, "watch", "{s:s}", "room", table.room);
    world_do(&world, watcher, "say", "{s:s,s:s}", "room", table.room, "text", " hi  there ");
    world_do(&world, table.tabs[1], "say", "{s:s,s:s}", "room", table.room, "text", "ho");
    json_t *push = world_push(&world, table.tabs[0], "said");
    ck_assert_str_eq(str(push, "text"), "hi  there");
    ck_assert_str_eq(str(push, "name"), "Zoe");
    ck_assert_ptr_null(json_object_get(push, "seat"));
    json_decref(push);
    push = world_push(&world, watcher, "said");
    json_decref(push);
    push = world_push(&world, watcher, "said");
    ck_assert_int_eq(num(push, "seat"), 1);
    json_decref(push);
}
END_TEST

START_TEST(test_presence)
{
    struct table table;
    world_table(&world, &table, 2, "");
    int one = table.tabs[0], two = table.tabs[1];
    world_pass(&world, 2000);
    world_forget(&world, one);
    /* Only closing a player's last tab changes the presence. */
    int second = world_back(&world, two);
    world_do(&world, second, "watch", "{s:s}", "room", table.room);
    world_cut(&world, two);
    world_pass(&world, 2000);
    ck_assert_uint_eq(world_forget(&world, one), 0);
    world_cut(&world, second);
    json_t *push = world_push(&world, one, "presence");
    ck_assert(json_is_false(json_object_get(json_object_get(push, "online"), "1")));
    ck_assert_uint_eq(json_object_size(json_object_get(push, "online")), 1);
    json_decref(push);
    json_t *ok = world_ok(&world, one, "watch", "{s:s}", "room", table.room);
    ck_assert(json_is_true(json_object_get(json_object_get(ok, "online"), "0")));
    ck_assert(json_is_false(json_object_get(json_object_get(ok, "online"), "1")));
    json_decref(ok);
    int back = world_back(&world, second);
    world_do(&world, back, "watch", "{s:s}", "room", table.room);
    push = world_push(&world, one, "presence");
    ck_assert(json_is_true(json_object_get(json_object_get(push, "online"), "1")));
    json_decref(push);
}
END_TEST

START_TEST(test_a_crowd_is_told_in_one)
{
    struct table table;
    world_table(&world, &table, 2, "");
    world_pass(&world, 2000);
    world_forget(&world, table.tabs[0]);
    for (int i = 0; i < 10; i++) {
        int watcher = world_guest(&world, "Zoe");
        world_do(&world, watcher, "watch", "{s:s}", "room", table.room);
    }
    world_pass(&world, 2000);
    json_t *first = world_push(&world, table.tabs[0], "presence");
    json_t *second = world_push(&world, table.tabs[0], "presence");
    ck_assert_int_eq(num(first, "watchers"), 1);
    ck_assert_int_eq(num(second, "watchers"), 10);
    json_decref(first);
    json_decref(second);
    ck_assert_ptr_null(world_push(&world, table.tabs[0], "presence"));
}
END_TEST

START_TEST(test_two_tabs_of_one_player)
{
    struct table table;
    char move[80];
    world_table(&world, &table, 2, "");
    world_begin(&world, &table);
    int seat = to_move(&table, move), first = table.tabs[seat];
    int second = world_back(&world, first);
    world_do(&world, second, "watch", "{s:s}", "room", table.room);
    world_forget(&world, first);
    world_forget(&world, second);
    world_do(&world, second, "move", "{s:s,s:s}", "room", table.room, "move", move);
    json_t *one = world_push(&world, first, "event"), *two = world_push(&world, second, "event");
    ck_assert_ptr_nonnull(one);
    ck_assert(json_equal(one, two));
    json_decref(one);
    json_decref(two);
    ck_assert_uint_eq(world_forget(&world, first), 0);
}
END_TEST

Suite *play_suite(void)
{
    Suite *suite = suite_create("play");
    TCase *tests = tcase_create("play");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, test_whole_match, 0, 4);
    tcase_add_test(tests, test_move_ops);
    tcase_add_test(tests, test_offers);
    tcase_add_test(tests, test_repeats_are_answered_as_the_first_time);
    tcase_add_loop_test(tests, test_rematch, 0, 2);
    tcase_add_loop_test(tests, test_rematch_without_who_has_expired, 0, 2);
    tcase_add_test(tests, test_computer_plays);
    tcase_add_test(tests, test_computer_takes_its_time);
    tcase_add_test(tests, test_flag_falls);
    tcase_add_test(tests, test_abandoned_match_ends);
    tcase_add_test(tests, test_absent_since_the_seat_was_taken);
    tcase_add_test(tests, test_say);
    tcase_add_test(tests, test_presence);
    tcase_add_test(tests, test_a_crowd_is_told_in_one);
    tcase_add_test(tests, test_two_tabs_of_one_player);
    suite_add_tcase(suite, tests);
    return suite;
}
