/* What is counted by address, the clock that leaves standstills out, and the metrics of the loop.
 */
#include "../../support/failing_alloc.h"
#include "metrics.h"
#include "sockets/address_counts.h"
#include "sockets/address_rates.h"
#include "suites.h"
#include <hub/prometheus.h>
#include <net/clock.h>
#include <net/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { START_MS = 1800000000 };

static struct address numbered(uint32_t number)
{
    struct address address = {{[10] = 0xff, [11] = 0xff, [12] = 10}};
    for (int at = 0; at < 3; at++)
        address.bytes[15 - at] = (uint8_t)(number >> (8 * at));
    return address;
}

/* ---- counts of addresses, held against the obvious way to do it */

START_TEST(test_address_counts)
{
    enum { OWNERS = 40, STEPS = 2000 };
    struct address_counts table;
    uint32_t counts[OWNERS] = {0}, state = 7;
    address_counts_init(&table);
    for (int step = 0; step < STEPS; step++) {
        state = state * 1664525 + 1013904223;
        uint32_t owner = (state >> 8) % OWNERS;
        struct address address = numbered(owner);
        bool add = (state >> 20) % 2 || counts[owner] == 0;
        if (add)
            ck_assert(address_counts_add(&table, &address));
        else
            address_counts_remove(&table, &address);
        counts[owner] += add ? 1 : -1U;
        for (uint32_t at = 0; at < OWNERS; at++) {
            address = numbered(at);
            ck_assert_uint_eq(address_counts_get(&table, &address), counts[at]);
        }
    }
    address_counts_release(&table);
}
END_TEST

/* ---- rates of addresses */

static struct address_rates rates;

/* Nobody knows beforehand which addresses share places. */
START_TEST(test_keys_are_random)
{
    struct address_rates other;
    struct net_config config;
    net_config_init(&config);
    memset(rates.key, 0, sizeof rates.key);
    memset(other.key, 0, sizeof other.key);
    ck_assert(address_rates_init(&rates, &config) && address_rates_init(&other, &config));
    ck_assert_mem_ne(rates.key, other.key, sizeof other.key);
    address_rates_release(&other);
    address_rates_release(&rates);
}
END_TEST

/* Both say so, and whom nobody has counted has not come. */
START_TEST(test_no_memory)
{
    struct address_counts counts;
    struct net_config config;
    const struct address address = numbered(1);
    net_config_init(&config);
    address_counts_init(&counts);
    failing_alloc_arm(1, true);
    failing_alloc_enter();
    bool made = address_counts_add(&counts, &address) || address_rates_init(&rates, &config);
    failing_alloc_leave();
    ck_assert_uint_eq(failing_alloc_disarm(NULL), 2);
    ck_assert(!made);
    ck_assert_uint_eq(address_counts_get(&counts, &address), 0);
    address_counts_release(&counts);
    address_rates_release(&rates);
    ck_assert_ptr_null(rates.entries);
}
END_TEST

static void start_rates(void)
{
    struct net_config config;
    net_config_init(&config);
    config.connects_per_address_burst = 5;
    config.connects_per_address_per_s = 2;
    config.http_requests_per_address_burst = 3;
    config.http_requests_per_address_per_s = 1;
    ck_assert(address_rates_init(&rates, &config));
}

static void end_rates(void)
{
    address_rates_release(&rates);
}

static int until_refused(bool (*take)(struct address_rates *, const struct address *, int64_t),
                         const struct address *address, int64_t now_ms)
{
    int taken = 0;
    while (taken < 100 && take(&rates, address, now_ms))
        taken++;
    return taken;
}

START_TEST(test_address_rates)
{
    struct address one = numbered(1), other = numbered(2);
    ck_assert_int_eq(until_refused(address_rates_connect, &one, START_MS), 5);
    ck_assert_int_eq(until_refused(address_rates_request, &one, START_MS),
                     3); /* apart from each other */
    ck_assert_int_eq(until_refused(address_rates_connect, &other, START_MS), 5);
    ck_assert_int_eq(until_refused(address_rates_connect, &one, START_MS + 1000), 2);
    ck_assert_int_eq(until_refused(address_rates_request, &one, START_MS + 2000), 2);
    ck_assert_int_eq(until_refused(address_rates_connect, &one, START_MS + 60000), 5);
}
END_TEST

/* All addresses of an IPv6 /64 are one owner's. */
START_TEST(test_address_rates_by_owner)
{
    struct address address = {{0x20, 0x01, 0x0d, 0xb8, [15] = 1}};
    ck_assert_int_eq(until_refused(address_rates_connect, &address, START_MS), 5);
    address.bytes[8] = address.bytes[15] = 7;
    ck_assert_int_eq(until_refused(address_rates_connect, &address, START_MS), 0);
    address.bytes[7] = 1;
    ck_assert_int_eq(until_refused(address_rates_connect, &address, START_MS), 5);
}
END_TEST

