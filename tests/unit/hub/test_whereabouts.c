/* `friends`: who of those who are there plays, and where; see test_friends.c for who is there. */
#include "site.h"
#include "suites.h"
#include "world.h"
#include <check.h>
#include <registry/registry.h>
#include <string.h>

static int ana, bo, chi;

static void begin(struct world *one)
{
    one->env.accounts = HUB_ACCOUNTS_OPEN;
    one->env.features = registry;
    one->config.claims_per_address_per_day = 100;
}

static int called(struct world *one, const char *name, const char *handle)
{
    one->host++; /* each from an address of their own */
    const int tab = world_guest(one, name);
    world_do(one, tab, "claim", "{s:s}", "handle", handle);
    return tab;
}

static void follow(struct world *one, int tab, const char *handle)
{
    world_do(one, tab, "follow", "{s:s}", "handle", handle);
}

/* ---- in one part */

static struct world world;

static void set_up(void)
{
    world_init(&world);
    begin(&world);
    world_start(&world);
    ana = called(&world, "Ana", "ana");
    bo = called(&world, "Bo", "Bo-1");
    chi = world_guest(&world, "Chi");
    follow(&world, ana, "Bo-1");
    follow(&world, bo, "ana");
}

static void tear_down(void)
{
    world_release(&world);
}

static void plays(json_t *ok, bool playing, const char *room)
{
    const json_t *one = json_array_get(json_object_get(ok, "friends"), 0);
    ck_assert(json_is_true(json_object_get(one, "playing")) == playing);
    ck_assert_str_eq(str(one, "room"), room);
    json_decref(ok);
}

static void see_where(int tab, bool playing, const char *room)
{
    plays(world_ok(&world, tab, "friends", ""), playing, room);
}

/* A match of two, by invitation or not. */
static void begin_match(struct world *one, struct table *table, int tab, int other,
                        const char *access)
{
    *table = (struct table){.players = 2, .tabs = {tab, other}};
    json_t *ok =
        world_ok(one, tab, "create", "{s:s,s:{s:i}}", "access", access, "options", "players", 2);
    (void)snprintf(table->room, sizeof table->room, "%s", str(ok, "room"));
    (void)snprintf(table->code, sizeof table->code, "%s", str(ok, "code"));
    json_decref(ok);
    for (int at = 0; at < 2; at++) {
        json_t *join = json_pack("{s:s,s:i}", "room", table->room, "seat", at);
        if (table->code[0])
            json_object_set_new(join, "code", json_string(table->code));
        world_do(one, table->tabs[at], "join", "O", join);
        json_decref(join);
    }
}

START_TEST(test_where_they_play)
{
    struct table table;
    const bool is_open = _i;
    begin_match(&world, &table, bo, chi, is_open ? "open" : "code");
    see_where(ana, false, ""); /* not yet */
    world_begin(&world, &table);
    see_where(ana, true, is_open ? table.room : "");
    world_do(&world, bo, "presence", "{s:b}", "hidden", true);
    see_where(ana, false, "");
    world_do(&world, bo, "presence", "{s:b}", "hidden", false);
    world_do(&world, bo, "block", "{s:s}", "handle", "ana");
    see_where(ana, false, "");
    world_do(&world, bo, "unblock", "{s:s}", "handle", "ana");
    see_where(ana, true, is_open ? table.room : "");
    world_cut(&world, bo); /* there again, and not at the table */
    bo = world_back(&world, bo);
    see_where(ana, false, "");
    world_do(&world, bo, "watch", "{s:s}", "room", table.room);
    see_where(ana, true, is_open ? table.room : "");
    world_do(&world, bo, "resign", "{s:s}", "room", table.room);
    see_where(ana, false, "");
}
END_TEST

/* One that anybody may watch comes before others. */
START_TEST(test_at_two_tables)
{
    struct table first, second;
    begin_match(&world, &first, bo, chi, _i ? "open" : "code");
    world_begin(&world, &first);
    begin_match(&world, &second, bo, chi, _i ? "code" : "open");
    world_begin(&world, &second);
    see_where(ana, true, _i ? first.room : second.room);
}
END_TEST

/* ---- in a site of two parts: ana is at home in the one, bo in the other */

static void site_up(void)
{
    site_setup();
    begin(&home);
    begin(&away);
    site_start();
    ana = called(&home, "Ana", "ana");
    bo = called(&away, "Bo", "Bo-1");
    follow(&home, ana, "Bo-1");
    follow(&away, bo, "ana");
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
    const int64_t id = world_post(&home, ana, "friends", "");
    carry_both_ways();
    carry_both_ways();
    world_settle(&home);
    json_t *reply = world_reply(&home, ana, id);
    json_t *ok = json_incref(json_object_get(reply, "ok"));
    json_decref(reply);
    ck_assert_ptr_null(json_object_get(ok, "incomplete"));
    return ok;
}

/* The table is in the other part, where Bo is at home, too; or in Ana's. */
START_TEST(test_where_they_play_elsewhere)
{
    struct table table;
    const bool is_open = _i % 2, is_here = _i / 2;
    struct world *there = is_here ? &home : &away;
    int refused;
    const int dee = called(there, "Dee", "dee");
    const int tab = is_here ? world_connect_as(&home, site_session(&away, bo), "Bo", &refused) : bo;
    begin_match(there, &table, dee, tab, is_open ? "open" : "code");
    world_begin(there, &table);
    plays(ask_away(), true, is_open ? table.room : "");
    world_do(&away, bo, "presence", "{s:b}", "hidden", true);
    plays(ask_away(), false, "");
    world_do(&away, bo, "presence", "{s:b}", "hidden", false);
    world_do(there, tab, "resign", "{s:s}", "room", table.room);
    plays(ask_away(), false, "");
}
END_TEST

Suite *whereabouts_suite(void)
{
    Suite *suite = suite_create("whereabouts");
    TCase *alone = tcase_create("one part"), *parts = tcase_create("two parts");
    tcase_add_checked_fixture(alone, set_up, tear_down);
    tcase_add_loop_test(alone, test_where_they_play, 0, 2);
    tcase_add_loop_test(alone, test_at_two_tables, 0, 2);
    tcase_set_tags(parts, "near");
    tcase_add_checked_fixture(parts, site_up, site_teardown);
    tcase_add_loop_test(parts, test_where_they_play_elsewhere, 0, 4);
    suite_add_tcase(suite, alone);
    suite_add_tcase(suite, parts);
    return suite;
}
