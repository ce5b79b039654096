/* Quick match of several games at once: each is looked for, and all end with the first table. */
#include "../../support/model_rows.h"
#include "book/desk.h"
#include "pairing/op_seek.h"
#include "seek_stage.h"
#include "site.h"
#include "suites.h"
#include "waiting/waiting.h"
#include <hub/kernel.h>
#include <string.h>

static void seek_both(int tab)
{
    world_do(&home, tab, "seek", "{s:{s:[s,s]}}", "options", "games", "totem", "taluva");
}

static void seek_one(int tab, const char *game)
{
    world_do(&home, tab, "seek", "{s:s}", "game", game);
}

static size_t choices(void)
{
    return model_rows(&home.store, &choice_table);
}

START_TEST(each_of_them_is_found)
{
    static const char *const found[][2] = {{"taluva", "taluva.duel.live"},
                                           {"totem", "totem.duel.live"}};
    char room[16], same[16];
    const int ana = stage_guest("Ana", "ana"), bo = stage_guest("Bo", "bob"),
              chi = stage_guest("Chi", "chi");
    seek_both(ana);
    ck_assert_uint_eq(choices(), 1);
    seek_one(bo, found[_i][0]);
    ck_assert_uint_eq(choices(), 1);
    world_pass(&home, 2000);
    stage_room_found(ana, found[_i][1], room);
    stage_room_found(bo, found[_i][1], same);
    ck_assert_str_eq(room, same);
    seek_one(chi, found[1 - _i][0]); /* she has a table, and is at no other one */
    world_pass(&home, 2000);
    ck_assert_ptr_null(world_push(&home, chi, "found"));
    stage_accept(ana, room);
    stage_accept(bo, room);
    world_do(&home, bo, "start", "{s:s}", "room", room);
    world_pass(&home, 2000);
    ck_assert_uint_eq(choices(), 0);
    ck_assert_uint_eq(stage_seeks(), 1);
    ck_assert_ptr_null(world_push(&home, chi, "found"));
}
END_TEST

/* Whoever seeks on after a table that was taken back does so in all of them. */
START_TEST(all_are_sought_on)
{
    char room[16];
    const int ana = stage_guest("Ana", "ana"), bo = stage_guest("Bo", "bob"),
              chi = stage_guest("Chi", "chi");
    seek_both(ana);
    seek_one(bo, "totem");
    world_pass(&home, 2000);
    stage_room_found(ana, "totem.duel.live", room);
    stage_accept(ana, room);
    world_pass(&home, home.config.accept_ms + 2000);
    stage_is_told(ana, "again");
    ck_assert_uint_eq(choices(), 1);
    seek_one(chi, "taluva");
    world_pass(&home, 2000);
    stage_room_found(ana, "taluva.duel.live", room);
}
END_TEST

/* By the row beside the seek, without which a seek is of one game, as those of before are. */
START_TEST(a_restart_and_a_block_leave_them)
{
    static const char block[] = "00000000000000a1 1 00000000000000b1";
    static const char said[] = "00000000000000a1 0 1 - 3 250 1 36 - ana Ana";
    const struct kernel_letter both = {.addressee = LETTER_TO_DESK,
                                       .kind = choice_letter,
                                       .text = said,
                                       .text_len = strlen(said)},
                               blocks = {.addressee = LETTER_TO_DESK,
                                         .kind = apart_letter,
                                         .text = block,
                                         .text_len = strlen(block)};
    const struct seeks *seeks;
    const unsigned all = 1 << pool_kind(0, 2) | 1 << pool_kind(0, 5) | 1 << pool_kind(1, 2);
    ck_assert_int_eq(kernel_send_letter(home.hub, &both), 0);
    world_settle(&home);
    ck_assert_int_eq(kernel_send_letter(home.hub, &blocks), 0);
    world_settle(&home);
    for (int restarted = 0; restarted < 2; restarted++) {
        seeks = &desk_of(home.hub)->seeks;
        ck_assert_uint_eq(seeks->count, 1);
        ck_assert_str_eq(seeks->rows[0].apart, "00000000000000b1");
        ck_assert_uint_eq(seeks->tickets[0].kinds, all); /* there is no Totem for five */
        ck_assert_uint_eq(seeks->choices[0].reach, 250);
        ck_assert_uint_eq(seeks->choices[0].computers, 1);
        world_restart(&home);
    }
    const struct choice_row gone = {.session = 0xa1}, *choice;
    model_drop_row(&home.store, &(struct store_row){.table = &choice_table, .row = &gone});
    world_restart(&home);
    seeks = &desk_of(home.hub)->seeks;
    choice = &seeks->choices[0];
    ck_assert_uint_eq(seeks->tickets[0].kinds, 1 << pool_kind(0, 2) | 1 << pool_kind(0, 5));
    ck_assert(choice->session == 0xa1 && waiting_is_plain(choice, 0));
}
END_TEST

