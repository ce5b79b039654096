/* `follow`, `friends`, `presence`: friends see who of them is there, and nobody else does. */
#include "accounts/erased.h"
#include "online.h"
#include "site.h"
#include "suites.h"
#include "world.h"
#include <check.h>
#include <registry/registry.h>
#include <stdlib.h>
#include <string.h>

/* ---- in one part */

static struct world world;
static int ana, bo, chi;

static void begin(struct world *one, int64_t each, int64_t most)
{
    one->env.accounts = HUB_ACCOUNTS_OPEN;
    one->env.features = registry;
    one->config.claims_per_address_per_day = 100;
    one->config.follows_per_account = each;
    one->config.follows = most;
}

static int called(struct world *one, const char *name, const char *handle)
{
    one->host++; /* each from an address of their own */
    const int tab = world_guest(one, name);
    world_do(one, tab, "claim", "{s:s}", "handle", handle);
    return tab;
}

static void start(int64_t each, int64_t most)
{
    world_init(&world);
    begin(&world, each, most);
    world_start(&world);
    ana = called(&world, "Ana", "ana");
    bo = called(&world, "Bo", "Bo-1");
    chi = world_guest(&world, "Chi");
}

static void set_up(void)
{
    start(200, 1000);
}

static void tear_down(void)
{
    world_release(&world);
}

static void follow(int tab, const char *handle)
{
    world_do(&world, tab, "follow", "{s:s}", "handle", handle);
}

/* Of one who follows one at most: "" nobody, "HANDLE" who is not there or not seen, "HANDLE!". */
static void check_friends(json_t *ok, const char *expected)
{
    const json_t *one = json_array_get(json_object_get(ok, "friends"), 0);
    char text[32] = "";
    ck_assert(ok);
    ck_assert_uint_le(json_array_size(json_object_get(ok, "friends")), 1);
    if (one)
        (void)snprintf(text, sizeof text, "%s%s", str(one, "handle"),
                       json_is_true(json_object_get(one, "online")) ? "!" : "");
    ck_assert_str_eq(text, expected);
    json_decref(ok);
}

static void sees(int tab, const char *expected)
{
    json_t *ok = world_ok(&world, tab, "friends", "");
    ck_assert_ptr_null(json_object_get(ok, "incomplete"));
    check_friends(ok, expected);
}

static void come_back(void)
{
    world_restart(&world);
    for (int tab = 0; tab < 3; tab++)
        world.tabs[tab].link.open = false;
    ana = world_back(&world, ana);
    bo = world_back(&world, bo);
}

START_TEST(test_a_list)
{
    sees(ana, "");
    follow(ana, "b0-L"); /* by what looks alike */
    sees(ana, "Bo-1");
    sees(bo, "");        /* nobody is told */
    follow(ana, "Bo-1"); /* once more */
    sees(ana, "Bo-1");
    come_back();
    sees(ana, "Bo-1");
    world_do(&world, ana, "unfollow", "{s:s}", "handle", "bO-1");
    sees(ana, "");
    world_refused(&world, ana, "unknown_handle", "unfollow", "{s:s}", "handle", "Bo-1");
    come_back();
    sees(ana, "");
}
END_TEST

START_TEST(test_what_is_refused)
{
    static const char *const ops[] = {"follow", "unfollow"};
    for (int at = 0; at < 2; at++) {
        world_refused(&world, chi, "account_needed", ops[at], "{s:s}", "handle", "ana");
        world_refused(&world, ana, "unknown_handle", ops[at], "{s:s}", "handle", "nobody-1");
        world_refused(&world, ana, "bad_field", ops[at], "{s:s}", "handle", "ana");
    }
    world_refused(&world, chi, "account_needed", "friends", "");
    world_refused(&world, chi, "account_needed", "presence", "{s:b}", "hidden", true);
    sees(ana, "");
}
END_TEST

/* One each; two in all. */
START_TEST(test_so_many_and_no_more)
{
    tear_down();
    start(_i ? 200 : 1, _i ? 1 : 1000);
    called(&world, "Dee", "dee");
    follow(ana, "Bo-1");
    world_refused(&world, ana, _i ? "full" : "too_many_follows", "follow", "{s:s}", "handle",
                  "dee");
    follow(ana, "Bo-1"); /* it is there */
    ck_assert(world_figure(&world, "follows") == 1);
    world_do(&world, ana, "unfollow", "{s:s}", "handle", "Bo-1");
    follow(ana, "dee");
    ck_assert(world_figure(&world, "follows") == 1);
}
END_TEST

