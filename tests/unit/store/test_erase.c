/* Names that are erased in the logs of finished matches and in lists. */
#include "cases.h"
#include "erase_case.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void commit_all(void *ctx, const struct store_op *ops, size_t count)
{
    ck_assert_int_eq(commit_ops(ctx, ops, count), STORE_OK);
}

static struct erase_case open_case(void)
{
    const struct erase_case c = {scratch_open_loaded(&scratch), commit_all};
    erase_case_begin(&c);
    return c;
}

static long long rows_with(const char *text)
{
    char sql[512];
    snprintf(sql, sizeof sql,
             "SELECT (SELECT count(*) FROM event WHERE text LIKE '%%%s%%' AND kind <> 5)"
             " + (SELECT count(*) FROM archived_event WHERE text LIKE '%%%s%%' AND kind <> 5)"
             " + (SELECT count(*) FROM game WHERE text LIKE '%%%s%%')",
             text, text, text);
    return scratch_number(&scratch, sql);
}

static char *read_archived(struct sqlite_store *store, const char *room_id)
{
    char *text = NULL;
    size_t len;
    struct sqlite_reading *reading;
    ck_assert_int_eq(sqlite_store_read(store, room_id, &reading), STORE_OK);
    FILE *out = open_memstream(&text, &len);
    dump_rows(out, &reading->rows);
    fclose(out);
    sqlite_reading_destroy(reading);
    return text;
}

START_TEST(a_name_is_in_no_log_and_in_nobodys_list)
{
    const struct erase_case c = open_case();
    erase_case_put(&c, "room0001", 1000, true);
    ck_assert_int_eq(rows_with("Ana"), 4);
    erase_case_erase(&c);
    ck_assert_int_eq(rows_with("Ana"), 0);
    ck_assert_int_eq(rows_with("ana"), 0);
    ck_assert_int_eq(rows_with("human Bo"), 1);
    ck_assert_int_eq(rows_with("Gecko"), 2);
    ck_assert_int_eq(rows_with("\"1\":{\"name\":\"deleted\",\"colour\":\"white\"}"), 1);
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM game WHERE session = 5"), 0);
    char *log = read_archived(c.ctx, "room0001"); /* its hashes are those of the new text */
    ck_assert_ptr_nonnull(strstr(log, "white human deleted"));
    free(log);
    erase_case_erase(&c);
    sqlite_store_close(c.ctx);
    free(dump_folder_and_games(&scratch));
}
END_TEST

START_TEST(a_live_match_stays_until_it_is_archived)
{
    const struct erase_case c = open_case();
    erase_case_put(&c, "room0001", 1000, false);
    erase_case_erase(&c);
    ck_assert_int_eq(rows_with("Ana"), 4);
    const struct store_op archive = op_of(STORE_ARCHIVE_ROOM, "room0001");
    ck_assert_int_eq(commit_one(c.ctx, archive), STORE_OK);
    erase_case_erase(&c);
    ck_assert_int_eq(rows_with("Ana"), 0);
    sqlite_store_close(c.ctx);
}
END_TEST

START_TEST(a_line_loses_its_title_rather_than_keeps_a_name)
{
    const struct erase_case c = open_case();
    erase_case_put(&c, "room0001", 1000, true);
    erase_case_put_long(&c, "room0001", 1000);
    erase_case_erase(&c);
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM game WHERE session = 6 AND text"
                                              " = '{\"room\":\"room0001\",\"seats\":{\"1\":"
                                              "{\"name\":\"deleted\",\"colour\":\"white\"}}}'"),
                     1);
    sqlite_store_close(c.ctx);
}
END_TEST

/* So many in a step, the oldest first. */
START_TEST(many_matches_take_several_steps)
{
    enum { ROOMS = STORE_ERASE_ROOMS + 3 };
    const struct erase_case c = open_case();
    for (int number = 0; number < ROOMS; number++) {
        char id[9];
        snprintf(id, sizeof id, "room%04d", number);
        erase_case_put(&c, id, 1000 + number, true);
    }
    erase_case_erase(&c);
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM game WHERE session = 5"), 3);
    ck_assert_int_eq(rows_with("Ana"), 3 * 4);
    erase_case_erase(&c);
    ck_assert_int_eq(rows_with("Ana"), 0);
    sqlite_store_close(c.ctx);
}
END_TEST

/* What cannot be read is not made to look right, and keeps nothing else from being erased. */
START_TEST(a_damaged_match_stays_as_it_is)
{
    const struct erase_case c = open_case();
    erase_case_put(&c, "room0001", 1000, true);
    erase_case_put(&c, "room0002", 1001, true);
    scratch_sql(&scratch, "UPDATE archived_event SET text = 'stay' WHERE seq = 7 AND room = 1");
    erase_case_erase(&c);
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM archived_event"
                                              " WHERE room = 1 AND text LIKE '%Ana%'"),
                     2);
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM archived_event"
                                              " WHERE room = 2 AND kind = 1 AND text LIKE '%Ana%'"),
                     0);
    struct sqlite_reading *reading;
    ck_assert_int_eq(sqlite_store_read(c.ctx, "room0001", &reading), STORE_CORRUPT);
    sqlite_store_close(c.ctx);
}
END_TEST

/* Unlike a room that cannot be read, it is damage of the file: nothing of the step is kept. */
START_TEST(damage_that_is_met_in_writing_is_told)
{
    const struct erase_case c = open_case();
    const struct store_op erase = {.kind = STORE_ERASE_NAMES, .u.session_id = ERASED_SESSION};
    erase_case_put(&c, "room0001", 1000, true);
    scratch_sql(&scratch, "CREATE TABLE broken (number INTEGER);"
                          "CREATE TRIGGER breaks AFTER UPDATE ON archived_event BEGIN"
                          " INSERT INTO broken VALUES (1); END;"
                          "PRAGMA writable_schema = ON;"
                          "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema"
                          " WHERE name = 'archived_event') WHERE name = 'broken'");
    ck_assert_int_eq(commit_one(c.ctx, erase), STORE_CORRUPT);
    scratch_sql(&scratch, "DROP TRIGGER breaks");
    ck_assert_int_eq(rows_with("Ana"), 4);
    sqlite_store_close(c.ctx);
}
END_TEST

void add_erase_tests(TCase *tests)
{
    tcase_add_test(tests, a_name_is_in_no_log_and_in_nobodys_list);
    tcase_add_test(tests, a_live_match_stays_until_it_is_archived);
    tcase_add_test(tests, a_line_loses_its_title_rather_than_keeps_a_name);
    tcase_add_test(tests, many_matches_take_several_steps);
    tcase_add_test(tests, a_damaged_match_stays_as_it_is);
    tcase_add_test(tests, damage_that_is_met_in_writing_is_told);
}
