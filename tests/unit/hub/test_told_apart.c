/*
 * Whoever asks about somebody whom they may not know of is told the same as about nobody: the same
 * answer, to the byte, after as many questions to the store.
 */
#include "suites.h"
#include "world.h"
#include <registry/registry.h>
#include <stdlib.h>
#include <string.h>

static struct world world;
static int eve, bo;

/* Nobody has it; somebody had, and is erased; and what looks like that. */
static const char *const handles[] = {"nobody-1", "Ana-1903", "anal9o3"};
enum { HANDLES = sizeof handles / sizeof handles[0] };

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
    world.config.closing_ms = 60000;
    world_start(&world);
    const int ana = called("Ana", handles[1]);
    world_do(&world, ana, "close_account", "{s:s}", "handle", handles[1]);
    world_pass(&world, 180000);
    ck_assert(world.tabs[ana].close_code != 0);
    eve = called("Eve", "Eve-1");
    bo = called("Bo", "Bo-1");
}

static void tear_down(void)
{
    world_release(&world);
}

/* The whole answer, without the number of the request. */
static char *answer_to(int tab, const char *op, const char *handle)
{
    const int64_t id = world_post(&world, tab, op, "{s:s}", "handle", handle);
    world_settle(&world);
    json_t *reply = world_reply(&world, tab, id);
    ck_assert_msg(reply, "%s %s", op, handle);
    json_object_del(reply, "id");
    char *text = json_dumps(reply, JSON_SORT_KEYS | JSON_COMPACT);
    json_decref(reply);
    return text;
}

static void answers_are_the_same(int tab, const char *op, const char *one, const char *other)
{
    char *text = answer_to(tab, op, one), *same = answer_to(tab, op, other);
    ck_assert_msg(strcmp(text, same) == 0, "%s of %s: %s, of %s: %s", op, one, text, other, same);
    free(text);
    free(same);
}

static const char *const about_handles[] = {"profile", "follow", "unfollow", "block",
                                            "unblock", "seek",   "tokens",   "close_account"};
enum { ABOUT_HANDLES = sizeof about_handles / sizeof about_handles[0] };

START_TEST(who_was_erased_is_nobody)
{
    for (size_t at = 1; at < HANDLES; at++)
        answers_are_the_same(eve, about_handles[_i], handles[0], handles[at]);
}
END_TEST

/* A handle that somebody has, had, or that looks like it: it is taken, and no more is said. */
START_TEST(why_a_handle_is_taken)
{
    static const char *const taken[] = {"Ana-1903", "anal9o3", "Bo-1", "bo_1"};
    for (size_t at = 1; at < sizeof taken / sizeof taken[0]; at++)
        answers_are_the_same(eve, "claim", taken[0], taken[at]);
}
END_TEST

/* By whoever is blocked: neither to follow nor to look them up tells it. */
START_TEST(who_has_blocked_somebody)
{
    static const char *const ops[] = {"profile", "unfollow", "unblock", "block"};
    char *before[4];
    for (size_t at = 0; at < 4; at++)
        before[at] = answer_to(eve, ops[at], "Bo-1");
    world_do(&world, eve, "unblock", "{s:s}", "handle", "Bo-1");
    world_do(&world, bo, "block", "{s:s}", "handle", "Eve-1");
    for (size_t at = 0; at < 4; at++) {
        char *after = answer_to(eve, ops[at], "Bo-1");
        ck_assert_msg(strlen(before[at]) == strlen(after), "%s: %s, %s", ops[at], before[at],
                      after);
        free(before[at]);
        free(after);
    }
}
END_TEST

/* What never was one, and what was ended. */
START_TEST(a_token_that_opens_nothing)
{
    char tokens[2][TOKEN_SPACE], *answers[2];
    world.host++;
    const int fay = world_guest(&world, "Fay");
    for (int at = 0; at < 2; at++)
        memcpy(tokens[at], world.tabs[fay].token, sizeof tokens[at]);
    tokens[0][0] = tokens[0][0] == 'A' ? 'B' : 'A';
    world_do(&world, fay, "forget", "{s:s}", "device", "00000000");
    for (int at = 0; at < 2; at++) {
        const int tab = world_connect(&world);
        const int64_t id = world_post(&world, tab, "hello", "{s:s}", "token", tokens[at]);
        world_settle(&world);
        json_t *reply = world_reply(&world, tab, id);
        ck_assert(reply);
        json_object_del(reply, "id");
        answers[at] = json_dumps(reply, JSON_SORT_KEYS);
        json_decref(reply);
    }
    ck_assert_str_eq(answers[0], answers[1]);
    free(answers[0]);
    free(answers[1]);
}
END_TEST

Suite *told_apart_suite(void)
{
    Suite *suite = suite_create("who is told apart");
    TCase *tests = tcase_create("who is told apart");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, who_was_erased_is_nobody, 0, ABOUT_HANDLES);
    tcase_add_test(tests, why_a_handle_is_taken);
    tcase_add_test(tests, who_has_blocked_somebody);
    tcase_add_test(tests, a_token_that_opens_nothing);
    suite_add_tcase(suite, tests);
    return suite;
}
