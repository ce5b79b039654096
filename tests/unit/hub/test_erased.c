/* The letter of an account that is erased: what it waits for, and what it does without memory. */
#include "../../support/failing_alloc.h"
#include "accounts/erased.h"
#include "suites.h"
#include "world.h"
#include <hub/kernel.h>
#include <hub/kernel_others.h>
#include <hub/store_tables.h>
#include <registry/registry.h>
#include <stdlib.h>
#include <string.h>

static struct world world;
static int ana, bo, chi;

static int called(const char *name, const char *handle)
{
    world.host++; /* each from an address of their own */
    const int tab = world_guest(&world, name);
    world_do(&world, tab, "claim", "{s:s}", "handle", handle);
    return tab;
}

static void set_up(void)
{
    world_init(&world);
    world.env.accounts = HUB_ACCOUNTS_OPEN;
    world.env.features = registry;
    world_start(&world);
    ana = called("Ana", "ana");
    bo = called("Bo", "Bo-1");
    chi = world_guest(&world, "Chi");
}

static void tear_down(void)
{
    world_release(&world);
}

static uint64_t bos_session(void)
{
    return (uint64_t)strtoull(world.tabs[bo].session, NULL, 16);
}

static void follow_bo(void)
{
    world_do(&world, ana, "follow", "{s:s}", "handle", "Bo-1");
    world_do(&world, ana, "block", "{s:s}", "handle", "Bo-1");
}

static bool has_more(uint64_t id)
{
    bool more = false;
    ck_assert_uint_eq(kernel_forget(world.hub, id, 0, &more), 0);
    return more;
}

/* What is on its way to the store is waited for if it names whoever is erased, and nothing else. */
static const struct on_its_way {
    const char *op, *handle;
    bool is_named;
} on_its_way[] = {
    {"follow", "Bo-1", true},  {"follow", "dee", false}, {"unfollow", "eve", false},
    {"block", "Bo-1", true},   {"block", "dee", false},  {"unblock", "eve", false},
    {"presence", NULL, false},
};
enum { ON_ITS_WAY = sizeof on_its_way / sizeof on_its_way[0] };

static int64_t send_change(const struct on_its_way *change)
{
    if (!change->handle)
        return world_post(&world, ana, change->op, "{s:b}", "hidden", true);
    return world_post(&world, ana, change->op, "{s:s}", "handle", change->handle);
}

START_TEST(test_what_is_on_its_way)
{
    const struct on_its_way *change = &on_its_way[_i / 2];
    const bool fails = _i % 2;
    const uint64_t id = bos_session();
    called("Dee", "dee");
    called("Eve", "eve");
    world_do(&world, ana, "follow", "{s:s}", "handle", "eve");
    world_do(&world, ana, "block", "{s:s}", "handle", "eve");
    world.held = true;
    const int64_t asked = send_change(change);
    world_settle(&world);
    ck_assert(has_more(id) == change->is_named);
    world_commit(&world, fails ? STORE_FULL : STORE_OK);
    world.held = false;
    world_settle(&world);
    ck_assert(has_more(id) == (change->is_named && !fails));
    if (fails)
        world_denied(&world, ana, asked, "store_failing");
    else
        world_granted(&world, ana, asked);
}
END_TEST

/* Each feature that forgets has a place for its change, beside that of the letter. */
START_TEST(test_a_place_for_each_change)
{
    enum { ROUNDS = 20 };
    const uint64_t id = bos_session();
    int tabs[ROUNDS];
    follow_bo();
    for (int at = 0; at < ROUNDS; at++) {
        world.host++;
        tabs[at] = world_guest(&world, "Eve");
    }
    world.held = true;
    for (int at = 0; at < ROUNDS; at++) {
        bool more = false;
        (void)world_post(&world, tabs[at], "rename", "{s:s}", "name", "Fay");
        world_settle(&world);
        ck_assert_int_eq(kernel_reserve(world.hub, ERASED_OPS, 0), 0);
        ck_assert_uint_eq(kernel_forget(world.hub, id, ERASED_ROWS, &more), 2);
        ck_assert(!more);
    }
    world.held = false;
    world_settle(&world);
    ck_assert(world_figure(&world, "follows") == 0 && !has_more(id));
}
END_TEST

/* A letter about an account, to a site of so many parts. */
static enum letter_fate apply_about(const char *session, const char *parts)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%s %s", session, parts);
    const struct store_letter letter = {.text = text, .text_len = (uint16_t)strlen(text)};
    return erased_apply(world.hub, &letter);
}

/* However many letters come at once. */
START_TEST(test_one_letter_in_a_turn_looks_at_all)
{
    const char *session = world.tabs[chi].session;
    ck_assert_int_eq(apply_about(session, "01"), LETTER_APPLIED);
    ck_assert_int_eq(apply_about(session, "01"), LETTER_LATER);
    world_pass(&world, 1000);
    world_do(&world, ana, "ping", "");
    ck_assert_int_eq(apply_about(session, "01"), LETTER_APPLIED);
}
END_TEST

/* Without memory the letter stays, and nothing is in the batch that would go without it. */
START_TEST(test_a_letter_without_memory)
{
    enum letter_fate fate = LETTER_LATER;
    uint64_t nth = 0;
    follow_bo();
    while (fate == LETTER_LATER) {
        world_restart(&world); /* to a batch without spare memory */
        world_settle(&world);
        ck_assert_int_eq(kernel_reserve(world.hub, ERASED_OPS + 1, 64), 0);
        const size_t before = hub_batch_ops(world.hub);
        failing_alloc_arm(++nth, true);
        failing_alloc_enter();
        fate = apply_about(world.tabs[bo].session, "01");
        failing_alloc_leave();
        (void)failing_alloc_disarm(NULL);
        ck_assert(fate == LETTER_APPLIED || hub_batch_ops(world.hub) == before);
    }
    ck_assert_uint_gt(nth, 1);
    world_pass(&world, 60000);
    ck_assert(world_figure(&world, "follows") == 0);
    ck_assert_uint_eq(model_rows(&world.store, &store_letter_table), 0);
}
END_TEST

/* Of what is no letter nothing follows. */
START_TEST(test_a_letter_about_somebody)
{
    static const char *const texts[] = {
        "",
        "0123456789abcdef",
        "0123456789abcdef 1",
        "0123456789abcdex 01",
        "0123456789abcdef_01",
        "0123456789abcdef 0x",
    };
    const struct store_letter letter = {.text = texts[_i], .text_len = (uint16_t)strlen(texts[_i])};
    ck_assert_int_eq(erased_apply(world.hub, &letter), LETTER_REFUSED);
}
END_TEST

Suite *erased_suite(void)
{
    Suite *suite = suite_create("somebody is erased");
    TCase *tests = tcase_create("erased");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, test_what_is_on_its_way, 0, 2 * ON_ITS_WAY);
    tcase_add_test(tests, test_a_place_for_each_change);
    tcase_add_test(tests, test_one_letter_in_a_turn_looks_at_all);
    tcase_add_test(tests, test_a_letter_without_memory);
    tcase_add_loop_test(tests, test_a_letter_about_somebody, 0, 6);
    suite_add_tcase(suite, tests);
    return suite;
}
