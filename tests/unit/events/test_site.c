/* An event in a site of two parts: the desk has it, its people are at home in the other one. */
#include "../hub/site.h"
#include "stage.h"
#include "suites.h"
#include <registry/registry.h>

enum { FAR = 3 };
static int at_desk[FAR]; /* tabs of people of `away` there, where they ask */

static void set_up(void)
{
    site_setup();
    home.env.accounts = away.env.accounts = HUB_ACCOUNTS_OPEN;
    home.config.requests_burst = away.config.requests_burst = 10000;
    site_start();
    ana = stage_called(&home, "Ana", "ana");
    stage_gather(&away, FAR);
    for (unsigned i = 0; i < FAR; i++) {
        int refused;
        at_desk[i] = world_connect_as(&home, site_session(&away, people[i]), "far", &refused);
        ck_assert_int_eq(refused, 0);
    }
    stage_make(&home, ana, stage_rules(&home, "{s:i,s:b}", "rounds", 1, "guests", 1));
    for (unsigned i = 0; i < FAR; i++)
        world_do(&home, at_desk[i], "event_enter", "{s:s}", "event", event_id);
    site_pass(STAGE_START_MS);
}

static void tear_down(void)
{
    site_teardown();
}

START_TEST(test_they_are_told_at_home)
{
    for (unsigned i = 0; i < FAR; i++) {
        json_t *push = world_push(&away, people[i], "seated");
        ck_assert_ptr_nonnull(push);
        ck_assert_str_eq(str(push, "event"), event_id);
        json_decref(push);
    }
}
END_TEST

START_TEST(test_they_play)
{
    for (unsigned i = 0; i < FAR; i++)
        people[i] = at_desk[i];
    stage_come(&home, 0, 0);
    stage_give_up(&home, 0);
    site_pass(1000);
    ck_assert_str_eq(stage_phase(&home), "over");
    stage_proves(&home, ana);
}
END_TEST

Suite *site_suite(void)
{
    Suite *suite = suite_create("site");
    TCase *cases = tcase_create("all");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, test_they_are_told_at_home);
    tcase_add_test(cases, test_they_play);
    suite_add_tcase(suite, cases);
    return suite;
}
