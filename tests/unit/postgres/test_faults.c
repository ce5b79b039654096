/* Connections that are lost at every message of a commit, a database that starts again, and servers
 * that have lost the store: what was acknowledged is there, once, and nothing else is. */
#include "cases.h"
#include "fixture.h"
#include "proxy.h"
#include <postgres/store.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    IMPATIENT_MS = 1000,
    ALL_THE_TIME_MS = 60000, /* for what a busy machine may be long with */
};

static struct proxy *proxy;
static uint64_t seq; /* of the last event that was acknowledged */

static void pause_ms(int ms)
{
    const struct timespec time = {ms / 1000, ms % 1000 * 1000000L};
    nanosleep(&time, NULL);
}

static struct store_op next_event(void)
{
    struct store_op op = {.kind = STORE_APPEND, .room_id = "roomlost"};
    op.u.event = (struct room_event){.seq = seq + 1, .text = "{\"move\":1}", .text_len = 10};
    return op;
}

static enum store_result append(struct store *store, uint64_t epoch)
{
    enum store_result results[1];
    struct store_op op = next_event();
    const struct store_batch batch = {1, &op, NULL};
    const enum store_result result = fixture_commit_as(store, &batch, epoch, results);
    if (result != STORE_OK)
        return result;
    ck_assert_int_eq(results[0], STORE_OK);
    seq++;
    return STORE_OK;
}

static void put_room(struct store *store)
{
    struct store_op op = {.kind = STORE_PUT_ROOM, .room_id = "roomlost"};
    memcpy(op.u.room.seed.id, op.room_id, sizeof op.room_id);
    ck_assert_int_eq(fixture_commit(store, &op, 1), STORE_OK);
    seq = 0;
}

/* Each event once, and none that is not known here. */
static void check_log(uint64_t more)
{
    const long long count = fixture_number("SELECT count(*) FROM taluva.event");
    ck_assert_int_eq(fixture_number("SELECT coalesce(max(seq), 0) FROM taluva.event"), count);
    ck_assert_msg((uint64_t)count >= seq && (uint64_t)count <= seq + more, "%lld, not %llu", count,
                  (unsigned long long)seq);
}

static struct store *open_by_proxy(void)
{
    char url[FIXTURE_URL], message[STORE_MESSAGE_MAX];
    struct store *store;
    proxy = proxy_start(fixture_port());
    fixture_url_at(url, "127.0.0.1", proxy_port(proxy), "postgres?sslmode=disable");
    const enum store_result result = fixture_open_at(url, &store, message);
    ck_assert_msg(result == STORE_OK, "%s", message);
    put_room(store);
    return store;
}

static void close_by_proxy(struct store *store)
{
    fixture_close(store);
    proxy_stop(proxy);
    fixture_patience(0);
    fixture_settle(0);
}

/* ---- lost answers */

/* The number of messages that a commit has of that side. */
static unsigned lose_at_each(struct store *store, enum proxy_side side, enum proxy_fault fault)
{
    unsigned at = 0;
    for (bool fired = true; fired; at++) {
        proxy_arm(proxy, side, at, fault);
        const enum store_result result = append(store, fixture_epoch());
        ck_assert_msg(result == STORE_OK, "message %u: %s", at, fixture_said());
        fired = proxy_fired(proxy);
        check_log(0);
    }
    return at - 1;
}

START_TEST(a_cut_at_each_message_loses_and_doubles_nothing)
{
    fixture_settle(ALL_THE_TIME_MS);
    struct store *store = open_by_proxy();
    const unsigned sent = lose_at_each(store, PROXY_OF_STORE, PROXY_CUT);
    ck_assert_uint_ge(sent, 13); /* four statements of three, and the end */
    ck_assert_uint_eq(lose_at_each(store, PROXY_OF_STORE, PROXY_CUT_INSIDE), sent);
    const unsigned answered = lose_at_each(store, PROXY_OF_DATABASE, PROXY_CUT);
    ck_assert_uint_ge(answered, 10);
    ck_assert_uint_eq(lose_at_each(store, PROXY_OF_DATABASE, PROXY_CUT_INSIDE), answered);
    ck_assert_uint_ge(seq, 2 * sent + 2 * answered);
    /* Some had been written, and were confirmed by one more batch. */
    const long long batches = fixture_number("SELECT batch FROM taluva.server");
    ck_assert_int_gt(batches, (long long)seq + 1);
    close_by_proxy(store);
}
END_TEST

