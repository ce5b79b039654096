/* The cursor over legal moves, what the map shows of them, and which hex is clicked. */
#include "cursor.h"
#include "map_draw.h"
#include "parts.h"
#include "preview.h"
#include "suites.h"
#include <cli_taluva/game.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 *      (0,0) . (2,0)     places of one tile; 2,0 takes two directions, 4,0 one that 0,0 lacks
 *        (0,1)
 *                  (3,2)
 */
static const char TILES[] = "[\"JC@3,2:1\",\"JC@2,0:1\",\"JC@0,0:1\",\"JC@2,0:3\",\"JC@0,1:5\","
                            "\"JC@0,0:4\",\"JC@4,0:2\"]";
static const char TURN[] = "[\"2VL@1,0:0\",\"draw\",\"2JJ@1,0:2\",\"2JJ@5,5:2\",\"2VL@1,0:3\","
                           "\"2VL@2,2:0\"]";
static const char BUILDS[] = "[\"temple@0,0\",\"hut@1,0\",\"tower@1,0\",\"expand@-1,0=L\","
                             "\"expand@-1,0=J\",\"boat@3,3\",\"hut@9,9\"]";
static const char ONE[] = "[\"hut@1,0\"]";

/* Keys: < > ^ v arrows, t T turn, n p change. What is chosen after them. */
static const struct {
    const char *moves;
    struct map_at near;
    int k;
    const char *keys, *chosen;
} WAYS[] = {
    {TILES, {0, 0}, 0, "", "JC@0,0:1"}, /* turned on to what is allowed */
    {TILES, {0, 0}, 2, "", "JC@0,0:4"},
    {TILES, {0, 0}, 5, "", "JC@0,0:1"},
    {TILES, {9, 9}, 0, "", "JC@3,2:1"},
    {TILES, {0, 0}, 1, ">", "JC@2,0:1"},
    {TILES, {0, 0}, 1, ">>", "JC@4,0:2"}, /* the direction that was chosen is kept behind it */
    {TILES, {0, 0}, 1, ">>>", "JC@0,1:5"},
    {TILES, {0, 0}, 1, ">>>>", "JC@3,2:1"},
    {TILES, {0, 0}, 1, ">>>>>", "JC@0,0:1"}, /* and around */
    {TILES, {0, 0}, 1, "<", "JC@3,2:1"},
    {TILES, {0, 0}, 1, "<<", "JC@0,1:5"},
    {TILES, {0, 0}, 1, "v", "JC@0,1:5"},
    {TILES, {0, 0}, 1, "vv", "JC@3,2:1"},
    {TILES, {0, 0}, 1, "vvv", "JC@3,2:1"}, /* there is no line below it */
    {TILES, {0, 0}, 1, "^", "JC@0,0:1"},
    {TILES, {4, 0}, 1, "v", "JC@0,1:5"},
    {TILES, {3, 2}, 1, "^", "JC@0,1:5"},
    {TILES, {3, 2}, 1, "^^", "JC@0,0:1"}, /* the nearer one: half a hex to the left */
    {TILES, {2, 0}, 1, "t", "JC@2,0:3"},
    {TILES, {2, 0}, 1, "tt", "JC@2,0:1"},
    {TILES, {2, 0}, 1, "T", "JC@2,0:3"},
    {TILES, {2, 0}, 1, "t<", "JC@0,0:4"},
    {TILES, {4, 0}, 1, "t", "JC@4,0:2"},
    {TILES, {2, 0}, 1, "n", "JC@2,0:3"}, /* there is but one thing: then it is turned */
    {TURN, {0, 0}, 0, "", "draw"},
    {TURN, {0, 0}, 0, "t", "draw"},
    {TURN, {0, 0}, 0, "n", "2JJ@1,0:2"},
    {TURN, {0, 0}, 0, ">", "2JJ@1,0:2"},
    {TURN, {0, 0}, 0, "nn", "2VL@1,0:0"},
    {TURN, {0, 0}, 0, "nnn", "draw"},
    {TURN, {0, 0}, 0, "p", "2VL@1,0:0"},
    {TURN, {0, 0}, 0, "pt", "2VL@1,0:3"},
    {TURN, {0, 0}, 0, "ptt", "2VL@1,0:0"}, /* turned, not exchanged */
    {TURN, {0, 0}, 0, "p>", "2VL@2,2:0"},
    {TURN, {0, 0}, 0, "p>t", "2VL@2,2:0"}, /* nor where it cannot be turned */
    {TURN, {0, 0}, 0, "nt", "2JJ@1,0:2"},
    {TURN, {0, 0}, 0, "p>>", "2VL@1,0:0"}, /* where the other tile alone fits it does not go */
    {TURN, {0, 0}, 0, "pp", "2JJ@1,0:2"},
    {TURN, {0, 0}, 0, "n>n", "2VL@2,2:0"}, /* the nearest place */
    {BUILDS, {1, 0}, 0, "", "hut@1,0"},
    {BUILDS, {1, 0}, 0, "t", "tower@1,0"},
    {BUILDS, {1, 0}, 0, "tt", "hut@1,0"},
    {BUILDS, {1, 0}, 0, "<", "temple@0,0"},
    {BUILDS, {1, 0}, 0, "<<", "expand@-1,0=J"},
    {BUILDS, {1, 0}, 0, "<<t", "expand@-1,0=L"},
    {BUILDS, {1, 0}, 0, "v", "boat@3,3"},
    {BUILDS, {1, 0}, 0, "vv", "hut@9,9"},
    {BUILDS, {1, 0}, 0, "n", "expand@-1,0=J"},
    {BUILDS, {1, 0}, 0, "nn", "expand@-1,0=L"},
    {BUILDS, {1, 0}, 0, "nnn", "tower@1,0"},
    {BUILDS, {1, 0}, 0, "nnnn", "temple@0,0"},
    {BUILDS, {1, 0}, 0, "nnnnn", "boat@3,3"},
    {BUILDS, {1, 0}, 0, "nnnnnn", "hut@1,0"},
    {BUILDS, {1, 0}, 0, "p", "boat@3,3"},
    {ONE, {0, 0}, 0, "<>^vtTnp", "hut@1,0"},
};