START_TEST(test_a_store_that_fails)
{
    int64_t id = world_post(&world, ana, "follow", "{s:s}", "handle", "Bo-1");
    world.answer = STORE_FULL;
    world_settle(&world);
    world.answer = STORE_OK;
    world_denied(&world, ana, id, "store_failing");
    sees(ana, "");
    ck_assert(world_figure(&world, "follows") == 0);
    world_pass(&world, 60000); /* until it is tried again */
    follow(ana, "Bo-1");
    follow(bo, "ana");
    id = world_post(&world, bo, "presence", "{s:b}", "hidden", true);
    world.answer = STORE_FULL;
    world_settle(&world);
    world.answer = STORE_OK;
    world_denied(&world, bo, id, "store_failing");
    sees(ana, "Bo-1!");
}
END_TEST

/* Whoever is there is seen by those whom they follow themselves, and by nobody else. */
START_TEST(test_who_is_there)
{
    follow(ana, "Bo-1");
    sees(ana, "Bo-1"); /* a stranger's */
    follow(bo, "ana");
    sees(ana, "Bo-1!");
    sees(bo, "ana!");
    world_cut(&world, bo);
    sees(ana, "Bo-1");
    bo = world_back(&world, bo);
    sees(ana, "Bo-1!");
    world_do(&world, bo, "unfollow", "{s:s}", "handle", "ana");
    sees(ana, "Bo-1");
}
END_TEST

START_TEST(test_who_is_not_seen)
{
    follow(ana, "Bo-1");
    follow(bo, "ana");
    world_do(&world, bo, "presence", "{s:b}", "hidden", true);
    sees(ana, "Bo-1");
    json_t *ok = world_ok(&world, bo, "friends", "");
    ck_assert(json_is_true(json_object_get(ok, "hidden")));
    check_friends(ok, "ana!");
    come_back();
    sees(ana, "Bo-1");
    world_do(&world, bo, "presence", "{s:b}", "hidden", false);
    sees(ana, "Bo-1!");
    come_back();
    sees(ana, "Bo-1!");
}
END_TEST

/* Who has blocked somebody sees nothing of them, and who is blocked sees them away: no more than
 * of whoever does not want to be seen. */
START_TEST(test_who_is_blocked)
{
    follow(ana, "Bo-1");
    follow(bo, "ana");
    world_do(&world, bo, "block", "{s:s}", "handle", "ana");
    sees(ana, "Bo-1");
    sees(bo, "");
    world_do(&world, bo, "unblock", "{s:s}", "handle", "ana");
    sees(ana, "Bo-1!");
    sees(bo, "ana!");
}
END_TEST

enum { MANY = 70 }; /* more than a page of rows */

START_TEST(test_a_long_list)
{
    char handle[8];
    world.config.connections_per_address = 1000;
    for (int at = 0; at < MANY; at++) {
        (void)snprintf(handle, sizeof handle, "dee-%d%d", at / 10, at % 10);
        handle[4] = (char)('a' + at / 10);
        handle[5] = (char)('a' + at % 10);
        called(&world, "Dee", handle);
        follow(ana, handle);
        world_pass(&world, 1000);
    }
    json_t *ok = world_ok(&world, ana, "friends", "");
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "friends")), MANY);
    json_decref(ok);
}
END_TEST

/* ---- of somebody who is erased nothing is left at others */

static bool names(const struct world *one, uint64_t id)
{
    for (size_t at = 0; at < one->store.row_count; at++) {
        const struct model_row *row = &one->store.rows[at];
        for (size_t i = 0; i < row->table->count; i++) {
            const struct store_column *column = &row->table->columns[i];
            if (column->type == STORE_NUMBER && (uint64_t)store_number(column, row->row) == id)
                return true;
        }
    }
    return false;
}

static void erase(struct world *one, int tab, const char *handle)
{
    world_do(one, tab, "close_account", "{s:s}", "handle", handle);
    world_pass(one, one->config.closing_ms + 120000);
}

