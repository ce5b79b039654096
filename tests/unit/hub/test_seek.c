/* Quick match: who goes together, and how they come to one table. */
#include "desk.h"
#include "pool.h"
#include "seek.h"
#include "site.h"
#include "suites.h"
#include "waiting.h"
#include <hub/kernel.h>
#include <hub/kernel_account.h>
#include <identity/identity.h>
#include <ratings/ratings.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- groups */

enum { MANY = 400, NOW_MS = 1000000 };

static struct ticket tickets[MANY];
static size_t work[MANY * POOL_WORK];
static struct group group;

/* Of somebody whose rating is that in each size, in points, and who has waited so many seconds. */
static struct ticket ticket(unsigned sizes, unsigned points, unsigned deviation, int waited_s)
{
    static uint64_t sessions;
    struct ticket made = {
        .session = ++sessions, .since_ms = NOW_MS - 1000 * waited_s, .sizes = (uint8_t)sizes};
    for (unsigned size = 0; size <= POOL_SIZE_MAX; size++)
        made.rating[size] = (struct rating){1000 * points, 1000 * deviation};
    return made;
}

static bool next(size_t count)
{
    struct pool pool;
    pool_begin(&pool, tickets, count, NOW_MS, work);
    return pool_next(&pool, &group);
}

static bool has(size_t at)
{
    for (unsigned i = 0; i < group.size; i++) {
        if (group.at[i] == at)
            return true;
    }
    return false;
}

enum { TWO = 1 << 2, THREE = 1 << 3, FOUR = 1 << 4, FIVE = 1 << 5 };

START_TEST(nobody_is_put_together_with_nobody)
{
    tickets[0] = ticket(TWO, 1500, 50, 1000);
    ck_assert(!next(0));
    ck_assert(!next(1));
    tickets[1] = ticket(THREE, 1500, 50, 1000); /* of another size */
    ck_assert(!next(2));
    tickets[1] = ticket(TWO, 1500, 50, 1000);
    tickets[1].game = 1;
    ck_assert(!next(2));
    tickets[1].game = 0;
    tickets[1].leaves = true;
    ck_assert(!next(2));
    tickets[1].leaves = false;
    ck_assert(next(2));
    ck_assert_uint_eq(group.size, 2);
}
END_TEST

/* 150 points, half a deviation, and 10 for each second of who has waited less. */
START_TEST(windows_widen)
{
    tickets[0] = ticket(TWO, 1500, 100, 0);
    tickets[1] = ticket(TWO, 1700, 200, 0);
    ck_assert(next(2)); /* 200 is within 200 and 250 */
    tickets[1] = ticket(TWO, 1701, 200, 0);
    ck_assert(!next(2));
    tickets[1].since_ms -= 30000;
    ck_assert(!next(2)); /* the other one has not waited */
    tickets[0].since_ms -= 1000;
    ck_assert(next(2));
    tickets[1] = ticket(TWO, 4000, 50, 89);
    tickets[0] = ticket(TWO, 1000, 50, 90);
    ck_assert(!next(2));
    tickets[1] = ticket(TWO, 4000, 50, 90);
    ck_assert(next(2)); /* anybody */
    ck_assert_uint_eq(pool_window(&tickets[1], 2, NOW_MS), UINT64_MAX);
    ck_assert_uint_eq(pool_window(&tickets[1], 2, NOW_MS - 100000), 175000);
}
END_TEST

START_TEST(the_nearest_and_the_larger_table)
{
    tickets[0] = ticket(TWO, 1500, 100, 5);
    tickets[1] = ticket(TWO, 1600, 100, 0);
    tickets[2] = ticket(TWO, 1450, 100, 0);
    ck_assert(next(3));
    ck_assert(has(0) && has(2));
    /* Three are worth 60 points more than two. */
    for (unsigned i = 0; i < 3; i++)
        tickets[i] = ticket(TWO | THREE, 1500 + 25 * i, 100, 0);
    ck_assert(next(3));
    ck_assert_uint_eq(group.size, 3);
    tickets[2] = ticket(TWO | THREE, 1500 + 25 + 61, 100, 0);
    ck_assert(next(3));
    ck_assert_uint_eq(group.size, 2);
    /* Half a point for each second that they have waited, in the middle. */
    tickets[0] = ticket(TWO, 1500, 100, 60);
    tickets[1] = ticket(TWO, 1540, 100, 60);
    tickets[2] = ticket(TWO, 1471, 100, 0);
    ck_assert(next(3)); /* 40 - 30, and 29 - 15 */
    ck_assert(has(1));
    for (unsigned i = 0; i < 5; i++)
        tickets[i] = ticket(FIVE | FOUR, 1500, 100, 0);
    ck_assert(next(5));
    ck_assert_uint_eq(group.size, 5);
}
END_TEST

