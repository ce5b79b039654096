/*
 * Profiles: what of an account everybody sees, by `profile` and by HTTP; and that each match is
 * counted once, wherever the server dies.
 */
#include "suites.h"
#include "world.h"
#include <hub/store_tables.h>
#include <string.h>

static struct world world;
static int ana, bo, eve;

static int person(const char *handle)
{
    const int tab = world_guest(&world, "Somebody");
    if (handle)
        world_do(&world, tab, "claim", "{s:s}", "handle", handle);
    return tab;
}

static void set_up(void)
{
    world_init(&world);
    world.env.accounts = HUB_ACCOUNTS_OPEN;
    world.config.claims_per_address_per_day = 100;
    world_start(&world);
    ana = person("Ana-1");
    bo = person("bo-1");
    eve = person(NULL);
}

static void tear_down(void)
{
    world_release(&world);
}

/* `loser` resigns at once. */
static void play(const int tabs[2], int loser, const char *access)
{
    struct table table = {.players = 2, .tabs = {tabs[0], tabs[1]}};
    json_t *ok = world_ok(&world, tabs[0], "create", "{s:s,s:{s:i}}", "access", access, "options",
                          "players", 2);
    (void)snprintf(table.room, sizeof table.room, "%s", str(ok, "room"));
    (void)snprintf(table.code, sizeof table.code, "%s", str(ok, "code"));
    json_decref(ok);
    for (int at = 0; at < 2; at++) {
        json_t *join = json_pack("{s:s,s:i}", "room", table.room, "seat", at);
        if (table.code[0])
            json_object_set_new(join, "code", json_string(table.code));
        world_do(&world, tabs[at], "join", "O", join);
        json_decref(join);
    }
    world_begin(&world, &table);
    world_do(&world, loser, "resign", "{s:s}", "room", table.room);
    world_settle(&world);
}

static void play_open(void)
{
    play((int[]){ana, bo}, bo, "open");
}

static json_t *profile(const char *handle)
{
    return world_ok(&world, eve, "profile", "{s:s}", "handle", handle);
}

static const json_t *first(const json_t *ok, const char *name)
{
    return json_array_get(json_object_get(ok, name), 0);
}

/* The only kind of match that there is. */
static void has_played(const char *handle, int matches, int won, int finished, size_t last)
{
    json_t *ok = profile(handle);
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "matches")), 1);
    const json_t *kind = first(ok, "matches");
    ck_assert_str_eq(str(kind, "game"), "taluva");
    ck_assert_str_eq(str(kind, "against"), "people");
    ck_assert_int_eq(num(kind, "size"), 2);
    ck_assert_int_eq(num(kind, "matches"), matches);
    ck_assert_int_eq(num(kind, "won"), won);
    ck_assert_int_eq(num(kind, "finished"), finished);
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "last")), last);
    json_decref(ok);
}

START_TEST(who_somebody_is)
{
    json_t *ok = profile("ana_I");
    ck_assert_str_eq(str(ok, "handle"), "Ana-1");
    ck_assert_str_eq(str(ok, "account"), world.tabs[ana].session);
    ck_assert_int_eq(num(ok, "since"), world.now_ms);
    ck_assert_ptr_null(json_object_get(ok, "hidden"));
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "matches")), 0);
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "last")), 0);
    json_decref(ok);
}
END_TEST

START_TEST(nobody_has_it)
{
    world_refused(&world, eve, "unknown_handle", "profile", "{s:s}", "handle", "nobody");
    world_refused(&world, eve, "bad_field", "profile", "{s:s}", "handle", "no body");
    world_refused(&world, eve, "missing_field", "profile", "");
}
END_TEST

START_TEST(a_handle_of_before_leads_there)
{
    world_do(&world, ana, "claim", "{s:s}", "handle", "Hanna");
    json_t *ok = profile("Ana-1");
    ck_assert_str_eq(str(ok, "handle"), "Hanna");
    json_decref(ok);
}
END_TEST

START_TEST(what_they_have_played)
{
    play_open();
    has_played("Ana-1", 1, 1, 1, 1);
    has_played("bo-1", 1, 0, 0, 1);
    json_t *ok = profile("bo-1");
    const json_t *line = first(ok, "last");
    ck_assert_uint_eq(strlen(str(line, "room")), 8);
    ck_assert_int_eq(num(line, "seat"), 1);
    ck_assert_int_eq(num(line, "at"), world.now_ms);
    ck_assert(json_is_true(json_object_get(line, "left")));
    ck_assert_ptr_null(json_object_get(line, "won"));
    json_decref(ok);
    world_pass(&world, 1000);
    play((int[]){ana, bo}, ana, "open");
    has_played("Ana-1", 2, 1, 1, 2);
    ok = profile("Ana-1");
    ck_assert(json_is_true(json_object_get(first(ok, "last"), "left"))); /* the newest first */
    json_decref(ok);
}
END_TEST

