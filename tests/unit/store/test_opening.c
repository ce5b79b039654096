/* Opening a store: what cannot be opened, what loading hands out, the log, backups, older versions.
 */
#include "cases.h"
#include "scenario.h"
#include <check.h>
#include <schema.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- what cannot be opened */

static enum store_result open_fails(const char *folder, const char *say)
{
    char message[STORE_MESSAGE_MAX] = "";
    struct sqlite_store *store;
    enum store_result result = sqlite_store_open(folder, &store, message);
    ck_assert_ptr_null(store);
    ck_assert_msg(strstr(message, say), "\"%s\" does not say \"%s\"", message, say);
    return result;
}

START_TEST(a_newer_store_is_refused_untouched)
{
    char wal[128];
    size_t len, len_after, wal_len, wal_len_after;
    sqlite_store_close(scratch_open_loaded(&scratch));
    scratch_sql(&scratch, "PRAGMA user_version = 1000");
    /* A log that a newer server has left behind in a crash is not ours to move either. */
    snprintf(wal, sizeof wal, "%s-wal", scratch.file);
    pid_t child = fork();
    if (child == 0) {
        scratch_sql_and_die(&scratch, "CREATE TABLE newer (a INTEGER)");
        _exit(1);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    unsigned char *before = slurp(scratch.file, &len), *wal_before = slurp(wal, &wal_len);
    ck_assert_uint_gt(wal_len, 0);
    ck_assert_int_eq(open_fails(scratch.folder, "version 1000"), STORE_NEWER);
    unsigned char *after = slurp(scratch.file, &len_after), *wal_after = slurp(wal, &wal_len_after);
    ck_assert_uint_eq(len, len_after);
    ck_assert_uint_eq(wal_len, wal_len_after);
    ck_assert_int_eq(memcmp(before, after, len), 0);
    ck_assert_int_eq(memcmp(wal_before, wal_after, wal_len), 0);
    free(before);
    free(after);
    free(wal_before);
    free(wal_after);
}
END_TEST

START_TEST(what_is_not_a_store_is_refused)
{
    ck_assert_int_eq(mkdir(scratch.folder, 0700), 0);
    scratch_sql(&scratch, "CREATE TABLE mine (a)");
    ck_assert_int_eq(open_fails(scratch.folder, "not a store"), STORE_CORRUPT);
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM mine"), 0);
    char noise[8192];
    memset(noise, 'x', sizeof noise);
    spit(scratch.file, noise, sizeof noise);
    ck_assert_int_eq(open_fails(scratch.folder, "not a database"), STORE_CORRUPT);
}
END_TEST

/* Tables that are not there, a format of tables that nobody knows: it is damaged. */
START_TEST(a_store_whose_tables_are_not_read_is_refused)
{
    sqlite_store_close(scratch_open_loaded(&scratch));
    if (_i == 0) {
        scratch_sql(&scratch, "DROP TABLE guest");
    } else {
        size_t len;
        unsigned char *bytes = slurp(scratch.file, &len);
        bytes[47] = 77; /* the schema format number in SQLite's header */
        spit(scratch.file, bytes, len);
        free(bytes);
    }
    ck_assert_int_eq(open_fails(scratch.folder, _i ? "reading the store" : "preparing the store"),
                     STORE_CORRUPT);
}
END_TEST

/* Pages that are gone, wherever they are: nothing is written to such a file, not even the epoch. */
START_TEST(a_damaged_structure_is_refused_untouched)
{
    static const char *const tables[] = {"session", "room", "event", "archived_event",
                                         "guest",   "push", "pass",  "game"};
    enum { PAGE = 4096 };
    char sql[128];
    size_t len, len_after;
    sqlite_store_close(scratch_open_loaded(&scratch));
    snprintf(sql, sizeof sql, "SELECT rootpage FROM sqlite_schema WHERE name = '%s'", tables[_i]);
    long long page = scratch_number(&scratch, sql);
    unsigned char *bytes = slurp(scratch.file, &len);
    memset(bytes + (page - 1) * PAGE, 0, PAGE);
    spit(scratch.file, bytes, len);
    ck_assert_int_eq(open_fails(scratch.folder, "the structure of the file is damaged"),
                     STORE_CORRUPT);
    unsigned char *after = slurp(scratch.file, &len_after);
    ck_assert_uint_eq(len, len_after);
    ck_assert_int_eq(memcmp(bytes, after, len), 0);
    free(bytes);
    free(after);
}
END_TEST

/* What is wrong with single rows keeps no server from starting. */
START_TEST(a_row_that_breaks_a_rule_of_its_table_is_no_damaged_structure)
{
    sqlite_store_close(scratch_open_loaded(&scratch));
    scratch_sql(&scratch, "PRAGMA ignore_check_constraints = ON;"
                          "INSERT INTO pass VALUES (1, 1, 0, x'00', '', 0, 0, x'')");
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    ck_assert_uint_eq(sqlite_store_left_out(store), 1);
    sqlite_store_close(store);
}
END_TEST

/* The file was moved away or cut, and its log was not: neither is touched. */
START_TEST(a_log_without_its_file_is_refused)
{
    char wal[128];
    size_t len;
    snprintf(wal, sizeof wal, "%s-wal", scratch.file);
    ck_assert_int_eq(mkdir(scratch.folder, 0700), 0);
    spit(wal, "log", 3);
    if (_i == 1)
        spit(scratch.file, "", 0);
    ck_assert_int_eq(open_fails(scratch.folder, "missing or empty"), STORE_CORRUPT);
    unsigned char *bytes = slurp(wal, &len);
    ck_assert_str_eq((char *)bytes, "log");
    free(bytes);
    ck_assert_int_eq(access(scratch.file, F_OK) == 0, _i == 1);
    spit(wal, "", 0);
    if (_i == 1) {
        ck_assert_int_eq(open_fails(scratch.folder, "is empty"), STORE_CORRUPT);
        ck_assert_int_eq(unlink(scratch.file), 0);
    }
    sqlite_store_close(scratch_open_loaded(&scratch));
}
END_TEST

START_TEST(a_folder_that_cannot_be_is_refused)
{
    char path[256];
    ck_assert_int_eq(open_fails("", "no usable name"), STORE_FAILED);
    spit(scratch.folder, "file", 4);
    ck_assert_int_eq(open_fails(scratch.folder, "Not a directory"), STORE_FAILED);
    snprintf(path, sizeof path, "%s/deeper/still", scratch.folder);
    ck_assert_int_eq(open_fails(path, "Not a directory"), STORE_FAILED);
    ck_assert_int_eq(open_fails("/proc/no/such", "making the folder"), STORE_FAILED);
    snprintf(path, sizeof path, "%s/a/b/c", scratch.root);
    char message[STORE_MESSAGE_MAX];
    struct sqlite_store *store;
    ck_assert_int_eq(sqlite_store_open(path, &store, message), STORE_OK);
    sqlite_store_close(store);
}
END_TEST

/* The folder as systemd's StateDirectory is, with DynamicUser. */
START_TEST(the_folder_may_be_a_link_and_the_file_not)
{
    char link[128], copy[160], elsewhere[128], message[STORE_MESSAGE_MAX] = "";
    struct sqlite_store *store;
    snprintf(link, sizeof link, "%s/link", scratch.root);
    snprintf(copy, sizeof copy, "%s/copy.db", link);
    snprintf(elsewhere, sizeof elsewhere, "%s/elsewhere", scratch.root);
    ck_assert_int_eq(mkdir(scratch.folder, 0700), 0);
    ck_assert_int_eq(symlink("data", link), 0);
    ck_assert_msg(sqlite_store_open(link, &store, message) == STORE_OK, "%s", message);
    ck_assert_int_eq(access(scratch.file, F_OK), 0);
    ck_assert_msg(sqlite_store_backup(link, copy, false, message) == STORE_OK, "%s", message);
    sqlite_store_close(store);
    ck_assert_int_eq(rename(scratch.file, elsewhere), 0);
    ck_assert_int_eq(symlink(elsewhere, scratch.file), 0);
    ck_assert_int_eq(open_fails(scratch.folder, "opening"), STORE_FAILED);
    snprintf(copy, sizeof copy, "%s/other.db", scratch.root);
    ck_assert_int_eq(sqlite_store_backup(scratch.folder, copy, false, message), STORE_FAILED);
    ck_assert_int_ne(access(copy, F_OK), 0);
    unlink(link);
}
END_TEST

static const struct {
    const char *sql, *say;
} damages[] = {
    {"DELETE FROM event WHERE seq = 2", "gap"},
    {"DELETE FROM event WHERE seq = 1", "gap"},
    {"UPDATE event SET prev = 0 WHERE seq = 3", "gap"},
    {"UPDATE event SET seq = 4 WHERE seq = 3", "gap"},
    {"INSERT INTO event SELECT 99, prev, room, seq, at_ms, held_ms, session, request_id, digest, "
     "kind, seat, text, hash"
     " FROM event WHERE seq = 3",
     "gap"},
    {"UPDATE event SET room = 77", "its log has lost its end at event 1"},
    {"UPDATE room SET archived = 1", "no live room"},
    {"UPDATE event SET kind = 99", "its log is not readable at"},
    {"UPDATE event SET seat = -1", "its log is not readable at"},
    {"UPDATE event SET text = CAST(zeroblob(2000) AS TEXT)", "its log is not readable at"},
    {"UPDATE room SET code = 'much-too-long-for-a-code'", "its row is not readable"},
    {"INSERT INTO session VALUES (1, CAST(zeroblob(200) AS TEXT), 0, 0, x'')", "a session"},
    {"INSERT INTO session VALUES (1, 'Ana', 0, 0, zeroblob(16))", "a session"},
    {"UPDATE pass SET id = 8", "a credential of a session"},
    {"UPDATE pass SET id = -1", "a credential of a session"},
    {"UPDATE pass SET id = 4294967296", "a credential of a session"},
    {"UPDATE pass SET kind = 2", "a credential of a session"},
    {"UPDATE pass SET name = 'Phone'", "a credential of a session"},
    {"UPDATE pass SET name = CAST(zeroblob(200) AS TEXT)", "a credential of a session"},
    {"UPDATE pass SET secret_hash = zeroblob(32)", "a credential of a session"},
    {"UPDATE pass SET since_ms = 0", "a credential of a session"},
    {"UPDATE pass SET seen_ms = 0", "a credential of a session"},
    {"UPDATE push SET pass = 8", "a browser of a session"},
    {"UPDATE push SET pass = -1", "a browser of a session"},
    {"UPDATE guest SET session = 8", "a guest"},
    {"UPDATE push SET key = 8", "a browser of a session"},
    {"UPDATE push SET endpoint = 'https://a.example/'", "a browser of a session"},
    {"UPDATE push SET auth = zeroblob(16)", "a browser of a session"},
    {"UPDATE push SET endpoint = CAST(zeroblob(600) AS TEXT)", "a browser of a session"},
    {"UPDATE event SET text = 'dras' WHERE seq = 2", "its log was changed"},
    {"UPDATE event SET at_ms = at_ms + 1 WHERE seq = 1", "its log was changed"},
    {"UPDATE event SET hash = x'' WHERE seq = 3", "its log was changed"},
    {"UPDATE room SET host = host + 1", "its row was changed"},
    {"UPDATE room SET secret = zeroblob(32)", "its row was changed"},
};

/* Everything else is handed over, what is damaged stays as it is, and nobody appends to it. */
START_TEST(damage_is_told_and_harms_nobody)
{
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    struct store_op begin[] = {
        op_room("room000a"),        op_event("room000a", 1),
        op_event("room000a", 2),    op_event("room000a", 3),
        op_guest("room000a", 7, 0), {.kind = STORE_PUT_SESSION, .u.session = {.id = 9}},
        op_pass(9, 1, 1),           op_push(9, 1, "https://push.example/1")};
    struct store_op other[] = {op_room("room000b"), op_event("room000b", 1)};
    ck_assert_int_eq(commit_ops(store, begin, 8), STORE_OK);
    sqlite_store_close(store);
    scratch_sql(&scratch, damages[_i].sql);
    store = scratch_open_loaded(&scratch);
    ck_assert_int_eq(commit_ops(store, other, 2), STORE_OK);
    sqlite_store_close(store);
    long long rows = scratch_number(&scratch, "SELECT count(*) FROM event WHERE room <> 2");
    store = scratch_open(&scratch);
    char *text = dump(store);
    const char *damaged = strstr(text, "damaged room000a");
    ck_assert_ptr_nonnull(strstr(text, "room room000b"));
    ck_assert_ptr_nonnull(strstr(text, "event room000b 1"));
    if (damaged)
        ck_assert_msg(strstr(damaged, damages[_i].say), "%s", damaged);
    else
        ck_assert_msg(strstr(sqlite_store_message(store), damages[_i].say), "%s", text);
    free(text);
    if (damaged) {
        ck_assert_int_eq(commit_one(store, op_event("room000a", 4)), STORE_REFUSED);
        ck_assert_int_eq(commit_one(store, op_room("room000a")), STORE_REFUSED);
    }
    sqlite_store_close(store);
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM event WHERE room <> 2"), rows);
}
END_TEST

/* ---- files that go away under a running server */

enum gone { FILE_MOVED, FILE_REPLACED, FILE_DELETED, LOG_MOVED, LOG_REPLACED, FOLDER_MOVED, GONE };

static void put_away(enum gone how, const char *from, const char *to)
{
    ck_assert_int_eq(rename(from, to), 0);
    if (how == FILE_REPLACED || how == LOG_REPLACED)
        spit(from, "another", 7);
}

/* Nothing is acknowledged into a file that the next start will not find; when it is back, all is
 * taken again. */
START_TEST(a_store_that_was_moved_away_takes_nothing)
{
    char log[128], away[128], message[STORE_MESSAGE_MAX];
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    struct store_op begin[] = {op_room("room000a"), op_event("room000a", 1)};
    ck_assert_int_eq(commit_ops(store, begin, 2), STORE_OK);
    snprintf(log, sizeof log, "%s-wal", scratch.file);
    snprintf(away, sizeof away, "%s/away", scratch.root);
    const char *from = _i == FOLDER_MOVED                      ? scratch.folder
                       : _i == LOG_MOVED || _i == LOG_REPLACED ? log
                                                               : scratch.file;
    put_away((enum gone)_i, from, away);
    ck_assert_int_eq(commit_one(store, op_event("room000a", 2)), STORE_FAILED);
    snprintf(message, sizeof message, "was moved away, replaced or deleted");
    ck_assert_ptr_nonnull(strstr(sqlite_store_message(store), message));
    ck_assert_int_eq(commit_batch(store, &(struct store_batch){0, NULL, NULL}), STORE_FAILED);
    if (_i == FILE_DELETED) {
        unlink(away);
        sqlite_store_close(store);
        ck_assert_int_ne(access(scratch.file, F_OK), 0);
        return;
    }
    ck_assert_int_eq(rename(away, from), 0);
    ck_assert_int_eq(commit_one(store, op_event("room000a", 2)), STORE_OK);
    sqlite_store_close(store);
    char *text = dump_folder(&scratch);
    ck_assert_ptr_nonnull(strstr(text, "event room000a 2"));
    free(text);
}
END_TEST

/* Also at its end it leaves alone what has the name of its files now. */
START_TEST(what_took_the_place_of_a_store_is_left_alone)
{
    char log[128], away[128];
    size_t len;
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    ck_assert_int_eq(commit_one(store, op_room("room000a")), STORE_OK);
    snprintf(log, sizeof log, "%s-wal", scratch.file);
    snprintf(away, sizeof away, "%s/away", scratch.root);
    put_away(LOG_REPLACED, log, away);
    sqlite_store_close(store);
    unsigned char *bytes = slurp(log, &len);
    ck_assert_str_eq((char *)bytes, "another");
    free(bytes);
    ck_assert_int_eq(rename(away, log), 0);
    char *text = dump_folder(&scratch);
    ck_assert_ptr_nonnull(strstr(text, "room room000a"));
    free(text);
}
END_TEST

START_TEST(a_log_that_was_cut_is_noticed)
{
    char log[128];
    struct stat status;
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    struct store_op begin[] = {op_room("room000a"), op_event("room000a", 1)};
    ck_assert_int_eq(commit_ops(store, begin, 2), STORE_OK);
    snprintf(log, sizeof log, "%s-wal", scratch.file);
    ck_assert_int_eq(stat(log, &status), 0);
    ck_assert_int_eq(truncate(log, status.st_size - 1), 0);
    ck_assert_int_eq(commit_one(store, op_event("room000a", 2)), STORE_FAILED);
    ck_assert_ptr_nonnull(strstr(sqlite_store_message(store), "was cut"));
    sqlite_store_close(store);
}
END_TEST

/* ---- the log and the backup */

static void commit_events(struct sqlite_store *store, uint64_t first, uint64_t last)
{
    for (uint64_t seq = first; seq <= last; seq++) {
        ck_assert_int_eq(commit_one(store, op_event("room000a", seq)), STORE_OK);
        ck_assert_int_eq(sqlite_store_tidy(store), STORE_OK);
    }
}

START_TEST(the_log_is_moved_when_it_has_grown)
{
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    char wal[128];
    struct stat status;
    snprintf(wal, sizeof wal, "%s-wal", scratch.file);
    ck_assert_int_eq(commit_one(store, op_room("room000a")), STORE_OK);
    commit_events(store, 1, 8000);
    ck_assert_int_eq(stat(wal, &status), 0);
    ck_assert_int_lt(status.st_size, 2000 * 4120);
    sqlite_store_close(store);
}
END_TEST

/* As a tool that looks at the file, and is left open: the log grows, and is small again when it has
 * gone. */
START_TEST(a_reader_that_has_gone_leaves_a_small_log)
{
    enum { LOG_LEFT = 16 * 1024 * 1024 }; /* journal_size_limit */
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    sqlite3 *reader;
    char wal[128];
    struct stat status;
    snprintf(wal, sizeof wal, "%s-wal", scratch.file);
    ck_assert_int_eq(commit_one(store, op_room("room000a")), STORE_OK);
    ck_assert_int_eq(sqlite3_open_v2(scratch.file, &reader, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(reader, "BEGIN; SELECT * FROM room", NULL, NULL, NULL),
                     SQLITE_OK);
    scratch_sql(&scratch, "CREATE TABLE much (bytes BLOB);"
                          "INSERT INTO much VALUES (zeroblob(17000000))");
    commit_events(store, 1, 100);
    ck_assert_int_eq(stat(wal, &status), 0);
    ck_assert_int_gt(status.st_size, LOG_LEFT);
    ck_assert_int_eq(sqlite3_close(reader), SQLITE_OK);
    commit_events(store, 101, 2000);
    ck_assert_int_eq(stat(wal, &status), 0);
    ck_assert_int_le(status.st_size, LOG_LEFT);
    sqlite_store_close(store);
}
END_TEST

static int count_lines(const char *text)
{
    int count = 0;
    for (; (text = strchr(text, '\n')); text++)
        count++;
    return count;
}

static char *dump_copy(const char *copy)
{
    struct scratch restored;
    size_t len;
    scratch_init(&restored);
    ck_assert_int_eq(mkdir(restored.folder, 0700), 0);
    unsigned char *bytes = slurp(copy, &len);
    spit(restored.file, bytes, len);
    free(bytes);
    char *text = dump_folder(&restored);
    struct sqlite_store *store = scratch_open_loaded(&restored);
    ck_assert_int_eq(commit_one(store, op_room("aftercpy")), STORE_OK);
    sqlite_store_close(store);
    scratch_release(&restored);
    return text;
}

START_TEST(a_backup_of_a_store_in_use_is_a_store)
{
    static struct scenario scenario;
    char copy[128], message[STORE_MESSAGE_MAX] = "";
    struct stat status;
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    scenario_init(&scenario);
    for (int number = 0; number < SCENARIO_BATCHES - 1; number++)
        ck_assert_int_eq(commit_batch(store, scenario_batch(&scenario, number)), STORE_OK);
    snprintf(copy, sizeof copy, "%s/copy.db", scratch.root);
    /* In another process, as it is in life. */
    pid_t child = fork();
    if (child == 0)
        _exit(sqlite_store_backup(scratch.folder, copy, false, message) == STORE_OK ? 0 : 1);
    int exited;
    ck_assert_int_eq(waitpid(child, &exited, 0), child);
    ck_assert(WIFEXITED(exited) && WEXITSTATUS(exited) == 0);
    ck_assert_int_eq(stat(copy, &status), 0);
    ck_assert_int_eq(status.st_mode & 0777, 0600);
    struct sqlite_store *copied = store;
    ck_assert_int_eq(commit_batch(copied, scenario_batch(&scenario, SCENARIO_BATCHES - 1)),
                     STORE_OK);
    char *restored = dump_copy(copy);
    sqlite_store_close(store);
    char *now = dump_folder(&scratch);
    /* The last batch, an event for each of its ops, came after the copy. */
    ck_assert_int_eq(count_lines(now), count_lines(restored) + SCENARIO_BATCHES - 1);
    free(restored);
    free(now);
}
END_TEST

START_TEST(a_backup_replaces_nothing_and_makes_nothing_up)
{
    char copy[128], message[STORE_MESSAGE_MAX] = "";
    size_t len;
    snprintf(copy, sizeof copy, "%s/copy.db", scratch.root);
    ck_assert_int_eq(sqlite_store_backup(scratch.folder, copy, false, message), STORE_FAILED);
    ck_assert_ptr_nonnull(strstr(message, "No such file"));
    sqlite_store_close(scratch_open_loaded(&scratch));
    spit(copy, "mine", 4);
    ck_assert_int_eq(sqlite_store_backup(scratch.folder, copy, false, message), STORE_FAILED);
    ck_assert_ptr_nonnull(strstr(message, "File exists"));
    unsigned char *bytes = slurp(copy, &len);
    ck_assert_str_eq((char *)bytes, "mine");
    free(bytes);
    ck_assert_int_eq(sqlite_store_backup(scratch.folder, copy, true, message), STORE_OK);
    char *text = dump_copy(copy), *first = dump_folder(&scratch), part[192];
    ck_assert_str_eq(text, first);
    free(text);
    free(first);
    unlink(copy);
    ck_assert_int_eq(sqlite_store_backup(scratch.folder, copy, false, message), STORE_OK);
    snprintf(part, sizeof part, "%s.part-%ld", copy, (long)getpid());
    ck_assert_int_ne(access(part, F_OK), 0);
    ck_assert_int_eq(sqlite_store_backup(scratch.folder, "/no/such/folder/copy.db", false, message),
                     STORE_FAILED);
}
END_TEST

/* ---- versions */

/* Lines that only some versions have. */
static void cut_out(char *text, bool has, const char *lines)
{
    char *found = strstr(text, lines);
    ck_assert_int_eq(found != NULL, has);
    if (found)
        memmove(found, found + strlen(lines), strlen(found + strlen(lines)) + 1);
}

/* Migrating does not make a damaged session whole, and its token opens nothing. */
START_TEST(a_damaged_session_is_not_migrated)
{
    char path[512];
    size_t len;
    snprintf(path, sizeof path, "%s/version5.sql", getenv("TALUVA_TEST_DATA"));
    unsigned char *sql = slurp(path, &len);
    ck_assert_int_eq(mkdir(scratch.folder, 0700), 0);
    scratch_sql(&scratch, (const char *)sql);
    free(sql);
    scratch_sql(&scratch, _i ? "UPDATE session SET name = 'Eve'"
                             : "UPDATE session SET token_hash = zeroblob(32)");
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    ck_assert_uint_eq(sqlite_store_left_out(store), 1);
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM pass"), 0);
    sqlite_store_close(store);
}
END_TEST

/* The files of versions that have been released are never edited and never removed. */
START_TEST(every_released_version_is_read)
{
    char path[512];
    size_t len;
    snprintf(path, sizeof path, "%s/version%d.sql", getenv("TALUVA_TEST_DATA"), _i);
    unsigned char *sql = slurp(path, &len);
    ck_assert_int_eq(mkdir(scratch.folder, 0700), 0);
    scratch_sql(&scratch, (const char *)sql);
    free(sql);
    ck_assert_int_eq(scratch_number(&scratch, "PRAGMA user_version"), _i);
    char *text = dump_folder_and_games(&scratch);
    cut_out(text, _i >= 6,
            "pass 7 3 of kind 0 0808080808080808080808080808080808080808080808080808080808080808 "
            "'T\xc3\xa9l\xc3\xa9phone' since 1790000000005 seen 1790000000006\n"
            "pass 7 4 of kind 1 0909090909090909090909090909090909090909090909090909090909090909 "
            "'' since 1790000000007 seen 1790000000007\n"
            "pass 7 5 of kind 2 0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a "
            "'' since 1790000000008 seen 1790000000008\n");
    cut_out(text, _i >= 6,
            "push 7 5 on 3 since 1790000000004 04..b2 c3..c3 https://push.example/1\n");
    cut_out(text, _i == 5,
            "push 7 5 on 0 since 1790000000004 04..b2 c3..c3 https://push.example/1\n");
    cut_out(text, _i >= 7,
            "game 7 room000z seat 1 at 1790000000009 "
            "{\"room\":\"room000z\",\"game\":\"taluva\",\"title\":\"Caf\xc3\xa9\",\"size\":2,"
            "\"seats\":{\"0\":{\"name\":\"Ana\",\"colour\":\"red\"}},"
            "\"result\":{\"why\":\"closed\"},\"at\":1790000000009}\n");
    char *guest = strstr(text, "guest");
    ck_assert_int_eq(guest != NULL, _i >= 2);
    if (guest) {
        ck_assert_str_eq(guest, "guest room000a 9\n");
        *guest = 0;
    }
    ck_assert_str_eq(text,
                     "session 7 Ana 1790000000000 1790000000001\n"
                     "pass 7 0 of kind 0 "
                     "0707070707070707070707070707070707070707070707070707070707070707 '' "
                     "since 1790000000000 seen 1790000000001\n"
                     "room room000a code '0123456789abcdef' "
                     "a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0 host 7 "
                     "at 1790000000002\n"
                     "event room000a 1 at 1790000000002+0 by 7/42/18446744073709551611 0 255 {}\n"
                     "event room000a 2 at 1790000000003+1 by 7/43/99 1 0 {\"name\":\"Ana\"}\n");
    free(text);
    struct scratch fresh;
    scratch_init(&fresh);
    sqlite_store_close(scratch_open_loaded(&fresh));
    ck_assert_int_eq(scratch_number(&scratch, "PRAGMA user_version"),
                     scratch_number(&fresh, "PRAGMA user_version"));
    scratch_release(&fresh);
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    struct sqlite_reading *reading;
    ck_assert_int_eq(sqlite_store_read(store, "room000z", &reading), STORE_OK);
    ck_assert_uint_eq(reading->rows.count, 2);
    sqlite_reading_destroy(reading);
    ck_assert_int_eq(commit_one(store, op_event("room000a", 3)), STORE_OK);
    sqlite_store_close(store);
    ck_assert_int_eq(scratch_number(&scratch, "SELECT end_seq FROM room WHERE id = 'room000a'"), 3);
}
END_TEST

void add_opening_tests(TCase *tests)
{
    tcase_add_test(tests, a_newer_store_is_refused_untouched);
    tcase_add_test(tests, what_is_not_a_store_is_refused);
    tcase_add_loop_test(tests, a_store_whose_tables_are_not_read_is_refused, 0, 2);
    tcase_add_loop_test(tests, a_damaged_structure_is_refused_untouched, 0, 8);
    tcase_add_test(tests, a_row_that_breaks_a_rule_of_its_table_is_no_damaged_structure);
    tcase_add_loop_test(tests, a_log_without_its_file_is_refused, 0, 2);
    tcase_add_test(tests, a_folder_that_cannot_be_is_refused);
    tcase_add_test(tests, the_folder_may_be_a_link_and_the_file_not);
    tcase_add_loop_test(tests, damage_is_told_and_harms_nobody, 0,
                        sizeof damages / sizeof damages[0]);
    tcase_add_loop_test(tests, a_store_that_was_moved_away_takes_nothing, 0, GONE);
    tcase_add_test(tests, what_took_the_place_of_a_store_is_left_alone);
    tcase_add_test(tests, a_log_that_was_cut_is_noticed);
    tcase_add_test(tests, the_log_is_moved_when_it_has_grown);
    tcase_add_test(tests, a_reader_that_has_gone_leaves_a_small_log);
    tcase_add_test(tests, a_backup_of_a_store_in_use_is_a_store);
    tcase_add_test(tests, a_backup_replaces_nothing_and_makes_nothing_up);
    tcase_add_loop_test(tests, a_damaged_session_is_not_migrated, 0, 2);
    tcase_add_loop_test(tests, every_released_version_is_read, 1, STORE_VERSION + 1);
}
