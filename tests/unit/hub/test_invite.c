/* Invitations: where they are needed, one person gets a handle with one, once and in time. */
#include "operator.h"
#include "suites.h"
#include "world.h"
#include <features/feature.h>
#include <people/people.h>
#include <string.h>

enum { DAY_MS = 24 * 3600 * 1000, CODE_BYTES = 32 };

static struct world world;
static int ana, bo;

static void begin(enum hub_accounts accounts)
{
    world_init(&world);
    world.env.accounts = accounts;
    world.config.claims_per_address_per_day = 1000;
    operator_init(&world);
    world_start(&world);
    ana = world_guest(&world, "Ana");
    bo = world_guest(&world, "Bo");
}

static void set_up(void)
{
    begin(HUB_ACCOUNTS_INVITE);
}

static void tear_down(void)
{
    world_release(&world);
}

static void keep(json_t *ok, char code[static CODE_BYTES])
{
    ck_assert_uint_eq(strlen(str(ok, "invite")), 28);
    (void)snprintf(code, CODE_BYTES, "%s", str(ok, "invite"));
    json_decref(ok);
}

static void by_operator(char code[static CODE_BYTES])
{
    keep(operator_granted("{\"id\":1,\"op\":\"invite\",\"for_s\":86400}"), code);
    world_settle(&world);
}

static void redeem(int tab, const char *code)
{
    world_do(&world, tab, "redeem", "{s:s}", "invite", code);
}

static void not_good(int tab, const char *code)
{
    world_refused(&world, tab, "invite_invalid", "redeem", "{s:s}", "invite", code);
}

static void claim(int tab, const char *handle)
{
    world_do(&world, tab, "claim", "{s:s}", "handle", handle);
}

/* Idle connections are closed meanwhile. */
static void wait_for(int64_t ms)
{
    char token[TOKEN_SPACE];
    memcpy(token, world.tabs[ana].token, sizeof token);
    world_pass(&world, ms);
    ana = world_connect(&world);
    world_do(&world, ana, "hello", "{s:s}", "token", token);
    memcpy(world.tabs[ana].token, token, sizeof token);
    bo = world_guest(&world, "Bo");
}

static void member(int tab, const char *handle)
{
    char code[CODE_BYTES];
    by_operator(code);
    redeem(tab, code);
    claim(tab, handle);
}

static bool is_invited(int tab)
{
    const int again = world_connect(&world);
    json_t *ok = world_ok(&world, again, "hello", "{s:s}", "token", world.tabs[tab].token);
    const json_t *site = json_object_get(ok, "site");
    const bool invited = json_is_true(json_object_get(site, "invited"));
    ck_assert_str_eq(str(site, "accounts"), "invite");
    json_decref(ok);
    world_cut(&world, again);
    return invited;
}

/* The code that the operator is shown is good: it is kept before. */
START_TEST(the_operator_waits_for_the_store)
{
    struct buffer line;
    buffer_init(&line, 0, ADMIN_ANSWER_BYTES);
    world.held = true;
    ck_assert_int_eq(operator_ask("{\"id\":1,\"op\":\"invite\",\"for_s\":86400}", &line),
                     ADMIN_WAITS);
    world_settle(&world);
    ck_assert_int_eq(operator_waited(&line), ADMIN_WAITS);
    ck_assert_uint_eq(line.len, 0);
    operator_denied("{\"id\":2,\"op\":\"invite\",\"for_s\":86400}", "busy");
    world.held = false;
    world_commit(&world, _i ? STORE_FULL : STORE_OK);
    ck_assert_int_eq(operator_waited(&line), _i ? ADMIN_REFUSED : ADMIN_DONE);
    ck_assert_ptr_nonnull(
        strstr(buffer_payload(&line), _i ? "\"store_failing\"" : "\"invite\":\""));
    buffer_release(&line);
    world_pass(&world, 60000);
    json_decref(operator_granted("{\"id\":3,\"op\":\"invite\",\"for_s\":86400}"));
}
END_TEST

