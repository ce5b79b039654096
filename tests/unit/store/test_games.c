/* Finished matches of sessions: what is stored of them, how long, and pages of them. */
#include "cases.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT " {\"title\":\"caf\xc3\xa9\"}\n"

static char *games_of(struct sqlite_store *store, uint64_t session)
{
    char *text;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    dump_games(store, session, out);
    fclose(out);
    return text;
}

static void check_games(struct sqlite_store *store, uint64_t session, const char *expected)
{
    char *text = games_of(store, session);
    ck_assert_str_eq(text, expected);
    free(text);
}

/* Each session's own, the newest first. They go with their session, and not with their room. */
START_TEST(finished_matches_go_with_their_session)
{
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    struct store_op begin[] = {{.kind = STORE_PUT_SESSION, .u.session = {.id = 5, .name = "Ana"}},
                               {.kind = STORE_PUT_SESSION, .u.session = {.id = 6, .name = "Bo"}},
                               op_room("room000a"),
                               op_event("room000a", 1),
                               op_game("room000a", 5, 0, 1000, 9),
                               op_game("room000a", 6, 1, 1000, 9),
                               op_game("room000c", 6, 0, 2000, 9),
                               op_game("room000c", 5, 1, 2000, 9),
                               op_game("room000b", 5, 1, 2000, 9),
                               op_game("room000d", 5, 1, 500, 9)};
    struct store_op drop = op_of(STORE_DROP_ROOM, "room000a");
    ck_assert_int_eq(commit_ops(store, begin, 10), STORE_OK);
    ck_assert_int_eq(commit_one(store, op_game("room000b", 7, 0, 2000, 9)), STORE_REFUSED);
    ck_assert_int_eq(commit_one(store, begin[0]), STORE_OK); /* a session that is stored again */
    ck_assert_int_eq(commit_one(store, drop), STORE_OK);
    sqlite_store_close(store);
    store = scratch_open_loaded(&scratch);
    check_games(store, 5,
                "game 5 room000c seat 1 at 2000" TEXT "game 5 room000b seat 1 at 2000" TEXT
                "game 5 room000a seat 0 at 1000" TEXT "game 5 room000d seat 1 at 500" TEXT);
    check_games(store, 6,
                "game 6 room000c seat 0 at 2000" TEXT "game 6 room000a seat 1 at 1000" TEXT);
    check_games(store, 7, "");
    drop = (struct store_op){.kind = STORE_DROP_SESSION, .u.session_id = 5};
    ck_assert_int_eq(commit_one(store, drop), STORE_OK);
    check_games(store, 5, "");
    ck_assert_int_eq(scratch_number(&scratch, "SELECT count(*) FROM game"), 2);
    sqlite_store_close(store);
}
END_TEST

static struct store_op op_nth_game(int number, uint64_t session, uint8_t seat, uint32_t keep)
{
    char id[9];
    snprintf(id, sizeof id, "room%04d", number);
    return op_game(id, session, seat, 1000 + number, keep);
}

/* Each session has as many as are to be kept; the other one's stay. */
START_TEST(only_the_newest_finished_matches_stay)
{
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    struct store_op begin[] = {{.kind = STORE_PUT_SESSION, .u.session = {.id = 5, .name = "Ana"}},
                               {.kind = STORE_PUT_SESSION, .u.session = {.id = 6, .name = "Bo"}},
                               op_nth_game(0, 5, 0, 3),
                               op_nth_game(0, 6, 1, 3)};
    ck_assert_int_eq(commit_ops(store, begin, 4), STORE_OK);
    for (int number = 1; number < 5; number++)
        ck_assert_int_eq(commit_one(store, op_nth_game(number, 5, 0, 3)), STORE_OK);
    check_games(store, 5,
                "game 5 room0004 seat 0 at 1004" TEXT "game 5 room0003 seat 0 at 1003" TEXT
                "game 5 room0002 seat 0 at 1002" TEXT);
    check_games(store, 6, "game 6 room0000 seat 1 at 1000" TEXT);
    ck_assert_int_eq(commit_one(store, op_nth_game(5, 5, 0, 1)), STORE_OK); /* a new bound */
    check_games(store, 5, "game 5 room0005 seat 0 at 1005" TEXT);
    sqlite_store_close(store);
}
END_TEST

