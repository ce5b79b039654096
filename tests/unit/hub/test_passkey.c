/*
 * Passkeys: who has one enters with it anywhere; and nobody else, with whatever they have seen,
 * kept or made up.
 */
#include "passkeys.h"
#include "suites.h"
#include <hub/log_line.h>
#include <string.h>

static struct world *const world = &passkey_world;
static int ana;
static struct soft_passkey phone;

static void set_up(void)
{
    passkey_setup();
    ana = passkey_person("ana-1903");
    soft_passkey_init(&phone, 1, "taluva.example", "https://taluva.example");
}

static void add_phone(void)
{
    passkey_add(ana, &phone, "phone");
}

static void is_ana(int tab)
{
    ck_assert_str_eq(world->tabs[tab].session, world->tabs[ana].session);
}

/* ---- who has one */

START_TEST(somebody_enters_with_one)
{
    add_phone();
    passkey_expect_list(ana, "|phone");
    const int tab = passkey_enter(&phone);
    is_ana(tab);
    ck_assert_str_ne(world->tabs[tab].token, "");
    passkey_expect_list(tab, "|phone");
}
END_TEST

START_TEST(after_a_restart_too)
{
    add_phone();
    char session[CODE_SPACE];
    memcpy(session, world->tabs[ana].session, sizeof session);
    world_restart(world);
    ck_assert_str_eq(world->tabs[passkey_enter(&phone)].session, session);
}
END_TEST

START_TEST(hello_says_whose_they_are)
{
    const int tab = world_connect(world);
    json_t *ok = world_ok(world, tab, "hello", "");
    ck_assert_str_eq(str(json_object_get(ok, "passkeys"), "rp"), "taluva.example");
    json_decref(ok);
}
END_TEST

START_TEST(what_a_challenge_says)
{
    json_t *ok = world_ok(world, ana, "passkey", "{s:s}", "for", "add");
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "ids")), 0);
    ck_assert_uint_eq(strlen(str(ok, "user")), 22);
    ck_assert_int_eq(num(ok, "until"), world->now_ms + 300000);
    json_decref(ok);
    add_phone();
    ok = world_ok(world, ana, "passkey", "{s:s}", "for", "proof");
    ck_assert_str_eq(json_string_value(json_array_get(json_object_get(ok, "ids"), 0)),
                     "AQEBAQEBAQEBAQEBAQEBAQ");
    ck_assert_ptr_null(json_object_get(ok, "user"));
    json_decref(ok);
    const int tab = world_connect(world);
    ok = world_ok(world, tab, "passkey", "{s:s}", "for", "enter");
    ck_assert_ptr_null(json_object_get(ok, "ids")); /* nobody is told who has which */
    json_decref(ok);
}
END_TEST

/* Somebody looks for their key, longer than others have for their hello. */
START_TEST(there_is_time_to_enter)
{
    char challenge[CHALLENGE_SPACE];
    add_phone();
    const int tab = world_connect(world);
    passkey_challenge(tab, "enter", &phone, challenge);
    world_pass(world, 290000);
    world_do(world, tab, "hello", "{s:o}", "passkey", passkey_proof(&phone, challenge));
    const int late = world_connect(world);
    passkey_challenge(late, "enter", &phone, challenge);
    world_pass(world, 301000);
    ck_assert_int_eq(world->tabs[late].close_code, 4001);
}
END_TEST

START_TEST(when_it_was_used_is_kept)
{
    add_phone();
    phone.counter = 7;
    world_pass(world, 60000);
    const int tab = passkey_enter(&phone);
    world_restart(world);
    phone.counter = 8;
    const int again = passkey_enter(&phone);
    (void)tab;
    json_t *ok = world_ok(world, again, "passkeys", "");
    const json_t *one = json_array_get(json_object_get(ok, "passkeys"), 0);
    ck_assert_int_gt(num(one, "seen"), num(one, "since"));
    ck_assert_ptr_null(json_object_get(one, "copied"));
    json_decref(ok);
}
END_TEST

