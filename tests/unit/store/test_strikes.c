/*
 * One fault in each place where one can strike: no memory for any allocation, an error of any
 * statement, of any change of a file and of any reading. What a call answers is true every time: OK
 * if all of it was done, else nothing of it was, and the same call does it later. Nothing is left
 * open.
 */
#include "../../support/run_suites.h"
#include "cases.h"
#include "faulty_vfs.h"
#include "scenario.h"
#include "strike_stage.h"
#include <database.h>
#include <schema.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* 1: every place, as the nightly suite has it. */
static int stride_of_opening[STRIKES] = {
    [STRIKE_MEMORY] = 193, [STRIKE_STATEMENT] = 47, 11, 11, 11};
/* Of tidying, closing and copying, where each place is a store that is made anew. */
static int stride_of_ends[STRIKES] = {[STRIKE_MEMORY] = 5, [STRIKE_STATEMENT] = 5, 3, 3, 3};

/* No call needs so many that a fault would be met for ever. */
enum { PLACES_MAX = 100000 };

/* ---- committing */

/* Nothing of the test's own is struck. */
static enum store_result commit_once(struct sqlite_store *store, const struct store_batch *batch,
                                     enum strike kind, int nth, bool *struck)
{
    static struct store_op ops[SCENARIO_OPS_MAX];
    static enum store_result results[SCENARIO_OPS_MAX];
    for (size_t at = 0; at < batch->count; at++) {
        ops[at] = batch->ops[at];
        ops[at].epoch = sqlite_store_epoch(store);
        results[at] = STORE_OK;
    }
    struct store_batch same = {batch->count, ops, results};
    strike_arm(kind, nth);
    enum store_result result = sqlite_store_commit(store, &same);
    *struck = strike_disarm();
    for (size_t at = 0; at < batch->count && result == STORE_OK; at++)
        result = results[at];
    return result;
}

/* From the n-th place on, until it was taken; returns the place that it was taken in spite of, or
 * 0 if it had no n-th place. */
static int commit_struck(struct sqlite_store *store, enum strike kind, int number, int nth)
{
    const struct store_batch *batch = scenario_batch(&scenario, number);
    for (; nth < PLACES_MAX; nth++) {
        bool struck;
        enum store_result result = commit_once(store, batch, kind, nth, &struck);
        if (result == STORE_OK)
            return struck ? nth : 0;
        ck_assert_msg(struck, "%d: %s", result, sqlite_store_message(store));
        check_told(kind, result, sqlite_store_message(store));
    }
    ck_abort_msg("no end");
    return 0;
}

START_TEST(a_commit_says_what_became_of_it)
{
    struct held held = held_now();
    learn_expected();
    for (int number = 0; number < SCENARIO_BATCHES; number++) {
        for (int nth = 0;;) {
            struct sqlite_store *store = open_after(number);
            nth = commit_struck(store, (enum strike)_i, number, nth + 1);
            sqlite_store_close(store);
            check_content(number + 1);
            if (nth == 0)
                break;
        }
    }
    check_held(held);
}
END_TEST

/* ---- opening and loading */

/* What the files are that each try begins with. */
struct files {
    unsigned char *bytes;
    size_t len;
};

static int64_t checked_bytes = STORE_CHECKED_BYTES; /* by the opening */

static void put_files(const struct files *files)
{
    start_again();
    if (!files->bytes)
        return;
    mkdir(scratch.folder, 0700);
    spit(scratch.file, files->bytes, files->len);
}

static char *load_text(struct sqlite_store *store, enum store_result *result)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    *result = dump_into(store, out);
    fclose(out);
    return text;
}

/* What it holds, or NULL if it could not be had, and what was told then. */
static char *open_and_load(struct sqlite_store **store, enum store_result *result,
                           char message[STORE_MESSAGE_MAX])
{
    message[0] = 0;
    *result = sqlite_store_open_checking(scratch.folder, checked_bytes, store, message);
    if (*result != STORE_OK) {
        ck_assert_ptr_null(*store);
        return NULL;
    }
    char *text = load_text(*store, result);
    if (*result == STORE_OK)
        return text;
    free(text);
    snprintf(message, STORE_MESSAGE_MAX, "%s", sqlite_store_message(*store));
    return NULL;
}

