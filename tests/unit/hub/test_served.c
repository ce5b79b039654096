/* How well quick match has served people, as it is counted. */
#include "pairing/served.h"
#include "seek_stage.h"
#include "site.h"
#include "suites.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is counted of one table */

/* Two who have waited so many seconds, and are rated so many points: how far apart they are, and
 * the largest buckets in which they and their table are not. */
static const struct {
    unsigned waited_s[2], rated[2], spread;
    const char *waits, *spreads; /* "": there is no smaller one */
} tables[] = {
    {{0, 0}, {1500, 1500}, 0, "", ""},
    {{2, 2}, {1500, 1532}, 32, "1", "16"},
    {{5, 9}, {1600, 1500}, 100, "4", "64"},
    {{600, 700}, {4000, 500}, 3500, "512", "2048"},
};

static double below(const struct served *served, const char *name, const char *bound)
{
    char line[128];
    struct buffer out;
    buffer_init(&out, 0, 1 << 16);
    served_write(served, &out);
    ck_assert(!out.failed);
    char *page = strndup(buffer_payload(&out), out.len);
    (void)snprintf(line, sizeof line,
                   "\ntaluva_seek_%s_bucket{class=\"taluva.duel.live\",le=\"%s\"} ", name, bound);
    const char *at = strstr(page, line);
    ck_assert_msg(at, "%s in %s", line, page);
    const double value = strtod(at + strlen(line), NULL);
    free(page);
    buffer_release(&out);
    return value;
}

START_TEST(what_is_counted_of_a_table)
{
    enum { NOW_MS = 1000000 };
    struct served served = {0};
    struct ticket tickets[2] = {0};
    const struct group group = {.size = 2, .clocks = 1, .at = {0, 1}};
    const unsigned class = rating_class_find("taluva.duel.live");
    const char *waits = tables[_i].waits, *spreads = tables[_i].spreads;
    for (unsigned i = 0; i < 2; i++) {
        tickets[i].since_ms = NOW_MS - 1000 * (int64_t)tables[_i].waited_s[i];
        tickets[i].rating[2].strength = 1000 * tables[_i].rated[i];
    }
    struct served_table table = served_look(tickets, &group, class, NOW_MS);
    for (unsigned i = 0; i < 2; i++)
        ck_assert_uint_eq(table.waited_s[i], tables[_i].waited_s[i]);
    ck_assert_uint_eq(table.spread, tables[_i].spread);
    served_add(&served, &table);
    tickets[0].with = tickets[1].with = 7; /* who have chosen each other do not count */
    table = served_look(tickets, &group, class, NOW_MS);
    served_add(&served, &table);
    ck_assert_double_eq(below(&served, "wait_seconds", "+Inf"), 2);
    ck_assert_double_eq(below(&served, "spread_points", "+Inf"), 1);
    ck_assert_double_eq(below(&served, "wait_seconds", waits[0] ? waits : "1"), waits[0] ? 0 : 2);
    ck_assert_double_eq(below(&served, "spread_points", spreads[0] ? spreads : "16"),
                        spreads[0] ? 0 : 1);
}
END_TEST

/* By what they are rated in the game that they sit down to, of several that they take. */
START_TEST(what_is_counted_of_another_game)
{
    struct ticket tickets[2] = {0};
    const struct group group = {.size = 2, .game = 1, .clocks = 1, .at = {0, 1}};
    tickets[1].rating[pool_kind(0, 2)].strength = 2000000;
    tickets[1].rating[pool_kind(1, 2)].strength = 50000;
    const unsigned class = rating_class_find("totem.duel.live");
    ck_assert_uint_eq(served_look(tickets, &group, class, 0).spread, 50);
}
END_TEST

/* By what they are rated in teams, partners who have named each other too. */
START_TEST(what_is_counted_of_teams)
{
    struct ticket tickets[4] = {0};
    const struct group group = {.size = 4, .teams = true, .clocks = 1, .at = {0, 1, 2, 3}};
    const unsigned class = rating_class_find("taluva.team.live");
    for (unsigned i = 0; i < 4; i++) {
        tickets[i].with = 7;
        tickets[i].rating[POOL_TEAMS].strength = 1000000 + 100000 * i;
    }
    const struct served_table table = served_look(tickets, &group, class, 0);
    ck_assert_uint_eq(table.class, class);
    ck_assert_uint_eq(table.size, 4);
    ck_assert_uint_eq(table.spread, 300);
}
END_TEST

