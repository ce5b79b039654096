/* What befalls one part of a divided site is no affair of the others. */
#include "cases.h"
#include "fixture.h"
#include <guest_rows.h>
#include <postgres/store.h>
#include <pthread.h>
#include <scratch.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static struct store *open_part(unsigned part)
{
    struct store *store;
    char message[STORE_MESSAGE_MAX];
    const enum store_result result = fixture_open_part(part, 2, &store, message);
    ck_assert_msg(result == STORE_OK, "%s", message);
    return store;
}

static enum store_result sign_of_life(struct store *store)
{
    return fixture_commit(store, NULL, 0);
}

static long long connection_of(const char *name)
{
    char sql[160];
    snprintf(sql, sizeof sql,
             "SELECT coalesce(max(pid), 0) FROM pg_stat_activity WHERE application_name = '%s'",
             name);
    return fixture_number(sql);
}

static void *open_waiting(void *ctx)
{
    static const struct postgres_timeouts timeouts = {.connect_ms = 30000,
                                                      .answer_ms = 30000,
                                                      .settle_ms = 3000,
                                                      .lock_ms = 300,
                                                      .silent_ms = 1500};
    const struct postgres_options options = {.timeouts = &timeouts, .part = 0, .parts = 2};
    struct store **store = ctx;
    char message[STORE_MESSAGE_MAX];
    FILE *out = fopen("/dev/null", "w");
    const struct store_sink sink = dump_sink(out);
    *store = postgres_store_create(fixture_url(), &options);
    ck_assert(*store && out);
    ck_assert_int_eq((*store)->engine->open(*store, &sink, message), STORE_OK);
    fclose(out);
    return NULL;
}

