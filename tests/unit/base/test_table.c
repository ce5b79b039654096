/* The table, beside an array of what is in it. */
#include "../../support/failing_alloc.h"
#include "../../support/rng.h"
#include "suites.h"
#include <base/table.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES = 3000, STEPS = 40000 };

struct entry {
    uint64_t key;
    unsigned number; /* which one of the array it is */
    char rest[12];   /* an entry is not a power of two bytes */
};

static struct entry *find(const struct table *table, uint64_t key, unsigned number)
{
    size_t at = 0;
    struct entry *entry = table_find(table, key, &at);
    while (entry && entry->number != number)
        entry = table_find(table, key, &at);
    return entry;
}

static size_t count_all(const struct table *table, const bool in[static ENTRIES])
{
    size_t at = 0, count = 0;
    for (const struct entry *entry = table_next(table, &at); entry;
         entry = table_next(table, &at)) {
        ck_assert(in[entry->number]);
        count++;
    }
    return count;
}

/* Keys from a small range, so that they repeat, and in steps, so that they collide; 0 is one. */
static const uint64_t steps[] = {0, 1, UINT64_C(0x100000000), UINT64_C(0x8000000000000000)};

START_TEST(test_beside_an_array)
{
    static uint64_t keys[ENTRIES];
    bool in[ENTRIES] = {false};
    struct table table;
    struct rng rng = {(uint64_t)_i + 1};
    size_t count = 0;
    memset(&table, 0x5a, sizeof table);
    table_init(&table, sizeof(struct entry));
    for (int step = 0; step < STEPS; step++) {
        unsigned number = rng_below(&rng, _i == 0 ? 40 : ENTRIES);
        if (in[number]) {
            table_remove(&table, find(&table, keys[number], number));
        } else {
            keys[number] = rng_below(&rng, 2000) * steps[_i];
            ck_assert(table_reserve(&table, 1));
            table_add(&table, &(struct entry){.key = keys[number], .number = number});
        }
        count += in[number] ? (size_t)-1 : 1;
        in[number] = !in[number];
        ck_assert_uint_eq(table.count, count);
        number = rng_below(&rng, ENTRIES);
        ck_assert_int_eq(find(&table, keys[number], number) != NULL, in[number]);
    }
    ck_assert_uint_eq(count_all(&table, in), count);
    table_release(&table);
    ck_assert_uint_eq(table.count, 0);
    ck_assert_uint_eq(table.size, 0);
    ck_assert_ptr_null(find(&table, 0, 0));
}
END_TEST

/* It grows when it would be more than three quarters full. */
START_TEST(test_grows_when_it_is_full)
{
    struct table table;
    table_init(&table, sizeof(struct entry));
    ck_assert(table_reserve(&table, 0));
    size_t smallest = table.size;
    ck_assert_uint_gt(smallest, 0);
    ck_assert(table_reserve(&table, smallest / 4 * 3));
    ck_assert_uint_eq(table.size, smallest);
    table_add(&table, &(struct entry){.key = 1});
    ck_assert(table_reserve(&table, smallest / 4 * 3 - 1));
    ck_assert_uint_eq(table.size, smallest);
    ck_assert(table_reserve(&table, smallest / 4 * 3));
    ck_assert_uint_eq(table.size, 2 * smallest);
    ck_assert_ptr_nonnull(find(&table, 1, 0));
    table_release(&table);
}
END_TEST

/* Keys that differ in a few bits, whichever they are, are found after few places. */
static const uint64_t distances[] = {1, 64, 0x10000, UINT64_C(1) << 32, UINT64_C(1) << 48};

START_TEST(test_keys_are_spread)
{
    struct table table;
    size_t looked_at = 0;
    table_init(&table, sizeof(struct entry));
    ck_assert(table_reserve(&table, ENTRIES));
    for (unsigned number = 0; number < ENTRIES; number++)
        table_add(&table, &(struct entry){.key = number * distances[_i], .number = number});
    for (unsigned number = 0; number < ENTRIES; number++) {
        size_t at = 0;
        ck_assert_ptr_nonnull(table_find(&table, number * distances[_i], &at));
        looked_at += at;
    }
    ck_assert_uint_lt(looked_at, 4 * ENTRIES);
    table_release(&table);
}
END_TEST

START_TEST(test_reserved_is_enough)
{
    struct table table;
    table_init(&table, sizeof(struct entry));
    ck_assert(table_reserve(&table, ENTRIES));
    failing_alloc_arm(1, true);
    failing_alloc_enter();
    for (unsigned number = 0; number < ENTRIES; number++)
        table_add(&table, &(struct entry){.key = number, .number = number});
    failing_alloc_leave();
    ck_assert_uint_eq(failing_alloc_disarm(NULL), 0);
    for (unsigned number = 0; number < ENTRIES; number++)
        ck_assert_ptr_nonnull(find(&table, number, number));
    table_release(&table);
}
END_TEST

START_TEST(test_out_of_memory_changes_nothing)
{
    struct table table;
    unsigned number = 0;
    bool failed;
    table_init(&table, sizeof(struct entry));
    failing_alloc_arm(3, true);
    failing_alloc_enter();
    for (; table_reserve(&table, 1); number++)
        table_add(&table, &(struct entry){.key = number, .number = number});
    failing_alloc_leave();
    (void)failing_alloc_disarm(&failed);
    ck_assert(failed);
    ck_assert_uint_gt(number, 0);
    ck_assert_uint_eq(table.count, number);
    while (number-- > 0)
        ck_assert_ptr_nonnull(find(&table, number, number));
    table_release(&table);
}
END_TEST

Suite *table_suite(void)
{
    Suite *suite = suite_create("table");
    TCase *tests = tcase_create("table");
    tcase_add_loop_test(tests, test_beside_an_array, 0, sizeof steps / sizeof steps[0]);
    tcase_add_test(tests, test_grows_when_it_is_full);
    tcase_add_loop_test(tests, test_keys_are_spread, 0, sizeof distances / sizeof distances[0]);
    tcase_add_test(tests, test_reserved_is_enough);
    tcase_add_test(tests, test_out_of_memory_changes_nothing);
    suite_add_tcase(suite, tests);
    return suite;
}