/* ---- waits and spreads, beside what other rules give */

static double drawn(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) / 9007199254740992.0;
}

/* So many come in ten minutes, one after the other; nobody goes. No compatible pair waits longer
 * than 95 s. */
START_TEST(two_who_fit_do_not_both_wait_long)
{
    uint64_t state = (uint64_t)_i + 1;
    size_t count = 0;
    int64_t now_ms = NOW_MS;
    for (int second = 0; second < 3600; second++, now_ms += 1000) {
        if (count < MANY && drawn(&state) < 0.05 * (1 + _i % 4)) {
            const unsigned points = 700 + (unsigned)(1600 * drawn(&state));
            const unsigned sizes[] = {TWO, TWO | THREE, THREE | FOUR, FIVE | TWO, FOUR};
            tickets[count] = ticket(sizes[(int)(5 * drawn(&state))], points, 120, 0);
            tickets[count++].since_ms = now_ms;
        }
        struct pool pool;
        pool_begin(&pool, tickets, count, now_ms, work);
        while (pool_next(&pool, &group)) {
            for (unsigned i = 0; i < group.size; i++)
                tickets[group.at[i]].leaves = true;
        }
        size_t left = 0;
        for (size_t at = 0; at < count; at++) {
            if (!tickets[at].leaves)
                tickets[left++] = tickets[at];
        }
        count = left;
        for (size_t a = 0; a < count; a++) {
            for (size_t b = 0; b < a; b++)
                ck_assert(!(tickets[a].sizes & tickets[b].sizes & TWO) ||
                          now_ms - tickets[a].since_ms < 95000 ||
                          now_ms - tickets[b].since_ms < 95000);
        }
    }
}
END_TEST

/* ---- what it costs */

enum { CROWD = SEEKS_MAX, STEPS_MAX = 500 /* of each */ };
static struct ticket crowd[CROWD];
static size_t crowd_work[CROWD * POOL_WORK];

/* As many as there may be, who would sit at any table: near each other, far, or all the same; and
 * who have just come, or take anybody. Nobody is in two groups, and at the end nobody is left who
 * fits. */
START_TEST(a_crowd_costs_little)
{
    static const struct {
        double points;
        int waited_s;
    } kinds[] = {{1600, 30}, {1600, 120}, {0, 0}, {3900, 0}, {3900, 85}, {400, 120}};
    struct pool pool;
    uint64_t state = (uint64_t)_i + 7;
    size_t grouped = 0;
    for (size_t at = 0; at < CROWD; at++) {
        const unsigned points = 100 + (unsigned)(kinds[_i].points * drawn(&state));
        crowd[at] = ticket(TWO | THREE | FOUR | FIVE, points, 120,
                           (int)(kinds[_i].waited_s * drawn(&state)));
        crowd[at].game = (uint8_t)(at % POOL_GAMES);
    }
    pool_begin(&pool, crowd, CROWD, NOW_MS, crowd_work);
    while (pool_next(&pool, &group)) {
        for (unsigned i = 0; i < group.size; i++) {
            struct ticket *own = &crowd[group.at[i]];
            ck_assert(!own->leaves && own->game == crowd[group.at[0]].game);
            own->leaves = true;
            grouped++;
        }
    }
    ck_assert_uint_gt(grouped, CROWD / 2);
    ck_assert_uint_lt(pool.steps, (uint64_t)CROWD * STEPS_MAX);
    ck_assert_int_lt(pool.passes, POOL_PASSES);
    pool_begin(&pool, crowd, CROWD, NOW_MS, crowd_work);
    ck_assert(!pool_next(&pool, &group));
}
END_TEST

/* ---- at a table */

static const struct feature *const features[] = {&feature_identity, &feature_ratings, NULL};

static void set_up(void)
{
    world_init(&home);
    home.env.features = features;
    world_start(&home);
}

static void tear_down(void)
{
    world_release(&home);
}

static int guest(const char *name, const char *handle)
{
    const int tab = world_guest(&home, name);
    struct kernel_account *account = calloc(1, sizeof *account);
    account->shown.kind = ACCOUNT_PERSON;
    (void)snprintf(account->shown.handle, sizeof account->shown.handle, "%s", handle);
    kernel_give_account(home.hub, kernel_session_find(home.hub, site_session(&home, tab)), account);
    return tab;
}

