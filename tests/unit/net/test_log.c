/* The log lines, and what net adds to /metrics. */
#define _GNU_SOURCE /* strptime */
#include "suites.h"

#include "log_limit.h"
#include "metrics.h"
#include <fcntl.h>
#include <net/clock.h>
#include <net/log.h>
#include <protocol/buffer.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static int pipes[2], stderr_before;
static char said[4 * LOG_LINE_MAX];

static void listen_to_log(void)
{
    ck_assert_int_eq(pipe(pipes), 0);
    ck_assert_int_eq(fcntl(pipes[0], F_SETFL, O_NONBLOCK), 0);
    stderr_before = dup(STDERR_FILENO);
    dup2(pipes[1], STDERR_FILENO);
    log_set_level(LOG_INFO);
}

static void stop_listening(void)
{
    dup2(stderr_before, STDERR_FILENO);
    close(stderr_before);
    close(pipes[0]);
    close(pipes[1]);
}

/* All output since the last call, without the time of its first line. */
static const char *heard(void)
{
    ssize_t len = read(pipes[0], said, sizeof said - 1);
    said[len > 0 ? len : 0] = '\0';
    if (len <= 0)
        return "";
    struct tm when = {0};
    char *end = strptime(said, "time=%Y-%m-%dT%H:%M:%S.", &when);
    ck_assert_msg(end, "%s", said);
    ck_assert_int_le(labs((long)(time(NULL) - timegm(&when))), 60);
    ck_assert_uint_eq(strspn(end, "0123456789"), 3);
    ck_assert_int_eq(strncmp(end + 3, "Z ", 2), 0);
    return end + 5;
}

static const struct {
    const char *value, *written;
} values[] = {
    {"a", "a"},
    {"http://[::1]:7400/ws,+@%_-.", "http://[::1]:7400/ws,+@%_-."},
    {"", "\"\""},
    {"two words", "\"two words\""},
    {"say \"no\"", "\"say \\\"no\\\"\""},
    {"a\\b", "\"a\\\\b\""},
    {"a=b", "\"a=b\""},
    {"one\ntwo\x1f\x7f", "\"one?two??\""},
    {"\xc3\xa9", "\"\xc3\xa9\""},
    {"a\xc2\x9b[2Jb\xc2\x80", "\"a?[2Jb?\""},
    {"\xc2\xa0\xc3\x80\xc2", "\"\xc2\xa0\xc3\x80\xc2\""},
};

START_TEST(test_value)
{
    char line[128];
    log_text(LOG_WARN, "fell", "why", values[_i].value);
    snprintf(line, sizeof line, "level=warn event=fell why=%s\n", values[_i].written);
    ck_assert_str_eq(heard(), line);
}
END_TEST

START_TEST(test_kinds_of_lines)
{
    log_event(LOG_INFO, "began");
    ck_assert_str_eq(heard(), "level=info event=began\n");
    log_number(LOG_ERROR, "lost", "ms", -7);
    ck_assert_str_eq(heard(), "level=error event=lost ms=-7\n");
    log_text_number(LOG_WARN, "few", "why", "full", "limit", 9223372036854775807);
    ck_assert_str_eq(heard(), "level=warn event=few why=full limit=9223372036854775807\n");
}
END_TEST

static void say_all(enum log_level level)
{
    log_event(level, "a");
    log_text(level, "a", "b", "c");
    log_number(level, "a", "b", 1);
    log_text_number(level, "a", "b", "c", "d", 1);
}

/* Each level includes the more severe ones. */
START_TEST(test_levels)
{
    static const char *const names[] = {"error", "warn", "info", "debug"};
    enum log_level found;
    for (int level = LOG_ERROR; level <= LOG_DEBUG; level++) {
        ck_assert_str_eq(log_level_name((enum log_level)level), names[level]);
        ck_assert(log_level_find(&found, names[level]));
        ck_assert_int_eq(found, level);
        log_set_level((enum log_level)level);
        for (int other = LOG_ERROR; other <= LOG_DEBUG; other++) {
            ck_assert_int_eq(log_enabled((enum log_level)other), other <= level);
            say_all((enum log_level)other);
            int lines = 0;
            for (const char *at = heard(); (at = strchr(at, '\n')); at++)
                lines++;
            ck_assert_int_eq(lines, other <= level ? 4 : 0);
        }
    }
    ck_assert(!log_level_find(&found, "loud"));
}
END_TEST