static const json_t *recent(const json_t *ok, const char *what, size_t at)
{
    return json_array_get(json_object_get(json_object_get(ok, "recent"), what), at);
}

/* How they ended, and whom they were played against. */
START_TEST(what_is_recent)
{
    json_t *ok = profile("bo-1");
    ck_assert_int_eq(num(json_object_get(ok, "recent"), "of"), 0);
    json_decref(ok);
    play_open();
    world_pass(&world, 1000);
    play((int[]){ana, bo}, ana, "open");
    play((int[]){ana, bo}, ana, "code"); /* which nobody may open */
    ok = profile("bo-1");
    ck_assert_int_eq(num(json_object_get(ok, "recent"), "of"), 2);
    const json_t *end = recent(ok, "ends", 0);
    ck_assert_str_eq(str(end, "why"), "last-standing");
    ck_assert_str_eq(str(end, "game"), "taluva");
    ck_assert_int_eq(num(end, "matches"), 2);
    ck_assert_int_eq(num(end, "won"), 1);
    ck_assert_ptr_null(recent(ok, "ends", 1));
    ck_assert_ptr_null(recent(ok, "levels", 0));
    json_decref(ok);
}
END_TEST

/* Counted, and not shown where it was. */
START_TEST(a_match_by_invitation)
{
    play((int[]){ana, bo}, bo, "code");
    has_played("Ana-1", 1, 1, 1, 0);
}
END_TEST

START_TEST(against_computers_alone)
{
    json_t *ok = world_ok(&world, ana, "create", "{s:{s:i}}", "options", "players", 2);
    const char *room = str(ok, "room");
    world_do(&world, ana, "join", "{s:s,s:i}", "room", room, "seat", 0);
    world_do(&world, ana, "bot", "{s:s,s:i}", "room", room, "seat", 1);
    world_do(&world, ana, "ready", "{s:s,s:b}", "room", room, "ready", 1);
    world_do(&world, ana, "start", "{s:s}", "room", room);
    world_do(&world, ana, "resign", "{s:s}", "room", room);
    json_decref(ok);
    ok = profile("Ana-1");
    ck_assert_str_eq(str(first(ok, "matches"), "against"), "computers");
    ck_assert_int_eq(num(first(ok, "matches"), "finished"), 0);
    ck_assert_str_eq(str(recent(ok, "levels", 0), "level"), "simple");
    ck_assert_int_eq(num(recent(ok, "levels", 0), "size"), 2);
    ck_assert_int_eq(num(recent(ok, "levels", 0), "matches"), 1);
    ck_assert_int_eq(num(recent(ok, "levels", 0), "won"), 0);
    json_decref(ok);
}
END_TEST

START_TEST(who_had_no_handle_then)
{
    play((int[]){eve, bo}, bo, "open");
    world_do(&world, eve, "claim", "{s:s}", "handle", "eve-1");
    json_t *ok = profile("eve-1");
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "matches")), 0);
    json_decref(ok);
}
END_TEST

START_TEST(after_a_restart)
{
    play_open();
    world_restart(&world);
    eve = world_guest(&world, "Eve");
    has_played("Ana-1", 1, 1, 1, 1);
    ana = person("cy-1"); /* others count for themselves */
    bo = person("dee-1");
    play_open();
    has_played("Ana-1", 1, 1, 1, 1);
    has_played("cy-1", 1, 1, 1, 1);
}
END_TEST

/* The letter was there, and its effect could not be kept: it is counted with the next try, once. */
START_TEST(a_count_that_is_not_stored)
{
    struct table table = {.players = 2, .tabs = {ana, bo}};
    json_t *ok = world_ok(&world, ana, "create", "{s:{s:i}}", "options", "players", 2);
    (void)snprintf(table.room, sizeof table.room, "%s", str(ok, "room"));
    json_decref(ok);
    for (int at = 0; at < 2; at++)
        world_do(&world, table.tabs[at], "join", "{s:s,s:i}", "room", table.room, "seat", at);
    world_begin(&world, &table);
    world.held = true;
    (void)world_post(&world, bo, "resign", "{s:s}", "room", table.room);
    world_settle(&world);
    (void)model_commit(&world.store, world.out); /* the end, with its letters */
    hub_batch_done(world.hub, STORE_OK, 1, world.now_ms);
    world.out = NULL;
    world_settle(&world);
    ck_assert_ptr_nonnull(world.out); /* what they lead to */
    world_commit(&world, STORE_FAILED);
    world.held = false;
    world_pass(&world, 2 * world.config.store_retry_max_ms);
    has_played("Ana-1", 1, 1, 1, 1);
    has_played("bo-1", 1, 0, 0, 1);
    ck_assert_uint_eq(model_rows(&world.store, &store_letter_table), 0);
}
END_TEST

