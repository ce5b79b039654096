/*
 * Whether a position is possible: everything that the rules rely on and that counting can show. It
 * does not search for a game that leads there, which would take too long.
 */
#ifndef RULES_POSITION_CHECK_H
#define RULES_POSITION_CHECK_H

#include <rules/taluva.h>

/*
 * What is impossible about it, a phrase; NULL if nothing. The caller has checked the parts: valid
 * options, at most TALUVA_HEXES_MAX hexes spanning less than TALUVA_SPAN_MAX, owners and boats of
 * seats that exist, boats in lagoons.
 */
const char *rules_position_check(const struct taluva *game);

/* How far hexes of the island, or 0,0, differ in q or in r. */
int rules_island_span(const struct taluva *game);

#endif
