/* Quick match: two who name each other, who are not put together, and what of it is rated. */
#include "book/desk.h"
#include "pairing/meetings.h"
#include "pairing/offer.h"
#include "pairing/op_seek.h"
#include "pairing/seek.h"
#include "seek_stage.h"
#include "site.h"
#include "suites.h"
#include "waiting/conduct.h"
#include "waiting/named.h"
#include "waiting/waiting.h"
#include <hub/kernel.h>
#include <hub/log_line.h>
#include <registry/registry.h>
#include <string.h>

static int ana, bo;

static int called(const char *name, const char *handle)
{
    home.host++; /* each from an address of their own */
    const int tab = world_guest(&home, name);
    world_do(&home, tab, "claim", "{s:s}", "handle", handle);
    return tab;
}

static void set_up(void)
{
    world_init(&home);
    home.env.accounts = HUB_ACCOUNTS_OPEN;
    home.env.features = registry;
    home.config.claims_per_address_per_day = 100;
    home.config.challenge_age_ms = 0;
    world_start(&home);
    ana = called("Ana", "ana");
    bo = called("Bo", "Bo-1");
}

static void tear_down(void)
{
    world_release(&home);
}

/* NULL: with whoever fits. */
static void seek_with(int tab, const char *handle)
{
    world_do(&home, tab, "seek", "{s:s*}", "handle", handle);
}

static void seek_clocks(int tab, const char *one, const char *other)
{
    world_do(&home, tab, "seek", "{s:{s:[s,s]}}", "options", "clocks", one, other);
}

/* Where, and by which class, or why it is not rated. */
static void is_found(int tab, const char *class, const char *unrated, char room[static 16])
{
    json_t *found = world_push(&home, tab, "found");
    ck_assert_ptr_nonnull(found);
    ck_assert_pstr_eq(json_string_value(json_object_get(found, "class")), class);
    ck_assert_pstr_eq(json_string_value(json_object_get(found, "unrated")), unrated);
    (void)snprintf(room, 16, "%s", str(found, "room"));
    json_decref(found);
}

static bool is_told(int tab, const char *push)
{
    json_t *told = world_push(&home, tab, push);
    json_decref(told);
    return told != NULL;
}

/* ---- two who name each other */

START_TEST(who_is_named_is_told)
{
    char room[16], same[16];
    const int chi = called("Chi", "chi");
    seek_with(ana, "bo1"); /* as it looks */
    json_t *told = world_push(&home, bo, "challenged");
    ck_assert_ptr_nonnull(told);
    ck_assert_str_eq(str(told, "handle"), "ana");
    ck_assert_str_eq(str(told, "game"), "taluva");
    ck_assert_str_eq(json_string_value(json_array_get(json_object_get(told, "clocks"), 0)),
                     "normal");
    ck_assert_int_gt(json_integer_value(json_object_get(told, "until")), home.now_ms);
    json_decref(told);
    world_do(&home, chi, "seek", "");
    world_pass(&home, 1000 * (POOL_ANYBODY_S + 2));
    ck_assert(!is_told(chi, "found"));
    ck_assert(!is_told(chi, "challenged"));
    world_do(&home, chi, "seek", "{s:s}", "handle", "ana"); /* it takes two */
    world_pass(&home, 2000);
    ck_assert(!is_told(chi, "found"));
    seek_with(bo, "ana");
    world_pass(&home, 2000);
    is_found(ana, "taluva.duel.live", NULL, room);
    is_found(bo, "taluva.duel.live", NULL, same);
    ck_assert_str_eq(room, same);
    ck_assert(!is_told(chi, "found"));
}
END_TEST

/* Whoever says it again and again, or takes it back between, is not worth a message each time. */
START_TEST(nobody_is_told_each_time)
{
    const int chi = called("Chi", "chi");
    seek_with(ana, "Bo-1");
    ck_assert(is_told(bo, "challenged"));
    seek_with(ana, "Bo-1");
    world_do(&home, ana, "unseek", "");
    seek_with(ana, "Bo-1");
    seek_with(ana, "chi");
    seek_with(ana, "Bo-1");
    ck_assert(!is_told(bo, "challenged"));
    ck_assert(!is_told(chi, "challenged"));
    world_pass(&home, NAMED_TELL_MS);
    seek_with(ana, "Bo-1"); /* who knows of it for longer */
    ck_assert(!is_told(bo, "challenged"));
    seek_with(ana, "chi");
    ck_assert(is_told(chi, "challenged"));
    seek_with(chi, "Bo-1"); /* each who seeks for themselves */
    ck_assert(is_told(bo, "challenged"));
    world_pass(&home, home.config.seek_ms / 2);
    seek_with(ana, "chi");
    ck_assert(is_told(chi, "challenged"));
    seek_with(ana, "chi");
    ck_assert(!is_told(chi, "challenged"));
}
END_TEST