static void room_found(int tab, const char *class, char room[static 16])
{
    json_t *found = world_push(&home, tab, "found");
    ck_assert_ptr_nonnull(found);
    ck_assert_str_eq(str(found, "class"), class);
    (void)snprintf(room, 16, "%s", str(found, "room"));
    json_decref(found);
}

static size_t seeks(void)
{
    return model_rows(&home.store, &seek_table);
}

START_TEST(two_who_seek_find_each_other)
{
    char room[16], same[16];
    const int ana = guest("Ana B", "ana"), bo = guest("Bo", "bob");
    world_do(&home, ana, "seek", "");
    ck_assert_uint_eq(seeks(), 1);
    world_pass(&home, 3000);
    ck_assert_ptr_null(world_push(&home, ana, "found"));
    world_do(&home, bo, "seek", "{s:s,s:{s:[i,i]}}", "game", "taluva", "options", "sizes", 2, 3);
    world_pass(&home, 2000);
    room_found(ana, "taluva.duel.live", room);
    room_found(bo, "taluva.duel.live", same);
    ck_assert_str_eq(room, same);
    ck_assert_uint_eq(seeks(), 0);
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
    ck_assert_double_eq(world_figure(&home, "seeks"), 0);
}
END_TEST

START_TEST(three_sit_at_one_table)
{
    char rooms[3][16];
    const int tabs[] = {guest("Ana", "ana"), guest("Bo", "bob"), guest("Chi", "chi")};
    for (int i = 0; i < 3; i++)
        world_do(&home, tabs[i], "seek", "{s:s,s:{s:[i,i]}}", "game", "totem", "options", "sizes",
                 3, 4);
    world_pass(&home, 2000);
    for (int i = 0; i < 3; i++)
        room_found(tabs[i], "totem.table.live", rooms[i]);
    ck_assert_str_eq(rooms[0], rooms[2]);
    ck_assert_str_eq(rooms[0], rooms[1]);
}
END_TEST

START_TEST(who_may_not_seek)
{
    const int visitor = world_guest(&home, "Visitor"), ana = guest("Ana", "ana");
    world_refused(&home, visitor, "account_needed", "seek", "");
    world_refused(&home, ana, "unknown_game", "seek", "{s:s}", "game", "chess");
    world_refused(&home, ana, "bad_options", "seek", "{s:{s:[i]}}", "options", "sizes", 6);
    world_refused(&home, ana, "bad_options", "seek", "{s:{s:[i]}}", "options", "sizes", 1);
    world_refused(&home, ana, "bad_options", "seek", "{s:{s:[]}}", "options", "sizes");
    world_refused(&home, ana, "bad_options", "seek", "{s:{s:i}}", "options", "sizes", 2);
    world_refused(&home, ana, "bad_options", "seek", "{s:{s:i}}", "options", "boats", 1);
    world_refused(&home, ana, "bad_options", "seek", "{s:s,s:{s:[i]}}", "game", "totem", "options",
                  "sizes", 5);
    ck_assert_uint_eq(seeks(), 0);
}
END_TEST

START_TEST(who_does_not_seek_any_more)
{
    const int ana = guest("Ana", "ana"), bo = guest("Bo", "bob");
    world_do(&home, ana, "seek", "");
    world_do(&home, ana, "unseek", "");
    ck_assert_uint_eq(seeks(), 0);
    world_do(&home, bo, "seek", "");
    world_do(&home, bo, "seek", ""); /* said again */
    ck_assert_uint_eq(seeks(), 1);
    world_pass(&home, SEEK_KEPT_MS - 1000);
    ck_assert_uint_eq(seeks(), 1);
    world_pass(&home, 2000); /* not said again */
    ck_assert_uint_eq(seeks(), 0);
    world_do(&home, ana, "seek", "");
    world_pass(&home, 3000);
    ck_assert_ptr_null(world_push(&home, ana, "found"));
}
END_TEST

/* The desk dies, and goes on with who waited. */
START_TEST(seeks_go_on_after_a_restart)
{
    char room[16];
    int ana = guest("Ana", "ana");
    world_do(&home, ana, "seek", "");
    world_restart(&home);
    ck_assert_uint_eq(seeks(), 1);
    home.tabs[ana].link.open = false;
    ana = world_back(&home, ana);
    const int bo = guest("Bo", "bob");
    world_do(&home, bo, "seek", "");
    world_pass(&home, 2000);
    room_found(ana, "taluva.duel.live", room);
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
        ck_assert_uint_eq(seeks(), apart ? 1 : 0);
        ck_assert_uint_eq(model_rows(&home.store, &store_letter_table), 0);
        world_restart(&home);
    }
}

