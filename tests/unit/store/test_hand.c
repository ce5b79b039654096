/* One session's matches that become another one's. */
#include "cases.h"
#include "erase_case.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEIR = 7 };

static void commit_all(void *ctx, const struct store_op *ops, size_t count)
{
    ck_assert_int_eq(commit_ops(ctx, ops, count), STORE_OK);
}

static struct erase_case open_case(void)
{
    const struct erase_case c = {scratch_open_loaded(&scratch), commit_all};
    const struct store_op heir = {.kind = STORE_PUT_SESSION,
                                  .u.session = {.id = HEIR, .name = "Chi"}};
    erase_case_begin(&c);
    ck_assert_int_eq(commit_one(c.ctx, heir), STORE_OK);
    return c;
}

static long long number_of(const char *what, uint64_t session)
{
    char sql[200];
    snprintf(sql, sizeof sql, "SELECT count(*) FROM %s WHERE session = %d", what, (int)session);
    return scratch_number(&scratch, sql);
}

static void hand_matches(const struct erase_case *c, uint64_t to)
{
    const struct store_op op = {.kind = STORE_HAND_MATCHES, .u.hand = {ERASED_SESSION, to}};
    c->commit(c->ctx, &op, 1);
}

/* With its hashes: else it cannot be read. */
static void expect_readable(struct sqlite_store *store, const char *room_id, bool guest)
{
    struct sqlite_reading *reading;
    ck_assert_int_eq(sqlite_store_read(store, room_id, &reading), STORE_OK);
    ck_assert_ptr_nonnull(reading->rows.room);
    ck_assert_uint_eq(reading->rows.guest_count, guest);
    ck_assert(!guest || reading->guests[0] == HEIR);
    sqlite_reading_destroy(reading);
}

START_TEST(a_finished_match_is_the_others)
{
    const struct erase_case c = open_case();
    erase_case_put(&c, "room0001", 1000, true);
    ck_assert_int_eq(commit_one(c.ctx, op_guest("room0001", ERASED_SESSION, 0)), STORE_OK);
    const long long acted = number_of("archived_event", ERASED_SESSION);
    hand_matches(&c, HEIR);
    ck_assert_int_eq(number_of("archived_event", ERASED_SESSION), 0);
    ck_assert_int_eq(number_of("archived_event", HEIR), acted);
    ck_assert_int_eq(number_of("game", ERASED_SESSION), 0);
    ck_assert_int_eq(number_of("game", HEIR), 1);
    ck_assert_int_eq(number_of("game", OTHER_SESSION), 1);
    expect_readable(c.ctx, "room0001", true);
    sqlite_store_close(c.ctx);
    free(dump_folder_and_games(&scratch)); /* its lines have the hashes of whose they are */
}
END_TEST

/* Whoever is erased is found in what was handed to them. */
START_TEST(what_was_handed_is_erased_with_the_other)
{
    const struct erase_case c = open_case();
    const struct store_op erase = {.kind = STORE_ERASE_NAMES, .u.session_id = HEIR};
    erase_case_put(&c, "room0001", 1000, true);
    hand_matches(&c, HEIR);
    ck_assert_int_eq(commit_one(c.ctx, erase), STORE_OK);
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM archived_event WHERE kind = 1"
                                              " AND text LIKE '%Ana%'"),
                     0);
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM game WHERE text LIKE '%Ana%'"),
                     0);
    sqlite_store_close(c.ctx);
}
END_TEST

/* Its log is that of who serves it. */
START_TEST(of_a_live_match_the_line_is_the_others)
{
    const struct erase_case c = open_case();
    erase_case_put(&c, "room0001", 1000, false);
    hand_matches(&c, HEIR);
    ck_assert_int_eq(number_of("game", ERASED_SESSION), 0);
    ck_assert_int_eq(number_of("game", HEIR), 1);
    ck_assert_int_eq(number_of("event", HEIR), 0);
    sqlite_store_close(c.ctx);
}
END_TEST

/* It is nobody's, and holds nothing up. */
START_TEST(a_damaged_line_goes)
{
    const struct erase_case c = open_case();
    erase_case_put(&c, "room0001", 1000, true);
    erase_case_put(&c, "room0002", 1001, true);
    scratch_sql(&scratch, "UPDATE game SET seat = 3 WHERE session = 5 AND room = 'room0001'");
    hand_matches(&c, HEIR);
    ck_assert_int_eq(number_of("game", ERASED_SESSION), 0);
    ck_assert_int_eq(number_of("game", HEIR), 1);
    sqlite_store_close(c.ctx);
}
END_TEST

/* Two seats of a match are never one person's. */
START_TEST(where_both_have_sat_the_log_stays)
{
    const struct erase_case c = open_case();
    erase_case_put(&c, "room0001", 1000, true);
    const long long acted = number_of("archived_event", ERASED_SESSION);
    hand_matches(&c, OTHER_SESSION);
    ck_assert_int_eq(number_of("archived_event", ERASED_SESSION), acted);
    ck_assert_int_eq(number_of("game", ERASED_SESSION), 0);
    ck_assert_int_eq(number_of("game", OTHER_SESSION), 1);
    ck_assert_int_eq(
        scratch_number(&scratch, "SELECT seat FROM game WHERE session = 6 AND room = 'room0001'"),
        0);
    sqlite_store_close(c.ctx);
}
END_TEST