/* ---- favourites */

static double figure_of(const struct served *served, const char *name)
{
    char line[96];
    struct buffer out;
    buffer_init(&out, 0, 1 << 16);
    served_write(served, &out);
    char *page = strndup(buffer_payload(&out), out.len);
    (void)snprintf(line, sizeof line, "\ntaluva_rated_favourites_%s{class=\"", name);
    const char *at = strstr(page, line);
    const double value = at ? strtod(strchr(at, ' '), NULL) : -1;
    free(page);
    buffer_release(&out);
    return value;
}

/* So many seats and sides, rated so; who has won, and what was foretold. */
static const struct {
    const char *class;
    uint8_t seats, sides;
    uint32_t points[4], winners;
    bool counts;
    double won, foretold;
} favourites[] = {
    {"taluva.duel.live", 2, 2, {1600, 1500}, 1, true, 1, 0.640},
    {"taluva.duel.live", 2, 2, {1500, 1600}, 1, true, 0, 0.640},
    {"taluva.duel.live", 2, 2, {1500, 1600}, 3, true, 0.5, 0.640},
    {"taluva.duel.live", 2, 2, {1500, 1500}, 1, false, 0, 0},
    {"taluva.duel.live", 2, 2, {1600, 1500}, 0, false, 0, 0},
    {"taluva.table.live", 3, 3, {1500, 1600, 1600}, 2, false, 0, 0},
    {"taluva.table.live", 3, 3, {1500, 1500, 1900}, 4, true, 1, 0.784},
    {"taluva.team.live", 4, 2, {1500, 1700, 1700, 1700}, 1, true, 0, 0.640},
};

START_TEST(who_was_likelier_to_win)
{
    struct served served = {0};
    struct book_match match = {.class = (uint8_t)rating_class_find(favourites[_i].class),
                               .seats = favourites[_i].seats,
                               .sides = favourites[_i].sides,
                               .winners = favourites[_i].winners};
    for (unsigned seat = 0; seat < match.seats; seat++) {
        match.seat[seat].side = (uint8_t)(seat % match.sides);
        match.seat[seat].before.strength = 1000 * favourites[_i].points[seat];
    }
    const struct served_favourite favourite = served_favourite(&match);
    ck_assert_int_eq(favourite.class != 0, favourites[_i].counts);
    if (!favourites[_i].counts)
        return;
    served_add_favourite(&served, &favourite);
    ck_assert_double_eq(figure_of(&served, "total"), 1);
    ck_assert_double_eq(figure_of(&served, "won_total"), favourites[_i].won);
    ck_assert_double_eq_tol(figure_of(&served, "foretold_total"), favourites[_i].foretold, 0.02);
}
END_TEST

/* ---- at a server */

static double served(const char *name)
{
    char line[96];
    (void)snprintf(line, sizeof line, "seek_%s{class=\"taluva.duel.live\"}", name);
    return world_figure(&home, line);
}

START_TEST(two_who_were_put_together)
{
    char room[16];
    const int ana = stage_guest("Ana", "ana"), bo = stage_guest("Bo", "bob");
    world_do(&home, ana, "seek", "");
    world_pass(&home, 20000);
    ck_assert_double_eq(served("spread_points_count"), 0);
    world_do(&home, bo, "seek", "");
    world_pass(&home, 2000);
    stage_room_found(ana, "taluva.duel.live", room);
    ck_assert_double_eq(served("spread_points_count"), 1);
    ck_assert_double_eq(served("wait_seconds_count"), 2);
    ck_assert_double_ge(served("wait_seconds_sum"), 20);
    ck_assert_double_le(served("wait_seconds_sum"), 24);
}
END_TEST

Suite *served_suite(void)
{
    Suite *suite = suite_create("served");
    TCase *counted = tcase_create("counted");
    tcase_add_loop_test(counted, what_is_counted_of_a_table, 0, sizeof tables / sizeof tables[0]);
    tcase_add_test(counted, what_is_counted_of_another_game);
    tcase_add_test(counted, what_is_counted_of_teams);
    tcase_add_loop_test(counted, who_was_likelier_to_win, 0,
                        sizeof favourites / sizeof favourites[0]);
    suite_add_tcase(suite, counted);
    TCase *server = tcase_create("server");
    tcase_add_checked_fixture(server, stage_seek, stage_seek_ended);
    tcase_add_test(server, two_who_were_put_together);
    suite_add_tcase(suite, server);
    return suite;
}
