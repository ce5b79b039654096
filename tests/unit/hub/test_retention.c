/* How long finished matches are kept: which steps the store is asked for. */
#include "suites.h"
#include "world.h"
#include <stdlib.h>
#include <string.h>

static struct world world;

enum { DAY_MS = 24 * 3600 * 1000, SOON_MS = 1000, RARELY_MS = 6 * 3600 * 1000 };

static void setup(void)
{
    world_init(&world);
}

static void teardown(void)
{
    world_release(&world);
}

static void begin(int64_t days, int64_t matches, int64_t solo_days, int64_t solo_matches)
{
    world.config.keep_days = days;
    world.config.keep_matches = matches;
    world.config.keep_solo_days = solo_days;
    world.config.keep_solo_matches = solo_matches;
    world_start(&world);
}

/* When the pause is over; false: nothing is asked. */
static bool step(struct store_trim *trim, int64_t pause_ms)
{
    world_pass(&world, pause_ms);
    return hub_trim_take(world.hub, trim);
}

/* A whole pass in one step, which has found so many. */
static void pass(int64_t pause_ms, uint64_t solo, uint64_t people, int64_t latest_ms)
{
    struct store_trim trim;
    ck_assert(step(&trim, pause_ms));
    ck_assert_int_eq(trim.after, 0);
    trim.end = true;
    trim.kept[STORE_MATCH_SOLO] = solo;
    trim.kept[STORE_MATCH_PEOPLE] = people;
    trim.latest_ms = latest_ms;
    hub_trim_done(world.hub, &trim, world.now_ms);
}

static void expect_bounds(const struct store_trim *trim, int64_t solo_ms, int64_t people_ms)
{
    ck_assert_int_eq(trim->before_ms[STORE_MATCH_SOLO], solo_ms);
    ck_assert_int_eq(trim->before_ms[STORE_MATCH_PEOPLE], people_ms);
}

static void expect_excess(const struct store_trim *trim, uint64_t solo, uint64_t people)
{
    ck_assert_uint_eq(trim->excess[STORE_MATCH_SOLO], solo);
    ck_assert_uint_eq(trim->excess[STORE_MATCH_PEOPLE], people);
}

START_TEST(test_nothing_is_asked_without_bounds)
{
    struct store_trim trim;
    begin(0, 0, 0, 0);
    ck_assert(!step(&trim, RARELY_MS));
}
END_TEST

/* By itself a server lets go of matches that fewer than two have played, and of no others. */
START_TEST(test_first_a_look_and_then_age)
{
    struct store_trim trim;
    world_start(&world);
    ck_assert(step(&trim, 0));
    expect_bounds(&trim, INT64_MIN, INT64_MIN);
    expect_excess(&trim, 0, 0);
    ck_assert(!step(&trim, SOON_MS)); /* one at a time */
    trim.end = true;
    trim.latest_ms = world.now_ms - 5000;
    hub_trim_done(world.hub, &trim, world.now_ms);
    ck_assert(!step(&trim, 0));
    ck_assert(step(&trim, SOON_MS));
    expect_bounds(&trim, world.now_ms - SOON_MS - 5000 - 90 * (int64_t)DAY_MS, INT64_MIN);
    trim.end = true;
    hub_trim_done(world.hub, &trim, world.now_ms);
    ck_assert(!step(&trim, SOON_MS)); /* nothing more to do for a while */
    ck_assert(step(&trim, RARELY_MS));
}
END_TEST

/* Age is counted from the latest match, so a clock that is years ahead takes nothing with it; and
 * not from one that has ended in the future. */
START_TEST(test_a_wrong_clock)
{
    struct store_trim trim;
    begin(10, 0, 20, 0);
    const int64_t latest_ms = world.now_ms - 400 * (int64_t)DAY_MS;
    pass(0, 0, 0, latest_ms);
    ck_assert(step(&trim, SOON_MS));
    expect_bounds(&trim, latest_ms - 20 * (int64_t)DAY_MS, latest_ms - 10 * (int64_t)DAY_MS);
    trim.end = true;
    trim.latest_ms = world.now_ms + 400 * (int64_t)DAY_MS;
    hub_trim_done(world.hub, &trim, world.now_ms);
    ck_assert(step(&trim, RARELY_MS));
    expect_bounds(&trim, world.now_ms - 20 * (int64_t)DAY_MS, world.now_ms - 10 * (int64_t)DAY_MS);
}
END_TEST

START_TEST(test_those_without_two_people_go_first)
{
    static const struct {
        int64_t matches, solo_matches;
        uint64_t solo, people;
    } cases[] = {{8, 0, 0, 0}, {7, 0, 1, 0}, {4, 0, 4, 0}, {2, 0, 5, 1},
                 {0, 3, 2, 0}, {7, 3, 2, 0}, {4, 3, 4, 0}, {0, 5, 0, 0}};
    const size_t at = (size_t)_i;
    struct store_trim trim;
    begin(0, cases[at].matches, 0, cases[at].solo_matches);
    pass(0, 5, 3, 1);
    ck_assert(step(&trim, SOON_MS));
    expect_excess(&trim, cases[at].solo, cases[at].people);
}
END_TEST

