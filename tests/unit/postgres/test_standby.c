/* A server that waits until the one before it is gone, or silent for too long. */
#include "cases.h"
#include "fixture.h"
#include <postgres/store.h>
#include <pthread.h>
#include <scratch.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Of who is silent, and of who is not and may be slow. */
enum { SILENT_MS = 1500, SLOW_MS = 6000 };

/* It is opened by a thread, as it waits. */
struct standby {
    struct store *store;
    pthread_t thread;
    FILE *out;
    uint64_t epoch;
    enum store_result result;
    char message[STORE_MESSAGE_MAX];
};

static struct standby standby;

static int opened(void *ctx, uint64_t number)
{
    (void)ctx;
    standby.epoch = number;
    return 0;
}

static void *open_standby(void *ctx)
{
    struct store_sink sink = dump_sink(standby.out);
    (void)ctx;
    sink.opened = opened;
    standby.result = standby.store->engine->open(standby.store, &sink, standby.message);
    return NULL;
}

static void begin_standby(int64_t silent_ms)
{
    const struct postgres_timeouts timeouts = {.connect_ms = 30000,
                                               .answer_ms = 30000,
                                               .settle_ms = 3000,
                                               .lock_ms = 300,
                                               .silent_ms = silent_ms};
    const struct postgres_options options = {.timeouts = &timeouts};
    standby = (struct standby){.store = postgres_store_create(fixture_url(), &options),
                               .out = fopen("/dev/null", "w")};
    ck_assert(standby.store && standby.out);
    standby.store->warn = fixture_warn;
    ck_assert_int_eq(pthread_create(&standby.thread, NULL, open_standby, NULL), 0);
}

static void standby_serves(uint64_t epoch)
{
    ck_assert_int_eq(pthread_join(standby.thread, NULL), 0);
    ck_assert_msg(standby.result == STORE_OK, "%s", standby.message);
    ck_assert_uint_eq(standby.epoch, epoch);
    fixture_close(standby.store);
    fclose(standby.out);
}

static void pause_ms(long ms)
{
    const struct timespec pause = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&pause, NULL);
}

static enum store_result sign_of_life(struct store *store)
{
    return fixture_commit(store, NULL, 0);
}

START_TEST(it_serves_when_the_other_has_ended)
{
    struct store *first = fixture_open();
    ck_assert_int_eq(sign_of_life(first), STORE_OK);
    begin_standby(SILENT_MS);
    fixture_until_warned("store_standby:0 ");
    ck_assert_msg(strstr(fixture_said(), "another server uses it (taluvad 1"), "%s",
                  fixture_said());
    fixture_close(first);
    standby_serves(2);
    ck_assert_str_eq(fixture_warnings(), "store_standby:0 ");
}
END_TEST

START_TEST(it_serves_at_once_where_there_is_no_other)
{
    begin_standby(SILENT_MS);
    standby_serves(1);
    ck_assert_str_eq(fixture_warnings(), "");
}
END_TEST

START_TEST(who_gives_signs_of_life_keeps_the_store)
{
    struct store *first = fixture_open();
    begin_standby(SLOW_MS);
    for (int at = 0; at < 8; at++) {
        ck_assert_int_eq(sign_of_life(first), STORE_OK);
        pause_ms(SLOW_MS / 6);
    }
    ck_assert_str_eq(fixture_warnings(), "store_standby:0 ");
    fixture_close(first);
    standby_serves(2);
}
END_TEST

/* It may be loading. */
START_TEST(who_has_not_committed_yet_keeps_the_store)
{
    struct store *first = fixture_open();
    begin_standby(SILENT_MS);
    pause_ms(2 * SILENT_MS);
    ck_assert_str_eq(fixture_warnings(), "store_standby:0 ");
    fixture_close(first);
    standby_serves(2);
}
END_TEST

START_TEST(who_is_silent_loses_the_store_and_finds_out)
{
    struct store *first = fixture_open();
    ck_assert_int_eq(sign_of_life(first), STORE_OK);
    begin_standby(SILENT_MS);
    fixture_until_warned("store_holder_ended:0 ");
    ck_assert_int_eq(pthread_join(standby.thread, NULL), 0);
    ck_assert_int_eq(standby.result, STORE_OK);
    ck_assert_int_eq(sign_of_life(first), STORE_FENCED);
    fixture_close(first);
    fixture_close(standby.store);
    fclose(standby.out);
}
END_TEST

