/* Time: turn clocks, flags, computers for the absent, the store's delay, restarts, empty tables. */
#include "suites.h"
#include "table.h"
#include <stdio.h>
#include <string.h>

static struct table table;

static void open_with(const char *clock)
{
    char create[256];
    (void)snprintf(create, sizeof create, "\"options\":{\"players\":3,\"first\":0},\"clock\":%s",
                   clock);
    table_open(&table, create);
    ck_assert_ptr_nonnull(table.room);
    table_start(&table);
}

static void end(void)
{
    table_check_replay(&table);
    table_close(&table);
}

static int64_t left(unsigned seat)
{
    char path[64];
    (void)snprintf(path, sizeof path, "clock.seats.%u.left_ms", seat);
    return table_look_int(&table, path);
}

/* The player to move takes `ms` for the next move. */
static void move_after(int64_t ms)
{
    table_wait(&table, ms);
    expect_ok(table_move(&table, table_mover(&table), table_any_move(&table, 7)));
}

static void turn_after(int64_t place_ms, int64_t build_ms)
{
    move_after(place_ms);
    move_after(build_ms);
}

static const char *last_kind(void)
{
    return json_string_value(json_object_get(table.event, "kind"));
}

START_TEST(test_no_clock)
{
    open_with("{\"kind\":\"none\"}");
    ck_assert_ptr_null(table_look(&table, "clock.seats"));
    ck_assert_ptr_null(table_look(&table, "clock.on_timeout"));
    room_present(table.room, 0, true, table.now_ms);
    ck_assert_int_eq(room_deadline_ms(table.room, &table.limits), INT64_MAX);
    end();
}
END_TEST

START_TEST(test_fischer)
{
    open_with("{\"kind\":\"fischer\",\"bank_s\":100,\"increment_s\":10}");
    ck_assert_int_eq(left(0), 100000);
    ck_assert_int_eq(left(1), 100000);
    move_after(3000);
    ck_assert_int_eq(left(0), 97000); /* the turn goes on */
    move_after(4000);
    ck_assert_int_eq(left(0), 103000);
    ck_assert_int_eq(left(1), 100000);
    turn_after(50000, 0);
    ck_assert_int_eq(left(1), 60000);
    ck_assert_int_eq(left(0), 103000);
    end();
}
END_TEST

START_TEST(test_per_move)
{
    open_with("{\"kind\":\"move\",\"move_s\":60}");
    turn_after(20000, 30000);
    ck_assert_int_eq(left(0), 60000);
    move_after(59000);
    ck_assert_int_eq(left(1), 1000);
    move_after(1000);
    ck_assert_int_eq(left(1), 60000);
    end();
}
END_TEST

START_TEST(test_days)
{
    open_with("{\"kind\":\"days\",\"days\":2}");
    ck_assert_int_eq(left(0), INT64_C(2) * 24 * 3600000);
    move_after(INT64_C(30) * 3600000);
    ck_assert_int_eq(left(0), INT64_C(18) * 3600000);
    move_after(0);
    ck_assert_int_eq(left(0), INT64_C(2) * 24 * 3600000);
    end();
}
END_TEST

START_TEST(test_byoyomi)
{
    open_with("{\"kind\":\"byoyomi\",\"bank_s\":10,\"periods\":3,\"period_s\":30}");
    turn_after(4000, 5000);
    ck_assert_int_eq(left(0), 1000); /* the bank is not given back */
    ck_assert_int_eq(table_look_int(&table, "clock.seats.0.periods"), 3);
    turn_after(0, 0);
    turn_after(0, 0);
    move_after(20000);
    ck_assert_int_eq(left(0), 11000); /* 1 s of bank, 19 s of the first period */
    ck_assert_int_eq(table_look_int(&table, "clock.seats.0.periods"), 2);
    move_after(12000);
    ck_assert_int_eq(left(0), 30000); /* 1 s into the second period, which is given back */
    ck_assert_int_eq(table_look_int(&table, "clock.seats.0.periods"), 1);
    turn_after(0, 0);
    turn_after(0, 0);
    table_wait(&table, 60000 + ROOM_FLAG_GRACE_MS - 1);
    ck_assert_ptr_null(table_look(&table, "table.players.0.out"));
    table_wait(&table, 1);
    ck_assert_int_eq(table_look_int(&table, "table.players.0.out"), 1);
    ck_assert_int_eq(left(0), 0);
    end();
}
END_TEST

