/* Quick match: what becomes of a table that not all accept. */
#include "book/desk.h"
#include "full_batch.h"
#include "pairing/offer.h"
#include "pairing/op_seek.h"
#include "pairing/seek.h"
#include "seek_stage.h"
#include "site.h"
#include "suites.h"
#include "waiting/waiting.h"
#include <hub/kernel.h>
#include <stdio.h>
#include <string.h>

/* Ana and Bo are to play. */
static void find_two(int *ana, int *bo, char room[static 16])
{
    *ana = stage_guest("Ana", "ana");
    *bo = stage_guest("Bo", "bob");
    world_do(&home, *ana, "seek", "");
    world_pass(&home, 3000);
    world_do(&home, *bo, "seek", "");
    world_pass(&home, 2000);
    stage_room_found(*ana, "taluva.duel.live", room);
    stage_room_found(*bo, "taluva.duel.live", room);
}

/* One of them seeks on, with the place of before: since the beginning. */
static void one_seeks_on(int tab, int64_t since_ms)
{
    const struct seeks *waiting = &desk_of(home.hub)->seeks;
    ck_assert_uint_eq(stage_seeks(), 1);
    ck_assert_uint_eq(stage_offers(), 0);
    ck_assert_uint_eq(waiting->count, 1);
    ck_assert_uint_eq(waiting->rows[0].session, site_session(&home, tab));
    ck_assert_int_eq(waiting->tickets[0].since_ms, since_ms);
    ck_assert(!waiting->tickets[0].leaves);
}

START_TEST(who_accepts_seeks_on_if_another_does_not)
{
    char room[16];
    int ana, bo;
    const int64_t began_ms = home.now_ms;
    find_two(&ana, &bo, room);
    const int64_t since_ms = desk_of(home.hub)->seeks.rows[0].since_ms;
    ck_assert_int_lt(since_ms - began_ms, 1000);
    stage_accept(ana, room);
    json_decref(world_ok(&home, bo, "join", "{s:s}", "room", room));
    world_pass(&home, home.config.accept_ms - 3000);
    ck_assert_uint_eq(stage_offers(), 2);
    world_pass(&home, 4000);
    stage_is_told(ana, "again");
    stage_is_told(bo, "ended");
    json_t *closed = world_push(&home, ana, "notice");
    ck_assert_str_eq(str(closed, "code"), "closed");
    json_decref(closed);
    world_refused(&home, ana, "unknown_room", "join", "{s:s}", "room", room);
    one_seeks_on(ana, since_ms);
    const int chi = stage_guest("Chi", "chi");
    world_do(&home, chi, "seek", "");
    world_pass(&home, 2000);
    stage_room_found(ana, "taluva.duel.live", room);
    stage_room_found(chi, "taluva.duel.live", room);
    ck_assert_ptr_null(world_push(&home, bo, "found"));
}
END_TEST

/* Who has begun a match there seeks with somebody else next, if somebody else is there. */
START_TEST(who_has_just_played_together)
{
    char room[16];
    int ana, bo;
    find_two(&ana, &bo, room);
    stage_accept(ana, room);
    stage_accept(bo, room);
    world_do(&home, bo, "start", "{s:s}", "room", room);
    world_pass(&home, 2000);
    stage_nobody_seeks();
    world_do(&home, bo, "resign", "{s:s}", "room", room);
    const int chi = stage_guest("Chi", "chi");
    desk_of(home.hub)->seeks.looked_ms = home.now_ms;
    world_do(&home, ana, "seek", "");
    world_do(&home, bo, "seek", "");
    ck_assert_uint_eq(desk_of(home.hub)->seeks.tickets[0].met[0], site_session(&home, bo));
    world_do(&home, chi, "seek", "");
    world_pass(&home, 2000);
    stage_room_found(chi, "taluva.duel.live", room);
}
END_TEST

/* Their match is over before the desk has seen that it has begun: who seeks again is found again.
 */
START_TEST(who_seeks_again_at_once_is_found)
{
    char room[16], other[16];
    int ana, bo;
    find_two(&ana, &bo, room);
    stage_accept(ana, room);
    stage_accept(bo, room);
    world_do(&home, bo, "start", "{s:s}", "room", room);
    world_do(&home, bo, "resign", "{s:s}", "room", room);
    ck_assert_uint_eq(stage_offers(), 2);
    world_do(&home, bo, "seek", "");
    const int chi = stage_guest("Chi", "chi");
    world_do(&home, chi, "seek", "");
    world_pass(&home, 2000);
    stage_room_found(bo, "taluva.duel.live", other);
    ck_assert_str_ne(room, other);
    stage_room_found(chi, "taluva.duel.live", room);
    ck_assert_str_eq(room, other);
}
END_TEST

