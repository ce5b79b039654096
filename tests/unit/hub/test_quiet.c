/* Quiet accounts and connections: they say nothing, and hear nothing of what others say. */
#include "suites.h"
#include "tables/quiet_table.h"
#include "world.h"

static struct world world;
static int ana, bo;
static char room[CODE_SPACE];

static int person(const char *handle)
{
    const int tab = world_guest(&world, "Somebody");
    world_do(&world, tab, "claim", "{s:s}", "handle", handle);
    return tab;
}

static void watch(int tab)
{
    world_do(&world, tab, "watch", "{s:s}", "room", room);
    (void)world_forget(&world, tab);
}

static void set_up(void)
{
    world_init(&world);
    world.env.accounts = HUB_ACCOUNTS_OPEN;
    world_start(&world);
    ana = person("Ana-1");
    bo = person("bo-1");
    json_t *ok = world_ok(&world, bo, "create", "");
    (void)snprintf(room, sizeof room, "%s", str(ok, "room"));
    json_decref(ok);
    watch(bo);
    watch(ana);
}

static void tear_down(void)
{
    world_release(&world);
}

static void quiet(int tab, bool on)
{
    json_t *ok = world_ok(&world, tab, "quiet", "{s:b}", "on", on);
    const json_t *account = json_object_get(ok, "account");
    ck_assert_str_ne(str(account, "handle"), "");
    ck_assert(json_is_true(json_object_get(account, "quiet")) == on);
    json_decref(ok);
}

static bool hears(int tab)
{
    world_do(&world, bo, "say", "{s:s,s:s}", "room", room, "text", "hi");
    json_t *said = world_push(&world, tab, "said");
    const bool heard = said;
    json_decref(said);
    return heard;
}

static void says_nothing(int tab)
{
    world_refused(&world, tab, "quiet", "say", "{s:s,s:s}", "room", room, "text", "hi");
}

static void says(int tab)
{
    world_do(&world, tab, "say", "{s:s,s:s}", "room", room, "text", "hi");
    json_decref(world_push(&world, tab, "said"));
}

START_TEST(it_neither_says_nor_hears)
{
    says(ana);
    ck_assert(hears(ana));
    quiet(ana, true);
    says_nothing(ana);
    ck_assert(!hears(ana));
    ck_assert(hears(bo)); /* others do */
    quiet(ana, true);     /* once more */
    ck_assert_uint_eq(model_rows(&world.store, &quiet_table), 1);
    quiet(ana, false);
    says(ana);
    ck_assert(hears(ana));
    ck_assert_uint_eq(model_rows(&world.store, &quiet_table), 0);
}
END_TEST

/* On all devices, at once and after a restart. */
START_TEST(it_is_so_on_all_devices)
{
    const int other = world_back(&world, ana);
    watch(other);
    quiet(ana, true);
    json_t *push = world_push(&world, other, "account");
    ck_assert(json_is_true(json_object_get(json_object_get(push, "account"), "quiet")));
    json_decref(push);
    says_nothing(other);
    ck_assert(!hears(other));
    world_restart(&world);
    ana = world_connect(&world);
    json_t *ok = world_ok(&world, ana, "hello", "{s:s}", "token", world.tabs[other].token);
    ck_assert(json_is_true(json_object_get(json_object_get(ok, "account"), "quiet")));
    ck_assert_ptr_null(json_object_get(ok, "quiet"));
    json_decref(ok);
    bo = world_back(&world, bo);
    watch(bo);
    watch(ana);
    says_nothing(ana);
    ck_assert(!hears(ana));
}
END_TEST

/* A child that has the device does not take it back. */
START_TEST(taking_it_back_takes_a_proof)
{
    json_t *ok = world_ok(&world, ana, "phrase", "");
    const int other = world_back(&world, ana);
    quiet(other, true);
    world_refused(&world, other, "proof_needed", "quiet", "{s:b}", "on", 0);
    watch(other);
    says_nothing(other);
    world_do(&world, other, "prove", "{s:s}", "pass", str(ok, "pass"));
    quiet(other, false);
    says(other);
    json_decref(ok);
}
END_TEST

START_TEST(of_an_account_alone)
{
    const int guest = world_guest(&world, "Eve");
    world_refused(&world, guest, "account_needed", "quiet", "{s:b}", "on", 1);
    world_refused(&world, guest, "account_needed", "quiet", "{s:b}", "on", 0);
}
END_TEST

/* What cannot be stored is not so, and there is place for the next one. */
START_TEST(a_store_that_fails)
{
    world.held = true;
    const int64_t id = world_post(&world, ana, "quiet", "{s:b}", "on", 1);
    world_settle(&world);
    world_commit(&world, STORE_FAILED);
    world.held = false;
    world_pass(&world, 60000);
    json_decref(world_reply(&world, ana, id));
    const bool is_so = model_rows(&world.store, &quiet_table) == 1;
    ck_assert(hears(ana) != is_so);
    quiet(ana, true);
    says_nothing(ana);
}
END_TEST

START_TEST(nothing_is_left_of_who_is_erased)
{
    quiet(ana, true);
    world_do(&world, ana, "close_account", "{s:s}", "handle", "Ana-1");
    world_pass(&world, world.config.closing_ms + 120000);
    ck_assert_uint_eq(model_rows(&world.store, &quiet_table), 0);
}
END_TEST

/* By where it has come to: an account or not, and nothing takes it back. */
START_TEST(a_connection_that_is_quiet)
{
    const int guest = world_connect(&world);
    hub_set_quiet(world.hub, world.tabs[guest].link.peer, true);
    json_t *ok = world_ok(&world, guest, "hello", "{s:s}", "name", "Eve");
    ck_assert(json_is_true(json_object_get(ok, "quiet")));
    json_decref(ok);
    watch(guest);
    says_nothing(guest);
    ck_assert(!hears(guest));
    ck_assert(hears(ana));
    hub_set_quiet(world.hub, world.tabs[guest].link.peer, false);
    ck_assert(hears(guest));
}
END_TEST

Suite *quiet_suite(void)
{
    Suite *suite = suite_create("quiet");
    TCase *tests = tcase_create("quiet");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, it_neither_says_nor_hears);
    tcase_add_test(tests, it_is_so_on_all_devices);
    tcase_add_test(tests, taking_it_back_takes_a_proof);
    tcase_add_test(tests, of_an_account_alone);
    tcase_add_test(tests, a_store_that_fails);
    tcase_add_test(tests, nothing_is_left_of_who_is_erased);
    tcase_add_test(tests, a_connection_that_is_quiet);
    suite_add_tcase(suite, tests);
    return suite;
}