/* The tables are made before: that may take longer than it waits for answers. */
static struct store *open_impatient(void)
{
    fixture_close(fixture_open());
    fixture_patience(IMPATIENT_MS);
    fixture_settle(ALL_THE_TIME_MS);
    return open_by_proxy();
}

/* The connection that is held keeps the row of the fence locked until it is ended. */
START_TEST(a_database_that_hangs_at_each_message_loses_and_doubles_nothing)
{
    struct store *store = open_impatient();
    ck_assert_uint_ge(lose_at_each(store, PROXY_OF_DATABASE, PROXY_HOLD), 10);
    close_by_proxy(store);
    fixture_begin();
    store = open_impatient();
    ck_assert_uint_ge(lose_at_each(store, PROXY_OF_STORE, PROXY_HOLD), 13);
    close_by_proxy(store);
}
END_TEST

/* ---- no connection for long */

START_TEST(what_was_not_sent_is_refused_at_once_and_goes_on_later)
{
    struct store *store = open_by_proxy();
    proxy_refuse(proxy, true);
    fixture_sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE application_name LIKE 'taluvad %'");
    pause_ms(100);
    ck_assert_int_eq(append(store, fixture_epoch()), STORE_FAILED);
    ck_assert_int_eq(append(store, fixture_epoch()), STORE_FAILED);
    proxy_refuse(proxy, false);
    ck_assert_int_eq(fixture_commit(store, NULL, 0), STORE_OK);
    ck_assert_int_eq(append(store, fixture_epoch()), STORE_OK);
    ck_assert_str_eq(fixture_warnings(), "store_commit_failed:-2 store_commit_failed:-2 "
                                         "store_connected:0 store_recovered:0 ");
    check_log(0);
    close_by_proxy(store);
}
END_TEST

/* The cut is before the commit, and nobody can connect for longer than is waited. */
START_TEST(what_was_given_up_and_not_written_is_forgotten)
{
    struct store *store = open_by_proxy();
    proxy_arm(proxy, PROXY_OF_STORE, 5, PROXY_CUT);
    proxy_refuse(proxy, true);
    ck_assert_int_eq(append(store, fixture_epoch()), STORE_FAILED);
    ck_assert(proxy_fired(proxy));
    proxy_refuse(proxy, false);
    ck_assert_int_eq(append(store, fixture_epoch()), STORE_OK);
    check_log(0);
    close_by_proxy(store);
}
END_TEST

/* ... and here only the very last message is lost: the server was told that it had failed. */
START_TEST(what_was_given_up_and_written_ends_the_server)
{
    struct store *store = open_by_proxy();
    const unsigned answers = lose_at_each(store, PROXY_OF_DATABASE, PROXY_CUT);
    proxy_arm(proxy, PROXY_OF_DATABASE, answers - 1, PROXY_CUT);
    proxy_refuse(proxy, true);
    ck_assert_int_eq(append(store, fixture_epoch()), STORE_FAILED);
    ck_assert(proxy_fired(proxy));
    proxy_refuse(proxy, false);
    ck_assert_int_eq(append(store, fixture_epoch()), STORE_FENCED);
    ck_assert_ptr_nonnull(strstr(fixture_said(), "given up"));
    check_log(1);
    close_by_proxy(store);
    store = fixture_open();
    seq++;
    ck_assert_int_eq(append(store, fixture_epoch()), STORE_OK);
    fixture_close(store);
}
END_TEST

