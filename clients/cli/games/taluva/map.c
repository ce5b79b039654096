#include "map.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const struct map_at steps[6] = {{1, 0}, {0, 1}, {-1, 1}, {-1, 0}, {0, -1}, {1, -1}};

static const char *parse_number(const char *text, int *number)
{
    char *end;
    const char first = text[*text == '-'];
    if (first < '0' || first > '9') /* strtol skips blanks, and takes no digits for 0 */
        return NULL;
    long value = strtol(text, &end, 10);
    if (value < -MAP_REACH || value > MAP_REACH)
        return NULL;
    *number = (int)value;
    return end;
}

const char *map_at_parse(const char *text, struct map_at *at)
{
    text = parse_number(text, &at->q);
    if (!text || *text != ',')
        return NULL;
    return parse_number(text + 1, &at->r);
}

struct map_at map_step(struct map_at at, int direction)
{
    assert(direction >= 0 && direction < 6);
    return (struct map_at){at.q + steps[direction].q, at.r + steps[direction].r};
}

void map_bounds_add(struct map_bounds *bounds, struct map_at at)
{
    if (!bounds->any)
        *bounds = (struct map_bounds){at.q, at.q, at.r, at.r, true};
    bounds->q_min = at.q < bounds->q_min ? at.q : bounds->q_min;
    bounds->q_max = at.q > bounds->q_max ? at.q : bounds->q_max;
    bounds->r_min = at.r < bounds->r_min ? at.r : bounds->r_min;
    bounds->r_max = at.r > bounds->r_max ? at.r : bounds->r_max;
}

static int corner_distance(int x, int y, int z)
{
    int a = abs(x - y), b = abs(y - z), c = abs(z - x);
    int most = a > b ? a : b;
    return most > c ? most : c;
}

/* Corner coordinates as in the rules, section 4c: the zone's edge is 6 * R away. */
static uint8_t points_outside(struct map_at at, int zone_steps)
{
    static const int corners[6][3] = {{2, -1, -1}, {1, 1, -2},  {-1, 2, -1},
                                      {-2, 1, 1},  {-1, -1, 2}, {1, -2, 1}};
    uint8_t points = 0;
    if (zone_steps == 0)
        return 0;
    for (int i = 0; i < 6; i++) {
        int x = 3 * at.q + corners[i][0];
        int y = -3 * at.q - 3 * at.r + corners[i][1];
        int z = 3 * at.r + corners[i][2];
        if (corner_distance(x, y, z) > 6 * zone_steps)
            points++;
    }
    return points;
}

bool map_init(struct map *map, const struct map_bounds *bounds, int zone_steps)
{
    struct map_bounds all = *bounds;
    if (!all.any)
        map_bounds_add(&all, (struct map_at){0, 0});
    if (zone_steps > 0) {
        map_bounds_add(&all, (struct map_at){-zone_steps - 1, -zone_steps - 1});
        map_bounds_add(&all, (struct map_at){zone_steps + 1, zone_steps + 1});
    }
    *map = (struct map){.q_min = all.q_min - 1,
                        .r_min = all.r_min - 1,
                        .columns = all.q_max - all.q_min + 3,
                        .rows = all.r_max - all.r_min + 3,
                        .zone_steps = zone_steps};
    size_t count = (size_t)map->columns * (size_t)map->rows;
    map->hexes = calloc(count, sizeof *map->hexes);
    if (!map->hexes)
        return false;
    for (size_t i = 0; i < count; i++) {
        struct map_at at = {map->q_min + (int)i % map->columns, map->r_min + (int)i / map->columns};
        map->hexes[i].owner = MAP_NOBODY;
        map->hexes[i].points = points_outside(at, zone_steps);
    }
    return true;
}

void map_release(struct map *map)
{
    free(map->hexes);
    *map = (struct map){0};
}

struct map_hex *map_hex(const struct map *map, struct map_at at)
{
    int column = at.q - map->q_min, row = at.r - map->r_min;
    if (column < 0 || row < 0 || column >= map->columns || row >= map->rows)
        return NULL;
    return &map->hexes[(size_t)row * (size_t)map->columns + (size_t)column];
}

static bool parse_building(struct map_hex *hex, const char *token)
{
    if (token[0] < '0' || token[0] > '9' || !token[1] || !strchr("hwt", token[1]))
        return false;
    hex->owner = (uint8_t)(token[0] - '0');
    hex->kind = token[1];
    int count = 1;
    const char *end = token[2] ? parse_number(token + 2, &count) : token + 2;
    if (!end || *end != '\0' || count < 1)
        return false;
    hex->count = (uint8_t)(count > 99 ? 99 : count);
    return true;
}

bool map_hex_parse(struct map_hex *hex, const char *token)
{
    int level;
    const char *at = parse_number(token, &level);
    if (!at || level < 1 || level > 99 || !*at || !strchr("JCSRLVv", *at))
        return false;
    hex->level = (uint8_t)level;
    hex->terrain = *at++;
    if (hex->terrain == 'V' || hex->terrain == 'v') {
        if (*at < '0' || *at > '5')
            return false;
        hex->facing = (uint8_t)(*at++ - '0');
    }
    if (*at == ':')
        return parse_building(hex, at + 1);
    return *at == '\0';
}

/*
 * Floods the open sea from the rectangle's rim, which is all sea; empty hexes that stay dry are
 * lagoons. Each hex is pushed at most once.
 */
bool map_finish(struct map *map)
{
    size_t count = (size_t)map->columns * (size_t)map->rows, top = 0;
    struct map_at *stack = malloc(count * sizeof *stack);
    if (!stack)
        return false;
    for (size_t i = 0; i < count; i++)
        map->hexes[i].lagoon = map->hexes[i].level == 0;
    map->hexes[0].lagoon = false;
    stack[top++] = (struct map_at){map->q_min, map->r_min};
    while (top > 0) {
        struct map_at at = stack[--top];
        for (int k = 0; k < 6; k++) {
            struct map_at next = map_step(at, k);
            struct map_hex *hex = map_hex(map, next);
            if (!hex || !hex->lagoon)
                continue;
            hex->lagoon = false;
            stack[top++] = next;
        }
    }
    free(stack);
    return true;
}

bool map_is_shore(const struct map *map, struct map_at at)
{
    const struct map_hex *here = map_hex(map, at);
    if (here && here->level > 0)
        return false;
    for (int k = 0; k < 6; k++) {
        const struct map_hex *hex = map_hex(map, map_step(at, k));
        if (hex && hex->level > 0)
            return true;
    }
    return false;
}
