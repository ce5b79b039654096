/* Clocks stand still while nothing can be stored, while the server is down, and when the time is
 * set. */
#include "../../support/model_divide.h"
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

/* A minute for each move. */
static void begin_in(struct world *its, struct table *table)
{
    world_table(its, table, 2, "{s:{s:s,s:i}}", "clock", "kind", "move", "move_s", 60);
    world_begin(its, table);
}

static void begin(struct table *table)
{
    begin_in(&world, table);
}

/* The guest. */
static void is_told(const struct table *table, const char *kind)
{
    json_t *push = world_push(&world, table->tabs[1], "event");
    ck_assert_str_eq(str(json_object_get(push, "event"), "kind"), kind);
    json_decref(push);
}

static void is_told_nothing(const struct table *table)
{
    ck_assert_ptr_null(world_push(&world, table->tabs[1], "event"));
}

/* The store does; then most of the minute is still there. */
static void recovers(const struct table *table)
{
    world_forget(&world, table->tabs[1]);
    world.answer = STORE_OK;
    world_pass(&world, world.config.store_retry_max_ms);
    is_told(table, "resumed");
    world_pass(&world, 45000);
    is_told_nothing(table);
}

static void set_time(void)
{
    enum { JUMP_MS = 600000 };
    hub_clock_set(world.hub, world.now_ms, world.now_ms + JUMP_MS);
    world.now_ms += JUMP_MS;
}

START_TEST(test_clocks_stand_still_while_it_fails)
{
    struct table table;
    begin(&table);
    world.answer = STORE_FAILED;
    world_post(&world, table.tabs[0], "resign", "{s:s}", "room", table.room);
    world_settle(&world);
    world_forget(&world, table.tabs[1]);
    world_pass(&world, 600000);
    is_told_nothing(&table);
    recovers(&table);
    world_pass(&world, 20000);
    is_told(&table, "timed_out");
}
END_TEST

/* Nobody is charged for the time that a batch was out for nothing. */
START_TEST(test_clocks_stand_still_while_it_makes_up_its_mind)
{
    struct table table;
    begin(&table);
    world.held = true;
    world_post(&world, table.tabs[0], "resign", "{s:s}", "room", table.room);
    world_pass(&world, 50000);
    world_commit(&world, STORE_FAILED);
    world.held = false;
    world_forget(&world, table.tabs[1]);
    world_pass(&world, 50000);
    is_told(&table, "resumed");
    is_told_nothing(&table);
}
END_TEST

/* Nobody is charged for a jump of the clock, which all hubs of a process share. */
START_TEST(test_clocks_stand_still_while_the_time_is_set)
{
    struct table table;
    begin(&table);
    world_pass(&world, 30000);
    world_forget(&world, table.tabs[1]);
    set_time();
    world_settle(&world);
    is_told(&table, "resumed");
    world_pass(&world, 20000);
    is_told_nothing(&table);
    world_pass(&world, 15000);
    is_told(&table, "timed_out");
}
END_TEST

/* Nor if the commit fails that had the events by which they go on. */
START_TEST(test_clocks_stand_still_while_the_time_is_set_and_it_fails)
{
    struct table table;
    begin(&table);
    world.answer = STORE_FAILED;
    set_time();
    world_pass(&world, 100);
    recovers(&table);
}
END_TEST

START_TEST(test_clocks_stand_still_while_it_is_down)
{
    struct table table;
    begin(&table);
    world.now_ms += 3600000;
    world_restart(&world);
    int tab = world_back(&world, table.tabs[0]);
    json_t *ok = world_ok(&world, tab, "watch", "{s:s}", "room", table.room);
    ck_assert_str_eq(str(json_object_get(ok, "state"), "phase"), "playing");
    json_decref(ok);
    world_pass(&world, 59000);
    ck_assert_ptr_null(world_push(&world, tab, "event"));
    world_pass(&world, 2000);
    json_t *push = world_push(&world, tab, "event");
    ck_assert_str_eq(str(json_object_get(push, "event"), "kind"), "timed_out");
    json_decref(push);
}
END_TEST