/* It is let in, or its owner would be the one who is punished; and they are told. */
START_TEST(a_counter_that_goes_back)
{
    struct hub_log_line line;
    add_phone();
    phone.counter = 9;
    passkey_enter(&phone);
    ck_assert_double_eq(world_figure(world, "passkey_counter_total"), 0);
    phone.counter = 9;
    is_ana(passkey_enter(&phone));
    ck_assert_double_eq(world_figure(world, "passkey_counter_total"), 1);
    ck_assert(hub_log_take(world->hub, &line) && line.is_warning);
    ck_assert_str_eq(line.event, "passkey_counter");
    ck_assert_uint_eq(line.session, strtoull(world->tabs[ana].session, NULL, 16));
    ck_assert(!hub_log_take(world->hub, &line));
    phone.counter = 20;
    passkey_enter(&phone);
    passkey_expect_list(ana, "|phone!");
}
END_TEST

START_TEST(an_id_of_the_greatest_length)
{
    phone.id_len = SOFT_ID_MAX;
    add_phone();
    is_ana(passkey_enter(&phone));
}
END_TEST

/* ---- who has not */

START_TEST(nobody_knows_it)
{
    passkey_enter_refused(&phone, "unknown_passkey");
    ck_assert_double_eq(world_figure(world, "passkey_checks_total{result=\"ok\"}"), 0);
}
END_TEST

START_TEST(a_challenge_is_good_once)
{
    char challenge[CHALLENGE_SPACE];
    add_phone();
    const int tab = world_connect(world);
    passkey_challenge(tab, "enter", &phone, challenge);
    phone.secret[0] ^= 1; /* a signature that is wrong */
    world_refused(world, tab, "passkey_refused", "hello", "{s:o}", "passkey",
                  passkey_proof(&phone, challenge));
    phone.secret[0] ^= 1;
    world_refused(world, tab, "passkey_refused", "hello", "{s:o}", "passkey",
                  passkey_proof(&phone, challenge));
    passkey_challenge(tab, "enter", &phone, challenge);
    world_do(world, tab, "hello", "{s:o}", "passkey", passkey_proof(&phone, challenge));
}
END_TEST

START_TEST(a_challenge_is_its_connections)
{
    char challenge[CHALLENGE_SPACE], other[CHALLENGE_SPACE];
    add_phone();
    const int tab = world_connect(world), thief = world_connect(world);
    passkey_challenge(tab, "enter", &phone, challenge);
    world_refused(world, thief, "passkey_refused", "hello", "{s:o}", "passkey",
                  passkey_proof(&phone, challenge));
    passkey_challenge(thief, "enter", &phone, other);
    world_refused(world, thief, "passkey_refused", "hello", "{s:o}", "passkey",
                  passkey_proof(&phone, challenge));
    world_do(world, tab, "hello", "{s:o}", "passkey", passkey_proof(&phone, challenge));
}
END_TEST

START_TEST(a_challenge_is_for_one_purpose)
{
    char challenge[CHALLENGE_SPACE];
    add_phone();
    passkey_challenge(ana, "proof", &phone, challenge);
    struct soft_passkey other;
    soft_passkey_init(&other, 2, "taluva.example", "https://taluva.example");
    world_refused(world, ana, "passkey_refused", "passkey_add", "{s:o}", "passkey",
                  passkey_made(&other, challenge));
    world_refused(world, ana, "passkey_refused", "prove", "{s:o}", "passkey",
                  passkey_proof(&phone, challenge));
}
END_TEST

START_TEST(a_challenge_gets_old)
{
    char challenge[CHALLENGE_SPACE];
    passkey_challenge(ana, "add", &phone, challenge);
    world_pass(world, 300000);
    world_refused(world, ana, "passkey_refused", "passkey_add", "{s:o}", "passkey",
                  passkey_made(&phone, challenge));
    passkey_expect_list(ana, "");
}
END_TEST

static const struct {
    const char *rp_id, *origin, *result;
} parties[] = {
    {"evil.example", "https://taluva.example", "other_rp"},
    {"taluva.example", "https://evil.example", "other_origin"},
    {"taluva.example", "http://taluva.example", "other_origin"},
    {"192.0.2.1", "https://192.0.2.1", "other_origin"},
    {"192.0.2.1", "https://taluva.example", "other_rp"},
};

