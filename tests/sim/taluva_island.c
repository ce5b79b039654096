#include "taluva_island.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the table */

static const struct place steps[6] = {{1, 0}, {0, 1}, {-1, 1}, {-1, 0}, {0, -1}, {1, -1}};

static struct place stepped(struct place at, int direction)
{
    struct place step = steps[direction % 6];
    return (struct place){at.q + step.q, at.r + step.r};
}

static bool before(struct place a, struct place b)
{
    return a.q < b.q || (a.q == b.q && a.r < b.r);
}

static bool same(struct place a, struct place b)
{
    return a.q == b.q && a.r == b.r;
}

/* The number of the hex's cell, from 0; -1 where the table is empty. */
static int cell_at(const struct island *island, struct place at)
{
    unsigned q = (unsigned)(at.q + ISLAND_MIDDLE), r = (unsigned)(at.r + ISLAND_MIDDLE);
    return q < ISLAND_SIDE && r < ISLAND_SIDE ? island->numbers[q][r] - 1 : -1;
}

static void add_move(json_t *moves, const char *text)
{
    int added = json_object_set_new(moves, text, json_true());
    assert(added == 0);
}

/* ---- settlements */

/* Marks the settlement that the cell belongs to; returns how many hexes it has. */
static int settlement_of(const struct island *island, int cell, bool in[ISLAND_CELLS])
{
    int list[ISLAND_CELLS], count = 0;
    memset(in, 0, ISLAND_CELLS * sizeof *in);
    in[cell] = true;
    list[count++] = cell;
    for (int i = 0; i < count; i++) {
        for (int d = 0; d < 6; d++) {
            int next = cell_at(island, stepped(island->cells[list[i]].at, d));
            if (next < 0 || in[next] || island->cells[next].owner != island->cells[cell].owner)
                continue;
            in[next] = true;
            list[count++] = next;
        }
    }
    return count;
}

struct settlement {
    bool in[ISLAND_CELLS];
    int size;
    struct place name; /* its smallest hex */
    bool tower, temple;
};

static void look_at_settlement(const struct island *island, int cell, struct settlement *found)
{
    *found = (struct settlement){.name = island->cells[cell].at};
    found->size = settlement_of(island, cell, found->in);
    for (int i = 0; i < island->count; i++) {
        if (!found->in[i])
            continue;
        if (before(island->cells[i].at, found->name))
            found->name = island->cells[i].at;
        found->tower |= island->cells[i].kind == 'w';
        found->temple |= island->cells[i].kind == 't';
    }
}

/* ---- lagoons */

struct water {
    bool sea[ISLAND_SIDE][ISLAND_SIDE]; /* of the box, which has a frame of sea around the island */
    struct place min, max;
};

static bool in_box(const struct water *water, struct place at)
{
    return at.q >= water->min.q && at.q <= water->max.q && at.r >= water->min.r &&
           at.r <= water->max.r;
}

static bool *sea_at(struct water *water, struct place at)
{
    return &water->sea[at.q + ISLAND_MIDDLE][at.r + ISLAND_MIDDLE];
}

static void find_sea(const struct island *island, struct water *water)
{
    static struct place todo[ISLAND_SIDE * ISLAND_SIDE];
    size_t count = 0;
    memset(water, 0, sizeof *water);
    for (int i = 0; i < island->count; i++) {
        struct place at = island->cells[i].at;
        water->min.q = at.q <= water->min.q ? at.q - 1 : water->min.q;
        water->min.r = at.r <= water->min.r ? at.r - 1 : water->min.r;
        water->max.q = at.q >= water->max.q ? at.q + 1 : water->max.q;
        water->max.r = at.r >= water->max.r ? at.r + 1 : water->max.r;
    }
    *sea_at(water, water->min) = true;
    todo[count++] = water->min;
    while (count > 0) {
        struct place at = todo[--count];
        for (int d = 0; d < 6; d++) {
            struct place next = stepped(at, d);
            if (!in_box(water, next) || cell_at(island, next) >= 0 || *sea_at(water, next))
                continue;
            *sea_at(water, next) = true;
            todo[count++] = next;
        }
    }
}

struct lagoon {
    struct place *hexes;
    size_t count;
    struct place name;
    int boat; /* whose; -1: nobody's */
};

