/*
 * The store on a disk that fails, and after crashes: whatever was acknowledged is there, whatever
 * was refused is not, nothing is half there, and it works again when the disk does.
 */
#include "../../support/run_suites.h"
#include "faulty_vfs.h"
#include "row_ops.h"
#include "scenario.h"
#include "scratch.h"
#include <check.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* 1: every change, as the slow suite has it; else every `stride`th. */
static int stride = 7;

/* What the store holds after each number of batches, had without any fault. */
static char *expected[SCENARIO_BATCHES + 1];

static void run_batches(struct sqlite_store *store, struct scenario *scenario, int from, int to)
{
    for (int number = from; number < to; number++) {
        enum store_result result = commit_batch(store, scenario_batch(scenario, number));
        ck_assert_msg(result == STORE_OK, "batch %d: %d: %s", number, result,
                      sqlite_store_message(store));
    }
}

static void learn_expected(void)
{
    static struct scenario scenario;
    for (int count = 0; count <= SCENARIO_BATCHES; count++) {
        struct scratch scratch;
        scratch_init(&scratch);
        scenario_init(&scenario);
        struct sqlite_store *store = scratch_open_loaded(&scratch);
        run_batches(store, &scenario, 0, count);
        sqlite_store_close(store);
        free(expected[count]);
        expected[count] = dump_folder_and_games(&scratch);
        scratch_release(&scratch);
    }
}

static void set_up(void)
{
    store_tables = store_test_tables;
    faulty_install();
    faulty_clear();
    learn_expected();
}

static void tear_down(void)
{
    for (int count = 0; count <= SCENARIO_BATCHES; count++) {
        free(expected[count]);
        expected[count] = NULL;
    }
}

/* What the hub does: the same again until it is taken. Returns how many times it was refused. */
static int commit_until_taken(struct sqlite_store *store, const struct store_batch *batch,
                              enum store_result refusal)
{
    for (int refused = 0;; refused++) {
        enum store_result result = commit_batch(store, batch);
        if (result == STORE_OK)
            return refused;
        ck_assert_msg(result == refusal, "%d instead of %d: %s", result, refusal,
                      sqlite_store_message(store));
        ck_assert_str_ne(sqlite_store_message(store), "");
        ck_assert_int_lt(refused, 100);
    }
}

/* The whole scenario with `count` changes failing from number `at` on; returns how many refusals.
 */
static int play_with_faults(int at, int count, int code, bool late, enum store_result refusal)
{
    static struct scenario scenario;
    struct scratch scratch;
    int refused = 0;
    scratch_init(&scratch);
    scenario_init(&scenario);
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    faulty_plan(at, count, code, late);
    for (int number = 0; number < SCENARIO_BATCHES; number++)
        refused += commit_until_taken(store, scenario_batch(&scenario, number), refusal);
    faulty_clear();
    sqlite_store_close(store);
    char *found = dump_folder_and_games(&scratch);
    ck_assert_str_eq(found, expected[SCENARIO_BATCHES]);
    free(found);
    scratch_release(&scratch);
    return refused;
}

static const struct {
    int code;
    bool late;
    enum store_result refusal;
} faults[] = {
    {SQLITE_FULL, false, STORE_FULL},
    {SQLITE_IOERR_WRITE, false, STORE_FAILED},
    {SQLITE_IOERR_FSYNC, true, STORE_FAILED},
};

static int scenario_changes(void)
{
    faulty_clear();
    ck_assert_int_eq(play_with_faults(0, 0, 0, false, STORE_OK), 0);
    static struct scenario scenario;
    struct scratch scratch;
    scratch_init(&scratch);
    scenario_init(&scenario);
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    faulty_clear();
    run_batches(store, &scenario, 0, SCENARIO_BATCHES);
    int changes = faulty_changes();
    sqlite_store_close(store);
    scratch_release(&scratch);
    return changes;
}

START_TEST(each_change_fails_once)
{
    int changes = scenario_changes();
    ck_assert_int_gt(changes, 100);
    /* Every change belongs to a commit, so every fault refuses one. */
    for (int at = 0; at < changes; at += stride)
        ck_assert_int_eq(
            play_with_faults(at, 1, faults[_i].code, faults[_i].late, faults[_i].refusal), 1);
}
END_TEST

