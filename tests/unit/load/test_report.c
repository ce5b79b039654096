/* What a run has counted, added up, judged, and told. */
#include "report.h"
#include <check.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

Suite *report_suite(void);

/* Another number for every count of a run. */
static void fill(struct stats *stats, uint64_t times)
{
    memset(stats, 0, sizeof *stats);
    uint64_t *const counts[] = {&stats->moves,          &stats->moves_sent, &stats->games_started,
                                &stats->games_over,     &stats->pushes,     &stats->push_bytes,
                                &stats->messages,       &stats->bytes,      &stats->sent_bytes,
                                &stats->states_checked, &stats->connects,   &stats->resumes,
                                &stats->pushes_in_place};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        *counts[i] = times * (100 + i);
    for (size_t i = 0; i < FAILURES; i++)
        stats->failures[i] = times * (i + 1);
    for (uint64_t i = 0; i < times; i++) {
        histogram_record(&stats->acknowledged, 1000);
        histogram_record(&stats->delivered, 1500);
        histogram_record(&stats->push_size, 300);
        histogram_record(&stats->resume_size, 900);
    }
}

START_TEST(stats_add_up)
{
    static struct stats one, two, three;
    fill(&one, 1);
    fill(&two, 2);
    fill(&three, 3);
    stats_add(&two, &one);
    ck_assert_mem_eq(&two, &three, sizeof two);
    ck_assert_uint_eq(stats_failures(&one), FAILURES * (FAILURES + 1) / 2);
}
END_TEST

/* ---- what is printed */

static struct stats stats;
static struct options options;
static struct report report;

static void setup(void)
{
    fill(&stats, 1);
    memset(stats.failures, 0, sizeof stats.failures);
    stats.pushes_in_place = 0;
    stats.moves = 500;
    stats.bytes = 2500000;
    stats.sent_bytes = 1200000;
    memset(&options, 0, sizeof options);
    report = (struct report){
        .options = &options,
        .stats = &stats,
        .seconds = 4,
        .driver_before = {.cpu_us = 1000000, .resident_kib = 1, .peak_kib = 1},
        .driver_after = {.cpu_us = 3000000, .resident_kib = 2048, .peak_kib = 3072},
        .server_before = {.cpu_us = 500000},
        .server_after = {.cpu_us = 1500000, .resident_kib = 10240, .peak_kib = 20480},
    };
}

/* What `print` writes to this stream. */
static const char *printed(FILE *stream, void (*print)(const struct report *report))
{
    static char text[8192];
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    (void)fflush(stream);
    int kept = dup(fileno(stream));
    ck_assert_int_ge(dup2(fileno(file), fileno(stream)), 0);
    print(&report);
    (void)fflush(stream);
    ck_assert_int_ge(dup2(kept, fileno(stream)), 0);
    (void)close(kept);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    (void)fclose(file);
    return text;
}

#define LATENCIES                                                                                  \
    "latency, ms       count       p50       p90       p99     p99.9       max\n"                  \
    "acknowledged          1     1.000     1.000     1.000     1.000     1.000\n"                  \
    "delivered             1     1.500     1.500     1.500     1.500     1.500\n\n"                \
    "push of a move: median 300 bytes, p99 300; received 2.5 MB, sent 1.2 MB\n"

START_TEST(table)
{
    stats.resumes = 1;
    ck_assert_str_eq(
        printed(stdout, report_table),
        "4.0 s: 500 moves, 125 per second; 102 games begun, 103 over\n\n" LATENCIES
        "resumed 1 times, median 900 bytes, p99 900\n\n"
        "driver            50.0 % of a core   4000.00 us per move       2.0 MiB resident       "
        "3.0 MiB peak\n"
        "\nchecked 104 pushes, 109 whole states; failures: none\n");
    report.has_server = true;
    stats.resumes = 0;
    stats.failures[FAILURE_GAP] = 2;
    stats.failures[FAILURE_OVERRUN] = 1;
    ck_assert_str_eq(
        printed(stdout, report_table),
        "4.0 s: 500 moves, 125 per second; 102 games begun, 103 over\n\n" LATENCIES "\n"
        "server            25.0 % of a core   2000.00 us per move      10.0 MiB resident      "
        "20.0 MiB peak\n"
        "driver            50.0 % of a core   4000.00 us per move       2.0 MiB resident       "
        "3.0 MiB peak\n"
        "\nchecked 104 pushes, 109 whole states; failures: gap 2 overrun 1\n");
    stats.pushes_in_place = 100;
    ck_assert_ptr_nonnull(strstr(printed(stdout, report_table),
                                 "\nchecked 4 pushes, 109 whole states; 100 pushes were not "
                                 "checked but for their order; failures: gap 2 overrun 1\n"));
}
END_TEST

