#include "board.h"

#include <string.h>

static void set_cell(struct board *board, unsigned i, const struct taluva_cell *cell)
{
    board->level[i] = cell->level;
    board->terrain[i] = cell->terrain;
    board->facing[i] = cell->facing;
    board->owner[i] = cell->owner;
    board->kind[i] = cell->kind;
}

static void set_table(struct board *board, unsigned i)
{
    static const struct taluva_cell table = {.terrain = TALUVA_VOLCANO, .owner = TALUVA_NO_SEAT};
    set_cell(board, i, &table);
    memset(board->near[i], TALUVA_NO_CELL, sizeof board->near[i]);
}

void board_begin_turn(struct board *board)
{
    const struct taluva *const game = board->game;
    board->seat = game->seat;
    board->over = game->step == TALUVA_STEP_OVER;
    board->two_hex = game->two_hex;
    board->n_out = game->n_eliminated;
    board->n_finished = game->n_finished;
    memcpy(board->two_hex_used, game->two_hex_used, sizeof board->two_hex_used);
    memcpy(board->state, game->state, sizeof board->state);
}

void board_init(struct board *board, const struct taluva *game)
{
    board->game = game;
    board->n_cells = game->n_cells;
    board->stack = game->stack;
    memcpy(board->reserve, game->reserve, sizeof board->reserve);
    for (unsigned i = 0; i < game->n_cells; i++)
        set_cell(board, i, &game->cells[i]);
    memcpy(board->near, game->near, sizeof game->near[0] * game->n_cells);
    for (unsigned i = game->n_cells; i < game->n_cells + 3U && i < TALUVA_NO_CELL; i++)
        set_table(board, i);
    set_table(board, TALUVA_NO_CELL);
    board_begin_turn(board);
}

/* The cell at a hex, or TALUVA_NO_CELL; new ones are not found. */
static unsigned find_cell(const struct board *board, struct taluva_hex hex)
{
    const struct taluva_cell *const cell = taluva_cell_at(board->game, hex);
    return cell ? (unsigned)(cell - board->game->cells) : TALUVA_NO_CELL;
}

static bool same_hex(struct taluva_hex a, struct taluva_hex b)
{
    return a.q == b.q && a.r == b.r;
}

/* Joins new cell i of the tile with its neighbours. */
static void join_cell(struct board *board, const struct taluva_hex *hexes, unsigned n, unsigned i)
{
    const unsigned cell = board->n_cells + i;
    for (unsigned d = 0; d < 6; d++) {
        const struct taluva_hex hex = taluva_hex_step(hexes[i], d);
        unsigned other = find_cell(board, hex);
        for (unsigned j = 0; j < n; j++)
            other = same_hex(hex, hexes[j]) ? board->n_cells + j : other;
        board->near[cell][d] = (uint8_t)other;
        if (other != TALUVA_NO_CELL)
            board->near[other][(d + 3) % 6] = (uint8_t)cell;
    }
}

static uint8_t facing_of(const struct taluva_placement *placement, unsigned i)
{
    if (taluva_tile_terrain(placement->tile, i) != TALUVA_VOLCANO)
        return 0;
    if (!taluva_tile_is_two_hex(placement->tile))
        return placement->k;
    return (uint8_t)(6 + (placement->k + (i == 0 ? 0 : 3)) % 6);
}

static void lay_hex(struct board *board, const struct taluva_placement *placement, unsigned i,
                    unsigned cell)
{
    board->level[cell]++;
    board->terrain[cell] = taluva_tile_terrain(placement->tile, i);
    board->facing[cell] = facing_of(placement, i);
    board->owner[cell] = TALUVA_NO_SEAT;
    board->kind[cell] = 0;
}

static void remember_cell(const struct board *board, struct board_covered *covered, unsigned i)
{
    const unsigned cell = covered->cells[i];
    covered->level[i] = board->level[cell];
    covered->terrain[i] = board->terrain[cell];
    covered->facing[i] = board->facing[cell];
    covered->owner[i] = board->owner[cell];
    covered->kind[i] = board->kind[cell];
}

