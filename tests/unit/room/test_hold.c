/* Nobody holds up a match: a pause that one side does not end, a seat whose owner is away. */
#include "suites.h"
#include "table.h"
#include <room/room.h>
#include <stdio.h>

static struct table table;

static void begin(const char *clock)
{
    char create[128];
    (void)snprintf(create, sizeof create, "\"options\":{\"players\":3,\"first\":0}%s%s",
                   clock[0] ? ",\"clock\":" : "", clock);
    table_open(&table, create);
    table_start(&table);
}

static void end(void)
{
    table_check_replay(&table);
    table_close(&table);
}

static const char *phase(void)
{
    return table_look_string(&table, "phase");
}

static void pause_match(void)
{
    for (uint64_t session = ANA; session <= CHI; session++)
        expect_ok(table_send(&table, session, "offer", "\"what\":\"pause\""));
    ck_assert_str_eq(phase(), "paused");
}

static const struct {
    const char *clock;
    int64_t resume_ms;
} PAUSES[] = {
    {"", ROOM_RESUME_MS},
    {"{\"kind\":\"fischer\",\"bank_s\":60,\"increment_s\":0}", ROOM_RESUME_MS},
    {"{\"kind\":\"days\",\"days\":3}", ROOM_RESUME_DAYS_MS},
};

/* Those who are there see when it goes on without them. */
START_TEST(test_one_goes_on)
{
    begin(PAUSES[_i].clock);
    pause_match();
    table_wait(&table, 3 * PAUSES[_i].resume_ms); /* as long as nobody wants to */
    ck_assert_str_eq(phase(), "paused");
    ck_assert_ptr_null(table_look(&table, "resumes"));
    expect_ok(table_send(&table, BO, "offer", "\"what\":\"resume\""));
    const int64_t resumes = table.now_ms + PAUSES[_i].resume_ms;
    ck_assert_int_eq(table_look_int(&table, "resumes"), resumes);
    table_wait(&table, 1000);
    expect_ok(table_send(&table, ANA, "offer", "\"what\":\"resume\""));
    ck_assert_int_eq(table_look_int(&table, "resumes"), resumes); /* of the first */
    ck_assert_int_eq(room_deadline_ms(table.room, &table.limits), resumes);
    table_wait(&table, resumes - table.now_ms - 1);
    ck_assert_str_eq(phase(), "paused");
    table_wait(&table, 1);
    ck_assert_str_eq(phase(), "playing");
    ck_assert_ptr_null(table_look(&table, "resumes"));
    ck_assert_ptr_null(table_look(&table, "offers"));
    end();
}
END_TEST

START_TEST(test_an_offer_that_is_withdrawn)
{
    begin("");
    pause_match();
    expect_ok(table_send(&table, BO, "offer", "\"what\":\"resume\""));
    table_wait(&table, ROOM_RESUME_MS - 1000);
    expect_ok(table_send(&table, BO, "withdraw", "\"what\":\"resume\""));
    ck_assert_ptr_null(table_look(&table, "resumes"));
    table_wait(&table, ROOM_RESUME_MS);
    ck_assert_str_eq(phase(), "paused");
    expect_ok(table_send(&table, BO, "offer", "\"what\":\"resume\""));
    table_wait(&table, ROOM_RESUME_MS - 1);
    ck_assert_str_eq(phase(), "paused");
    table_wait(&table, 1);
    ck_assert_str_eq(phase(), "playing");
    end();
}
END_TEST

/* Who is away is waited for longer, and who comes back has seen what is offered. */
START_TEST(test_one_of_them_is_away)
{
    begin("");
    pause_match();
    room_present(table.room, 2, false, table.now_ms);
    expect_ok(table_send(&table, ANA, "offer", "\"what\":\"resume\""));
    table_wait(&table, 2 * ROOM_RESUME_MS);
    ck_assert_str_eq(phase(), "paused");
    ck_assert_int_ge(room_deadline_ms(table.room, &table.limits), table.limits.abandoned_ms);
    if (_i == 0) {
        room_present(table.room, 2, true, table.now_ms);
        ck_assert_uint_eq(table_due(&table), 1);
    } else {
        table_wait(&table, table.limits.abandoned_ms);
    }
    ck_assert_str_eq(phase(), "playing");
    end();
}
END_TEST

/* ---- without a clock */

START_TEST(test_the_computer_plays_for_who_is_away)
{
    begin("");
    expect_code(table_send(&table, BO, "offer", "\"what\":\"computer\""), "not_away");
    room_present(table.room, 0, false, table.now_ms);
    ck_assert_int_eq(room_away_ms(table.room, 0), table.now_ms);
    room_present(table.room, 2, false, table.now_ms);
    table_wait(&table, ROOM_AWAY_MS - 1);
    expect_code(table_send(&table, BO, "offer", "\"what\":\"computer\""), "not_away");
    expect_code(table_send(&table, DEE, "offer", "\"what\":\"computer\""), "not_seated");
    table_wait(&table, 1);
    ck_assert(table_acts(&table, 0));
    expect_ok(table_send(&table, BO, "offer", "\"what\":\"computer\""));
    ck_assert(
        json_is_true(table_look(&table, "seats.0.replaced"))); /* who has to act comes first */
    table_due(&table);
    ck_assert(table_acts(&table, 1));
    expect_ok(table_send(&table, BO, "offer", "\"what\":\"computer\""));
    ck_assert(json_is_true(table_look(&table, "seats.2.replaced")));
    expect_code(table_send(&table, BO, "offer", "\"what\":\"computer\""), "not_away");
    expect_code(table_send(&table, BO, "withdraw", "\"what\":\"computer\""), "not_offered");
    room_present(table.room, 0, true, table.now_ms); /* and has the seat again */
    table_due(&table);
    ck_assert_ptr_null(table_look(&table, "seats.0.replaced"));
    end();
}
END_TEST

