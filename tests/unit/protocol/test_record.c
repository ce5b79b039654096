#include "suites.h"
#include <protocol/record.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define HASH_A "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
#define HASH_B "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
#define NONCE  "0123456789abcdef0123456789abcdef"

static const char WHOLE[] = "[Format \"taluva-record 1\"]\n"                      /* 1 */
                            "[Server \"taluvad 1.0.0\"]\n"                        /* 2 */
                            "[Room \"k3m9x0aq\"]\n"                               /* 3 */
                            "[Game \"taluva\"]\n"                                 /* 4 */
                            "[Title \"Friday, \\\"the\\\" \\\\ \xe6\x98\x8e\"]\n" /* 5 */
                            "[Start \"2026-02-28T23:59:59.999Z\"]\n"              /* 6 */
                            "[End \"2026-03-01T00:00:00.000Z\"]\n"                /* 7 */
                            "[Clock \"fischer bank_s=600 increment_s=10 on_timeout=eliminate\"]\n"
                            "[Option.preset \"ferti-2014\"]\n"  /* 9 */
                            "[Option.tiles \"48\"]\n"           /* 10 */
                            "[Seat.0.name \"Ana\"]\n"           /* 11 */
                            "[Seat.0.colour \"red\"]\n"         /* 12 */
                            "[Seat.0.nonce \"" NONCE "\"]\n"    /* 13 */
                            "[Seat.1.name \"Bo\"]\n"            /* 14 */
                            "[Seat.1.colour \"white\"]\n"       /* 15 */
                            "[Seat.1.bot \"yes\"]\n"            /* 16 */
                            "[Seat.1.level \"simple\"]\n"       /* 17 */
                            "[Seat.1.nonce \"\"]\n"             /* 18 */
                            "[Commitment \"" HASH_A "\"]\n"     /* 19 */
                            "[Secret \"" HASH_B "\"]\n"         /* 20 */
                            "[Deal.deck \"JC LS RR\"]\n"        /* 21 */
                            "[Deal.first \"0\"]\n"              /* 22 */
                            "[Result.why \"last-standing\"]\n"  /* 23 */
                            "[Result.winners \"0\"]\n"          /* 24 */
                            "\n"                                /* 25 */
                            "1. 0 JC@0,0:0 hut@1,0 {12.345}\n"  /* 26 */
                            "2. 1 LS@2,-1:4 hut@3,-1 {0.007}\n" /* 27 */
                            "- paused\n"                        /* 28 */
                            "3. 0 RR@-1,0:3 none\n"             /* 29 */
                            "- 1 resigned\n";                   /* 30 */

static bool parse(struct record *record, const char *text, struct record_problem *problem)
{
    return record_parse(record, text, strlen(text), problem);
}

START_TEST(test_whole)
{
    struct record record;
    struct record_problem problem;
    ck_assert_msg(parse(&record, WHOLE, &problem), "%zu: %s", problem.line, problem.message);
    ck_assert_str_eq(record.room, "k3m9x0aq");
    ck_assert_str_eq(record.server, "taluvad 1.0.0");
    ck_assert_str_eq(record.title, "Friday, \"the\" \\ \xe6\x98\x8e");
    ck_assert_int_eq(record.end_ms - record.start_ms, 1);
    ck_assert_int_eq(record.end_ms, INT64_C(1772323200000));
    ck_assert_int_eq(record.clock.kind, PROTOCOL_CLOCK_FISCHER);
    ck_assert_uint_eq(record.clock.bank_s, 600);
    ck_assert_str_eq(record_find(record.options, record.option_count, "tiles"), "48");
    ck_assert_ptr_null(record_find(record.options, record.option_count, "tile"));
    ck_assert_uint_eq(record.seat_count, 2);
    ck_assert_str_eq(record.seats[0].name, "Ana");
    ck_assert(!record.seats[0].bot && record.seats[1].bot);
    ck_assert_ptr_null(record.seats[0].level);
    ck_assert_str_eq(record.seats[1].level, "simple");
    ck_assert_str_eq(record.seats[0].nonce, NONCE);
    ck_assert_str_eq(record.seats[1].nonce, "");
    ck_assert_str_eq(record.secret, HASH_B);
    ck_assert_uint_eq(record.deal_count, 2);
    ck_assert_uint_eq(record.result_count, 2);
    ck_assert_uint_eq(record.line_count, 5);
    ck_assert_uint_eq(record.lines[1].number, 2);
    ck_assert_uint_eq(record.lines[1].seat, 1);
    ck_assert_str_eq(record.lines[1].text, "LS@2,-1:4 hut@3,-1");
    ck_assert_int_eq(record.lines[1].spent_ms, 7);
    ck_assert_uint_eq(record.lines[2].number, 0);
    ck_assert_uint_eq(record.lines[2].seat, RECORD_NO_SEAT);
    ck_assert_int_eq(record.lines[3].spent_ms, RECORD_NO_TIME);
    ck_assert_uint_eq(record.lines[4].seat, 1);
    ck_assert_str_eq(record.lines[4].text, "resigned");

    struct buffer out;
    buffer_init(&out, 0, RECORD_BYTES);
    ck_assert(record_write(&out, &record));
    ck_assert_uint_eq(out.len, sizeof WHOLE - 1);
    ck_assert_mem_eq(buffer_payload(&out), WHOLE, out.len);
    buffer_release(&out);
    record_release(&record);
    record_release(&record);
}
END_TEST