START_TEST(the_disk_fails_for_a_while)
{
    int changes = scenario_changes();
    for (int at = 0; at < changes; at += 3 * stride)
        ck_assert_int_ge(
            play_with_faults(at, 20, faults[_i].code, faults[_i].late, faults[_i].refusal), 1);
}
END_TEST

/* Plays the scenario on tape; taken[n] is the tape's length when batch n had been acknowledged. */
static void play_on_tape(size_t taken[SCENARIO_BATCHES])
{
    static struct scenario scenario;
    struct scratch scratch;
    scratch_init(&scratch);
    scenario_init(&scenario);
    sqlite_store_close(scratch_open_loaded(&scratch));
    tape_begin();
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    for (int number = 0; number < SCENARIO_BATCHES; number++) {
        ck_assert_int_eq(commit_batch(store, scenario_batch(&scenario, number)), STORE_OK);
        taken[number] = tape_length();
        sqlite_store_reserve(store);
    }
    sqlite_store_close(store);
    scratch_release(&scratch);
}

/* The tape belongs to the paths that were taped: recovering from it must not be taped. */
static void check_crash(size_t length, const size_t taken[SCENARIO_BATCHES], enum tape_loss loss,
                        uint32_t seed)
{
    struct scratch scratch;
    int acknowledged = 0;
    while (acknowledged < SCENARIO_BATCHES && taken[acknowledged] <= length)
        acknowledged++;
    scratch_init(&scratch);
    ck_assert_int_eq(mkdir(scratch.folder, 0700), 0);
    tape_restore(scratch.folder, length, loss, seed);
    char *found = dump_folder_and_games(&scratch);
    bool next = acknowledged < SCENARIO_BATCHES && strcmp(found, expected[acknowledged + 1]) == 0;
    ck_assert_msg(next || strcmp(found, expected[acknowledged]) == 0,
                  "after %zu changes, loss %d, seed %u: %d batches were acknowledged, found:\n%s",
                  length, (int)loss, seed, acknowledged, found);
    free(found);
    scratch_release(&scratch);
}

START_TEST(crash_at_every_change)
{
    size_t taken[SCENARIO_BATCHES];
    play_on_tape(taken);
    tape_pause();
    size_t length = tape_length();
    ck_assert_uint_gt(length, 100);
    for (size_t at = 0; at <= length; at += (size_t)stride) {
        check_crash(at, taken, TAPE_KEEP_ALL, 0);
        check_crash(at, taken, TAPE_LOSE_ALL, 0);
        for (uint32_t seed = 1; seed <= 2; seed++)
            check_crash(at, taken, TAPE_LOSE_SOME, seed * 77 + (uint32_t)at);
    }
    tape_end();
}
END_TEST

/* A commit refused because its fsync failed must not come back with the next recovery. */
START_TEST(refused_stays_refused_after_a_crash)
{
    static struct scenario scenario;
    struct scratch scratch, crashed;
    scratch_init(&scratch);
    scenario_init(&scenario);
    sqlite_store_close(scratch_open_loaded(&scratch));
    tape_begin();
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    run_batches(store, &scenario, 0, 4);
    const struct store_batch *batch = scenario_batch(&scenario, 4);
    int refusals = 0;
    for (int at = 0; at < 8; at++) {
        faulty_plan(at, 1, SQLITE_IOERR_FSYNC, true);
        enum store_result result = commit_batch(store, batch);
        faulty_clear();
        if (result == STORE_OK)
            break;
        refusals++;
        tape_pause();
        scratch_init(&crashed);
        ck_assert_int_eq(mkdir(crashed.folder, 0700), 0);
        tape_restore(crashed.folder, tape_length(), TAPE_KEEP_ALL, 0);
        char *found = dump_folder_and_games(&crashed);
        ck_assert_str_eq(found, expected[4]);
        free(found);
        scratch_release(&crashed);
        tape_resume();
    }
    ck_assert_int_ge(refusals, 2);
    sqlite_store_close(store);
    tape_end();
    scratch_release(&scratch);
}
END_TEST

static long long log_size(const struct scratch *scratch)
{
    char path[128];
    struct stat status;
    snprintf(path, sizeof path, "%s-wal", scratch->file);
    ck_assert_int_eq(stat(path, &status), 0);
    return status.st_size;
}

/* With change `at` failing. What was reserved is there for the next commits; what was not is not
 * tried for again at once. Answers whether a change failed. */