/* The answer is lost, and the next try fails before it can find out. */
START_TEST(what_failed_while_in_doubt_and_was_written_ends_the_server)
{
    struct store *store = open_by_proxy();
    const unsigned answers = lose_at_each(store, PROXY_OF_DATABASE, PROXY_CUT);
    fixture_sql("DROP TABLE IF EXISTS kept; CREATE TABLE kept AS"
                " SELECT pg_get_functiondef('taluva.fence'::regproc) AS text");
    fixture_sql(
        "CREATE OR REPLACE FUNCTION taluva.fence(this_part bigint, this_term bigint, number bigint)"
        " RETURNS void LANGUAGE plpgsql AS $$ BEGIN UPDATE taluva.server"
        " SET batch = number WHERE part = this_part AND term = this_term AND batch = number - 1;"
        " IF NOT FOUND THEN RAISE 'no memory' USING ERRCODE = '53200'; END IF; END $$");
    proxy_arm(proxy, PROXY_OF_DATABASE, answers - 1, PROXY_CUT);
    ck_assert_int_eq(append(store, fixture_epoch()), STORE_FAILED);
    ck_assert(proxy_fired(proxy));
    fixture_sql("DO $$ BEGIN EXECUTE (SELECT text FROM kept); END $$");
    ck_assert_int_eq(append(store, fixture_epoch()), STORE_FENCED);
    ck_assert_ptr_nonnull(strstr(fixture_said(), "given up"));
    check_log(1);
    fixture_sql("DROP TABLE kept");
    close_by_proxy(store);
}
END_TEST

/* ---- two servers */

static void end_connections(void)
{
    fixture_sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE application_name LIKE 'taluvad %'");
    while (fixture_number("SELECT count(*) FROM pg_stat_activity"
                          " WHERE application_name LIKE 'taluvad %'") > 0)
        pause_ms(10);
}

START_TEST(a_server_that_lost_the_store_writes_nothing)
{
    struct store *first = fixture_open();
    put_room(first);
    ck_assert_int_eq(append(first, 1), STORE_OK);
    end_connections();
    struct store *second = fixture_open();
    ck_assert_uint_eq(fixture_epoch(), 2);
    ck_assert_int_eq(append(first, 1), STORE_FENCED);
    ck_assert_ptr_nonnull(strstr(fixture_said(), "another server has opened the store"));
    ck_assert_int_eq(append(second, 2), STORE_OK);
    fixture_close(second);
    /* Nobody has the lock now; it is the term that keeps the first one out. */
    ck_assert_int_eq(append(first, 1), STORE_FENCED);
    ck_assert_ptr_nonnull(strstr(fixture_said(), "another server has opened the store"));
    check_log(0);
    fixture_close(first);
}
END_TEST

/* Its connection is there, and the lock is not: as if it had been given away behind its back. */
START_TEST(the_term_alone_keeps_a_server_out)
{
    struct store *store = fixture_open();
    put_room(store);
    fixture_sql("UPDATE taluva.server SET term = 2"); /* whose last batch has the same number */
    ck_assert_int_eq(append(store, 1), STORE_FENCED);
    check_log(0);
    fixture_close(store);
}
END_TEST

START_TEST(a_lost_connection_is_made_again)
{
    struct store *store = fixture_open();
    put_room(store);
    for (int round = 0; round < 3; round++) {
        end_connections();
        ck_assert_int_eq(append(store, 1), STORE_OK);
        struct store_read read;
        fixture_read(store, &read, "roomlost");
        ck_assert_int_eq(read.result, STORE_OK);
        read.release(&read);
    }
    check_log(0);
    fixture_close(store);
}
END_TEST

/* As after a failover to a standby that had not got everything. */
START_TEST(a_database_that_has_lost_commits_is_noticed)
{
    struct store *store = fixture_open();
    put_room(store);
    ck_assert_int_eq(append(store, 1), STORE_OK);
    fixture_sql("UPDATE taluva.server SET batch = 1; DELETE FROM taluva.event");
    ck_assert_int_eq(append(store, 1), STORE_CORRUPT);
    ck_assert_ptr_nonnull(strstr(fixture_said(), "has lost batches"));
    fixture_close(store);
}
END_TEST

/* ... not even that it was opened. */
START_TEST(a_database_that_has_lost_the_opening_is_noticed)
{
    struct store *store = fixture_open();
    put_room(store);
    fixture_sql("UPDATE taluva.server SET term = 0, batch = 7");
    fixture_sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE application_name = 'taluvad 1'");
    ck_assert_int_eq(append(store, 1), STORE_CORRUPT);
    ck_assert_ptr_nonnull(strstr(fixture_said(), "has lost batches"));
    fixture_close(store);
}
END_TEST

/* ---- a synchronous standby, which is not there */

static void until_number(const char *sql, long long number)
{
    for (int at = 0; fixture_number(sql) != number; at++) {
        ck_assert_msg(at < 500, "%s", sql);
        pause_ms(20);
    }
}