START_TEST(another_page_or_party)
{
    char figure[80];
    add_phone();
    phone.rp_id = parties[_i].rp_id;
    phone.origin = parties[_i].origin;
    passkey_enter_refused(&phone, "passkey_refused");
    (void)snprintf(figure, sizeof figure, "passkey_checks_total{result=\"%s\"}",
                   parties[_i].result);
    ck_assert_double_eq(world_figure(world, figure), 1);
}
END_TEST

START_TEST(another_user)
{
    add_phone();
    phone.user[0] ^= 1;
    passkey_enter_refused(&phone, "passkey_refused");
}
END_TEST

/* A passkey that somebody has is not added a second time: by whom it would be found is not clear.
 */
START_TEST(one_that_is_known_already)
{
    char challenge[CHALLENGE_SPACE];
    add_phone();
    const int bo = passkey_person("bo-1903");
    passkey_challenge(bo, "add", &phone, challenge);
    world_refused(world, bo, "passkey_refused", "passkey_add", "{s:o}", "passkey",
                  passkey_made(&phone, challenge));
    passkey_expect_list(bo, "");
    passkey_expect_list(ana, "|phone");
}
END_TEST

/* Trying finds nobody: what is wrong is counted, whether there is such a passkey or not. */
START_TEST(guesses_are_counted)
{
    struct soft_passkey unknown, wrong;
    soft_passkey_init(&unknown, 2, "taluva.example", "https://taluva.example");
    add_phone();
    wrong = phone;
    wrong.secret[0] ^= 1;
    for (int64_t tries = 0; tries < world->config.guesses_burst; tries += 2) {
        passkey_enter_refused(&unknown, "unknown_passkey");
        passkey_enter_refused(&wrong, "passkey_refused");
    }
    passkey_enter_refused(&unknown, "slow_down");
    passkey_enter_refused(&wrong, "slow_down");
}
END_TEST

/* Whatever others of the address have tried. */
START_TEST(a_right_one_is_never_refused)
{
    const int thief = world_connect(world);
    add_phone();
    ck_assert_int_eq(world_until_refused(world, thief, "slow_down",
                                         "{\"id\":1,\"op\":\"hello\",\"pass\":"
                                         "\"7zk3f09qa5vtd2e8r1x6mhbw4cbv\"}"),
                     world->config.guesses_burst);
    is_ana(passkey_enter(&phone));
    passkey_prove(ana, &phone);
    world_refused(world, thief, "slow_down", "hello", "{s:s}", "pass",
                  "7zk3f09qa5vtd2e8r1x6mhbw4cbv");
}
END_TEST

/* A school enters, all by passkey, in one minute. */
START_TEST(honest_ones_are_not_counted)
{
    struct soft_passkey tablet;
    soft_passkey_init(&tablet, 2, "taluva.example", "https://taluva.example");
    add_phone();
    passkey_add(passkey_person("bo-1903"), &tablet, "tablet");
    for (int64_t entries = 0; entries <= world->config.guesses_burst; entries++)
        world_cut(world, passkey_enter(entries % 2 == 0 ? &phone : &tablet));
}
END_TEST

/* ---- when it may be */

START_TEST(passkeys_are_of_accounts)
{
    const int tab = world_guest(world, "Bo");
    world_refused(world, tab, "account_needed", "passkey", "{s:s}", "for", "add");
    world_refused(world, tab, "account_needed", "passkey_add", "{s:o}", "passkey",
                  passkey_made(&phone, "AAAA"));
    world_refused(world, tab, "hello_twice", "passkey", "{s:s}", "for", "enter");
    const int stranger = world_connect(world);
    world_refused(world, stranger, "hello_first", "passkey", "{s:s}", "for", "add");
    world_refused(world, stranger, "hello_first", "passkeys", "");
}
END_TEST