START_TEST(said_again_it_is_what_was_said_last)
{
    const int ana = stage_guest("Ana", "ana");
    const struct seeks *seeks = &desk_of(home.hub)->seeks;
    seek_one(ana, "totem");
    ck_assert_uint_eq(choices(), 0);
    seek_both(ana);
    ck_assert_uint_eq(choices(), 1);
    ck_assert_uint_eq(seeks->tickets[0].kinds, 1 << pool_kind(0, 2) | 1 << pool_kind(1, 2));
    seek_one(ana, "totem");
    ck_assert_uint_eq(choices(), 0);
    ck_assert_uint_eq(seeks->tickets[0].kinds, 1 << pool_kind(1, 2));
    seek_both(ana);
    world_do(&home, ana, "unseek", "");
    ck_assert_uint_eq(choices(), 0);
    stage_nobody_seeks();
}
END_TEST

START_TEST(lists_that_are_none)
{
    const int ana = stage_guest("Ana", "ana");
    world_refused(&home, ana, "bad_options", "seek", "{s:{s:[]}}", "options", "games");
    world_refused(&home, ana, "bad_options", "seek", "{s:{s:s}}", "options", "games", "totem");
    world_refused(&home, ana, "bad_options", "seek", "{s:{s:[s]}}", "options", "games", "chess");
    world_refused(&home, ana, "bad_options", "seek", "{s:{s:[i]}}", "options", "games", 1);
    world_refused(&home, ana, "bad_options", "seek", "{s:s,s:{s:[s]}}", "game", "totem", "options",
                  "games", "totem");
    world_refused(&home, ana, "bad_options", "seek", "{s:{s:[s,s],s:[i]}}", "options", "games",
                  "totem", "taluva", "sizes", 5); /* of one alone */
    world_refused(&home, ana, "bad_options", "seek", "{s:{s:[s],s:[i,i]}}", "options", "games",
                  "totem", "sizes", 2, 5); /* of none */
    world_refused(&home, ana, "bad_options", "seek", "{s:{s:[s,s],s:b}}", "options", "games",
                  "totem", "taluva", "teams", 1);
    ck_assert_uint_eq(stage_seeks(), 0);
    world_do(&home, ana, "seek", "{s:{s:[s]}}", "options", "games", "totem");
    ck_assert_uint_eq(choices(), 0); /* of one it is as without a list */
    world_do(&home, ana, "seek", "{s:{s:[s,s],s:[i,i],s:b}}", "options", "games", "totem", "taluva",
             "sizes", 2, 5, "teams", 1);
    ck_assert_uint_eq(choices(), 1);
}
END_TEST

/* However long they wait; who says it again without it takes anybody. */
START_TEST(nobody_beyond_the_range)
{
    const int ana = stage_guest("Ana", "ana"), bo = stage_guest("Bo", "bob");
    struct seeks *seeks = &desk_of(home.hub)->seeks;
    world_do(&home, ana, "seek", "{s:{s:i}}", "options", "range", 150);
    ck_assert_uint_eq(choices(), 1);
    seeks->tickets[0].rating[pool_kind(0, 2)].strength += 151000;
    world_do(&home, bo, "seek", "");
    world_pass(&home, 1000 * POOL_ANYBODY_S + 2000);
    ck_assert_ptr_null(world_push(&home, bo, "found"));
    world_do(&home, ana, "seek", "");
    ck_assert_uint_eq(choices(), 0);
    ck_assert_uint_eq(seeks->tickets[0].reach, 0);
}
END_TEST

START_TEST(ranges_that_are_none)
{
    const int ana = stage_guest("Ana", "ana");
    (void)stage_guest("Bo", "bob");
    world_refused(&home, ana, "bad_options", "seek", "{s:{s:i}}", "options", "range", 149);
    world_refused(&home, ana, "bad_options", "seek", "{s:{s:i}}", "options", "range", 4001);
    world_refused(&home, ana, "bad_options", "seek", "{s:{s:s}}", "options", "range", "150");
    world_refused(&home, ana, "bad_options", "seek", "{s:s,s:{s:i}}", "handle", "bob", "options",
                  "range", 200); /* those two play however far apart they are */
    world_refused(&home, ana, "bad_options", "seek", "{s:{s:i,s:i}}", "options", "range", 200,
                  "reach", 200);
    ck_assert_uint_eq(stage_seeks(), 0);
    world_do(&home, ana, "seek", "{s:{s:i}}", "options", "range", 4000);
    ck_assert_uint_eq(desk_of(home.hub)->seeks.tickets[0].reach, 4000);
}
END_TEST