static void check_page(struct sqlite_store *store, const char *after, size_t count, bool more,
                       const char *first, const char *last)
{
    struct store_query page = games_page(5, after);
    ck_assert_int_eq(sqlite_store_query(store, &page), STORE_OK);
    ck_assert_uint_eq(page.count, count);
    ck_assert_int_eq(page.more, more);
    if (count > 0) {
        ck_assert_str_eq(((const struct game_row *)store_query_row(&page, 0))->room, first);
        ck_assert_str_eq(((const struct game_row *)store_query_row(&page, count - 1))->room, last);
    }
    page.release(&page);
}

/* Behind the one that was named; nothing behind one that is not there any more. */
START_TEST(finished_matches_come_in_pages)
{
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    struct store_op ops[1 + 2 * GAMES_PAGE] = {
        {.kind = STORE_PUT_SESSION, .u.session = {.id = 5, .name = "Ana"}}};
    for (int number = 1; number <= 2 * GAMES_PAGE; number++)
        ops[number] = op_nth_game(number, 5, 0, 100);
    ck_assert_int_eq(commit_ops(store, ops, sizeof ops / sizeof ops[0]), STORE_OK);
    check_page(store, "", GAMES_PAGE, true, "room0040", "room0021");
    check_page(store, "room0021", GAMES_PAGE, false, "room0020", "room0001");
    check_page(store, "room0000", 0, false, "", "");
    sqlite_store_close(store);
}
END_TEST

/* A line that was changed is left out; the others are shown. */
START_TEST(a_damaged_finished_match_is_left_out)
{
    static const char *const damages[] = {
        "UPDATE game SET text = '{\"title\":\"cafe\"}' WHERE room = 'room000b'",
        "UPDATE game SET text = CAST(zeroblob(5000) AS TEXT) WHERE room = 'room000b'",
        "UPDATE game SET seat = 1 WHERE room = 'room000b'",
        "UPDATE game SET seat = 16 WHERE room = 'room000b'",
        "UPDATE game SET at_ms = 1001 WHERE room = 'room000b'",
        "UPDATE game SET room = 'room000c' WHERE room = 'room000b'",
        "UPDATE game SET session = 6 WHERE room = 'room000b'",
        "UPDATE game SET hash = x'' WHERE room = 'room000b'",
    };
    struct store_op begin[] = {{.kind = STORE_PUT_SESSION, .u.session = {.id = 5, .name = "Ana"}},
                               {.kind = STORE_PUT_SESSION, .u.session = {.id = 6, .name = "Bo"}},
                               op_game("room000a", 5, 0, 900, 9),
                               op_game("room000b", 5, 0, 1000, 9)};
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        struct sqlite_store *store = scratch_open_loaded(&scratch);
        ck_assert_int_eq(commit_ops(store, begin, 4), STORE_OK);
        scratch_sql(&scratch, damages[i]);
        check_games(store, 5, "game 5 room000a seat 0 at 900" TEXT);
        check_games(store, 6, "");
        ck_assert_uint_eq(sqlite_store_left_out(store), 1);
        ck_assert_ptr_nonnull(strstr(sqlite_store_message(store), "a finished match of a session"));
        sqlite_store_close(store);
        scratch_sql(&scratch, "DELETE FROM game");
    }
}
END_TEST

void add_games_tests(TCase *tests)
{
    tcase_add_test(tests, finished_matches_go_with_their_session);
    tcase_add_test(tests, only_the_newest_finished_matches_stay);
    tcase_add_test(tests, finished_matches_come_in_pages);
    tcase_add_test(tests, a_damaged_finished_match_is_left_out);
}
