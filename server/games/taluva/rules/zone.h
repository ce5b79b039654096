/*
 * §4c. The board.
 */
#ifndef RULES_ZONE_H
#define RULES_ZONE_H

#include <rules/taluva.h>

/* Points of a placement that may lie outside. */
enum { RULES_OVERHANG_MAX = 2 };

/* How a hex lies: above 0 whole on the board, below 0 whole off it, 0 perhaps across the edge. */
int rules_zone_depth(enum taluva_zone zone, int q, int r);

#endif