/* What a step has dropped is not dropped again by the next. */
START_TEST(test_steps_go_on_where_the_last_has_ended)
{
    struct store_trim trim;
    begin(0, 6, 0, 0);
    pass(0, 5, 3, 1);
    ck_assert(step(&trim, SOON_MS));
    expect_excess(&trim, 2, 0);
    trim.after = 77;
    trim.excess[STORE_MATCH_SOLO] = 1;
    trim.dropped[STORE_MATCH_SOLO] = 1;
    trim.kept[STORE_MATCH_PEOPLE] = 2;
    hub_trim_done(world.hub, &trim, world.now_ms);
    ck_assert(step(&trim, SOON_MS));
    ck_assert_int_eq(trim.after, 77);
    expect_excess(&trim, 1, 0);
    trim.after = 99;
    trim.excess[STORE_MATCH_SOLO] = 0;
    trim.result = STORE_FAILED; /* nothing of it is so */
    hub_trim_done(world.hub, &trim, world.now_ms);
    ck_assert(!step(&trim, SOON_MS));
    ck_assert(step(&trim, 60000));
    ck_assert_int_eq(trim.after, 77);
    expect_excess(&trim, 1, 0);
}
END_TEST

START_TEST(test_a_part_has_its_share)
{
    struct store_trim trim;
    world.env.parts = 3;
    begin(0, 7, 0, 0);
    pass(0, 5, 0, 1);
    ck_assert(step(&trim, SOON_MS));
    expect_excess(&trim, 2, 0); /* of 7 in three parts each may have 3 */
}
END_TEST

START_TEST(test_nothing_is_asked_of_a_store_that_fails)
{
    struct store_trim trim;
    begin(0, 7, 0, 0);
    const int ana = world_guest(&world, "Ana");
    world.answer = STORE_FULL;
    world_refused(&world, ana, "store_failing", "create", "{s:{s:i}}", "options", "players", 2);
    ck_assert(!hub_trim_take(world.hub, &trim));
}
END_TEST

static void expect_figure(const char *line)
{
    struct hub_http_answer answer;
    uint64_t ticket;
    ck_assert(hub_http_get(world.hub, "/metrics", NULL, world.now_ms, &answer, &ticket));
    char *text = strndup((const char *)answer.body, answer.len);
    ck_assert_msg(strstr(text, line), "%s is not in\n%s", line, text);
    free(text);
    hub_http_release(&answer);
}

START_TEST(test_figures)
{
    struct store_trim trim;
    begin(0, 6, 0, 0);
    pass(0, 5, 3, 1);
    expect_figure("taluva_matches_kept{of=\"solo\"} 5\n");
    expect_figure("taluva_matches_kept{of=\"people\"} 3\n");
    ck_assert(step(&trim, SOON_MS));
    trim.dropped[STORE_MATCH_SOLO] = 2;
    hub_trim_done(world.hub, &trim, world.now_ms);
    expect_figure("taluva_matches_dropped_total{of=\"solo\"} 2\n");
}
END_TEST

/* ---- shares of networks */

/* A match that is put away without that two have moved in it; or with that. */
static void finish(unsigned first_host, unsigned second_host, bool moved)
{
    struct table table = {.players = 2};
    world.host = first_host;
    table.tabs[0] = world_guest(&world, "Ana");
    world.host = second_host;
    table.tabs[1] = world_guest(&world, "Bo");
    json_t *ok = world_ok(&world, table.tabs[0], "create", "{s:{s:i}}", "options", "players", 2);
    (void)snprintf(table.room, sizeof table.room, "%s", str(ok, "room"));
    json_decref(ok);
    for (int seat = 0; seat < 2; seat++)
        world_do(&world, table.tabs[seat], "join", "{s:s,s:i}", "room", table.room, "seat", seat);
    world_begin(&world, &table);
    for (int moves = 0; moved && moves < 4; moves++)
        (void)world_move(&world, &table);
    world_do(&world, table.tabs[1], "resign", "{s:s}", "room", table.room);
    for (int seat = 0; seat < 2; seat++)
        world_cut(&world, table.tabs[seat]);
    world_pass(&world, world.config.over_idle_ms);
}

/* Which of them go; the store lets all go that it is asked for. */
static size_t count_named(void)
{
    size_t count = 0;
    struct store_trim trim;
    while (step(&trim, 100)) {
        if (trim.room_id[0])
            count++;
        else
            trim.end = true;
        trim.dropped[STORE_MATCH_SOLO] = trim.room_id[0] != '\0';
        hub_trim_done(world.hub, &trim, world.now_ms);
    }
    return count;
}