/* More of them than go with one letter. */
enum { FOLLOWERS = 70 };

START_TEST(test_somebody_is_erased)
{
    char handle[8] = "dee-xx";
    const uint64_t id = site_session(&world, bo);
    for (int at = 0; at < FOLLOWERS; at++) {
        handle[4] = (char)('a' + at / 10);
        handle[5] = (char)('a' + at % 10);
        const int dee = called(&world, "Dee", handle);
        follow(dee, "Bo-1");
        world_do(&world, dee, "block", "{s:s}", "handle", "Bo-1");
        world_cut(&world, dee);
    }
    follow(ana, "Bo-1");
    follow(bo, "ana");
    ck_assert(names(&world, id));
    erase(&world, bo, "Bo-1");
    ck_assert(!names(&world, id));
    ck_assert(world_figure(&world, "follows") == 0);
    ana = world_back(&world, ana);
    sees(ana, "");
    world_refused(&world, ana, "unknown_handle", "unfollow", "{s:s}", "handle", "Bo-1");
}
END_TEST

/* The store fails while they vanish: then they do so later. */
START_TEST(test_the_store_fails_meanwhile)
{
    const uint64_t id = site_session(&world, bo);
    follow(ana, "Bo-1");
    world_do(&world, ana, "block", "{s:s}", "handle", "Bo-1");
    world_do(&world, bo, "close_account", "{s:s}", "handle", "Bo-1");
    world_pass(&world, world.config.closing_ms - 1000);
    for (int tries = 0; tries < 100 && names(&world, id); tries++) {
        world.answer = tries % 2 ? STORE_OK : STORE_FULL;
        world_pass(&world, 1000);
    }
    world.answer = STORE_OK;
    world_pass(&world, 120000);
    ck_assert(!names(&world, id));
    ck_assert(world_figure(&world, "follows") == 0);
}
END_TEST

/* ---- in a site of two parts: ana is at home in the one, bo in the other */

static void site_up(void)
{
    site_setup();
    begin(&home, 200, 1000);
    begin(&away, 200, 1000);
    site_start();
    ana = called(&home, "Ana", "ana");
    bo = called(&away, "Bo", "Bo-1");
    world_do(&home, ana, "follow", "{s:s}", "handle", "Bo-1");
    world_do(&away, bo, "follow", "{s:s}", "handle", "ana");
}

static int64_t ask_home(void)
{
    return world_post(&home, ana, "friends", "");
}

static json_t *answered(int64_t id)
{
    world_settle(&home);
    json_t *reply = world_reply(&home, ana, id);
    json_t *ok = json_incref(json_object_get(reply, "ok"));
    json_decref(reply);
    return ok;
}

/* A question, and what is answered. */
static void carry_both_ways(void)
{
    world_settle(&home);
    site_carry();
    world_settle(&away);
    site_carry();
}

/* Who is there, and then where they play. */
static json_t *ask_away(void)
{
    const int64_t id = ask_home();
    carry_both_ways();
    carry_both_ways();
    json_t *ok = answered(id);
    ck_assert_ptr_null(json_object_get(ok, "incomplete"));
    return ok;
}

static void sees_away(const char *expected)
{
    check_friends(ask_away(), expected);
}

/* It is known who is there, and not where they play. */
START_TEST(test_nobody_says_where)
{
    const int64_t id = ask_home();
    carry_both_ways();
    world_settle(&home);
    home.note_count = 0;
    world_settle(&away);
    away.note_count = 0;
    world_pass(&home, 2000);
    json_t *ok = answered(id);
    ck_assert(json_is_true(json_object_get(ok, "incomplete")));
    check_friends(ok, "Bo-1!");
}
END_TEST

START_TEST(test_who_is_there_elsewhere)
{
    sees_away("Bo-1!");
    world_cut(&away, bo);
    sees_away("Bo-1");
    bo = world_back(&away, bo);
    sees_away("Bo-1!");
    world_do(&away, bo, "presence", "{s:b}", "hidden", true);
    sees_away("Bo-1");
    world_do(&away, bo, "presence", "{s:b}", "hidden", false);
    world_do(&away, bo, "block", "{s:s}", "handle", "ana");
    sees_away("Bo-1");
    world_do(&away, bo, "unblock", "{s:s}", "handle", "ana");
    sees_away("Bo-1!");
    world_do(&home, ana, "block", "{s:s}", "handle", "Bo-1");
    sees_away("");
}
END_TEST

