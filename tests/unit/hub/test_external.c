/*
 * Sign-in elsewhere: who comes with a voucher is whoever has it, in the whole site and once; and
 * nobody is by one that was kept, changed, overheard or sent to them.
 */
#include "passkeys.h"
#include "suites.h"
#include <hub/voucher.h>
#include <protocol/encoding.h>
#include <sodium.h>
#include <string.h>

enum { VOUCHER_SPACE = PROTOCOL_VOUCHER_BYTES + 1, MINUTE_MS = 60000 };

static struct world *const world = &passkey_world;
static struct hub_external external = {.name = "Club", .key = {7, 7, 7}};
static int ana, bo;

static void set_up(void)
{
    passkey_setup();
    world->env.accounts = HUB_ACCOUNTS_EXTERNAL;
    world->env.external = &external;
    world_start(world);
    ana = world_guest(world, "Ana");
    bo = world_guest(world, "Bo");
}

/* Until then, as their browser has it that drew the secret. */
static void make(char text[static VOUCHER_SPACE], const char *who, int64_t until_ms)
{
    uint8_t secret[TOKEN_RANDOM_BYTES] = {1, 2, 3};
    struct voucher voucher = {.until_ms = until_ms};
    voucher_subject(voucher.subject, "https://club.example", who);
    crypto_hash_sha256(voucher.bound, secret, sizeof secret);
    voucher_write(text, &voucher, external.key);
    text[VOUCHER_SIGNED_TEXT] = '.';
    token_encode(text + VOUCHER_SIGNED_TEXT + 1, secret);
}

static void sign_in(int tab, const char *who)
{
    char text[VOUCHER_SPACE];
    make(text, who, world->now_ms + VOUCHER_MS);
    world_do(world, tab, "sign_in", "{s:s}", "voucher", text);
}

static void not_signed_in(int tab, const char *who, const char *code)
{
    char text[VOUCHER_SPACE];
    make(text, who, world->now_ms + VOUCHER_MS);
    world_refused(world, tab, code, "sign_in", "{s:s}", "voucher", text);
}

static int enter(const char *text)
{
    const int tab = world_connect(world);
    json_t *ok = world_ok(world, tab, "hello", "{s:s}", "voucher", text);
    (void)snprintf(world->tabs[tab].token, TOKEN_SPACE, "%s", str(ok, "token"));
    (void)snprintf(world->tabs[tab].session, CODE_SPACE, "%s", str(ok, "session"));
    json_decref(ok);
    return tab;
}

static void does_not_enter(const char *text, const char *code)
{
    const int tab = world_connect(world);
    world_refused(world, tab, code, "hello", "{s:s}", "voucher", text);
    world_cut(world, tab);
}

static bool is_signed_in(int tab)
{
    const int again = world_connect(world);
    json_t *ok = world_ok(world, again, "hello", "{s:s}", "token", world->tabs[tab].token);
    const json_t *site = json_object_get(ok, "site");
    const bool is = json_is_true(json_object_get(site, "signed_in"));
    ck_assert_str_eq(str(site, "accounts"), "external");
    ck_assert_str_eq(str(site, "external"), "Club");
    json_decref(ok);
    world_cut(world, again);
    return is;
}

/* ---- who has one */

START_TEST(who_signs_in_gets_a_handle)
{
    world_refused(world, ana, "external_needed", "claim", "{s:s}", "handle", "ana-1");
    ck_assert(!is_signed_in(ana));
    sign_in(ana, "u1");
    ck_assert(is_signed_in(ana));
    world_do(world, ana, "claim", "{s:s}", "handle", "ana-1");
    ck_assert(!is_signed_in(bo));
    world_refused(world, bo, "external_needed", "claim", "{s:s}", "handle", "bo-1");
}
END_TEST

static void kept_is(int tab, int64_t since_ms, int64_t last_ms)
{
    json_t *ok = world_ok(world, tab, "kept", "");
    const json_t *signed_in = json_object_get(ok, "signed_in");
    ck_assert_int_eq(signed_in != NULL, since_ms != 0);
    if (signed_in) {
        ck_assert_int_eq(num(signed_in, "since"), since_ms);
        ck_assert_int_eq(num(signed_in, "last"), last_ms);
    }
    json_decref(ok);
}

