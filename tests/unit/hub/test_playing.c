/* Quick match: one place at a time. Whoever plays at a table is put at no other one. */
#include "book/desk.h"
#include "pairing/op_seek.h"
#include "pairing/places.h"
#include "pairing/playing.h"
#include "pairing/seek.h"
#include "seek_stage.h"
#include "site.h"
#include "suites.h"
#include <hub/kernel.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int ana, bo, chi;
static char room[16];

static void begin_by_seeking(void)
{
    ana = stage_guest("Ana", "ana");
    bo = stage_guest("Bo", "bob");
    chi = stage_guest("Chi", "chi");
    world_do(&home, ana, "seek", "");
    world_do(&home, bo, "seek", "");
    world_pass(&home, 2000);
    stage_room_found(ana, "taluva.duel.live", room);
    stage_room_found(bo, "taluva.duel.live", room);
    stage_accept(ana, room);
    stage_accept(bo, room);
    world_do(&home, bo, "start", "{s:s}", "room", room);
}

/* A table of theirs, made by hand; nobody is ready there. `clock`: of how many seconds; 0: none. */
static void make_table(struct table *table, int host, int guest, int clock)
{
    json_t *ok = clock ? world_ok(&home, host, "create", "{s:{s:s,s:i,s:i}}", "clock", "kind",
                                  "fischer", "bank_s", clock, "increment_s", 10)
                       : world_ok(&home, host, "create", "");
    *table = (struct table){.tabs = {host, guest}, .players = 2};
    (void)snprintf(table->room, sizeof table->room, "%s", str(ok, "room"));
    json_decref(ok);
    for (int i = 0; i < 2; i++)
        json_decref(world_ok(&home, table->tabs[i], "join", "{s:s}", "room", table->room));
}

static size_t stored_places(uint64_t session)
{
    const struct place_row *row;
    size_t count = 0;
    for (size_t at = 0; (row = model_nth(&home.store, &place_table, at)); at++)
        count += row->session == session;
    return count;
}

/* So many are stored, and the desk knows just these. */
static size_t places(void)
{
    const struct places *known = &desk_of(home.hub)->places;
    const struct place_row *row;
    for (size_t at = 0; (row = model_nth(&home.store, &place_table, at)); at++)
        ck_assert(places_find(known, row->session, row->room));
    for (int tab = 0; tab < WORLD_TABS; tab++) {
        size_t at = 0, count = 0;
        while (places_of(known, site_session(&home, tab), 0, &at))
            count++;
        ck_assert_uint_eq(count, stored_places(site_session(&home, tab)));
    }
    ck_assert_uint_eq(known->coming, 0);
    return model_rows(&home.store, &place_table);
}

/* They seek, and nothing comes of it but that. */
static void is_refused(int tab)
{
    world_do(&home, tab, "seek", "");
    world_pass(&home, SEEK_TIMEOUT_MS + 2000);
    stage_is_told(tab, "playing");
    ck_assert_ptr_null(world_push(&home, tab, "found"));
    ck_assert_uint_eq(waiting_find(&desk_of(home.hub)->seeks, site_session(&home, tab)),
                      desk_of(home.hub)->seeks.count);
}

static void are_found(int one, int other)
{
    char found[16];
    world_do(&home, one, "seek", "");
    world_do(&home, other, "seek", "");
    world_pass(&home, 2000);
    stage_room_found(one, "taluva.duel.live", found);
    stage_room_found(other, "taluva.duel.live", found);
    ck_assert_str_ne(found, room);
}

START_TEST(who_plays_is_put_at_no_second_table)
{
    begin_by_seeking();
    world_do(&home, chi, "seek", "");
    is_refused(ana);
    world_do(&home, chi, "unseek", "");
    ck_assert_uint_eq(places(), 2);
    world_restart(&home);
    ck_assert_uint_eq(places(), 2);
    for (int tab = 0; tab <= chi; tab++)
        home.tabs[tab].link.open = false;
    ana = world_back(&home, ana);
    bo = world_back(&home, bo);
    stage_account(ana, "ana");
    is_refused(ana);
    world_do(&home, bo, "resign", "{s:s}", "room", room);
    ck_assert_uint_eq(places(), 0);
    chi = stage_guest("Dan", "dan");
    are_found(ana, chi);
}
END_TEST

/* The desk gives the place itself, whatever the room's letter does. */
START_TEST(the_desk_does_not_wait_for_a_letter)
{
    begin_by_seeking();
    const uint64_t id = site_session(&home, ana);
    places_drop(&desk_of(home.hub)->places, id, room);
    world_pass(&home, 2000);
    ck_assert(playing_has_place(home.hub, id));
}
END_TEST

