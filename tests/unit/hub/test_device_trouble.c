/* A session on several devices: the store fails, or one device is in wrong hands. */
#include "devices.h"
#include "suites.h"

/* ---- the store fails */

static void store_fails(void)
{
    device_world.answer = STORE_FAILED;
    world_settle(&device_world);
    device_world.answer = STORE_OK;
}

static void store_recovers(void)
{
    world_pass(&device_world, 60000);
}

START_TEST(test_a_link_that_could_not_be_used_is_still_good)
{
    char pass[PASS_SPACE];
    int ana = world_guest(&device_world, "Ana"), phone = world_connect(&device_world);
    device_make(ana, "link", pass);
    int64_t id = world_post(&device_world, phone, "hello", "{s:s}", "pass", pass);
    store_fails();
    world_denied(&device_world, phone, id, "store_failing");
    store_recovers();
    phone = device_enter(pass, "a");
    device_expect_list(phone, "||a*");
    ck_assert_uint_eq(model_rows(&device_world.store, &credential_table), 2);
}
END_TEST

/* The connection is nobody's again, and may say hello. */
START_TEST(test_hello_again_after_a_failure)
{
    char pass[PASS_SPACE];
    int ana = world_guest(&device_world, "Ana"), phone = world_connect(&device_world);
    device_make(ana, "link", pass);
    int64_t id = world_post(&device_world, phone, "hello", "{s:s}", "pass", pass);
    store_fails();
    world_denied(&device_world, phone, id, "store_failing");
    world_refused(&device_world, phone, "hello_first", "ping", "");
    world_pass(&device_world, 2000);
    world_do(&device_world, phone, "hello", "{s:s}", "pass", pass);
}
END_TEST

START_TEST(test_what_could_not_be_ended_goes_on)
{
    char device[DEVICE_SPACE];
    int ana = world_guest(&device_world, "Ana");
    int phone = device_by_link(ana, "Phone");
    device_number(ana, 1, device);
    int64_t id = world_post(&device_world, ana, "forget", "{s:s}", "device", device);
    store_fails();
    world_denied(&device_world, ana, id, "store_failing");
    store_recovers();
    device_expect_list(phone, "||Phone*");
    id = world_post(&device_world, ana, "rename", "{s:s,s:s}", "name", "New", "device", device);
    store_fails();
    world_denied(&device_world, ana, id, "store_failing");
    store_recovers();
    device_expect_list(phone, "||Phone*");
    world_cut(&device_world, phone);
    world_back(&device_world, phone);
}
END_TEST

/* A client that is told that its token is not known forgets it. */
START_TEST(test_a_device_is_not_gone_before_it_is_durable)
{
    char device[DEVICE_SPACE];
    int ana = world_guest(&device_world, "Ana");
    int phone = device_by_link(ana, "Phone"), tab = world_connect(&device_world);
    device_number(ana, 1, device);
    device_world.held = true;
    int64_t id = world_post(&device_world, ana, "forget", "{s:s}", "device", device);
    int64_t hello =
        world_post(&device_world, tab, "hello", "{s:s}", "token", device_world.tabs[phone].token);
    world_settle(&device_world);
    world_denied(&device_world, tab, hello, "slow_down");
    device_world.held = false;
    store_fails();
    world_denied(&device_world, ana, id, "store_failing");
    store_recovers();
    world_back(&device_world, phone);
    device_expect_list(phone, "||Phone*");
}
END_TEST

/* ---- places for connections */

START_TEST(test_one_device_cannot_keep_the_others_out)
{
    char pass[PASS_SPACE];
    int ana = world_guest(&device_world, "Ana");
    device_make(ana, "phrase", pass);
    const struct tab home = device_tab(ana);
    int thief = device_by_link(ana, "Thief"), last = thief;
    world_cut(&device_world, ana);
    for (int more = 1; more < device_world.config.connections_per_session; more++)
        last = world_back(&device_world, thief);
    int tab = world_connect(&device_world);
    world_refused(&device_world, tab, "too_many_connections", "hello", "{s:s}", "token",
                  device_world.tabs[thief].token);
    world_do(&device_world, tab, "hello", "{s:s}", "token", home.token);
    ck_assert_int_eq(device_world.tabs[last].close_code, 1013);
    ck_assert_int_eq(device_world.tabs[thief].close_code, 0);
    int fresh = device_enter(pass, "new"); /* another new one */
    device_forget(fresh, 1);
    ck_assert_int_eq(device_world.tabs[thief].close_code, 4006);
    device_expect_list(fresh, "||new*");
}
END_TEST

/* Each device has one connection: then nobody makes room. */
START_TEST(test_no_device_loses_its_last_connection)
{
    char pass[PASS_SPACE];
    device_world.config.connections_per_session = 2;
    world_start(&device_world);
    int ana = world_guest(&device_world, "Ana");
    device_make(ana, "phrase", pass);
    int phone = device_enter(pass, "Phone");
    device_refused(pass, "too_many_connections");
    device_expect_list(phone, "||Phone*");
    device_expect_list(ana, "|*|Phone");
}
END_TEST

Suite *device_trouble_suite(void)
{
    Suite *suite = suite_create("devices in trouble");
    TCase *tests = tcase_create("devices in trouble");
    tcase_add_checked_fixture(tests, device_setup, device_teardown);
    tcase_add_test(tests, test_a_link_that_could_not_be_used_is_still_good);
    tcase_add_test(tests, test_hello_again_after_a_failure);
    tcase_add_test(tests, test_what_could_not_be_ended_goes_on);
    tcase_add_test(tests, test_a_device_is_not_gone_before_it_is_durable);
    tcase_add_test(tests, test_one_device_cannot_keep_the_others_out);
    tcase_add_test(tests, test_no_device_loses_its_last_connection);
    suite_add_tcase(suite, tests);
    return suite;
}