/* From 1 to 1000, and one far above. */
START_TEST(percentiles_are_told_apart)
{
    histogram_reset(&stats.acknowledged);
    for (uint64_t i = 1; i < 1000; i++)
        histogram_record(&stats.acknowledged, i);
    histogram_record(&stats.acknowledged, 5000);
    ck_assert_ptr_nonnull(
        strstr(printed(stdout, report_table),
               "acknowledged       1000     0.500     0.900     0.990     0.999     5.000\n"));
    const char *text = printed(stdout, report_json);
    ck_assert_ptr_nonnull(strstr(text,
                                 "\"acknowledged_us\":{\"count\":1000,\"p50\":500,\"p90\":900,"
                                 "\"p99\":990,\"p99.9\":999,\"max\":5000,"
                                 "\"mean\":504.5}"));
}
END_TEST

/* The latencies and the sizes come in between, and what is said of the server at the end. */
static const char json_text[] =
    "{\"seconds\":4.0,\"moves\":500,\"moves_per_s\":125.0,\"games_started\":102,\"games_over\":103,"
    "\"acknowledged_us\":%s,\"delivered_us\":%s,\"push_bytes\":%s,\"resume_bytes\":%s,"
    "\"resumes\":111,\"received_bytes\":2500000,\"sent_bytes\":1200000,\"pushes_checked\":%d,"
    "\"pushes_in_place\":%d,\"states_checked\":109,\"failures\":{\"refused\":0,\"gap\":3,"
    "\"differs\":0,\"malformed\":0,"
    "\"cut\":0,\"connect\":0,\"overrun\":0},\"driver\":{\"cpu_us\":2000000,\"core_percent\":50.0,"
    "\"cpu_us_per_move\":4000.0,\"resident_kib\":2048,\"peak_kib\":3072}%s}";

static const char *latency(int value, char text[128])
{
    (void)snprintf(text, 128,
                   "{\"count\":1,\"p50\":%d,\"p90\":%d,\"p99\":%d,\"p99.9\":%d,\"max\":%d,"
                   "\"mean\":%d.0}",
                   value, value, value, value, value, value);
    return text;
}

static void expect_json(const char *server)
{
    char want[4096], latencies[4][128];
    json_error_t error;
    (void)snprintf(want, sizeof want, json_text, latency(1000, latencies[0]),
                   latency(1500, latencies[1]), latency(300, latencies[2]),
                   latency(900, latencies[3]), 104 - (int)stats.pushes_in_place,
                   (int)stats.pushes_in_place, server);
    json_t *is = json_loads(printed(stdout, report_json), 0, &error);
    json_t *wanted = json_loads(want, 0, &error);
    ck_assert_msg(wanted, "%s", error.text);
    char *text = json_dumps(is, 0);
    ck_assert_msg(json_equal(is, wanted), "%s\ninstead of %s", text, want);
    free(text);
    json_decref(is);
    json_decref(wanted);
}

START_TEST(json)
{
    stats.failures[FAILURE_GAP] = 3;
    expect_json("");
    stats.pushes_in_place = 90;
    expect_json("");
    report.has_server = true;
    expect_json(",\"server\":{\"cpu_us\":1000000,\"core_percent\":25.0,\"cpu_us_per_move\":2000.0,"
                "\"resident_kib\":10240,\"peak_kib\":20480}");
}
END_TEST

/* Nothing was moved and nothing recorded. */
START_TEST(nothing_happened)
{
    memset(&stats, 0, sizeof stats);
    const char *text = printed(stdout, report_json);
    ck_assert_ptr_null(strstr(text, "nan"));
    ck_assert_ptr_null(strstr(text, "inf"));
    ck_assert_ptr_nonnull(strstr(text, "\"cpu_us_per_move\":0.0"));
    ck_assert_ptr_nonnull(strstr(text, "\"mean\":0.0"));
}
END_TEST

START_TEST(one_move)
{
    stats.moves = 1;
    ck_assert_ptr_null(strstr(printed(stdout, report_json), "\"cpu_us_per_move\":0.0"));
}
END_TEST

/* ---- the judgement */

static unsigned judged;

static void judge(const struct report *whole)
{
    judged = report_judge(whole);
}

