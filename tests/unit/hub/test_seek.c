/* Quick match: how those who go together come to one table. */
#include "book/desk.h"
#include "full_batch.h"
#include "pairing/op_seek.h"
#include "pairing/seek.h"
#include "seek_stage.h"
#include "site.h"
#include "suites.h"
#include "waiting/waiting.h"
#include <hub/kernel.h>
#include <hub/kernel_others.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each time costs the whole site's desk something; not to seek any more is never refused. */
START_TEST(who_says_so_too_often)
{
    const int ana = stage_guest("Ana", "ana");
    const int granted = world_until_refused(&home, ana, "slow_down", "{\"id\":1,\"op\":\"seek\"}");
    ck_assert_int_eq(granted, (int)home.config.seeks_burst);
    world_do(&home, ana, "unseek", "");
    ck_assert_uint_eq(stage_seeks(), 0);
    world_pass(&home, 60000 / home.config.seeks_per_min - 1000);
    world_refused(&home, ana, "slow_down", "seek", "");
    world_pass(&home, 1000);
    world_do(&home, ana, "seek", "");
    ck_assert_uint_eq(stage_seeks(), 1);
}
END_TEST

/* ---- at a table */

START_TEST(two_who_seek_find_each_other)
{
    char room[16], same[16];
    const int ana = stage_guest("Ana B", "ana"), bo = stage_guest("Bo", "bob");
    world_do(&home, ana, "seek", "");
    ck_assert_uint_eq(stage_seeks(), 1);
    world_pass(&home, 3000);
    ck_assert_ptr_null(world_push(&home, ana, "found"));
    world_do(&home, bo, "seek", "{s:s,s:{s:[i,i]}}", "game", "taluva", "options", "sizes", 2, 3);
    world_pass(&home, 2000);
    stage_room_found(ana, "taluva.duel.live", room);
    stage_room_found(bo, "taluva.duel.live", same);
    ck_assert_str_eq(room, same);
    ck_assert_uint_eq(stage_offers(), 2);
    json_t *ok = world_ok(&home, ana, "join", "{s:s}", "room", room);
    const json_t *state = json_object_get(ok, "state");
    ck_assert_str_eq(str(state, "rated"), "taluva.duel.live");
    ck_assert_str_eq(str(json_object_get(state, "clock"), "kind"), "fischer");
    bool named = false;
    for (int seat = 0; seat < 2; seat++) {
        const char *key = seat ? "1" : "0";
        const json_t *own = json_object_get(json_object_get(state, "seats"), key);
        named |= strcmp(str(own, "handle"), "ana") == 0 && strcmp(str(own, "name"), "Ana B") == 0;
    }
    ck_assert(named);
    json_decref(ok);
    ck_assert_double_eq(world_figure(&home, "paired_total"), 2);
    ck_assert_double_eq(world_figure(&home, "seeks"), 2);
    stage_accept(ana, room);
    stage_accept(bo, room);
    world_do(&home, bo, "start", "{s:s}", "room", room);
    world_pass(&home, 2000);
    stage_nobody_seeks();
    ck_assert_double_eq(world_figure(&home, "seeks"), 0);
    world_pass(&home, home.config.accept_ms);
    stage_seeks_on(ana);
    ok = world_ok(&home, bo, "watch", "{s:s}", "room", room);
    ck_assert_str_eq(str(json_object_get(ok, "state"), "phase"), "playing");
    json_decref(ok);
}
END_TEST

START_TEST(three_sit_at_one_table)
{
    char rooms[3][16];
    const int tabs[] = {stage_guest("Ana", "ana"), stage_guest("Bo", "bob"),
                        stage_guest("Chi", "chi")};
    for (int i = 0; i < 3; i++)
        world_do(&home, tabs[i], "seek", "{s:s,s:{s:[i,i]}}", "game", "totem", "options", "sizes",
                 3, 4);
    world_pass(&home, 2000);
    for (int i = 0; i < 3; i++)
        stage_room_found(tabs[i], "totem.table.live", rooms[i]);
    ck_assert_str_eq(rooms[0], rooms[2]);
    ck_assert_str_eq(rooms[0], rooms[1]);
}
END_TEST

