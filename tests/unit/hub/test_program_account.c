/* Accounts of programs: who is told of their tokens, and what they are called. */
#include "../../support/model_rows.h"
#include "operator.h"
#include "suites.h"
#include "world.h"
#include <string.h>

#define NEW_TOKEN "{s:s,s:s,s:i}", "name", "x", "scope", "play", "days", 3

static struct world world;
static int ana, bo;

static void set_up(void)
{
    world_init(&world);
    world.env.accounts = HUB_ACCOUNTS_OPEN;
    operator_init(&world);
    world_start(&world);
    ana = world_guest(&world, "Ana");
    bo = world_guest(&world, "Bo");
    world_do(&world, ana, "claim", "{s:s}", "handle", "Ana-1903");
    world_do(&world, bo, "claim", "{s:s}", "handle", "bo-1904");
}

static void tear_down(void)
{
    world_release(&world);
}

static void make_bot(const char *handle)
{
    world_do(&world, ana, "bot_account", "{s:s}", "handle", handle);
}

static json_t *bot_token(void)
{
    return world_ok(&world, ana, "token_add", "{s:s,s:s,s:i,s:s}", "name", "x", "scope", "play",
                    "days", 3, "handle", "ana-bot");
}

/* Somebody who has one device for a moment leaves nothing behind unseen. */
START_TEST(test_a_new_token_is_told)
{
    const int other = world_back(&world, ana);
    const int tabs[] = {ana, other, bo};
    make_bot("ana-bot");
    for (size_t at = 0; at < 3; at++)
        world_forget(&world, tabs[at]);
    if (_i == 0)
        world_do(&world, ana, "token_add", NEW_TOKEN);
    else
        json_decref(bot_token());
    for (size_t at = 0; at < 3; at++) {
        json_t *push = world_push(&world, tabs[at], "notice");
        ck_assert_str_eq(str(push, "code"), tabs[at] == bo ? "" : "announcement");
        json_decref(push);
    }
    const int64_t id = world_post(&world, ana, "token_add", NEW_TOKEN);
    world.answer = STORE_FULL;
    world_settle(&world);
    world.answer = STORE_OK;
    world_denied(&world, ana, id, "store_failing");
    ck_assert_ptr_null(world_push(&world, other, "notice"));
}
END_TEST

static size_t count_burnt(void)
{
    size_t count = 0;
    for (size_t at = 0; at < world.store.row_count; at++)
        count += strcmp(world.store.rows[at].table->name, "burnt") == 0;
    return count;
}

/* To everybody's eyes it is the same handle; whoever has it keeps it. */
START_TEST(test_what_a_living_account_is_called)
{
    const int chi = world_guest(&world, "Chi");
    world_do(&world, chi, "claim", "{s:s}", "handle", "anabot");
    world_refused(&world, ana, "handle_taken", "bot_account", "{s:s}", "handle", "ana-bot");
    ck_assert_uint_eq(count_burnt(), 0);
    world_do(&world, chi, "claim", "{s:s}", "handle", "AnaBot");
    make_bot("ana-2-bot");
    ck_assert_uint_eq(count_burnt(), 1);
}
END_TEST

/* Its name is its handle, now and after a restart. */
START_TEST(test_it_has_another_name_then)
{
    make_bot("ana-bot");
    json_t *made = bot_token();
    json_decref(
        operator_granted("{\"id\":1,\"op\":\"rename\",\"handle\":\"ana-bot\",\"to\":\"b-bot\"}"));
    for (int start = 0; start < 2; start++) {
        json_t *ok =
            world_ok(&world, world_connect(&world), "hello", "{s:s}", "token", str(made, "token"));
        ck_assert_str_eq(str(ok, "name"), "b-bot");
        json_decref(ok);
        world_restart(&world);
    }
    json_decref(made);
}
END_TEST

Suite *program_account_suite(void)
{
    Suite *suite = suite_create("program account");
    TCase *tests = tcase_create("program account");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, test_a_new_token_is_told, 0, 2);
    tcase_add_test(tests, test_what_a_living_account_is_called);
    tcase_add_test(tests, test_it_has_another_name_then);
    suite_add_tcase(suite, tests);
    return suite;
}