START_TEST(nobody_is_handed_nothing)
{
    const struct erase_case c = open_case();
    erase_case_put(&c, "room0001", 1000, true);
    hand_matches(&c, 99);
    ck_assert_int_eq(number_of("game", ERASED_SESSION), 1);
    ck_assert_int_eq(number_of("archived_event", 99), 0);
    sqlite_store_close(c.ctx);
}
END_TEST

START_TEST(so_many_in_a_step)
{
    const struct erase_case c = open_case();
    for (int number = 0; number < STORE_HAND_ROOMS + 3; number++) {
        char id[9];
        snprintf(id, sizeof id, "room%04d", number);
        erase_case_put(&c, id, 1000 + number, true);
    }
    hand_matches(&c, HEIR);
    ck_assert_int_eq(number_of("game", ERASED_SESSION), 3);
    hand_matches(&c, HEIR);
    ck_assert_int_eq(number_of("game", HEIR), STORE_HAND_ROOMS + 3);
    sqlite_store_close(c.ctx);
}
END_TEST

static struct store_op hand_room(const struct sqlite_store *store)
{
    struct store_op op = op_of(STORE_HAND_ROOM, "room0001");
    op.epoch = sqlite_store_epoch(store);
    op.u.hand = (struct store_hand){ERASED_SESSION, HEIR};
    return op;
}

/* Its log goes on, and is whole after a restart. */
START_TEST(a_live_match_is_the_others)
{
    const struct erase_case c = open_case();
    struct sqlite_store *store = c.ctx;
    erase_case_put(&c, "room0001", 1000, false);
    const struct store_op ops[] = {hand_room(store), op_event("room0001", 8)};
    const long long acted = number_of("event", ERASED_SESSION);
    ck_assert_int_eq(commit_ops(store, ops, 2), STORE_OK);
    ck_assert_int_eq(number_of("event", ERASED_SESSION), 0);
    ck_assert_int_eq(number_of("event", HEIR), acted);
    sqlite_store_close(store);
    store = scratch_open_loaded(&scratch);
    ck_assert_uint_eq(sqlite_store_left_out(store), 0);
    ck_assert_int_eq(commit_one(store, op_event("room0001", 9)), STORE_OK);
    ck_assert_int_eq(commit_one(store, op_of(STORE_ARCHIVE_ROOM, "room0001")), STORE_OK);
    expect_readable(store, "room0001", false);
    sqlite_store_close(store);
}
END_TEST

/* It is refused alone, and where its log ends is as before. */
START_TEST(a_damaged_log_is_not_made_to_look_right)
{
    const struct erase_case c = open_case();
    enum store_result results[3] = {STORE_OK};
    erase_case_put(&c, "room0001", 1000, false);
    scratch_sql(&scratch, "UPDATE event SET text = 'stay' WHERE seq = 7");
    struct store_op ops[] = {hand_room(c.ctx), op_room("room0002"), op_event("room0002", 1)};
    ops[2].epoch = ops[0].epoch;
    const struct store_batch batch = {3, ops, results};
    ck_assert_int_eq(sqlite_store_commit(c.ctx, &batch), STORE_OK);
    ck_assert_int_eq(results[0], STORE_REFUSED);
    ck_assert_int_eq(results[1], STORE_OK);
    ck_assert_int_eq(number_of("event", HEIR), 0);
    sqlite_store_close(c.ctx);
}
END_TEST

/* Of a room that is not live, or under another epoch. */
START_TEST(what_is_not_there_is_not_handed)
{
    const struct erase_case c = open_case();
    enum store_result result = STORE_OK;
    struct store_op op = hand_room(c.ctx);
    const struct store_batch batch = {1, &op, &result};
    erase_case_put(&c, "room0001", 1000, false);
    op.epoch++;
    ck_assert_int_eq(sqlite_store_commit(c.ctx, &batch), STORE_OK);
    ck_assert_int_eq(result, STORE_REFUSED);
    op.epoch--;
    ck_assert_int_eq(commit_one(c.ctx, op_of(STORE_ARCHIVE_ROOM, "room0001")), STORE_OK);
    result = STORE_OK;
    ck_assert_int_eq(sqlite_store_commit(c.ctx, &batch), STORE_OK);
    ck_assert_int_eq(result, STORE_REFUSED);
    ck_assert_int_eq(number_of("archived_event", HEIR), 0);
    sqlite_store_close(c.ctx);
}
END_TEST

void add_hand_tests(TCase *tests)
{
    tcase_add_test(tests, a_finished_match_is_the_others);
    tcase_add_test(tests, what_was_handed_is_erased_with_the_other);
    tcase_add_test(tests, of_a_live_match_the_line_is_the_others);
    tcase_add_test(tests, a_damaged_line_goes);
    tcase_add_test(tests, where_both_have_sat_the_log_stays);
    tcase_add_test(tests, nobody_is_handed_nothing);
    tcase_add_test(tests, so_many_in_a_step);
    tcase_add_test(tests, a_live_match_is_the_others);
    tcase_add_test(tests, a_damaged_log_is_not_made_to_look_right);
    tcase_add_test(tests, what_is_not_there_is_not_handed);
}