START_TEST(who_may_not_seek)
{
    const int visitor = world_guest(&home, "Visitor"), ana = stage_guest("Ana", "ana");
    world_refused(&home, visitor, "account_needed", "seek", "");
    world_refused(&home, ana, "unknown_game", "seek", "{s:s}", "game", "chess");
    world_refused(&home, ana, "bad_options", "seek", "{s:{s:[i]}}", "options", "sizes", 6);
    world_refused(&home, ana, "bad_options", "seek", "{s:{s:[i]}}", "options", "sizes", 1);
    world_refused(&home, ana, "bad_options", "seek", "{s:{s:[]}}", "options", "sizes");
    world_refused(&home, ana, "bad_options", "seek", "{s:{s:i}}", "options", "sizes", 2);
    world_refused(&home, ana, "bad_options", "seek", "{s:{s:i}}", "options", "boats", 1);
    world_refused(&home, ana, "bad_options", "seek", "{s:s,s:{s:[i]}}", "game", "totem", "options",
                  "sizes", 5);
    ck_assert_uint_eq(stage_seeks(), 0);
}
END_TEST

START_TEST(who_does_not_seek_any_more)
{
    const int ana = stage_guest("Ana", "ana"), bo = stage_guest("Bo", "bob");
    world_do(&home, ana, "seek", "");
    world_do(&home, ana, "unseek", "");
    ck_assert_uint_eq(stage_seeks(), 0);
    world_do(&home, bo, "seek", "");
    world_do(&home, bo, "seek", ""); /* said again */
    ck_assert_uint_eq(stage_seeks(), 1);
    world_pass(&home, home.config.seek_ms - 1000);
    ck_assert_uint_eq(stage_seeks(), 1);
    world_pass(&home, 2000); /* not said again */
    ck_assert_uint_eq(stage_seeks(), 0);
    world_do(&home, ana, "seek", "");
    world_pass(&home, 3000);
    ck_assert_ptr_null(world_push(&home, ana, "found"));
}
END_TEST

/* The desk dies, and goes on with who waited. */
START_TEST(seeks_go_on_after_a_restart)
{
    char room[16];
    int ana = stage_guest("Ana", "ana");
    world_do(&home, ana, "seek", "");
    world_restart(&home);
    ck_assert_uint_eq(stage_seeks(), 1);
    home.tabs[ana].link.open = false;
    ana = world_back(&home, ana);
    const int bo = stage_guest("Bo", "bob");
    world_do(&home, bo, "seek", "");
    world_pass(&home, 2000);
    stage_room_found(ana, "taluva.duel.live", room);
}
END_TEST

/* ---- letters of one page */

#define ANA     "00000000000000a1"
#define ONE     "00000000000000b1"
#define TWO_TOO "00000000000000b2"

/* In the order in which they are sent. They are durable together, and read so. */
static void send(const char *kind, const char *text)
{
    const struct kernel_letter letter = {
        .addressee = LETTER_TO_DESK, .kind = kind, .text = text, .text_len = strlen(text)};
    hub_tick(home.hub, ++home.now_ms);
    ck_assert_int_eq(kernel_send_letter(home.hub, &letter), 0);
}

static void send_seek(void)
{
    send(seek_letter, ANA " 0 4 - ana Ana");
}

/* Ana's, in memory and in the store: the ids that she is apart from; NULL: she does not seek. */
static void ana_seeks(const char *apart)
{
    for (int restarted = 0; restarted < 2; restarted++) {
        const struct seeks *waiting = &desk_of(home.hub)->seeks;
        ck_assert_uint_eq(waiting->count, apart ? 1 : 0);
        ck_assert_uint_eq(waiting->changing_count, 0);
        if (apart)
            ck_assert_str_eq(waiting->rows[0].apart, apart);
        ck_assert_uint_eq(stage_seeks(), apart ? 1 : 0);
        ck_assert_uint_eq(model_rows(&home.store, &store_letter_table), 0);
        world_restart(&home);
    }
}