/* The smallest record: a room that has not begun and has no seats. */
START_TEST(test_least)
{
    static const char LEAST[] = "[Format \"taluva-record 1\"]\n[Server \"\"]\n[Room \"00000000\"]\n"
                                "[Game \"g\"]\n[Clock \"none\"]\n[Commitment \"" HASH_A "\"]\n\n";
    struct record record;
    struct record_problem problem;
    ck_assert_msg(parse(&record, LEAST, &problem), "%zu: %s", problem.line, problem.message);
    ck_assert_ptr_null(record.title);
    ck_assert_ptr_null(record.secret);
    ck_assert_int_eq(record.start_ms, RECORD_NO_TIME);
    ck_assert_uint_eq(record.line_count, 0);
    record_release(&record);
}
END_TEST

/* As the C library writes it, both ways. */
static void expect_time(int64_t time_ms)
{
    static const char format[] = "[Start \"%Y-%m-%dT%H:%M:%S";
    struct record_seat seat = {.name = "Ana"};
    struct record record = {.room = "k3m9x0aq",
                            .game = "g",
                            .server = "",
                            .start_ms = time_ms,
                            .end_ms = RECORD_NO_TIME,
                            .commitment = HASH_A,
                            .seats = &seat,
                            .seat_count = 1};
    struct record_problem problem;
    struct buffer out;
    struct tm date;
    char want[64];
    time_t seconds = (time_t)(time_ms / 1000);
    size_t len = strftime(want, sizeof want, format, gmtime_r(&seconds, &date));
    (void)snprintf(want + len, sizeof want - len, ".%03dZ\"]\n", (int)(time_ms % 1000));
    buffer_init(&out, 0, RECORD_BYTES);
    if (!record_write(&out, &record))
        ck_abort_msg("%s is not written", want);
    buffer_append_byte(&out, '\0');
    if (!strstr(buffer_payload(&out), want))
        ck_abort_msg("%s instead of %s", buffer_payload(&out), want);
    if (!record_parse(&record, buffer_payload(&out), out.len - 1, &problem))
        ck_abort_msg("%s: %s", want, problem.message);
    if (record.start_ms != time_ms)
        ck_abort_msg("%s is read as %lld", want, (long long)record.start_ms);
    record_release(&record);
    buffer_release(&out);
}

/* Every day of some years, with and without a 29th of February, and days of all the others. */
START_TEST(test_times)
{
    static const struct {
        int64_t first_day, days, step;
    } ROWS[] = {{0, 3 * 365, 1}, {10592, 5 * 366, 1}, {47000, 2 * 365, 1}, {0, 2932896, 53}};
    const int64_t day_ms = 86400000;
    for (int64_t i = 0; i < ROWS[_i].days; i += ROWS[_i].step)
        expect_time((ROWS[_i].first_day + i) * day_ms + i * 7654321 % day_ms);
    expect_time(0);
    expect_time(INT64_C(253402300799999));
}
END_TEST

