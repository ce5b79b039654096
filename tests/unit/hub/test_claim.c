/* `claim`: a session becomes an account, and nobody else is ever called so. */
#include "suites.h"
#include "world.h"
#include <protocol/name_patterns.h>
#include <string.h>

enum { DAY_MS = 24 * 3600 * 1000 };

struct person {
    int tab;
    char token[TOKEN_SPACE];
};

static struct world world;
static struct person ana, bo;

static void come(struct person *person)
{
    person->tab = world_guest(&world, "Somebody");
    memcpy(person->token, world.tabs[person->tab].token, sizeof person->token);
}

static void come_back(struct person *person)
{
    person->tab = world_connect(&world);
    world_do(&world, person->tab, "hello", "{s:s}", "token", person->token);
}

static void begin(enum hub_accounts accounts, const char *reserved, int64_t most)
{
    world_init(&world);
    world.env.accounts = accounts;
    world.env.reserved_handles = reserved;
    world.config.accounts = most > 0 ? most : world.config.accounts;
    world_start(&world);
    come(&ana);
    come(&bo);
}

static void set_up(void)
{
    begin(HUB_ACCOUNTS_OPEN, NULL, 0);
}

static void tear_down(void)
{
    world_release(&world);
}

static void claim(const struct person *person, const char *handle)
{
    json_t *ok = world_ok(&world, person->tab, "claim", "{s:s}", "handle", handle);
    ck_assert_str_eq(str(json_object_get(ok, "account"), "handle"), handle);
    json_decref(ok);
}

static void refused(const struct person *person, const char *code, const char *handle)
{
    world_refused(&world, person->tab, code, "claim", "{s:s}", "handle", handle);
}

/* What `hello` says of the session's account; "": it has none. */
static void is_called(const struct person *person, const char *handle)
{
    int again = world_connect(&world);
    json_t *ok = world_ok(&world, again, "hello", "{s:s}", "token", person->token);
    ck_assert_str_eq(str(json_object_get(ok, "account"), "handle"), handle);
    json_decref(ok);
    world_cut(&world, again);
}

START_TEST(test_a_claim)
{
    is_called(&ana, "");
    claim(&ana, "Ana-1");
    is_called(&ana, "Ana-1");
    world_restart(&world);
    is_called(&ana, "Ana-1");
}
END_TEST

START_TEST(test_what_the_answer_says)
{
    json_t *ok = world_ok(&world, ana.tab, "claim", "{s:s}", "handle", "ana");
    const json_t *account = json_object_get(ok, "account");
    ck_assert_int_eq(num(account, "since"), world.now_ms);
    ck_assert_int_eq(num(account, "rename_until"), world.now_ms + 7 * (json_int_t)DAY_MS);
    ck_assert_ptr_null(json_object_get(account, "bot"));
    json_decref(ok);
}
END_TEST

START_TEST(test_without_accounts)
{
    tear_down();
    begin(HUB_ACCOUNTS_OFF, NULL, 0);
    int tab = world_connect(&world);
    json_t *ok = world_ok(&world, tab, "hello", "");
    const json_t *site = json_object_get(ok, "site");
    ck_assert_str_eq(str(site, "accounts"), "off");
    ck_assert(json_is_true(json_object_get(site, "visitors")));
    json_decref(ok);
    refused(&ana, "accounts_off", "ana");
    refused(&ana, "bad_field", "an");
}
END_TEST

static const char *const alike[] = {"ana-1", "ANA-1", "ana1", "an-al", "A_N_A_I", "anaL"};

START_TEST(test_one_like_it_is_taken)
{
    claim(&ana, "Ana-1");
    refused(&bo, "handle_taken", alike[_i]);
    is_called(&bo, "");
    claim(&bo, "Bo-1");
    is_called(&bo, "Bo-1");
}
END_TEST

/* Of two who ask before either is stored, in whatever order. */
START_TEST(test_of_two_at_once_one_has_it)
{
    world.held = true;
    const int64_t first = world_post(&world, ana.tab, "claim", "{s:s}", "handle", "same");
    if (_i == 1)
        world_settle(&world); /* in a batch of its own */
    const int64_t second = world_post(&world, bo.tab, "claim", "{s:s}", "handle", "sAm-e");
    world_settle(&world);
    world.held = false;
    world_commit(&world, STORE_OK);
    world_settle(&world);
    world_granted(&world, ana.tab, first);
    world_denied(&world, bo.tab, second, "handle_taken");
    is_called(&ana, "same");
    is_called(&bo, "");
    world_restart(&world);
    is_called(&ana, "same");
    is_called(&bo, "");
    come_back(&bo);
    claim(&bo, "other");
}
END_TEST