static void press(struct cursor *cursor, char key)
{
    static const char arrows[] = "<>^v";
    static const enum cursor_step steps[] = {CURSOR_LEFT, CURSOR_RIGHT, CURSOR_UP, CURSOR_DOWN};
    const char *arrow = strchr(arrows, key);
    if (arrow)
        cursor_step(cursor, steps[arrow - arrows]);
    else if (key == 't' || key == 'T')
        cursor_turn(cursor, key == 'T');
    else
        cursor_change(cursor, key == 'p');
}

static void open_cursor(struct cursor *cursor, const char *moves, struct map_at near, int k)
{
    json_t *list = json_loads(moves, 0, NULL);
    ck_assert_msg(list && cursor_open(cursor, list, near, k), "%s", moves);
    json_decref(list);
}

START_TEST(goes_its_way)
{
    struct cursor cursor;
    open_cursor(&cursor, WAYS[_i].moves, WAYS[_i].near, WAYS[_i].k);
    for (const char *key = WAYS[_i].keys; *key; key++)
        press(&cursor, *key);
    ck_assert_msg(strcmp(cursor_now(&cursor)->text, WAYS[_i].chosen) == 0, "%s: %s, not %s",
                  WAYS[_i].keys, cursor_now(&cursor)->text, WAYS[_i].chosen);
    cursor_close(&cursor);
}
END_TEST