START_TEST(two_blocks_are_both_kept)
{
    send_seek();
    world_settle(&home);
    send(apart_letter, ANA " 1 " TWO_TOO);
    send(apart_letter, ANA " 1 " ONE);
    world_settle(&home);
    ana_seeks(ONE TWO_TOO); /* in order, to be found quickly */
}
END_TEST

START_TEST(a_block_does_not_bring_a_seek_back)
{
    send_seek();
    world_settle(&home);
    send(unseek_letter, ANA);
    send(apart_letter, ANA " 1 " ONE);
    world_settle(&home);
    ana_seeks(NULL);
}
END_TEST

START_TEST(a_block_with_the_first_seek_is_kept)
{
    send_seek();
    send(apart_letter, ANA " 1 " ONE);
    world_settle(&home);
    ana_seeks(ONE);
}
END_TEST

START_TEST(seek_and_unseek_in_their_order)
{
    send_seek();
    send(unseek_letter, ANA);
    world_settle(&home);
    ana_seeks(NULL);
    send_seek();
    world_settle(&home);
    send(unseek_letter, ANA);
    send_seek();
    send(apart_letter, ANA " 1 " ONE);
    world_settle(&home);
    ana_seeks(ONE);
}
END_TEST

/* As one that others have kept for so long; whoever comes next wakes the desk. */
static void comes_late(const char *kind, const char *text, int64_t at_ms)
{
    struct store_letter letter = {
        .id = 1, .at_ms = at_ms, .text = text, .text_len = (uint16_t)strlen(text)};
    (void)snprintf(letter.kind, sizeof letter.kind, "%s", kind);
    model_put_row(&home.store, &(struct store_row){.table = &store_letter_table, .row = &letter});
    send(apart_letter, ONE " 1 " TWO_TOO);
    world_settle(&home);
}

/* Behind many letters one may come after what was said later. */
START_TEST(what_is_older_counts_no_more)
{
    send(unseek_letter, ANA);
    world_settle(&home);
    comes_late(seek_letter, ANA " 0 4 - ana Ana", home.now_ms - 1);
    ck_assert_uint_eq(desk_of(home.hub)->seeks.count, 0);
    comes_late(seek_letter, ANA " 0 4 - ana Ana", home.now_ms); /* said at that moment */
    ck_assert_uint_eq(desk_of(home.hub)->seeks.count, 1);
    comes_late(unseek_letter, ANA, home.now_ms - 2);
    ana_seeks("");
    send(unseek_letter, ANA);
    world_settle(&home);
    ana_seeks(NULL);
}
END_TEST

START_TEST(of_so_many_it_is_known_what_they_said)
{
    static struct said_one list[SAID_MAX];
    struct said said;
    said_begin(&said, list);
    for (uint64_t session = 1; session <= SAID_MAX; session++)
        said_at(&said, session, 1000 + (int64_t)session);
    said_at(&said, 1, 9000); /* once more */
    ck_assert_uint_eq(said.count, SAID_MAX);
    ck_assert(said_since(&said, 2, 1001) && !said_since(&said, 2, 1002));
    said_at(&said, SAID_MAX + 1, 5000);
    ck_assert_uint_eq(said.count, SAID_MAX);
    ck_assert(!said_since(&said, 2, 0)); /* of whom it was longest ago */
    ck_assert(said_since(&said, 1, 8999) && said_since(&said, 3, 0));
    ck_assert(said_since(&said, SAID_MAX + 1, 4999));
}
END_TEST

