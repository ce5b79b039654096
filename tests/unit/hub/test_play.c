/* Whole matches through the hub. */
#include "suites.h"
#include "world.h"

#include <string.h>

static struct world world;

static void setup(void)
{
    world_init(&world);
}

static void teardown(void)
{
    world_release(&world);
}

START_TEST(test_whole_match)
{
    struct table table;
    world_table(&world, &table, 2 + _i, "");
    world_begin(&world, &table);
    world_play_out(&world, &table);
    json_t *ok = world_ok(&world, table.tabs[0], "watch", "{s:s}", "room", table.room);
    const json_t *state = json_object_get(ok, "state");
    ck_assert_str_eq(str(state, "phase"), "over");
    json_decref(ok);
}
END_TEST

Suite *play_suite(void)
{
    Suite *suite = suite_create("play");
    TCase *tests = tcase_create("play");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_loop_test(tests, test_whole_match, 0, 4);
    suite_add_tcase(suite, tests);
    return suite;
}