/* Right, t and Tab together reach everything, whatever the list. */
START_TEST(reaches_every_move)
{
    json_t *list = json_array();
    uint32_t seed = (uint32_t)_i + 1;
    struct cursor cursor;
    bool seen[64] = {false};
    for (int i = 0; i < 40; i++) {
        static const char *const whats[] = {"2VL", "2JJ", "JC"};
        char text[32];
        seed = seed * 1664525 + 1013904223;
        (void)snprintf(text, sizeof text, "%s@%d,%d:%d", whats[seed >> 8 & 1],
                       (int)(seed >> 10 & 7) - 4, (int)(seed >> 14 & 3) - 2,
                       (int)((seed >> 20) % 6));
        json_array_append_new(list, json_string(text));
    }
    ck_assert(cursor_open(&cursor, list, (struct map_at){0, 0}, 0));
    for (int what = 0; what < 3; what++, press(&cursor, 'n')) {
        for (size_t place = 0; place < cursor.count; place++, press(&cursor, '>')) {
            for (int k = 0; k < 6; k++, press(&cursor, 't'))
                seen[cursor.now] = true;
        }
    }
    for (size_t i = 0; i < cursor.count; i++) /* the same move may be in it twice */
        ck_assert_msg(seen[i] ||
                          (i > 0 && strcmp(cursor.moves[i].text, cursor.moves[i - 1].text) == 0) ||
                          (i + 1 < cursor.count &&
                           strcmp(cursor.moves[i].text, cursor.moves[i + 1].text) == 0),
                      "%s is never reached", cursor.moves[i].text);
    cursor_close(&cursor);
    json_decref(list);
}
END_TEST

START_TEST(points_and_finds)
{
    struct cursor cursor;
    open_cursor(&cursor, TILES, (struct map_at){0, 0}, 1);
    ck_assert(cursor_point(&cursor, (struct map_at){2, 0}));
    ck_assert_str_eq(cursor_now(&cursor)->text, "JC@2,0:1");
    ck_assert(!cursor_point(&cursor, (struct map_at){1, 0}));
    ck_assert_str_eq(cursor_now(&cursor)->text, "JC@2,0:1");
    ck_assert(cursor_find(&cursor, "JC@0,0:4"));
    press(&cursor, 'v');
    press(&cursor, '^');
    ck_assert_str_eq(cursor_now(&cursor)->text, "JC@0,0:4"); /* turned as what was found */
    ck_assert(!cursor_find(&cursor, "JC@0,0:3"));
    ck_assert_str_eq(cursor_now(&cursor)->text, "JC@0,0:4");
    cursor_close(&cursor);
    ck_assert_ptr_null(cursor.moves);
}
END_TEST

/* What cannot be read is left out; of nothing there is no cursor. */
START_TEST(nonsense)
{
    static const char *const lists[] = {
        "[]",
        "{}",
        "[7,null,\"\",\"@1,0\",\"pass\",\"hut@\",\"hut@1\",\"hut@1,0x\",\"JC@1,0:6\",\"JC@1,0:\"]",
        "[\"JC@1,0:1x\",\"expand@1,0=\",\"expand@1,0=LL\",\"abcdefghijklmnopqrstuvwxyz@1,0\"]",
        "[\"hut@99999,0\",\"abcdefghijk@1,0\",\"hut@1,0:0:0\"]",
    };
    struct cursor cursor;
    json_t *list = json_loads(lists[_i], 0, NULL);
    ck_assert_ptr_nonnull(list);
    ck_assert(!cursor_open(&cursor, list, (struct map_at){0, 0}, 0));
    ck_assert_ptr_null(cursor.moves);
    json_decref(list);
}
END_TEST

/* ---- what the map shows */

/* A settlement of seat 1 at 0,0 and 1,0, land around it; 4,0 is a hex of lagoon by itself. */
static const struct {
    struct map_at at;
    const char *token;
} LAND[] = {{{0, 0}, "1J:1h1"}, {{1, 0}, "2C:1h2"}, {{0, 1}, "3L"}, {{1, 1}, "1L:0h1"},
            {{2, 0}, "1L"},     {{-1, 0}, "1R"},    {{3, 0}, "1L"}, {{1, -1}, "1V2"}};

static void make_map(struct map *map)
{
    struct map_bounds bounds = {0};
    for (size_t i = 0; i < sizeof LAND / sizeof LAND[0]; i++)
        map_bounds_add(&bounds, LAND[i].at);
    ck_assert(map_init(map, &bounds, 0));
    for (size_t i = 0; i < sizeof LAND / sizeof LAND[0]; i++)
        ck_assert(map_hex_parse(map_hex(map, LAND[i].at), LAND[i].token));
    ck_assert(map_finish(map));
    map_hex(map, (struct map_at){4, 0})->lagoon = true;
}