/* A batch that fails leaves no change under way; all letters are applied later. */
START_TEST(changes_that_cannot_be_stored)
{
    send_seek();
    world_settle(&home);
    send(apart_letter, ANA " 1 " ONE);
    send(apart_letter, ANA " 1 " TWO_TOO);
    home.held = true;
    world_settle(&home);
    world_commit(&home, STORE_OK); /* they are sent */
    world_settle(&home);
    ck_assert_uint_eq(desk_of(home.hub)->seeks.changing_count, 1);
    world_commit(&home, STORE_FAILED);
    ck_assert_uint_eq(desk_of(home.hub)->seeks.changing_count, 0);
    home.held = false;
    world_pass(&home, home.config.store_retry_max_ms + 5000);
    ana_seeks(ONE TWO_TOO);
}
END_TEST

/* Nobody is seated whose end of seeking is on its way to the store. */
START_TEST(who_stops_is_not_seated_meanwhile)
{
    send_seek();
    send(seek_letter, ONE " 0 4 - bob Bo");
    desk_of(home.hub)->seeks.looked_ms = home.now_ms;
    world_settle(&home);
    ck_assert_uint_eq(stage_seeks(), 2);
    send(unseek_letter, ANA);
    home.held = true;
    world_settle(&home);
    world_commit(&home, STORE_OK); /* it is sent */
    world_pass(&home, 2 * SEEK_TICK_MS);
    world_commit(&home, STORE_OK);
    home.held = false;
    world_pass(&home, 2 * SEEK_TICK_MS);
    ck_assert_uint_eq(stage_seeks(), 1);
    ck_assert_uint_eq(desk_of(home.hub)->seeks.paired, 0);
}
END_TEST

/* Not of one who is being seated, and not of more than there is place for. */
START_TEST(letters_that_have_to_wait)
{
    struct seeks *waiting = &desk_of(home.hub)->seeks;
    send_seek();
    world_settle(&home);
    waiting->tickets[0].leaves = true;
    send(apart_letter, ANA " 1 " ONE);
    world_settle(&home);
    ck_assert_uint_eq(model_rows(&home.store, &store_letter_table), 1);
    waiting->tickets[0].leaves = false;
    for (uint64_t other = 1; waiting->changing_count < SEEK_CHANGES_MAX; other++)
        waiting_begin_change(waiting, other, false, 0);
    world_pass(&home, 2 * SEEK_TICK_MS);
    ck_assert_uint_eq(model_rows(&home.store, &store_letter_table), 1);
    while (waiting->changing_count > 0)
        waiting_end_change(waiting, waiting->changing[0].session);
    world_pass(&home, 2 * SEEK_TICK_MS);
    ana_seeks(ONE);
}
END_TEST

/* Who is one too many leaves no row that nobody knows. */
START_TEST(no_more_than_there_may_be)
{
    const size_t most = (size_t)home.config.seeks;
    struct seek_row row = {.session = 0xc0000000, .said_ms = home.now_ms, .apart = ""};
    for (size_t at = 0; at < most - 1; at++, row.session++)
        ck_assert(seeks_restore(home.hub, &row)); /* who would sit at no table */
    send_seek();
    send(seek_letter, ONE " 0 4 - bob Bo");
    world_settle(&home);
    ck_assert_uint_eq(desk_of(home.hub)->seeks.count, most);
    ck_assert_uint_eq(stage_seeks(), 1);
    send_seek(); /* who has a place keeps it */
    send(apart_letter, ANA " 1 " ONE);
    world_settle(&home);
    ck_assert_uint_eq(stage_seeks(), 1);
    ck_assert_str_eq(desk_of(home.hub)->seeks.rows[most - 1].apart, ONE);
}
END_TEST