START_TEST(test_flag)
{
    open_with("{\"kind\":\"fischer\",\"bank_s\":30,\"increment_s\":1}");
    ck_assert_int_eq(room_deadline_ms(table.room, &table.limits),
                     table.now_ms + 30000 + ROOM_FLAG_GRACE_MS);
    table_wait(&table, 30000 + ROOM_FLAG_GRACE_MS - 1);
    expect_ok(table_move(&table, ANA, table_any_move(&table, 1))); /* within the grace */
    ck_assert_int_eq(left(0), 0);
    table.now_ms += ROOM_FLAG_GRACE_MS + 1; /* nobody has looked yet */
    expect_code(table_move(&table, ANA, table_any_move(&table, 1)), "time_is_up");
    ck_assert_uint_eq(table_due(&table), 1);
    ck_assert_str_eq(last_kind(), "timed_out");
    ck_assert_int_eq(json_integer_value(json_object_get(table.event, "seat")), 0);
    ck_assert_int_eq(left(0), 0);
    expect_code(table_move(&table, ANA, "draw"), "not_in_play");
    ck_assert(table_acts(&table, 1));
    table_wait(&table, 30000 + ROOM_FLAG_GRACE_MS);
    ck_assert_str_eq(table_look_string(&table, "result.why"), "last-standing");
    ck_assert_str_eq(json_string_value(json_object_get(table.event, "over")), "last-standing");
    ck_assert_int_eq(room_deadline_ms(table.room, &table.limits), INT64_MAX);
    end();
}
END_TEST

START_TEST(test_grace_is_given_once)
{
    open_with("{\"kind\":\"move\",\"move_s\":5}");
    table_wait(&table, 5000 + ROOM_FLAG_GRACE_MS - 50);
    expect_ok(table_send(&table, ANA, "offer", "\"what\":\"pause\"")); /* wins no time */
    ck_assert_int_eq(room_deadline_ms(table.room, &table.limits), table.now_ms + 50);
    table_wait(&table, 50);
    ck_assert_int_eq(table_look_int(&table, "table.players.0.out"), 1);
    end();
}
END_TEST

START_TEST(test_computer_takes_over)
{
    open_with("{\"kind\":\"move\",\"move_s\":20,\"on_timeout\":\"computer\"}");
    room_present(table.room, 1, true, table.now_ms);
    move_after(1000);
    table_wait(&table, 19000 + ROOM_FLAG_GRACE_MS);
    ck_assert(json_is_true(table_look(&table, "seats.0.replaced")));
    ck_assert_str_eq(last_kind(), "move"); /* it has finished the turn at once */
    ck_assert(table_acts(&table, 1));
    ck_assert_int_eq(left(0), 20000);
    expect_code(table_move(&table, ANA, "draw"), "computer_plays");
    expect_code(table_send(&table, ANA, "resign", ""), "computer_plays");
    turn_after(0, 0);
    turn_after(0, 0); /* Chi; then the computer for Ana, at once */
    table_due(&table);
    ck_assert(table_acts(&table, 1));
    expect_ok(table_send(&table, ANA, "join", ""));
    ck_assert_str_eq(last_kind(), "returned");
    ck_assert_ptr_null(table_look(&table, "seats.0.replaced"));
    turn_after(0, 0);
    turn_after(0, 0);
    turn_after(5000, 5000); /* Ana herself */
    end();
}
END_TEST

START_TEST(test_owner_comes_back)
{
    open_with("{\"kind\":\"fischer\",\"bank_s\":5,\"increment_s\":2,\"on_timeout\":\"computer\"}");
    room_present(table.room, 0, false, table.now_ms);
    table_wait(&table, 5000 + ROOM_FLAG_GRACE_MS);
    ck_assert(json_is_true(table_look(&table, "seats.0.replaced")));
    ck_assert_int_eq(left(0), 2000); /* what the computer's turn gave */
    room_present(table.room, 0, true, table.now_ms);
    ck_assert_int_le(room_deadline_ms(table.room, &table.limits), table.now_ms);
    ck_assert_uint_eq(table_due(&table), 1);
    ck_assert_str_eq(last_kind(), "returned");
    ck_assert_int_eq(left(0), CLOCK_RETURN_MS);
    end();
}
END_TEST

