/* Finished rooms that are not kept any longer, of a part of a site. */
#include "cases.h"
#include "fixture.h"
#include <row_ops.h>
#include <trim_case.h>

static void commit(void *ctx, const struct store_op *ops, size_t count)
{
    ck_assert_msg(fixture_commit(ctx, ops, count) == STORE_OK, "%s", fixture_said());
}

static void trim(void *ctx, struct store_trim *trim)
{
    fixture_trim(ctx, trim);
    ck_assert_msg(trim->result == STORE_OK, "%s", fixture_said());
}

static size_t listed(void *ctx, uint64_t session)
{
    struct store_query page = games_page(session, "");
    fixture_query(ctx, &page);
    ck_assert_int_eq(page.result, STORE_OK);
    const size_t count = page.count;
    page.release(&page);
    return count;
}

static bool has(void *ctx, const char *room_id)
{
    struct store_read read;
    fixture_read(ctx, &read, room_id);
    ck_assert_int_eq(read.result, STORE_OK);
    const bool there = read.rows.room;
    read.release(&read);
    return there;
}

static struct trim_case case_of(struct store *store)
{
    return (struct trim_case){{5, 6}, store, commit, trim, listed, has};
}

START_TEST(what_is_past_its_bounds_goes_with_its_lines)
{
    struct store *store = fixture_open();
    const struct trim_case c = case_of(store);
    trim_case_bounds(&c);
    fixture_close(store);
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM taluva.event"), 10);
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM taluva.game"), 4);
}
END_TEST

START_TEST(one_that_is_named_goes_alone)
{
    struct store *store = fixture_open();
    const struct trim_case c = case_of(store);
    trim_case_named(&c);
    fixture_close(store);
}
END_TEST

START_TEST(many_go_a_few_at_a_time)
{
    struct store *store = fixture_open();
    const struct trim_case c = case_of(store);
    trim_case_steps(&c);
    fixture_close(store);
}
END_TEST

START_TEST(rows_go_with_their_room)
{
    store_tables = trim_tables; /* until the next test begins */
    struct store *store = fixture_open();
    const struct trim_case c = case_of(store);
    trim_case_rows(&c);
    fixture_close(store);
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM taluva.seen_room"), 1);
    ck_assert_int_eq(
        fixture_number("SELECT count(*) FROM taluva.seen_room WHERE room = 'room000b'"), 1);
}
END_TEST

/* Rooms of both parts, one behind the other: each part drops its own. */
START_TEST(a_part_drops_its_own)
{
    struct store *parts[2];
    char message[STORE_MESSAGE_MAX];
    struct store_trim all = {.before_ms = {INT64_MAX, INT64_MAX}};
    fixture_close(fixture_open());
    fixture_divide(2);
    for (unsigned part = 0; part < 2; part++) {
        ck_assert_int_eq(fixture_open_part(part, 2, &parts[part], message), STORE_OK);
        struct trim_case c = case_of(parts[part]);
        c.sessions[0] = 6 + part;
        c.sessions[1] = 8 + part;
        trim_case_put(&c, part == 0 ? "0jaaaaaa" : "0kaaaaaa", 1, 1000);
    }
    trim(parts[1], &all);
    ck_assert_uint_eq(all.dropped[STORE_MATCH_SOLO], 1);
    ck_assert_uint_eq(all.kept[STORE_MATCH_SOLO], 0);
    ck_assert(all.end);
    ck_assert(has(parts[0], "0jaaaaaa"));
    ck_assert(!has(parts[0], "0kaaaaaa"));
    fixture_close(parts[0]);
    fixture_close(parts[1]);
}
END_TEST

void add_trim_tests(TCase *tests)
{
    tcase_add_test(tests, what_is_past_its_bounds_goes_with_its_lines);
    tcase_add_test(tests, one_that_is_named_goes_alone);
    tcase_add_test(tests, many_go_a_few_at_a_time);
    tcase_add_test(tests, rows_go_with_their_room);
    tcase_add_test(tests, a_part_drops_its_own);
}