/* Where it is quiet, by the account or by the name that somebody has come to, only those come whom
 * they follow themselves. */
START_TEST(whoever_is_quiet_hears_of_those_whom_they_follow)
{
    const bool by_name = _i != 0;
    const int chi = called("Chi", "chi"), other = world_back(&home, bo);
    world_do(&home, bo, "follow", "{s:s}", "handle", "ana");
    if (by_name)
        hub_set_quiet(home.hub, home.tabs[bo].link.peer, true);
    else
        world_do(&home, bo, "quiet", "{s:b}", "on", 1);
    seek_with(chi, "Bo-1");
    ck_assert(!is_told(bo, "challenged"));
    ck_assert(is_told(other, "challenged") == by_name);
    seek_with(ana, "Bo-1");
    ck_assert(is_told(bo, "challenged") && is_told(other, "challenged"));
}
END_TEST

START_TEST(of_so_many_it_is_known_whom_they_named)
{
    static struct named_one list[NAMED_MAX];
    struct named named;
    named_begin(&named, list);
    for (uint64_t seeker = 1; seeker <= NAMED_MAX; seeker++)
        named_knows(&named, seeker, 7, (int64_t)seeker);
    named_knows(&named, 1, 7, NAMED_MAX + 1);
    ck_assert(!named_is_to_know(&named, 1, 8, 2 * NAMED_TELL_MS, NAMED_MAX + 1));
    ck_assert(!named_is_to_know(&named, 2, 8, 2 * NAMED_TELL_MS, NAMED_MAX + 1));
    named_knows(&named, NAMED_MAX + 1, 7, NAMED_MAX + 2);
    ck_assert_uint_eq(named.count, NAMED_MAX);
    ck_assert(named_is_to_know(&named, 2, 8, 2 * NAMED_TELL_MS, NAMED_MAX + 2));
    ck_assert(!named_is_to_know(&named, 1, 8, 2 * NAMED_TELL_MS, NAMED_MAX + 2));
    ck_assert(!named_is_to_know(&named, NAMED_MAX + 1, 8, 2 * NAMED_TELL_MS, NAMED_MAX + 2));
}
END_TEST

START_TEST(one_game_and_one_clock)
{
    char room[16];
    world_do(&home, ana, "seek", "{s:s,s:s,s:{s:[s,s]}}", "handle", "Bo-1", "game", "totem",
             "options", "clocks", "fast", "calm");
    world_do(&home, bo, "seek", "{s:s,s:s}", "handle", "ana", "game", "totem");
    world_pass(&home, 2000);
    ck_assert(!is_told(bo, "found"));
    world_do(&home, bo, "seek", "{s:s,s:{s:[s]}}", "handle", "ana", "options", "clocks", "calm");
    world_pass(&home, 2000);
    ck_assert(!is_told(bo, "found"));
    world_do(&home, bo, "seek", "{s:s,s:s,s:{s:[s]}}", "handle", "ana", "game", "totem", "options",
             "clocks", "calm");
    world_pass(&home, 2000);
    is_found(bo, "totem.duel.live", NULL, room);
    json_t *ok = world_ok(&home, bo, "join", "{s:s}", "room", room);
    const json_t *clock = json_object_get(json_object_get(ok, "state"), "clock");
    ck_assert_int_eq(json_integer_value(json_object_get(clock, "bank_s")), 1500);
    json_decref(ok);
}
END_TEST