/* It takes events, and has an epoch that nobody else had. */
static void check_usable(struct sqlite_store *store)
{
    long long epoch = (long long)sqlite_store_epoch(store);
    struct store_op ops[] = {op_room("room0new"), op_event("room0new", 1)};
    ck_assert_int_eq(commit_ops(store, ops, 2), STORE_OK);
    ck_assert_int_eq(scratch_number(&scratch, "SELECT epoch FROM engine"), epoch);
    ck_assert_int_eq(scratch_number(&scratch, "PRAGMA user_version"), STORE_VERSION);
}

static bool open_struck(enum strike kind, int nth, const char *content)
{
    char message[STORE_MESSAGE_MAX];
    struct sqlite_store *store;
    enum store_result result;
    strike_arm(kind, nth);
    char *text = open_and_load(&store, &result, message);
    bool struck = strike_disarm();
    if (text) {
        ck_assert_msg(strcmp(text, content) == 0, "%s %d: %s", kind_names[kind], nth, text);
        ck_assert_uint_eq(sqlite_store_left_out(store), 0);
        check_usable(store);
    } else {
        ck_assert_msg(struck, "%s", message);
        check_told(kind, result, message);
    }
    free(text);
    sqlite_store_close(store);
    return struck;
}

/* It opens the next time as if nothing had been. */
static void check_opens(const char *content)
{
    char *text = dump_folder(&scratch);
    size_t len = strlen(content);
    ck_assert_msg(strstr(text, "room room0new") || strcmp(text, content) == 0, "%s", text);
    ck_assert_uint_ge(strlen(text), len);
    free(text);
}

/* Each test begins at another place, so that together they leave out few of what they share. */
static void open_with_each_fault(enum strike kind, int first, const struct files *files)
{
    put_files(files);
    char *content = dump_folder(&scratch);
    struct held held = held_now();
    for (int nth = stride_of_opening[kind] > 1 ? first : 1;; nth += stride_of_opening[kind]) {
        ck_assert_int_lt(nth, PLACES_MAX);
        put_files(files);
        bool struck = open_struck(kind, nth, content);
        check_held(held);
        check_opens(content);
        if (!struck)
            break;
    }
    free(content);
}

START_TEST(a_store_is_opened_whole_or_not_at_all)
{
    struct files files = {NULL, 0};
    sqlite_store_close(open_after(SCENARIO_BATCHES));
    files.bytes = slurp(scratch.file, &files.len);
    open_with_each_fault((enum strike)_i, 1, &files);
    free(files.bytes);
}
END_TEST

START_TEST(a_large_store_is_opened_whole_or_not_at_all)
{
    struct files files = {NULL, 0};
    sqlite_store_close(open_after(SCENARIO_BATCHES));
    files.bytes = slurp(scratch.file, &files.len);
    checked_bytes = 0;
    open_with_each_fault((enum strike)_i, 2, &files);
    checked_bytes = STORE_CHECKED_BYTES;
    free(files.bytes);
}
END_TEST

START_TEST(a_store_is_made_whole_or_not_at_all)
{
    open_with_each_fault((enum strike)_i, 3, &(struct files){NULL, 0});
}
END_TEST

START_TEST(a_store_is_migrated_whole_or_not_at_all)
{
    struct files files;
    char path[512];
    size_t len;
    snprintf(path, sizeof path, "%s/version1.sql", getenv("TALUVA_TEST_DATA"));
    unsigned char *sql = slurp(path, &len);
    ck_assert_int_eq(mkdir(scratch.folder, 0700), 0);
    scratch_sql(&scratch, (const char *)sql);
    free(sql);
    files.bytes = slurp(scratch.file, &files.len);
    open_with_each_fault((enum strike)_i, 1, &files);
    free(files.bytes);
}
END_TEST

/* ---- checking a large store while it is used */

static struct sqlite_store *open_large(void)
{
    char message[STORE_MESSAGE_MAX];
    struct sqlite_store *store;
    ck_assert_int_eq(sqlite_store_open_checking(scratch.folder, 0, &store, message), STORE_OK);
    return store;
}