enum { SHARE = 8, PLACES = 256, OF_24 = 32, IPV6 = 256 };

static void begin_with_places(int64_t matches, int64_t solo_matches)
{
    world.config.over_idle_ms = 1000;
    begin(0, matches, 0, solo_matches);
    (void)count_named();
}

/* An address has its share, and what it plays beyond goes; others are not concerned. */
START_TEST(test_a_network_pushes_nobody_out)
{
    begin_with_places(0, PLACES);
    for (int at = 0; at < SHARE + 3; at++)
        finish(7, 7, false);
    finish(200, 200, false);
    ck_assert_uint_eq(count_named(), 3);
    expect_figure("taluva_matches_dropped_total{of=\"solo\"} 3\n");
    ck_assert_uint_eq(count_named(), 0);
    finish(7, 8, false); /* who only sat there changes nothing */
    ck_assert_uint_eq(count_named(), 1);
    for (unsigned at = 0; at < OF_24 - SHARE; at++) /* one has been kept of 10.0.0.200 */
        finish(20 + at, 20 + at, false);
    ck_assert_uint_eq(count_named(), 1);
    finish(IPV6, IPV6, false);
    ck_assert_uint_eq(count_named(), 0);
}
END_TEST

/* Two people's own are bounded with all, or as those of one; of two networks with each other too.
 */
START_TEST(test_who_plays_with_oneself)
{
    begin_with_places(_i == 0 ? PLACES : 0, _i == 0 ? PLACES / 16 : PLACES);
    for (int at = 0; at < SHARE + 2; at++)
        finish(7, 7, true);
    ck_assert_uint_eq(count_named(), 2);
    finish(7, 8, true); /* of one /24 */
    ck_assert_uint_eq(count_named(), 1);
    finish(7, IPV6, true);
    finish(20, 20, true);
    ck_assert_uint_eq(count_named(), 0);
    for (int at = 1; at < OF_24; at++)
        finish(at % 2 ? IPV6 : 7, at % 2 ? 8 : IPV6, true);
    ck_assert_uint_eq(count_named(), 0);
    finish(7, IPV6, true);
    finish(IPV6, 9, true);
    ck_assert_uint_eq(count_named(), 2);
    finish(IPV6, IPV6, true);
    ck_assert_uint_eq(count_named(), 0);
    world_pass(&world, 45 * (int64_t)DAY_MS);
    finish(7, IPV6, true);
    ck_assert_uint_eq(count_named(), 0);
}
END_TEST

/* It comes back with time; and nothing is said of what nobody knows. */
START_TEST(test_a_share_comes_back)
{
    begin_with_places(0, PLACES);
    for (int at = 0; at < SHARE; at++)
        finish(7, 7, false);
    world_pass(&world, 45 * (int64_t)DAY_MS);
    for (int at = 0; at < SHARE / 2 + 1; at++)
        finish(7, 7, false);
    ck_assert_uint_eq(count_named(), 1);
}
END_TEST

/* One that could not be let go is asked for again. */
START_TEST(test_a_store_that_keeps_what_is_named)
{
    struct store_trim trim;
    begin_with_places(0, PLACES);
    for (int at = 0; at < SHARE + 1; at++)
        finish(7, 7, false);
    char room_id[9];
    ck_assert(step(&trim, 100));
    memcpy(room_id, trim.room_id, sizeof room_id);
    ck_assert_uint_eq(strlen(room_id), 8);
    trim.result = STORE_FAILED;
    hub_trim_done(world.hub, &trim, world.now_ms);
    ck_assert(!step(&trim, SOON_MS));
    ck_assert(step(&trim, 60000));
    ck_assert_str_eq(trim.room_id, room_id);
}
END_TEST

Suite *retention_suite(void)
{
    Suite *suite = suite_create("retention");
    TCase *tests = near_case(suite, setup, teardown);
    tcase_add_test(tests, test_nothing_is_asked_without_bounds);
    tcase_add_test(tests, test_first_a_look_and_then_age);
    tcase_add_test(tests, test_a_wrong_clock);
    tcase_add_loop_test(tests, test_those_without_two_people_go_first, 0, 8);
    tcase_add_test(tests, test_steps_go_on_where_the_last_has_ended);
    tcase_add_test(tests, test_a_part_has_its_share);
    tcase_add_test(tests, test_nothing_is_asked_of_a_store_that_fails);
    tcase_add_test(tests, test_figures);
    tcase_add_test(tests, test_a_network_pushes_nobody_out);
    tcase_add_loop_test(tests, test_who_plays_with_oneself, 0, 2);
    tcase_add_test(tests, test_a_share_comes_back);
    tcase_add_test(tests, test_a_store_that_keeps_what_is_named);
    return suite;
}