START_TEST(who_cannot_be_named)
{
    world_refused(&home, ana, "unknown_handle", "seek", "{s:s}", "handle", "nobody-1");
    world_refused(&home, ana, "bad_field", "seek", "{s:s}", "handle", "ana");
    world_refused(&home, ana, "bad_options", "seek", "{s:s,s:{s:[i]}}", "handle", "Bo-1", "options",
                  "sizes", 3);
    world_refused(&home, ana, "bad_options", "seek", "{s:{s:[s]}}", "options", "clocks", "none");
    world_refused(&home, ana, "bad_options", "seek", "{s:{s:[]}}", "options", "clocks");
    world_refused(&home, ana, "bad_options", "seek", "{s:{s:[i]}}", "options", "clocks", 1);
    world_do(&home, ana, "block", "{s:s}", "handle", "Bo-1");
    world_refused(&home, ana, "seat_refused", "seek", "{s:s}", "handle", "Bo-1");
    ck_assert_uint_eq(model_rows(&home.store, &seek_table), 0);
    seek_with(bo, "ana"); /* who was blocked is not told of it */
    ck_assert(!is_told(ana, "challenged"));
    ck_assert_uint_eq(model_rows(&home.store, &store_letter_table), 0);
}
END_TEST

/* Blocked after both have said it. */
START_TEST(who_is_blocked_meanwhile)
{
    desk_of(home.hub)->seeks.looked_ms = home.now_ms + 10000;
    seek_with(ana, "Bo-1");
    seek_with(bo, "ana");
    world_do(&home, bo, "block", "{s:s}", "handle", "ana");
    world_pass(&home, 20000);
    ck_assert_uint_eq(model_rows(&home.store, &seek_table), 2);
    ck_assert(!is_told(ana, "found"));
}
END_TEST

START_TEST(it_goes_on_after_a_restart)
{
    char room[16];
    seek_with(ana, "Bo-1");
    ck_assert_uint_eq(model_rows(&home.store, &wish_table), 1);
    world_restart(&home);
    home.tabs[ana].link.open = home.tabs[bo].link.open = false;
    ana = world_back(&home, ana);
    home.host++;
    bo = world_back(&home, bo);
    seek_with(bo, "ana");
    world_pass(&home, 2000);
    is_found(ana, "taluva.duel.live", NULL, room);
    world_do(&home, ana, "unseek", "");
    world_pass(&home, 2000);
    ck_assert_uint_eq(model_rows(&home.store, &wish_table), 1); /* Bo seeks on, with her */
    ck_assert(desk_of(home.hub)->seeks.tickets[0].with != 0);
    world_pass(&home, home.config.seek_ms + 2000);
    ck_assert_uint_eq(model_rows(&home.store, &wish_table), 0);
}
END_TEST

/* ---- where they come from */

START_TEST(nobody_plays_with_their_own_address)
{
    char room[16];
    home.host = 99;
    const int tabs[] = {world_back(&home, ana), world_back(&home, bo)};
    for (int i = 0; i < 2; i++)
        world_do(&home, tabs[i], "seek", "");
    world_pass(&home, 1000 * (POOL_ANYBODY_S + 2));
    ck_assert(!is_told(tabs[0], "found"));
    const int chi = called("Chi", "chi");
    world_do(&home, chi, "seek", "");
    world_pass(&home, 2000);
    is_found(chi, "taluva.duel.live", NULL, room);
}
END_TEST

/* Of so few numbers that there are shares of, a stranger would soon find an address with the same
 * one, and keep somebody out by what comes from there. */
START_TEST(no_two_addresses_are_one)
{
    const struct seeks *seeks = &desk_of(home.hub)->seeks;
    world_do(&home, ana, "seek", "");
    world_do(&home, bo, "seek", "");
    ck_assert_uint_eq(seeks->count, 2);
    ck_assert_uint_ne(seeks->wishes[0].source, seeks->wishes[1].source);
    ck_assert_uint_gt(seeks->wishes[0].source, UINT32_MAX);
    ck_assert_uint_gt(seeks->wishes[1].source, UINT32_MAX);
}
END_TEST

START_TEST(of_one_address_some_may_seek)
{
    home.config.seeks_per_address = 1;
    world_restart(&home);
    home.tabs[ana].link.open = home.tabs[bo].link.open = false;
    ana = world_back(&home, ana);
    bo = world_back(&home, bo);
    world_do(&home, ana, "seek", "");
    world_do(&home, ana, "seek", ""); /* who has a place keeps it */
    stage_seeks_on(ana);
    world_do(&home, bo, "seek", "");
    json_t *told = world_push(&home, bo, "seeking");
    ck_assert_ptr_nonnull(told);
    ck_assert_str_eq(str(told, "state"), "crowd");
    json_decref(told);
    ck_assert_uint_eq(model_rows(&home.store, &seek_table), 1);
    const int chi = called("Chi", "chi");
    world_do(&home, chi, "seek", "");
    stage_seeks_on(chi);
}
END_TEST

