/* How names are erased: by keys, whatever an administrator has set. What that leaves is compared
 * elsewhere (test_same.c). */
#include "cases.h"
#include "fixture.h"
#include <erase_case.h>
#include <stdio.h>

static void commit_here(void *ctx, const struct store_op *ops, size_t count)
{
    ck_assert_msg(fixture_commit(ctx, ops, count) == STORE_OK, "%s", fixture_said());
}

/* 100,000 lines in lists of 2,000 sessions, of 25,000 rooms with five events each. */
static void fill_large(void)
{
    fixture_sql("INSERT INTO taluva.session (id, name, created_ms, seen_ms)"
                " SELECT number + 100, '', 0, 0 FROM generate_series(0, 1999) number");
    fixture_sql("INSERT INTO taluva.room (key, id, code, secret, host, created_ms, archived)"
                " SELECT 100000 + number, 'r' || to_char(number, 'FM0000000'), '',"
                " repeat('x', 32)::bytea, 1, 0, true FROM generate_series(1, 25000) number");
    fixture_sql("INSERT INTO taluva.event SELECT 100000 + number, seq, 0, 0,"
                " 100 + (number * 7 + seq) % 2000, 0, 0, 1, seq % 4, 'red human X'"
                " FROM generate_series(1, 25000) number, generate_series(1, 5) seq");
    fixture_sql("INSERT INTO taluva.game SELECT 100 + (number * 7 + seq) % 2000, number,"
                " 'r' || to_char(number, 'FM0000000'), seq % 4, repeat('y', 300)"
                " FROM generate_series(1, 25000) number, generate_series(1, 4) seq");
    fixture_sql("ANALYZE");
}

static long long counted(const char *what)
{
    char sql[256];
    (void)snprintf(sql, sizeof sql,
                   "SELECT sum(%s) FROM pg_stat_user_tables WHERE schemaname = 'taluva'"
                   " AND relname IN ('game', 'room', 'event')",
                   what);
    return fixture_number(sql);
}

/* What it counts is told when its connection ends. */
START_TEST(names_are_erased_by_keys)
{
    struct store *store = fixture_open();
    const struct erase_case c = {store, commit_here};
    erase_case_begin(&c);
    for (int number = 1; number <= STORE_ERASE_ROOMS + 1; number++) {
        char id[9];
        (void)snprintf(id, sizeof id, "room%04d", number);
        erase_case_put(&c, id, 1000 + number, true);
    }
    fixture_close(store);
    fill_large();
    store = fixture_open();
    fixture_sql("SELECT pg_stat_reset()");
    erase_case_erase(&(struct erase_case){store, commit_here});
    fixture_close(store);
    while (counted("n_tup_upd") == 0)
        continue;
    ck_assert_int_eq(counted("seq_tup_read"), 0);
    /* A whole index is not read either, for each room. */
    ck_assert_int_lt(
        fixture_number("SELECT heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read"
                       " FROM pg_statio_user_tables WHERE relname = 'game'"),
        2000);
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM taluva.game WHERE text LIKE '%ana%'"), 2);
}
END_TEST

/* As an administrator may have set it for old programs. */
START_TEST(backslashes_mean_what_they_do_in_sql)
{
    fixture_sql("ALTER DATABASE postgres SET standard_conforming_strings = off");
    struct store *store = fixture_open();
    const struct erase_case c = {store, commit_here};
    erase_case_begin(&c);
    erase_case_put(&c, "room0001", 1000, true);
    erase_case_erase(&c);
    fixture_close(store);
    fixture_sql("ALTER DATABASE postgres RESET standard_conforming_strings");
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM taluva.event"
                                    " WHERE text IN ('red human deleted', 'white human deleted')"),
                     2);
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM taluva.game WHERE text LIKE '%Ana%'"), 0);
}
END_TEST

void add_erase_tests(TCase *tests)
{
    tcase_add_test(tests, names_are_erased_by_keys);
    tcase_add_test(tests, backslashes_mean_what_they_do_in_sql);
}
