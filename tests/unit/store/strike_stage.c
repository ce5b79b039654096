#include "strike_stage.h"

#include "cases.h"
#include "row_ops.h"
#include <stdlib.h>
#include <string.h>

struct scenario scenario;
const char *const kind_names[STRIKES] = {"memory", "statement", "full", "write", "read"};

void strike_set_up(void)
{
    store_tables = store_test_tables;
    scratch_init(&scratch);
    scenario_init(&scenario);
}

void strike_tear_down(void)
{
    scratch_release(&scratch);
}

void start_again(void)
{
    scratch_release(&scratch);
    scratch_init(&scratch);
}

struct sqlite_store *open_after(int batches)
{
    start_again();
    scenario_init(&scenario);
    struct sqlite_store *store = scratch_open_loaded(&scratch);
    for (int number = 0; number < batches; number++)
        ck_assert_int_eq(commit_batch(store, scenario_batch(&scenario, number)), STORE_OK);
    return store;
}

void check_held(struct held before)
{
    struct held now = held_now();
    ck_assert_int_eq(now.sqlite_bytes, before.sqlite_bytes);
    ck_assert_int_eq(now.descriptors, before.descriptors);
}

void check_told(enum strike kind, enum store_result result, const char *message)
{
    enum store_result told = kind == STRIKE_FULL ? STORE_FULL : STORE_FAILED;
    ck_assert_msg(result == told, "%s: %d: %s", kind_names[kind], result, message);
    ck_assert_str_ne(message, "");
}

char *expected[SCENARIO_BATCHES + 1];

void learn_expected(void)
{
    for (int count = 0; count <= SCENARIO_BATCHES; count++) {
        sqlite_store_close(open_after(count));
        free(expected[count]);
        expected[count] = dump_folder_and_games(&scratch);
    }
}

void check_content(int batches)
{
    char *found = dump_folder_and_games(&scratch);
    ck_assert_str_eq(found, expected[batches]);
    free(found);
}