/* An address above its rate stays so while addresses below theirs are added and removed. */
START_TEST(test_address_rates_is_bounded)
{
    struct address flood = numbered(0);
    ck_assert_int_eq(until_refused(address_rates_connect, &flood, START_MS), 5);
    ck_assert_int_eq(until_refused(address_rates_request, &flood, START_MS), 3);
    for (uint32_t number = 1; number <= 3 * ADDRESS_RATES_SETS * ADDRESS_RATES_WAYS; number++) {
        struct address guest = numbered(number);
        ck_assert(address_rates_connect(&rates, &guest, START_MS));
    }
    ck_assert_int_eq(until_refused(address_rates_connect, &flood, START_MS), 0);
}
END_TEST

/* However many addresses come, what lies behind the last set of the table is not touched. */
START_TEST(test_address_rates_stays_within_its_table)
{
    enum { ENTRIES = ADDRESS_RATES_SETS * ADDRESS_RATES_WAYS };
    const struct address_rates_entry none = {0};
    free(rates.entries);
    rates.entries = calloc(ENTRIES + 1, sizeof *rates.entries);
    ck_assert_ptr_nonnull(rates.entries);
    for (uint32_t number = 1; number <= 3 * ENTRIES; number++) {
        struct address guest = numbered(number);
        ck_assert(address_rates_connect(&rates, &guest, START_MS));
    }
    ck_assert_mem_eq(&rates.entries[ENTRIES], &none, sizeof none);
}
END_TEST

/* ---- the clock */

static const struct {
    int64_t read_ms[6]; /* the monotonic clock; 0: no more */
    int64_t lost_ms;
} readings[] = {
    {{1000, 1100, 1200}, 0},
    {{1000, 1250, 1500, 1750}, 0},
    {{1000, 1500}, 0}, /* two pulses: late, no standstill */
    {{1000, 1501}, 251},
    {{1000, 6000}, 4750},
    {{1000, 6000, 6100, 11100}, 9500},
};

START_TEST(test_clock)
{
    struct net_clock clock = {.offset_ms = START_MS, .read_ms = 1000, .watched = true};
    int64_t now_ms = 0, last_ms = 0;
    log_set_level(LOG_ERROR);
    for (int at = 0; at < 6 && readings[_i].read_ms[at]; at++) {
        now_ms = net_clock_at(&clock, readings[_i].read_ms[at]);
        ck_assert_int_ge(now_ms, last_ms);
        last_ms = now_ms;
    }
    ck_assert_int_eq(clock.lost_ms, readings[_i].lost_ms);
    ck_assert_int_eq(now_ms, START_MS + clock.read_ms - readings[_i].lost_ms);
    /* While nobody has promised to read it, a gap is a gap. */
    struct net_clock idle = {.offset_ms = START_MS, .read_ms = 1000};
    ck_assert_int_eq(net_clock_at(&idle, 60000), START_MS + 60000);
}
END_TEST

/* A store that was written a year ahead must not make time stand still for a year. */
START_TEST(test_clock_begins_where_the_store_is)
{
    const int64_t year_ms = INT64_C(365) * 86400000;
    struct net_clock clock;
    log_set_level(LOG_ERROR);
    net_clock_init(&clock);
    int64_t real_ms = net_clock_ms(&clock);
    net_clock_begin_at(&clock, real_ms - year_ms);
    ck_assert_int_lt(net_clock_ms(&clock), real_ms + year_ms / 2);
    net_clock_begin_at(&clock, real_ms + year_ms);
    int64_t ahead_ms = net_clock_ms(&clock);
    ck_assert_int_ge(ahead_ms, real_ms + year_ms);
    ck_assert_int_eq(net_clock_at(&clock, clock.read_ms + 100), ahead_ms + 100);
}
END_TEST

/* ---- turns of the loop */

static const struct {
    uint64_t passed_us, waited_us;
    size_t bucket;
} turns[] = {
    {100, 100, 0},    {100, 36, 0},     {100, 35, 1},
    {128, 0, 1},      {129, 0, 2},      {50, 90, 0} /* clocks that disagree */,
    {2097152, 0, 15}, {2097153, 0, 16}, {900000000, 1, 16},
};

START_TEST(test_turn)
{
    struct net_metrics metrics = {.turns_us = 0};
    net_metrics_turn(&metrics, 5000000, 3000000); /* the first one has no begin */
    net_metrics_turn(&metrics, 5000000 + turns[_i].passed_us * 1000,
                     3000000 + turns[_i].waited_us * 1000);
    for (size_t at = 0; at < TURN_BUCKETS; at++)
        ck_assert_uint_eq(metrics.turns[at], at == turns[_i].bucket);
    uint64_t passed = turns[_i].passed_us, waited = turns[_i].waited_us;
    ck_assert_uint_eq(metrics.turns_us, passed > waited ? passed - waited : 0);
    ck_assert_uint_eq(metrics.longest_us, metrics.turns_us);
}
END_TEST

