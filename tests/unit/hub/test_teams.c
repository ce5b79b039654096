/* Quick match of two against two: partners who name each other, and those who come alone. */
#include "pool/teams.h"
#include "seek_stage.h"
#include "site.h"
#include "suites.h"
#include "waiting/waiting.h"
#include <registry/registry.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 16, MANY = 400, NOW_MS = 200000 };

static struct ticket tickets[MANY];
static size_t work[MANY * POOL_WORK], count;

static void nobody(void)
{
    memset(tickets, 0, sizeof tickets);
    count = 0;
}

/* With that strength, in points, since so many seconds. */
static struct ticket *comes(unsigned points, int seconds)
{
    struct ticket *ticket = &tickets[count++];
    *ticket = (struct ticket){.session = count,
                              .since_ms = NOW_MS - 1000 * (int64_t)seconds,
                              .kinds = 1 << POOL_TEAMS,
                              .clocks = 1};
    ticket->rating[POOL_TEAMS] = (struct rating){1000 * points, 50000};
    return ticket;
}

/* Of a number, where somebody comes from (kernel_source): a household of its own. */
static uint64_t household(uint64_t number)
{
    return number << 21;
}

static void pair(unsigned points, int seconds)
{
    struct ticket *one = comes(points, seconds), *other = comes(points, seconds);
    one->with = other->session;
    other->with = one->session;
    one->source = other->source = household(7 * one->session); /* at one machine */
}

static bool find(struct group *group)
{
    struct teams teams;
    teams_begin(&teams, tickets, count, NOW_MS, work);
    return teams_next(&teams, group);
}

static bool are_a_team(const struct group *group, size_t one, size_t other)
{
    unsigned first = 0, second = 0;
    while (group->at[first] != one)
        first++;
    while (group->at[second] != other)
        second++;
    return first % 2 == second % 2;
}

START_TEST(four_who_come_alone)
{
    struct group group;
    comes(1500, 1);
    comes(1590, 1);
    comes(1510, 1);
    ck_assert(!find(&group));
    comes(1600, 1);
    ck_assert(find(&group));
    ck_assert_uint_eq(group.size, 4);
    ck_assert(group.teams);
    ck_assert(are_a_team(&group, 0, 3)); /* the best with the weakest */
    tickets[3].clocks = 2;
    ck_assert(!find(&group));
    tickets[3].clocks = 3;
    ck_assert(find(&group));
    ck_assert_uint_eq(group.clocks, 1);
}
END_TEST

START_TEST(a_pair_and_two_who_come_alone)
{
    struct group group;
    comes(1500, 1);
    pair(1500, 1);
    ck_assert(!find(&group));
    comes(1500, 1);
    ck_assert(find(&group));
    ck_assert(are_a_team(&group, 1, 2));
    ck_assert(are_a_team(&group, 0, 3));
    tickets[1].with = 99; /* of somebody else */
    ck_assert(!find(&group));
}
END_TEST

/* A pair counts for 50 points more, and those of its own strength come first. */
START_TEST(two_pairs)
{
    struct group group;
    pair(1500, 1);
    pair(1650, 1);
    comes(1550, 1);
    comes(1551, 1);
    ck_assert(find(&group));
    ck_assert(are_a_team(&group, 0, 1));
    ck_assert(group.at[0] > 3 || group.at[1] > 3);
    tickets[4].leaves = tickets[5].leaves = true;
    ck_assert(find(&group));
    ck_assert(are_a_team(&group, 2, 3));
    tickets[2].rating[POOL_TEAMS].strength = tickets[3].rating[POOL_TEAMS].strength = 1690000;
    ck_assert(!find(&group)); /* they have just come */
    for (size_t at = 0; at < count; at++)
        tickets[at].since_ms = 0;
    ck_assert(find(&group));
}
END_TEST

static void of_an_address(struct ticket *ticket)
{
    ticket->source = household(5);
}

static void of_a_device(struct ticket *ticket)
{
    ticket->device = 5;
}

static void has_blocked(struct ticket *ticket)
{
    ticket->apart = "0000000000000001";
    ticket->apart_count = 1;
}

static void has_met(struct ticket *ticket)
{
    ticket->met[0] = 1;
    ticket->met_ms = NOW_MS - 1000;
}

static void plays_totem(struct ticket *ticket)
{
    ticket->kinds = (uint16_t)(1U << pool_kind(1, POOL_SIZE_MIN));
}

static void is_changing(struct ticket *ticket)
{
    ticket->changes = true;
}

static void (*const changes[])(struct ticket *ticket) = {of_an_address, of_a_device, has_blocked,
                                                         has_met,       plays_totem, is_changing};

