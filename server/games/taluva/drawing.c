/*
 * The island as a drawing, for pictures of a match: hexes with their walls, from the back to the
 * front, and what stands on them, in the colours and nearly the shapes of the web client.
 */
#include "taluva_match.h"
#include <assert.h>

/* In tenths of the web client's unit. */
enum {
    HALF_WIDTH = 346,
    CORNER = 288, /* from the middle of a hex to its upper corner */
    ROW = 432,    /* from one row of hexes to the next */
    RISE = 130,   /* of one level */
    ON_HEX = 8,   /* shapes of a hex without what stands on it */
    HUT_SHAPES = 4,
};

static_assert(TALUVA_HEXES_MAX * ON_HEX + TALUVA_SEATS_MAX * (20 * HUT_SHAPES + 5 * 7) <=
                  GAME_SHAPES_MAX,
              "all that an island can have has a place");

static const uint32_t SHALLOW = 0xbfe9e6, FOAM = 0xeefaf5, WALL_LEFT = 0xc69a63,
                      WALL_RIGHT = 0x96693d, EDGE = 0x5f4a30, CRATER = 0x35211d, LAVA = 0xf2571d,
                      GOLD = 0xffc93f;
static const uint32_t terrains[] = {
    [TALUVA_JUNGLE] = 0x4f9150, [TALUVA_CLEARING] = 0xbcd56f, [TALUVA_SAND] = 0xf3dea6,
    [TALUVA_ROCK] = 0xb9bcc2,   [TALUVA_LAKE] = 0x2f86cf,     [TALUVA_VOLCANO] = 0x8d5b49,
};

/* In the order of the game's words for colours: light, middle, dark. */
static const uint32_t paints[TALUVA_SEATS_MAX][3] = {
    {0xee5a4c, 0xd02f2a, 0x8f1a1c}, {0xffffff, 0xe7e2d6, 0xb9b1a0}, {0xffd84a, 0xf0b213, 0xb67c05},
    {0xa9703f, 0x7f4b23, 0x532d12}, {0x55585f, 0x2d3036, 0x15171b},
};
enum paint { LIGHT, MIDDLE, DARK, NO_PAINT };

struct part {
    enum paint paint; /* NO_PAINT: gold */
    unsigned count;
    struct game_point points[GAME_SHAPE_POINTS];
};

static const struct part hut[] = {
    {DARK, 4, {{-85, -10}, {0, 36}, {0, -35}, {-85, -70}}},
    {MIDDLE, 4, {{85, -10}, {0, 36}, {0, -35}, {85, -70}}},
    {MIDDLE, 3, {{-110, -56}, {0, 3}, {0, -175}}},
    {LIGHT, 3, {{110, -56}, {0, 3}, {0, -175}}},
};
static const struct part tower[] = {
    {DARK, 4, {{-100, 0}, {-100, -330}, {0, -330}, {0, 55}}},
    {MIDDLE, 4, {{100, 0}, {100, -330}, {0, -330}, {0, 55}}},
    {LIGHT, 4, {{-130, -340}, {-130, -430}, {130, -430}, {130, -340}}},
    {DARK, 4, {{-130, -340}, {130, -340}, {100, -300}, {-100, -300}}},
};
static const struct part temple[] = {
    {DARK, 4, {{-200, -20}, {-10, 80}, {-10, 10}, {-200, -90}}},
    {MIDDLE, 4, {{200, -30}, {-10, 80}, {-10, 10}, {200, -100}}},
    {DARK, 4, {{-140, -70}, {-10, 0}, {-10, -90}, {-140, -160}}},
    {MIDDLE, 4, {{140, -80}, {-10, 0}, {-10, -90}, {140, -170}}},
    {MIDDLE, 3, {{-270, -210}, {-10, -50}, {-10, -300}}},
    {LIGHT, 3, {{270, -220}, {-10, -50}, {-10, -300}}},
    {NO_PAINT, 4, {{-25, -295}, {5, -295}, {10, -350}, {-10, -400}}},
};
enum { PARTS_HUT = sizeof hut / sizeof hut[0], PARTS_TOWER = sizeof tower / sizeof tower[0] };
enum { PARTS_TEMPLE = sizeof temple / sizeof temple[0] };

/* Where the huts of a hex stand, from the back to the front; there are as many as its level. */
static const struct game_point places[][5] = {
    {{0, 50}},
    {{-120, 0}, {120, 60}},
    {{10, -50}, {-140, 50}, {140, 70}},
    {{0, -80}, {-160, 10}, {160, 10}, {0, 100}},
    {{-80, -80}, {100, -80}, {-180, 40}, {10, 50}, {190, 50}},
};
enum { PLACES = sizeof places / sizeof places[0] };

struct drawing {
    struct game_shape *shapes;
    size_t count;
};