/* ---- the page of metrics */

/* Each value is under its own name. */
static const char *const metric_lines[] = {
    "http_sockets 11",
    "http_answer_bytes 12",
    "sockets_refused_total{why=\"address\"} 1",
    "sockets_refused_total{why=\"rate\"} 2",
    "sockets_refused_total{why=\"full\"} 3",
    "sockets_refused_total{why=\"files\"} 19",
    "sockets_refused_total{why=\"memory\"} 4",
    "accept_failures_total{of=\"players\"} 20",
    "accept_failures_total{of=\"operators\"} 21",
    "accept_failures_total{of=\"nodes\"} 22",
    "log_lines_lost_total 0",
    "http_slow_down_total 5",
    "http_slow_readers_total 6",
    "tls_failures_total 7",
    "loop_turn_seconds_bucket{le=\"6.4e-05\"} 8",
    "loop_turn_seconds_bucket{le=\"2.09715\"} 8",
    "loop_turn_seconds_bucket{le=\"+Inf\"} 17",
    "loop_turn_seconds_sum 10",
    "loop_turn_seconds_count 17",
    "loop_turn_longest_seconds 1.5",
    "commit_interval_seconds 0.0025",
    "stood_still_seconds_total 13.5",
    "clock_ahead_seconds 7.25",
    "lease_lost 1",
};

static const struct {
    enum checker_finding finding;
    const char *lines[3];
} findings[] = {
    {CHECKER_CHECKING, {"store_checking 1", "store_damage 0", "store_check_failed 0"}},
    {CHECKER_SOUND, {"store_checking 0", "store_damage 0", "store_check_failed 0"}},
    {CHECKER_DAMAGED, {"store_checking 0", "store_damage 1", "store_check_failed 0"}},
    {CHECKER_FAILED, {"store_checking 0", "store_damage 0", "store_check_failed 1"}},
};

static void check_line(const char *page, const char *line)
{
    char whole[128], name[64], help[80];
    snprintf(whole, sizeof whole, "\ntaluva_%s\n", line);
    ck_assert_msg(strstr(page, whole), "%s: %s", line, page);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(line, "{ "), line);
    char *suffix = strstr(name, "loop_turn_seconds_");
    if (suffix)
        suffix[strlen("loop_turn_seconds")] = 0;
    snprintf(help, sizeof help, "# HELP taluva_%s ", name);
    ck_assert_msg(strstr(page, help), "%s: %s", help, page);
}

START_TEST(test_metrics_page)
{
    const struct net_metrics metrics = {
        .refused = {1, 2, 3, 19, 4},
        .accept_failures = {20, 21},
        .slow_downs = 5,
        .slow_readers = 6,
        .tls_failures = 7,
        .turns = {[0] = 8, [TURN_BUCKETS - 1] = 9},
        .turns_us = 10000000,
        .longest_us = 1500000,
    };
    const struct net_gauges gauges = {11,   12,  2500, 13500, 22, 7250, findings[_i].finding,
                                      true, NULL};
    struct buffer page;
    buffer_init(&page, 0, 65536);
    net_metrics_write(&metrics, &gauges, &page);
    buffer_append(&page, "", 1);
    ck_assert(!page.failed);
    for (size_t at = 0; at < sizeof metric_lines / sizeof metric_lines[0]; at++)
        check_line(page.bytes, metric_lines[at]);
    for (size_t at = 0; at < 3; at++)
        check_line(page.bytes, findings[_i].lines[at]);
    buffer_release(&page);
}
END_TEST

#define ADD_EACH(tests, test, table)                                                               \
    tcase_add_loop_test(tests, test, 0, sizeof table / sizeof table[0])

Suite *rates_suite(void)
{
    Suite *suite = suite_create("rates");
    TCase *tests = tcase_create("rates");
    tcase_add_test(tests, test_address_counts);
    tcase_add_test(tests, test_no_memory);
    tcase_add_test(tests, test_keys_are_random);
    ADD_EACH(tests, test_clock, readings);
    tcase_add_test(tests, test_clock_begins_where_the_store_is);
    ADD_EACH(tests, test_turn, turns);
    ADD_EACH(tests, test_metrics_page, findings);
    suite_add_tcase(suite, tests);
    TCase *limited = tcase_create("address rates");
    tcase_add_checked_fixture(limited, start_rates, end_rates);
    tcase_add_test(limited, test_address_rates);
    tcase_add_test(limited, test_address_rates_by_owner);
    tcase_add_test(limited, test_address_rates_is_bounded);
    tcase_add_test(limited, test_address_rates_stays_within_its_table);
    suite_add_tcase(suite, limited);
    return suite;
}