/* At a table of three whoever is out of it is free, and the others are not. */
START_TEST(who_is_out_is_free)
{
    int tabs[3];
    begin_by_seeking();
    world_do(&home, bo, "resign", "{s:s}", "room", room);
    tabs[0] = ana, tabs[1] = bo, tabs[2] = chi;
    for (int i = 0; i < 3; i++)
        world_do(&home, tabs[i], "seek", "{s:{s:[i]}}", "options", "sizes", 3);
    world_pass(&home, 2000);
    for (int i = 0; i < 3; i++)
        stage_room_found(tabs[i], "taluva.table.live", room);
    for (int i = 0; i < 3; i++)
        stage_accept(tabs[i], room);
    world_do(&home, ana, "start", "{s:s}", "room", room);
    world_pass(&home, 2000);
    ck_assert_uint_eq(places(), 3);
    world_do(&home, chi, "resign", "{s:s}", "room", room);
    ck_assert_uint_eq(places(), 2);
    is_refused(bo);
    are_found(chi, stage_guest("Dan", "dan"));
}
END_TEST

START_TEST(who_begins_by_hand_seeks_no_more)
{
    struct table table;
    ana = stage_guest("Ana", "ana");
    bo = stage_guest("Bo", "bob");
    world_do(&home, ana, "seek", "");
    make_table(&table, ana, bo, 600);
    ck_assert_uint_eq(stage_seeks(), 1); /* it has not begun */
    world_begin(&home, &table);
    stage_is_told(ana, "playing");
    stage_nobody_seeks();
    ck_assert_uint_eq(places(), 2);
    is_refused(bo);
    world_do(&home, ana, "resign", "{s:s}", "room", table.room);
    ck_assert_uint_eq(places(), 0);
    are_found(ana, stage_guest("Chi", "chi"));
}
END_TEST

/* ... also when a table has been found for them already. */
START_TEST(who_begins_by_hand_leaves_the_table_that_was_found)
{
    struct table table;
    ana = stage_guest("Ana", "ana");
    bo = stage_guest("Bo", "bob");
    chi = stage_guest("Chi", "chi");
    make_table(&table, ana, chi, 600);
    world_do(&home, ana, "seek", "");
    world_do(&home, bo, "seek", "");
    world_pass(&home, 2000);
    stage_room_found(bo, "taluva.duel.live", room);
    stage_accept(bo, room);
    world_begin(&home, &table);
    world_pass(&home, 2000);
    stage_is_told(bo, "again");
    stage_is_told(ana, "ended");
    ck_assert_uint_eq(stage_seeks(), 1);
    ck_assert_uint_eq(stage_offers(), 0);
}
END_TEST

/* It is known when the pair is on its way to the store already. */
START_TEST(a_table_that_is_found_while_one_begins)
{
    struct places *known = &desk_of(home.hub)->places;
    struct seeks *seeks = &desk_of(home.hub)->seeks;
    ana = stage_guest("Ana", "ana");
    bo = stage_guest("Bo", "bob");
    world_do(&home, ana, "seek", "");
    seeks->looked_ms = home.now_ms;
    world_do(&home, bo, "seek", "");
    const struct place_row row = {
        .session = site_session(&home, ana), .since_ms = home.now_ms, .room = "0k3m9x0a"};
    home.held = true;
    world_pass(&home, 2000);
    ck_assert(seeks->tickets[0].leaves && !waiting_is_offered(seeks, 0));
    ck_assert(places_reserve(known, 1));
    places_keep(known, &row);
    places_give_back(known, 1);
    home.held = false;
    world_pass(&home, 4000);
    stage_is_told(ana, "ended");
    stage_is_told(bo, "again");
    ck_assert_uint_eq(stage_offers(), 0);
}
END_TEST

/* ... or before: who plays is put at no table, and the other one seeks on. */
START_TEST(a_seek_that_came_while_one_began)
{
    struct places *known = &desk_of(home.hub)->places;
    struct seeks *seeks = &desk_of(home.hub)->seeks;
    ana = stage_guest("Ana", "ana");
    bo = stage_guest("Bo", "bob");
    world_do(&home, ana, "seek", "");
    seeks->looked_ms = home.now_ms;
    world_do(&home, bo, "seek", "");
    const struct place_row row = {
        .session = site_session(&home, ana), .since_ms = home.now_ms, .room = "0k3m9x0a"};
    ck_assert(places_reserve(known, 1));
    places_keep(known, &row);
    places_give_back(known, 1);
    world_pass(&home, 4000);
    stage_is_told(ana, "playing");
    ck_assert_ptr_null(world_push(&home, bo, "found"));
    ck_assert_uint_eq(stage_seeks(), 1);
}
END_TEST

