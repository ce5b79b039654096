/* Finished rooms that are not kept any longer. */
#include "cases.h"
#include "trim_case.h"
#include <string.h>

static void commit(void *ctx, const struct store_op *ops, size_t count)
{
    ck_assert_int_eq(commit_ops(ctx, ops, count), STORE_OK);
}

static void trim(void *ctx, struct store_trim *trim)
{
    ck_assert_int_eq(sqlite_store_trim(ctx, trim), STORE_OK);
}

static size_t listed(void *ctx, uint64_t session)
{
    struct store_query page = games_page(session, "");
    ck_assert_int_eq(sqlite_store_query(ctx, &page), STORE_OK);
    const size_t count = page.count;
    page.release(&page);
    return count;
}

static bool has(void *ctx, const char *room_id)
{
    struct sqlite_reading *reading;
    ck_assert_int_eq(sqlite_store_read(ctx, room_id, &reading), STORE_OK);
    const bool there = reading->rows.room;
    sqlite_reading_destroy(reading);
    return there;
}

static struct trim_case case_of(struct sqlite_store *store)
{
    return (struct trim_case){{5, 6}, store, commit, trim, listed, has};
}

START_TEST(what_is_past_its_bounds_goes_with_its_lines)
{
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    const struct trim_case c = case_of(store);
    trim_case_bounds(&c);
    sqlite_store_close(store);
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM archived_event"), 9);
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM event"), 1);
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM game"), 4);
}
END_TEST

START_TEST(one_that_is_named_goes_alone)
{
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    const struct trim_case c = case_of(store);
    trim_case_named(&c);
    sqlite_store_close(store);
}
END_TEST

START_TEST(many_go_a_few_at_a_time)
{
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    const struct trim_case c = case_of(store);
    trim_case_steps(&c);
    sqlite_store_close(store);
}
END_TEST

START_TEST(rows_go_with_their_room)
{
    const struct store_table *const *before = store_tables;
    store_tables = trim_tables;
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    const struct trim_case c = case_of(store);
    trim_case_rows(&c);
    sqlite_store_close(store);
    store_tables = before;
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM seen_room"), 1);
    ck_assert_int_eq(
        scratch_number(&scratch, "SELECT count(*) FROM seen_room WHERE room = 'room000b'"), 1);
}
END_TEST

/* Of what has lost its events nobody knows when it ended. */
START_TEST(what_cannot_be_read_stays)
{
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    struct trim_case c = case_of(store);
    struct store_trim all = {.before_ms = {INT64_MAX, INT64_MAX}};
    trim_case_put(&c, "room000a", 1, 1000);
    trim_case_put(&c, "room000b", 1, 1000);
    sqlite_store_close(store);
    scratch_sql(&scratch, "DELETE FROM archived_event WHERE room ="
                          " (SELECT key FROM room WHERE id = 'room000a')");
    store = scratch_open_loaded(&scratch);
    ck_assert_int_eq(sqlite_store_trim(store, &all), STORE_OK);
    ck_assert_uint_eq(all.dropped[STORE_MATCH_SOLO], 1);
    ck_assert_uint_eq(all.kept[STORE_MATCH_SOLO] + all.kept[STORE_MATCH_PEOPLE], 0);
    sqlite_store_close(store);
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM room"), 1);
}
END_TEST

/* Another server has the store: it decides. */
START_TEST(who_has_lost_the_store_drops_nothing)
{
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    struct trim_case c = case_of(store);
    struct store_trim all = {.before_ms = {INT64_MAX, INT64_MAX}};
    trim_case_put(&c, "room000a", 1, 1000);
    scratch_sql(&scratch, "UPDATE engine SET epoch = epoch + 1");
    ck_assert_int_eq(sqlite_store_trim(store, &all), STORE_FENCED);
    ck_assert(has(store, "room000a"));
    sqlite_store_close(store);
}
END_TEST

void add_trim_tests(TCase *tests)
{
    tcase_add_test(tests, what_is_past_its_bounds_goes_with_its_lines);
    tcase_add_test(tests, one_that_is_named_goes_alone);
    tcase_add_test(tests, many_go_a_few_at_a_time);
    tcase_add_test(tests, rows_go_with_their_room);
    tcase_add_test(tests, what_cannot_be_read_stays);
    tcase_add_test(tests, who_has_lost_the_store_drops_nothing);
}