/* WHOLE with `header` behind the game. The caller frees it. */
static char *with_header(const char *header)
{
    static const char GAME[] = "[Game \"taluva\"]\n";
    const char *rest = strstr(WHOLE, GAME) + strlen(GAME);
    char *text = malloc(sizeof WHOLE + strlen(header));
    ck_assert_ptr_nonnull(text);
    snprintf(text, sizeof WHOLE + strlen(header), "%.*s%s%s", (int)(rest - WHOLE), WHOLE, header,
             rest);
    return text;
}

/* The header is optional: records from before it are read and written without it. */
START_TEST(test_rules)
{
    static const struct {
        const char *header;
        unsigned rules;
    } ROWS[] = {
        {"", 0}, {"[Rules \"1\"]\n", 1}, {"[Rules \"12\"]\n", 12}, {"[Rules \"9999\"]\n", 9999}};
    char *text = with_header(ROWS[_i].header);
    struct record record;
    struct record_problem problem;
    struct buffer out;
    ck_assert_msg(parse(&record, text, &problem), "%zu: %s", problem.line, problem.message);
    ck_assert_uint_eq(record.rules, ROWS[_i].rules);
    buffer_init(&out, 0, RECORD_BYTES);
    ck_assert(record_write(&out, &record));
    ck_assert_uint_eq(out.len, strlen(text));
    ck_assert_mem_eq(buffer_payload(&out), text, out.len);
    record.rules = 10000;
    ck_assert(!record_write(&out, &record));
    buffer_release(&out);
    record_release(&record);
    free(text);
}
END_TEST

START_TEST(test_bad_rules)
{
    static const char *const HEADERS[] = {
        "[Rules \"0\"]\n",   "[Rules \"01\"]\n", "[Rules \"10000\"]\n",
        "[Rules \"\"]\n",    "[Rules \"-1\"]\n", "[Rules \"1 \"]\n",
        "[Rules \"one\"]\n", "[Rules 1]\n",      "[Rules.x \"1\"]\n",
    };
    char *text = with_header(HEADERS[_i]);
    struct record record;
    struct record_problem problem;
    ck_assert_msg(!parse(&record, text, &problem), "%s", HEADERS[_i]);
    ck_assert_uint_eq(problem.line, 5);
    free(text);
}
END_TEST

