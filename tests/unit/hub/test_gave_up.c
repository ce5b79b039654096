/* Who gives up again and again: what counts, and that those who look after the site are told. */
#include "operator.h"
#include "rated_stage.h"
#include "suites.h"
#include "waiting/conduct.h"
#include "waiting/gave_up.h"
#include <registry/registry.h>
#include <string.h>

enum { DAY_MS = 24 * 3600 * 1000 };

/* ---- what counts */

static const struct {
    const char *outcomes;
    unsigned told; /* so many of the last ones */
} often[] = {
    {"", 0},         {"r", 0},      {"rr", 0},       {"rrr", 3},
    {"grgrgr", 3},   {"rrrg", 0},   {"rggggrr", 3},  {"rgggggrr", 0},
    {"rrrrrrrr", 7}, {"tllnar", 0}, {"rrtllnar", 0}, {"rtllnrr", 3},
};

START_TEST(so_many_of_the_last)
{
    ck_assert_msg(gave_up_often(often[_i].outcomes) == often[_i].told, "%s", often[_i].outcomes);
}
END_TEST

static const struct {
    const char *game;
    unsigned seats;
    struct room_result_seat seat;
    bool early;
} matches[] = {
    {"taluva", 2, {.resigned = true, .out_moves = 29}, true},
    {"taluva", 2, {.resigned = true, .out_moves = 30}, false},
    {"taluva", 2, {.resigned = true, .out_moves = 29, .won = true}, false}, /* with a partner */
    {"taluva", 2, {.timed_out = true, .out_moves = 29}, false},
    {"taluva", 2, {.in_play = true}, false},
    {"taluva", 5, {.resigned = true, .out_moves = 58}, true},
    {"totem", 2, {.resigned = true, .out_moves = 49}, true},
    {"totem", 4, {.resigned = true, .out_moves = 94}, true},
    {"totem", 4, {.resigned = true, .out_moves = 95}, false},
    {"cards", 2, {.resigned = true, .out_moves = 1}, false}, /* who knows how long it is */
};

START_TEST(before_half_was_played)
{
    struct room_result result = {.game = matches[_i].game, .seats = matches[_i].seats};
    result.seat[1] = matches[_i].seat;
    ck_assert_int_eq(gave_up_early(&result, 1), matches[_i].early);
    ck_assert(!gave_up_early(&result, 0));
}
END_TEST

/* It is nobody who lets others wait. */
START_TEST(whoever_gives_up_is_not_paused)
{
    struct conduct_row row = {.session = 1};
    for (int at = 0; at < 2 * CONDUCT_OUTCOMES; at++)
        ck_assert(!conduct_add(&row, CONDUCT_GAVE_UP, 1000000));
}
END_TEST

/* ---- who is told */

static void set_up(void)
{
    rated_setup();
    home.env.accounts = HUB_ACCOUNTS_OPEN;
    home.env.features = registry;
    home.config.claims_per_address_per_day = 100;
    rated_restart();
    ck_assert(operator_holds(""));
}

static void end_with_resignation(void)
{
    rated_play(2, "taluva.duel.live"); /* Bo gives up, with most of it to be played */
}

static size_t count_reports(unsigned reports)
{
    json_t *ok = operator_granted("{\"id\":1,\"op\":\"reports\"}");
    const json_t *list = json_object_get(ok, "reports"), *one = json_array_get(list, 0);
    const size_t count = json_array_size(list);
    if (one) {
        ck_assert_str_eq(str(one, "name"), "Bo");
        ck_assert_str_eq(str(one, "handle"), "Bo-1");
        ck_assert_str_eq(str(one, "why"), "cheating");
        ck_assert_int_eq(num(one, "reports"), reports);
        ck_assert_int_eq(num(one, "sources"), 1);
    }
    json_decref(ok);
    return count;
}

START_TEST(those_who_look_after_the_site_are_told)
{
    rated_play(2, "taluva.duel.live");
    world_do(&home, rated_table.tabs[1], "claim", "{s:s}", "handle", "Bo-1");
    end_with_resignation();
    ck_assert_uint_eq(count_reports(0), 0);
    end_with_resignation();
    ck_assert_uint_eq(count_reports(1), 1);
    json_t *ok = operator_granted("{\"id\":1,\"op\":\"report\",\"report\":1}");
    const json_t *report = json_array_get(json_object_get(ok, "reports"), 0);
    ck_assert_int_eq(num(report, "gave_up"), GAVE_UP_MIN);
    ck_assert_int_eq(num(report, "of"), GAVE_UP_OF);
    ck_assert_str_eq(str(report, "room"), rated_table.room);
    json_decref(ok);
    end_with_resignation(); /* once a day */
    ck_assert_uint_eq(count_reports(1), 1);
    world_pass(&home, DAY_MS);
    memset(rated_ids, 0, sizeof rated_ids);
    ck_assert_uint_eq(count_reports(1), 1); /* it waits */
    ck_assert_ptr_null(world_push(&home, rated_table.tabs[1], "judged"));
}
END_TEST

/* However many the server sees, and whatever it has seen before: of each who does so there is one.
 */
START_TEST(the_server_sees_as_many_as_there_are)
{
    home.config.reports_per_account_per_day = 1;
    rated_restart();
    ck_assert(operator_holds(""));
    for (unsigned one = 1; one <= 3; one++) {
        static const char object[] = "{\"at\":1,\"room\":\"k3m9x0aq\",\"gave_up\":3,\"of\":7}";
        char text[128];
        (void)snprintf(text, sizeof text, "%016x %016x 00000 2 %s", 0, one, object);
        rated_send_letter(LETTER_TO_DESK, "moderation.report", text);
    }
    json_t *ok = operator_granted("{\"id\":1,\"op\":\"reports\"}");
    ck_assert_int_eq(num(ok, "waiting"), 3);
    json_decref(ok);
}
END_TEST

Suite *gave_up_suite(void)
{
    Suite *suite = suite_create("given_up");
    TCase *rules = tcase_create("what counts");
    tcase_add_loop_test(rules, so_many_of_the_last, 0, sizeof often / sizeof often[0]);
    tcase_add_loop_test(rules, before_half_was_played, 0, sizeof matches / sizeof matches[0]);
    tcase_add_test(rules, whoever_gives_up_is_not_paused);
    suite_add_tcase(suite, rules);
    TCase *told = tcase_create("who is told");
    tcase_add_checked_fixture(told, set_up, rated_teardown);
    tcase_add_test(told, those_who_look_after_the_site_are_told);
    tcase_add_test(told, the_server_sees_as_many_as_there_are);
    suite_add_tcase(suite, told);
    return suite;
}
