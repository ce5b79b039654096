/*
 * Taluva itself: values in, values out.
 *
 * A game is one plain value, `struct taluva`, copied by assignment. Nothing in it is secret: it
 * holds the number of tiles in the stack but not the stack; the caller passes each drawn tile to
 * `taluva_draw`. No heap, no clock, no I/O, no globals, no floats, no randomness.
 *
 * Commands come in pairs: `taluva_check_*` never changes anything; `taluva_*` checks and, only if
 * the answer is TALUVA_OK, changes the game and reports the effects. A refused command leaves the
 * value bit-identical. Arguments may be anything a hostile peer can send, unless a comment says
 * otherwise; only `struct taluva` itself is trusted to come from these functions.
 *
 * There is no undo: a caller that offers it keeps a copy of the value from before, or replays.
 *
 * Section numbers (§2b) are those of protocol/rules.md.
 */
#ifndef RULES_TALUVA_H
#define RULES_TALUVA_H

#include <rules/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TALUVA_SEATS_MAX = 5,
    TALUVA_TILES_MAX = 60,  /* volcano tiles in the box, the fifth player's included */
    TALUVA_TWO_HEX_MAX = 5, /* 2-Hex tiles in the box, one of each kind, §4b */
    TALUVA_HEXES_MAX = 190, /* hexes an island can have: 60 * 3 + 5 * 2 */
    TALUVA_BOATS_MAX = 10,
    TALUVA_SPAN_MAX = 130, /* an island's hexes differ by less than this in q, and in r */
    TALUVA_NO_SEAT = 255,

    /*
     * Every placement on the table holds an empty hex beside the island; an island of n hexes has
     * at most 2n + 4 of those (each hex joined uses up one and opens at most three), and each of
     * them lies in at most 12 ways that leave out the island's hex beside it. An eruption is a
     * volcano and one of six directions, and a tile shows at most two volcanoes.
     */
    TALUVA_PLACEMENTS_MAX =
        12 * (2 * (TALUVA_HEXES_MAX - 2) + 4) + 6 * (TALUVA_TILES_MAX + 2 * TALUVA_TWO_HEX_MAX),
    /* The hex west of a lagoon's smallest hex is land, and no other lagoon's. */
    TALUVA_LAGOONS_MAX = TALUVA_HEXES_MAX,
    /* A hex takes two kinds at most, a settlement (25 pieces at most) expands over five terrains.
     */
    TALUVA_BUILDS_MAX = 2 * TALUVA_HEXES_MAX + 25 * 5 + TALUVA_LAGOONS_MAX,
};

/* §1. Axial, pointy-top; directions are 0 E, 1 SE, 2 SW, 3 W, 4 NW, 5 NE. */
struct taluva_hex {
    int16_t q, r;
};

enum taluva_terrain {
    TALUVA_JUNGLE,
    TALUVA_CLEARING,
    TALUVA_SAND,
    TALUVA_ROCK,
    TALUVA_LAKE,
    TALUVA_VOLCANO,
};

enum taluva_kind { TALUVA_HUT, TALUVA_TOWER, TALUVA_TEMPLE, TALUVA_BOAT };
enum { TALUVA_KINDS = 4 };

enum taluva_zone { TALUVA_ZONE_NONE, TALUVA_ZONE_BEGINNER, TALUVA_ZONE_PLAYER, TALUVA_ZONE_EXPERT };
enum { TALUVA_ZONES = 4 };

/*
 * A tile by number. Volcano tiles are 0..24: 5 * first field + second field, clockwise after the
 * volcano (so CJ is 5). 2-Hex tiles are 25..29: 2JJ 2VJ 2VL 2VS 2VV (sorted as their names are).
 */
typedef uint8_t taluva_tile;
enum {
    TALUVA_TILE_TWO_HEX = 25,
    TALUVA_TILE_2JJ = 25,
    TALUVA_TILE_2VJ,
    TALUVA_TILE_2VL,
    TALUVA_TILE_2VS,
    TALUVA_TILE_2VV,
    TALUVA_TILES,
    TALUVA_TILE_NONE = 255
};

struct taluva_options {
    uint8_t seats;      /* 2..5 */
    uint8_t first;      /* the seat that starts */
    uint8_t tiles;      /* volcano tiles in the stack, 1..TALUVA_TILES_MAX */
    uint8_t two_hex;    /* set of 2-Hex tiles on offer: bit i is tile TALUVA_TILE_TWO_HEX + i */
    uint8_t zone;       /* enum taluva_zone */
    bool huts_anywhere; /* original-2006; else isolated huts, §2d */
    bool teams;         /* four seats, 0 and 2 against 1 and 3; excludes ranking */
    bool ranking;       /* the ranking variant, §3 */
    bool boats;         /* §4a */
};

