/* Evenings: rounds, rooms, results, who is missing, what is decided, and a restart anywhere. */
#include "rows.h"
#include "stage.h"
#include "suites.h"
#include <stdlib.h>
#include <string.h>

/* How many tables of the last round have a result. */
static unsigned count_over(void)
{
    json_t *ok = stage_look(&world, ana);
    const json_t *tables = json_object_get(ok, "tables");
    unsigned over = 0;
    for (size_t i = 0; i < json_array_size(tables); i++)
        over += json_object_get(json_array_get(tables, i), "places") != NULL;
    json_decref(ok);
    return over;
}

static void has_places(unsigned table, const char *expected)
{
    json_t *ok = stage_look(&world, ana);
    const json_t *found = json_array_get(json_object_get(ok, "tables"), table);
    char *places = json_dumps(json_object_get(found, "places"), JSON_COMPACT);
    ck_assert_ptr_nonnull(places);
    ck_assert_str_eq(places, expected);
    free(places);
    json_decref(ok);
}

static void is_in_round(int round)
{
    json_t *ok = stage_look(&world, ana);
    ck_assert_int_eq(num(ok, "round"), round);
    json_decref(ok);
}

/* ---- an evening, step by step */

static void step_make(void)
{
    stage_make(&world, ana, stage_rules(&world, "{s:i,s:i}", "rounds", 2, "break_s", 60));
}

static void step_enter(void)
{
    for (unsigned i = 0; i < 6; i++)
        world_do(&world, people[i], "event_enter", "{s:s}", "event", event_id);
}

static void step_start(void)
{
    world_pass(&world, STAGE_START_MS);
    world_settle(&world);
}

static void step_come(void)
{
    stage_come(&world, 0, 0);
    stage_come(&world, 1, 0);
}

static void step_give_up(void)
{
    stage_give_up(&world, 0);
    ck_assert_uint_eq(count_over(), 1);
    has_places(0, "[1,2,3]");
    stage_give_up(&world, 1);
    ck_assert_uint_eq(count_over(), 2);
}

static void step_break(void)
{
    world_pass(&world, 60000);
    world_settle(&world);
    is_in_round(2);
}

static void step_end(void)
{
    ck_assert_str_eq(stage_phase(&world), "over");
}

static void (*const steps[])(void) = {step_make,  step_enter, step_start,   step_come, step_give_up,
                                      step_break, step_come,  step_give_up, step_end};
enum { STEPS = sizeof steps / sizeof steps[0] };

START_TEST(test_an_evening)
{
    for (unsigned step = 0; step < STEPS; step++) {
        steps[step]();
        if (step == (unsigned)_i || _i == STEPS)
            stage_restart();
    }
    json_t *ok = stage_look(&world, people[0]);
    const json_t *entrants = json_object_get(ok, "entrants");
    json_int_t points = 0;
    for (size_t i = 0; i < json_array_size(entrants); i++)
        points += num(json_array_get(entrants, i), "points");
    ck_assert_int_eq(points, 4 * 60); /* each result has counted once */
    json_decref(ok);
    stage_proves(&world, ana);
    ck_assert(world_figure(&world, "events_past") == 1);
    ck_assert_uint_eq(model_rows(&world.store, &event_room_table), 0);
}
END_TEST

static unsigned count_rooms(void)
{
    json_t *ok = world_ok(&world, ana, "rooms", "");
    const unsigned count = (unsigned)json_array_size(json_object_get(ok, "rooms"));
    json_decref(ok);
    return count;
}

/* However long the store takes, and however often the clock is looked at meanwhile. */
START_TEST(test_a_table_has_one_room)
{
    step_make();
    step_enter();
    world_pass(&world, STAGE_START_MS - 1);
    world.held = true;
    for (unsigned batch = 0; batch < 4; batch++) {
        world_pass(&world, 5000);
        if (world.out)
            world_commit(&world, STORE_OK);
    }
    world.held = false;
    world_pass(&world, 5000);
    ck_assert_uint_eq(count_rooms(), 2);
    ck_assert_uint_eq(model_rows(&world.store, &event_room_table), 2);
}
END_TEST

START_TEST(test_they_are_told)
{
    step_make();
    stage_begin(6);
    for (unsigned i = 0; i < 6; i++) {
        json_t *push = world_push(&world, people[i], "seated");
        ck_assert_ptr_nonnull(push);
        ck_assert_str_eq(str(push, "event"), event_id);
        ck_assert_int_eq(num(push, "round"), 1);
        world_do(&world, people[i], "join", "{s:s}", "room", str(push, "room"));
        json_decref(push);
    }
}
END_TEST

