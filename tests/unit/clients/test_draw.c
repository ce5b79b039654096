/*
 * Pictures of islands against golden files that were looked at.
 */
#include "map_draw.h"
#include "suites.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lines "q,r TOKEN [placed|built]" and "q,r boat SEAT"; the last tile's hexes are in focus. */
static void read_map(struct map *map, char *text, int zone_steps, struct map_at *focus)
{
    struct map_bounds bounds = {0};
    struct map_at at;
    for (char *line = text; *line; line = strchr(line, '\n') + 1) {
        ck_assert_ptr_nonnull(map_at_parse(line, &at));
        map_bounds_add(&bounds, at);
    }
    ck_assert(map_init(map, &bounds, zone_steps));
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        char token[32], mark[32] = "";
        ck_assert_int_ge(sscanf(map_at_parse(line, &at), "%31s %31s", token, mark), 1);
        struct map_hex *hex = map_hex(map, at);
        if (strcmp(token, "boat") == 0) {
            hex->owner = (uint8_t)atoi(mark);
            continue;
        }
        ck_assert_msg(map_hex_parse(hex, token), "%s", token);
        if (strcmp(mark, "placed") == 0) {
            hex->marks |= MAP_PLACED;
            *focus = at;
        } else if (strcmp(mark, "built") == 0) {
            hex->marks |= MAP_BUILT;
        }
    }
    for (int seat = 0; seat < MAP_SEATS; seat++)
        map->tint[seat] = (uint8_t)(TINT_RED + seat);
    ck_assert(map_finish(map));
}

static const struct {
    const char *map, *golden;
    int zone_steps, columns, rows;
    bool ascii, small, coordinates;
    enum canvas_colours colours;
} CASES[] = {
    {"empty", "empty", 0, 40, 8, false, false, false, CANVAS_MONO},
    {"empty", "empty-zone", 4, 80, 28, true, false, false, CANVAS_MONO},
    {"early", "early", 0, 44, 14, false, false, true, CANVAS_MONO},
    {"early", "early-true", 0, 44, 14, false, false, false, CANVAS_TRUE},
    {"early", "early-16", 0, 44, 14, true, true, false, CANVAS_16},
    {"late", "late-80x24", 0, 80, 24, false, false, false, CANVAS_MONO},
    {"late", "late-40x12", 0, 40, 12, true, false, false, CANVAS_MONO},
    {"late", "late-whole", 0, 110, 30, true, false, true, CANVAS_MONO},
    {"late", "late-small", 0, 80, 24, true, true, false, CANVAS_MONO},
    {"everything", "everything", 4, 80, 28, false, false, false, CANVAS_MONO},
    {"everything", "everything-256", 4, 80, 28, false, false, false, CANVAS_256},
    {"everything", "everything-small", 4, 60, 26, true, true, false, CANVAS_MONO},
};

START_TEST(picture)
{
    char path[256], *text;
    size_t len;
    struct map map;
    struct map_at focus = {0, 0};
    struct canvas canvas;
    struct map_window window = {.small = CASES[_i].small, .coordinates = CASES[_i].coordinates};
    snprintf(path, sizeof path, "tests/unit/clients/maps/%s.txt", CASES[_i].map);
    char *tokens = read_source_file(path, &len);
    read_map(&map, tokens, CASES[_i].zone_steps, &focus);
    ck_assert(canvas_init(&canvas, CASES[_i].columns, CASES[_i].rows, CASES[_i].ascii));
    map_window_follow(&window, &map, canvas.columns, canvas.rows, focus);
    map_draw(&canvas, &map, &window);
    FILE *out = open_memstream(&text, &len);
    ck_assert_ptr_nonnull(out);
    canvas_print(&canvas, CASES[_i].colours, out);
    fclose(out);
    snprintf(path, sizeof path, "tests/unit/clients/golden/%s.txt", CASES[_i].golden);
    check_golden(path, text, len);
    free(text);
    free(tokens);
    canvas_release(&canvas);
    map_release(&map);
}
END_TEST

/* Every tile in hand in each direction, side by side. */
START_TEST(tiles)
{
    static const char *const names[] = {"JC", "2VL", "2VV", "2JJ"};
    struct canvas canvas;
    char *text;
    size_t len;
    ck_assert(canvas_init(&canvas, 6 * TILE_COLUMNS, 4 * TILE_ROWS, false));
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 6; k++)
            tile_draw(&canvas, k * TILE_COLUMNS, i * TILE_ROWS, names[i], k);
    }
    tile_draw(&canvas, 0, 0, "", 0);
    FILE *out = open_memstream(&text, &len);
    ck_assert_ptr_nonnull(out);
    canvas_print(&canvas, CANVAS_MONO, out);
    fclose(out);
    check_golden("tests/unit/clients/golden/tiles.txt", text, len);
    free(text);
    canvas_release(&canvas);
}
END_TEST

/* Too small for anything, and larger than the island: nothing is drawn outside, nothing fails. */
START_TEST(any_size)
{
    char *tokens, copy[16384];
    size_t len;
    struct map map;
    struct map_at focus = {0, 0};
    tokens = read_source_file("tests/unit/clients/maps/late.txt", &len);
    ck_assert_uint_lt(len, sizeof copy);
    memcpy(copy, tokens, len + 1);
    read_map(&map, copy, 0, &focus);
    for (int columns = 1; columns < 130; columns += 7) {
        for (int rows = 1; rows < 40; rows += 3) {
            struct canvas canvas;
            struct map_window window = {.small = (columns + rows) % 2 == 0};
            ck_assert(canvas_init(&canvas, columns, rows, false));
            map_window_follow(&window, &map, columns, rows, focus);
            map_draw(&canvas, &map, &window);
            canvas_release(&canvas);
        }
    }
    free(tokens);
    map_release(&map);
}
END_TEST

/* The window does not move while the focus stays inside, and shows it wherever it goes. */
START_TEST(follows)
{
    char *tokens;
    size_t len;
    struct map map;
    struct map_at focus = {0, 0};
    struct map_window window = {0};
    tokens = read_source_file("tests/unit/clients/maps/late.txt", &len);
    read_map(&map, tokens, 0, &focus);
    map_window_follow(&window, &map, 60, 16, (struct map_at){-3, 1});
    struct map_window before = window;
    map_window_follow(&window, &map, 60, 16, (struct map_at){-3, 1});
    ck_assert_int_eq(window.x, before.x);
    ck_assert_int_eq(window.y, before.y);
    for (int i = 0; i < map.columns * map.rows; i++) {
        struct map_at at = {map.q_min + i % map.columns, map.r_min + i / map.columns};
        if (map.hexes[i].level == 0)
            continue;
        map_window_follow(&window, &map, 60, 16, at);
        int x = 6 * at.q + 3 * at.r - window.x, y = 2 * at.r - window.y;
        ck_assert_int_ge(x, 0);
        ck_assert_int_le(x, 60 - 5 - 6);
        ck_assert_int_ge(y, 0);
        ck_assert_int_le(y, 16 - 2 - 2);
    }
    free(tokens);
    map_release(&map);
}
END_TEST

Suite *draw_suite(void)
{
    Suite *suite = suite_create("draw");
    TCase *tcase = tcase_create("draw");
    tcase_add_loop_test(tcase, picture, 0, sizeof CASES / sizeof CASES[0]);
    tcase_add_test(tcase, tiles);
    tcase_add_test(tcase, any_size);
    tcase_add_test(tcase, follows);
    suite_add_tcase(suite, tcase);
    return suite;
}
