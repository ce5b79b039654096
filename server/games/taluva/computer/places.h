/* The places for a tile that are worth a closer look. */
#ifndef COMPUTER_PLACES_H
#define COMPUTER_PLACES_H

#include "survey.h"

enum { PLACES_KEPT = 250 };

/*
 * At most `most` (up to PLACES_KEPT), the most promising first; how many, at least one. Of places
 * on the table that touch the same settlements with the same fields one is kept. None that puts
 * its player out, unless all do.
 */
unsigned places_list(const struct board *board, const struct survey *survey, taluva_tile tile,
                     unsigned most, bool alike, struct taluva_placement *out);

#endif