/* Rated matches of all classes are counted together. */
START_TEST(who_is_new)
{
    const int ana = stage_guest("Ana", "ana");
    struct desk *desk = desk_of(home.hub);
    for (unsigned class = 1; class <= 3; class ++) {
        const struct standing standing = {.account = site_session(&home, ana),
                                          .class = (uint8_t) class,
                                          .matches = 1,
                                          .n = class};
        seek_one(ana, "taluva");
        ck_assert(desk->seeks.tickets[0].is_new);
        ck_assert_int_eq(ledger_put(&desk->ledger, &standing), 0);
    }
    seek_one(ana, "taluva");
    ck_assert(!desk->seeks.tickets[0].is_new);
}
END_TEST

/* Two who would have three at the table, and nobody comes: both sit at one with a computer, which
 * is not rated, nor counted among those that were found for others. */
START_TEST(a_computer_for_who_is_missing)
{
    char room[16];
    int tabs[2] = {stage_guest("Ana", "ana"), stage_guest("Bo", "bob")};
    const struct desk *desk = desk_of(home.hub);
    for (int i = 0; i < 2; i++)
        world_do(&home, tabs[i], "seek", "{s:{s:[i],s:b}}", "options", "sizes", 3, "computers", 1);
    world_pass(&home, 1000 * POOL_FILL_S - 2000);
    ck_assert_ptr_null(world_push(&home, tabs[0], "found"));
    world_pass(&home, 3000);
    for (int i = 0; i < 2; i++) {
        json_t *found = world_push(&home, tabs[i], "found");
        ck_assert_str_eq(str(found, "unrated"), "computers");
        ck_assert_ptr_null(json_object_get(found, "class"));
        (void)snprintf(room, sizeof room, "%s", str(found, "room"));
        json_decref(found);
        stage_accept(tabs[i], room);
    }
    world_do(&home, tabs[1], "start", "{s:s}", "room", room);
    json_t *watched = world_ok(&home, tabs[0], "watch", "{s:s}", "room", room);
    const json_t *state = json_object_get(watched, "state"), *seat;
    const char *number;
    unsigned bots = 0;
    json_object_foreach(json_object_get(state, "seats"), number, seat) bots +=
        json_is_true(json_object_get(seat, "bot"));
    ck_assert_str_eq(str(state, "phase"), "playing");
    ck_assert_ptr_null(json_object_get(state, "rated"));
    ck_assert_uint_eq(json_object_size(json_object_get(state, "seats")), 3);
    ck_assert_uint_eq(bots, 1);
    json_decref(watched);
    world_pass(&home, 2000);
    stage_nobody_seeks();
    for (unsigned class = 0; class <= RATING_CLASSES; class ++)
        ck_assert_uint_eq(desk->served.of[class].waited_s, 0);
}
END_TEST

START_TEST(computers_that_are_none)
{
    const int ana = stage_guest("Ana", "ana");
    world_refused(&home, ana, "bad_options", "seek", "{s:{s:i}}", "options", "computers", 1);
    world_refused(&home, ana, "bad_options", "seek", "{s:{s:b}}", "options", "computers", 1);
    world_refused(&home, ana, "bad_options", "seek", "{s:{s:b,s:b}}", "options", "teams", 1,
                  "computers", 1);
    ck_assert_uint_eq(stage_seeks(), 0);
    world_do(&home, ana, "seek", "{s:{s:b}}", "options", "computers", 0);
    ck_assert_uint_eq(choices(), 0);
}
END_TEST

