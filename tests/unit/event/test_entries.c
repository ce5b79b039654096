/* Each kind of entry, as bytes. */
#include "../../support/failing_alloc.h"
#include "suites.h"
#include <event/entry.h>
#include <string.h>

#define HEX32 "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
#define MADE_OF(game, options)                                                                     \
    "{\"n\":1,\"at\":1790000000000,\"by\":\"00000000000000d1\",\"kind\":\"made\",\"event\":"       \
    "\"abcdefgh\",\"title\":\"Friday \\\"at six\\\"\",\"game\":\"" game "\",\"options\":" options  \
    ",\"clock\":{\"days\":3,\"kind\":\"days\"},\"form\":\"tables\",\"points\":\"places\","         \
    "\"rounds\":3,\"final\":true,\"least\":6,\"most\":24,\"guests\":true,\"start\":1790003600000," \
    "\"check_in_s\":900,\"break_s\":120,\"round_s\":5400,\"wait_s\":300,\"commitment\":\"" HEX32   \
    "\"}"
#define MADE MADE_OF("taluva", "{\"river\":true,\"z\":[1]}")

static const char *const lines[] = {
    MADE,
    "{\"n\":2,\"at\":5,\"by\":\"00000000000000a1\",\"kind\":\"joined\",\"entrant\":1,"
    "\"account\":\"00000000000000a1\"}",
    "{\"n\":3,\"at\":6,\"by\":\"00000000000000a1\",\"kind\":\"here\",\"entrant\":1}",
    "{\"n\":4,\"at\":6,\"kind\":\"withdrew\",\"entrant\":1,\"reason\":\"was not there\"}",
    "{\"n\":5,\"at\":6,\"by\":\"00000000000000a1\",\"kind\":\"returned\",\"entrant\":512}",
    "{\"n\":6,\"at\":6,\"by\":\"00000000000000d1\",\"kind\":\"removed\",\"entrant\":2,"
    "\"reason\":\"two devices\"}",
    "{\"n\":7,\"at\":7,\"kind\":\"began\"}",
    "{\"n\":8,\"at\":7,\"kind\":\"paired\",\"round\":1,\"tables\":[[1,2,3,4],[5,6,7]]}",
    "{\"n\":9,\"at\":8,\"kind\":\"result\",\"round\":1,\"table\":2,\"places\":[1,2,0],\"room\":"
    "\"abcdefgh\"}",
    "{\"n\":10,\"at\":8,\"by\":\"00000000000000d1\",\"kind\":\"judged\",\"round\":1,\"table\":2,"
    "\"places\":[1,1,3],\"reason\":\"le b\xc3\xa2timent \\\\ 2\"}",
    "{\"n\":11,\"at\":9,\"kind\":\"over\",\"secret\":\"" HEX32 "\"}",
    "{\"n\":12,\"at\":9,\"kind\":\"off\",\"secret\":\"" HEX32 "\",\"reason\":\"too few\"}",
    "{\"n\":13,\"at\":9,\"by\":\"00000000000000a1\",\"kind\":\"agreed\",\"entrant\":1}",
    "{\"n\":14,\"at\":9,\"by\":\"00000000000000a1\",\"kind\":\"paused\",\"entrant\":1}",
    "{\"n\":15,\"at\":9,\"kind\":\"resumed\",\"entrant\":1,\"reason\":\"used up\"}",
};
enum { LINES = sizeof lines / sizeof lines[0] };

START_TEST(what_is_read_is_written_the_same)
{
    struct event_entry entry;
    char line[EVENT_LINE_MAX + 1];
    const char *given = lines[_i];
    ck_assert_msg(event_read(&entry, given, strlen(given)) == EVENT_READ, "%s", given);
    ck_assert_uint_eq(entry.n, (unsigned)_i + 1);
    ck_assert_int_eq(entry.kind, _i);
    ck_assert_uint_eq(event_write(&entry, line), strlen(given));
    ck_assert_str_eq(line, given);
}
END_TEST