/* Each hex that is lit, as "q,r LEVEL TERRAIN FACING OWNER KIND COUNT". */
static const struct {
    const char *move, *lit;
} PREVIEWS[] = {
    {"JC@1,-1:1", "1,-1 2V1. 0,0 2C4. 1,0 3J4. "},
    {"2VS@3,0:0", "3,0 2V0. 4,0 1S3. "},
    {"hut@2,0", "2,0 1L0 1h1 "},
    {"tower@0,1", "0,1 3L0 1w3 "},
    {"temple@0,1", "0,1 3L0 1t3 "},
    {"expand@0,0=L", "2,0 1L0 1h1 0,1 3L0 1h3 "}, /* not 1,1, which is built on, nor 3,0 */
    {"expand@0,0=R", "-1,0 1R0 1h1 "},
    {"boat@4,0", "4,0 boat 1 "},
    {"draw", ""},
};

static void describe(char *text, size_t size, const struct map *map)
{
    size_t len = 0;
    *text = '\0';
    for (int i = 0; i < map->columns * map->rows; i++) {
        const struct map_at at = {map->q_min + i % map->columns, map->r_min + i / map->columns};
        const struct map_hex *hex = &map->hexes[i];
        if (!(hex->marks & MAP_CURSOR))
            continue;
        if (hex->level == 0)
            len +=
                (size_t)snprintf(text + len, size - len, "%d,%d boat %d ", at.q, at.r, hex->owner);
        else if (hex->kind)
            len += (size_t)snprintf(text + len, size - len, "%d,%d %d%c%d %d%c%d ", at.q, at.r,
                                    hex->level, hex->terrain, hex->facing, hex->owner, hex->kind,
                                    hex->count);
        else
            len += (size_t)snprintf(text + len, size - len, "%d,%d %d%c%d. ", at.q, at.r,
                                    hex->level, hex->terrain, hex->facing);
    }
}

START_TEST(is_shown_on_the_map)
{
    char text[256], list[64];
    struct map map;
    struct cursor cursor;
    make_map(&map);
    (void)snprintf(list, sizeof list, "[\"%s\"]", PREVIEWS[_i].move);
    open_cursor(&cursor, list, (struct map_at){0, 0}, 0);
    struct map_bounds bounds = {0};
    preview_bounds(&bounds, &cursor);
    preview_move(&map, cursor_now(&cursor), 1);
    describe(text, sizeof text, &map);
    ck_assert_str_eq(text, PREVIEWS[_i].lit);
    preview_move(&map, cursor_now(&cursor), -1); /* nobody's: nothing to show */
    cursor_close(&cursor);
    map_release(&map);
}
END_TEST

/* Far out at sea there is room for the tile, too. */
START_TEST(the_map_has_room)
{
    struct cursor cursor;
    struct map_bounds bounds = {0};
    open_cursor(&cursor, "[\"JC@7,-3:0\",\"hut@-2,1\",\"draw\"]", (struct map_at){0, 0}, 0);
    preview_bounds(&bounds, &cursor);
    ck_assert(bounds.q_min == -2 && bounds.q_max == 8 && bounds.r_min == -3 && bounds.r_max == 1);
    cursor_close(&cursor);
}
END_TEST

START_TEST(any_hex_of_a_settlement_stands_for_it)
{
    struct map map;
    make_map(&map);
    const struct map_at settlement = preview_place(&map, (struct map_at){1, 0});
    const struct map_at lagoon = preview_place(&map, (struct map_at){4, 0});
    const struct map_at land = preview_place(&map, (struct map_at){2, 0});
    ck_assert(settlement.q == 0 && settlement.r == 0);
    ck_assert(lagoon.q == 4 && lagoon.r == 0);
    ck_assert(land.q == 2 && land.r == 0);
    map_release(&map);
}
END_TEST

/* ---- where a click is */