/* `k` is the direction of the first field (2-Hex: of the second letter's hex), §1 and §4b. */
struct taluva_placement {
    struct taluva_hex at;
    uint8_t k;
    taluva_tile tile;
};

enum taluva_verb {
    TALUVA_BUILD_HUT,
    TALUVA_BUILD_TOWER,
    TALUVA_BUILD_TEMPLE,
    TALUVA_BUILD_EXPAND, /* `at` is the settlement's smallest hex */
    TALUVA_BUILD_BOAT,   /* `at` is the lagoon's smallest hex */
};
enum { TALUVA_VERBS = 5 };

struct taluva_build {
    struct taluva_hex at;
    uint8_t verb;    /* enum taluva_verb */
    uint8_t terrain; /* enum taluva_terrain, of an expansion; else 0 */
};

/* What is to be done next, by the seat to move. */
enum taluva_step {
    TALUVA_STEP_DRAW,  /* draw, or place one of the 2-Hex tiles that may be taken */
    TALUVA_STEP_PLACE, /* place the tile in hand */
    TALUVA_STEP_BUILD,
    TALUVA_STEP_OVER,
};
enum { TALUVA_STEPS = 4 };

/* §3 and §4c: why the game ended. */
enum taluva_end {
    TALUVA_END_NONE, /* it has not */
    TALUVA_END_TWO_KINDS,
    TALUVA_END_LAST_STANDING,
    TALUVA_END_EXHAUSTED,
    TALUVA_END_NO_ROOM,
};
enum { TALUVA_ENDS = 5 };

enum taluva_seat_state {
    TALUVA_SEAT_PLAYING,
    TALUVA_SEAT_FINISHED,   /* ranking variant: placed all of two kinds and left the turn order */
    TALUVA_SEAT_ELIMINATED, /* §2e */
};

/*
 * The game. Read it through the functions below; the fields are here so that it can be copied, and
 * only rules/ writes them.
 *
 *   cells     hexes in the order in which they joined the island. A cell never moves or vanishes.
 *   slots     open addressing: hash of (q, r) -> cell + 1, 0 is free.
 *   near      near[cell][direction] -> cell, or TALUVA_NO_CELL: the hex there is table.
 */
enum { TALUVA_SLOTS = 512, TALUVA_NO_CELL = 255 };

struct taluva_cell {
    struct taluva_hex hex;
    uint8_t level;   /* 1 lies on the table */
    uint8_t terrain; /* enum taluva_terrain */
    uint8_t facing;  /* volcanoes: 0..5, of a 2-Hex tile 6..11 (6 + direction); else 0 */
    uint8_t owner;   /* seat, or TALUVA_NO_SEAT: nothing built here, `kind` and `count` are 0 */
    uint8_t kind;    /* enum taluva_kind, never a boat */
    uint8_t count;   /* huts: as many as the level; else 1 */
};

struct taluva_boat {
    struct taluva_hex lagoon; /* its smallest hex */
    uint16_t n_hexes;         /* a lagoon with a boat never changes again */
    uint8_t seat;
};

struct taluva {
    struct taluva_options options;
    uint8_t step;     /* enum taluva_step */
    uint8_t seat;     /* to move; TALUVA_NO_SEAT when over */
    taluva_tile tile; /* in hand, drawn but not placed; else TALUVA_TILE_NONE */
    uint8_t end;      /* enum taluva_end */
    uint8_t stack;    /* volcano tiles not yet drawn */
    uint8_t two_hex;  /* set of 2-Hex tiles not yet taken */
    uint8_t n_boats;
    uint8_t n_eliminated;
    uint8_t n_finished;
    uint8_t n_cells;
    uint8_t eliminated[TALUVA_SEATS_MAX]; /* seats, first out first; unused ones 0 */
    uint8_t finished[TALUVA_SEATS_MAX];   /* seats, best first; unused ones 0 */
    uint8_t state[TALUVA_SEATS_MAX];      /* enum taluva_seat_state */
    uint8_t two_hex_used[TALUVA_SEATS_MAX];
    uint8_t reserve[TALUVA_SEATS_MAX][TALUVA_KINDS];
    struct taluva_boat boats[TALUVA_BOATS_MAX];
    struct taluva_cell cells[TALUVA_HEXES_MAX];
    uint8_t slots[TALUVA_SLOTS];
    uint8_t near[TALUVA_HEXES_MAX][6];
};

_Static_assert(sizeof(struct taluva) <= 4096, "a server keeps one of these for every room");