START_TEST(one_gets_a_handle_with_it)
{
    char code[CODE_BYTES];
    world_refused(&world, ana, "invite_needed", "claim", "{s:s}", "handle", "ana-1");
    by_operator(code);
    ck_assert(!is_invited(ana));
    redeem(ana, code);
    ck_assert(is_invited(ana));
    world_refused(&world, ana, "already_invited", "redeem", "{s:s}", "invite", code);
    not_good(bo, code);
    world_refused(&world, bo, "invite_needed", "claim", "{s:s}", "handle", "bo-1");
    claim(ana, "ana-1");
    ck_assert(!is_invited(ana));
    claim(ana, "Hanna"); /* that is no new account */
    world_refused(&world, ana, "already_invited", "redeem", "{s:s}", "invite", code);
}
END_TEST

/* Since when is kept of them, and they are told; whose it was is not theirs to know. */
static int64_t invited_ms(void)
{
    json_t *ok = world_ok(&world, ana, "kept", "");
    const json_t *invited = json_object_get(ok, "invited");
    const int64_t since_ms = invited ? num(invited, "since") : 0;
    ck_assert_uint_le(json_object_size(invited), 1);
    json_decref(ok);
    return since_ms;
}

START_TEST(who_has_come_with_one_is_told_so)
{
    char code[CODE_BYTES];
    by_operator(code);
    ck_assert_int_eq(invited_ms(), 0);
    world_pass(&world, 1000);
    const int64_t since_ms = world.now_ms;
    redeem(ana, code);
    world_pass(&world, 1000);
    ck_assert_int_eq(invited_ms(), since_ms);
    world_restart(&world);
    ana = world_back(&world, ana);
    ck_assert_int_eq(invited_ms(), since_ms);
}
END_TEST

START_TEST(a_handle_that_is_taken_does_not_cost_it)
{
    char code[CODE_BYTES];
    member(bo, "same");
    by_operator(code);
    redeem(ana, code);
    world_refused(&world, ana, "handle_taken", "claim", "{s:s}", "handle", "SAME");
    claim(ana, "other");
}
END_TEST

/* One whose session is erased has used it all the same. */
START_TEST(it_was_used_by_who_is_gone)
{
    char code[CODE_BYTES];
    by_operator(code);
    redeem(ana, code);
    claim(ana, "ana-1");
    world.config.closing_ms = 60000;
    world_restart(&world);
    ana = world_back(&world, ana);
    world_do(&world, ana, "close_account", "{s:s}", "handle", "ana-1");
    world_pass(&world, 300000);
    bo = world_guest(&world, "Bo");
    world_refused(&world, bo, "unknown_handle", "profile", "{s:s}", "handle", "ana-1");
    not_good(bo, code);
}
END_TEST

START_TEST(it_is_the_sessions_after_a_restart)
{
    char code[CODE_BYTES], other[CODE_BYTES], token[TOKEN_SPACE];
    by_operator(code);
    by_operator(other);
    redeem(ana, code);
    memcpy(token, world.tabs[ana].token, sizeof token);
    world_restart(&world);
    ana = world_connect(&world);
    world_do(&world, ana, "hello", "{s:s}", "token", token);
    bo = world_guest(&world, "Bo");
    not_good(bo, code);
    redeem(bo, other);
    claim(ana, "ana-1");
    claim(bo, "bo-1");
}
END_TEST

START_TEST(what_is_none)
{
    char code[CODE_BYTES];
    by_operator(code);
    wait_for(DAY_MS);
    not_good(ana, code);
    not_good(ana, "7zk3f09qa5vtd2e8r1x6mhbw4cbv");
    world_refused(&world, ana, "bad_field", "redeem", "{s:s}", "invite", "hello");
}
END_TEST

/* Nobody finds one by trying. */
START_TEST(guesses_are_counted)
{
    static const char wrong[] = "7zk3f09qa5vtd2e8r1x6mhbw4cbv";
    json_t *reply = NULL;
    int tries = 0;
    const char *code = "invite_invalid";
    while (strcmp(code, "invite_invalid") == 0) {
        json_decref(reply);
        const int64_t id = world_post(&world, ana, "redeem", "{s:s}", "invite", wrong);
        world_settle(&world);
        reply = world_reply(&world, ana, id);
        code = str(json_object_get(reply, "error"), "code");
        ck_assert_int_lt(tries++, 100);
    }
    ck_assert_str_eq(code, "slow_down");
    ck_assert_int_gt(tries, 5);
    json_decref(reply);
}
END_TEST