/* False: the hex is no part of a lagoon. Its hexes are gone when another one is looked at. */
static bool look_at_lagoon(const struct island *island, struct water *water, struct place at,
                           struct lagoon *found)
{
    static struct place hexes[ISLAND_SIDE * ISLAND_SIDE];
    if (!in_box(water, at) || cell_at(island, at) >= 0 || *sea_at(water, at))
        return false;
    *found = (struct lagoon){.hexes = hexes, .count = 1, .name = at, .boat = -1};
    hexes[0] = at;
    for (size_t i = 0; i < found->count; i++) {
        if (before(hexes[i], found->name))
            found->name = hexes[i];
        for (int d = 0; d < 6; d++) {
            struct place next = stepped(hexes[i], d);
            bool known = cell_at(island, next) >= 0;
            for (size_t k = 0; k < found->count && !known; k++)
                known = same(hexes[k], next);
            if (!known)
                hexes[found->count++] = next;
        }
    }
    for (int i = 0; i < island->boat_count; i++) {
        if (same(island->boats[i].lagoon, found->name))
            found->boat = island->boats[i].seat;
    }
    return true;
}

/* ---- tiles */

struct part {
    struct place at;
    char terrain;
    int facing;
};

struct laid { /* a tile somewhere */
    struct part parts[3];
    int count;
};

static void lay(const char *tile, struct place at, int k, struct laid *laid)
{
    if (tile[0] == '2') {
        laid->count = 2;
        laid->parts[0] = (struct part){at, tile[1], 6 + k};
        laid->parts[1] = (struct part){stepped(at, k), tile[2], 6 + (k + 3) % 6};
    } else {
        laid->count = 3;
        laid->parts[0] = (struct part){at, 'V', k};
        laid->parts[1] = (struct part){stepped(at, k), tile[0], 0};
        laid->parts[2] = (struct part){stepped(at, k + 1), tile[1], 0};
    }
}

static int largest(int a, int b, int c)
{
    int most = abs(a) > abs(b) ? abs(a) : abs(b);
    return most > abs(c) ? most : abs(c);
}

static bool zone_allows(const struct island *island, const struct laid *laid)
{
    static const int corners[6][3] = {{2, -1, -1}, {1, 1, -2},  {-1, 2, -1},
                                      {-2, 1, 1},  {-1, -1, 2}, {1, -2, 1}};
    int outside[18][2], count = 0;
    for (int i = 0; i < laid->count * 6 && island->zone_radius > 0; i++) {
        struct place at = laid->parts[i / 6].at;
        int x = 3 * at.q + corners[i % 6][0], y = -3 * at.q - 3 * at.r + corners[i % 6][1];
        int z = 3 * at.r + corners[i % 6][2];
        bool counted = largest(x - y, y - z, z - x) <= 6 * island->zone_radius;
        for (int k = 0; k < count; k++)
            counted |= outside[k][0] == x && outside[k][1] == y;
        if (counted)
            continue;
        outside[count][0] = x;
        outside[count++][1] = y;
    }
    return count <= 2;
}

static bool extends(const struct island *island, const struct laid *laid)
{
    bool touches = false;
    for (int i = 0; i < laid->count; i++) {
        for (int d = 0; d < 6; d++)
            touches |= cell_at(island, stepped(laid->parts[i].at, d)) >= 0;
    }
    return touches;
}

static bool covers_whole_settlement(const struct island *island, const struct laid *laid)
{
    bool in[ISLAND_CELLS];
    for (int i = 0; i < laid->count; i++) {
        int cell = cell_at(island, laid->parts[i].at), covered = 0;
        if (island->cells[cell].owner < 0)
            continue;
        int size = settlement_of(island, cell, in);
        for (int k = 0; k < laid->count; k++)
            covered += in[cell_at(island, laid->parts[k].at)];
        if (covered == size)
            return true;
    }
    return false;
}

static bool erupts(const struct island *island, const struct laid *laid)
{
    int level = island->cells[cell_at(island, laid->parts[0].at)].level, vents = 0;
    for (int i = 0; i < laid->count; i++) {
        const struct part *part = &laid->parts[i];
        const struct cell *below = &island->cells[cell_at(island, part->at)];
        if (below->level != level || below->kind == 'w' || below->kind == 't')
            return false;
        if (part->terrain != 'V' || below->terrain != 'V')
            continue;
        if (below->facing == part->facing)
            return false;
        vents++;
    }
    return vents > 0 && !covers_whole_settlement(island, laid);
}

