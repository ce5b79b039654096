#include "map.h"
#include "suites.h"
#include <string.h>

static const struct {
    const char *token;
    bool ok;
    struct map_hex want;
} TOKENS[] = {
    {"1J", true, {.level = 1, .terrain = 'J'}},
    {"12C", true, {.level = 12, .terrain = 'C'}},
    {"2V4", true, {.level = 2, .terrain = 'V', .facing = 4}},
    {"1v0", true, {.level = 1, .terrain = 'v', .facing = 0}},
    {"3R:2h3", true, {.level = 3, .terrain = 'R', .owner = 2, .kind = 'h', .count = 3}},
    {"3S:0w", true, {.level = 3, .terrain = 'S', .kind = 'w', .count = 1}},
    {"1L:4t", true, {.level = 1, .terrain = 'L', .owner = 4, .kind = 't', .count = 1}},
    {"", false, {0}},
    {"J", false, {0}},
    {"0J", false, {0}},
    {"1X", false, {0}},
    {"1V", false, {0}},
    {"1V6", false, {0}},
    {"1V3x", false, {0}},
    {"1Jx", false, {0}},
    {"1J:", false, {0}},
    {"1J:0", false, {0}},
    {"1J:0b1", false, {0}},
    {"1J:0h0", false, {0}},
    {"1J:0h1x", false, {0}},
    {"-1J", false, {0}},
    {"999999999999J", false, {0}},
};

START_TEST(token)
{
    struct map_hex hex = {0};
    bool ok = map_hex_parse(&hex, TOKENS[_i].token);
    ck_assert_msg(ok == TOKENS[_i].ok, "%s", TOKENS[_i].token);
    if (ok)
        ck_assert_msg(memcmp(&hex, &TOKENS[_i].want, sizeof hex) == 0, "%s", TOKENS[_i].token);
}
END_TEST

START_TEST(coordinates)
{
    struct map_at at;
    ck_assert_str_eq(map_at_parse("2,-1:4", &at), ":4");
    ck_assert_int_eq(at.q, 2);
    ck_assert_int_eq(at.r, -1);
    ck_assert_str_eq(map_at_parse("0,9", &at), "");
    ck_assert_int_eq(at.q, 0);
    ck_assert_int_eq(at.r, 9);
    static const char *const bad[] = {"",       "2",   "2,",  ",1",   "2;1",   "--2,1", "2, 1",
                                      "1000,0", "-,1", "2,-", "2,-:", "2,- 1", "2,+1"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        ck_assert_msg(!map_at_parse(bad[i], &at), "%s", bad[i]);
}
END_TEST

START_TEST(bounds_grow)
{
    struct map_bounds bounds = {0};
    map_bounds_add(&bounds, (struct map_at){5, -7});
    ck_assert(bounds.any);
    ck_assert_int_eq(bounds.q_min, 5);
    ck_assert_int_eq(bounds.q_max, 5);
    ck_assert_int_eq(bounds.r_min, -7);
    ck_assert_int_eq(bounds.r_max, -7);
    map_bounds_add(&bounds, (struct map_at){6, -9});
    ck_assert_int_eq(bounds.q_min, 5);
    ck_assert_int_eq(bounds.q_max, 6);
    ck_assert_int_eq(bounds.r_min, -9);
    ck_assert_int_eq(bounds.r_max, -7);
}
END_TEST

static void make_ring(struct map *map, int missing, int zone_steps)
{
    struct map_bounds bounds = {0};
    struct map_at middle = {0, 0};
    for (int k = 0; k < 6; k++)
        map_bounds_add(&bounds, map_step(middle, k));
    ck_assert(map_init(map, &bounds, zone_steps));
    for (int k = 0; k < 6; k++) {
        if (k != missing)
            map_hex_parse(map_hex(map, map_step(middle, k)), "1J");
    }
    ck_assert(map_finish(map));
}

/* A ring encloses water; with a gap it is open sea. */
START_TEST(lagoons)
{
    struct map map;
    make_ring(&map, -1, 0);
    ck_assert(map_hex(&map, (struct map_at){0, 0})->lagoon);
    ck_assert(!map_hex(&map, (struct map_at){2, 0})->lagoon);
    ck_assert(map_is_shore(&map, (struct map_at){2, 0}));
    ck_assert(!map_is_shore(&map, (struct map_at){1, 0}));
    ck_assert_ptr_null(map_hex(&map, (struct map_at){3, 0}));
    map_release(&map);
    make_ring(&map, 3, 0);
    ck_assert(!map_hex(&map, (struct map_at){0, 0})->lagoon);
    map_release(&map);
}
END_TEST

/*
 * As the rules count them: a hex cut through the middle by the straight edge has two corners
 * outside and two on the edge, which count as inside; the area is 144, 100, 64 hexes.
 */
START_TEST(zones)
{
    static const int areas[7] = {[4] = 64, [5] = 100, [6] = 144};
    for (int steps = 4; steps <= 6; steps++) {
        struct map map;
        int corners_inside = 0;
        make_ring(&map, -1, steps);
        ck_assert_int_eq(map_hex(&map, (struct map_at){steps, 0})->points, 2);
        ck_assert_int_eq(map_hex(&map, (struct map_at){0, 0})->points, 0);
        ck_assert_int_eq(map_hex(&map, (struct map_at){steps + 1, 0})->points, 6);
        for (int i = 0; i < map.columns * map.rows; i++)
            corners_inside += map.hexes[i].points == 0;
        /* every hex wholly inside, and those the edge passes through on top */
        ck_assert_int_lt(corners_inside, areas[steps]);
        ck_assert_int_gt(corners_inside, areas[steps] - 6 * steps);
        map_release(&map);
    }
}
END_TEST

Suite *map_suite(void)
{
    Suite *suite = suite_create("map");
    TCase *tcase = tcase_create("map");
    tcase_add_loop_test(tcase, token, 0, sizeof TOKENS / sizeof TOKENS[0]);
    tcase_add_test(tcase, coordinates);
    tcase_add_test(tcase, bounds_grow);
    tcase_add_test(tcase, lagoons);
    tcase_add_test(tcase, zones);
    suite_add_tcase(suite, tcase);
    return suite;
}