/* A fault is no damage, and no damage is overlooked because of a fault. */
static void check_with_each_fault(enum strike kind, enum store_result truth)
{
    struct held held = held_now();
    bool struck = true;
    for (int nth = 1; struck; nth++) {
        char message[STORE_MESSAGE_MAX] = "";
        struct sqlite_store *store = open_large();
        strike_arm(kind, nth);
        enum store_result result = sqlite_store_check_later(store, message);
        struck = strike_disarm();
        if (result != truth) {
            ck_assert_msg(struck && result == STORE_FAILED, "%s %d: %d %s", kind_names[kind], nth,
                          result, message);
            ck_assert_str_ne(message, "");
        }
        sqlite_store_close(store);
        check_held(held);
    }
}

static void damage_archived_events(void)
{
    size_t len;
    long long page = scratch_number(
        &scratch, "SELECT rootpage FROM sqlite_schema WHERE name = 'archived_event'");
    unsigned char *bytes = slurp(scratch.file, &len);
    memset(bytes + (page - 1) * 4096, 0, 4096);
    spit(scratch.file, bytes, len);
    free(bytes);
}

START_TEST(a_check_that_fails_says_so)
{
    sqlite_store_close(open_after(SCENARIO_BATCHES));
    check_with_each_fault((enum strike)_i, STORE_OK);
    damage_archived_events();
    check_with_each_fault((enum strike)_i, STORE_CORRUPT);
}
END_TEST

static void stop_check(void *store)
{
    sqlite_store_stop_check(store);
}

/* Of more pages than a connection keeps. */
static void make_large(void)
{
    sqlite_store_close(open_after(SCENARIO_BATCHES));
    scratch_sql(&scratch, "WITH RECURSIVE many (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM many"
                          " LIMIT 4000) INSERT INTO session SELECT n + 1000,"
                          " hex(randomblob(1000)), 0, 0, x'' FROM many");
}

static int stop_before_step(void *store, int action, const char *what, const char *value,
                            const char *database, const char *trigger)
{
    (void)value, (void)database, (void)trigger;
    if (action == SQLITE_PRAGMA && strcmp(what, "quick_check") == 0)
        stop_check(store);
    return SQLITE_OK;
}

/* Between the last look at the flag and the first reading. */
START_TEST(a_check_that_is_stopped_as_it_begins_ends)
{
    char message[STORE_MESSAGE_MAX];
    make_large();
    struct sqlite_store *store = open_large();
    sqlite3_set_authorizer(store->check_later.db, stop_before_step, store);
    faulty_hook_read(-1, NULL, NULL);
    ck_assert_int_eq(sqlite_store_check_later(store, message), STORE_FAILED);
    ck_assert_str_eq(message, "checking the file: stopped");
    ck_assert_int_le(faulty_reads(), 10); /* of the header and the schema */
    faulty_clear();
    sqlite_store_close(store);
}
END_TEST

static int deny_check(void *ctx, int action, const char *what, const char *value,
                      const char *database, const char *trigger)
{
    (void)ctx, (void)value, (void)database, (void)trigger;
    return action == SQLITE_PRAGMA && strcmp(what, "quick_check") == 0 ? SQLITE_DENY : SQLITE_OK;
}

START_TEST(why_the_file_cannot_be_checked_is_told)
{
    char message[STORE_MESSAGE_MAX];
    make_large();
    struct sqlite_store *store = open_large();
    sqlite3_set_authorizer(store->check_later.db, deny_check, NULL);
    ck_assert_int_eq(sqlite_store_check_later(store, message), STORE_FAILED);
    ck_assert_str_eq(message, "checking the file: authorization denied (23)");
    sqlite_store_close(store);
}
END_TEST

/* Stopped before it begins or in any of its readings, a check reads hardly anything more. */
START_TEST(a_check_that_is_stopped_ends)
{
    enum { PAGES = 2000, READS_AFTER = 4 };
    char message[STORE_MESSAGE_MAX];
    make_large();
    struct sqlite_store *store = open_large();
    faulty_hook_read(-1, NULL, NULL);
    ck_assert_int_eq(sqlite_store_check_later(store, message), STORE_OK);
    int reads = faulty_reads();
    ck_assert_int_gt(reads, PAGES);
    sqlite_store_close(store);
    for (int at = -1; at < reads - READS_AFTER; at += at < 20 ? 1 : reads / 10) {
        store = open_large();
        faulty_hook_read(at, stop_check, store);
        if (at < 0)
            sqlite_store_stop_check(store);
        ck_assert_int_eq(sqlite_store_check_later(store, message), STORE_FAILED);
        ck_assert_str_eq(message, "checking the file: stopped");
        ck_assert_int_le(faulty_reads(), at + READS_AFTER);
        faulty_clear();
        sqlite_store_close(store);
    }
}
END_TEST