START_TEST(test_coming_back_takes_no_time_away)
{
    open_with("{\"kind\":\"fischer\",\"bank_s\":5,\"increment_s\":40,\"on_timeout\":\"computer\"}");
    room_present(table.room, 0, false, table.now_ms);
    table_wait(&table, 5000 + ROOM_FLAG_GRACE_MS);
    room_present(table.room, 0, true, table.now_ms);
    ck_assert_uint_eq(table_due(&table), 1);
    ck_assert_str_eq(last_kind(), "returned");
    ck_assert_int_eq(left(0), 40000);
    end();
}
END_TEST

/* The server may tell the room of other things before it asks for the computer's move. */
START_TEST(test_returning_does_not_hold_up_the_turn)
{
    struct room_event event;
    char scratch[ROOM_EVENT_TEXT_MAX];
    open_with("{\"kind\":\"move\",\"move_s\":5,\"on_timeout\":\"computer\"}");
    table.now_ms += 5000 + ROOM_FLAG_GRACE_MS;
    ck_assert(room_decide_due(table.room, &table.limits, table.now_ms, &event, scratch));
    table_apply(&table, &event);
    ck_assert_str_eq(last_kind(), "replaced");
    expect_ok(table_send(&table, ANA, "join", ""));
    ck_assert_str_eq(last_kind(), "returned");
    expect_code(table_send(&table, ANA, "join", ""), "same");
    ck_assert(json_is_true(table_look(&table, "seats.0.replaced")));
    expect_code(table_move(&table, ANA, "draw"), "computer_plays");
    table_due(&table); /* the computer's whole turn */
    ck_assert_str_eq(last_kind(), "move");
    ck_assert_ptr_null(table_look(&table, "seats.0.replaced"));
    ck_assert(table_acts(&table, 1));
    ck_assert_int_eq(left(0), CLOCK_RETURN_MS);
    end();
}
END_TEST

START_TEST(test_present_owner_stays_replaced)
{
    open_with("{\"kind\":\"move\",\"move_s\":5,\"on_timeout\":\"computer\"}");
    room_present(table.room, 0, true, table.now_ms); /* there, but asleep */
    table_wait(&table, 5000 + ROOM_FLAG_GRACE_MS);
    ck_assert(json_is_true(table_look(&table, "seats.0.replaced")));
    ck_assert_uint_eq(table_due(&table), 0);
    end();
}
END_TEST

START_TEST(test_everybody_replaced)
{
    open_with("{\"kind\":\"move\",\"move_s\":5,\"on_timeout\":\"computer\"}");
    table_wait(&table, 60000);
    ck_assert_str_eq(table_look_string(&table, "phase"), "over"); /* the computers finished it */
    end();
}
END_TEST

START_TEST(test_store_delay_is_not_charged)
{
    open_with("{\"kind\":\"fischer\",\"bank_s\":100,\"increment_s\":0}");
    table.kept_at_once = false;
    move_after(1000);
    ck_assert_int_eq(left(0), 99000);
    table_wait(&table, 700); /* the store takes its time */
    ck_assert_int_eq(room_flag_ms(table.room, 0), INT64_MAX);
    room_set_durable(table.room, room_seq(table.room), table.now_ms);
    ck_assert_int_eq(room_flag_ms(table.room, 0), table.now_ms + 99000 + ROOM_FLAG_GRACE_MS);
    move_after(2000);
    ck_assert_int_eq(left(0), 97000);
    move_after(5000); /* Bo was never told of the turn before: all of it is the store's */
    ck_assert_int_eq(left(1), 100000);
    end();
}
END_TEST

START_TEST(test_kept_of_an_older_event)
{
    open_with("{\"kind\":\"fischer\",\"bank_s\":100,\"increment_s\":0}");
    table.kept_at_once = false;
    move_after(0);
    room_set_durable(table.room, room_seq(table.room) - 1, table.now_ms); /* not the last one */
    ck_assert_int_eq(room_flag_ms(table.room, 0), INT64_MAX);
    room_set_durable(table.room, room_seq(table.room), table.now_ms);
    room_set_durable(table.room, room_seq(table.room), table.now_ms + 5000); /* told twice */
    move_after(6000);
    ck_assert_int_eq(left(0), 94000);
    end();
}
END_TEST

static void hold(int64_t since_ms)
{
    struct room_event event;
    ck_assert(room_decide_held(table.room, since_ms, table.now_ms, &event));
    table_apply(&table, &event);
}