/* Of each class once, with their rating of now; not again while they seek the same. */
START_TEST(who_seeks_is_told_how_far)
{
    static const char *const classes[] = {"taluva.team.live", "taluva.duel.live",
                                          "taluva.table.live", "totem.duel.live",
                                          "totem.table.live"};
    const int ana = stage_guest("Ana", "ana");
    struct desk *desk = desk_of(home.hub);
    const struct standing standing = {.account = site_session(&home, ana),
                                      .class = (uint8_t)rating_class_find("taluva.table.live"),
                                      .rating = {1662400, 290000},
                                      .matches = 1,
                                      .n = 1};
    ck_assert_int_eq(ledger_put(&desk->ledger, &standing), 0);
    for (int again = 0; again < 2; again++)
        world_do(&home, ana, "seek", "{s:{s:[s,s],s:[i,i,i,i],s:b}}", "options", "games", "totem",
                 "taluva", "sizes", 2, 3, 4, 5, "teams", 1);
    json_t *told = world_push(&home, ana, "seeking");
    ck_assert_str_eq(str(told, "state"), "waiting");
    ck_assert_int_eq(json_integer_value(json_object_get(told, "since")),
                     desk->seeks.tickets[0].since_ms);
    const json_t *windows = json_object_get(told, "windows");
    ck_assert_uint_eq(json_object_size(windows), 5);
    for (size_t at = 0; at < 5; at++) {
        const json_t *window = json_object_get(windows, classes[at]);
        const bool rated = strcmp(classes[at], "taluva.table.live") == 0;
        ck_assert_int_eq(json_integer_value(json_array_get(window, 0)), rated ? 1662 : 1500);
        ck_assert_int_eq(json_integer_value(json_array_get(window, 1)), rated ? 295 : 325);
    }
    json_decref(told);
    ck_assert_ptr_null(world_push(&home, ana, "seeking"));
    world_do(&home, ana, "seek", "{s:{s:i}}", "options", "range", 200);
    told = world_push(&home, ana, "seeking");
    windows = json_object_get(told, "windows");
    ck_assert_uint_eq(json_object_size(windows), 1);
    ck_assert_int_eq(
        json_integer_value(json_array_get(json_object_get(windows, "taluva.duel.live"), 1)), 200);
    json_decref(told);
}
END_TEST

static void seek_on_device(int tab, const char *device, int range)
{
    if (range) /* which is said by a letter of its own */
        world_do(&home, tab, "seek", "{s:s,s:{s:i}}", "device", device, "options", "range", range);
    else
        world_do(&home, tab, "seek", "{s:s}", "device", device);
}

/* Whatever else they say, and however long they wait. */
START_TEST(who_share_a_device_are_not_put_together)
{
    static const char *const own = "0a1b2c3d", *const other = "0a1b2c3e";
    char room[16];
    const int ana = stage_guest("Ana", "ana"), bo = stage_guest("Bo", "bob");
    for (int again = 0; again < 3; again++) {
        seek_on_device(ana, own, _i ? 300 : 0);
        seek_on_device(bo, own, 0);
        world_pass(&home, 50000);
    }
    ck_assert_uint_eq(stage_offers(), 0);
    ck_assert_uint_eq(stage_seeks(), 2);
    seek_on_device(bo, other, 0);
    world_pass(&home, 2000);
    stage_room_found(ana, "taluva.duel.live", room);
}
END_TEST

START_TEST(letters_that_make_no_sense)
{
    static const char *const wrong[] = {
        "00000000000000a1 0 1 - 0 0 0 4 - ana Ana",    "00000000000000a1 0 1 - 4 0 0 4 - ana Ana",
        "00000000000000a1 0 1 - 3 4001 0 4 - ana Ana", "00000000000000a1 0 1 - 3 0 2 4 - ana Ana",
        "00000000000000a1 0 1 - 3 4 - ana Ana",        "00000000000000a1 3 0 0 4 - ana Ana"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const struct kernel_letter letter = {.addressee = LETTER_TO_DESK,
                                             .kind = choice_letter,
                                             .text = wrong[i],
                                             .text_len = strlen(wrong[i])};
        ck_assert_int_eq(kernel_send_letter(home.hub, &letter), 0);
        world_settle(&home);
        ck_assert_uint_eq(model_rows(&home.store, &store_letter_table), i + 1);
    }
    ck_assert_uint_eq(stage_seeks(), 0);
}
END_TEST

Suite *choice_suite(void)
{
    Suite *suite = suite_create("choice");
    TCase *tests = tcase_create("several games");
    tcase_add_checked_fixture(tests, stage_seek, stage_seek_ended);
    tcase_add_loop_test(tests, each_of_them_is_found, 0, 2);
    tcase_add_test(tests, all_are_sought_on);
    tcase_add_test(tests, said_again_it_is_what_was_said_last);
    tcase_add_test(tests, lists_that_are_none);
    tcase_add_test(tests, nobody_beyond_the_range);
    tcase_add_test(tests, ranges_that_are_none);
    tcase_add_test(tests, who_is_new);
    tcase_add_test(tests, a_computer_for_who_is_missing);
    tcase_add_test(tests, computers_that_are_none);
    tcase_add_test(tests, who_seeks_is_told_how_far);
    tcase_add_loop_test(tests, who_share_a_device_are_not_put_together, 0, 2);
    tcase_add_test(tests, letters_that_make_no_sense);
    suite_add_tcase(suite, tests);
    TCase *model = model_case(suite, stage_seek, stage_seek_ended);
    tcase_add_test(model, a_restart_and_a_block_leave_them);
    return suite;
}