/* Nothing is kept of what could not be stored: neither here nor there. */
START_TEST(test_a_store_that_fails)
{
    world.held = true;
    const int64_t id = world_post(&world, ana.tab, "claim", "{s:s}", "handle", "ana");
    world_settle(&world);
    world.held = false;
    world_commit(&world, STORE_FULL);
    world_settle(&world);
    world_denied(&world, ana.tab, id, "store_failing");
    world_pass(&world, 20000);
    is_called(&ana, "");
    claim(&bo, "ana");
    refused(&ana, "handle_taken", "ana");
}
END_TEST

START_TEST(test_one_at_a_time)
{
    world.held = true;
    const int64_t first = world_post(&world, ana.tab, "claim", "{s:s}", "handle", "one");
    const int64_t second = world_post(&world, ana.tab, "claim", "{s:s}", "handle", "two");
    world_settle(&world);
    world.held = false;
    world_commit(&world, STORE_OK);
    world_settle(&world);
    world_granted(&world, ana.tab, first);
    world_denied(&world, ana.tab, second, "slow_down");
    is_called(&ana, "one");
}
END_TEST

START_TEST(test_a_reserved_one)
{
    refused(&ana, "handle_reserved", "admin");
    refused(&ana, "handle_reserved", "Gecko");
    tear_down();
    begin(HUB_ACCOUNTS_OPEN, "club\nhouse\n", 0);
    refused(&bo, "handle_reserved", "h0use");
    is_called(&bo, "");
}
END_TEST

/* Of whatever somebody, or a room, is to be called; who has such a name keeps it. */
START_TEST(test_what_nobody_is_called)
{
    static struct name_patterns patterns;
    size_t line;
    const int zed = world_guest(&world, "Bad W0rd");
    ck_assert(name_patterns_read(&patterns, "badword", 7, &line));
    world.env.patterns = &patterns;
    world_restart(&world);
    const int tab = world_guest(&world, "Ana");
    world_refused(&world, tab, "name_refused", "claim", "{s:s}", "handle", "xbad-w0rdx");
    world_refused(&world, tab, "name_refused", "bot_account", "{s:s}", "handle", "badword-bot");
    world_refused(&world, tab, "name_refused", "rename", "{s:s}", "name", "b a d w o r d");
    world_refused(&world, tab, "name_refused", "create", "{s:s}", "title", "Bad words");
    const int next = world_connect(&world);
    world_refused(&world, next, "name_refused", "hello", "{s:s}", "name", "B4DW0RD");
    json_t *ok = world_ok(&world, next, "hello", "{s:s,s:s}", "token", world.tabs[zed].token,
                          "name", "badword");
    ck_assert_str_eq(str(ok, "name"), "Bad W0rd");
    json_decref(ok);
    world_do(&world, tab, "claim", "{s:s}", "handle", "good-word");
    patterns.count = 0; /* the list is another one now */
    world_do(&world, tab, "rename", "{s:s}", "name", "badword");
}
END_TEST

/* ---- another handle */

START_TEST(test_changed_once_and_soon)
{
    claim(&ana, "ana");
    world_pass(&world, 7 * (int64_t)DAY_MS - 60000);
    come_back(&ana);
    claim(&ana, "Hanna");
    is_called(&ana, "Hanna");
    refused(&ana, "already_account", "susanna");
    refused(&ana, "already_account", "ana");
    come_back(&bo);
    refused(&bo, "handle_taken", "ana");
    refused(&bo, "handle_taken", "hanna");
    world_restart(&world);
    is_called(&ana, "Hanna");
    come_back(&bo);
    refused(&bo, "handle_taken", "ana");
}
END_TEST

START_TEST(test_not_later)
{
    claim(&ana, "ana");
    world_pass(&world, 7 * (int64_t)DAY_MS);
    come_back(&ana);
    refused(&ana, "already_account", "hanna");
    is_called(&ana, "ana");
}
END_TEST

START_TEST(test_its_case_at_any_time)
{
    claim(&ana, "ana");
    world_pass(&world, 30 * (int64_t)DAY_MS);
    come_back(&ana);
    claim(&ana, "A-Na");
    claim(&ana, "AnA");
    claim(&ana, "AnA");
    is_called(&ana, "AnA");
    world_restart(&world);
    is_called(&ana, "AnA");
}
END_TEST

START_TEST(test_changed_into_one_that_is_taken)
{
    claim(&ana, "ana");
    claim(&bo, "bo-1");
    refused(&bo, "handle_taken", "ana");
    is_called(&bo, "bo-1");
    claim(&bo, "bo-2");
    world_restart(&world);
    is_called(&bo, "bo-2");
}
END_TEST