static bool reserve_with_fault(int at, int code, bool late)
{
    static struct scenario scenario;
    struct scratch scratch;
    scratch_init(&scratch);
    scenario_init(&scenario);
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    run_batches(store, &scenario, 0, 3);
    const long long used = log_size(&scratch);
    faulty_plan(at, 1, code, late);
    sqlite_store_reserve(store);
    const bool struck = faulty_struck();
    faulty_clear();
    const long long reserved = log_size(&scratch);
    sqlite_store_reserve(store);
    ck_assert_int_eq(log_size(&scratch), reserved);
    run_batches(store, &scenario, 3, 5);
    if (!struck) {
        ck_assert_int_ge(reserved, used + (256 << 10));
        ck_assert_int_eq(log_size(&scratch), reserved);
    }
    run_batches(store, &scenario, 5, SCENARIO_BATCHES);
    sqlite_store_close(store);
    char *found = dump_folder_and_games(&scratch);
    ck_assert_str_eq(found, expected[SCENARIO_BATCHES]);
    free(found);
    scratch_release(&scratch);
    return struck;
}

START_TEST(reserving_that_fails_does_no_harm)
{
    int at = 0;
    while (reserve_with_fault(at, faults[_i].code, faults[_i].late))
        at++;
    ck_assert_int_gt(at, 8);
}
END_TEST

/* It opens, refuses commits as long as that lasts, and goes on by itself. */
START_TEST(a_disk_that_is_full_at_the_start)
{
    static struct scenario scenario;
    struct scratch scratch;
    scratch_init(&scratch);
    scenario_init(&scenario);
    sqlite_store_close(scratch_open_loaded(&scratch));
    long long epoch = scratch_number(&scratch, "SELECT epoch FROM engine");
    faulty_plan(0, 1000000, faults[_i].code, faults[_i].late);
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    const struct store_batch *batch = scenario_batch(&scenario, 0);
    for (int tries = 0; tries < 3; tries++)
        ck_assert_int_eq(commit_batch(store, batch), faults[_i].refusal);
    faulty_clear();
    ck_assert_int_eq(commit_batch(store, batch), STORE_OK);
    ck_assert_int_eq(scratch_number(&scratch, "SELECT epoch FROM engine"), epoch + 1);
    run_batches(store, &scenario, 1, SCENARIO_BATCHES);
    sqlite_store_close(store);
    char *found = dump_folder_and_games(&scratch);
    ck_assert_str_eq(found, expected[SCENARIO_BATCHES]);
    free(found);
    scratch_release(&scratch);
}
END_TEST

/* Who starts on a full disk has not fenced anybody; who took the store meanwhile keeps it. */
START_TEST(taken_by_another_while_the_disk_was_full)
{
    struct scratch scratch;
    scratch_init(&scratch);
    sqlite_store_close(scratch_open_loaded(&scratch));
    faulty_plan(0, 1000000, SQLITE_FULL, false);
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    faulty_clear();
    struct sqlite_store *other = scratch_open_loaded(&scratch);
    ck_assert_int_eq(commit_batch(store, &(struct store_batch){0, NULL, NULL}), STORE_FENCED);
    ck_assert_int_eq(commit_batch(other, &(struct store_batch){0, NULL, NULL}), STORE_OK);
    sqlite_store_close(store);
    sqlite_store_close(other);
    scratch_release(&scratch);
}
END_TEST

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "all") == 0)
        stride = 1;

    Suite *suite = suite_create("store faults");
    TCase *faulty = tcase_create("faults");
    tcase_add_unchecked_fixture(faulty, set_up, tear_down);
    tcase_set_timeout(faulty, 300);
    tcase_add_loop_test(faulty, each_change_fails_once, 0, sizeof faults / sizeof faults[0]);
    tcase_add_loop_test(faulty, the_disk_fails_for_a_while, 0, sizeof faults / sizeof faults[0]);
    tcase_add_test(faulty, crash_at_every_change);
    tcase_add_loop_test(faulty, reserving_that_fails_does_no_harm, 0,
                        sizeof faults / sizeof faults[0]);
    tcase_add_loop_test(faulty, a_disk_that_is_full_at_the_start, 0,
                        sizeof faults / sizeof faults[0]);
    tcase_add_test(faulty, taken_by_another_while_the_disk_was_full);
    tcase_add_test(faulty, refused_stays_refused_after_a_crash);
    suite_add_tcase(suite, faulty);
    return run_suites(srunner_create(suite));
}