static void end_all_of_the_first(void)
{
    fixture_sql("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                " WHERE application_name = 'taluvad 1'");
}

/* As with each restart of the database. */
START_TEST(who_has_lost_its_lock_keeps_the_store)
{
    fixture_lock(60000); /* the standby has it while it looks */
    struct store *first = fixture_open();
    ck_assert_int_eq(sign_of_life(first), STORE_OK);
    begin_standby(SLOW_MS);
    fixture_until_warned("store_standby:0 ");
    for (int at = 0; at < 8; at++) {
        end_all_of_the_first();
        pause_ms(SLOW_MS / 6);
        ck_assert_int_eq(sign_of_life(first), STORE_OK);
    }
    fixture_close(first);
    standby_serves(2);
    fixture_lock(0);
}
END_TEST

START_TEST(who_is_gone_without_a_word_was_silent_before)
{
    struct store *first = fixture_open();
    ck_assert_int_eq(sign_of_life(first), STORE_OK);
    end_all_of_the_first();
    begin_standby(SILENT_MS);
    fixture_until_warned("store_standby:0 ");
    ck_assert_str_eq(fixture_said(), "the server before has not said that it has ended");
    ck_assert_int_eq(sign_of_life(first), STORE_OK); /* it has not been waited for in vain */
    end_all_of_the_first();
    standby_serves(2);
    ck_assert_int_eq(sign_of_life(first), STORE_FENCED);
    fixture_close(first);
}
END_TEST

/* Stopped in the middle of a commit, its rows stay locked. */
START_TEST(who_is_silent_in_a_transaction_loses_it_as_well)
{
    struct store *first = fixture_open();
    ck_assert_int_eq(sign_of_life(first), STORE_OK);
    fixture_hold("UPDATE taluva.server SET batch = batch + 1", "taluvad 1");
    begin_standby(SILENT_MS);
    ck_assert_int_eq(pthread_join(standby.thread, NULL), 0);
    ck_assert_msg(standby.result == STORE_OK, "%s", standby.message);
    fixture_let_go();
    fixture_close(first);
    fixture_close(standby.store);
    fclose(standby.out);
}
END_TEST

START_TEST(it_goes_on_waiting_when_its_connection_is_lost)
{
    struct store *first = fixture_open();
    ck_assert_int_eq(sign_of_life(first), STORE_OK);
    begin_standby(SILENT_MS);
    fixture_until_warned("store_standby:0 ");
    fixture_sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE application_name = 'taluvad standby'");
    fixture_until_warned("store_standby:-2 ");
    fixture_close(first);
    standby_serves(2);
}
END_TEST

START_TEST(a_newer_store_is_no_standbys)
{
    fixture_close(fixture_open());
    fixture_sql("UPDATE taluva.version SET version = 99, needs = 99");
    begin_standby(SILENT_MS);
    ck_assert_int_eq(pthread_join(standby.thread, NULL), 0);
    ck_assert_int_eq(standby.result, STORE_NEWER);
    fixture_close(standby.store);
    fclose(standby.out);
}
END_TEST

void add_standby_tests(TCase *tests)
{
    tcase_add_test(tests, it_serves_when_the_other_has_ended);
    tcase_add_test(tests, it_serves_at_once_where_there_is_no_other);
    tcase_add_test(tests, who_gives_signs_of_life_keeps_the_store);
    tcase_add_test(tests, who_has_not_committed_yet_keeps_the_store);
    tcase_add_test(tests, who_is_silent_loses_the_store_and_finds_out);
    tcase_add_test(tests, who_has_lost_its_lock_keeps_the_store);
    tcase_add_test(tests, who_is_gone_without_a_word_was_silent_before);
    tcase_add_test(tests, who_is_silent_in_a_transaction_loses_it_as_well);
    tcase_add_test(tests, it_goes_on_waiting_when_its_connection_is_lost);
    tcase_add_test(tests, a_newer_store_is_no_standbys);
}
