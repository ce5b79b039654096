#include "position_check.h"

#include "build.h"
#include "map.h"
#include "placements.h"
#include "tile.h"
#include "turn.h"
#include <string.h>

/* What lies on the table, counted. */
struct tally {
    unsigned tiles, two_hex; /* placed */
    unsigned discarded;      /* volcano tiles neither placed, in hand nor in the stack */
};

static unsigned reached_from(const struct taluva *game, unsigned start)
{
    bool found[TALUVA_HEXES_MAX] = {false};
    uint8_t todo[TALUVA_HEXES_MAX];
    unsigned n_todo = 1, n = 0;
    found[start] = true;
    todo[0] = (uint8_t)start;
    while (n_todo > 0) {
        const unsigned cell = todo[--n_todo];
        n++;
        for (unsigned d = 0; d < 6; d++) {
            const unsigned other = game->near[cell][d];
            if (other != TALUVA_NO_CELL && !found[other]) {
                found[other] = true;
                todo[n_todo++] = (uint8_t)other;
            }
        }
    }
    return n;
}

int rules_island_span(const struct taluva *game)
{
    int q[2] = {0, 0}, r[2] = {0, 0};
    for (unsigned i = 0; i < game->n_cells; i++) {
        const struct taluva_hex hex = game->cells[i].hex;
        q[0] = hex.q < q[0] ? hex.q : q[0];
        q[1] = hex.q > q[1] ? hex.q : q[1];
        r[0] = hex.r < r[0] ? hex.r : r[0];
        r[1] = hex.r > r[1] ? hex.r : r[1];
    }
    return q[1] - q[0] > r[1] - r[0] ? q[1] - q[0] : r[1] - r[0];
}

static const char *check_shape(const struct taluva *game, const struct tally *tally)
{
    if (game->n_cells == 0)
        return NULL;
    const unsigned origin = rules_find(game, 0, 0);
    if (origin == TALUVA_NO_CELL)
        return "the first tile lies on 0,0";
    if (reached_from(game, origin) != game->n_cells)
        return "the island is not connected";
    /* Each tile reaches two hexes further at most. */
    if (rules_island_span(game) > 2 * (int)(tally->tiles + tally->two_hex) - 1)
        return "so few tiles do not reach so far";
    return NULL;
}

/* Every tile adds one level to each of its hexes, so the levels tell how many there are. */
static const char *check_tiles(const struct taluva *game, struct tally *tally)
{
    const unsigned taken = game->options.two_hex & ~(unsigned)game->two_hex;
    unsigned levels = 0, used = 0;
    for (unsigned i = 0; i < game->n_cells; i++)
        levels += game->cells[i].level;
    for (unsigned seat = 0; seat < game->options.seats; seat++) {
        used += game->two_hex_used[seat];
        if (game->two_hex_used[seat] > 1 && game->stack > 0)
            return "a second 2-Hex tile is taken when the stack is empty";
    }
    tally->two_hex = rules_popcount(taken);
    if ((game->two_hex & ~(unsigned)game->options.two_hex) != 0 || used != tally->two_hex)
        return "the 2-Hex tiles do not add up";
    if (levels < 2 * tally->two_hex || (levels - 2 * tally->two_hex) % 3 != 0)
        return "the levels are no whole number of tiles";
    tally->tiles = (levels - 2 * tally->two_hex) / 3;
    const unsigned elsewhere = game->stack + (game->step == TALUVA_STEP_PLACE ? 1u : 0u);
    if (tally->tiles + elsewhere > game->options.tiles)
        return "there are more tiles than there were";
    tally->discarded = game->options.tiles - elsewhere - tally->tiles;
    return tally->discarded > game->n_eliminated ? "tiles are missing" : NULL;
}

static unsigned volcanoes_printed(const struct taluva *game)
{
    const unsigned taken = game->options.two_hex & ~(unsigned)game->two_hex;
    unsigned n = 0;
    for (unsigned i = 0; i < 2 * TALUVA_TWO_HEX_MAX; i++) {
        const taluva_tile tile = (taluva_tile)(TALUVA_TILE_TWO_HEX + i / 2);
        n += (taken >> i / 2 & 1) != 0 && taluva_tile_terrain(tile, i % 2) == TALUVA_VOLCANO;
    }
    return n;
}

static const char *check_volcanoes(const struct taluva *game, const struct tally *tally)
{
    unsigned large = 0, small = 0;
    for (unsigned i = 0; i < game->n_cells; i++) {
        if (game->cells[i].terrain == TALUVA_VOLCANO) {
            large += game->cells[i].facing < 6;
            small += game->cells[i].facing >= 6;
        }
    }
    return large > tally->tiles || small > volcanoes_printed(game)
               ? "there are more volcanoes than tiles"
               : NULL;
}