START_TEST(a_server_that_takes_none)
{
    add_phone();
    world->env.passkeys = NULL;
    world_restart(world);
    const int tab = world_connect(world);
    world_refused(world, tab, "passkeys_off", "passkey", "{s:s}", "for", "enter");
    world_refused(world, tab, "passkeys_off", "hello", "{s:o}", "passkey",
                  passkey_proof(&phone, "AAAA"));
    json_t *ok = world_ok(world, tab, "hello", "");
    ck_assert_ptr_null(json_object_get(ok, "passkeys"));
    json_decref(ok);
}
END_TEST

START_TEST(there_are_as_many_as_there_may_be)
{
    struct soft_passkey more;
    char key[9];
    add_phone();
    passkey_prove(ana, &phone);
    for (uint8_t seed = 2; seed <= 8; seed++) {
        soft_passkey_init(&more, seed, "taluva.example", "https://taluva.example");
        world_pass(world, 1000);
        passkey_add(ana, &more, "x");
    }
    world_refused(world, ana, "too_many_passkeys", "passkey", "{s:s}", "for", "add");
    passkey_key(ana, 3, key);
    world_do(world, ana, "passkey_drop", "{s:s}", "key", key);
    world_refused(world, ana, "unknown_passkey", "passkey_drop", "{s:s}", "key", key);
    passkey_expect_list(ana, "|phone|x|x|x|x|x|x");
}
END_TEST

/* ---- a proof */

START_TEST(who_has_one_shows_it_first)
{
    struct soft_passkey laptop;
    char key[9];
    soft_passkey_init(&laptop, 2, "taluva.example", "https://taluva.example");
    add_phone();
    passkey_key(ana, 0, key);
    world_refused(world, ana, "proof_needed", "passkey", "{s:s}", "for", "add");
    world_refused(world, ana, "proof_needed", "passkey_drop", "{s:s}", "key", key);
    world_refused(world, ana, "proof_needed", "phrase", "");
    passkey_prove(ana, &phone);
    passkey_add(ana, &laptop, "laptop");
    world_do(world, ana, "phrase", "");
    world_pass(world, 600000);
    world_refused(world, ana, "proof_needed", "phrase", "");
    world_refused(world, ana, "proof_needed", "passkey_drop", "{s:s}", "key", key);
    passkey_prove(ana, &laptop);
    world_do(world, ana, "passkey_drop", "{s:s}", "key", key);
    passkey_expect_list(ana, "|laptop");
    passkey_enter_refused(&phone, "unknown_passkey");
}
END_TEST

START_TEST(who_enters_with_one_has_shown_it)
{
    add_phone();
    world_do(world, passkey_enter(&phone), "phrase", "");
}
END_TEST

/* The proof of one connection is not another's, whose token a thief has perhaps. */
START_TEST(a_proof_is_its_connections)
{
    add_phone();
    passkey_prove(ana, &phone);
    const int thief = world_back(world, ana);
    world_refused(world, thief, "proof_needed", "phrase", "");
}
END_TEST

START_TEST(the_phrase_is_a_proof)
{
    json_t *ok = world_ok(world, ana, "phrase", "");
    char phrase[40];
    (void)snprintf(phrase, sizeof phrase, "%s", str(ok, "pass"));
    json_decref(ok);
    world_refused(world, ana, "proof_needed", "passkey", "{s:s}", "for", "add");
    world_refused(world, ana, "proof_needed", "phrase", "");
    const int bo = passkey_person("bo-1903");
    world_refused(world, bo, "unknown_pass", "prove", "{s:s}", "pass", phrase);
    world_do(world, ana, "prove", "{s:s}", "pass", phrase);
    add_phone();
    const int tab = world_connect(world);
    world_do(world, tab, "hello", "{s:s}", "pass", phrase);
    world_do(world, tab, "passkey", "{s:s}", "for", "add");
}
END_TEST

START_TEST(a_link_is_no_proof)
{
    add_phone();
    json_t *ok = world_ok(world, ana, "link", "");
    world_refused(world, ana, "unknown_pass", "prove", "{s:s}", "pass", str(ok, "pass"));
    const int tab = world_connect(world);
    world_do(world, tab, "hello", "{s:s}", "pass", str(ok, "pass"));
    json_decref(ok);
    world_refused(world, tab, "proof_needed", "phrase", "");
}
END_TEST