START_TEST(who_is_not_put_together)
{
    struct group group;
    for (int i = 0; i < 4; i++)
        comes(1500, 1);
    tickets[0].source = household(5);
    tickets[0].device = 5;
    ck_assert(find(&group));
    changes[_i](&tickets[2]);
    ck_assert(!find(&group));
}
END_TEST

/* Whoever has waited longest is seated first, and nobody twice. */
START_TEST(all_who_can_be)
{
    struct group group;
    struct teams teams;
    unsigned found = 0;
    for (int i = 0; i < MOST - 1; i++)
        comes(1500, i);
    teams_begin(&teams, tickets, count, NOW_MS, work);
    while (teams_next(&teams, &group)) {
        for (unsigned i = 0; i < group.size; i++) {
            ck_assert(!tickets[group.at[i]].leaves);
            tickets[group.at[i]].leaves = true;
        }
        found++;
    }
    ck_assert_uint_eq(found, 3);
    ck_assert(tickets[MOST - 2].leaves);
}
END_TEST

/* ---- how long they wait */

static double drawn(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) / 9007199254740992.0;
}

/* Alone or with a partner, of any strength, with one clock or some; `near`: and half of them with
 * nobody far away. */
static void anybody_comes(uint64_t *state, uint64_t *sessions, int64_t now_ms, bool near)
{
    const size_t first = count;
    const unsigned points = 700 + (unsigned)(1600 * drawn(state));
    if (drawn(state) < 0.3)
        pair(points, 0);
    else
        (void)comes(points, 0);
    const uint8_t clocks = (uint8_t)(drawn(state) < 0.6 ? 1 : 1 + (unsigned)(7 * drawn(state)));
    const uint64_t named = *sessions + 1;
    const double reach = near && drawn(state) < 0.5 ? POOL_REACH_MIN + 300 * drawn(state) : 0;
    for (size_t at = first; at < count; at++) {
        tickets[at].session = ++*sessions;
        tickets[at].with = count - first == 2 ? named + (at == first) : 0;
        tickets[at].source = household(named);
        tickets[at].since_ms = now_ms;
        tickets[at].clocks = clocks;
        tickets[at].reach = (uint16_t)reach;
    }
}

static void seat_all(int64_t now_ms)
{
    struct teams teams;
    struct group group;
    teams_begin(&teams, tickets, count, now_ms, work);
    while (teams_next(&teams, &group)) {
        for (unsigned i = 0; i < group.size; i++)
            tickets[group.at[i]].leaves = true;
    }
    size_t left = 0;
    for (size_t at = 0; at < count; at++) {
        if (!tickets[at].leaves)
            tickets[left++] = tickets[at];
    }
    count = left;
}

/* Some who have waited so long. */
struct some {
    unsigned seats;
    uint8_t clocks;
    uint64_t low, high, reach; /* of a pair with its bonus; thousandths */
};

static struct some with_unit(struct some some, size_t at)
{
    const bool pair = tickets[at].with;
    const uint64_t strength =
        tickets[at].rating[POOL_TEAMS].strength + (pair ? 1000 * TEAMS_PAIR_BONUS : 0);
    const uint64_t reach = pool_reach(&tickets[at]);
    some.seats += pair ? 2 : 1;
    some.clocks &= tickets[at].clocks;
    some.low = strength < some.low ? strength : some.low;
    some.high = strength > some.high ? strength : some.high;
    some.reach = reach < some.reach ? reach : some.reach;
    return some;
}

/* Do these and some of those from that place on, who have all waited so long, fill four seats? A
 * pair stands together. */
static bool fill_seats(int64_t since_ms, size_t from, struct some some)
{
    if (some.seats >= 4 || some.clocks == 0 || some.high > some.low + some.reach)
        return some.seats == 4 && some.clocks != 0 && some.high <= some.low + some.reach;
    for (size_t at = from; at < count; at++) {
        const unsigned own = tickets[at].with ? 2 : 1;
        if (tickets[at].since_ms <= since_ms && fill_seats(since_ms, at + own, with_unit(some, at)))
            return true;
        at += own - 1;
    }
    return false;
}