/* Details of a refusal. */
struct taluva_detail {
    bool has_hex;
    struct taluva_hex hex; /* the offending hex; for not_smallest_hex the hex that is meant */
    bool has_number;
    int number; /* overhangs_board: points outside; not_enough_huts: huts needed */
};

/* What a command did that cannot be read off the game afterwards. */
struct taluva_effects {
    bool turn_passed;                       /* seat to move changed, or the game ended */
    uint8_t eliminated;                     /* seats now out; bit i is seat i */
    uint8_t huts_covered[TALUVA_SEATS_MAX]; /* by the eruption, per owner */
};

/* ---- the commands */

enum taluva_status taluva_check_options(const struct taluva_options *options);

/* An empty table; the first seat is to draw. On refusal `game` is untouched. */
enum taluva_status taluva_init(struct taluva *game, const struct taluva_options *options);

/*
 * The seat to move draws, and this is the tile that came up (a volcano tile: the caller owns the
 * stack and must hand over what was dealt). In step draw only, and only if taluva_may_take() has
 * TALUVA_TAKE_DRAW. `effects` may be NULL, here and below; it is filled only on TALUVA_OK.
 */
enum taluva_status taluva_check_draw(const struct taluva *game, uint8_t seat, taluva_tile tile);
enum taluva_status taluva_draw(struct taluva *game, uint8_t seat, taluva_tile tile,
                               struct taluva_effects *effects);

/*
 * Place the tile in hand; or, in step draw, take a 2-Hex tile by placing it. A placement that
 * leaves its player nothing to build is refused with TALUVA_ELIMINATES_YOU unless `confirm`; then
 * the player is out at once (the turn is written `PLACEMENT none`) and the turn passes. When
 * several things are wrong, the first in the order of TALUVA_STATUS_TABLE is named, save that whose
 * turn it is and which tile may be placed come before everything else. `detail` may be NULL.
 */
enum taluva_status taluva_check_place(const struct taluva *game, uint8_t seat,
                                      const struct taluva_placement *placement, bool confirm,
                                      struct taluva_detail *detail);
enum taluva_status taluva_place(struct taluva *game, uint8_t seat,
                                const struct taluva_placement *placement, bool confirm,
                                struct taluva_effects *effects);

/* Only where the tile lies: 2a, 2b, 4a to 4c. Whose turn, step and elimination are not asked. */
enum taluva_status taluva_check_fit(const struct taluva *game,
                                    const struct taluva_placement *placement,
                                    struct taluva_detail *detail);

enum taluva_status taluva_check_build(const struct taluva *game, uint8_t seat,
                                      const struct taluva_build *build,
                                      struct taluva_detail *detail);
enum taluva_status taluva_build(struct taluva *game, uint8_t seat, const struct taluva_build *build,
                                struct taluva_effects *effects);

/*
 * The seat gives up or is timed out, in its own turn or not: eliminated as by §2e. A tile in its
 * hand is out of the game; between placement and build it counts as `none`.
 */
enum taluva_status taluva_check_forfeit(const struct taluva *game, uint8_t seat);
enum taluva_status taluva_forfeit(struct taluva *game, uint8_t seat,
                                  struct taluva_effects *effects);

/* ---- what may be done */

/* The seats that may act now: the seat to move, or none when the game is over. Bit i is seat i. */
uint8_t taluva_acting(const struct taluva *game);

/*
 * What the seat to move may take in step draw: bit i is 2-Hex tile TALUVA_TILE_TWO_HEX + i, bit 5
 * is drawing. 0 in every other step. Only what also fits somewhere: on a board that has no place
 * left for volcano tiles drawing is not offered, as nobody could place what he drew. Where volcano
 * tiles fit does not depend on their fields, so this tells nothing of the next one.
 */
enum { TALUVA_TAKE_DRAW = 1 << 5 };
uint8_t taluva_may_take(const struct taluva *game);

/*
 * Every place where `tile` fits, sorted by k, then q, then r; how many. `out` (room for
 * TALUVA_PLACEMENTS_MAX) may be NULL: count only. `dead_end` (as many) may be NULL; dead_end[i]
 * says whether out[i] would leave the seat to move nothing to build. The tile need not be in hand.
 */
size_t taluva_list_placements(const struct taluva *game, taluva_tile tile,
                              struct taluva_placement *out, bool *dead_end);

/*
 * Every legal build of the seat to move, in any step but over, as the island is now; sorted by
 * verb, q, r, terrain. `out` has room for TALUVA_BUILDS_MAX, or is NULL: count only.
 */
size_t taluva_list_builds(const struct taluva *game, struct taluva_build *out);

/*
 * The same island with this seat to build, whoever's turn it is: for what is said of what it could
 * do. False: the game is over or the seat is not in play, and `out` is untouched.
 */
