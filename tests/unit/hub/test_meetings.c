/* Who has met whom: what of those who choose each other is rated. */
#include "pairing/meetings.h"
#include "suites.h"

/* `met`: n times, so many hours ago; with whom, and whether they were hardly known. */
static const struct {
    const char *unrated;
    bool is_new; /* the other one now */
    struct {
        unsigned n, hours_ago;
        uint64_t one, other;
        bool new_other;
    } met[2];
} judged[] = {
    {NULL, false, {{2, 1, 1, 2, false}}},
    {"often", false, {{3, 1, 1, 2, false}}},
    {"often", false, {{2, 1, 2, 1, false}, {1, 23, 1, 2, true}}},
    {NULL, false, {{3, 25, 1, 2, false}}},
    {NULL, false, {{5, 1, 1, 3, false}, {5, 1, 3, 2, false}}},
    {NULL, false, {{19, 48, 1, 2, false}}},
    {"often", false, {{20, 48, 1, 2, false}}},
    {NULL, false, {{20, 721, 1, 2, false}}},
    {NULL, true, {{1, 1, 1, 3, true}}},
    {"newcomers", true, {{1, 1, 1, 3, true}, {1, 2, 1, 4, true}}},
    {NULL, false, {{1, 1, 1, 3, true}, {1, 2, 1, 4, true}}},
    {NULL, true, {{2, 25, 1, 3, true}}},
    {NULL, true, {{2, 1, 3, 1, true}}}, /* was one of them then */
};

START_TEST(what_is_too_often)
{
    struct meetings meetings;
    ck_assert_int_eq(meetings_begin(&meetings), 0);
    for (int part = 0; part < 2; part++) {
        for (unsigned n = 0; n < judged[_i].met[part].n; n++) {
            struct meeting_row rows[MEETINGS_OF_TABLE];
            const struct meeting_seat seats[] = {
                {judged[_i].met[part].one, false},
                {judged[_i].met[part].other, judged[_i].met[part].new_other}};
            const int64_t at_ms =
                INT64_C(1790000000000) - INT64_C(3600000) * judged[_i].met[part].hours_ago;
            ck_assert_uint_eq(meetings_next(&meetings, seats, 2, at_ms, rows), 1);
            meetings_keep(&meetings, rows);
        }
    }
    const struct meeting_seat one = {1, false}, other = {2, judged[_i].is_new};
    const int64_t now_ms = INT64_C(1790000000000);
    ck_assert_pstr_eq(meetings_unrated(&meetings, &one, &other, now_ms), judged[_i].unrated);
    ck_assert_pstr_eq(meetings_unrated(&meetings, &other, &one, now_ms), judged[_i].unrated);
    meetings_end(&meetings);
}
END_TEST

/* Of five there are ten pairs; and the oldest go. */
START_TEST(meetings_go_round)
{
    static const struct meeting_seat seats[] = {{1, 0}, {2, 1}, {3, 0}, {4, 0}, {5, 1}};
    struct meetings meetings;
    struct meeting_row rows[MEETINGS_OF_TABLE];
    ck_assert_int_eq(meetings_begin(&meetings), 0);
    ck_assert_uint_eq(meetings_next(&meetings, seats, 5, 1, rows), 10);
    for (int at = 0; at < 10; at++) {
        ck_assert_uint_lt(rows[at].one, rows[at].other);
        ck_assert_uint_eq(rows[at].new_one, seats[rows[at].one - 1].is_new);
        ck_assert_uint_eq(rows[at].new_other, seats[rows[at].other - 1].is_new);
        meetings_keep(&meetings, &rows[at]);
    }
    for (uint64_t n = 11; n <= MEETINGS_MAX + 3; n++) {
        ck_assert_uint_eq(meetings_next(&meetings, seats, 2, 2, rows), 1);
        ck_assert_uint_eq(rows[0].slot, n % MEETINGS_MAX);
        meetings_keep(&meetings, rows);
    }
    ck_assert_int_eq(meetings.rows[3].at_ms, 2);
    ck_assert_int_eq(meetings.rows[4].at_ms, 1);
    meetings_end(&meetings);
}
END_TEST

Suite *meetings_suite(void)
{
    Suite *suite = suite_create("meetings");
    TCase *meetings = tcase_create("tables");
    tcase_add_loop_test(meetings, what_is_too_often, 0, sizeof judged / sizeof judged[0]);
    tcase_add_test(meetings, meetings_go_round);
    suite_add_tcase(suite, meetings);
    return suite;
}