/* What is lost on the way is not waited for for ever; and what comes too late changes nothing. */
START_TEST(test_nobody_answers)
{
    struct hub_note note;
    int64_t id = ask_home();
    world_settle(&home);
    ck_assert_uint_eq(home.note_count, 1);
    note = home.notes[0];
    home.note_count = 0;
    world_pass(&home, 2000);
    json_t *ok = answered(id);
    ck_assert(json_is_true(json_object_get(ok, "incomplete")));
    check_friends(ok, "Bo-1");
    hub_note(away.hub, &note, away.now_ms);
    world_settle(&away);
    site_carry();
    sees_away("Bo-1!");
    id = ask_home(); /* and who has gone meanwhile is not told */
    world_settle(&home);
    world_cut(&home, ana);
    site_carry();
    world_settle(&away);
    site_carry();
    world_pass(&home, 2000);
}
END_TEST

static void is_answered(int64_t id, bool incomplete)
{
    json_t *ok = answered(id);
    ck_assert(json_is_true(json_object_get(ok, "incomplete")) == incomplete);
    check_friends(ok, incomplete ? "Bo-1" : "Bo-1!");
}

/* One question of a session waits for the other part; the next one takes its place. */
START_TEST(test_somebody_asks_again)
{
    const int64_t first = ask_home();
    world_settle(&home);
    json_t *reply = world_reply(&home, ana, first);
    ck_assert_ptr_null(reply);
    const int64_t second = ask_home();
    is_answered(first, true);
    site_carry();
    world_settle(&away);
    site_carry();
    carry_both_ways();
    is_answered(second, false);
}
END_TEST

/* What it asks the other part is lost. */
static json_t *ask_as(int tab)
{
    const int64_t id = world_post(&home, tab, "friends", "");
    world_settle(&home);
    home.note_count = 0;
    json_t *reply = world_reply(&home, tab, id);
    json_t *ok = json_incref(json_object_get(reply, "ok"));
    json_decref(reply);
    return ok;
}

/* Those of one address wait for the other part, so many at once; others as before. */
START_TEST(test_many_ask_from_one_address)
{
    int tabs[LISTINGS_PER_ADDRESS + 1];
    char handle[8] = "dee-xx";
    for (int at = 0; at <= LISTINGS_PER_ADDRESS; at++) {
        handle[4] = (char)('a' + at / 10);
        handle[5] = (char)('a' + at % 10);
        tabs[at] = world_guest(&home, "Dee");
        world_do(&home, tabs[at], "claim", "{s:s}", "handle", handle);
        world_do(&home, tabs[at], "follow", "{s:s}", "handle", "Bo-1");
    }
    home.host++;
    const int other = called(&home, "Eve", "eve");
    world_do(&home, other, "follow", "{s:s}", "handle", "Bo-1");
    for (int at = 0; at < LISTINGS_PER_ADDRESS; at++)
        ck_assert_ptr_null(ask_as(tabs[at]));
    json_t *ok = ask_as(tabs[LISTINGS_PER_ADDRESS]);
    ck_assert(json_is_true(json_object_get(ok, "incomplete")));
    check_friends(ok, "Bo-1");
    ck_assert_ptr_null(ask_as(other));
    ck_assert_ptr_null(ask_as(tabs[0])); /* instead of what it has asked before */
}
END_TEST