static const char *check_pieces(const struct taluva *game)
{
    unsigned on_table[TALUVA_SEATS_MAX][TALUVA_KINDS] = {{0}};
    for (unsigned i = 0; i < game->n_cells; i++) {
        const struct taluva_cell *const cell = &game->cells[i];
        if (cell->owner == TALUVA_NO_SEAT)
            continue;
        if (cell->kind == TALUVA_TOWER && cell->level < 3)
            return "a tower stands on level 3 or higher";
        on_table[cell->owner][cell->kind] += cell->count;
    }
    for (unsigned i = 0; i < game->n_boats; i++)
        on_table[game->boats[i].seat][TALUVA_BOAT]++;
    for (unsigned seat = 0; seat < game->options.seats; seat++) {
        for (unsigned kind = 0; kind < TALUVA_KINDS; kind++) {
            const unsigned built = taluva_built(game, (uint8_t)seat, (enum taluva_kind)kind);
            /* Huts alone can be covered. */
            if (on_table[seat][kind] > built ||
                (kind != TALUVA_HUT && on_table[seat][kind] < built))
                return "pieces on the table and in reserve do not add up";
            if (game->n_cells == 0 && built > 0)
                return "something was built on an empty table";
        }
    }
    return NULL;
}

static const char *check_seats(const struct taluva *game)
{
    unsigned winners = 0, playing = 0;
    if (game->n_finished > 0 && !game->options.ranking)
        return "only the ranking variant goes on after two kinds";
    for (unsigned seat = 0; seat < game->options.seats; seat++) {
        if (game->state[seat] == TALUVA_SEAT_FINISHED && rules_kinds_done(game, seat) < 2)
            return "who has finished has placed two kinds";
        playing += rules_is_playing(game, seat);
        winners += rules_is_playing(game, seat) && rules_has_won(game, seat);
    }
    if (playing == 0)
        return "nobody is left";
    if ((winners > 0) != (game->end == TALUVA_END_TWO_KINDS))
        return "two kinds and the end do not go together";
    if (winners > (game->options.teams ? 2 : 1))
        return "only one can be first to place two kinds";
    if (rules_is_last_standing(game) != (game->end == TALUVA_END_LAST_STANDING))
        return "the last one standing and the end do not go together";
    return NULL;
}

/* For some seat, as who would have been next is not written down. */
static bool is_without_room(const struct taluva *game)
{
    struct taluva next = *game;
    next.step = TALUVA_STEP_DRAW;
    for (next.seat = 0; next.seat < game->options.seats; next.seat++) {
        const bool has_turn = rules_is_playing(game, next.seat) &&
                              (game->stack > 0 || rules_may_use_two_hex(game, next.seat));
        if (has_turn && taluva_may_take(&next) == 0)
            return true;
    }
    return false;
}

static const char *check_end(const struct taluva *game)
{
    switch ((enum taluva_end)game->end) {
    case TALUVA_END_NONE:
    case TALUVA_END_TWO_KINDS:
    case TALUVA_END_LAST_STANDING:
        return NULL; /* see check_seats */
    case TALUVA_END_EXHAUSTED:
        return rules_is_exhausted(game) ? NULL : "there are tiles left";
    case TALUVA_END_NO_ROOM:
        return !rules_is_exhausted(game) && is_without_room(game) ? NULL : "there is room left";
    }
    return "there is no such end";
}

static const char *check_turn(const struct taluva *game)
{
    if (game->step != TALUVA_STEP_OVER && !rules_is_playing(game, game->seat))
        return "the seat to move is out";
    switch ((enum taluva_step)game->step) {
    case TALUVA_STEP_DRAW:
        return taluva_may_take(game) != 0 ? NULL : "there is nothing to draw or take";
    case TALUVA_STEP_PLACE:
        return rules_fits_somewhere(game, game->tile) ? NULL : "the tile in hand fits nowhere";
    case TALUVA_STEP_BUILD:
        if (game->n_cells == 0)
            return "nothing has been placed";
        return rules_can_build(game, game->seat) ? NULL : "there is nothing to build";
    case TALUVA_STEP_OVER:
        return check_end(game);
    }
    return "there is no such step";
}

const char *rules_position_check(const struct taluva *game)
{
    struct tally tally = {0, 0, 0};
    const char *wrong = check_tiles(game, &tally);
    wrong = wrong ? wrong : check_shape(game, &tally);
    wrong = wrong ? wrong : check_volcanoes(game, &tally);
    wrong = wrong ? wrong : check_pieces(game);
    wrong = wrong ? wrong : check_seats(game);
    return wrong ? wrong : check_turn(game);
}