/* Of each entry, each beginning and each with one byte changed is none, or is the same bytes. */
START_TEST(there_is_one_form_only)
{
    struct event_entry entry;
    char text[EVENT_LINE_MAX + 1], line[EVENT_LINE_MAX + 1];
    const size_t len = strlen(lines[_i]);
    for (size_t at = 0; at < len; at++) {
        ck_assert_int_eq(event_read(&entry, lines[_i], at), EVENT_NOT_READ);
        for (int byte = 0; byte < 256; byte += at % 3 ? 7 : 1) {
            memcpy(text, lines[_i], len);
            text[at] = (char)byte;
            if (event_read(&entry, text, len) == EVENT_READ) {
                ck_assert_uint_eq(event_write(&entry, line), len);
                ck_assert_mem_eq(line, text, len);
            }
        }
    }
}
END_TEST

/* Members that are left out where they say nothing. */
static const char *const others[] = {
    "{\"n\":1,\"at\":5,\"by\":\"00000000000000d1\",\"kind\":\"made\",\"event\":\"abcdefgh\","
    "\"title\":\"x\",\"game\":\"totem\",\"options\":{},\"clock\":{},"
    "\"form\":\"groups\",\"points\":\"wins\",\"rounds\":1,\"final\":false,"
    "\"least\":2,\"most\":64,\"guests\":false,\"start\":5,\"check_in_s\":0,\"break_s\":0,\"round_"
    "s\":1,\"wait_s\":1,\"pause_s\":"
    "864000,\"commitment\":\"" HEX32 "\"}",
    "{\"n\":2,\"at\":5,\"by\":\"00000000000000a1\",\"kind\":\"joined\",\"entrant\":1,"
    "\"account\":\"00000000000000a1\",\"partner\":\"00000000000000a2\",\"rating\":1512}",
    "{\"n\":2,\"at\":5,\"by\":\"00000000000000a1\",\"kind\":\"joined\",\"entrant\":1,"
    "\"account\":\"00000000000000a1\",\"rating\":9999}",
    "{\"n\":1,\"at\":5,\"by\":\"00000000000000d1\",\"kind\":\"made\",\"event\":\"abcdefgh\","
    "\"title\":\"x\",\"game\":\"totem\",\"options\":{},\"clock\":{},"
    "\"form\":\"cup\",\"points\":\"wins\",\"rounds\":3,\"final\":true,\"least\":"
    "2,\"most\":512,\"guests\":false,\"pairs\":true,\"start\":5,\"check_in_s\":0,\"break_s\":0,"
    "\"round_s\":1,\"wait_s\":1,"
    "\"commitment\":\"" HEX32 "\"}",
};

START_TEST(other_members_are_read_too)
{
    struct event_entry entry;
    char line[EVENT_LINE_MAX + 1];
    ck_assert_msg(event_read(&entry, others[_i], strlen(others[_i])) == EVENT_READ, "%s",
                  others[_i]);
    ck_assert_uint_eq(event_write(&entry, line), strlen(others[_i]));
    ck_assert_str_eq(line, others[_i]);
}
END_TEST

static const char *const wrong[] = {
    "{\"n\":2,\"at\":5,\"kind\":\"joined\",\"entrant\":1,\"account\":\"00000000000000a1\","
    "\"rating\":0}",
    "{\"n\":2,\"at\":5,\"kind\":\"joined\",\"entrant\":1,\"account\":\"00000000000000a1\","
    "\"rating\":10000}",
    "{\"n\":2,\"at\":5,\"kind\":\"joined\",\"entrant\":1,\"account\":\"00000000000000a1\","
    "\"partner\":\"0000000000000000\"}",
    "",
    "{}",
    MADE_OF("", "{}"),
    MADE_OF("Taluva", "{}"),
    MADE_OF("a-game-of-17-byte", "{}"),
    MADE_OF("taluva", "[]"),
    MADE_OF("taluva", "{\"b\":1,\"a\":1}"),
    MADE_OF("taluva", "{ }"),
    "[]",
    "{\"n\":7,\"at\":7,\"kind\":\"began\"} ",
    "{\"n\":7,\"at\":7,\"kind\":\"begun\"}",
    "{\"at\":7,\"n\":7,\"kind\":\"began\"}",
    "{\"n\":7,\"at\":7,\"kind\":\"began\",\"more\":1}",
    "{\"n\":7,\"at\":-7,\"kind\":\"began\"}",
    "{\"n\":07,\"at\":7,\"kind\":\"began\"}",
    "{\"n\":7,\"at\":9007199254740992,\"kind\":\"began\"}",
    "{\"n\":7,\"at\":7,\"by\":\"0000000000000000\",\"kind\":\"began\"}",
    "{\"n\":7,\"at\":7,\"by\":\"00000000000000D1\",\"kind\":\"began\"}",
    "{\"n\":7,\"at\":7,\"kind\":\"began\",\"reason\":\"\"}",
    "{\"n\":7,\"at\":7,\"kind\":\"began\",\"reason\":\" a\"}",
    "{\"n\":7,\"at\":7,\"kind\":\"began\",\"reason\":\"\\u0041\"}",
    "{\"n\":7,\"at\":7,\"kind\":\"here\",\"entrant\":65536}",
    "{\"n\":7,\"at\":7,\"kind\":\"paired\",\"round\":1,\"tables\":[]}",
    "{\"n\":7,\"at\":7,\"kind\":\"paired\",\"round\":1,\"tables\":[[]]}",
    "{\"n\":7,\"at\":7,\"kind\":\"paired\",\"round\":1,\"tables\":[[1,2,3,4,5,6]]}",
    "{\"n\":7,\"at\":7,\"kind\":\"paired\",\"round\":1,\"tables\":[1,2]}",
    "{\"n\":7,\"at\":7,\"kind\":\"paired\",\"round\":1,\"tables\":[[1,true]]}",
    "{\"n\":7,\"at\":7,\"kind\":\"result\",\"round\":1,\"table\":1,\"places\":[1,6]}",
    "{\"n\":7,\"at\":7,\"kind\":\"result\",\"round\":1,\"table\":1,\"places\":[1],\"room\":0}",
    "{\"n\":7,\"at\":7,\"kind\":\"over\",\"secret\":\"00\"}",
};