/* A line is cut, and still ends as one. */
START_TEST(test_long_line)
{
    char value[2 * LOG_LINE_MAX];
    memset(value, 'x', sizeof value - 1);
    value[sizeof value - 1] = '\0';
    log_text(LOG_INFO, "long", "why", value);
    const char *line = heard();
    size_t len = strlen(said);
    ck_assert_uint_eq(len, LOG_LINE_MAX);
    ck_assert_int_eq(said[len - 1], '\n');
    ck_assert_int_eq(strncmp(line, "level=info event=long why=xxx", 29), 0);
}
END_TEST

/* ---- a log that cannot be written */

/* A full disk loses lines; when there is room again the log says how many. */
START_TEST(test_lost_lines)
{
    const int full = open("/dev/full", O_WRONLY);
    dup2(full, STDERR_FILENO);
    for (int count = 0; count < 3; count++)
        log_event(LOG_INFO, "unheard");
    ck_assert_uint_eq(log_lines_lost(), 3);
    dup2(pipes[1], STDERR_FILENO);
    log_event(LOG_INFO, "heard");
    ck_assert_ptr_nonnull(strstr(heard(), "event=heard\n"));
    ck_assert_ptr_nonnull(strstr(said, "event=log_lines_lost count=3\n"));
    log_event(LOG_INFO, "again");
    ck_assert_str_eq(heard(), "level=info event=again\n");
    ck_assert_uint_eq(log_lines_lost(), 3);
    close(full);
}
END_TEST

/* A line of which only the beginning was written does not spoil the one after it. */
START_TEST(test_torn_line)
{
    char text[1024];
    FILE *file = tmpfile();
    struct rlimit limit;
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
    const struct rlimit small = {.rlim_cur = 20, .rlim_max = limit.rlim_max};
    dup2(fileno(file), STDERR_FILENO);
    setrlimit(RLIMIT_FSIZE, &small);
    log_event(LOG_INFO, "torn");
    log_event(LOG_INFO, "lost");
    setrlimit(RLIMIT_FSIZE, &limit);
    log_event(LOG_INFO, "whole");
    const ssize_t len = pread(fileno(file), text, sizeof text - 1, 0);
    ck_assert_int_gt(len, 21);
    text[len] = '\0';
    ck_assert_int_eq(strncmp(text + 20, "\ntime=", 6), 0);
    ck_assert_ptr_nonnull(strstr(text, "event=whole\ntime="));
    ck_assert_ptr_nonnull(strstr(text, "event=log_lines_lost count=2\n"));
    fclose(file);
}
END_TEST

/* ---- what would be logged again and again */

START_TEST(test_log_limit)
{
    struct log_limit limit = {0};
    int64_t unsaid = -1;
    ck_assert(log_limit_take(&limit, 0, &unsaid)); /* also when time begins */
    ck_assert_int_eq(unsaid, 0);
    ck_assert(!log_limit_take(&limit, 0, &unsaid));
    ck_assert(!log_limit_take(&limit, LOG_LIMIT_MS - 1, &unsaid));
    ck_assert(log_limit_take(&limit, LOG_LIMIT_MS, &unsaid));
    ck_assert_int_eq(unsaid, 2);
    ck_assert(!log_limit_take(&limit, 2 * LOG_LIMIT_MS - 1, &unsaid));
    ck_assert(log_limit_take(&limit, 2 * LOG_LIMIT_MS, &unsaid));
    ck_assert_int_eq(unsaid, 1);
}
END_TEST

/* ---- the clock says what it corrects */

