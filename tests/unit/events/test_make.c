/* Who makes an event, by which rules, and how many there may be; who enters and looks on. */
#include "rows.h"
#include "stage.h"
#include "suites.h"
#include "waiting.h"
#include <string.h>

static void cannot_make(int tab, const char *code, json_t *rules)
{
    world_refused(&world, tab, code, "event_make", "{s:s,s:o}", "title", "Friday", "rules", rules);
}

START_TEST(test_one_is_made)
{
    stage_make(&world, ana,
               stage_rules(&world, "{s:s,s:i,s:b}", "points", "places", "least", 6, "guests", 1));
    json_t *ok = world_ok(&world, people[0], "events", "");
    const json_t *listed = json_array_get(json_object_get(ok, "events"), 0);
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "events")), 1);
    ck_assert_str_eq(str(listed, "event"), event_id);
    ck_assert_str_eq(str(listed, "title"), "Friday");
    ck_assert_str_eq(str(listed, "phase"), "open");
    ck_assert_str_eq(str(json_object_get(listed, "director"), "handle"), "ana");
    json_decref(ok);
    ok = stage_look(&world, ana);
    ck_assert(json_is_true(json_object_get(ok, "yours")));
    ck_assert_int_eq(num(json_object_get(ok, "rules"), "least"), 6);
    ck_assert_int_eq(num(ok, "n"), 1);
    json_decref(ok);
    world_refused(&world, ana, "unknown_event", "event", "{s:s}", "event", "00000000");
}
END_TEST

START_TEST(test_rules_are_read)
{
    static const char *const wrong[] = {"{\"form\":\"swiss\"}",
                                        "{\"rounds\":0}",
                                        "{\"rounds\":17}",
                                        "{\"rounds\":-1}",
                                        "{\"least\":2}",
                                        "{\"most\":513}",
                                        "{\"final\":1}",
                                        "{\"game\":\"chess\"}",
                                        "{\"options\":{\"players\":7,\"x\":1}}",
                                        "{\"clock\":{\"kind\":\"sand\"}}",
                                        "{\"wait_s\":0}",
                                        "{\"round_s\":0}",
                                        "{\"stat\":1}",
                                        "{\"start\":1}"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        json_t *rules = stage_rules(&world, "");
        json_t *change = json_loads(wrong[i], 0, NULL);
        json_object_update(rules, change);
        json_decref(change);
        cannot_make(ana, "bad_field", rules);
    }
    cannot_make(ana, "bad_field", json_object());
    world.host++;
    cannot_make(world_guest(&world, "Gil"), "account_needed", stage_rules(&world, ""));
}
END_TEST

START_TEST(test_so_many)
{
    for (int64_t i = 0; i < world.config.events_per_account; i++)
        stage_make(&world, ana, stage_rules(&world, ""));
    cannot_make(ana, "too_many_events", stage_rules(&world, ""));
    world.config.events = world.config.events_per_account + 1;
    stage_restart();
    cannot_make(ana, "too_many_events", stage_rules(&world, ""));
    stage_make(&world, people[0], stage_rules(&world, ""));
    cannot_make(people[1], "too_many_events", stage_rules(&world, ""));
}
END_TEST

START_TEST(test_who_enters)
{
    world.host++;
    const int gil = world_guest(&world, "Gil");
    stage_make(&world, ana, stage_rules(&world, "{s:i}", "most", 3));
    world_refused(&world, gil, "account_needed", "event_enter", "{s:s}", "event", event_id);
    for (int i = 0; i < 3; i++)
        world_do(&world, people[i], "event_enter", "{s:s}", "event", event_id);
    world_do(&world, people[0], "event_enter", "{s:s}", "event", event_id); /* is in it */
    world_refused(&world, people[3], "event_full", "event_enter", "{s:s}", "event", event_id);
    world_refused(&world, people[3], "not_entered", "event_leave", "{s:s}", "event", event_id);
    world_refused(&world, people[0], "event_not_now", "event_here", "{s:s}", "event", event_id);
    world_do(&world, people[1], "event_leave", "{s:s}", "event", event_id);
    world_do(&world, people[1], "event_enter", "{s:s}", "event", event_id);
    json_t *ok = stage_look(&world, people[1]);
    ck_assert_int_eq(num(ok, "you"), 2);
    ck_assert_int_eq(num(ok, "in"), 3);
    ck_assert_int_eq(num(ok, "n"), 6);
    ck_assert_str_eq(str(json_array_get(json_object_get(ok, "entrants"), 1), "handle"), "player-2");
    json_decref(ok);
    stage_make(&world, ana, stage_rules(&world, "{s:b}", "guests", 1));
    world_do(&world, gil, "event_enter", "{s:s}", "event", event_id);
}
END_TEST