static const struct {
    double max_p99_ms, max_p999_ms, min_rate_per_s;
    uint64_t failures;
    unsigned missed;
    const char *said;
} verdicts[] = {
    {0, 0, 0, 0, 0, ""},
    {1.5, 1.5, 125, 0, 0, ""},
    {1.25, 2, 100, 0, 1, "taluva-load: p99, ms, is 1.500, wanted 1.250\n"},
    {2, 1.25, 100, 0, 1, "taluva-load: p99.9, ms, is 1.500, wanted 1.250\n"},
    {2, 2, 126, 0, 1, "taluva-load: moves per second is 125.000, wanted 126.000\n"},
    {2, 2, 100, 5, 1, ""},
    {1, 0, 126, 5, 3,
     "taluva-load: p99, ms, is 1.500, wanted 1.000\n"
     "taluva-load: moves per second is 125.000, wanted 126.000\n"},
};

START_TEST(judges)
{
    options.max_p99_ms = verdicts[_i].max_p99_ms;
    options.max_p999_ms = verdicts[_i].max_p999_ms;
    options.min_rate_per_s = verdicts[_i].min_rate_per_s;
    stats.failures[FAILURE_CUT] = verdicts[_i].failures;
    ck_assert_str_eq(printed(stderr, judge), verdicts[_i].said);
    ck_assert_uint_eq(judged, verdicts[_i].missed);
}
END_TEST

/* ---- progress */

static const struct {
    double part, left_s;
    const char *said;
} moments[] = {
    {0, -1,
     "\rramp up  [....................]      250 moves/s  p99    2.50 ms  7 games  5 errors"
     "\033[K"},
    {0.5, 12.2,
     "\rramp up  [##########..........]      250 moves/s  p99    2.50 ms  7 games  5 errors"
     "   12 s left\033[K"},
    {1, 0,
     "\rramp up  [####################]      250 moves/s  p99    2.50 ms  7 games  5 errors"
     "    0 s left\033[K"},
};
static size_t moment;

static void progress(const struct report *unused)
{
    const struct worker workers[] = {
        {.last = {.p99_us = 1000, .failures = 2, .games_over = 4}},
        {.last = {.p99_us = 2500, .failures = 3, .games_over = 3}},
        {.last = {.p99_us = 1500}},
    };
    (void)unused;
    report_progress(workers, 3, "ramp up", moments[moment].part, moments[moment].left_s, 250);
}

static void progress_end(const struct report *unused)
{
    (void)unused;
    report_progress_end();
}

/* The failures and games of all processes, and the slowest one. */
START_TEST(progress_is_shown)
{
    moment = (size_t)_i;
    ck_assert_str_eq(printed(stderr, progress), moments[_i].said);
    ck_assert_str_eq(printed(stderr, progress_end), "\r\033[K");
}
END_TEST

/* ---- what processes cost */

START_TEST(usage_is_read)
{
    struct usage self, same;
    static volatile char used[8 << 20];
    int lowest = dup(0);
    (void)close(lowest);
    for (size_t i = 0; i < sizeof used; i += 512)
        used[i] = 1;
    while (clock() < CLOCKS_PER_SEC / 20) /* more than a tick of the processor's time */
        used[0]++;
    ck_assert(usage_of_self(&self));
    ck_assert_uint_ge(self.cpu_us, 10000);
    ck_assert_uint_le(self.cpu_us,
                      1000000ULL * (unsigned long long)clock() / CLOCKS_PER_SEC + 20000);
    ck_assert_uint_ge(self.resident_kib, sizeof used / 1024);
    ck_assert_uint_ge(self.peak_kib, self.resident_kib);
    ck_assert(usage_of_process(&same, getpid()));
    ck_assert_uint_ge(same.cpu_us, self.cpu_us);
    ck_assert(!usage_of_process(&same, (pid_t)0x3fffffff));
    ck_assert_uint_eq(same.peak_kib, 0);
    int next = dup(0);
    ck_assert_int_eq(next, lowest); /* no file was left open */
    (void)close(next);
}
END_TEST

Suite *report_suite(void)
{
    Suite *suite = suite_create("report");
    TCase *tests = tcase_create("report");
    tcase_add_checked_fixture(tests, setup, NULL);
    tcase_add_test(tests, stats_add_up);
    tcase_add_test(tests, table);
    tcase_add_test(tests, percentiles_are_told_apart);
    tcase_add_test(tests, json);
    tcase_add_test(tests, nothing_happened);
    tcase_add_test(tests, one_move);
    tcase_add_loop_test(tests, judges, 0, sizeof verdicts / sizeof verdicts[0]);
    tcase_add_loop_test(tests, progress_is_shown, 0, sizeof moments / sizeof moments[0]);
    tcase_add_test(tests, usage_is_read);
    suite_add_tcase(suite, tests);
    return suite;
}