/* ---- reading */

static bool read_struck(struct sqlite_store *store, enum strike kind, int nth, const char *content)
{
    struct sqlite_reading *reading;
    char *text = NULL;
    size_t len = 0;
    strike_arm(kind, nth);
    enum store_result result = sqlite_store_read(store, "room000c", &reading);
    bool struck = strike_disarm();
    if (result != STORE_OK) {
        ck_assert(struck);
        ck_assert_ptr_null(reading);
        check_told(kind, result, sqlite_store_message(store));
        return true;
    }
    ck_assert_ptr_nonnull(reading->rows.room);
    FILE *out = open_memstream(&text, &len);
    dump_rows(out, &reading->rows);
    fclose(out);
    if (content)
        ck_assert_str_eq(text, content);
    free(text);
    sqlite_reading_destroy(reading);
    return struck;
}

START_TEST(what_is_read_is_right_or_refused)
{
    struct held held = held_now();
    struct sqlite_store *store = open_after(10);
    struct sqlite_reading *reading;
    char *content = NULL;
    size_t len = 0;
    ck_assert_int_eq(sqlite_store_read(store, "room000c", &reading), STORE_OK);
    ck_assert_uint_eq(reading->rows.count, 40);
    FILE *out = open_memstream(&content, &len);
    dump_rows(out, &reading->rows);
    fclose(out);
    sqlite_reading_destroy(reading);
    int nth = 1;
    do
        sqlite3_db_release_memory(store->db); /* so that there is something to read */
    while (read_struck(store, (enum strike)_i, nth++, content));
    ck_assert(_i == STRIKE_FULL || _i == STRIKE_WRITE || nth > 3);
    free(content);
    sqlite_store_close(store);
    check_held(held);
}
END_TEST

/* ---- the log on disk, and copies */

/* The log was moved into the database: the next commit begins again at its front. */
static void check_log_moved(struct sqlite_store *store)
{
    int frames = store->log_frames;
    ck_assert_int_eq(store->tidy_frames, STORE_TIDY_FRAMES);
    ck_assert_int_eq(commit_batch(store, &(struct store_batch){0, NULL, NULL}), STORE_OK);
    ck_assert_int_lt(store->log_frames, frames);
}

/*
 * A failed one says so and does no harm. That the ends of logs cannot be written keeps the log from
 * nothing; one that could not be moved is not tried again before it has grown as much.
 */
START_TEST(tidying_that_fails_does_no_harm)
{
    struct held held = held_now();
    learn_expected();
    bool struck = true;
    for (int nth = 1; struck; nth += stride_of_ends[_i]) {
        struct sqlite_store *store = open_after(SCENARIO_BATCHES);
        ck_assert_int_gt(store->log_frames, 10);
        store->tidy_frames = store->log_frames;
        strike_arm((enum strike)_i, nth);
        enum store_result result = sqlite_store_tidy(store);
        struck = strike_disarm();
        if (result != STORE_OK) {
            ck_assert(struck);
            check_told((enum strike)_i, result, sqlite_store_message(store));
        }
        if (result != STORE_OK && strstr(sqlite_store_message(store), "moving the log"))
            ck_assert_int_eq(store->tidy_frames, STORE_TIDY_FRAMES + store->log_frames);
        else
            check_log_moved(store);
        sqlite_store_close(store);
        check_content(SCENARIO_BATCHES);
    }
    check_held(held);
}
END_TEST

/* Closing a store whose ends of logs cannot be written loses nothing, and they are written the next
 * time. */