/* ---- who is missing */

START_TEST(test_who_is_missing)
{
    step_make();
    stage_begin(6);
    stage_come(&world, 0, 1);
    world_pass(&world, 300000);
    world_settle(&world);
    has_places(0, "[1,1,0]");
    has_places(1, "[0,0,0]");
    ck_assert_uint_eq(count_over(), 2);
}
END_TEST

START_TEST(test_too_few)
{
    step_make();
    stage_begin(2);
    ck_assert_str_eq(stage_phase(&world), "off");
    stage_proves(&world, ana);
}
END_TEST

/* Whoever does nothing at all ends it as well. */
START_TEST(test_nobody_comes)
{
    step_make();
    stage_begin(6);
    for (unsigned i = 0; i < 4; i++)
        world_pass(&world, 3600000);
    ck_assert_str_eq(stage_phase(&world), "over");
    stage_proves(&world, ana);
}
END_TEST

/* ---- what is decided */

static void act(int tab, const char *code, const char *text)
{
    json_t *act = json_loads(text, 0, NULL);
    ck_assert_ptr_nonnull(act);
    if (code)
        world_refused(&world, tab, code, "event_act", "{s:s,s:o,s:s}", "event", event_id, "act",
                      act, "text", "I saw it");
    else
        world_do(&world, tab, "event_act", "{s:s,s:o,s:s}", "event", event_id, "act", act, "text",
                 "I saw it");
}

START_TEST(test_what_is_decided)
{
    step_make();
    act(ana, "event_not_now", "{\"what\":\"judge\",\"round\":1,\"table\":1,\"places\":[1,2,3]}");
    stage_begin(6);
    act(people[0], "not_director", "{\"what\":\"off\"}");
    act(ana, "bad_field", "{\"what\":\"win\"}");
    act(ana, "bad_field", "{\"what\":\"judge\",\"round\":1,\"table\":3,\"places\":[1,2,3]}");
    act(ana, "bad_field", "{\"what\":\"judge\",\"round\":1,\"table\":1,\"places\":[1,1,2]}");
    act(ana, "bad_field", "{\"what\":\"off\",\"secret\":\"00\"}");
    act(ana, NULL, "{\"what\":\"judge\",\"round\":1,\"table\":1,\"places\":[2,1,0]}");
    has_places(0, "[2,1,0]");
    stage_come(&world, 1, 0);
    act(ana, NULL, "{\"what\":\"judge\",\"round\":1,\"table\":2,\"places\":[3,1,2]}");
    stage_give_up(&world, 1); /* what the match comes to counts for nothing now */
    has_places(1, "[3,1,2]");
    act(ana, NULL, "{\"what\":\"pair\",\"tables\":[[6,5,4],[3,2,1]]}");
    is_in_round(2);
    act(ana, NULL, "{\"what\":\"remove\",\"entrant\":6}");
    act(ana, NULL, "{\"what\":\"off\"}");
    ck_assert_str_eq(stage_phase(&world), "off");
    act(ana, "event_not_now", "{\"what\":\"off\"}");
    stage_proves(&world, ana);
}
END_TEST

/* Of a round that could not be stored nothing is left, and it is paired again. */
START_TEST(test_the_store_fails)
{
    step_make();
    step_enter();
    world.held = true;
    world_pass(&world, STAGE_START_MS);
    world_commit(&world, STORE_FULL);
    world.held = false;
    world_pass(&world, 60000);
    step_come();
    step_give_up();
    world_pass(&world, 60000);
    is_in_round(2);
}
END_TEST

Suite *evening_suite(void)
{
    Suite *suite = suite_create("evening");
    TCase *cases = tcase_create("all");
    tcase_add_checked_fixture(cases, stage_set_up, stage_tear_down);
    tcase_add_loop_test(cases, test_an_evening, 0, STEPS + 1);
    tcase_add_test(cases, test_a_table_has_one_room);
    tcase_add_test(cases, test_they_are_told);
    tcase_add_test(cases, test_who_is_missing);
    tcase_add_test(cases, test_too_few);
    tcase_add_test(cases, test_nobody_comes);
    tcase_add_test(cases, test_what_is_decided);
    tcase_add_test(cases, test_the_store_fails);
    suite_add_tcase(suite, cases);
    return suite;
}