void board_lay(struct board *board, const struct taluva_placement *placement,
               struct board_covered *covered)
{
    struct taluva_hex hexes[3];
    covered->n = (uint8_t)taluva_placement_hexes(placement, hexes);
    covered->cells[0] = (uint8_t)find_cell(board, hexes[0]);
    covered->on_table = covered->cells[0] == TALUVA_NO_CELL;
    for (unsigned i = 0; i < covered->n; i++) {
        covered->cells[i] =
            (uint8_t)(covered->on_table ? board->n_cells + i : find_cell(board, hexes[i]));
        if (covered->on_table)
            join_cell(board, hexes, covered->n, i);
        remember_cell(board, covered, i);
        lay_hex(board, placement, i, covered->cells[i]);
    }
    if (covered->on_table)
        board->n_cells = (uint8_t)(board->n_cells + covered->n);
}

static void part_cell(struct board *board, unsigned cell)
{
    for (unsigned d = 0; d < 6; d++) {
        const unsigned other = board->near[cell][d];
        board->near[other][(d + 3) % 6] = TALUVA_NO_CELL;
        board->near[cell][d] = TALUVA_NO_CELL;
    }
}

void board_lift(struct board *board, const struct board_covered *covered)
{
    for (unsigned i = 0; i < covered->n; i++) {
        const unsigned cell = covered->cells[i];
        board->level[cell] = covered->level[i];
        board->terrain[cell] = covered->terrain[i];
        board->facing[cell] = covered->facing[i];
        board->owner[cell] = covered->owner[i];
        board->kind[cell] = covered->kind[i];
        if (covered->on_table)
            part_cell(board, cell);
    }
    if (covered->on_table)
        board->n_cells = (uint8_t)(board->n_cells - covered->n);
}

void board_put(struct board *board, const struct board_built *built)
{
    for (unsigned i = 0; i < built->n; i++) {
        board->owner[built->cells[i]] = built->seat;
        board->kind[built->cells[i]] = built->kind;
    }
    uint8_t *const left = &board->reserve[built->seat][built->kind];
    *left = (uint8_t)(*left - built->cost);
}

void board_take(struct board *board, const struct board_built *built)
{
    for (unsigned i = 0; i < built->n; i++) {
        board->owner[built->cells[i]] = TALUVA_NO_SEAT;
        board->kind[built->cells[i]] = 0;
    }
    uint8_t *const left = &board->reserve[built->seat][built->kind];
    *left = (uint8_t)(*left + built->cost);
}

/* ---- the end of a turn */

static unsigned kinds_done(const struct board *board, unsigned seat)
{
    unsigned done = 0;
    for (unsigned kind = 0; kind < board_kinds(board); kind++)
        done += board->reserve[seat][kind] == 0;
    return done;
}

/* Has the seat placed all of two kinds (in teams: and its mate all of one)? */
static bool has_won(const struct board *board, unsigned seat)
{
    const unsigned mine = kinds_done(board, seat);
    if (!board->game->options.teams)
        return mine >= 2;
    const unsigned mate = (seat + 2) % 4;
    if (!board_is_playing(board, mate))
        return false;
    const unsigned theirs = kinds_done(board, mate);
    return mine >= 1 && theirs >= 1 && mine + theirs >= 3;
}

static bool may_move(const struct board *board, unsigned seat)
{
    /* Without a tile to draw a seat may still take its 2-Hex tiles, two of them at most (§4b). */
    const bool may_take = board->two_hex != 0 && board->two_hex_used[seat] < 2;
    return board_is_playing(board, seat) && (board->stack > 0 || may_take);
}

void board_end_turn(struct board *board, unsigned seat)
{
    const bool won = has_won(board, seat);
    if (won && board->game->options.ranking) {
        board->state[seat] = TALUVA_SEAT_FINISHED;
        board->n_finished++;
    } else if (won) {
        board->over = true;
    }
    unsigned n_playing = 0, next = TALUVA_SEATS_MAX, other = seat;
    for (unsigned i = 0; i < board->game->options.seats; i++) {
        other = board_next_seat(board, other);
        n_playing += board_is_playing(board, other);
        if (next == TALUVA_SEATS_MAX && may_move(board, other))
            next = other;
    }
    if (n_playing <= 1 || next == TALUVA_SEATS_MAX)
        board->over = true;
    board->seat = (uint8_t)(board->over ? TALUVA_NO_SEAT : next);
}