/* WHOLE with one replacement, and the line that the error must name. */
static const struct {
    const char *old, *new;
    size_t line;
} CHANGES[] = {
    {"[Format \"taluva-record 1\"]\n", "", 1},
    {"taluva-record 1", "taluva-record 2", 1},
    {"[Server \"taluvad 1.0.0\"]\n", "", 2},
    {"[Room \"k3m9x0aq\"]\n", "", 3},
    {"[Game \"taluva\"]\n", "", 4},
    {"k3m9x0aq", "k3m9x0ai", 3},
    {"[Game \"taluva\"]", "[Game \"Taluva\"]", 4},
    {"[Game \"taluva\"]", "[game \"taluva\"]", 4},
    {"[Game \"taluva\"]", "[Game \"taluva\"", 4},
    {"[Game \"taluva\"]", "[Game taluva]", 4},
    {"[Game \"taluva\"]", "[Game \"taluva\"] ", 4},
    {"[Game \"taluva\"]", "[Game  \"taluva\"]", 4},
    {"[Game \"taluva\"]", " [Game \"taluva\"]", 4},
    {"[Game \"taluva\"]", "[Game \"tal\\uva\"]", 4},
    {"[Game \"taluva\"]", "[Game \"taluva\\", 4},
    {"[Game \"taluva\"]\n", "[Game \"taluva\"]\r\n", 4},
    {"[Game \"taluva\"]\n", "[Game \"taluva\"]\n[Game \"taluva\"]\n", 5},
    {"[Game \"taluva\"]\n", "[Game \"taluva\"]\n[Extra \"x\"]\n", 5},
    {"[Start ", "[Rules \"1\"]\n[Start ", 5},
    {"[Game \"taluva\"]\n", "[Game \"taluva\"]\n[Rules \"1\"]\n[Rules \"1\"]\n", 6},
    {"Friday,", "Friday,\t", 5},
    {"Friday,", "Friday,\x7f", 5},
    {"Friday,", "Friday,\xff", 5},
    {"Friday,", "Friday,\xc2\x85", 5},
    {"Friday,", "Friday,\\", 5},
    {"2026-02-28T23", "2026-02-30T23", 6},
    {"2026-02-28T23", "2026-02-28T24", 6},
    {"2026-02-28T23", "2026-2-28T23", 6},
    {"2026-02-28T23", "02026-02-28T23", 6},
    {"2026-02-28T23", "1969-02-28T23", 6},
    {"2026-02-28T23", "2026-13-28T23", 6},
    {"59.999Z", "60.000Z", 6},
    {"59.999Z", "59.999", 6},
    {"59.999Z", "59Z", 6},
    {"59.999Z", "59.999Zx", 6},
    {"fischer bank_s", "fisher bank_s", 8},
    {" bank_s=600 increment_s=10", " increment_s=10 bank_s=600", 8},
    {" bank_s=600 increment_s=10", " bank_s=600", 8},
    {" bank_s=600", " bank_s=0600", 8},
    {" bank_s=600", " bank_s=604801", 8},
    {" bank_s=600", " bank_s=6000000000", 8},
    {" bank_s=600", " bank_s=-1", 8},
    {" bank_s=600", " bank_s=600 days=3", 8},
    {" bank_s=600", " bank_s=600 bank_s=600", 8},
    {" on_timeout=eliminate", "", 8},
    {" on_timeout=eliminate", " on_timeout=", 8},
    {" on_timeout=eliminate", " on_timeout=eliminate ", 8},
    {"[Option.preset ", "[Option. ", 9},
    {"[Option.preset ", "[Option.Preset ", 9},
    {"[Option.preset ", "[Option.9 ", 9},
    {"[Option.preset ", "[Option.tiles ", 10},
    {"[Option.tiles ", "[Seat.1.tiles ", 10},
    {"[Option.tiles \"48\"]\n", "[Option.tiles \"48\"]\n[Title \"x\"]\n", 5},
    {"[Seat.0.name \"Ana\"]\n", "", 11},
    {"[Seat.0.", "[Seat.00.", 11},
    {"[Seat.0.name", "[Seat.16.name", 11},
    {"[Seat.0.name", "[Seat.2.name", 11},
    {"[Seat.0.name", "[Seat..name", 11},
    {"[Seat.0.colour \"red\"", "[Seat.0.colour \"Red\"", 12},
    {"[Seat.0.colour \"red\"", "[Seat.0.color \"red\"", 12},
    {"[Seat.0.nonce \"0", "[Seat.0.nonce \"A", 13},
    {"[Seat.0.nonce \"0", "[Seat.0.nonce \"g", 13},
    {"[Seat.1.bot \"yes\"]", "[Seat.1.bot \"no\"]", 16},
    {"[Seat.1.level \"simple\"]", "[Seat.1.level \"Simple\"]", 17},
    {"[Seat.1.bot \"yes\"]\n", "", 16},
    {"[Commitment \"6", "[Commitment \"F", 19},
    {"[Commitment \"6", "[Commitment \"", 19},
    {"[Commitment \"" HASH_A "\"]\n", "", 19},
    {"[Secret \"0", "[Secret \"00", 20},
    {"[Deal.first \"0\"]\n[Result.why \"last-standing\"]\n",
     "[Result.why \"last-standing\"]\n[Deal.first \"0\"]\n", 22},
    {"\"0\"]\n\n1. ", "\"0\"]\n1. ", 25},
    {"\"0\"]\n\n1. ", "\"0\"]\n\n\n1. ", 26},
    {"\n1. 0", "\n0. 0", 26},
    {"\n1. 0", "\n2. 0", 26},
    {"\n1. 0", "\n01. 0", 26},
    {"\n1. 0", "\n1.0", 26},
    {"\n1. 0", "\n1. 16", 26},
    {"\n1. 0", "\n1. 00", 26},
    {"\n1. 0", "\n1.  0", 26},
    {"\n1. 0", "\n-1. 0", 26},
    {"\n1. 0", "\n99999999999999999999. 0", 26},
    {"\n1. 0 JC", "\n1. 0  JC", 26},
    {"hut@1,0 {", "hut@1,0  {", 26},
    {"hut@1,0 {", "hut@1,0{", 26},
    {"hut@1,0 {", "h\xc3\xbct {", 26},
    {"{12.345}", "{12.345} ", 26},
    {"{12.345}", "{12.35}", 26},
    {"{12.345}", "{012.345}", 26},
    {"{12.345}", "{.345}", 26},
    {"{12.345}", "{12}", 26},
    {"{12.345}", "{12.345", 26},
    {"{12.345}", "12.345}", 26},
    {"{12.345}", "{99999999999999.345}", 26},
    {"\n2. 1", "\n3. 1", 27},
    {"- paused", "- Paused", 28},
    {"- paused", "-paused", 28},
    {"- paused", "- ", 28},
    {"- paused", "-  paused", 28},
    {"- paused", "- paused ", 28},
    {"- paused", "- paused {1.000}", 28},
    {"- 1 resigned", "- 16 resigned", 30},
    {"- 1 resigned", "- 01 resigned", 30},
    {"- 1 resigned", "- 1", 30},
    {"- 1 resigned\n", "- 1 resigned", 30},
    {"- 1 resigned\n", "- 1 resigned\n\n", 31},
    {"- 1 resigned\n", "- 1 resigned\n[Title \"x\"]\n", 31},
};