/* The silent one is stopped in the middle of a transaction: its row stays locked. */
START_TEST(who_is_silent_loses_one_part)
{
    struct store *even = open_part(0), *odd = open_part(1), *second;
    pthread_t thread;
    ck_assert_int_eq(sign_of_life(even), STORE_OK);
    ck_assert_int_eq(sign_of_life(odd), STORE_OK);
    const long long before = connection_of("taluvad 4 part 1");
    ck_assert_int_gt(before, 0);
    fixture_hold("UPDATE taluva.server SET batch = batch + 1 WHERE part = 0", "taluvad 3 part 0");
    ck_assert_int_eq(pthread_create(&thread, NULL, open_waiting, &second), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    fixture_let_go();
    ck_assert_int_eq(sign_of_life(even), STORE_FENCED);
    ck_assert_int_eq(sign_of_life(odd), STORE_OK);
    ck_assert_int_eq(connection_of("taluvad 4 part 1"), before);
    ck_assert_int_eq(sign_of_life(second), STORE_OK);
    ck_assert_int_eq(fixture_number("SELECT term FROM taluva.server WHERE part = 0"), 5);
    ck_assert_int_eq(fixture_number("SELECT term FROM taluva.server WHERE part = 1"), 4);
    fixture_close(even);
    fixture_close(odd);
    fixture_close(second);
}
END_TEST

static enum store_result take_from(struct store **store, const struct postgres_owner *silent)
{
    static const struct postgres_timeouts timeouts = {
        .connect_ms = 30000, .answer_ms = 30000, .settle_ms = 3000, .lock_ms = 500};
    const struct postgres_options options = {
        .timeouts = &timeouts, .part = 1, .parts = 2, .silent = silent};
    char message[STORE_MESSAGE_MAX];
    FILE *out = fopen("/dev/null", "w");
    const struct store_sink sink = dump_sink(out);
    *store = postgres_store_create(fixture_url(), &options);
    ck_assert(*store && out);
    const enum store_result result = (*store)->engine->open(*store, &sink, message);
    fclose(out);
    return result;
}

/* Its silence was listened to before. */
START_TEST(a_part_is_taken_at_once_from_who_is_as_it_was)
{
    struct store *first = open_part(1), *second;
    struct postgres_owner owner = {.term = postgres_store_term(first), .batch = 1};
    ck_assert_int_eq(sign_of_life(first), STORE_OK);
    ck_assert_int_eq(sign_of_life(first), STORE_OK);
    ck_assert_int_eq(take_from(&second, &owner), STORE_FENCED);
    ck_assert_int_eq(postgres_store_problem(second), POSTGRES_TAKEN);
    fixture_close(second);
    ck_assert_int_eq(sign_of_life(first), STORE_OK);
    owner.batch = 3;
    ck_assert_int_eq(take_from(&second, &owner), STORE_OK);
    ck_assert_int_gt(postgres_store_term(second), owner.term);
    ck_assert_int_eq(sign_of_life(first), STORE_FENCED);
    fixture_close(first);
    fixture_close(second);
}
END_TEST

/* Its lock was free, but then it came back and committed, or somebody else has had the part. */
START_TEST(a_free_lock_is_not_enough)
{
    struct store *first = open_part(1), *second;
    struct postgres_owner owner = {.term = postgres_store_term(first)};
    ck_assert_int_eq(sign_of_life(first), STORE_OK);
    fixture_sql("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                " WHERE application_name LIKE 'taluvad%'");
    ck_assert_int_eq(take_from(&second, &owner), STORE_FENCED);
    ck_assert_int_eq(postgres_store_problem(second), POSTGRES_TAKEN);
    fixture_close(second);
    ck_assert_int_eq(sign_of_life(first), STORE_OK);
    fixture_close(first);
    owner.batch = 2;
    ck_assert_int_eq(take_from(&second, &owner), STORE_FENCED);
    fixture_close(second);
    owner.batch = POSTGRES_GIVEN_UP;
    ck_assert_int_eq(take_from(&second, &owner), STORE_OK);
    ck_assert_int_eq(sign_of_life(second), STORE_OK);
    fixture_close(second);
}
END_TEST

static const struct {
    const char *name;
    bool ended;
} holders[] = {
    {"taluvad part 1", true},
    {"taluvad standby part 1", true},
    {"taluvad 9 part 1", false}, /* it has a term, and is about to say so */
    {"taluvad, forget", false},
};

/* Who has got the lock while the owner was away, and has taken no term, is not waited for. */
START_TEST(who_locks_a_part_and_does_not_take_it_is_ended)
{
    struct store *store = open_part(1);
    ck_assert_int_eq(sign_of_life(store), STORE_OK);
    fixture_sql("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                " WHERE application_name LIKE 'taluvad%'");
    fixture_hold("SELECT pg_advisory_lock(1952541813, 2)", holders[_i].name);
    ck_assert_int_eq(sign_of_life(store), STORE_FAILED);
    ck_assert_int_eq(postgres_store_problem(store), POSTGRES_TAKEN);
    ck_assert_int_eq(sign_of_life(store), holders[_i].ended ? STORE_OK : STORE_FAILED);
    fixture_let_go();
    ck_assert_int_eq(sign_of_life(store), STORE_OK);
    fixture_close(store);
}
END_TEST

/* Who ends it does not end itself, though both have the same name, nor others who wait. */
START_TEST(who_ends_another_taker_goes_on)
{
    struct store *first = open_part(1), *second;
    const struct postgres_owner owner = {.term = postgres_store_term(first), .batch = 1};
    ck_assert_int_eq(sign_of_life(first), STORE_OK);
    fixture_sql("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                " WHERE application_name LIKE 'taluvad%'");
    fixture_hold("SELECT pg_advisory_lock(1952541813, 2)", "taluvad part 1");
    ck_assert_int_eq(take_from(&second, &owner), STORE_FENCED);
    ck_assert_int_eq(postgres_store_problem(second), POSTGRES_TAKEN);
    fixture_close(second);
    fixture_let_go();
    ck_assert_int_eq(take_from(&second, &owner), STORE_OK);
    ck_assert_int_eq(sign_of_life(first), STORE_FENCED);
    fixture_close(first);
    fixture_close(second);
}
END_TEST

START_TEST(a_part_is_fenced_alone)
{
    struct store *even = open_part(0), *odd = open_part(1);
    fixture_sql("UPDATE taluva.server SET term = 9 WHERE part = 0");
    ck_assert_int_eq(sign_of_life(even), STORE_FENCED);
    ck_assert_int_eq(sign_of_life(odd), STORE_OK);
    /* A batch that is lost is one part's as well. */
    fixture_sql("UPDATE taluva.server SET batch = 0 WHERE part = 1");
    ck_assert_int_eq(sign_of_life(odd), STORE_CORRUPT);
    fixture_close(even);
    fixture_close(odd);
}
END_TEST

/* Whoever takes a part that is stuck does not hold up who takes another. */
START_TEST(terms_are_given_out_while_a_part_is_stuck)
{
    fixture_hold("UPDATE taluva.server SET batch = batch + 1 WHERE part = 0", "taluvad 3 part 0");
    struct store *even, *odd;
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, open_waiting, &even), 0);
    while (connection_of("taluvad standby part 0") == 0)
        nanosleep(&(struct timespec){0, 20 * 1000000}, NULL);
    odd = open_part(1);
    ck_assert_uint_eq(fixture_epoch(), 3);
    fixture_let_go();
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    fixture_close(even);
    fixture_close(odd);
}
END_TEST

/* ---- batches of two parts that wait for each other */

struct claiming {
    struct store *store;
    uint64_t epoch;
    bool even, taken;
    enum store_result result;
};

/* Each has the name that the other one claims next. */
static void *claim_both(void *ctx)
{
    struct claiming *claiming = ctx;
    const bool even = claiming->even;
    const uint64_t session = even ? 8 : 7;
    const struct store_op ops[2] = {op_word(session, 1, even ? "ana" : "bo"),
                                    op_word(session, 2, even ? "bo" : "ana")};
    enum store_result results[2];
    const struct store_batch batch = {2, ops, NULL};
    claiming->result = fixture_commit_as(claiming->store, &batch, claiming->epoch, results);
    claiming->taken = results[0] == STORE_TAKEN || results[1] == STORE_TAKEN;
    return NULL;
}

START_TEST(claims_that_cross_are_each_taken_by_one)
{
    store_tables = guest_tables;
    struct claiming claiming[2] = {{.store = open_part(0), .epoch = fixture_epoch(), .even = true},
                                   {.store = open_part(1), .epoch = fixture_epoch()}};
    pthread_t threads[2];
    fixture_sql("INSERT INTO taluva.session VALUES (7, '', 0, 0), (8, '', 0, 0);"
                "CREATE FUNCTION taluva.linger() RETURNS trigger LANGUAGE plpgsql AS"
                " 'BEGIN PERFORM pg_sleep(0.4); RETURN NULL; END';"
                "CREATE TRIGGER linger AFTER INSERT ON taluva.guest_word FOR EACH ROW"
                " EXECUTE FUNCTION taluva.linger()");
    for (int at = 0; at < 2; at++)
        ck_assert_int_eq(pthread_create(&threads[at], NULL, claim_both, &claiming[at]), 0);
    for (int at = 0; at < 2; at++) {
        ck_assert_int_eq(pthread_join(threads[at], NULL), 0);
        ck_assert_int_eq(claiming[at].result, STORE_OK);
        fixture_close(claiming[at].store);
    }
    ck_assert(claiming[0].taken || claiming[1].taken);
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM taluva.guest_word"), 2);
    ck_assert_int_eq(fixture_number("SELECT count(DISTINCT name) FROM taluva.guest_word"), 2);
}
END_TEST

static void divide(void)
{
    fixture_divide(2);
}

void add_part_fault_tests(TCase *tests)
{
    tcase_add_checked_fixture(tests, divide, NULL);
    tcase_add_test(tests, who_is_silent_loses_one_part);
    tcase_add_test(tests, a_part_is_taken_at_once_from_who_is_as_it_was);
    tcase_add_test(tests, a_free_lock_is_not_enough);
    tcase_add_loop_test(tests, who_locks_a_part_and_does_not_take_it_is_ended, 0,
                        sizeof holders / sizeof holders[0]);
    tcase_add_test(tests, who_ends_another_taker_goes_on);
    tcase_add_test(tests, a_part_is_fenced_alone);
    tcase_add_test(tests, terms_are_given_out_while_a_part_is_stuck);
    tcase_add_test(tests, claims_that_cross_are_each_taken_by_one);
}