START_TEST(test_restart)
{
    open_with("{\"kind\":\"fischer\",\"bank_s\":100,\"increment_s\":0}");
    turn_after(0, 0);
    int64_t died_ms = table.now_ms + 4000; /* the last that is known of the server */
    struct room *again = table_regrow(&table);
    room_destroy(table.room);
    table.room = again;
    table.now_ms += 3600000;
    room_restored(table.room, table.now_ms);
    hold(died_ms);
    ck_assert_str_eq(last_kind(), "resumed");
    ck_assert_int_eq(left(1), 96000);
    ck_assert_int_eq(left(0), 100000);
    move_after(1000);
    ck_assert_int_eq(left(1), 95000);
    end();
}
END_TEST

START_TEST(test_restart_with_wrong_times)
{
    open_with("{\"kind\":\"fischer\",\"bank_s\":100,\"increment_s\":0}");
    table.now_ms += 5000;
    hold(0); /* nothing is known: all of it is held */
    ck_assert_int_eq(left(0), 100000);
    table.now_ms += 5000;
    hold(table.now_ms + 1000); /* the clock was put back */
    ck_assert_int_eq(left(0), 95000);
    end();
}
END_TEST

START_TEST(test_no_clock_to_hold)
{
    struct room_event event;
    open_with("{\"kind\":\"none\"}");
    ck_assert(!room_decide_held(table.room, 0, table.now_ms, &event));
    end();
    open_with("{\"kind\":\"move\",\"move_s\":5}");
    expect_ok(table_send(&table, ANA, "offer", "\"what\":\"pause\""));
    expect_ok(table_send(&table, BO, "offer", "\"what\":\"pause\""));
    expect_ok(table_send(&table, CHI, "offer", "\"what\":\"pause\""));
    ck_assert(!room_decide_held(table.room, 0, table.now_ms, &event));
    end();
}
END_TEST

START_TEST(test_pause_stops_clocks)
{
    open_with("{\"kind\":\"fischer\",\"bank_s\":100,\"increment_s\":0}");
    table_wait(&table, 1000);
    expect_ok(table_send(&table, ANA, "offer", "\"what\":\"pause\""));
    ck_assert_int_eq(left(0), 99000);
    expect_ok(table_send(&table, BO, "offer", "\"what\":\"pause\""));
    table_wait(&table, 1000);
    expect_ok(table_send(&table, CHI, "offer", "\"what\":\"pause\""));
    ck_assert_str_eq(table_look_string(&table, "phase"), "paused");
    ck_assert_int_eq(left(0), 98000);
    ck_assert_ptr_null(table_look(&table, "acting"));
    expect_code(table_move(&table, ANA, "draw"), "is_paused");
    room_present(table.room, 0, true, table.now_ms);
    table_wait(&table, INT64_C(7) * 24 * 3600000);
    expect_ok(table_send(&table, ANA, "offer", "\"what\":\"resume\""));
    expect_ok(table_send(&table, CHI, "offer", "\"what\":\"resume\""));
    expect_ok(table_send(&table, BO, "offer", "\"what\":\"resume\""));
    ck_assert_str_eq(table_look_string(&table, "phase"), "playing");
    ck_assert_int_eq(left(0), 98000);
    move_after(1000);
    ck_assert_int_eq(left(0), 97000);
    end();
}
END_TEST

START_TEST(test_undo_gives_no_time_back)
{
    open_with("{\"kind\":\"move\",\"move_s\":60}");
    move_after(10000);
    table_wait(&table, 5000);
    expect_ok(table_send(&table, ANA, "undo", ""));
    ck_assert_int_eq(left(0), 45000);
    end();
}
END_TEST

/* ---- nobody there */

START_TEST(test_abandoned)
{
    open_with("{\"kind\":\"none\"}");
    for (uint8_t i = 0; i < 3; i++)
        room_present(table.room, i, false, table.now_ms);
    table_wait(&table, table.limits.abandoned_ms - 1);
    ck_assert_str_eq(table_look_string(&table, "phase"), "playing");
    room_present(table.room, 2, true, table.now_ms);
    table_wait(&table, 2 * table.limits.abandoned_ms); /* one is there, that is enough */
    ck_assert_str_eq(table_look_string(&table, "phase"), "playing");
    room_present(table.room, 2, false, table.now_ms);
    table_wait(&table, table.limits.abandoned_ms);
    ck_assert_str_eq(table_look_string(&table, "phase"), "over");
    ck_assert_str_eq(table_look_string(&table, "result.why"), "abandoned");
    ck_assert_ptr_null(table_look(&table, "result.winners"));
    ck_assert_str_eq(last_kind(), "called_off");
    ck_assert_ptr_nonnull(table_look(&table, "fair.secret"));
    end();
}
END_TEST