/* ... and who takes that back meanwhile is not. */
START_TEST(who_takes_back_a_seek_at_once_is_not_found)
{
    char room[16];
    int ana, bo;
    find_two(&ana, &bo, room);
    stage_accept(ana, room);
    stage_accept(bo, room);
    world_do(&home, bo, "start", "{s:s}", "room", room);
    world_do(&home, bo, "resign", "{s:s}", "room", room);
    world_do(&home, bo, "seek", "");
    world_pass(&home, 1); /* of one millisecond nobody knows which letter was first */
    world_do(&home, bo, "unseek", "");
    ck_assert_uint_eq(stage_offers(), 2);
    world_pass(&home, 4000);
    stage_nobody_seeks();
}
END_TEST

/* Who goes is not waited for; nobody else is to blame. */
START_TEST(who_leaves_ends_it_at_once)
{
    char room[16];
    int ana, bo;
    find_two(&ana, &bo, room);
    const int64_t since_ms = desk_of(home.hub)->seeks.rows[0].since_ms;
    json_decref(world_ok(&home, bo, "join", "{s:s}", "room", room));
    world_do(&home, bo, "leave", "{s:s}", "room", room);
    world_pass(&home, 2000);
    stage_is_told(ana, "again");
    stage_is_told(bo, "ended");
    one_seeks_on(ana, since_ms);
}
END_TEST

START_TEST(who_does_not_seek_any_more_has_declined)
{
    char room[16];
    int ana, bo;
    find_two(&ana, &bo, room);
    const int64_t since_ms = desk_of(home.hub)->seeks.rows[0].since_ms;
    world_do(&home, ana, "seek", ""); /* said again */
    world_do(&home, bo, "unseek", "");
    world_pass(&home, 2000);
    stage_is_told(bo, "ended");
    stage_is_told(ana, "again");
    one_seeks_on(ana, since_ms);
}
END_TEST

START_TEST(nobody_accepts)
{
    char room[16];
    int ana, bo;
    find_two(&ana, &bo, room);
    world_pass(&home, home.config.accept_ms);
    stage_is_told(ana, "ended");
    stage_is_told(bo, "ended");
    stage_nobody_seeks();
}
END_TEST

/* All are ready, and none of them begins: they are put together anew. */
START_TEST(nobody_begins)
{
    char room[16], other[16];
    int ana, bo;
    find_two(&ana, &bo, room);
    stage_accept(ana, room);
    stage_accept(bo, room);
    world_pass(&home, home.config.accept_ms);
    stage_is_told(ana, "again");
    stage_is_told(bo, "again");
    world_pass(&home, 2000);
    stage_room_found(ana, "taluva.duel.live", other);
    ck_assert_str_ne(room, other);
    ck_assert_uint_eq(stage_offers(), 2);
}
END_TEST

/* What the server has lost nobody is to blame for. */
START_TEST(a_table_that_is_gone)
{
    char room[16];
    int ana, bo;
    find_two(&ana, &bo, room);
    memset(desk_of(home.hub)->seeks.offers[0].room, '0', PROTOCOL_ROOM_BYTES);
    memset(desk_of(home.hub)->seeks.offers[1].room, '0', PROTOCOL_ROOM_BYTES);
    world_pass(&home, 1000);
    stage_is_told(ana, "again");
    stage_is_told(bo, "again");
    ck_assert_uint_eq(stage_seeks(), 2);
}
END_TEST

/* The desk dies while it waits, and goes on waiting. */
START_TEST(a_table_outlives_the_desk)
{
    char room[16];
    int ana, bo;
    find_two(&ana, &bo, room);
    const int64_t since_ms = desk_of(home.hub)->seeks.rows[0].since_ms;
    stage_accept(ana, room);
    world_restart(&home);
    home.tabs[ana].link.open = home.tabs[bo].link.open = false;
    ana = world_back(&home, ana);
    ck_assert_uint_eq(stage_offers(), 2);
    ck_assert(desk_of(home.hub)->seeks.tickets[0].leaves);
    world_pass(&home, home.config.accept_ms);
    stage_is_told(ana, "again");
    one_seeks_on(ana, since_ms);
}
END_TEST

/* Its end cannot be stored: nothing has changed, and it ends later. */
START_TEST(an_end_that_cannot_be_stored)
{
    char room[16];
    int ana, bo;
    find_two(&ana, &bo, room);
    const int64_t since_ms = desk_of(home.hub)->seeks.rows[0].since_ms;
    stage_accept(ana, room);
    home.held = true;
    world_pass(&home, home.config.accept_ms);
    ck_assert(desk_of(home.hub)->seeks.offers[0].ends);
    world_commit(&home, STORE_FAILED);
    ck_assert_uint_eq(stage_offers(), 2);
    ck_assert(!desk_of(home.hub)->seeks.offers[0].ends);
    home.held = false;
    world_pass(&home, home.config.store_retry_max_ms + 5000);
    stage_is_told(ana, "again");
    one_seeks_on(ana, since_ms);
}
END_TEST