START_TEST(two_blocks_are_both_kept)
{
    send_seek();
    world_settle(&home);
    send(apart_letter, ANA " 1 " ONE);
    send(apart_letter, ANA " 1 " TWO_TOO);
    world_settle(&home);
    ana_seeks(ONE TWO_TOO);
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
    ck_assert_uint_eq(seeks(), 2);
    send(unseek_letter, ANA);
    home.held = true;
    world_settle(&home);
    world_commit(&home, STORE_OK); /* it is sent */
    world_pass(&home, 2 * SEEK_TICK_MS);
    world_commit(&home, STORE_OK);
    home.held = false;
    world_pass(&home, 2 * SEEK_TICK_MS);
    ck_assert_uint_eq(seeks(), 1);
    ck_assert_uint_eq(desk_of(home.hub)->seeks.paired, 0);
}
END_TEST

/* Who is one too many leaves no row that nobody knows. */
START_TEST(no_more_than_there_may_be)
{
    struct seek_row row = {.session = 0xc0000000, .said_ms = home.now_ms, .apart = ""};
    for (size_t at = 0; at < SEEKS_MAX - 1; at++, row.session++)
        ck_assert(seeks_restore(home.hub, &row)); /* who would sit at no table */
    send_seek();
    send(seek_letter, ONE " 0 4 - bob Bo");
    world_settle(&home);
    ck_assert_uint_eq(desk_of(home.hub)->seeks.count, SEEKS_MAX);
    ck_assert_uint_eq(seeks(), 1);
    send_seek(); /* who has a place keeps it */
    send(apart_letter, ANA " 1 " ONE);
    world_settle(&home);
    ck_assert_uint_eq(seeks(), 1);
    ck_assert_str_eq(desk_of(home.hub)->seeks.rows[SEEKS_MAX - 1].apart, ONE);
}
END_TEST

/* ---- what goes wrong */

static bool opens_room(const struct store_batch *batch)
{
    ck_assert_ptr_nonnull(batch);
    for (size_t at = 0; at < batch->count; at++) {
        if (batch->ops[at].kind == STORE_PUT_ROOM)
            return true;
    }
    return false;
}

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
    ck_assert_uint_eq(seeks(), 0);
}
END_TEST

/* A room that cannot be stored is none: they seek on. */
START_TEST(a_store_that_fails)
{
    char room[16];
    const int ana = guest("Ana", "ana"), bo = guest("Bo", "bob");
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
    ck_assert_uint_eq(seeks(), 2);
    world_pass(&home, home.config.store_retry_max_ms + 5000);
    ck_assert_uint_eq(seeks(), 0);
    room_found(ana, "taluva.duel.live", room);
}
END_TEST

Suite *seek_suite(void)
{
    Suite *suite = suite_create("seek");
    TCase *groups = tcase_create("groups"), *tables = tcase_create("tables");
    tcase_add_test(groups, nobody_is_put_together_with_nobody);
    tcase_add_test(groups, windows_widen);
    tcase_add_test(groups, the_nearest_and_the_larger_table);
    tcase_add_loop_test(groups, two_who_fit_do_not_both_wait_long, 0, 8);
    tcase_add_loop_test(groups, a_crowd_costs_little, 0, 6);
    tcase_add_checked_fixture(tables, set_up, tear_down);
    tcase_add_test(tables, two_who_seek_find_each_other);
    tcase_add_test(tables, three_sit_at_one_table);
    tcase_add_test(tables, who_may_not_seek);
    tcase_add_test(tables, who_does_not_seek_any_more);
    tcase_add_test(tables, seeks_go_on_after_a_restart);
    tcase_add_test(tables, two_blocks_are_both_kept);
    tcase_add_test(tables, a_block_does_not_bring_a_seek_back);
    tcase_add_test(tables, a_block_with_the_first_seek_is_kept);
    tcase_add_test(tables, seek_and_unseek_in_their_order);
    tcase_add_test(tables, changes_that_cannot_be_stored);
    tcase_add_test(tables, who_stops_is_not_seated_meanwhile);
    tcase_add_test(tables, no_more_than_there_may_be);
    tcase_add_test(tables, what_makes_no_sense_is_set_aside);
    tcase_add_test(tables, a_store_that_fails);
    suite_add_tcase(suite, groups);
    suite_add_tcase(suite, tables);
    return suite;
}
