/* The structure of a large store is checked while it is used. Here every store is large. */
#include "cases.h"
#include <stdlib.h>
#include <store/store.h>
#include <string.h>

enum { PAGE = 4096 };

/* There are no rows to be handed over. */
static int take_epoch(void *ctx, uint64_t epoch)
{
    (void)ctx, (void)epoch;
    return 0;
}

static const struct store_sink sink = {.opened = take_epoch};

static struct sqlite_store *open_checking(int64_t checked_bytes)
{
    char message[STORE_MESSAGE_MAX] = "";
    struct sqlite_store *store;
    enum store_result result =
        sqlite_store_open_checking(scratch.folder, checked_bytes, &store, message);
    ck_assert_msg(result == STORE_OK, "%d: %s", result, message);
    return store;
}

static void zero_page(long long page)
{
    size_t len;
    unsigned char *bytes = slurp(scratch.file, &len);
    ck_assert_int_gt(page, 1);
    ck_assert_uint_le((size_t)page * PAGE, len);
    memset(bytes + (page - 1) * PAGE, 0, PAGE);
    spit(scratch.file, bytes, len);
    free(bytes);
}

/* Of a page of a table, or of the list of free pages. */
static const char *const damages[] = {
    "SELECT rootpage FROM sqlite_schema WHERE name = 'session'",
    "SELECT rootpage FROM sqlite_schema WHERE name = 'event'",
    "SELECT rootpage FROM sqlite_schema WHERE name = 'archived_event'",
    "the free pages",
};

static void damage(int which)
{
    size_t len;
    scratch_sql(&scratch, "CREATE TABLE pad (a); INSERT INTO pad VALUES (zeroblob(20000));"
                          "DROP TABLE pad");
    unsigned char *bytes = slurp(scratch.file, &len);
    long long first_free = bytes[34] << 8 | bytes[35]; /* in SQLite's header */
    free(bytes);
    zero_page(which == 3 ? first_free : scratch_number(&scratch, damages[which]));
}

START_TEST(damage_of_a_large_store_is_noticed_while_it_is_used)
{
    char message[STORE_MESSAGE_MAX] = "";
    sqlite_store_close(scratch_open_loaded(&scratch));
    damage(_i);
    struct sqlite_store *store = open_checking(PAGE);
    ck_assert_int_eq(sqlite_store_check_later(store, message), STORE_CORRUPT);
    ck_assert_msg(strstr(message, "the structure of the file is damaged: "), "%s", message);
    sqlite_store_close(store);
}
END_TEST

/* What is committed before the check and after it is taken. */
START_TEST(a_large_store_that_is_whole_is_found_so)
{
    char message[STORE_MESSAGE_MAX] = "";
    sqlite_store_close(scratch_open_loaded(&scratch));
    struct sqlite_store *store = open_checking(PAGE);
    ck_assert_int_eq(sqlite_store_load(store, &sink), STORE_OK);
    ck_assert_int_eq(commit_one(store, op_room("room000a")), STORE_OK);
    ck_assert_int_eq(sqlite_store_check_later(store, message), STORE_OK);
    ck_assert_int_eq(commit_one(store, op_event("room000a", 1)), STORE_OK);
    sqlite_store_close(store);
}
END_TEST

/* What the opening has checked is not read again. */
START_TEST(a_small_store_is_checked_once)
{
    char message[STORE_MESSAGE_MAX] = "";
    sqlite_store_close(scratch_open_loaded(&scratch));
    struct sqlite_store *store = scratch_open(&scratch);
    damage(2);
    ck_assert_int_eq(sqlite_store_check_later(store, message), STORE_OK);
    sqlite_store_stop_check(store);
    sqlite_store_close(store);
}
END_TEST

/* A file of the bound's size is small, one of a page more is not. */
START_TEST(the_bound_is_the_size_of_the_file)
{
    char message[STORE_MESSAGE_MAX] = "";
    struct sqlite_store *store;
    size_t len;
    sqlite_store_close(scratch_open_loaded(&scratch));
    damage(2);
    free(slurp(scratch.file, &len));
    ck_assert_int_eq(sqlite_store_open_checking(scratch.folder, (int64_t)len, &store, message),
                     STORE_CORRUPT);
    sqlite_store_close(open_checking((int64_t)len - 1));
}
END_TEST

/* Through hub/store.h; stopped before it begins, a check says nothing of damage. */
START_TEST(the_engine_checks_a_large_store)
{
    char message[STORE_MESSAGE_MAX] = "";
    sqlite_store_close(scratch_open_loaded(&scratch));
    damage(2);
    struct store *store = sqlite_store_create_checking(scratch.folder, PAGE);
    ck_assert_ptr_nonnull(store);
    ck_assert_int_eq(store->engine->open(store, &sink, message), STORE_OK);
    ck_assert_int_eq(store->engine->check(store, message), STORE_CORRUPT);
    store->engine->stop_check(store);
    ck_assert_int_eq(store->engine->check(store, message), STORE_FAILED);
    store->engine->close(store);
    store = sqlite_store_create(scratch.folder);
    ck_assert_ptr_nonnull(store);
    ck_assert_int_eq(store->engine->open(store, &sink, message), STORE_CORRUPT);
    store->engine->close(store);
}
END_TEST

void add_large_tests(TCase *tests)
{
    tcase_add_loop_test(tests, damage_of_a_large_store_is_noticed_while_it_is_used, 0,
                        sizeof damages / sizeof damages[0]);
    tcase_add_test(tests, a_large_store_that_is_whole_is_found_so);
    tcase_add_test(tests, a_small_store_is_checked_once);
    tcase_add_test(tests, the_bound_is_the_size_of_the_file);
    tcase_add_test(tests, the_engine_checks_a_large_store);
}