/* ... and is told so; and has a place as soon as there is one. */
START_TEST(who_is_one_too_many_is_told)
{
    const int ana = stage_guest("Ana", "ana"), bo = stage_guest("Bo", "bob"),
              chi = stage_guest("Chi", "chi");
    struct seek_row row = {.session = 0xc0000000, .said_ms = home.now_ms, .apart = ""};
    for (int64_t at = 0; at < home.config.seeks - 1; at++, row.session++)
        ck_assert(seeks_restore(home.hub, &row)); /* who would sit at no table */
    world_do(&home, ana, "seek", "");
    world_do(&home, bo, "seek", "");
    world_settle(&home);
    stage_seeks_on(ana);
    stage_is_told(bo, "full");
    ck_assert_double_eq(world_figure(&home, "seeks_told_total{state=\"full\"}"), 1);
    ck_assert_double_eq(world_figure(&home, "seeks_told_total{state=\"crowd\"}"), 0);
    world_do(&home, ana, "unseek", "");
    world_do(&home, chi, "seek", "");
    world_settle(&home);
    stage_seeks_on(chi);
    ck_assert_uint_eq(stage_seeks(), 1);
}
END_TEST

/* ---- what goes wrong */

/* Ana is erased, and her seek is still there. The others do not wait for her. */
START_TEST(who_is_gone_is_at_no_table)
{
    char room[16], same[16];
    const int ana = stage_guest("Ana", "ana"), bo = stage_guest("Bo", "bob");
    const uint64_t id = site_session(&home, ana);
    world_do(&home, ana, "seek", "");
    world_cut(&home, ana);
    kernel_end_session(home.hub, id);
    world_settle(&home);
    ck_assert_ptr_null(kernel_session_find(home.hub, id));
    ck_assert_uint_eq(stage_seeks(), 1);
    world_do(&home, bo, "seek", "");
    world_pass(&home, 2 * SEEK_TICK_MS);
    ck_assert_ptr_null(world_push(&home, bo, "found"));
    ck_assert_uint_eq(stage_seeks(), 1);
    const int chi = stage_guest("Chi", "chi");
    world_do(&home, chi, "seek", "");
    world_pass(&home, 2 * SEEK_TICK_MS);
    stage_room_found(bo, "taluva.duel.live", room);
    stage_room_found(chi, "taluva.duel.live", same);
    ck_assert_str_eq(room, same);
    ck_assert_uint_eq(desk_of(home.hub)->seeks.paired, 2);
}
END_TEST

static bool opens_room(const struct store_batch *batch)
{
    ck_assert_ptr_nonnull(batch);
    for (size_t at = 0; at < batch->count; at++) {
        if (batch->ops[at].kind == STORE_PUT_ROOM)
            return true;
    }
    return false;
}

/* A room, its seats, and who is told of it: however much of that the batch has place for. */
START_TEST(a_batch_with_few_places_left)
{
    char room[16];
    int tabs[4];
    desk_of(home.hub)->seeks.looked_ms = INT64_MAX / 2;
    for (int i = 0; i < 4; i++) {
        char handle[] = "anna0";
        handle[4] += (char)i;
        tabs[i] = stage_guest("Ana", handle);
        world_do(&home, tabs[i], "seek", "{s:s,s:{s:[i]}}", "game", "totem", "options", "sizes", 4);
    }
    ck_assert_uint_eq(stage_seeks(), 4);
    leave_ops(home.hub, (size_t)_i);
    desk_of(home.hub)->seeks.looked_ms = 0;
    seeks_tick(home.hub);
    world_settle(&home);
    for (int i = 0; i < 4; i++)
        stage_room_found(tabs[i], "totem.table.live", room);
    ck_assert_uint_eq(stage_offers(), 4);
}
END_TEST

START_TEST(what_makes_no_sense_is_set_aside)
{
    static const char *const wrong[] = {"",
                                        "00000000000000a1",
                                        "0000000000000000 0 4 - ana Ana",
                                        "00000000000000a1 2 4 - ana Ana",
                                        "00000000000000a1 0 64 - ana Ana",
                                        "00000000000000a1 0 4 - an Ana",
                                        "00000000000000a1 0 4 - ana",
                                        "00000000000000a1 x 4 - ana Ana",
                                        "00000000000000a1 0 4x - ana Ana",
                                        "00000000000000a1 0 4 ana Ana Ana",
                                        "00000000000000a1 0 4 00000000000000b ana Ana",
                                        "00000000000000a1 0 4 00000000000000B1 ana Ana",
                                        "00000000000000a1 0 4  ana Ana"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const struct kernel_letter letter = {.addressee = LETTER_TO_DESK,
                                             .kind = seek_letter,
                                             .text = wrong[i],
                                             .text_len = strlen(wrong[i])};
        ck_assert_int_eq(kernel_send_letter(home.hub, &letter), 0);
        world_settle(&home);
        ck_assert_uint_eq(model_rows(&home.store, &store_letter_table), i + 1);
    }
    ck_assert_uint_eq(stage_seeks(), 0);
}
END_TEST