/* Nor if the first commit fails, which has the events by which they go on. */
START_TEST(test_clocks_stand_still_while_it_is_down_and_it_fails)
{
    struct table table;
    begin(&table);
    world.now_ms += 3600000;
    world.answer = STORE_FAILED;
    world_restart(&world);
    table.tabs[1] = world_back(&world, table.tabs[1]);
    json_decref(world_ok(&world, table.tabs[1], "watch", "{s:s}", "room", table.room));
    world_pass(&world, 30000);
    recovers(&table);
    world_pass(&world, 15000);
    is_told(&table, "timed_out");
}
END_TEST

static void agree(const struct table *table, const char *what)
{
    for (int player = 0; player < 2; player++)
        json_decref(world_ok(&world, table->tabs[player], "offer", "{s:s,s:s}", "room", table->room,
                             "what", what));
}

/* That others have agreed to play on says nothing of who was served. */
START_TEST(test_what_was_thought_before_it_was_down_is_charged)
{
    struct table table, others;
    begin(&table);
    begin(&others);
    world_pass(&world, 50000);
    agree(&others, "pause");
    agree(&others, "resume");
    world.now_ms += 3600000;
    world_restart(&world);
    table.tabs[1] = world_back(&world, table.tabs[1]);
    json_decref(world_ok(&world, table.tabs[1], "watch", "{s:s}", "room", table.room));
    world_pass(&world, 20000);
    is_told(&table, "timed_out");
}
END_TEST

/* ---- a site that is divided anew */

static void become_part(struct world *its, unsigned part)
{
    its->env.part = part;
    its->env.parts = 2;
    world_restart(its);
}

/* Of two parts nobody serves that of the table for an hour; then the other one goes on, and both
 * become one. */
static void unite(struct table *table, enum store_result answer)
{
    static struct world other;
    struct table others;
    struct model_store stores[2], store;
    world_init(&other);
    other.random += 1000;
    become_part(&world, 0);
    become_part(&other, 1);
    begin(table);
    begin_in(&other, &others);
    other.now_ms = world.now_ms + 3600000;
    world_restart(&other);
    world.now_ms = other.now_ms;
    stores[0] = world.store;
    stores[1] = other.store;
    model_divide(stores, 2, &store, 1);
    world.store = store;
    model_init(&other.store);
    world_release(&other);
    world.env.parts = 1;
    world.answer = answer;
    world_restart(&world);
    table->tabs[1] = world_back(&world, table->tabs[1]);
    json_decref(world_ok(&world, table->tabs[1], "watch", "{s:s}", "room", table->room));
}

START_TEST(test_clocks_stand_still_while_their_part_is_not_served)
{
    struct table table;
    unite(&table, STORE_OK);
    world_pass(&world, 45000);
    is_told_nothing(&table);
    world_pass(&world, 20000);
    is_told(&table, "timed_out");
}
END_TEST

START_TEST(test_clocks_stand_still_while_their_part_is_not_served_and_it_fails)
{
    struct table table;
    unite(&table, STORE_FAILED);
    world_pass(&world, 30000);
    recovers(&table);
    world_pass(&world, 20000);
    is_told(&table, "timed_out");
}
END_TEST

Suite *clocks_suite(void)
{
    Suite *suite = suite_create("clocks");
    TCase *tests = tcase_create("clocks");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, test_clocks_stand_still_while_it_fails);
    tcase_add_test(tests, test_clocks_stand_still_while_it_makes_up_its_mind);
    tcase_add_test(tests, test_clocks_stand_still_while_the_time_is_set);
    tcase_add_test(tests, test_clocks_stand_still_while_the_time_is_set_and_it_fails);
    tcase_add_test(tests, test_clocks_stand_still_while_it_is_down);
    tcase_add_test(tests, test_clocks_stand_still_while_it_is_down_and_it_fails);
    tcase_add_test(tests, test_what_was_thought_before_it_was_down_is_charged);
    suite_add_tcase(suite, tests);
    TCase *divided = tcase_create("clocks of a site that is divided anew");
    tcase_add_checked_fixture(divided, setup, teardown);
    tcase_set_tags(divided, "near model");
    tcase_add_test(divided, test_clocks_stand_still_while_their_part_is_not_served);
    tcase_add_test(divided, test_clocks_stand_still_while_their_part_is_not_served_and_it_fails);
    suite_add_tcase(suite, divided);
    return suite;
}
