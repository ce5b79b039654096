#include "preview.h"

#include "map_group.h"
#include <stdlib.h>
#include <string.h>

/* ---- a tile */

/* Where the tile's hexes lie: the first one at the move's place, the others around it. */
static struct map_at hex_of(const struct cursor_move *move, int i)
{
    return i == 0 ? move->at : map_step(move->at, (move->k + i - 1) % 6);
}

/* The terrains of a tile: "JC" has a volcano before them, "2VL" is written whole. */
static int letters_of(char letters[4], const char *tile)
{
    const bool two_hex = *tile == '2';
    const int count = two_hex ? 2 : 3;
    if (strlen(tile) != (two_hex ? 3U : 2U))
        return 0;
    letters[0] = 'V';
    memcpy(letters + (two_hex ? 0 : 1), tile + (two_hex ? 1 : 0), 2);
    letters[count] = '\0';
    return count;
}

static void lay_tile(struct map *map, const struct cursor_move *move)
{
    char letters[4];
    const int count = letters_of(letters, move->what);
    for (int i = 0; i < count; i++) {
        struct map_hex *hex = map_hex(map, hex_of(move, i));
        if (!hex)
            continue;
        hex->level++;
        hex->terrain = letters[i];
        hex->facing = (uint8_t)(i == 0 ? move->k : (move->k + 3) % 6);
        hex->kind = 0;
        hex->owner = MAP_NOBODY;
        hex->lagoon = false;
        hex->marks = MAP_CURSOR;
    }
}

/* ---- buildings */

static void put_building(struct map_hex *hex, char kind, int seat)
{
    hex->kind = kind;
    hex->owner = (uint8_t)seat;
    hex->count = hex->level;
    hex->marks |= MAP_CURSOR;
}

static bool touches_group(const struct map *map, struct map_at at, const bool *group)
{
    for (int k = 0; k < 6; k++) {
        const struct map_hex *hex = map_hex(map, map_step(at, k));
        if (hex && group[hex - map->hexes])
            return true;
    }
    return false;
}

/* Huts on all empty hexes of the terrain beside the settlement. */
static void expand_settlement(struct map *map, const struct cursor_move *move, int seat)
{
    const char terrain = move->what[strlen(move->what) - 1];
    bool *group = map_group(map, move->at, map_same_settlement);
    for (int i = 0; group && i < map->columns * map->rows; i++) {
        const struct map_at at = {map->q_min + i % map->columns, map->r_min + i / map->columns};
        struct map_hex *hex = &map->hexes[i];
        if (hex->level > 0 && hex->terrain == terrain && !hex->kind &&
            touches_group(map, at, group))
            put_building(hex, 'h', seat);
    }
    free(group);
}

static void build_piece(struct map *map, const struct cursor_move *move, int seat)
{
    struct map_hex *hex = map_hex(map, move->at);
    if (!hex)
        return;
    if (strcmp(move->what, "boat") == 0) {
        hex->owner = (uint8_t)seat;
        hex->marks |= MAP_CURSOR;
    } else {
        put_building(hex, strcmp(move->what, "tower") == 0 ? 'w' : move->what[0], seat);
    }
}

/* ---- all */

void preview_bounds(struct map_bounds *bounds, const struct cursor *cursor)
{
    for (size_t i = 0; i < cursor->count; i++) {
        const struct cursor_move *move = &cursor->moves[i];
        for (int hex = 0; move->has_place && hex < (move->k < 0 ? 1 : 3); hex++)
            map_bounds_add(bounds, hex_of(move, hex));
    }
}

void preview_move(struct map *map, const struct cursor_move *move, int seat)
{
    if (!move->has_place || seat < 0 || seat >= MAP_NOBODY)
        return;
    if (move->k >= 0)
        lay_tile(map, move);
    else if (strncmp(move->what, "expand", 6) == 0)
        expand_settlement(map, move, seat);
    else
        build_piece(map, move, seat);
}

struct map_at preview_place(const struct map *map, struct map_at at)
{
    const struct map_hex *hex = map_hex(map, at);
    if (hex && hex->lagoon)
        return map_group_first(map, at, map_same_lagoon);
    return map_group_first(map, at, map_same_settlement);
}