START_TEST(test_refused)
{
    char text[4096];
    const char *at = strstr(WHOLE, CHANGES[_i].old);
    ck_assert_ptr_nonnull(at);
    size_t before = (size_t)(at - WHOLE);
    memcpy(text, WHOLE, before);
    strcpy(text + before, CHANGES[_i].new);
    strcat(text, at + strlen(CHANGES[_i].old));

    struct record record;
    struct record_problem problem;
    ck_assert_msg(!parse(&record, text, &problem), "accepted");
    ck_assert_msg(problem.line == CHANGES[_i].line, "line %zu: %s", problem.line, problem.message);
    ck_assert_ptr_nonnull(problem.message);
    ck_assert_ptr_null(record.memory);
}
END_TEST

/* A truncated record is refused, unless it ends after a line of the body. */
START_TEST(test_every_prefix)
{
    size_t body = (size_t)(strstr(WHOLE, "\n\n") - WHOLE) + 2;
    for (size_t len = 0; len < sizeof WHOLE - 1; len++) {
        struct record record;
        struct record_problem problem;
        bool whole_lines = len > 0 && len >= body && WHOLE[len - 1] == '\n';
        ck_assert_msg(record_parse(&record, WHOLE, len, &problem) == whole_lines, "%zu", len);
        record_release(&record);
    }
}
END_TEST

/* With any one byte changed it is refused, or written again unchanged. */
START_TEST(test_every_byte)
{
    struct buffer out;
    buffer_init(&out, 0, RECORD_BYTES);
    char text[sizeof WHOLE];
    size_t accepted = 0;
    memcpy(text, WHOLE, sizeof WHOLE);
    for (size_t at = 0; at < sizeof WHOLE - 1; at++) {
        for (int byte = (int)(at % 3); byte < 256; byte += 3) {
            struct record record;
            struct record_problem problem;
            text[at] = (char)byte;
            if (!record_parse(&record, text, sizeof WHOLE - 1, &problem))
                continue;
            buffer_clear(&out);
            ck_assert(record_write(&out, &record));
            ck_assert_uint_eq(out.len, sizeof WHOLE - 1);
            ck_assert_mem_eq(buffer_payload(&out), text, out.len);
            record_release(&record);
            accepted++;
        }
        text[at] = WHOLE[at];
    }
    ck_assert_uint_gt(accepted, 1000); /* other names, other numbers, ... */
    buffer_release(&out);
}
END_TEST

static const struct record BASE = {
    .room = "k3m9x0aq",
    .game = "taluva",
    .server = "taluvad 1.0.0",
    .start_ms = RECORD_NO_TIME,
    .end_ms = RECORD_NO_TIME,
    .commitment = HASH_A,
};

static bool writes(const struct record *record)
{
    struct buffer out;
    buffer_init(&out, 0, (size_t)2 * RECORD_BYTES);
    buffer_append_string(&out, "before");
    bool fine = record_write(&out, record);
    if (!fine)
        ck_assert_uint_eq(out.len, 6);
    ck_assert_mem_eq(buffer_payload(&out), "before", 6);
    buffer_release(&out);
    return fine;
}