static void kept_after_a_restart_is(int64_t since_ms, int64_t last_ms)
{
    kept_is(ana, since_ms, last_ms);
    world_restart(world);
    ana = world_back(world, ana);
    kept_is(ana, since_ms, last_ms);
}

/* Since when, and when last: as a proof, and on another device. */
START_TEST(when_is_in_a_copy_of_what_is_kept)
{
    char text[VOUCHER_SPACE];
    kept_is(ana, 0, 0);
    world_pass(world, 1000);
    const int64_t since_ms = world->now_ms;
    sign_in(ana, "u1");
    world_pass(world, 1000);
    kept_after_a_restart_is(since_ms, since_ms);
    world_pass(world, 1000);
    const int64_t again_ms = world->now_ms;
    sign_in(ana, "u1");
    kept_after_a_restart_is(since_ms, again_ms);
    world_pass(world, 1000);
    const int64_t last_ms = world->now_ms;
    make(text, "u1", last_ms + VOUCHER_MS);
    (void)enter(text);
    world_settle(world);
    kept_after_a_restart_is(since_ms, last_ms);
}
END_TEST

START_TEST(and_enters_on_another_device)
{
    char text[VOUCHER_SPACE];
    sign_in(ana, "u1");
    world_do(world, ana, "claim", "{s:s}", "handle", "ana-1");
    if (_i)
        world_restart(world);
    char session[CODE_SPACE];
    memcpy(session, world->tabs[ana].session, sizeof session);
    world_pass(world, 1);
    make(text, "u1", world->now_ms + VOUCHER_MS);
    const int tab = enter(text);
    ck_assert_str_eq(world->tabs[tab].session, session);
    ck_assert(is_signed_in(tab));
    ck_assert(world_figure(world, "vouchers_total{outcome=\"entered\"}") > 0);
}
END_TEST

START_TEST(it_is_one_sessions)
{
    sign_in(ana, "u1");
    not_signed_in(bo, "u1", "external_taken");
    not_signed_in(ana, "u2", "already_signed_in");
    sign_in(bo, "u2");
}
END_TEST

/* Both were asked while nobody had it: the store says who has it. */
START_TEST(of_two_at_once_one_has_it)
{
    char text[VOUCHER_SPACE];
    make(text, "u1", world->now_ms + VOUCHER_MS);
    world->held = true;
    const int64_t first = world_post(world, ana, "sign_in", "{s:s}", "voucher", text);
    const int64_t second = world_post(world, bo, "sign_in", "{s:s}", "voucher", text);
    world_settle(world);
    world->held = false;
    world_commit(world, STORE_OK);
    world_settle(world);
    world_granted(world, ana, first);
    world_denied(world, bo, second, "external_taken");
    ck_assert(!is_signed_in(bo));
}
END_TEST

START_TEST(what_cannot_be_stored_is_not_so)
{
    char text[VOUCHER_SPACE];
    make(text, "u1", world->now_ms + VOUCHER_MS);
    world->held = true;
    const int64_t id = world_post(world, ana, "sign_in", "{s:s}", "voucher", text);
    world_settle(world);
    world->held = false;
    world_commit(world, STORE_FULL);
    world_denied(world, ana, id, "store_failing");
    world_pass(world, MINUTE_MS);
    const int tab = world_back(world, ana);
    world_refused(world, tab, "external_needed", "claim", "{s:s}", "handle", "ana-1");
}
END_TEST

START_TEST(nobody_is_made_by_hello)
{
    char text[VOUCHER_SPACE];
    make(text, "u1", world->now_ms + VOUCHER_MS);
    does_not_enter(text, "external_unknown");
    world_do(world, ana, "sign_in", "{s:s}", "voucher", text);
}
END_TEST

/* ---- who has not */

