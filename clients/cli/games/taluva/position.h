/*
 * Positions from the command line, and positions as maps to draw.
 */
#ifndef CLI_TALUVA_POSITION_H
#define CLI_TALUVA_POSITION_H

#include "map.h"
#include <rules/taluva.h>

/*
 * The words joined by blanks, or the standard input if the only one is "-". Says what is wrong on
 * stderr; an exit code.
 */
int position_read(struct taluva *game, int count, char *const *words);

/* False if memory ran out. */
bool position_map(struct map *map, const struct taluva *game);

#endif