START_TEST(test_restart_waits_anew)
{
    open_with("{\"kind\":\"none\"}");
    struct room *again = table_regrow(&table);
    room_destroy(table.room);
    table.room = again;
    table.now_ms += INT64_C(1000) * 3600000;
    room_restored(table.room, table.now_ms);
    ck_assert_int_eq(room_deadline_ms(table.room, &table.limits),
                     table.now_ms + table.limits.abandoned_ms);
    end();
}
END_TEST

START_TEST(test_days_need_nobody)
{
    open_with("{\"kind\":\"days\",\"days\":5}");
    for (uint8_t i = 0; i < 3; i++)
        room_present(table.room, i, false, table.now_ms);
    table_wait(&table, INT64_C(4) * 24 * 3600000);
    ck_assert_str_eq(table_look_string(&table, "phase"), "playing");
    expect_ok(table_send(&table, ANA, "offer", "\"what\":\"pause\""));
    expect_ok(table_send(&table, BO, "offer", "\"what\":\"pause\""));
    expect_ok(table_send(&table, CHI, "offer", "\"what\":\"pause\""));
    table_wait(&table, table.limits.paused_ms - 1);
    ck_assert_str_eq(table_look_string(&table, "phase"), "paused");
    table_wait(&table, 1);
    ck_assert_str_eq(table_look_string(&table, "result.why"), "abandoned");
    end();
}
END_TEST

START_TEST(test_only_computers_left)
{
    table_open(&table, "\"options\":{\"players\":2}");
    expect_ok(table_send(&table, ANA, "bot", ""));
    expect_ok(table_send(&table, ANA, "bot", ""));
    expect_ok(table_send(&table, ANA, "start", ""));
    table.limits.computer_ms = 300;
    int64_t begun_ms = table.now_ms;
    table_wait(&table, 3600000);
    ck_assert_str_eq(table_look_string(&table, "phase"), "over");
    ck_assert_int_ge(table.room->match->at_ms - begun_ms,
                     300 * (int64_t)(room_seq(table.room) - 4));
    end();
}
END_TEST

START_TEST(test_pause_ends_with_the_last_person)
{
    table_open(&table, "\"options\":{\"players\":3}");
    expect_ok(table_send(&table, ANA, "join", ""));
    expect_ok(table_send(&table, ANA, "bot", ""));
    expect_ok(table_send(&table, ANA, "bot", ""));
    expect_ok(table_send(&table, ANA, "ready", "\"ready\":true"));
    expect_ok(table_send(&table, ANA, "start", ""));
    expect_ok(table_send(&table, ANA, "offer", "\"what\":\"pause\"")); /* nobody else to ask */
    ck_assert_str_eq(table_look_string(&table, "phase"), "paused");
    expect_ok(table_send(&table, ANA, "resign", ""));
    table_wait(&table, 1000);
    ck_assert_str_eq(table_look_string(&table, "phase"), "over");
    end();
}
END_TEST

static void everybody_offers(const char *what)
{
    char members[40];
    (void)snprintf(members, sizeof members, "\"what\":\"%s\"", what);
    for (uint64_t who = ANA; who <= CHI; who++)
        expect_ok(table_send(&table, who, "offer", members));
}

START_TEST(test_pause_does_not_wait_for_who_stays_away)
{
    open_with("{\"kind\":\"move\",\"move_s\":60}");
    everybody_offers("pause");
    room_present(table.room, 1, false, table.now_ms);
    table_wait(&table, table.limits.abandoned_ms);
    expect_ok(table_send(&table, ANA, "offer", "\"what\":\"resume\""));
    ck_assert_uint_eq(table_due(&table), 0); /* CHI is there, and has not agreed */
    ck_assert_str_eq(table_look_string(&table, "phase"), "paused");
    expect_ok(table_send(&table, CHI, "offer", "\"what\":\"resume\""));
    ck_assert_uint_eq(table_due(&table), 1);
    ck_assert_str_eq(last_kind(), "resumed");
    ck_assert_str_eq(table_look_string(&table, "phase"), "playing");
    end();
}
END_TEST