/* What a server must not write comes back as false, with nothing appended. */
START_TEST(test_writer_refuses)
{
    ck_assert(writes(&BASE));
    struct record record = BASE;
    record.room = "x";
    ck_assert(!writes(&record));

    record = BASE;
    record.title = "two\nlines";
    ck_assert(!writes(&record));

    record = BASE;
    record.start_ms = INT64_C(253402300799999);
    ck_assert(writes(&record));
    record.start_ms++;
    ck_assert(!writes(&record));

    static const struct record_line LINES[] = {
        {1, 0, "a b", RECORD_NO_TIME},
        {2, 15, "a", 0},
        {0, 15, "resigned", RECORD_NO_TIME},
        {3, 16, "a", 0},
        {3, 0, "a {b", 0},
        {3, 0, "a", -2},
        {0, 3, "Resigned", RECORD_NO_TIME},
    };
    for (size_t i = 0; i < sizeof LINES / sizeof LINES[0]; i++) {
        struct record_line lines[] = {LINES[0], LINES[1], LINES[2], LINES[i]};
        record = BASE;
        record.lines = lines;
        record.line_count = i < 3 ? i + 1 : 4;
        ck_assert_msg(writes(&record) == (i < 3), "%zu", i);
    }

    static const struct record_pair TWICE[] = {{"a", "1"}, {"b", "2"}, {"a", "3"}};
    record = BASE;
    record.deal = TWICE;
    record.deal_count = 2;
    ck_assert(writes(&record));
    record.deal_count = 3;
    ck_assert(!writes(&record));

    static const struct record_seat SEATS[] = {{.name = NULL}, {.name = "Bo"}, {.nonce = ""}};
    record = BASE;
    record.seats = SEATS;
    record.seat_count = 2;
    ck_assert(writes(&record));
    record.seat_count = 3;
    ck_assert(!writes(&record));
}
END_TEST

START_TEST(test_too_long)
{
    static char text[RECORD_BYTES + 1];
    struct record record;
    struct record_problem problem;
    memset(text, '\n', sizeof text);
    ck_assert(!record_parse(&record, text, sizeof text, &problem));
    ck_assert_uint_eq(problem.line, 0);
    ck_assert(!record_parse(&record, text, RECORD_BYTES, &problem));
    ck_assert_uint_eq(problem.line, 0);
    memset(text, 'x', sizeof text);
    ck_assert(!record_parse(&record, text, RECORD_BYTES, &problem));
    ck_assert_uint_eq(problem.line, 1);
}
END_TEST

/* 1970 to 9999, a day and a bit at a time: the calendar there and back. */
START_TEST(test_calendar)
{
    struct buffer out;
    buffer_init(&out, 0, RECORD_BYTES);
    for (int64_t time_ms = 0; time_ms < INT64_C(253402300800000); time_ms += INT64_C(8765432101)) {
        struct record record = BASE, back;
        struct record_problem problem;
        record.start_ms = time_ms;
        buffer_clear(&out);
        ck_assert(record_write(&out, &record));
        ck_assert(record_parse(&back, buffer_payload(&out), out.len, &problem));
        ck_assert_int_eq(back.start_ms, time_ms);
        record_release(&back);
    }
    buffer_release(&out);
}
END_TEST

Suite *record_suite(void)
{
    Suite *suite = suite_create("record");
    TCase *tests = tcase_create("record");
    tcase_add_test(tests, test_whole);
    tcase_add_test(tests, test_least);
    tcase_add_loop_test(tests, test_times, 0, 4);
    tcase_add_loop_test(tests, test_rules, 0, 4);
    tcase_add_loop_test(tests, test_bad_rules, 0, 9);
    tcase_add_loop_test(tests, test_refused, 0, sizeof CHANGES / sizeof CHANGES[0]);
    tcase_add_test(tests, test_every_prefix);
    tcase_add_test(tests, test_every_byte);
    tcase_add_test(tests, test_writer_refuses);
    tcase_add_test(tests, test_too_long);
    tcase_add_test(tests, test_calendar);
    tcase_set_timeout(tests, 60);
    suite_add_tcase(suite, tests);
    return suite;
}