static bool fits(const struct island *island, const struct laid *laid)
{
    int covered = 0;
    for (int i = 0; i < laid->count; i++)
        covered += cell_at(island, laid->parts[i].at) >= 0;
    if (covered != 0 && covered != laid->count)
        return false;
    if (!zone_allows(island, laid))
        return false;
    return covered ? erupts(island, laid) : extends(island, laid);
}

static bool in_closed_lagoon(const struct island *island, struct water *water,
                             const struct laid *laid)
{
    for (int i = 0; i < laid->count; i++) {
        struct lagoon lagoon;
        if (look_at_lagoon(island, water, laid->parts[i].at, &lagoon) && lagoon.boat >= 0)
            return true;
    }
    return false;
}

/* The placements with the first hex here. `moves` NULL: it is enough to know whether there are. */
static bool placements_at(const struct island *island, struct water *water, const char *tile,
                          struct place at, json_t *moves)
{
    bool halves = strcmp(tile, "2VV") == 0 || strcmp(tile, "2JJ") == 0;
    bool any = false;
    for (int k = 0; k < (halves ? 3 : 6) && (moves || !any); k++) {
        struct laid laid;
        char text[ISLAND_TEXT];
        lay(tile, at, k, &laid);
        if (!fits(island, &laid) || in_closed_lagoon(island, water, &laid))
            continue;
        any = true;
        (void)snprintf(text, sizeof text, "%s@%d,%d:%d", tile, at.q, at.r, k);
        if (moves)
            add_move(moves, text);
    }
    return any;
}

static bool placements(const struct island *island, const char *tile, json_t *moves)
{
    static struct water water;
    bool any = false;
    find_sea(island, &water);
    for (int q = water.min.q - 1; q <= water.max.q + 1; q++) {
        for (int r = water.min.r - 1; r <= water.max.r + 1 && (moves || !any); r++)
            any |= placements_at(island, &water, tile, (struct place){q, r}, moves);
    }
    return any;
}

static void first_placement(const char *tile, json_t *moves)
{
    char text[ISLAND_TEXT];
    (void)snprintf(text, sizeof text, "%s@0,0:0", tile);
    add_move(moves, text);
}

void island_placements(const struct island *island, const char *tile, json_t *moves)
{
    if (island->count == 0)
        first_placement(tile, moves);
    else
        (void)placements(island, tile, moves);
}

bool island_has_room(const struct island *island, const char *tile)
{
    return island->count == 0 || placements(island, tile, NULL);
}

void island_place(struct island *island, const char *text)
{
    char tile[4];
    struct place at;
    struct laid laid;
    int k;
    int fields = sscanf(text, "%3[^@]@%d,%d:%d", tile, &at.q, &at.r, &k);
    assert(fields == 4);
    lay(tile, at, k, &laid);
    for (int i = 0; i < laid.count; i++) {
        struct part part = laid.parts[i];
        int number = cell_at(island, part.at), level = 1;
        if (number >= 0)
            level = island->cells[number].level + 1;
        else
            number = island->count++;
        assert(number < ISLAND_CELLS && abs(part.at.q) < ISLAND_MIDDLE - 4 &&
               abs(part.at.r) < ISLAND_MIDDLE - 4);
        island->numbers[part.at.q + ISLAND_MIDDLE][part.at.r + ISLAND_MIDDLE] =
            (uint8_t)(number + 1);
        island->cells[number] = (struct cell){part.at, level, part.terrain, part.facing, -1, 0};
    }
}

/* ---- builds */

static bool is_free(const struct cell *cell)
{
    return cell->terrain != 'V' && cell->owner < 0;
}

static void add_build(json_t *moves, const char *verb, struct place at)
{
    char text[ISLAND_TEXT];
    (void)snprintf(text, sizeof text, "%s@%d,%d", verb, at.q, at.r);
    add_move(moves, text);
}