static void set_standbys(const char *names)
{
    char sql[96];
    snprintf(sql, sizeof sql, "ALTER SYSTEM SET synchronous_standby_names = '%s'", names);
    fixture_sql(sql);
    fixture_sql("SELECT pg_reload_conf()");
    snprintf(sql, sizeof sql,
             "SELECT (current_setting('synchronous_standby_names') = '%s')::int::bigint", names);
    until_number(sql, 1);
}

static void *append_beside(void *store)
{
    static enum store_result result;
    result = append(store, 1);
    return &result;
}

static const char waiting[] = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";

/* Each wait is cut in turn: of the commit, and of those that are to confirm it. */
START_TEST(what_waits_for_a_standby_and_is_cancelled_is_not_acknowledged)
{
    pthread_t thread;
    void *result;
    struct store *store = fixture_open();
    put_room(store);
    set_standbys("nobody");
    ck_assert_int_eq(pthread_create(&thread, NULL, append_beside, store), 0);
    for (int cut = 0; cut < 3; cut++) {
        char next[192];
        until_number(waiting, 1);
        const long long batch = fixture_number("SELECT batch FROM taluva.server");
        fixture_sql("SELECT pg_cancel_backend(pid) FROM pg_stat_activity"
                    " WHERE wait_event = 'SyncRep'");
        snprintf(next, sizeof next, "SELECT count(*) FROM taluva.server WHERE batch > %lld", batch);
        until_number(next, 1); /* what waited is seen now, and another one waits */
        ck_assert_uint_eq(seq, 0);
    }
    set_standbys("");
    ck_assert_int_eq(pthread_join(thread, &result), 0);
    ck_assert_int_eq(*(enum store_result *)result, STORE_OK);
    check_log(0);
    ck_assert_int_eq(append(store, 1), STORE_OK);
    check_log(0);
    fixture_close(store);
}
END_TEST

/* ---- the database starts again, as after a crash */

START_TEST(a_database_that_crashes_loses_and_doubles_nothing)
{
    const char *helper = getenv("TALUVA_TEST_POSTGRES_HELPER");
    ck_assert_ptr_nonnull(helper);
    fixture_settle(ALL_THE_TIME_MS);
    struct store *store = fixture_open();
    put_room(store);
    for (int round = 0; round < 3; round++) {
        const uint64_t before = seq;
        ck_assert_int_eq(append(store, 1), STORE_OK);
        ck_assert_int_eq(kill((pid_t)atoi(helper), SIGUSR1), 0);
        /* Until it has been away, and is there again. */
        while (!strstr(fixture_warnings(), "store_connected") && seq < before + 20000) {
            const enum store_result result = append(store, 1);
            ck_assert_msg(result == STORE_OK || result == STORE_FAILED, "%s", fixture_said());
            pause_ms(result == STORE_OK ? 0 : 20);
        }
        ck_assert_ptr_nonnull(strstr(fixture_warnings(), "store_connected"));
        fixture_forget_warnings();
        check_log(0);
    }
    fixture_close(store);
    fixture_settle(0);
}
END_TEST

void add_fault_tests(TCase *tests)
{
    tcase_add_test(tests, a_cut_at_each_message_loses_and_doubles_nothing);
    tcase_add_test(tests, a_database_that_hangs_at_each_message_loses_and_doubles_nothing);
    tcase_add_test(tests, what_was_not_sent_is_refused_at_once_and_goes_on_later);
    tcase_add_test(tests, what_was_given_up_and_not_written_is_forgotten);
    tcase_add_test(tests, what_was_given_up_and_written_ends_the_server);
    tcase_add_test(tests, what_failed_while_in_doubt_and_was_written_ends_the_server);
    tcase_add_test(tests, a_server_that_lost_the_store_writes_nothing);
    tcase_add_test(tests, the_term_alone_keeps_a_server_out);
    tcase_add_test(tests, a_lost_connection_is_made_again);
    tcase_add_test(tests, a_database_that_has_lost_commits_is_noticed);
    tcase_add_test(tests, a_database_that_has_lost_the_opening_is_noticed);
    tcase_add_test(tests, what_waits_for_a_standby_and_is_cancelled_is_not_acknowledged);
    tcase_add_test(tests, a_database_that_crashes_loses_and_doubles_nothing);
}
