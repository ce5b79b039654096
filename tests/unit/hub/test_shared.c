/* A store that others may take: an empty batch now and then is a sign of life, and finds them out.
 */
#include "suites.h"
#include "world.h"

static struct world world;

static void setup(void)
{
    world_init(&world);
}

static void teardown(void)
{
    world_release(&world);
}

static void share_store(void)
{
    world.env.sign_of_life_ms = 1000;
    world_start(&world);
    world.held = true;
}

/* How many batches were taken in so many milliseconds; all are empty. */
static int signs_in(int64_t ms)
{
    int signs = 0;
    for (const int64_t end_ms = world.now_ms + ms; world.now_ms < end_ms;) {
        world_pass(&world, 10);
        if (!world.out)
            continue;
        ck_assert_uint_eq(world.out->count, 0);
        signs++;
        world_commit(&world, STORE_OK);
    }
    return signs;
}

START_TEST(test_signs_of_life)
{
    share_store();
    ck_assert_int_eq(signs_in(10005), 11); /* the first at once */
    ck_assert_int_le(hub_deadline_ms(world.hub), world.now_ms + 1000);
}
END_TEST

/* A store that fails for long is tried often, as others take it who hear no sign when it is back.
 */
START_TEST(test_signs_soon_after_a_failure)
{
    share_store();
    for (int64_t last_ms = world.now_ms, end_ms = last_ms + 20000; world.now_ms < end_ms;) {
        world_pass(&world, 10);
        if (!world.out)
            continue;
        ck_assert_int_le(world.now_ms - last_ms, 2000 + 10);
        last_ms = world.now_ms;
        world_commit(&world, STORE_FAILED);
    }
}
END_TEST

START_TEST(test_what_is_stored_is_a_sign)
{
    struct table table;
    share_store();
    world.held = false;
    world_table(&world, &table, 2, "");
    for (int at = 0; at < 6; at++) {
        world_do(&world, table.tabs[0], "ready", "{s:s,s:b}", "room", table.room, "ready",
                 at % 2 == 0);
        world.held = true;
        ck_assert_int_eq(signs_in(900), 0);
        world.held = false;
    }
    world.held = true;
    ck_assert_int_eq(signs_in(200), 1);
}
END_TEST

START_TEST(test_a_sign_finds_out_that_the_store_was_taken)
{
    struct table table;
    share_store();
    world.held = false;
    world_table(&world, &table, 2, "");
    world.answer = STORE_FENCED;
    world_pass(&world, 1000);
    ck_assert_int_eq(hub_stopped(world.hub), STORE_FENCED);
    /* A node keeps its clients for who has their rooms now. */
    ck_assert_int_eq(world.tabs[table.tabs[0]].close_code, hub_is_far ? 0 : 1011);
}
END_TEST

START_TEST(test_without_others_nothing_is_stored_in_vain)
{
    world.held = true;
    ck_assert_int_eq(signs_in(5000), 0);
}
END_TEST

Suite *shared_suite(void)
{
    Suite *suite = suite_create("shared store");
    TCase *tests = tcase_create("shared store");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, test_signs_of_life);
    tcase_add_test(tests, test_signs_soon_after_a_failure);
    tcase_add_test(tests, test_what_is_stored_is_a_sign);
    tcase_add_test(tests, test_a_sign_finds_out_that_the_store_was_taken);
    tcase_add_test(tests, test_without_others_nothing_is_stored_in_vain);
    suite_add_tcase(suite, tests);
    return suite;
}