START_TEST(what_is_no_entry_is_not_read)
{
    struct event_entry entry;
    ck_assert_msg(event_read(&entry, wrong[_i], strlen(wrong[_i])) == EVENT_NOT_READ, "%s",
                  wrong[_i]);
}
END_TEST

START_TEST(the_longest_entry_has_a_line)
{
    static struct event_entry entry, again;
    char line[EVENT_LINE_MAX + 1];
    entry = (struct event_entry){.n = 1, .at_ms = PROTOCOL_INTEGER_MAX, .by = UINT64_MAX};
    entry.kind = EVENT_PAIRED;
    entry.u.paired = (struct event_seating){.round = EVENT_ROUNDS_MAX, .tables = EVENT_TABLES_MAX};
    for (unsigned i = 0; i < EVENT_TABLES_MAX; i++) {
        entry.u.paired.seats[i] = 3;
        for (unsigned seat = 0; seat < 3; seat++)
            entry.u.paired.seat[i][seat] = EVENT_ENTRANTS_MAX;
    }
    memset(entry.reason, '\\', EVENT_REASON_CHARS);
    const size_t len = event_write(&entry, line);
    ck_assert_int_eq(event_read(&again, line, len), EVENT_READ);
    ck_assert_mem_eq(&entry, &again, sizeof entry);
    char longer[EVENT_LINE_MAX + 2];
    memset(longer, ' ', sizeof longer);
    ck_assert_int_eq(event_read(&again, longer, sizeof longer), EVENT_NOT_READ);
}
END_TEST

START_TEST(missing_memory_is_told_apart)
{
    struct event_entry entry;
    for (unsigned at = 1;; at++) {
        bool failed;
        failing_alloc_arm(at, false);
        failing_alloc_enter();
        const enum event_read read = event_read(&entry, lines[0], strlen(lines[0]));
        failing_alloc_leave();
        (void)failing_alloc_disarm(&failed);
        ck_assert_int_eq(read, failed ? EVENT_READ_NO_MEMORY : EVENT_READ);
        if (!failed)
            break;
    }
}
END_TEST

Suite *entries_suite(void)
{
    Suite *suite = suite_create("entries");
    TCase *cases = tcase_create("all");
    tcase_add_loop_test(cases, what_is_read_is_written_the_same, 0, LINES);
    tcase_add_loop_test(cases, there_is_one_form_only, 0, LINES);
    tcase_add_loop_test(cases, other_members_are_read_too, 0,
                        (int)(sizeof others / sizeof others[0]));
    tcase_add_loop_test(cases, what_is_no_entry_is_not_read, 0,
                        (int)(sizeof wrong / sizeof wrong[0]));
    tcase_add_test(cases, the_longest_entry_has_a_line);
    tcase_add_test(cases, missing_memory_is_told_apart);
    suite_add_tcase(suite, cases);
    return suite;
}
