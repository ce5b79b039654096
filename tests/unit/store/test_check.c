/* Looking at a store from outside: what is damaged is told, and nothing is written. */
#include "cases.h"
#include "scenario.h"
#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <store/store.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a check hands over: live rooms in `live`, archived ones in `archived`, the rest. */
struct told {
    enum store_result result;
    char message[STORE_MESSAGE_MAX];
    char *live, *archived, *findings;
};

static void write_finding(void *ctx, const char *what)
{
    fprintf(ctx, "%s\n", what);
}

static struct told check_file(const char *path)
{
    struct told told = {.result = STORE_OK};
    size_t len;
    FILE *live = open_memstream(&told.live, &len);
    FILE *archived = open_memstream(&told.archived, &len);
    FILE *findings = open_memstream(&told.findings, &len);
    const struct store_check check = {dump_sink(live), dump_sink(archived), write_finding,
                                      findings};
    told.result = sqlite_store_check(path, &check, told.message);
    fclose(live);
    fclose(archived);
    fclose(findings);
    return told;
}

static void told_release(struct told *told)
{
    free(told->live);
    free(told->archived);
    free(told->findings);
}

/* Names, sizes, times and contents of all in the folder. */
static char *fingerprint(void)
{
    struct dirent **names;
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    int count = scandir(scratch.folder, &names, NULL, alphasort);
    for (int at = 0; at < count; at++) {
        char path[512];
        struct stat status;
        snprintf(path, sizeof path, "%s/%.255s", scratch.folder, names[at]->d_name);
        ck_assert_int_eq(stat(path, &status), 0);
        fprintf(out, "%s %lld %lld.%09ld\n", names[at]->d_name, (long long)status.st_size,
                (long long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
        if (S_ISREG(status.st_mode)) {
            size_t bytes_len;
            unsigned char *bytes = slurp(path, &bytes_len);
            for (size_t byte = 0; byte < bytes_len; byte++)
                fprintf(out, "%02x", bytes[byte]);
            free(bytes);
        }
        free(names[at]);
    }
    free(names);
    fclose(out);
    return text;
}

/* The scenario, and one room more that is archived; closed, or left as a crash leaves it. */
static void run_scenario(bool crash)
{
    static struct scenario scenario;
    pid_t child = fork();
    if (child == 0) {
        struct sqlite_store *store = scratch_open_loaded(&scratch);
        scenario_init(&scenario);
        for (int number = 0; number < SCENARIO_BATCHES; number++)
            ck_assert_int_eq(commit_batch(store, scenario_batch(&scenario, number)), STORE_OK);
        ck_assert_int_eq(commit_one(store, op_of(STORE_ARCHIVE_ROOM, "room000b")), STORE_OK);
        if (!crash)
            sqlite_store_close(store);
        _exit(0);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* As opening hands it over; also from the log of a server that was killed. */
START_TEST(a_whole_store_is_handed_over_and_nothing_written)
{
    run_scenario(_i == 1);
    char *before = fingerprint();
    ck_assert_int_eq(strstr(before, "-wal") != NULL, _i == 1);
    struct told told = check_file(scratch.file);
    ck_assert_msg(told.result == STORE_OK, "%s", told.message);
    ck_assert_str_eq(told.findings, "");
    char *after = fingerprint();
    ck_assert_str_eq(before, after);
    char *live = dump_folder(&scratch);
    ck_assert_str_eq(told.live, live);
    ck_assert_ptr_nonnull(strstr(told.archived, "room room000b"));
    ck_assert_ptr_nonnull(strstr(told.archived, "event room000b 1"));
    free(before);
    free(after);
    free(live);
    told_release(&told);
}
END_TEST

#define LONG_ID "PRAGMA ignore_check_constraints = ON; UPDATE room SET id = 'room000aa' WHERE "

enum where { LIVE, ARCHIVED, FINDING };
static const struct {
    const char *sql;
    enum where where;
    const char *say;
} damages[] = {
    {"DELETE FROM event WHERE seq = 2", LIVE, "damaged room000a: its log has a gap at event 2"},
    {"DELETE FROM event WHERE seq = 3", LIVE,
     "damaged room000a: its log has lost its end at event 3"},
    {"DELETE FROM event", LIVE, "damaged room000a: its log has lost its end at event 1"},
    {"UPDATE event SET kind = 99 WHERE seq = 3", LIVE,
     "damaged room000a: its log is not readable at event 3"},
    {"UPDATE event SET text = 'dras' WHERE seq = 2", LIVE,
     "damaged room000a: its log was changed at event 2"},
    {"UPDATE room SET host = 9 WHERE archived = 0", LIVE, "damaged room000a: its row was changed"},
    {"UPDATE session SET name = 'Eve'", FINDING, "left out: a session"},
    {"UPDATE session SET name = name || char(0) || 'Eve'", FINDING, "left out: a session"},
    {"UPDATE push SET key = 8", FINDING, "left out: a browser of a session"},
    {"UPDATE pass SET name = 'Phone'", FINDING, "left out: a credential of a session"},
    {"UPDATE game SET seat = 1", FINDING, "left out: a finished match of a session"},
    {"UPDATE guest SET session = 8 WHERE session = 7", FINDING, "left out: a guest"},
    {"UPDATE guest SET session = 8 WHERE session = 9", FINDING, "left out: a guest"},
    {LONG_ID "archived = 0", FINDING, "left out: a guest"},
    {LONG_ID "archived = 0", FINDING, "left out: a room without a readable id"},
    {LONG_ID "archived = 1", FINDING, "an archived room without a readable id"},
    {"UPDATE event SET room = 77", FINDING, "left out: an event of no live room"},
    {"UPDATE archived_event SET text = 'dras' WHERE seq = 2", ARCHIVED,
     "damaged room000z: its log was changed at event 2"},
    {"UPDATE archived_event SET seat = -1 WHERE seq = 3", ARCHIVED,
     "damaged room000z: its log is not readable at event 3"},
    {"DELETE FROM archived_event WHERE seq = 1", ARCHIVED,
     "damaged room000z: its log has a gap at event 1"},
    {"DELETE FROM archived_event WHERE seq = 3", ARCHIVED,
     "damaged room000z: its row was changed, or its log was cut"},
    {"UPDATE room SET code = 'much-too-long-for-a-code' WHERE archived = 1", ARCHIVED,
     "damaged room000z: its row is not readable"},
    {"PRAGMA foreign_keys = OFF; UPDATE archived_event SET room = 99 WHERE seq = 3", FINDING,
     "1 archived events of no archived room"},
    {"PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = 'guest'", FINDING,
     "reading the tables"},
};

START_TEST(what_is_damaged_is_told)
{
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    struct store_op session = {.kind = STORE_PUT_SESSION, .u.session = {.id = 5, .name = "Ana"}};
    struct store_op ops[] = {op_room("room000z"),
                             op_event("room000z", 1),
                             op_event("room000z", 2),
                             op_event("room000z", 3),
                             op_guest("room000z", 9, 0),
                             op_of(STORE_ARCHIVE_ROOM, "room000z"),
                             op_room("room000a"),
                             op_event("room000a", 1),
                             op_event("room000a", 2),
                             op_event("room000a", 3),
                             op_guest("room000a", 7, 0),
                             session,
                             op_pass(5, 1, 1),
                             op_push(5, 1, "https://push.example/1"),
                             op_game("room000z", 5, 0, 1000, 9)};
    ck_assert_int_eq(commit_ops(store, ops, sizeof ops / sizeof ops[0]), STORE_OK);
    sqlite_store_close(store);
    struct told whole = check_file(scratch.file);
    ck_assert_ptr_null(strstr(whole.live, "damaged"));
    ck_assert_ptr_null(strstr(whole.archived, "damaged"));
    ck_assert_str_eq(whole.findings, "");
    told_release(&whole);
    scratch_sql(&scratch, damages[_i].sql);
    char *before = fingerprint();
    struct told told = check_file(scratch.file);
    ck_assert_msg(told.result == STORE_OK, "%s", told.message);
    const char *texts[] = {told.live, told.archived, told.findings};
    ck_assert_msg(strstr(texts[damages[_i].where], damages[_i].say), "%s: live %s archived %s %s",
                  damages[_i].sql, told.live, told.archived, told.findings);
    char *after = fingerprint();
    ck_assert_str_eq(before, after);
    free(before);
    free(after);
    told_release(&told);
}
END_TEST

/* A page of zeros in the middle of the live log: the structure is found at fault. */
START_TEST(a_page_that_is_gone_is_told)
{
    enum { PAGE = 4096 };
    size_t len;
    run_scenario(false);
    long long page = scratch_number(&scratch, _i ? "SELECT rootpage FROM sqlite_schema WHERE name ="
                                                   " 'archived_event'"
                                                 : "SELECT rootpage FROM sqlite_schema WHERE name ="
                                                   " 'sqlite_autoindex_room_1'");
    unsigned char *bytes = slurp(scratch.file, &len);
    memset(bytes + (page - 1) * PAGE, 0, PAGE);
    spit(scratch.file, bytes, len);
    free(bytes);
    struct told told = check_file(scratch.file);
    ck_assert_int_eq(told.result, STORE_OK);
    ck_assert_msg(strstr(told.findings, "the file: "), "%s", told.findings);
    /* SQLite gives up in the middle: that is told too. */
    ck_assert_msg(strstr(told.findings, "checking the file: "), "%s", told.findings);
    told_release(&told);
}
END_TEST

/* ---- what cannot be looked at */

static void cut_file(size_t keep)
{
    size_t len;
    unsigned char *bytes = slurp(scratch.file, &len);
    ck_assert_uint_gt(len, keep);
    spit(scratch.file, bytes, keep);
    free(bytes);
}

enum broken { CUT, NOISE, EMPTY, MISSING, ALONE, NEWER, FOREIGN };
static const struct {
    enum store_result result;
    const char *say;
} brokens[] = {
    [CUT] = {STORE_CORRUPT, "malformed"},
    [NOISE] = {STORE_CORRUPT, "not a database"},
    [EMPTY] = {STORE_CORRUPT, "is empty or cut short, which"},
    [MISSING] = {STORE_FAILED, "No such file"},
    [ALONE] = {STORE_CORRUPT, "missing or empty"},
    [NEWER] = {STORE_NEWER, "version 1000"},
    [FOREIGN] = {STORE_CORRUPT, "not a store"},
};

static void break_store(enum broken how)
{
    char noise[8192], wal[128];
    snprintf(wal, sizeof wal, "%s-wal", scratch.file);
    memset(noise, 'x', sizeof noise);
    switch (how) {
    case CUT:
        cut_file(1000);
        break;
    case NOISE:
        spit(scratch.file, noise, sizeof noise);
        break;
    case ALONE:
        spit(wal, noise, sizeof noise);
        spit(scratch.file, "", 0);
        break;
    case EMPTY:
        spit(scratch.file, "", 0);
        break;
    case MISSING:
        unlink(scratch.file);
        break;
    case NEWER:
        scratch_sql(&scratch, "PRAGMA user_version = 1000");
        break;
    case FOREIGN:
        scratch_sql(&scratch, "PRAGMA application_id = 7");
        break;
    }
}

START_TEST(what_is_no_store_is_refused)
{
    run_scenario(false);
    break_store((enum broken)_i);
    char *before = fingerprint();
    struct told told = check_file(scratch.file);
    ck_assert_int_eq(told.result, brokens[_i].result);
    ck_assert_msg(strstr(told.message, brokens[_i].say), "%s", told.message);
    char *after = fingerprint();
    ck_assert_str_eq(before, after);
    free(before);
    free(after);
    told_release(&told);
}
END_TEST

/* A file that lost its end: the header says how long it was. */
START_TEST(a_file_that_was_cut_is_told)
{
    run_scenario(false);
    cut_file(16384);
    struct told told = check_file(scratch.file);
    bool is_told = told.result == STORE_CORRUPT || told.findings[0];
    ck_assert_msg(is_told, "%d %s", told.result, told.message);
    told_release(&told);
}
END_TEST

START_TEST(a_store_in_use_is_refused_and_a_copy_of_it_is_not)
{
    char copy[128], message[STORE_MESSAGE_MAX], expected[STORE_MESSAGE_MAX];
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    snprintf(copy, sizeof copy, "%s/copy %%41 ?#.db", scratch.folder);
    ck_assert_int_eq(sqlite_store_backup(scratch.folder, copy, false, message), STORE_OK);
    snprintf(expected, sizeof expected, "a server (process %ld) uses the store", (long)getpid());
    pid_t child = fork();
    if (child == 0) {
        struct told used = check_file(scratch.file), copied = check_file(copy);
        bool right = used.result == STORE_FENCED && strstr(used.message, expected) &&
                     copied.result == STORE_OK && !copied.findings[0];
        if (!right)
            fprintf(stderr, "%s; %s %s\n", used.message, copied.message, copied.findings);
        _exit(right ? 0 : 1);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    sqlite_store_close(store);
}
END_TEST

START_TEST(stores_of_older_versions_are_looked_at)
{
    char path[512];
    size_t len;
    snprintf(path, sizeof path, "%s/version%d.sql", getenv("TALUVA_TEST_DATA"), _i);
    unsigned char *sql = slurp(path, &len);
    ck_assert_int_eq(mkdir(scratch.folder, 0700), 0);
    scratch_sql(&scratch, (const char *)sql);
    free(sql);
    char *before = fingerprint();
    struct told told = check_file(scratch.file);
    ck_assert_int_eq(told.result, STORE_OK);
    ck_assert_str_eq(told.findings, "");
    ck_assert_ptr_nonnull(strstr(told.live, "event room000a 2"));
    ck_assert_ptr_nonnull(strstr(told.archived, "event room000z 2"));
    char *after = fingerprint();
    ck_assert_str_eq(before, after);
    free(before);
    free(after);
    told_release(&told);
}
END_TEST

START_TEST(an_older_store_that_cannot_be_migrated_is_told)
{
    char path[512];
    size_t len;
    snprintf(path, sizeof path, "%s/version1.sql", getenv("TALUVA_TEST_DATA"));
    unsigned char *sql = slurp(path, &len);
    ck_assert_int_eq(mkdir(scratch.folder, 0700), 0);
    scratch_sql(&scratch, (const char *)sql);
    free(sql);
    scratch_sql(&scratch, "DROP TABLE event");
    struct told told = check_file(scratch.file);
    ck_assert_ptr_nonnull(strstr(told.findings, "migrating a copy"));
    told_release(&told);
}
END_TEST

void add_check_tests(TCase *tests)
{
    tcase_add_loop_test(tests, a_whole_store_is_handed_over_and_nothing_written, 0, 2);
    tcase_add_loop_test(tests, what_is_damaged_is_told, 0, sizeof damages / sizeof damages[0]);
    tcase_add_loop_test(tests, a_page_that_is_gone_is_told, 0, 2);
    tcase_add_loop_test(tests, what_is_no_store_is_refused, 0, sizeof brokens / sizeof brokens[0]);
    tcase_add_test(tests, a_file_that_was_cut_is_told);
    tcase_add_test(tests, a_store_in_use_is_refused_and_a_copy_of_it_is_not);
    tcase_add_loop_test(tests, stores_of_older_versions_are_looked_at, 1, 7);
    tcase_add_test(tests, an_older_store_that_cannot_be_migrated_is_told);
}