/* An hour; nobody goes. No four who could play wait longer than 95 s, all of them. */
START_TEST(four_who_fit_do_not_all_wait_long)
{
    static const double rates[] = {0.02, 0.05, 0.1, 0.2};
    const struct some none = {.clocks = UINT8_MAX, .low = UINT32_MAX, .reach = UINT32_MAX};
    const bool near = _i >= 8;
    uint64_t state = (uint64_t)_i + 1, sessions = 0;
    int64_t now_ms = NOW_MS;
    for (int second = 0; second < 3600; second++, now_ms += 1000) {
        if (count + 2 < MANY && drawn(&state) < rates[_i % 4])
            anybody_comes(&state, &sessions, now_ms, near);
        seat_all(now_ms);
        ck_assert(!fill_seats(now_ms - 95000, 0, none));
    }
    ck_assert_uint_lt(count, sessions / (near ? 2 : 4)); /* most have played */
}
END_TEST

/* Between each two who would play with anybody there are six who have just come, and would not. */
START_TEST(who_has_just_come_is_in_nobodys_way)
{
    struct group group;
    const unsigned old = 4;
    for (unsigned at = 0; at < old; at++)
        (void)comes(1000 + 600 * at, 100);
    ck_assert(find(&group));
    for (unsigned at = 0; at + 1 < old; at++) {
        for (unsigned own = 0; own < 6; own++)
            (void)comes(1000 + 600 * at + (own < 3 ? 200 : 400), 1);
    }
    ck_assert(find(&group));
    for (unsigned i = 0; i < group.size; i++)
        ck_assert_uint_lt(group.at[i], old);
}
END_TEST

/* Nor is who plays with nobody who is farther away, however long that one has waited. */
START_TEST(who_stays_near_is_in_nobodys_way)
{
    struct group group;
    for (unsigned at = 0; at < 4; at++)
        (void)comes(1000 + 600 * at, 100);
    for (unsigned at = 0; at < 12; at++)
        comes(1150 + 150 * at, 1000)->reach = POOL_REACH_MIN;
    ck_assert(find(&group));
    for (unsigned i = 0; i < group.size; i++)
        ck_assert_uint_lt(group.at[i], 4);
}
END_TEST

/* ---- what it costs */

enum { CROWD = 2000, STEPS_MAX = 200 /* of each */ };
static struct ticket crowd[CROWD];
static size_t crowd_work[CROWD * POOL_WORK];

/* As many as there may be: near each other or far, with or without a partner, who have just come,
 * take anybody, or are put together with nobody here. */
static const struct {
    double points;
    int waited_s;
    unsigned pairs; /* of so many tickets two come together */
    bool apart;
} crowds[] = {{1600, 30, CROWD, false}, {1600, 120, CROWD, false}, {0, 0, CROWD, false},
              {3900, 85, CROWD, false}, {1600, 120, 2, false},     {1600, 120, 6, false},
              {1600, 80, CROWD, true},  {1600, 180, CROWD, true},  {1600, 180, 6, true}};

static void fill_crowd(size_t kind, uint64_t *state)
{
    count = 0;
    for (size_t at = 0; at < CROWD; at++) {
        const unsigned points = 100 + (unsigned)(crowds[kind].points * drawn(state));
        crowd[at] = *comes(points, (int)(crowds[kind].waited_s * drawn(state)));
        count = 0;
        crowd[at].session = at + 1;
        crowd[at].source = crowds[kind].apart ? household(1) : 0;
        if (at % crowds[kind].pairs == 1) {
            crowd[at].with = at;
            crowd[at - 1].with = at + 1;
        }
    }
}

START_TEST(a_crowd_costs_little)
{
    struct teams teams;
    struct group group;
    uint64_t state = (uint64_t)_i + 7;
    size_t grouped = 0;
    fill_crowd((size_t)_i, &state);
    teams_begin(&teams, crowd, CROWD, NOW_MS, crowd_work);
    while (teams_next(&teams, &group)) {
        for (unsigned i = 0; i < group.size; i++) {
            ck_assert(!crowd[group.at[i]].leaves);
            crowd[group.at[i]].leaves = true;
            grouped++;
        }
    }
    ck_assert_int_eq(grouped > CROWD * 9 / 10, !crowds[_i].apart);
    ck_assert_uint_lt(teams.steps, (uint64_t)CROWD * STEPS_MAX);
    teams_begin(&teams, crowd, CROWD, NOW_MS, crowd_work);
    ck_assert(!teams_next(&teams, &group));
}
END_TEST

/* ---- at the desk, where handles are known */

static void set_up(void)
{
    world_init(&home);
    home.env.accounts = HUB_ACCOUNTS_OPEN;
    home.env.features = registry;
    home.config.claims_per_address_per_day = 100;
    world_start(&home);
}

static int called(const char *name, const char *handle)
{
    home.host++; /* each from an address of their own */
    const int tab = world_guest(&home, name);
    world_do(&home, tab, "claim", "{s:s}", "handle", handle);
    return tab;
}

