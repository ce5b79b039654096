/*
 * A position as the computer works on it: the island in flat arrays, with what it needs of the
 * seats. Tiles are laid and buildings put without any check, on turns that the rules have listed,
 * and taken back again: some nanoseconds, where a copy of the game and two commands cost a
 * microsecond.
 *
 * A cell has the index that it has in the game; those of a tile laid on the table follow. The
 * last entry of each array is no cell: it stands for the table (TALUVA_NO_CELL), so that a loop
 * over neighbours needs no test.
 */
#ifndef COMPUTER_BOARD_H
#define COMPUTER_BOARD_H

#include <rules/taluva.h>

enum { BOARD_CELLS = TALUVA_NO_CELL + 1 };

struct board {
    const struct taluva *game; /* the position that this was made of */
    uint8_t n_cells;
    uint8_t seat;  /* who moves next */
    uint8_t stack; /* tiles not yet drawn */
    bool over;     /* the game has ended: ask the rules how */
    uint8_t two_hex_used[TALUVA_SEATS_MAX];
    uint8_t two_hex;
    uint8_t state[TALUVA_SEATS_MAX];
    uint8_t n_out, n_finished;
    uint8_t reserve[TALUVA_SEATS_MAX][TALUVA_KINDS];
    uint8_t level[BOARD_CELLS];
    uint8_t terrain[BOARD_CELLS]; /* enum taluva_terrain; of the table TALUVA_VOLCANO */
    uint8_t facing[BOARD_CELLS];
    uint8_t owner[BOARD_CELLS]; /* or TALUVA_NO_SEAT */
    uint8_t kind[BOARD_CELLS];
    uint8_t near[BOARD_CELLS][6];
};

/* What a tile hid. */
struct board_covered {
    uint8_t n, cells[3];
    bool on_table;
    uint8_t level[3], terrain[3], facing[3], owner[3], kind[3];
};

/* What a build changed. */
struct board_built {
    uint8_t seat, kind, cost, n;
    uint8_t cells[TALUVA_PLAN_HEXES_MAX];
};

void board_init(struct board *board, const struct taluva *game);

void board_lay(struct board *board, const struct taluva_placement *placement,
               struct board_covered *covered);
void board_lift(struct board *board, const struct board_covered *covered);

void board_put(struct board *board, const struct board_built *built);
void board_take(struct board *board, const struct board_built *built);

/* Whose turn is next after `seat` has built; sets `over`, `seat` and the state of a finisher. */
void board_end_turn(struct board *board, unsigned seat);
/* Back to the seats as they are in the game. */
void board_begin_turn(struct board *board);

static inline bool board_is_free(const struct board *board, unsigned cell)
{
    return board->terrain[cell] != TALUVA_VOLCANO && board->owner[cell] == TALUVA_NO_SEAT;
}

static inline bool board_is_playing(const struct board *board, unsigned seat)
{
    return board->state[seat] == TALUVA_SEAT_PLAYING;
}

/* Around the table, whoever is in play; asked too often for a division. */
static inline unsigned board_next_seat(const struct board *board, unsigned seat)
{
    return seat + 1 < board->game->options.seats ? seat + 1 : 0;
}

static inline unsigned board_kinds(const struct board *board)
{
    return board->game->options.boats ? TALUVA_KINDS : TALUVA_BOAT;
}

#endif