START_TEST(test_clock_says)
{
    struct net_clock clock = {.offset_ms = 0, .read_ms = 1000, .watched = true};
    net_clock_at(&clock, 6000);
    ck_assert_str_eq(heard(), "level=warn event=stood_still ms=4750\n");
    net_clock_init(&clock);
    ck_assert_int_le(llabs((long long)(net_clock_ms(&clock) / 1000 - time(NULL))), 60);
    net_clock_begin_at(&clock, net_clock_ms(&clock) - 1000);
    net_clock_begin_at(&clock, net_clock_ms(&clock) - INT64_C(29) * 86400000);
    net_clock_begin_at(&clock, 0); /* nothing is stored yet */
    ck_assert_str_eq(heard(), "");
    net_clock_begin_at(&clock, net_clock_ms(&clock) - INT64_C(100) * 86400000);
    ck_assert_str_eq(heard(), "level=warn event=clock_far_ahead_of_store days=100\n");
    ck_assert_int_le(llabs((long long)net_clock_ahead_ms(&clock)), 60000);
    net_clock_begin_at(&clock, net_clock_ms(&clock) + 1000000000);
    ck_assert_int_eq(strncmp(heard(), "level=warn event=clock_behind_store ms=", 39), 0);
    /* From when it is watched on, and not before. */
    clock.read_ms = 0;
    net_clock_watch(&clock);
    ck_assert(clock.watched);
    ck_assert_int_gt(clock.read_ms, 0);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    ck_assert_int_le(llabs((long long)(net_clock_monotonic_us() / 1000000 - now.tv_sec)), 60);
}
END_TEST

/* What was left out while the server stood still, others have lived through: no clock is wrong. */
START_TEST(test_clock_made_up)
{
    struct net_clock clock;
    net_clock_init(&clock);
    net_clock_watch(&clock);
    net_clock_at(&clock, clock.read_ms + 8250);
    ck_assert_str_eq(heard(), "level=warn event=stood_still ms=8000\n");
    clock.watched = false; /* what follows is of one moment */
    net_clock_begin_at(&clock, net_clock_ms(&clock) + 5000);
    ck_assert_int_eq(strncmp(heard(), "level=info event=clock_made_up ms=", 34), 0);
    net_clock_begin_at(&clock, net_clock_ms(&clock) + 60000);
    ck_assert_int_eq(strncmp(heard(), "level=warn event=clock_behind_store ms=", 39), 0);
}
END_TEST

/* A clock that is corrected bit by bit, or a machine that slept, has not jumped. */
START_TEST(test_clock_jumps)
{
    struct net_clock clock = {0};
    net_clock_look_at(&clock, 1000000, 5000);
    net_clock_look_at(&clock, 1000250 + NET_CLOCK_JUMP_MS, 5250);
    net_clock_look_at(&clock, 9000500, 8005500);
    ck_assert_str_eq(heard(), "");
    ck_assert_int_eq(clock.jumps, 0);
    net_clock_look_at(&clock, 9000750 - 3600000, 8005750);
    ck_assert_str_eq(heard(), "level=warn event=clock_jumped ms=-3600000\n");
    net_clock_look_at(&clock, 9001000 - 3600000, 8006000);
    net_clock_look_at(&clock, 9001250 - 3600000 + NET_CLOCK_JUMP_MS + 1, 8006250);
    ck_assert_str_eq(heard(), "level=warn event=clock_jumped ms=1001\n");
    ck_assert_int_eq(clock.jumps, 2);
    ck_assert_int_eq(clock.jumped_ms, 1001);
    net_clock_look(&clock);
    net_clock_look(&clock);
    ck_assert_int_eq(clock.jumps, 3);
    heard();
}
END_TEST

/* ---- metrics */

