/*
 * Where a tile may lie: §2a, §2b, and the boats', 2-Hex tiles' and board's words in them.
 */
#ifndef RULES_FIT_H
#define RULES_FIT_H

#include "tile.h"

/*
 * §2b for a tile whose hexes lie on these cells, in tile order, all on the island. `which` is the
 * hex of the tile that the refusal is about.
 */
enum taluva_status rules_check_eruption(const struct taluva *game, taluva_tile tile, unsigned k,
                                        const uint8_t cells[3], unsigned *which);

/* The island's cells under a placement in tile order, TALUVA_NO_CELL for table; how many are land.
 */
unsigned rules_cells_under(const struct taluva *game, const struct taluva_placement *placement,
                           uint8_t cells[3]);

#endif