START_TEST(closing_that_fails_does_no_harm)
{
    static const char late[] = "SELECT count(*) FROM room WHERE archived = 0 AND end_seq <> (SELECT"
                               " max(seq) FROM event WHERE event.room = room.key)";
    struct held held = held_now();
    learn_expected();
    bool struck = true;
    for (int nth = 1; struck; nth += stride_of_ends[_i]) {
        struct sqlite_store *store = open_after(SCENARIO_BATCHES);
        strike_arm((enum strike)_i, nth);
        sqlite_store_close(store);
        struck = strike_disarm();
        ck_assert_int_le(nth, PLACES_MAX);
        check_content(SCENARIO_BATCHES);
        ck_assert_int_eq(scratch_number(&scratch, late), 0);
    }
    check_held(held);
}
END_TEST

static char *text_of_copy(const char *copy)
{
    struct scratch restored;
    size_t len;
    scratch_init(&restored);
    ck_assert_int_eq(mkdir(restored.folder, 0700), 0);
    unsigned char *bytes = slurp(copy, &len);
    spit(restored.file, bytes, len);
    free(bytes);
    char *text = dump_folder_and_games(&restored);
    scratch_release(&restored);
    return text;
}

static bool backup_struck(enum strike kind, int nth, const char *copy, const char *part)
{
    char message[STORE_MESSAGE_MAX] = "";
    strike_arm(kind, nth);
    enum store_result result = sqlite_store_backup(scratch.folder, copy, false, message);
    bool struck = strike_disarm();
    ck_assert_int_ne(access(part, F_OK), 0);
    if (result == STORE_OK) {
        char *text = text_of_copy(copy);
        ck_assert_str_eq(text, expected[SCENARIO_BATCHES]);
        free(text);
        ck_assert_int_eq(unlink(copy), 0);
    } else {
        ck_assert(struck);
        /* What the check of the copy cannot read it calls malformed. */
        if (kind != STRIKE_READ || result != STORE_CORRUPT)
            check_told(kind, result, message);
        ck_assert_int_ne(access(copy, F_OK), 0);
    }
    return struck;
}

START_TEST(a_copy_is_whole_or_not_there)
{
    char copy[128], part[192];
    struct held held = held_now();
    learn_expected();
    struct sqlite_store *store = open_after(SCENARIO_BATCHES);
    snprintf(copy, sizeof copy, "%s/copy.db", scratch.root);
    snprintf(part, sizeof part, "%s.part-%ld", copy, (long)getpid());
    int nth = 1;
    while (backup_struck((enum strike)_i, nth, copy, part))
        nth += stride_of_ends[_i];
    ck_assert_int_gt(nth, 2);
    sqlite_store_close(store);
    check_held(held);
}
END_TEST

int main(int argc, char **argv)
{
    for (int kind = 0; argc > 1 && strcmp(argv[1], "all") == 0 && kind < STRIKES; kind++)
        stride_of_opening[kind] = stride_of_ends[kind] = 1;
    strike_init();
    Suite *suite = suite_create("store strikes");
    TCase *tests = tcase_create("strikes");
    tcase_add_checked_fixture(tests, strike_set_up, strike_tear_down);
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, a_commit_says_what_became_of_it, 0, STRIKES);
    tcase_add_loop_test(tests, a_store_is_opened_whole_or_not_at_all, 0, STRIKES);
    tcase_add_loop_test(tests, a_large_store_is_opened_whole_or_not_at_all, 0, STRIKES);
    tcase_add_loop_test(tests, a_check_that_fails_says_so, 0, STRIKES);
    tcase_add_test(tests, a_check_that_is_stopped_ends);
    tcase_add_test(tests, a_check_that_is_stopped_as_it_begins_ends);
    tcase_add_test(tests, why_the_file_cannot_be_checked_is_told);
    tcase_add_loop_test(tests, a_store_is_made_whole_or_not_at_all, 0, STRIKES);
    tcase_add_loop_test(tests, a_store_is_migrated_whole_or_not_at_all, 0, STRIKES);
    tcase_add_loop_test(tests, what_is_read_is_right_or_refused, 0, STRIKES);
    tcase_add_loop_test(tests, tidying_that_fails_does_no_harm, 0, STRIKES);
    tcase_add_loop_test(tests, closing_that_fails_does_no_harm, 0, STRIKES);
    tcase_add_loop_test(tests, a_copy_is_whole_or_not_there, 0, STRIKES);
    suite_add_tcase(suite, tests);
    return run_suites(srunner_create(suite));
}