START_TEST(test_who_waits)
{
    stage_make(&world, ana, stage_rules(&world, ""));
    json_t *ok = stage_look(&world, people[1]);
    const json_int_t have = num(ok, "have");
    json_decref(ok);
    const int64_t id =
        world_post(&world, people[1], "event", "{s:s,s:I}", "event", event_id, "have", have);
    world_settle(&world);
    ck_assert_ptr_null(world_reply(&world, people[1], id));
    world_do(&world, people[0], "event_enter", "{s:s}", "event", event_id);
    world_pass(&world, EVENT_TELL_MS);
    json_t *reply = world_reply(&world, people[1], id);
    ck_assert_ptr_nonnull(reply);
    ck_assert_int_gt(num(json_object_get(reply, "ok"), "have"), have);
    const int64_t other = world_post(&world, people[1], "event", "{s:s,s:I}", "event", event_id,
                                     "have", num(json_object_get(reply, "ok"), "have"));
    json_decref(reply);
    world_pass(&world, EVENT_HOLD_MS - 1);
    ck_assert_ptr_null(world_reply(&world, people[1], other));
    world_pass(&world, 1);
    world_granted(&world, people[1], other);
}
END_TEST

/* What the store does not take was never there. */
START_TEST(test_the_store_fails)
{
    stage_make(&world, ana, stage_rules(&world, ""));
    world.held = true;
    const int64_t one = world_post(&world, people[0], "event_enter", "{s:s}", "event", event_id);
    const int64_t other = world_post(&world, people[1], "event_enter", "{s:s}", "event", event_id);
    world_settle(&world);
    world.held = false;
    world_commit(&world, STORE_FULL);
    world_settle(&world);
    world_denied(&world, people[0], one, "store_failing");
    world_denied(&world, people[1], other, "store_failing");
    world_pass(&world, 60000);
    json_t *ok = stage_look(&world, ana);
    ck_assert_int_eq(num(ok, "in"), 0);
    json_decref(ok);
}
END_TEST

START_TEST(test_it_is_not_made)
{
    world.held = true;
    const int64_t id = world_post(&world, ana, "event_make", "{s:s,s:o}", "title", "Friday",
                                  "rules", stage_rules(&world, ""));
    world_settle(&world);
    world.held = false;
    world_commit(&world, STORE_FULL);
    world_settle(&world);
    world_denied(&world, ana, id, "store_failing");
    json_t *ok = world_ok(&world, ana, "events", "");
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "events")), 0);
    json_decref(ok);
    ck_assert(world_figure(&world, "events") == 0); /* nor does it take a place */
}
END_TEST

START_TEST(test_old_ones_go)
{
    world.config.events_kept = 1;
    stage_restart();
    for (int i = 0; i < 3; i++) {
        stage_make(&world, ana, stage_rules(&world, ""));
        world_do(&world, ana, "event_act", "{s:s,s:{s:s},s:s}", "event", event_id, "act", "what",
                 "off", "text", "no light");
    }
    world_pass(&world, 10000);
    json_t *ok = world_ok(&world, ana, "events", "");
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "events")), 1);
    json_decref(ok);
    stage_proves(&world, ana);
    ck_assert_uint_eq(model_rows(&world.store, &event_table), 1);
    ck_assert_uint_eq(model_rows(&world.store, &event_entry_table), 2);
    ck_assert_uint_eq(model_rows(&world.store, &event_entrant_table), 1);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("make");
    TCase *cases = tcase_create("all");
    tcase_add_checked_fixture(cases, stage_set_up, stage_tear_down);
    tcase_add_test(cases, test_one_is_made);
    tcase_add_test(cases, test_rules_are_read);
    tcase_add_test(cases, test_so_many);
    tcase_add_test(cases, test_who_enters);
    tcase_add_test(cases, test_who_waits);
    tcase_add_test(cases, test_the_store_fails);
    tcase_add_test(cases, test_it_is_not_made);
    tcase_add_test(cases, test_old_ones_go);
    suite_add_tcase(suite, cases);
    return suite;
}