static void add_shape(struct drawing *drawing, uint32_t rgb, struct game_point at,
                      const struct game_point *points, unsigned count)
{
    assert(drawing->count < GAME_SHAPES_MAX && count <= GAME_SHAPE_POINTS);
    struct game_shape *shape = &drawing->shapes[drawing->count++];
    *shape = (struct game_shape){.rgb = rgb, .count = count};
    for (unsigned i = 0; i < count; i++)
        shape->points[i] = (struct game_point){at.x + points[i].x, at.y + points[i].y};
}

/* In hundredths of its size. */
static void add_hex(struct drawing *drawing, uint32_t rgb, struct game_point at, int percent)
{
    const int w = HALF_WIDTH * percent / 100, h = CORNER * percent / 100;
    const struct game_point corners[] = {{0, -h}, {w, -h / 2}, {w, h / 2},
                                         {0, h},  {-w, h / 2}, {-w, -h / 2}};
    add_shape(drawing, rgb, at, corners, 6);
}

static struct game_point middle_of(struct taluva_hex hex, int level)
{
    return (struct game_point){HALF_WIDTH * (2 * hex.q + hex.r), ROW * hex.r - RISE * level};
}

static void add_wall(struct drawing *drawing, struct game_point top, int level)
{
    const int w = HALF_WIDTH, h = CORNER, down = RISE * level;
    const struct game_point left[] = {{-w, h / 2}, {0, h}, {0, h + down}, {-w, h / 2 + down}};
    const struct game_point right[] = {{w, h / 2}, {0, h}, {0, h + down}, {w, h / 2 + down}};
    add_shape(drawing, WALL_LEFT, top, left, 4);
    add_shape(drawing, WALL_RIGHT, top, right, 4);
}

/* ---- what stands there */

static void add_parts(struct drawing *drawing, struct game_point at, const struct part *parts,
                      unsigned count, const uint32_t paint[3])
{
    for (unsigned i = 0; i < count; i++)
        add_shape(drawing, parts[i].paint == NO_PAINT ? GOLD : paint[parts[i].paint], at,
                  parts[i].points, parts[i].count);
}

static void add_huts(struct drawing *drawing, struct game_point at, unsigned count,
                     const uint32_t paint[3])
{
    const unsigned shown = count < PLACES ? count : PLACES;
    for (unsigned i = 0; i < shown; i++) {
        const struct game_point place = places[shown - 1][i];
        const struct game_point there = {at.x + place.x, at.y + place.y};
        add_parts(drawing, there, hut, PARTS_HUT, paint);
    }
}

static void add_piece(struct drawing *drawing, const struct taluva_cell *cell, struct game_point at,
                      const uint8_t *colours)
{
    if (cell->owner == TALUVA_NO_SEAT)
        return;
    const uint32_t *paint = paints[colours[cell->owner] % TALUVA_SEATS_MAX];
    if (cell->kind == TALUVA_HUT)
        add_huts(drawing, at, cell->count, paint);
    else if (cell->kind == TALUVA_TOWER)
        add_parts(drawing, at, tower, PARTS_TOWER, paint);
    else if (cell->kind == TALUVA_TEMPLE)
        add_parts(drawing, at, temple, PARTS_TEMPLE, paint);
}

static void add_cell(struct drawing *drawing, const struct taluva_cell *cell,
                     const uint8_t *colours)
{
    const struct game_point top = middle_of(cell->hex, cell->level);
    add_wall(drawing, top, cell->level);
    add_hex(drawing, EDGE, top, 100);
    add_hex(drawing, terrains[cell->terrain], top, 95);
    if (cell->terrain == TALUVA_VOLCANO) {
        add_hex(drawing, CRATER, top, 45);
        add_hex(drawing, LAVA, top, 30);
    }
    add_piece(drawing, cell, top, colours);
}

size_t taluva_drawing(const void *value, const uint8_t colours[PROTOCOL_SEATS],
                      struct game_shape *shapes)
{
    const struct taluva *game = &((const struct taluva_match *)value)->game;
    struct drawing drawing = {.shapes = shapes};
    int first = 0, last = 0;
    for (size_t i = 0; i < game->n_cells; i++) {
        const struct taluva_hex hex = game->cells[i].hex;
        first = hex.r < first ? hex.r : first;
        last = hex.r > last ? hex.r : last;
        add_hex(&drawing, SHALLOW, middle_of(hex, 0), 170);
    }
    for (size_t i = 0; i < game->n_cells; i++)
        add_hex(&drawing, FOAM, middle_of(game->cells[i].hex, 0), 115);
    for (int row = first; row <= last; row++) {
        for (size_t i = 0; i < game->n_cells; i++) {
            if (game->cells[i].hex.r == row)
                add_cell(&drawing, &game->cells[i], colours);
        }
    }
    return drawing.count;
}