START_TEST(who_shows_nothing)
{
    play_open();
    json_t *ok = world_ok(&world, ana, "profile_show", "{s:b}", "hidden", 1);
    ck_assert(json_is_true(json_object_get(ok, "hidden")));
    json_decref(ok);
    ok = profile("Ana-1");
    ck_assert_str_eq(str(ok, "handle"), "Ana-1");
    ck_assert(json_is_true(json_object_get(ok, "hidden")));
    ck_assert_ptr_null(json_object_get(ok, "matches"));
    ck_assert_ptr_null(json_object_get(ok, "last"));
    json_decref(ok);
    ok = world_ok(&world, ana, "kept", ""); /* to whom it is about it is told all the same */
    ck_assert_int_eq(num(first(ok, "matches"), "won"), 1);
    ck_assert_int_eq(num(first(ok, "matches"), "last"), world.now_ms);
    json_decref(ok);
    world_do(&world, ana, "profile_show", "{s:b}", "hidden", 0);
    has_played("Ana-1", 1, 1, 1, 1);
    world_refused(&world, eve, "account_needed", "profile_show", "{s:b}", "hidden", 1);
    world.answer = STORE_FAILED;
    world_refused(&world, ana, "store_failing", "profile_show", "{s:b}", "hidden", 1);
}
END_TEST

/* ---- by HTTP */

static int get(const char *path, json_t **body)
{
    static const uint8_t address[16] = {[10] = 0xff, [11] = 0xff, [12] = 10, [15] = 7};
    struct hub_http_answer answer;
    uint64_t ticket, done = 0;
    if (!hub_http_get(world.hub, path, address, world.now_ms, &answer, &ticket)) {
        world_settle(&world);
        while (hub_http_next(world.hub, &done, &answer) && done != ticket)
            hub_http_release(&answer);
        ck_assert_uint_eq(done, ticket);
    }
    const int status = answer.status;
    *body = json_loadb((const char *)answer.body, answer.len, 0, NULL);
    hub_http_release(&answer);
    return status;
}

START_TEST(the_same_as_a_page)
{
    json_t *body, *ok;
    play_open();
    ok = profile("bo-1");
    ck_assert_int_eq(get("/api/people/BO_1", &body), 200);
    ck_assert(json_equal(body, ok));
    json_decref(body);
    json_decref(ok);
    static const char *const none[] = {"nobody", "", "a", "Ana-1/", "..", "ana%2d1"};
    for (size_t at = 0; at < sizeof none / sizeof *none; at++) {
        char path[64];
        (void)snprintf(path, sizeof path, "/api/people/%s", none[at]);
        ck_assert_int_eq(get(path, &body), 404);
        ck_assert_ptr_null(body);
    }
    world_do(&world, ana, "profile_show", "{s:b}", "hidden", 1);
    ck_assert_int_eq(get("/api/people/ana-1", &body), 200);
    ck_assert_ptr_null(json_object_get(body, "matches"));
    json_decref(body);
}
END_TEST

Suite *profile_suite(void)
{
    Suite *suite = suite_create("profile");
    TCase *tests = tcase_create("profile");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, who_somebody_is);
    tcase_add_test(tests, nobody_has_it);
    tcase_add_test(tests, a_handle_of_before_leads_there);
    tcase_add_test(tests, what_they_have_played);
    tcase_add_test(tests, what_is_recent);
    tcase_add_test(tests, a_match_by_invitation);
    tcase_add_test(tests, against_computers_alone);
    tcase_add_test(tests, who_had_no_handle_then);
    tcase_add_test(tests, after_a_restart);
    tcase_add_test(tests, a_count_that_is_not_stored);
    tcase_add_test(tests, who_shows_nothing);
    tcase_add_test(tests, the_same_as_a_page);
    suite_add_tcase(suite, tests);
    return suite;
}