/* A room that cannot be stored is none: they seek on. */
START_TEST(a_store_that_fails)
{
    char room[16];
    const int ana = stage_guest("Ana", "ana"), bo = stage_guest("Bo", "bob");
    world_do(&home, ana, "seek", "");
    home.held = true;
    (void)world_post(&home, bo, "seek", "");
    world_settle(&home);
    while (!opens_room(home.out)) {
        world_commit(&home, STORE_OK);
        world_settle(&home);
    }
    world_commit(&home, STORE_FAILED);
    home.held = false;
    ck_assert_uint_eq(stage_offers(), 0);
    world_pass(&home, home.config.store_retry_max_ms + 5000);
    ck_assert_uint_eq(stage_offers(), 2);
    stage_room_found(ana, "taluva.duel.live", room);
}
END_TEST

/* Who seeks alone and has said it long ago is looked at now and then, and not at once again, while
 * the store has no answer. */
START_TEST(one_that_is_over_waits_for_the_store)
{
    (void)stage_guest("Ana", "ana");
    send_seek();
    world_settle(&home);
    home.held = true;
    world_pass(&home, home.config.seek_ms + SEEK_TICK_MS);
    ck_assert_ptr_nonnull(home.out);
    ck_assert_int_gt(seeks_deadline_ms(home.hub), home.now_ms);
    world_commit(&home, STORE_OK);
    home.held = false;
    world_pass(&home, SEEK_TICK_MS);
    ck_assert_uint_eq(stage_seeks(), 0);
}
END_TEST

Suite *seek_suite(void)
{
    Suite *suite = suite_create("seek");
    TCase *tables = tcase_create("tables");
    tcase_add_checked_fixture(tables, stage_seek, stage_seek_ended);
    tcase_add_test(tables, two_who_seek_find_each_other);
    tcase_add_test(tables, three_sit_at_one_table);
    tcase_add_test(tables, who_may_not_seek);
    tcase_add_test(tables, who_says_so_too_often);
    tcase_add_test(tables, who_does_not_seek_any_more);
    tcase_add_test(tables, seeks_go_on_after_a_restart);
    tcase_add_test(tables, two_blocks_are_both_kept);
    tcase_add_test(tables, a_block_does_not_bring_a_seek_back);
    tcase_add_test(tables, a_block_with_the_first_seek_is_kept);
    tcase_add_test(tables, seek_and_unseek_in_their_order);
    tcase_add_test(tables, of_so_many_it_is_known_what_they_said);
    tcase_add_test(tables, changes_that_cannot_be_stored);
    tcase_add_test(tables, who_stops_is_not_seated_meanwhile);
    tcase_add_test(tables, letters_that_have_to_wait);
    tcase_add_test(tables, no_more_than_there_may_be);
    tcase_add_test(tables, who_is_one_too_many_is_told);
    tcase_add_test(tables, who_is_gone_is_at_no_table);
    tcase_add_loop_test(tables, a_batch_with_few_places_left, 0, 20);
    tcase_add_test(tables, what_makes_no_sense_is_set_aside);
    tcase_add_test(tables, a_store_that_fails);
    tcase_add_test(tables, one_that_is_over_waits_for_the_store);
    suite_add_tcase(suite, tables);
    TCase *model = model_case(suite, stage_seek, stage_seek_ended);
    tcase_add_test(model, what_is_older_counts_no_more);
    return suite;
}