/* The room's end waits for the store as the table's does. */
START_TEST(a_batch_with_one_place_left)
{
    char room[16];
    int ana, bo;
    find_two(&ana, &bo, room);
    struct seeks *waiting = &desk_of(home.hub)->seeks;
    leave_pending(home.hub, (size_t)_i);
    desk_of(home.hub)->failed_ms = 0; /* as if it had been there for longer */
    for (size_t at = 0; at < waiting->count; at++)
        waiting->offers[at].until_ms = 0;
    waiting->looked_ms = 0;
    seeks_tick(home.hub);
    world_settle(&home);
    stage_is_told(ana, "ended");
    stage_is_told(bo, "ended");
    stage_nobody_seeks();
}
END_TEST

/* One room waits for the store, and the other table ends without it. */
START_TEST(a_busy_room_keeps_no_other_table)
{
    char room[16], other[16];
    int ana, bo;
    find_two(&ana, &bo, room);
    const int chi = stage_guest("Chi", "chi"), dan = stage_guest("Dan", "dan");
    world_do(&home, chi, "seek", "");
    world_do(&home, dan, "seek", "");
    world_pass(&home, 2000);
    stage_room_found(chi, "taluva.duel.live", other);
    struct seeks *waiting = &desk_of(home.hub)->seeks;
    ck_assert_uint_eq(waiting->count, 4);
    ck_assert_str_eq(waiting->offers[0].room, room);
    home.held = true;
    (void)world_post(&home, ana, "join", "{s:s}", "room", room);
    (void)world_post(&home, ana, "ready", "{s:s,s:b,s:s}", "room", room, "ready", 1, "nonce",
                     "abababababababababababababababab");
    world_settle(&home);
    ck_assert(!kernel_room_is_durable(kernel_room_find(home.hub, room)));
    desk_of(home.hub)->failed_ms = 0; /* as if it had been there for longer */
    for (size_t at = 0; at < waiting->count; at++)
        waiting->offers[at].until_ms = 0;
    waiting->looked_ms = 0;
    seeks_tick(home.hub);
    for (size_t at = 0; at < waiting->count; at++)
        ck_assert_int_eq(waiting->offers[at].ends, strcmp(waiting->offers[at].room, other) == 0);
    home.held = false;
    world_commit(&home, STORE_OK);
    world_pass(&home, 2000);
    stage_is_told(chi, "ended");
    stage_is_told(dan, "ended");
    stage_is_told(ana, "again");
    stage_is_told(bo, "ended");
}
END_TEST

START_TEST(a_block_at_a_table_holds_behind_it)
{
    char room[16];
    int ana, bo;
    find_two(&ana, &bo, room);
    char text[64];
    (void)snprintf(text, sizeof text, "%016llx 1 %016llx",
                   (unsigned long long)site_session(&home, ana),
                   (unsigned long long)site_session(&home, bo));
    const struct kernel_letter letter = {
        .addressee = LETTER_TO_DESK, .kind = apart_letter, .text = text, .text_len = strlen(text)};
    ck_assert_int_eq(kernel_send_letter(home.hub, &letter), 0);
    world_settle(&home);
    stage_accept(ana, room);
    stage_accept(bo, room);
    world_pass(&home, home.config.accept_ms + 2000);
    stage_is_told(ana, "again");
    ck_assert_uint_eq(stage_seeks(), 2);
    ck_assert_uint_eq(stage_offers(), 0);
}
END_TEST

Suite *offer_suite(void)
{
    Suite *suite = suite_create("offer");
    TCase *tables = tcase_create("tables");
    tcase_add_checked_fixture(tables, stage_seek, stage_seek_ended);
    tcase_add_test(tables, who_accepts_seeks_on_if_another_does_not);
    tcase_add_test(tables, who_has_just_played_together);
    tcase_add_test(tables, who_seeks_again_at_once_is_found);
    tcase_add_test(tables, who_takes_back_a_seek_at_once_is_not_found);
    tcase_add_test(tables, who_leaves_ends_it_at_once);
    tcase_add_test(tables, who_does_not_seek_any_more_has_declined);
    tcase_add_test(tables, nobody_accepts);
    tcase_add_test(tables, nobody_begins);
    tcase_add_test(tables, a_table_that_is_gone);
    tcase_add_test(tables, a_table_outlives_the_desk);
    tcase_add_test(tables, an_end_that_cannot_be_stored);
    tcase_add_loop_test(tables, a_batch_with_one_place_left, 0, 3);
    tcase_add_test(tables, a_busy_room_keeps_no_other_table);
    tcase_add_test(tables, a_block_at_a_table_holds_behind_it);
    suite_add_tcase(suite, tables);
    return suite;
}