START_TEST(partners_are_found_a_table)
{
    char room[16];
    const int ana = called("Ana", "ana"), bo = called("Bo", "bob");
    const int chi = called("Chi", "chi"), dan = called("Dan", "dan");
    world_refused(&home, ana, "bad_options", "seek", "{s:s,s:{s:b}}", "game", "totem", "options",
                  "teams", 1);
    world_refused(&home, ana, "bad_options", "seek", "{s:{s:i}}", "options", "teams", 1);
    world_refused(&home, ana, "bad_options", "seek", "{s:{s:b,s:[i]},s:s}", "options", "teams", 1,
                  "sizes", 2, "handle", "bob");
    world_do(&home, ana, "seek", "{s:{s:b},s:s}", "options", "teams", 1, "handle", "bob");
    json_t *asked = world_push(&home, bo, "challenged");
    ck_assert_str_eq(str(asked, "handle"), "ana");
    ck_assert(json_is_true(json_object_get(asked, "teams")));
    json_decref(asked);
    world_do(&home, chi, "seek", "{s:{s:b}}", "options", "teams", 1);
    world_do(&home, dan, "seek", "{s:{s:b}}", "options", "teams", 1);
    world_pass(&home, 3000);
    ck_assert_ptr_null(world_push(&home, chi, "found")); /* Bo has not said yes */
    world_do(&home, bo, "seek", "{s:{s:b},s:s}", "options", "teams", 1, "handle", "ana");
    world_pass(&home, 2000);
    const int tabs[] = {ana, bo, chi, dan};
    for (int i = 0; i < 4; i++)
        stage_room_found(tabs[i], "taluva.team.live", room);
    json_t *ok = world_ok(&home, ana, "join", "{s:s}", "room", room);
    const json_t *seats = json_object_get(json_object_get(ok, "state"), "seats");
    const char *handles[4];
    for (int seat = 0; seat < 4; seat++) {
        char key[2] = {(char)('0' + seat), '\0'};
        handles[seat] = str(json_object_get(seats, key), "handle");
    }
    for (int seat = 0; seat < 4; seat++) {
        if (strcmp(handles[seat], "ana") == 0)
            ck_assert_str_eq(handles[(seat + 2) % 4], "bob");
    }
    json_decref(ok);
    for (int i = 0; i < 4; i++)
        stage_accept(tabs[i], room);
    world_do(&home, ana, "start", "{s:s}", "room", room);
    world_pass(&home, 2000);
    stage_nobody_seeks();
}
END_TEST

/* Partners for a match of teams are no two who play against each other. */
START_TEST(partners_alone_wait)
{
    const int ana = called("Ana", "ana"), bo = called("Bo", "bob");
    world_do(&home, ana, "seek", "{s:{s:b},s:s}", "options", "teams", 1, "handle", "bob");
    world_do(&home, bo, "seek", "{s:{s:b},s:s}", "options", "teams", 1, "handle", "ana");
    world_pass(&home, 3000);
    ck_assert_ptr_null(world_push(&home, ana, "found"));
    world_do(&home, bo, "seek", "{s:s}", "handle", "ana"); /* has changed her mind */
    world_pass(&home, 3000);
    ck_assert_ptr_null(world_push(&home, ana, "found"));
    ck_assert_uint_eq(stage_seeks(), 2);
}
END_TEST

Suite *teams_suite(void)
{
    Suite *suite = suite_create("teams");
    TCase *found = tcase_create("found");
    tcase_add_checked_fixture(found, nobody, NULL);
    tcase_add_test(found, four_who_come_alone);
    tcase_add_test(found, a_pair_and_two_who_come_alone);
    tcase_add_test(found, two_pairs);
    tcase_add_loop_test(found, who_is_not_put_together, 0, sizeof changes / sizeof changes[0]);
    tcase_add_test(found, all_who_can_be);
    tcase_add_loop_test(found, four_who_fit_do_not_all_wait_long, 0, 16);
    tcase_add_test(found, who_has_just_come_is_in_nobodys_way);
    tcase_add_test(found, who_stays_near_is_in_nobodys_way);
    tcase_add_loop_test(found, a_crowd_costs_little, 0, sizeof crowds / sizeof crowds[0]);
    suite_add_tcase(suite, found);
    TCase *desk = tcase_create("desk");
    tcase_add_checked_fixture(desk, set_up, stage_seek_ended);
    tcase_add_test(desk, partners_are_found_a_table);
    tcase_add_test(desk, partners_alone_wait);
    suite_add_tcase(suite, desk);
    return suite;
}
