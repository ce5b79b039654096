/* What one session has in a match becomes another one's. */
#include "room_internal.h"
#include "suites.h"
#include "table.h"
#include <protocol/record.h>
#include <room/hand.h>
#include <string.h>

static struct table table;

static void open_match(const char *create)
{
    table_open(&table, create);
    table_start(&table);
}

static void end(void)
{
    table_close(&table);
}

static void expect_same_states(json_t *const before[], unsigned audiences)
{
    for (unsigned audience = 0; audience < audiences; audience++) {
        json_t *after = table_state(&table, audience, room_seq(table.room));
        ck_assert(json_equal(before[audience], after));
        json_decref(after);
    }
}

START_TEST(test_nobody_sees_a_difference)
{
    json_t *before[ROOM_AUDIENCES_MAX];
    open_match("");
    table_play(&table, 7, 20);
    const unsigned audiences = room_audiences(table.room);
    for (unsigned audience = 0; audience < audiences; audience++)
        before[audience] = table_state(&table, audience, room_seq(table.room));
    room_hand(table.room, ANA, EVA);
    expect_same_states(before, audiences);
    ck_assert_uint_eq(room_seat_of(table.room, ANA), ROOM_NO_SEAT);
    ck_assert_uint_eq(room_seat_of(table.room, EVA), 0);
    ck_assert_uint_eq(room_host(table.room), EVA);
    ck_assert_str_eq(room_seat_name(table.room, 0), table_name(ANA));
    for (unsigned audience = 0; audience < audiences; audience++)
        json_decref(before[audience]);
    table_check_replay(&table); /* a room that grows from this log is this one, at each seq */
}
END_TEST

START_TEST(test_it_goes_on_to_the_end)
{
    open_match("");
    table_play(&table, 7, 17);
    room_hand(table.room, ANA, EVA);
    expect_code(table_send(&table, ANA, "resign", ""), "not_seated");
    expect_ok(table_send(&table, EVA, "resign", ""));
    ck_assert_int_eq(room_phase(table.room), PROTOCOL_PHASE_OVER);
    table_check_replay(&table);
}
END_TEST

/* What was not stored after that is dropped, and it stays theirs. */
START_TEST(test_it_is_theirs_after_going_back)
{
    open_match("");
    table_play(&table, 7, 19);
    const uint64_t seq = room_seq(table.room);
    table_play(&table, 9, 2);
    room_hand(table.room, ANA, EVA);
    room_rewind(table.room, seq);
    ck_assert_uint_eq(room_seat_of(table.room, EVA), 0);
    ck_assert_uint_eq(room_seat_of(table.room, ANA), ROOM_NO_SEAT);
}
END_TEST

START_TEST(test_a_request_of_before_is_not_one_of_theirs)
{
    open_match("");
    expect_ok(table_send_id(&table, ANA, 5000, "offer", "\"what\":\"pause\""));
    expect_code(table_send_id(&table, ANA, 5000, "offer", "\"what\":\"pause\""), "repeat");
    room_hand(table.room, ANA, EVA);
    expect_ok(table_send_id(&table, EVA, 5000, "withdraw", "\"what\":\"pause\""));
}
END_TEST

START_TEST(test_who_has_acted)
{
    table_open(&table, "\"options\":{\"players\":3}");
    ck_assert(room_has_acted(table.room, ANA)); /* who made it */
    ck_assert(!room_has_acted(table.room, BO));
    expect_ok(table_send(&table, BO, "join", ""));
    expect_ok(table_send(&table, BO, "leave", ""));
    ck_assert(room_has_acted(table.room, BO)); /* though it has no seat */
    ck_assert(!room_has_acted(table.room, EVA));
}
END_TEST

/* Of a room by invitation: the code need not be given again. */
START_TEST(test_who_was_let_in)
{
    uint64_t instead_of;
    table_open(&table, "\"access\":\"code\"");
    ck_assert(room_let_in(table.room, BO, &instead_of));
    room_hand(table.room, BO, EVA);
    ck_assert_int_eq(room_admits(table.room, EVA, NULL), PROTOCOL_OK);
    ck_assert_int_eq(room_admits(table.room, BO, NULL), PROTOCOL_CODE_NEEDED);
}
END_TEST

Suite *hand_suite(void)
{
    Suite *suite = suite_create("matches handed over");
    TCase *tests = tcase_create("hand");
    tcase_add_checked_fixture(tests, NULL, end);
    tcase_add_test(tests, test_nobody_sees_a_difference);
    tcase_add_test(tests, test_it_goes_on_to_the_end);
    tcase_add_test(tests, test_it_is_theirs_after_going_back);
    tcase_add_test(tests, test_a_request_of_before_is_not_one_of_theirs);
    tcase_add_test(tests, test_who_has_acted);
    tcase_add_test(tests, test_who_was_let_in);
    suite_add_tcase(suite, tests);
    return suite;
}