static void send_search(const char *text)
{
    const struct kernel_letter letter = {
        .addressee = LETTER_TO_DESK, .kind = search_letter, .text = text, .text_len = strlen(text)};
    ck_assert_int_eq(kernel_send_letter(home.hub, &letter), 0);
}

/* Those of whom the store does not know yet are as many as the others. */
START_TEST(who_come_at_once_from_one_address)
{
    home.config.seeks_per_address = 1;
    world_restart(&home);
    desk_of(home.hub)->seeks.looked_ms = home.now_ms + 10000;
    send_search("00000000000000a1 7 1 - 0 4 - one One");
    send_search("00000000000000b1 7 1 - 0 4 - two Two");
    send_search("00000000000000c1 8 1 - 0 4 - three Three");
    send_search("00000000000000d1 0 1 - 0 4 - four Four");
    send_search("00000000000000e1 0 1 - 0 4 - five Five");
    world_settle(&home);
    ck_assert_uint_eq(model_rows(&home.store, &seek_table), 4);
    ck_assert_uint_eq(desk_of(home.hub)->seeks.changing_count, 0);
}
END_TEST

/* As letters have it (kernel_source): a /48, a /56 of it and a /64 of that. */
static void search_from(int number, uint64_t net, uint64_t house, uint64_t address)
{
    char text[80];
    (void)snprintf(text, sizeof text, "%016x %llu 1 - 0 4 - who%d Who", 0xa1U + (unsigned)number,
                   (unsigned long long)(net << 42 | house << 21 | address), number);
    send_search(text);
}

/* Whoever has a /56 or a /48 has many addresses, and is no thousand people. */
START_TEST(of_one_network_some_more_may_seek)
{
    int number = 0;
    home.config.seeks_per_address = 1;
    world_restart(&home);
    desk_of(home.hub)->seeks.looked_ms = home.now_ms + 10000;
    for (uint64_t address = 1; address <= 6; address++)
        search_from(number++, 1, 1, address);
    world_settle(&home);
    ck_assert_uint_eq(model_rows(&home.store, &seek_table), 4);
    for (uint64_t house = 2; house <= 20; house++)
        search_from(number++, 1, house, house);
    world_settle(&home);
    ck_assert_uint_eq(model_rows(&home.store, &seek_table), 16);
    search_from(number++, 2, 1, 1);
    world_settle(&home);
    ck_assert_uint_eq(model_rows(&home.store, &seek_table), 17);
}
END_TEST

START_TEST(a_clock_that_all_take)
{
    char room[16];
    const int chi = called("Chi", "chi");
    seek_clocks(ana, "fast", "calm");
    world_do(&home, bo, "seek", "");
    world_pass(&home, 1000 * (POOL_ANYBODY_S + 2));
    ck_assert(!is_told(bo, "found"));
    seek_clocks(chi, "fast", "fast");
    world_pass(&home, 2000);
    is_found(chi, "taluva.duel.live", NULL, room);
    json_t *ok = world_ok(&home, chi, "join", "{s:s}", "room", room);
    const json_t *clock = json_object_get(json_object_get(ok, "state"), "clock");
    ck_assert_int_eq(json_integer_value(json_object_get(clock, "bank_s")), 180);
    json_decref(ok);
}
END_TEST

/* ---- what is rated of those who name each other */

static void find_pair(const char *class, const char *unrated, char room[static 16])
{
    seek_with(ana, "Bo-1");
    seek_with(bo, "ana");
    world_pass(&home, 2000);
    is_found(ana, class, unrated, room);
    is_found(bo, class, unrated, room);
}

static void take_seats(const char *room)
{
    const int tabs[] = {ana, bo};
    for (int i = 0; i < 2; i++) {
        json_decref(world_ok(&home, tabs[i], "join", "{s:s}", "room", room));
        world_do(&home, tabs[i], "ready", "{s:s,s:b,s:s}", "room", room, "ready", 1, "nonce",
                 "abababababababababababababababab");
    }
    world_do(&home, ana, "start", "{s:s}", "room", room);
    world_pass(&home, 2000);
}

