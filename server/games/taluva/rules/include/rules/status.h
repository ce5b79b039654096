/*
 * Why the rules refuse something: one row for each reason.
 *
 * The code is stable, snake_case and made for programs; the text is a sentence that a beginner
 * understands. `struct taluva_detail` adds the details: which hex, how many.
 */
#ifndef RULES_STATUS_H
#define RULES_STATUS_H

#include <stdbool.h>
#include <stdint.h>

/* clang-format off */
#define TALUVA_STATUS_TABLE(X)                                                                     \
    X(OK, "ok", "This is allowed.")                                                                \
    /* a game's options */                                                                         \
    X(BAD_SEATS, "bad_seats", "A game has two to five players.")                                   \
    X(BAD_FIRST, "bad_first", "The player who starts must be one of the players.")                 \
    X(BAD_TILES, "bad_tiles", "That number of tiles cannot be played.")                            \
    X(BAD_TWO_HEX, "bad_two_hex", "There are as many 2-Hex tiles as players, or none.")            \
    X(BAD_ZONE, "bad_zone", "There is no such board.")                                             \
    X(TEAMS_NEED_FOUR, "teams_need_four", "Teams need exactly four players.")                      \
    X(TEAMS_WITH_RANKING, "teams_with_ranking",                                                    \
      "Teams and the ranking variant exclude each other.")                                         \
    /* whoever acts */                                                                             \
    X(GAME_OVER, "game_over", "The game is over.")                                                 \
    X(NO_SUCH_SEAT, "no_such_seat", "There is no such player in this game.")                       \
    X(ALREADY_OUT, "already_out", "This player is no longer in the game.")                         \
    X(NOT_YOUR_TURN, "not_your_turn", "It is not your turn.")                              \
    X(WRONG_STEP, "wrong_step",                                                                    \
      "Not now: a turn is a tile first, drawn or taken and placed, and then a building.")          \
    /* a tile */                                                                                   \
    X(NO_SUCH_TILE, "no_such_tile", "There is no such tile.")                                      \
    X(STACK_EMPTY, "stack_empty", "The stack is empty: there is no tile left to draw.")            \
    X(NO_ROOM_TO_DRAW, "no_room_to_draw",                                                          \
      "A tile from the stack fits nowhere any more: take one of the 2-Hex tiles.")                 \
    X(WRONG_TILE, "wrong_tile", "This is not the tile that you have drawn.")                       \
    X(TILE_NOT_DRAWN, "tile_not_drawn", "Draw a tile from the stack before you place it.")         \
    X(ALREADY_DRAWN, "already_drawn",                                                              \
      "A 2-Hex tile is taken instead of drawing; you have already drawn.")                         \
    X(TWO_HEX_NOT_OFFERED, "two_hex_not_offered", "This 2-Hex tile is not on offer (any more).")   \
    X(TWO_HEX_ALREADY_USED, "two_hex_already_used",                                                \
      "You have had your 2-Hex tile; a second one may be taken when the stack is empty, no third.")\
    X(BAD_DIRECTION, "bad_direction", "A direction is a number from 0 to 5.")                      \
    X(HALF_TURN, "half_turn",                                                                      \
      "Both halves of this tile are alike, so it is turned in directions 0 to 2 only.")            \
    X(FIRST_TILE_AT_ORIGIN, "first_tile_at_origin", "The first tile of the game goes to 0,0:0.")   \
    X(NOT_ADJACENT_TO_ISLAND, "not_adjacent_to_island",                                            \
      "The tile must share at least one side with the island.")                                    \
    X(OVERLAPS_ISLAND_EDGE, "overlaps_island_edge",                                                \
      "The tile lies partly on the island and partly on the table: it must be all one or all the " \
      "other.")                                                                                    \
    X(LAGOON_HAS_BOAT, "lagoon_has_boat",                                                          \
      "There is a boat in this lagoon: nothing more can be placed in it.")                         \
    X(NO_VOLCANO_ABOVE_LEVEL_1, "no_volcano_above_level_1",                                        \
      "Only a volcano can erupt: a tile without one goes on the table, not on the island.")        \
    X(LEVELS_DIFFER, "levels_differ", "The hexes under the tile are not all on the same level.")   \
    X(NOT_ON_VOLCANO, "not_on_volcano", "An eruption needs the tile's volcano on a volcano.")      \
    X(VOLCANO_FACES_SAME_WAY, "volcano_faces_same_way",                                            \
      "The volcano below faces the same way: turn the tile, so that it covers two tiles.")         \
    X(COVERS_TOWER, "covers_tower", "A tower can never be covered.")                               \
    X(COVERS_TEMPLE, "covers_temple", "A temple can never be covered.")                            \
    X(COVERS_WHOLE_SETTLEMENT, "covers_whole_settlement",                                          \
      "The tile would cover a whole settlement; something of it must stay.")                       \
    X(OVERHANGS_BOARD, "overhangs_board",                                                          \
      "The tile sticks out of the board: at most two of its corners may lie outside.")             \
    X(ELIMINATES_YOU, "eliminates_you",                                                            \
      "After this tile you could build nothing and would be out of the game; confirm if you mean " \
      "it.")                                                                                       \
    /* a building */                                                                               \
    X(NO_SUCH_BUILD, "no_such_build", "There is no such way to build.")                            \
    X(NOT_ON_ISLAND, "not_on_island", "This hex is not part of the island.")                       \
    X(ON_VOLCANO, "on_volcano", "Nothing can be built on a volcano.")                              \
    X(HEX_OCCUPIED, "hex_occupied", "There is a building on this hex already.")                    \
    X(NOT_ENOUGH_HUTS, "not_enough_huts", "You have not enough huts left for this.")               \
    X(NO_TOWER_LEFT, "no_tower_left", "You have no tower left.")                                   \
    X(NO_TEMPLE_LEFT, "no_temple_left", "You have no temple left.")                                \
    X(NO_BOAT_LEFT, "no_boat_left", "You have no boat left.")                                      \
    X(HUT_ABOVE_LEVEL_1, "hut_above_level_1", "A new settlement is founded on level 1 only.")      \
    X(NEXT_TO_OWN_BUILDING, "next_to_own_building",                                                \
      "A single hut may not stand next to a building of yours: expand that settlement instead.")   \
    X(TOWER_BELOW_LEVEL_3, "tower_below_level_3", "A tower needs level 3 or higher.")              \
    X(NO_SETTLEMENT_ADJACENT, "no_settlement_adjacent",                                            \
      "This hex is not next to a settlement of yours.")                                            \
    X(SETTLEMENT_HAS_TOWER, "settlement_has_tower", "This settlement has its tower already.")      \
    X(SETTLEMENT_HAS_TEMPLE, "settlement_has_temple", "This settlement has its temple already.")   \
    X(SETTLEMENT_TOO_SMALL, "settlement_too_small",                                                \
      "A temple needs a settlement of three or more hexes beside it.")                             \
    X(NO_SUCH_TERRAIN, "no_such_terrain", "A settlement expands over one of the five terrains.")   \
    X(NOT_YOUR_SETTLEMENT, "not_your_settlement", "There is no settlement of yours on this hex.")  \
    X(NOT_SMALLEST_HEX, "not_smallest_hex",                                                        \
      "This is named by its smallest hex: lowest q, then lowest r.")                               \
    X(NOTHING_TO_EXPAND, "nothing_to_expand",                                                      \
      "This settlement has no free hex of that terrain beside it.")                                \
    X(BOATS_NOT_PLAYED, "boats_not_played", "This game is played without boats.")                  \
    X(NOT_A_LAGOON, "not_a_lagoon", "This hex is not in a lagoon: land must enclose the water.")   \
    X(LAGOON_NOT_ADJACENT, "lagoon_not_adjacent",                                                  \
      "The lagoon must lie beside a settlement of yours.")
/* clang-format on */

enum taluva_status {
#define TALUVA_STATUS_ENUM(name, code, text) TALUVA_##name,
    TALUVA_STATUS_TABLE(TALUVA_STATUS_ENUM)
#undef TALUVA_STATUS_ENUM
};

enum {
#define TALUVA_STATUS_COUNT(name, code, text) +1
    TALUVA_STATUSES = 0 TALUVA_STATUS_TABLE(TALUVA_STATUS_COUNT)
#undef TALUVA_STATUS_COUNT
};

/* "levels_differ". A number that is no status gives NULL, here and below. */
const char *taluva_status_code(enum taluva_status status);

/* "The hexes under the tile are not all on the same level." */
const char *taluva_status_text(enum taluva_status status);

#endif