START_TEST(it_is_good_once)
{
    char text[VOUCHER_SPACE];
    make(text, "u1", world->now_ms + VOUCHER_MS);
    world_do(world, ana, "sign_in", "{s:s}", "voucher", text);
    world_refused(world, ana, "voucher_refused", "sign_in", "{s:s}", "voucher", text);
    does_not_enter(text, "voucher_refused");
    world_pass(world, 1);
    make(text, "u1", world->now_ms + VOUCHER_MS);
    world_cut(world, enter(text));
    does_not_enter(text, "voucher_refused");
}
END_TEST

START_TEST(and_for_a_minute)
{
    char text[VOUCHER_SPACE];
    make(text, "u1", world->now_ms);
    world_refused(world, ana, "voucher_refused", "sign_in", "{s:s}", "voucher", text);
    make(text, "u1", world->now_ms + 1);
    world_do(world, ana, "sign_in", "{s:s}", "voucher", text);
}
END_TEST

/* Each of its digits, but for what the last ones of the two parts do not say. */
START_TEST(what_was_changed_is_none)
{
    char text[VOUCHER_SPACE];
    make(text, "u1", world->now_ms + VOUCHER_MS);
    text[_i] = text[_i] == 'A' ? 'B' : 'A';
    world_refused(world, ana, "voucher_refused", "sign_in", "{s:s}", "voucher", text);
    ck_assert(world_figure(world, "vouchers_total{outcome=\"refused\"}") > 0);
}
END_TEST

START_TEST(other_forms_are_bad_fields)
{
    char text[VOUCHER_SPACE];
    make(text, "u1", world->now_ms + VOUCHER_MS);
    text[VOUCHER_SIGNED_TEXT] = '-';
    world_refused(world, ana, "bad_field", "sign_in", "{s:s}", "voucher", text);
    make(text, "u1", world->now_ms + VOUCHER_MS);
    text[PROTOCOL_VOUCHER_BYTES - 1] = '\0';
    world_refused(world, ana, "bad_field", "sign_in", "{s:s}", "voucher", text);
    make(text, "u1", world->now_ms + VOUCHER_MS);
    const int tab = world_connect(world);
    world_refused(world, tab, "bad_field", "hello", "{s:s,s:s}", "voucher", text, "token",
                  world->tabs[ana].token);
}
END_TEST

START_TEST(of_another_key_it_is_none)
{
    static const struct hub_external other = {.name = "Club", .key = {8}};
    char text[VOUCHER_SPACE];
    make(text, "u1", world->now_ms + VOUCHER_MS);
    world->env.external = &other;
    world_restart(world);
    ana = world_back(world, ana);
    world_refused(world, ana, "voucher_refused", "sign_in", "{s:s}", "voucher", text);
}
END_TEST

START_TEST(elsewhere_none_is_taken)
{
    char text[VOUCHER_SPACE];
    world->env.accounts = HUB_ACCOUNTS_OPEN;
    world_restart(world);
    ana = world_back(world, ana);
    make(text, "u1", world->now_ms + VOUCHER_MS);
    world_refused(world, ana, "external_off", "sign_in", "{s:s}", "voucher", text);
    does_not_enter(text, "external_off");
}
END_TEST

/* ---- what it proves */

/* Whoever has the device alone does not end the account, nor takes another way into it. */
START_TEST(it_is_a_proof)
{
    sign_in(ana, "u1");
    world_do(world, ana, "claim", "{s:s}", "handle", "ana-1");
    const int tab = world_back(world, ana);
    world_refused(world, tab, "proof_needed", "close_account", "{s:s}", "handle", "ana-1");
    world_refused(world, tab, "proof_needed", "phrase", "");
    world_pass(world, 1);
    sign_in(tab, "u1");
    world_do(world, tab, "phrase", "");
    world_do(world, tab, "close_account", "{s:s}", "handle", "ana-1");
}
END_TEST

/* An account from before: a device alone does not give it to whoever signs in. */
START_TEST(an_account_is_not_given_away)
{
    world->env.accounts = HUB_ACCOUNTS_OPEN;
    world_restart(world);
    ana = world_back(world, ana);
    world_do(world, ana, "claim", "{s:s}", "handle", "ana-1");
    json_t *ok = world_ok(world, ana, "phrase", "");
    world->env.accounts = HUB_ACCOUNTS_EXTERNAL;
    world_restart(world);
    ana = world_back(world, ana);
    not_signed_in(ana, "u1", "proof_needed");
    world_do(world, ana, "prove", "{s:s}", "pass", str(ok, "pass"));
    json_decref(ok);
    sign_in(ana, "u1");
}
END_TEST