/* Who waits need not wait for ever, nor play against the computer; who comes back in time is there.
 */
START_TEST(test_the_end_is_claimed)
{
    begin("");
    expect_code(table_send(&table, BO, "offer", "\"what\":\"claim\""), "not_away");
    room_present(table.room, 0, false, table.now_ms);
    room_present(table.room, 2, false, table.now_ms);
    table_wait(&table, ROOM_CLAIM_END_MS - 1);
    expect_code(table_send(&table, BO, "offer", "\"what\":\"claim\""), "not_away");
    expect_code(table_send(&table, DEE, "offer", "\"what\":\"claim\""), "not_seated");
    table_wait(&table, 1);
    expect_ok(table_send(&table, BO, "offer", "\"what\":\"claim\""));
    ck_assert_str_eq(phase(), "playing");
    ck_assert(!table_acts(&table, 0));
    while (table_mover(&table) == BO) /* who acts waits for nobody */
        table_play(&table, 1, 1);
    if (_i == 0) {
        expect_ok(table_send(&table, BO, "offer", "\"what\":\"claim\""));
        ck_assert_str_eq(phase(), "over");
        ck_assert_str_eq(table_look_string(&table, "result.why"), "last-standing");
    } else {
        room_present(table.room, 2, true, table.now_ms);
        expect_code(table_send(&table, BO, "offer", "\"what\":\"claim\""), "not_away");
    }
    end();
}
END_TEST

/* Who is to move holds up the others, who need not stay for that. */
START_TEST(test_nothing_is_claimed_by_who_has_to_act)
{
    begin("");
    ck_assert(table_acts(&table, 0));
    room_present(table.room, 1, false, table.now_ms);
    table_wait(&table, ROOM_CLAIM_END_MS);
    expect_code(table_send(&table, ANA, "offer", "\"what\":\"claim\""), "not_away");
    ck_assert_str_eq(phase(), "playing");
    end();
}
END_TEST

/* For whom the computer plays holds nobody up. */
START_TEST(test_nothing_is_claimed_of_whom_the_computer_plays_for)
{
    begin("");
    room_present(table.room, 0, false, table.now_ms);
    table_wait(&table, ROOM_AWAY_MS);
    expect_ok(table_send(&table, BO, "offer", "\"what\":\"computer\""));
    table_wait(&table, ROOM_CLAIM_END_MS);
    expect_code(table_send(&table, BO, "offer", "\"what\":\"claim\""), "not_away");
    end();
}
END_TEST

START_TEST(test_a_clock_says_what_becomes_of_who_is_away)
{
    begin("{\"kind\":\"fischer\",\"bank_s\":3600,\"increment_s\":0}");
    room_present(table.room, 0, false, table.now_ms);
    table_wait(&table, ROOM_CLAIM_END_MS);
    expect_code(table_send(&table, BO, "offer", "\"what\":\"computer\""), "not_away");
    expect_code(table_send(&table, BO, "offer", "\"what\":\"claim\""), "not_away");
    end();
}
END_TEST

START_TEST(test_not_in_a_pause)
{
    begin("");
    pause_match();
    room_present(table.room, 0, false, table.now_ms);
    table_wait(&table, ROOM_CLAIM_END_MS);
    expect_code(table_send(&table, BO, "offer", "\"what\":\"computer\""), "is_paused");
    expect_code(table_send(&table, BO, "offer", "\"what\":\"claim\""), "is_paused");
    end();
}
END_TEST

Suite *hold_suite(void)
{
    Suite *suite = suite_create("holding up");
    TCase *tests = tcase_create("holding up");
    tcase_add_loop_test(tests, test_one_goes_on, 0, sizeof PAUSES / sizeof PAUSES[0]);
    tcase_add_test(tests, test_an_offer_that_is_withdrawn);
    tcase_add_loop_test(tests, test_one_of_them_is_away, 0, 2);
    tcase_add_test(tests, test_the_computer_plays_for_who_is_away);
    tcase_add_loop_test(tests, test_the_end_is_claimed, 0, 2);
    tcase_add_test(tests, test_nothing_is_claimed_by_who_has_to_act);
    tcase_add_test(tests, test_nothing_is_claimed_of_whom_the_computer_plays_for);
    tcase_add_test(tests, test_a_clock_says_what_becomes_of_who_is_away);
    tcase_add_test(tests, test_not_in_a_pause);
    suite_add_tcase(suite, tests);
    return suite;
}
