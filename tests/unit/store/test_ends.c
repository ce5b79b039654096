/* The end of a live log: its room's row says where it was, so that lost events are noticed. */
#include "cases.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What is told of a room's damage; "": nothing. */
struct said {
    char text[128];
};

static struct said damage_of(const char *dump_text, const char *room_id)
{
    struct said said = {""};
    char damaged[32];
    snprintf(damaged, sizeof damaged, "damaged %s: ", room_id);
    const char *at = strstr(dump_text, damaged);
    if (at) {
        at += strlen(damaged);
        snprintf(said.text, sizeof said.text, "%.*s", (int)strcspn(at, "\n"), at);
    }
    return said;
}

static void commit_two_rooms(struct sqlite_store *store)
{
    struct store_op ops[] = {op_room("room000a"),     op_room("room000b"),
                             op_event("room000a", 1), op_event("room000a", 2),
                             op_event("room000b", 1), op_event("room000a", 3)};
    ck_assert_int_eq(commit_ops(store, ops, sizeof ops / sizeof ops[0]), STORE_OK);
}

static void check_told(const char *say)
{
    char *text = dump_folder(&scratch);
    ck_assert_str_eq(damage_of(text, "room000a").text, say);
    ck_assert_str_eq(damage_of(text, "room000b").text, "");
    ck_assert_ptr_nonnull(strstr(text, "event room000b 1"));
    free(text);
}

#define LOST_3 "its log has lost its end at event 3"
#define OTHER  "its log is not the one that its row tells of"
static const struct {
    const char *sql, *say;
} end_damages[] = {
    {"DELETE FROM event WHERE room = 1 AND seq = 3", LOST_3},
    {"DELETE FROM event WHERE room = 1 AND seq > 1", "its log has lost its end at event 2"},
    {"DELETE FROM event WHERE room = 1", "its log has lost its end at event 1"},
    {"UPDATE room SET end_seq = 4 WHERE key = 1", "its log has lost its end at event 4"},
    {"UPDATE room SET end_seq = 2 WHERE key = 1", OTHER " at event 2"},
    {"UPDATE room SET end_seq = 0 WHERE key = 1", "its row was changed"},
    {"UPDATE room SET end_hash = zeroblob(16) WHERE key = 1", OTHER " at event 3"},
    {"UPDATE room SET end_hash = x'' WHERE key = 1", "its row is not readable"},
    {"UPDATE room SET end_seq = 0, end_hash = hash WHERE key = 1", ""},
};

/* The other room is served, and the damaged one stays as it is however often the store is opened.
 */
START_TEST(a_log_that_lost_its_end_is_set_apart)
{
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    commit_two_rooms(store);
    sqlite_store_close(store);
    scratch_sql(&scratch, end_damages[_i].sql);
    check_told(end_damages[_i].say);
    check_told(end_damages[_i].say);
}
END_TEST

START_TEST(nothing_is_appended_to_a_log_that_lost_its_end)
{
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    commit_two_rooms(store);
    sqlite_store_close(store);
    scratch_sql(&scratch, "DELETE FROM event WHERE room = 1 AND seq = 3");
    store = scratch_open_loaded(&scratch);
    ck_assert_int_eq(commit_one(store, op_event("room000a", 3)), STORE_REFUSED);
    ck_assert_int_eq(commit_one(store, op_event("room000b", 2)), STORE_OK);
    sqlite_store_close(store);
    check_told(LOST_3);
}
END_TEST

/* ---- when the ends are written */

static long long end_of(const char *room_id)
{
    char sql[96];
    snprintf(sql, sizeof sql, "SELECT end_seq FROM room WHERE id = '%s'", room_id);
    return scratch_number(&scratch, sql);
}

/* As a crash leaves the store after `count` events of room000a, each followed by tidying. */
static void die_after(uint64_t count)
{
    pid_t child = fork();
    if (child == 0) {
        struct sqlite_store *store = scratch_open_loaded(&scratch);
        ck_assert_int_eq(commit_one(store, op_room("room000a")), STORE_OK);
        for (uint64_t seq = 1; seq <= count; seq++) {
            ck_assert_int_eq(commit_one(store, op_event("room000a", seq)), STORE_OK);
            ck_assert_int_eq(sqlite_store_tidy(store), STORE_OK);
        }
        _exit(0);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* A commit leaves the rows of rooms alone; a long log is tidied now and then; closing is for all.
 */
START_TEST(ends_are_written_when_tidying_and_closing)
{
    die_after(3);
    ck_assert_int_eq(end_of("room000a"), 0);
    sqlite_store_close(scratch_open_loaded(&scratch));
    ck_assert_int_eq(end_of("room000a"), 3);
}
END_TEST

START_TEST(a_server_that_was_killed_has_written_some_ends)
{
    die_after(3000);
    long long end = end_of("room000a");
    ck_assert_int_gt(end, 0);
    ck_assert_int_lt(end, 3000);
    char sql[96];
    snprintf(sql, sizeof sql, "DELETE FROM event WHERE seq > %lld", end);
    scratch_sql(&scratch, sql);
    char *text = dump_folder(&scratch);
    ck_assert_str_eq(damage_of(text, "room000a").text, "");
    free(text);
    snprintf(sql, sizeof sql, "DELETE FROM event WHERE seq > %lld", end - 1);
    scratch_sql(&scratch, sql);
    text = dump_folder(&scratch);
    ck_assert_str_ne(damage_of(text, "room000a").text, "");
    free(text);
}
END_TEST

/* The log of an archived room has its end in the hash of its row. */
START_TEST(an_archived_room_has_no_end_to_write)
{
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    commit_two_rooms(store);
    ck_assert_int_eq(commit_one(store, op_of(STORE_ARCHIVE_ROOM, "room000a")), STORE_OK);
    sqlite_store_close(store);
    ck_assert_int_eq(end_of("room000a"), 0);
    ck_assert_int_eq(end_of("room000b"), 1);
}
END_TEST

/* One that has lost the store to another server leaves it alone. */
START_TEST(a_fenced_server_writes_no_ends)
{
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    commit_two_rooms(store);
    scratch_sql(&scratch, "UPDATE engine SET epoch = epoch + 1");
    sqlite_store_close(store);
    ck_assert_int_eq(end_of("room000a"), 0);
}
END_TEST

/* Events that are taken back are in no end, and what a commit changed of the log ends stays so. */
START_TEST(an_end_is_that_of_what_is_durable)
{
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    commit_two_rooms(store);
    struct store_op refused[] = {op_event("room000a", 4), op_event("room000a", 6)};
    ck_assert_int_eq(commit_ops(store, refused, 2), STORE_REFUSED);
    sqlite_store_close(store);
    long long end = end_of("room000a");
    ck_assert_int_eq(end, scratch_number(&scratch, "SELECT max(seq) FROM event WHERE room = 1"));
    check_told("");
}
END_TEST

void add_end_tests(TCase *tests)
{
    tcase_add_loop_test(tests, a_log_that_lost_its_end_is_set_apart, 0,
                        sizeof end_damages / sizeof end_damages[0]);
    tcase_add_test(tests, nothing_is_appended_to_a_log_that_lost_its_end);
    tcase_add_test(tests, ends_are_written_when_tidying_and_closing);
    tcase_add_test(tests, a_server_that_was_killed_has_written_some_ends);
    tcase_add_test(tests, an_archived_room_has_no_end_to_write);
    tcase_add_test(tests, a_fenced_server_writes_no_ends);
    tcase_add_test(tests, an_end_is_that_of_what_is_durable);
}