/* Every character of a hex belongs to it, wherever the window is and however large hexes are. */
START_TEST(a_click_is_in_its_hex)
{
    for (int q = -9; q <= 9; q++) {
        for (int r = -9; r <= 9; r++) {
            const struct map_window window = {
                .x = 7 * _i - 20, .y = 2 * _i - 6, .small = _i % 2 == 0};
            const int width = window.small ? 4 : 6;
            const int x = 5 + width * q + width / 2 * r - window.x, y = 1 + 2 * r - window.y;
            for (int i = 0; i < 2 * width; i++) {
                const struct map_at at = map_window_at(&window, x + i % width, y + i / width);
                ck_assert_int_eq(at.q, q);
                ck_assert_int_eq(at.r, r);
            }
        }
    }
}
END_TEST

/* ---- the first click */

static const char CLICKED[] =
    "{\"step\":\"place\",\"moves\":[\"SR@3,2:0\",\"SR@3,2:4\",\"SR@3,2:5\",\"SR@-6,0:2\"]}";

/* Where something may go, by hex. */
static bool may_go(const json_t *legal, struct map_at at)
{
    size_t i;
    json_t *value;
    char place[32];
    (void)snprintf(place, sizeof place, "@%d,%d", at.q, at.r);
    json_array_foreach(json_object_get(legal, "moves"), i, value)
    {
        const char *where = strstr(json_string_value(value), place);
        if (where && !strchr("0123456789", where[strlen(place)]))
            return true;
    }
    return false;
}

/* What a first click at this character of the picture does. */
static void click_first(const struct game_room *room, int x, int y, int *chosen)
{
    struct game_view *view = game_taluva.view_create(false);
    struct game_move move;
    struct canvas canvas;
    struct map_at at;
    ck_assert(canvas_init(&canvas, 54, 16, false));
    ck_assert(game_taluva.view_draw(view, room, &canvas));
    const struct map_at clicked = map_window_at(taluva_view_window(view), x, y);
    ck_assert(game_taluva.chooser->open(view, room, NULL));
    const enum game_choose_point done = game_taluva.chooser->point(view, room, x, y, false);
    ck_assert_msg((done != GAME_CHOOSE_NOTHING) == may_go(room->legal, clicked), "%d,%d", x, y);
    ck_assert(game_taluva.chooser->move(view, room, &move));
    ck_assert_ptr_nonnull(map_at_parse(strchr(move.text, '@') + 1, &at));
    if (done != GAME_CHOOSE_NOTHING) {
        ck_assert_msg(at.q == clicked.q && at.r == clicked.r, "%d,%d: %s", x, y, move.text);
        (*chosen)++;
    }
    canvas_release(&canvas);
    game_taluva.view_destroy(view);
}

/* Whatever the choice began with, a first click chooses the place that was clicked, or nothing:
 * not what lies there in a preview that nobody has seen. */
START_TEST(a_first_click_is_meant_for_its_place)
{
    size_t len;
    char *text = read_source_file("protocol/examples/states/everything.json", &len);
    json_t *state = json_loads(text, 0, NULL), *legal = json_loads(CLICKED, 0, NULL);
    const struct game_room room = {state, legal, 1};
    int chosen = 0;
    for (int y = 0; y < 16; y++) {
        for (int x = 0; x < 54; x++)
            click_first(&room, x, y, &chosen);
    }
    ck_assert_int_ge(chosen, 12); /* characters of a place that can be seen */
    json_decref(legal);
    json_decref(state);
    free(text);
}
END_TEST

Suite *cursor_suite(void)
{
    Suite *suite = suite_create("cursor");
    TCase *tcase = tcase_create("cursor");
    tcase_add_loop_test(tcase, goes_its_way, 0, sizeof WAYS / sizeof WAYS[0]);
    tcase_add_loop_test(tcase, reaches_every_move, 0, 20);
    tcase_add_test(tcase, points_and_finds);
    tcase_add_loop_test(tcase, nonsense, 0, 5);
    tcase_add_loop_test(tcase, is_shown_on_the_map, 0, sizeof PREVIEWS / sizeof PREVIEWS[0]);
    tcase_add_test(tcase, the_map_has_room);
    tcase_add_test(tcase, any_hex_of_a_settlement_stands_for_it);
    tcase_add_loop_test(tcase, a_click_is_in_its_hex, 0, 6);
    tcase_add_test(tcase, a_first_click_is_meant_for_its_place);
    suite_add_tcase(suite, tcase);
    return suite;
}