static void builds_at(const struct island *island, int seat, const struct stock *stock,
                      const struct cell *cell, json_t *moves)
{
    bool beside = false, tower = false, temple = false;
    for (int d = 0; d < 6; d++) {
        int next = cell_at(island, stepped(cell->at, d));
        if (next < 0 || island->cells[next].owner != seat)
            continue;
        struct settlement settlement;
        look_at_settlement(island, next, &settlement);
        beside = true;
        tower |= !settlement.tower;
        temple |= settlement.size >= 3 && !settlement.temple;
    }
    if (cell->level == 1 && stock->huts > 0 && (island->huts_anywhere || !beside))
        add_build(moves, "hut", cell->at);
    if (cell->level >= 3 && stock->towers > 0 && tower)
        add_build(moves, "tower", cell->at);
    if (stock->temples > 0 && temple)
        add_build(moves, "temple", cell->at);
}

/* Marks the hexes that get huts; returns how many huts. */
static int expansion(const struct island *island, const struct settlement *settlement, char terrain,
                     bool gets[ISLAND_CELLS])
{
    int huts = 0;
    memset(gets, 0, ISLAND_CELLS * sizeof *gets);
    for (int i = 0; i < island->count; i++) {
        const struct cell *cell = &island->cells[i];
        for (int d = 0; d < 6 && cell->terrain == terrain && is_free(cell); d++) {
            int next = cell_at(island, stepped(cell->at, d));
            gets[i] |= next >= 0 && settlement->in[next];
        }
        huts += gets[i] ? cell->level : 0;
    }
    return huts;
}

static void expansions(const struct island *island, int cell, const struct stock *stock,
                       json_t *moves)
{
    struct settlement settlement;
    bool gets[ISLAND_CELLS];
    look_at_settlement(island, cell, &settlement);
    if (!same(settlement.name, island->cells[cell].at))
        return; /* once for each settlement */
    for (const char *terrain = "JCSRL"; *terrain; terrain++) {
        char text[ISLAND_TEXT];
        int huts = expansion(island, &settlement, *terrain, gets);
        (void)snprintf(text, sizeof text, "expand@%d,%d=%c", settlement.name.q, settlement.name.r,
                       *terrain);
        if (huts > 0 && huts <= stock->huts)
            add_move(moves, text);
    }
}

static void boats(const struct island *island, int seat, json_t *moves)
{
    static struct water water;
    find_sea(island, &water);
    for (int i = 0; i < island->count; i++) {
        for (int d = 0; d < 6 && island->cells[i].owner == seat; d++) {
            struct lagoon lagoon;
            if (look_at_lagoon(island, &water, stepped(island->cells[i].at, d), &lagoon) &&
                lagoon.boat < 0)
                add_build(moves, "boat", lagoon.name);
        }
    }
}

void island_builds(const struct island *island, int seat, const struct stock *stock, json_t *moves)
{
    for (int i = 0; i < island->count; i++) {
        if (is_free(&island->cells[i]))
            builds_at(island, seat, stock, &island->cells[i], moves);
        if (island->cells[i].owner == seat)
            expansions(island, i, stock, moves);
    }
    if (stock->boats > 0)
        boats(island, seat, moves);
}

static void put(struct cell *cell, int seat, char kind)
{
    cell->owner = seat;
    cell->kind = kind;
}

static void expand(struct island *island, int seat, struct stock *stock, struct place at,
                   char terrain)
{
    struct settlement settlement;
    bool gets[ISLAND_CELLS];
    look_at_settlement(island, cell_at(island, at), &settlement);
    stock->huts -= expansion(island, &settlement, terrain, gets);
    for (int i = 0; i < island->count; i++) {
        if (gets[i])
            put(&island->cells[i], seat, 'h');
    }
}

void island_build(struct island *island, int seat, struct stock *stock, const char *text)
{
    char verb[8], terrain = 0;
    struct place at;
    int fields = sscanf(text, "%7[^@]@%d,%d=%c", verb, &at.q, &at.r, &terrain);
    assert(fields >= 3);
    if (strcmp(verb, "expand") == 0) {
        expand(island, seat, stock, at, terrain);
    } else if (strcmp(verb, "boat") == 0) {
        assert(island->boat_count < ISLAND_BOATS);
        island->boats[island->boat_count].lagoon = at;
        island->boats[island->boat_count++].seat = seat;
        stock->boats--;
    } else {
        char kind = (char)(verb[0] == 'h' ? 'h' : strcmp(verb, "tower") == 0 ? 'w' : 't');
        put(&island->cells[cell_at(island, at)], seat, kind);
        stock->huts -= kind == 'h';
        stock->towers -= kind == 'w';
        stock->temples -= kind == 't';
    }
}
