/*
 * Taluva itself: values in, values out.
 *
 * A game is one plain value, `struct taluva`, copied by assignment and at most 8 KiB. It is public
 * through and through: the stack is not in it, only how many tiles are left; whoever holds the stack
 * hands over the drawn tile with `taluva_draw`. No heap, no clock, no I/O, no globals, no floats, no
 * randomness.
 *
 * Commands come in pairs: `taluva_check_*` looks and never changes anything; `taluva_*` checks and,
 * only if the answer is TALUVA_OK, changes the game and says what it touched. A refused command
 * leaves the value bit-identical.
 *
 * Section numbers (§2b) are those of protocol/rules.md.
 */
#ifndef RULES_TALUVA_H
#define RULES_TALUVA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TALUVA_SEATS_MAX = 5,
    TALUVA_TILES_MAX = 60,    /* volcano tiles in the box, the fifth player's included */
    TALUVA_TWO_HEX_MAX = 5,   /* 2-Hex tiles in the box, one of each kind, §4b */
    TALUVA_HEXES_MAX = 190,   /* hexes an island can have: 60 * 3 + 5 * 2 */
    TALUVA_NO_SEAT = 255,
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

/*
 * A tile by number. Volcano tiles are 0..24: 5 * first field + second field, clockwise after the
 * volcano (so CJ is 5). 2-Hex tiles are 25..29: 2JJ 2VJ 2VL 2VS 2VV (sorted as their names are).
 */
typedef uint8_t taluva_tile;
enum { TALUVA_TILE_TWO_HEX = 25, TALUVA_TILE_NONE = 255 };

struct taluva_options {
    uint8_t seats;       /* 2..5 */
    uint8_t first;       /* the seat that starts */
    uint8_t tiles;       /* volcano tiles in the stack, 1..TALUVA_TILES_MAX */
    uint8_t two_hex;     /* set of 2-Hex tiles on offer: bit i is tile TALUVA_TILE_TWO_HEX + i */
    uint8_t zone;        /* enum taluva_zone */
    bool huts_anywhere;  /* original-2006; else isolated huts, §2d */
    bool teams;          /* four seats, 0 and 2 against 1 and 3; excludes ranking */
    bool ranking;        /* the ranking variant, §3 */
    bool boats;          /* §4a */
};

/* `k` is the direction of the first field (2-Hex: of the second letter's hex), §1 and §4b. */
struct taluva_placement {
    struct taluva_hex at;
    uint8_t k;
    taluva_tile tile;
};

enum taluva_build_verb {
    TALUVA_BUILD_HUT,
    TALUVA_BUILD_TOWER,
    TALUVA_BUILD_TEMPLE,
    TALUVA_BUILD_EXPAND, /* `at` is the settlement's smallest hex */
    TALUVA_BUILD_BOAT,   /* `at` is the lagoon's smallest hex */
};

struct taluva_build {
    struct taluva_hex at;
    uint8_t verb;    /* enum taluva_build_verb */
    uint8_t terrain; /* enum taluva_terrain, of an expansion; else 0 */
};

#endif