/* Two at once: the store says who has it. */
START_TEST(two_come_with_one)
{
    char code[CODE_BYTES];
    by_operator(code);
    world.held = true;
    const int64_t first = world_post(&world, ana, "redeem", "{s:s}", "invite", code);
    const int64_t second = world_post(&world, bo, "redeem", "{s:s}", "invite", code);
    world_settle(&world);
    world.held = false;
    world_commit(&world, STORE_OK);
    world_settle(&world);
    world_granted(&world, ana, first);
    world_denied(&world, bo, second, "invite_invalid");
    claim(ana, "ana-1");
    world_refused(&world, bo, "invite_needed", "claim", "{s:s}", "handle", "bo-1");
}
END_TEST

START_TEST(it_could_not_be_stored)
{
    char code[CODE_BYTES];
    by_operator(code);
    world.answer = STORE_FAILED;
    world_refused(&world, ana, "store_failing", "redeem", "{s:s}", "invite", code);
    world.answer = STORE_OK;
    world_pass(&world, 60000);
    ck_assert(!is_invited(ana));
    redeem(bo, code);
}
END_TEST

/* ---- by who has an account */

START_TEST(an_account_invites)
{
    char code[CODE_BYTES];
    world_refused(&world, ana, "account_needed", "invite", "");
    member(ana, "ana-1");
    json_t *ok = world_ok(&world, ana, "invite", "");
    ck_assert_int_eq(num(ok, "until"), world.now_ms + 14 * (int64_t)DAY_MS);
    keep(ok, code);
    redeem(bo, code);
    claim(bo, "bo-1");
}
END_TEST

START_TEST(so_many_at_once)
{
    char code[CODE_BYTES], last[CODE_BYTES];
    member(ana, "ana-1");
    for (int at = 0; at < 5; at++)
        keep(world_ok(&world, ana, "invite", ""), code);
    redeem(bo, code);
    world_refused(&world, ana, "too_many_invites", "invite", ""); /* used or not */
    world_restart(&world);
    world_pass(&world, 14 * (int64_t)DAY_MS);
    ana = world_guest(&world, "Cy");
    bo = world_guest(&world, "Dee");
    member(ana, "cy-1");
    keep(world_ok(&world, ana, "invite", ""), last);
    redeem(bo, last);
}
END_TEST

START_TEST(those_that_are_over_make_place)
{
    char code[CODE_BYTES];
    member(ana, "ana-1");
    for (int at = 0; at < 5; at++) {
        keep(world_ok(&world, ana, "invite", ""), code);
        if (at == 0)
            wait_for(DAY_MS);
    }
    world_refused(&world, ana, "too_many_invites", "invite", "");
    wait_for(13 * (int64_t)DAY_MS);
    world_do(&world, ana, "invite", "");
    world_refused(&world, ana, "too_many_invites", "invite", "");
    redeem(bo, code);
}
END_TEST

/* The clock was a hundred days behind, and is set right. */
START_TEST(a_jump_of_the_clock_ends_none)
{
    char code[CODE_BYTES], last[CODE_BYTES], sites[CODE_BYTES];
    member(ana, "ana-1");
    keep(world_ok(&world, ana, "invite", ""), code);
    keep(world_ok(&world, ana, "invite", ""), last);
    keep(operator_granted("{\"id\":1,\"op\":\"invite\",\"for_s\":259200}"), sites);
    world_settle(&world);
    world.now_ms += 100 * (int64_t)DAY_MS;
    world_restart(&world);
    world_pass(&world, 0);
    redeem(world_guest(&world, "Bo"), code);
    redeem(world_guest(&world, "Cat"), sites);
    world_pass(&world, 14 * (int64_t)DAY_MS);
    not_good(world_guest(&world, "Dee"), last);
}
END_TEST