/* Somebody can do these beside: with computers alone, or without a clock. */
START_TEST(tables_that_are_no_place)
{
    struct table table;
    ana = stage_guest("Ana", "ana");
    bo = stage_guest("Bo", "bob");
    make_table(&table, ana, bo, 0);
    world_begin(&home, &table);
    json_t *ok = world_ok(&home, ana, "create", "{s:{s:s,s:i,s:i}}", "clock", "kind", "fischer",
                          "bank_s", 600, "increment_s", 10);
    (void)snprintf(room, sizeof room, "%s", str(ok, "room"));
    json_decref(ok);
    world_do(&home, ana, "join", "{s:s}", "room", room);
    world_do(&home, ana, "bot", "{s:s,s:i,s:i}", "room", room, "seat", 1, "level", 2);
    world_do(&home, ana, "ready", "{s:s,s:b,s:s}", "room", room, "ready", 1, "nonce",
             "abababababababababababababababab");
    world_do(&home, ana, "start", "{s:s}", "room", room);
    ck_assert_uint_eq(places(), 0);
    are_found(ana, bo);
}
END_TEST

/* ---- letters */

#define ANA  "00000000000000a1"
#define ROOM "0k3m9x0a"

static void send_of(const char *kind, const char *text)
{
    const struct kernel_letter letter = {
        .addressee = LETTER_TO_DESK, .kind = kind, .text = text, .text_len = strlen(text)};
    hub_tick(home.hub, ++home.now_ms);
    ck_assert_int_eq(kernel_send_letter(home.hub, &letter), 0);
}

static void send(const char *text)
{
    send_of(playing_letter, text);
}

START_TEST(an_end_waits_for_its_beginning)
{
    send(ROOM " -" ANA);
    world_settle(&home);
    ck_assert_uint_eq(model_rows(&home.store, &store_letter_table), 1);
    send(ROOM " +" ANA);
    world_pass(&home, 1000);
    ck_assert_uint_eq(places(), 0);
    ck_assert_uint_eq(model_rows(&home.store, &store_letter_table), 0);
    send(ROOM " -" ANA); /* its beginning never comes */
    world_pass(&home, 62000);
    ck_assert_uint_eq(model_rows(&home.store, &store_letter_table), 0);
    ck_assert_double_eq(world_figure(&home, "letters_aside"), 0);
}
END_TEST

/* Of a match elsewhere that is over: its letter may come a little later than who seeks again. */
START_TEST(a_seek_waits_for_the_end_that_was_before_it)
{
    send(ROOM " +" ANA);
    world_settle(&home);
    send_of(seek_letter, ANA " 0 4 - ana Ana");
    world_settle(&home);
    ck_assert_uint_eq(stage_seeks(), 0);
    ck_assert_uint_eq(model_rows(&home.store, &store_letter_table), 1);
    send(ROOM " -" ANA);
    world_pass(&home, 1000);
    ck_assert_uint_eq(stage_seeks(), 1);
    ck_assert_uint_eq(model_rows(&home.store, &store_letter_table), 0);
}
END_TEST

START_TEST(letters_that_make_no_sense)
{
    static const char *const texts[] = {ROOM,
                                        ROOM " +00000000000000a",
                                        ROOM " *" ANA,
                                        ROOM " +" ANA " ",
                                        "nothing! +" ANA,
                                        ROOM " +0000000000000000"};
    for (size_t at = 0; at < sizeof texts / sizeof texts[0]; at++) {
        send(texts[at]);
        world_settle(&home);
        ck_assert_uint_eq(model_rows(&home.store, &store_letter_table), at + 1);
    }
    ck_assert_uint_eq(places(), 0);
}
END_TEST

/* Whose room was lost is not kept from playing for ever. */
START_TEST(a_place_ends_after_a_day)
{
    const uint64_t id = 0xa1;
    send(ROOM " +" ANA);
    world_settle(&home);
    ck_assert(playing_has_place(home.hub, id));
    home.now_ms += PLACES_MS;
    ana = stage_guest("Ana", "ana");
    ck_assert(!playing_has_place(home.hub, id));
    world_do(&home, ana, "seek", "");
    world_do(&home, stage_guest("Bo", "bob"), "seek", "");
    world_pass(&home, 3000);
    ck_assert_uint_eq(places(), 0);
}
END_TEST

Suite *playing_suite(void)
{
    Suite *suite = suite_create("playing");
    TCase *one = tcase_create("one place");
    tcase_add_checked_fixture(one, stage_seek, stage_seek_ended);
    tcase_add_test(one, who_plays_is_put_at_no_second_table);
    tcase_add_test(one, the_desk_does_not_wait_for_a_letter);
    tcase_add_test(one, who_is_out_is_free);
    tcase_add_test(one, who_begins_by_hand_seeks_no_more);
    tcase_add_test(one, who_begins_by_hand_leaves_the_table_that_was_found);
    tcase_add_test(one, a_table_that_is_found_while_one_begins);
    tcase_add_test(one, a_seek_that_came_while_one_began);
    tcase_add_test(one, tables_that_are_no_place);
    tcase_add_test(one, an_end_waits_for_its_beginning);
    tcase_add_test(one, a_seek_waits_for_the_end_that_was_before_it);
    tcase_add_test(one, letters_that_make_no_sense);
    tcase_add_test(one, a_place_ends_after_a_day);
    suite_add_tcase(suite, one);
    return suite;
}