/* ---- how many */

START_TEST(test_claims_of_an_address)
{
    struct person one;
    char handle[16];
    for (int i = 0; i < 5; i++) {
        come(&one);
        (void)snprintf(handle, sizeof handle, "bob-%c", 'a' + i);
        if (i > 0)
            refused(&one, "handle_taken", "bob-a"); /* which is no claim */
        claim(&one, handle);
    }
    refused(&ana, "slow_down", "ana");
    ck_assert_int_gt(world.retry_ms, 0);
    one.tab = world_connect_from(&world, 99);
    world_do(&world, one.tab, "hello", "");
    claim(&one, "far");
    world_pass(&world, DAY_MS / 5);
    come_back(&ana);
    claim(&ana, "ana");
}
END_TEST

/* Whoever has many addresses of one network has four times as much as one, of the widest sixteen
 * times. */
START_TEST(test_claims_of_a_network)
{
    struct person one;
    char handle[16];
    for (int i = 0; i < 80; i++) {
        one.tab = world_connect_from(&world, 100 + (unsigned)i / 5);
        world_do(&world, one.tab, "hello", "");
        (void)snprintf(handle, sizeof handle, "bob-%02d", i);
        claim(&one, handle);
        world_cut(&world, one.tab);
    }
    one.tab = world_connect_from(&world, 99);
    world_do(&world, one.tab, "hello", "");
    refused(&one, "slow_down", "far");
    world_pass(&world, DAY_MS / 80);
    claim(&one, "far");
}
END_TEST

START_TEST(test_many_at_once)
{
    int tabs[12], granted = 0;
    int64_t ids[12];
    char handle[16];
    for (int i = 0; i < 12; i++)
        tabs[i] = world_guest(&world, "Bo");
    world.held = true;
    for (int i = 0; i < 12; i++) {
        (void)snprintf(handle, sizeof handle, "bob-%c", 'a' + i);
        ids[i] = world_post(&world, tabs[i], "claim", "{s:s}", "handle", handle);
    }
    world_settle(&world);
    world.held = false;
    world_commit(&world, STORE_OK);
    world_settle(&world);
    for (int i = 0; i < 12; i++) {
        json_t *reply = world_reply(&world, tabs[i], ids[i]);
        granted += json_object_get(reply, "ok") != NULL;
        json_decref(reply);
    }
    ck_assert_int_eq(granted, 5);
}
END_TEST

START_TEST(test_as_many_accounts_as_there_may_be)
{
    tear_down();
    begin(HUB_ACCOUNTS_OPEN, NULL, 1);
    claim(&ana, "ana");
    refused(&bo, "full", "bob");
    claim(&ana, "hanna");
}
END_TEST

/* An account is there when its person comes back, however late; and its handle. */
START_TEST(test_it_does_not_expire)
{
    claim(&ana, "ana");
    world_cut(&world, ana.tab);
    world_cut(&world, bo.tab);
    world_pass(&world, 1000 * (int64_t)DAY_MS);
    is_called(&ana, "ana");
    const int chi = world_connect(&world);
    world_refused(&world, chi, "unknown_token", "hello", "{s:s}", "token", bo.token);
    ck_assert_int_eq((int)world_figure(&world, "accounts"), 1);
}
END_TEST

Suite *claim_suite(void)
{
    Suite *suite = suite_create("claim");
    TCase *tests = tcase_create("claims");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, test_a_claim);
    tcase_add_test(tests, test_what_the_answer_says);
    tcase_add_test(tests, test_without_accounts);
    tcase_add_loop_test(tests, test_one_like_it_is_taken, 0, sizeof alike / sizeof *alike);
    tcase_add_loop_test(tests, test_of_two_at_once_one_has_it, 0, 2);
    tcase_add_test(tests, test_a_store_that_fails);
    tcase_add_test(tests, test_one_at_a_time);
    tcase_add_test(tests, test_a_reserved_one);
    tcase_add_test(tests, test_what_nobody_is_called);
    tcase_add_test(tests, test_changed_once_and_soon);
    tcase_add_test(tests, test_not_later);
    tcase_add_test(tests, test_its_case_at_any_time);
    tcase_add_test(tests, test_changed_into_one_that_is_taken);
    tcase_add_test(tests, test_claims_of_an_address);
    tcase_add_test(tests, test_claims_of_a_network);
    tcase_add_test(tests, test_many_at_once);
    tcase_add_test(tests, test_as_many_accounts_as_there_may_be);
    tcase_add_test(tests, test_it_does_not_expire);
    suite_add_tcase(suite, tests);
    return suite;
}