/* Whoever has made them is told since when and until when they are good, and nobody else. */
START_TEST(who_has_made_some_is_told_so)
{
    char code[CODE_BYTES];
    world_refused(&world, bo, "account_needed", "invites", "");
    member(ana, "ana-1");
    member(bo, "bo-1");
    const int64_t since_ms = world.now_ms;
    keep(world_ok(&world, ana, "invite", ""), code);
    world_pass(&world, 1000);
    keep(world_ok(&world, ana, "invite", ""), code);
    json_t *ok = world_ok(&world, ana, "invites", "");
    const json_t *made = json_object_get(ok, "invites"), *first = json_array_get(made, 0);
    ck_assert_uint_eq(json_array_size(made), 2);
    ck_assert_int_eq(num(first, "since"), since_ms);
    ck_assert_int_eq(num(first, "until"), since_ms + world.config.invite_ms);
    ck_assert_int_eq(num(json_array_get(made, 1), "since"), since_ms + 1000);
    ck_assert_uint_eq(json_object_size(first), 2); /* nothing of the code */
    json_decref(ok);
    ok = world_ok(&world, bo, "invites", "");
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "invites")), 0);
    json_decref(ok);
}
END_TEST

START_TEST(elsewhere_there_are_none)
{
    char code[] = "7zk3f09qa5vtd2e8r1x6mhbw4cbv";
    world_release(&world);
    begin(HUB_ACCOUNTS_OPEN);
    claim(ana, "ana-1");
    world_refused(&world, ana, "invites_off", "invite", "");
    world_refused(&world, bo, "invites_off", "redeem", "{s:s}", "invite", code);
    operator_denied("{\"id\":1,\"op\":\"invite\",\"for_s\":86400}", "invites_off");
}
END_TEST

static const struct store_table *table(void)
{
    const struct store_table *const *at = feature_people.tables;
    while (strcmp((*at)->name, "site_invite") != 0)
        at++;
    return *at;
}

static size_t stored(void)
{
    return model_rows(&world.store, table());
}

/* Those of the operator are bounded, and go when they are over. */
START_TEST(those_of_the_operator_end)
{
    char code[CODE_BYTES];
    world.config.site_invites = 3;
    world_restart(&world);
    for (int i = 0; i < 3; i++)
        by_operator(code);
    operator_denied("{\"id\":1,\"op\":\"invite\",\"for_s\":86400}", "too_many_invites");
    world_restart(&world);
    operator_denied("{\"id\":1,\"op\":\"invite\",\"for_s\":86400}", "too_many_invites");
    ck_assert_uint_eq(stored(), 3);
    world_pass(&world, DAY_MS - 60000);
    ck_assert_uint_eq(stored(), 3);
    world_pass(&world, 120000);
    ck_assert_uint_eq(stored(), 0);
    by_operator(code);
    ck_assert_uint_eq(stored(), 1);
}
END_TEST

/* While the store fails they stay, and are dropped later. */
START_TEST(those_that_are_over_wait_for_the_store)
{
    char code[CODE_BYTES];
    by_operator(code);
    world.answer = STORE_FULL;
    world_pass(&world, DAY_MS + 60000);
    ck_assert_uint_eq(stored(), 1);
    world.answer = STORE_OK;
    world_pass(&world, 60000);
    ck_assert_uint_eq(stored(), 0);
}
END_TEST

Suite *invite_suite(void)
{
    Suite *suite = suite_create("invite");
    TCase *tests = tcase_create("invite");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, the_operator_waits_for_the_store, 0, 2);
    tcase_add_test(tests, one_gets_a_handle_with_it);
    tcase_add_test(tests, who_has_come_with_one_is_told_so);
    tcase_add_test(tests, a_handle_that_is_taken_does_not_cost_it);
    tcase_add_test(tests, it_was_used_by_who_is_gone);
    tcase_add_test(tests, it_is_the_sessions_after_a_restart);
    tcase_add_test(tests, what_is_none);
    tcase_add_test(tests, guesses_are_counted);
    tcase_add_test(tests, two_come_with_one);
    tcase_add_test(tests, it_could_not_be_stored);
    tcase_add_test(tests, an_account_invites);
    tcase_add_test(tests, who_has_made_some_is_told_so);
    tcase_add_test(tests, so_many_at_once);
    tcase_add_test(tests, those_that_are_over_make_place);
    tcase_add_test(tests, a_jump_of_the_clock_ends_none);
    tcase_add_test(tests, those_of_the_operator_end);
    tcase_add_test(tests, those_that_are_over_wait_for_the_store);
    tcase_add_test(tests, elsewhere_there_are_none);
    suite_add_tcase(suite, tests);
    return suite;
}