START_TEST(who_meet_often_are_not_rated)
{
    char room[16];
    for (int match = 0; match < MEETINGS_OF_NEWCOMERS; match++) {
        find_pair("taluva.duel.live", NULL, room);
        take_seats(room);
        ck_assert_uint_eq(model_rows(&home.store, &meeting_table), (size_t)match + 1);
        world_do(&home, bo, "resign", "{s:s}", "room", room);
    }
    find_pair(NULL, "newcomers", room); /* both are */
    json_t *ok = world_ok(&home, ana, "join", "{s:s}", "room", room);
    const json_t *state = json_object_get(ok, "state");
    ck_assert_ptr_null(json_object_get(state, "rated"));
    ck_assert_str_eq(str(state, "access"), "code");
    json_decref(ok);
    take_seats(room);
    ck_assert_uint_eq(model_rows(&home.store, &meeting_table), MEETINGS_OF_NEWCOMERS);
    world_restart(&home);
    ck_assert_uint_eq(desk_of(home.hub)->meetings.next, MEETINGS_OF_NEWCOMERS + 1);
}
END_TEST

START_TEST(who_share_an_address_are_not_rated)
{
    char room[16];
    home.host = 99;
    ana = world_back(&home, ana);
    bo = world_back(&home, bo);
    find_pair(NULL, "address", room);
}
END_TEST

static void come_back(void)
{
    home.host++; /* each from an address of their own */
    ana = world_back(&home, ana);
    home.host++;
    bo = world_back(&home, bo);
}

static void find_again(const char *handle, const char *class, const char *unrated)
{
    char room[16];
    seek_with(ana, handle);
    seek_with(bo, handle ? "ana" : NULL);
    world_pass(&home, 2000);
    is_found(ana, class, unrated, room);
}

/* On either side, until it is as old as it has to be. */
START_TEST(young_accounts_are_not_rated)
{
    home.config.challenge_age_ms = 3600000;
    world_restart(&home);
    come_back();
    find_again("Bo-1", NULL, "young");
    world_pass(&home, 3600000);
    bo = called("Bo", "Bo-2"); /* who is new */
    home.host++;
    ana = world_back(&home, ana);
    find_again("Bo-2", NULL, "young");
    world_pass(&home, 3600000);
    come_back();
    find_again("Bo-2", "taluva.duel.live", NULL);
}
END_TEST

/* Both go on without that table. */
static void decline(void)
{
    world_do(&home, ana, "unseek", "");
    world_do(&home, bo, "unseek", "");
    world_pass(&home, 2000);
}

/* Whoever they are. It is logged once, until there is place again. */
START_TEST(nothing_more_is_rated_when_the_book_is_full)
{
    static const uint64_t places[] = {1, 0, 0, 2, 0, 0};
    struct hub_log_line line;
    while (hub_log_take(home.hub, &line))
        ;
    for (size_t at = 0; at < sizeof places / sizeof places[0]; at++) {
        const bool full = places[at] == 0, logged = full && places[at - 1] != 0;
        desk_of(home.hub)->ledger.n = BOOK_LINES_MAX - places[at];
        find_again(at % 2 ? "Bo-1" : NULL, full ? NULL : "taluva.duel.live", full ? "book" : NULL);
        ck_assert_int_eq(hub_log_take(home.hub, &line), logged);
        ck_assert(!logged || strcmp(line.event, "book_full") == 0);
        decline();
    }
    ck_assert_double_eq(world_figure(&home, "book_lines_most"), BOOK_LINES_MAX);
}
END_TEST

static void seek_on(int tab, const char *handle, const char *device)
{
    world_do(&home, tab, "seek", "{s:s,s:s}", "handle", handle, "device", device);
}

/* One person with two accounts, or two in turn. Who says nothing of it is not held to it. */
START_TEST(who_share_a_device_are_not_rated)
{
    static const char *const devices[][2] = {
        {"0a1b2c3d", "0a1b2c3d"}, {"0a1b2c3d", "0a1b2c3e"}, {"00000000", "00000000"}};
    char room[16];
    for (size_t at = 0; at < sizeof devices / sizeof devices[0]; at++) {
        seek_on(ana, "Bo-1", devices[at][0]);
        seek_on(bo, "ana", devices[at][1]);
        world_pass(&home, 2000);
        is_found(ana, at ? "taluva.duel.live" : NULL, at ? NULL : "device", room);
        decline();
    }
}
END_TEST