START_TEST(the_proof_of_somebody_else)
{
    char challenge[CHALLENGE_SPACE];
    add_phone();
    const int bo = passkey_person("bo-1903");
    passkey_challenge(bo, "proof", &phone, challenge);
    world_refused(world, bo, "unknown_passkey", "prove", "{s:o}", "passkey",
                  passkey_proof(&phone, challenge));
    world_refused(world, ana, "missing_field", "prove", "");
}
END_TEST

/* ---- while the store is busy, or fails */

START_TEST(whoever_asked_is_gone)
{
    char challenge[CHALLENGE_SPACE];
    add_phone();
    const int tab = world_connect(world);
    passkey_challenge(tab, "enter", &phone, challenge);
    world_post(world, tab, "hello", "{s:o}", "passkey", passkey_proof(&phone, challenge));
    world_cut(world, tab);
    world_settle(world);
    is_ana(passkey_enter(&phone));
}
END_TEST

START_TEST(what_is_not_stored_is_not_there)
{
    char challenge[CHALLENGE_SPACE];
    passkey_challenge(ana, "add", &phone, challenge);
    world->answer = STORE_FAILED;
    world_refused(world, ana, "store_failing", "passkey_add", "{s:o}", "passkey",
                  passkey_made(&phone, challenge));
    world->answer = STORE_OK;
    world_pass(world, 60000);
    passkey_expect_list(ana, "");
    passkey_enter_refused(&phone, "unknown_passkey");
    add_phone();
    is_ana(passkey_enter(&phone));
}
END_TEST

#define ROWS(table) (int)(sizeof table / sizeof table[0])

Suite *passkey_suite(void)
{
    Suite *suite = suite_create("passkey");
    TCase *tcase = tcase_create("passkey");
    tcase_add_checked_fixture(tcase, set_up, passkey_teardown);
    tcase_add_test(tcase, somebody_enters_with_one);
    tcase_add_test(tcase, after_a_restart_too);
    tcase_add_test(tcase, hello_says_whose_they_are);
    tcase_add_test(tcase, what_a_challenge_says);
    tcase_add_test(tcase, there_is_time_to_enter);
    tcase_add_test(tcase, when_it_was_used_is_kept);
    tcase_add_test(tcase, a_counter_that_goes_back);
    tcase_add_test(tcase, an_id_of_the_greatest_length);
    tcase_add_test(tcase, nobody_knows_it);
    tcase_add_test(tcase, a_challenge_is_good_once);
    tcase_add_test(tcase, a_challenge_is_its_connections);
    tcase_add_test(tcase, a_challenge_is_for_one_purpose);
    tcase_add_test(tcase, a_challenge_gets_old);
    tcase_add_loop_test(tcase, another_page_or_party, 0, ROWS(parties));
    tcase_add_test(tcase, another_user);
    tcase_add_test(tcase, one_that_is_known_already);
    tcase_add_test(tcase, guesses_are_counted);
    tcase_add_test(tcase, a_right_one_is_never_refused);
    tcase_add_test(tcase, honest_ones_are_not_counted);
    tcase_add_test(tcase, passkeys_are_of_accounts);
    tcase_add_test(tcase, a_server_that_takes_none);
    tcase_add_test(tcase, there_are_as_many_as_there_may_be);
    tcase_add_test(tcase, who_has_one_shows_it_first);
    tcase_add_test(tcase, who_enters_with_one_has_shown_it);
    tcase_add_test(tcase, a_proof_is_its_connections);
    tcase_add_test(tcase, the_phrase_is_a_proof);
    tcase_add_test(tcase, a_link_is_no_proof);
    tcase_add_test(tcase, the_proof_of_somebody_else);
    tcase_add_test(tcase, whoever_asked_is_gone);
    tcase_add_test(tcase, what_is_not_stored_is_not_there);
    suite_add_tcase(suite, tcase);
    return suite;
}