bool taluva_let_build(const struct taluva *game, uint8_t seat, struct taluva *out);

/*
 * What a build of `seat` would put where: the hexes of an expansion (else one), and how many pieces
 * of the reserve it costs. For a build that taluva_check_build would refuse for its own sake (not
 * for whose turn it is) the answer is that refusal and `plan` is untouched.
 */
enum { TALUVA_PLAN_HEXES_MAX = 20 }; /* an expansion pays at least a hut for each hex */
struct taluva_build_plan {
    uint8_t kind; /* enum taluva_kind */
    uint8_t cost; /* pieces of that kind */
    uint8_t n_hexes;
    struct taluva_hex hexes[TALUVA_PLAN_HEXES_MAX];
};
enum taluva_status taluva_plan_build(const struct taluva *game, uint8_t seat,
                                     const struct taluva_build *build,
                                     struct taluva_build_plan *plan);

/* The hexes of a placement, in tile order: volcano (first letter) first. How many, 3 or 2. */
size_t taluva_placement_hexes(const struct taluva_placement *placement, struct taluva_hex out[3]);

/*
 * Legal sequences of `turns` whole turns from here, the deck handing over its tiles in order (it
 * has `n_deck`, at least as many as will be drawn). An elimination counts as one turn.
 */
uint64_t taluva_perft(const struct taluva *game, const taluva_tile *deck, size_t n_deck,
                      unsigned turns);

/* ---- looking */

/* The cell at a hex of the island, NULL where there is table. Iterate with game->cells, n_cells. */
const struct taluva_cell *taluva_cell_at(const struct taluva *game, struct taluva_hex hex);

/* Pieces that a seat began with, and that it has built so far (covered ones included). */
uint8_t taluva_supply(const struct taluva_options *options, enum taluva_kind kind);
uint8_t taluva_built(const struct taluva *game, uint8_t seat, enum taluva_kind kind);

/*
 * The settlement that holds `hex`: its hexes sorted by q, then r (the first names it), and whose.
 * TALUVA_NO_SEAT and n_hexes 0 if there is no building.
 */
struct taluva_settlement {
    uint8_t seat;
    uint8_t n_hexes;
    bool has_tower, has_temple;
    struct taluva_hex hexes[25];
};
void taluva_settlement_at(const struct taluva *game, struct taluva_hex hex,
                          struct taluva_settlement *out);

/*
 * The lagoons, sorted by their smallest hex (by q, then r), which names them; how many. With or
 * without the boats option. `out` has room for TALUVA_LAGOONS_MAX, or is NULL.
 */
struct taluva_lagoon {
    struct taluva_hex hex;
    uint16_t n_hexes;
    uint8_t boat; /* the seat whose boat is in it, or TALUVA_NO_SEAT */
};
size_t taluva_list_lagoons(const struct taluva *game, struct taluva_lagoon *out);

/* The lagoon a hex is in; false for land and open sea. */
bool taluva_lagoon_at(const struct taluva *game, struct taluva_hex hex, struct taluva_lagoon *out);

/* §4c: how many distinct corners of the tile lie outside the zone; 0 without one. */
int taluva_points_outside(enum taluva_zone zone, const struct taluva_placement *placement);

/* Steps from 0,0 to the middle of the zone's edge, R of §4c: 6, 5, 4; 0 without a zone. */
int taluva_zone_radius(enum taluva_zone zone);

/* Tiles by their letters: the terrain of hex i (0..n-1, in tile order). */
uint8_t taluva_tile_terrain(taluva_tile tile, unsigned i);
static inline bool taluva_tile_is_two_hex(taluva_tile tile)
{
    return tile >= TALUVA_TILE_TWO_HEX && tile < TALUVA_TILES;
}

struct taluva_hex taluva_hex_step(struct taluva_hex hex, unsigned direction);

/* ---- the result */

/*
 * Standing: the ranks as they would be if the game were counted now; once `game->end` is set, the
 * result. Groups of seats share a rank; groups are in order, best first. Not in team games, where
 * n_ranks is 0. `winners` is a set of seats; in team games of teams (bit 0: seats 0 and 2).
 */
struct taluva_outcome {
    uint8_t end; /* enum taluva_end */
    uint8_t winners;
    uint8_t n_ranks;
    uint8_t ranks[TALUVA_SEATS_MAX];   /* set of seats per group */
    uint8_t rank_of[TALUVA_SEATS_MAX]; /* seat -> group, 0 is best */
    uint8_t totals[2][TALUVA_KINDS];   /* team games: pieces per team and enum taluva_kind */
};
void taluva_outcome(const struct taluva *game, struct taluva_outcome *out);

#endif