/* Of who says it both are said. */
START_TEST(a_young_account_on_a_device)
{
    char room[16];
    home.config.challenge_age_ms = 3600000;
    world_restart(&home);
    come_back();
    seek_on(ana, "Bo-1", "0a1b2c3d");
    seek_on(bo, "ana", "0a1b2c3e");
    world_pass(&home, 2000);
    is_found(ana, NULL, "young", room);
}
END_TEST

/* The host of such a table may have put out the other one, who is not to blame. */
START_TEST(whoever_is_put_out_is_not_to_blame)
{
    char room[16];
    home.host = 99;
    ana = world_back(&home, ana);
    bo = world_back(&home, bo);
    world_pass(&home, home.config.forgiving_ms);
    find_pair(NULL, "address", room);
    const int tabs[] = {ana, bo};
    for (int i = 0; i < 2; i++)
        json_decref(world_ok(&home, tabs[i], "join", "{s:s}", "room", room));
    world_post(&home, ana, "unseat", "{s:s,s:i}", "room", room, "seat", 0); /* one is the host */
    world_post(&home, ana, "unseat", "{s:s,s:i}", "room", room, "seat", 1);
    world_post(&home, bo, "unseat", "{s:s,s:i}", "room", room, "seat", 0);
    world_post(&home, bo, "unseat", "{s:s,s:i}", "room", room, "seat", 1);
    world_pass(&home, 2000);
    ck_assert(is_told(ana, "seeking"));
    ck_assert(is_told(bo, "seeking"));
    ck_assert_uint_eq(model_rows(&home.store, &seek_table), 0);
    ck_assert_uint_eq(model_rows(&home.store, &conduct_table), 0);
}
END_TEST

START_TEST(what_makes_no_sense_is_set_aside)
{
    static const char *const wrong[] = {"00000000000000a1",
                                        "00000000000000a1 0 1 - 0 4 -",
                                        "00000000000000a1 18446744073709551616 1 - 0 4 - ana Ana",
                                        "00000000000000a1 0 0 - 0 4 - ana Ana",
                                        "00000000000000a1 0 8 - 0 4 - ana Ana",
                                        "00000000000000a1 0 1 -- 0 4 - ana Ana",
                                        "00000000000000a1 0 1 00000000000000a1 0 4 - ana Ana",
                                        "00000000000000a1 0 1 00000000000000b 0 4 - ana Ana",
                                        "00000000000000a1 0 1 0000000000000000 0 4 - ana Ana",
                                        "00000000000000a1 0 1 00000000000000b1",
                                        "00000000000000a1 0 4 - ana Ana"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        send_search(wrong[i]);
        world_settle(&home);
        ck_assert_uint_eq(model_rows(&home.store, &store_letter_table), i + 1);
    }
    ck_assert_uint_eq(model_rows(&home.store, &wish_table), 0);
}
END_TEST

Suite *challenge_suite(void)
{
    Suite *suite = suite_create("challenge");
    TCase *tests = tcase_create("two");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, who_is_named_is_told);
    tcase_add_test(tests, nobody_is_told_each_time);
    tcase_add_loop_test(tests, whoever_is_quiet_hears_of_those_whom_they_follow, 0, 2);
    tcase_add_test(tests, of_so_many_it_is_known_whom_they_named);
    tcase_add_test(tests, one_game_and_one_clock);
    tcase_add_test(tests, who_cannot_be_named);
    tcase_add_test(tests, who_is_blocked_meanwhile);
    tcase_add_test(tests, it_goes_on_after_a_restart);
    tcase_add_test(tests, nobody_plays_with_their_own_address);
    tcase_add_test(tests, no_two_addresses_are_one);
    tcase_add_test(tests, of_one_address_some_may_seek);
    tcase_add_test(tests, who_come_at_once_from_one_address);
    tcase_add_test(tests, of_one_network_some_more_may_seek);
    tcase_add_test(tests, a_clock_that_all_take);
    tcase_add_test(tests, who_meet_often_are_not_rated);
    tcase_add_test(tests, who_share_an_address_are_not_rated);
    tcase_add_test(tests, young_accounts_are_not_rated);
    tcase_add_test(tests, nothing_more_is_rated_when_the_book_is_full);
    tcase_add_test(tests, who_share_a_device_are_not_rated);
    tcase_add_test(tests, a_young_account_on_a_device);
    tcase_add_test(tests, whoever_is_put_out_is_not_to_blame);
    tcase_add_test(tests, what_makes_no_sense_is_set_aside);
    suite_add_tcase(suite, tests);
    return suite;
}