/* ---- taking it away */

START_TEST(who_can_enter_otherwise_takes_it_away)
{
    char text[VOUCHER_SPACE];
    world_do(world, ana, "sign_in_drop", ""); /* there is none */
    sign_in(ana, "u1");
    world_do(world, ana, "claim", "{s:s}", "handle", "ana-1");
    world_refused(world, ana, "proof_needed", "sign_in_drop", ""); /* it is the only way */
    json_t *ok = world_ok(world, ana, "phrase", "");
    const int tab = world_back(world, ana);
    world_refused(world, tab, "proof_needed", "sign_in_drop", "");
    world_do(world, tab, "prove", "{s:s}", "pass", str(ok, "pass"));
    json_decref(ok);
    world_do(world, tab, "sign_in_drop", "");
    ck_assert(!is_signed_in(ana));
    world_restart(world);
    ana = world_back(world, ana);
    ck_assert(!is_signed_in(ana));
    ok = world_ok(world, ana, "profile", "{s:s}", "handle", "ana-1");
    json_decref(ok);
    world_pass(world, 1);
    make(text, "u1", world->now_ms + VOUCHER_MS);
    does_not_enter(text, "external_unknown");
    sign_in(world_guest(world, "Chi"), "u1");
}
END_TEST

/* What cannot be stored stays. */
START_TEST(what_cannot_be_taken_away_stays)
{
    sign_in(ana, "u1");
    world_do(world, ana, "claim", "{s:s}", "handle", "ana-1");
    world_do(world, ana, "phrase", "");
    world->held = true;
    const int64_t id = world_post(world, ana, "sign_in_drop", "");
    world_settle(world);
    world_commit(world, STORE_FULL);
    world->held = false;
    world_settle(world);
    json_t *reply = world_reply(world, ana, id);
    ck_assert_str_eq(str(json_object_get(reply, "error"), "code"), "store_failing");
    json_decref(reply);
    ck_assert(is_signed_in(ana));
}
END_TEST

Suite *external_suite(void)
{
    Suite *suite = suite_create("external");
    TCase *tcase = tcase_create("has");
    tcase_add_checked_fixture(tcase, set_up, passkey_teardown);
    tcase_add_test(tcase, who_signs_in_gets_a_handle);
    tcase_add_test(tcase, when_is_in_a_copy_of_what_is_kept);
    tcase_add_loop_test(tcase, and_enters_on_another_device, 0, 2);
    tcase_add_test(tcase, it_is_one_sessions);
    tcase_add_test(tcase, of_two_at_once_one_has_it);
    tcase_add_test(tcase, what_cannot_be_stored_is_not_so);
    tcase_add_test(tcase, nobody_is_made_by_hello);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("has not");
    tcase_add_checked_fixture(tcase, set_up, passkey_teardown);
    tcase_add_test(tcase, it_is_good_once);
    tcase_add_test(tcase, and_for_a_minute);
    tcase_add_loop_test(tcase, what_was_changed_is_none, 0, VOUCHER_SIGNED_TEXT - 1);
    tcase_add_loop_test(tcase, what_was_changed_is_none, VOUCHER_SIGNED_TEXT + 1,
                        PROTOCOL_VOUCHER_BYTES - 1);
    tcase_add_test(tcase, other_forms_are_bad_fields);
    tcase_add_test(tcase, of_another_key_it_is_none);
    tcase_add_test(tcase, elsewhere_none_is_taken);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("proves");
    tcase_add_checked_fixture(tcase, set_up, passkey_teardown);
    tcase_add_test(tcase, who_can_enter_otherwise_takes_it_away);
    tcase_add_test(tcase, what_cannot_be_taken_away_stays);
    tcase_add_test(tcase, it_is_a_proof);
    tcase_add_test(tcase, an_account_is_not_given_away);
    suite_add_tcase(suite, tcase);
    return suite;
}