START_TEST(test_metrics_page)
{
    char lost[96]; /* other tests of this process have lost some */
    snprintf(lost, sizeof lost,
             "# TYPE taluva_log_lines_lost_total counter\ntaluva_log_lines_lost_total %llu\n",
             (unsigned long long)log_lines_lost());
    const char *const lines[] = {
        "# TYPE taluva_http_sockets gauge\ntaluva_http_sockets 3\n",
        "# TYPE taluva_sockets_refused_total counter\n"
        "taluva_sockets_refused_total{why=\"address\"} 11\n"
        "taluva_sockets_refused_total{why=\"rate\"} 12\n"
        "taluva_sockets_refused_total{why=\"full\"} 13\n"
        "taluva_sockets_refused_total{why=\"files\"} 14\n"
        "taluva_sockets_refused_total{why=\"memory\"} 18\n",
        "# TYPE taluva_accept_failures_total counter\n"
        "taluva_accept_failures_total{of=\"players\"} 21\n"
        "taluva_accept_failures_total{of=\"operators\"} 22\n"
        "taluva_accept_failures_total{of=\"nodes\"} 23\n",
        lost,
        "# TYPE taluva_http_slow_down_total counter\ntaluva_http_slow_down_total 15\n",
        "# TYPE taluva_http_answer_bytes gauge\ntaluva_http_answer_bytes 5\n",
        "# TYPE taluva_http_slow_readers_total counter\ntaluva_http_slow_readers_total 17\n",
        "# TYPE taluva_tls_failures_total counter\ntaluva_tls_failures_total 16\n",
        "taluva_loop_turn_seconds_bucket{le=\"6.4e-05\"} 1\n",
        "taluva_loop_turn_seconds_bucket{le=\"0.000128\"} 3\n",
        "taluva_loop_turn_seconds_bucket{le=\"+Inf\"} 6\n",
        "taluva_loop_turn_seconds_sum 0.00125\ntaluva_loop_turn_seconds_count 6\n",
        "# TYPE taluva_loop_turn_longest_seconds gauge\ntaluva_loop_turn_longest_seconds 0.0005\n",
        "# TYPE taluva_stood_still_seconds_total counter\ntaluva_stood_still_seconds_total 4.75\n",
        "# TYPE taluva_store_checking gauge\ntaluva_store_checking 0\n",
        "# TYPE taluva_store_damage gauge\ntaluva_store_damage 1\n",
        "# TYPE taluva_store_check_failed gauge\ntaluva_store_check_failed 0\n",
    };
    const struct net_metrics metrics = {.refused = {11, 12, 13, 14, 18},
                                        .accept_failures = {21, 22},
                                        .slow_downs = 15,
                                        .slow_readers = 17,
                                        .tls_failures = 16,
                                        .turns = {1, 2, [TURN_BUCKETS - 1] = 3},
                                        .turns_us = 1250,
                                        .longest_us = 500};
    const struct net_gauges gauges = {.http_sockets = 3,
                                      .answer_bytes = 5,
                                      .stood_still_ms = 4750,
                                      .node_accept_failures = 23,
                                      .store = CHECKER_DAMAGED};
    struct buffer page;
    size_t len;
    buffer_init(&page, 0, 1 << 16);
    net_metrics_write(&metrics, &gauges, &page);
    buffer_append(&page, "", 1);
    char *text = buffer_detach(&page, &len);
    for (size_t at = 0; at < sizeof lines / sizeof lines[0]; at++)
        ck_assert_msg(strstr(text, lines[at]), "%s is not on the page", lines[at]);
    free(text);
    buffer_release(&page);
}
END_TEST

Suite *log_suite(void)
{
    Suite *suite = suite_create("log");
    TCase *tests = tcase_create("log");
    tcase_add_checked_fixture(tests, listen_to_log, stop_listening);
    tcase_add_loop_test(tests, test_value, 0, sizeof values / sizeof values[0]);
    tcase_add_test(tests, test_kinds_of_lines);
    tcase_add_test(tests, test_levels);
    tcase_add_test(tests, test_long_line);
    tcase_add_test(tests, test_lost_lines);
    tcase_add_test(tests, test_torn_line);
    tcase_add_test(tests, test_log_limit);
    tcase_add_test(tests, test_clock_says);
    tcase_add_test(tests, test_clock_made_up);
    tcase_add_test(tests, test_clock_jumps);
    tcase_add_test(tests, test_metrics_page);
    suite_add_tcase(suite, tests);
    return suite;
}