/* Another node may say anything. */
START_TEST(test_what_has_no_effect)
{
    static const size_t wrong[] = {0, 1, 13, 15, 21, 1025};
    struct hub_note note, told;
    const int64_t id = ask_home();
    world_settle(&home);
    note = home.notes[0];
    ck_assert_int_eq(note.kind, HUB_NOTE_WORD);
    ck_assert_uint_eq(note.text_len, 14 + 8);
    site_carry();
    world_settle(&away);
    ck_assert_uint_eq(away.note_count, 1);
    told = away.notes[0];
    away.note_count = 0;
    for (size_t at = 0; at < sizeof wrong / sizeof wrong[0]; at++) {
        struct hub_note other = told;
        other.text_len = wrong[at];
        hub_note(home.hub, &other, home.now_ms);
    }
    for (size_t at = 0; at < 14; at++) { /* what kind, whose, of which listing and note */
        struct hub_note other = told;
        other.text[at] = (char)(other.text[at] ^ 0x40);
        hub_note(home.hub, &other, home.now_ms);
    }
    ck_assert_ptr_null(answered(id));
    hub_note(home.hub, &told, home.now_ms);
    hub_note(home.hub, &told, home.now_ms); /* twice is as once */
    ck_assert_ptr_null(answered(id));
    site_carry();
    world_settle(&away);
    ck_assert_uint_eq(away.note_count, 1);
    for (size_t at = 0; at < 14; at++) {
        struct hub_note other = away.notes[0];
        other.text[at] = (char)(other.text[at] ^ 0x40);
        hub_note(home.hub, &other, home.now_ms);
    }
    for (size_t len = 15; len < 14 + 16; len++) {
        struct hub_note other = away.notes[0];
        other.text_len = (uint16_t)len;
        hub_note(home.hub, &other, home.now_ms);
    }
    ck_assert_ptr_null(answered(id));
    site_carry();
    check_friends(answered(id), "Bo-1!");
    note.text[8] = (char)(note.text[8] ^ 1); /* who asks would be at home here */
    hub_note(away.hub, &note, away.now_ms);
    world_settle(&away);
    ck_assert_uint_eq(away.note_count, 0);
}
END_TEST

START_TEST(test_somebody_is_erased_elsewhere)
{
    const uint64_t id = site_session(&away, bo);
    world_do(&home, ana, "block", "{s:s}", "handle", "Bo-1");
    ck_assert(names(&home, id));
    erase(&away, bo, "Bo-1");
    for (int turn = 0; turn < 4; turn++) /* asks, is answered, ends, and is forgotten */
        site_pass(60000);
    ck_assert(!names(&home, id) && !names(&away, id));
}
END_TEST

/* One of a site that was divided otherwise is told on, to all parts there are now. */
START_TEST(test_a_letter_from_before)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%s 05", home.tabs[ana].session);
    const struct store_letter letter = {.text = text, .text_len = (uint16_t)strlen(text)};
    ck_assert_int_eq(erased_apply(home.hub, &letter), LETTER_APPLIED);
    ck_assert(world_figure(&away, "follows") == 1);
    site_pass(60000);
    ck_assert(world_figure(&away, "follows") == 0);
}
END_TEST

Suite *friends_suite(void)
{
    Suite *suite = suite_create("friends");
    TCase *alone = tcase_create("friends"), *parts = tcase_create("friends elsewhere");
    tcase_add_checked_fixture(alone, set_up, tear_down);
    tcase_add_test(alone, test_a_list);
    tcase_add_test(alone, test_what_is_refused);
    tcase_add_loop_test(alone, test_so_many_and_no_more, 0, 2);
    tcase_add_test(alone, test_a_store_that_fails);
    tcase_add_test(alone, test_who_is_there);
    tcase_add_test(alone, test_who_is_not_seen);
    tcase_add_test(alone, test_who_is_blocked);
    tcase_add_test(alone, test_a_long_list);
    tcase_add_test(alone, test_somebody_is_erased);
    tcase_add_test(alone, test_the_store_fails_meanwhile);
    tcase_set_tags(parts, "near");
    tcase_add_checked_fixture(parts, site_up, site_teardown);
    tcase_add_test(parts, test_who_is_there_elsewhere);
    tcase_add_test(parts, test_nobody_says_where);
    tcase_add_test(parts, test_nobody_answers);
    tcase_add_test(parts, test_somebody_asks_again);
    tcase_add_test(parts, test_many_ask_from_one_address);
    tcase_add_test(parts, test_what_has_no_effect);
    tcase_add_test(parts, test_somebody_is_erased_elsewhere);
    tcase_add_test(parts, test_a_letter_from_before);
    suite_add_tcase(suite, alone);
    suite_add_tcase(suite, parts);
    return suite;
}