START_TEST(test_pause_waits_a_while)
{
    open_with("{\"kind\":\"move\",\"move_s\":60}");
    everybody_offers("pause");
    expect_ok(table_send(&table, ANA, "offer", "\"what\":\"resume\""));
    expect_ok(table_send(&table, CHI, "offer", "\"what\":\"resume\""));
    room_present(table.room, 1, false, table.now_ms);
    table_wait(&table, table.limits.abandoned_ms - 1);
    room_present(table.room, 1, true, table.now_ms);
    room_present(table.room, 1, false, table.now_ms);
    table_wait(&table, table.limits.abandoned_ms - 1);
    ck_assert_str_eq(table_look_string(&table, "phase"), "paused");
    room_present(table.room, 0, false, table.now_ms);
    room_present(table.room, 2, false, table.now_ms);
    table_wait(&table, 1); /* nobody is there to go on */
    ck_assert_str_eq(table_look_string(&table, "phase"), "paused");
    room_present(table.room, 2, true, table.now_ms);
    ck_assert_uint_eq(table_due(&table), 1); /* ANA has only just left, but had agreed */
    ck_assert_str_eq(table_look_string(&table, "phase"), "playing");
    end();
}
END_TEST

/* With a clock the clock decides; without one, who is there may end it. */
START_TEST(test_call_off_without_who_stays_away)
{
    static const char *const clocks[] = {"{\"kind\":\"none\"}", "{\"kind\":\"days\",\"days\":30}"};
    for (unsigned i = 0; i < 2; i++) {
        open_with(clocks[i]);
        room_present(table.room, 0, false, table.now_ms);
        expect_ok(table_send(&table, BO, "offer", "\"what\":\"call_off\""));
        expect_ok(table_send(&table, CHI, "offer", "\"what\":\"call_off\""));
        table_wait(&table, table.limits.abandoned_ms - 1);
        ck_assert_str_eq(table_look_string(&table, "phase"), "playing");
        table_wait(&table, 1);
        ck_assert_str_eq(table_look_string(&table, "phase"), i == 0 ? "over" : "playing");
        end();
    }
}
END_TEST

Suite *clock_suite(void)
{
    Suite *suite = suite_create("clock");
    TCase *tcase = tcase_create("kinds");
    tcase_add_test(tcase, test_no_clock);
    tcase_add_test(tcase, test_fischer);
    tcase_add_test(tcase, test_per_move);
    tcase_add_test(tcase, test_days);
    tcase_add_test(tcase, test_byoyomi);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("zero");
    tcase_add_test(tcase, test_flag);
    tcase_add_test(tcase, test_grace_is_given_once);
    tcase_add_test(tcase, test_computer_takes_over);
    tcase_add_test(tcase, test_owner_comes_back);
    tcase_add_test(tcase, test_coming_back_takes_no_time_away);
    tcase_add_test(tcase, test_returning_does_not_hold_up_the_turn);
    tcase_add_test(tcase, test_present_owner_stays_replaced);
    tcase_add_test(tcase, test_everybody_replaced);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("held");
    tcase_add_test(tcase, test_store_delay_is_not_charged);
    tcase_add_test(tcase, test_kept_of_an_older_event);
    tcase_add_test(tcase, test_restart);
    tcase_add_test(tcase, test_restart_with_wrong_times);
    tcase_add_test(tcase, test_no_clock_to_hold);
    tcase_add_test(tcase, test_pause_stops_clocks);
    tcase_add_test(tcase, test_undo_gives_no_time_back);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("empty tables");
    tcase_add_test(tcase, test_abandoned);
    tcase_add_test(tcase, test_restart_waits_anew);
    tcase_add_test(tcase, test_days_need_nobody);
    tcase_add_test(tcase, test_only_computers_left);
    tcase_add_test(tcase, test_pause_ends_with_the_last_person);
    tcase_add_test(tcase, test_pause_does_not_wait_for_who_stays_away);
    tcase_add_test(tcase, test_pause_waits_a_while);
    tcase_add_test(tcase, test_call_off_without_who_stays_away);
    suite_add_tcase(suite, tcase);
    return suite;
}
