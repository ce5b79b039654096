/*
 * §2d and §4a: what a seat may build, whose turn it is not being asked.
 */
#ifndef RULES_BUILD_H
#define RULES_BUILD_H

#include "settlements.h"

enum taluva_status rules_check_build(const struct taluva *game, unsigned seat,
                                     const struct taluva_build *build, struct taluva_detail *detail,
                                     struct taluva_build_plan *plan);

/* How many builds of each kind a seat has. */
struct rules_tally {
    unsigned huts, towers, temples, expansions, boats;
};
struct rules_tally rules_tally_builds(const struct taluva *game, unsigned seat,
                                      const struct rules_settlements *settlements);

/* How many builds the seat has. */
unsigned rules_count_builds(const struct taluva *game, unsigned seat);

/* Whether it has one: at all; but boats; a boat. */
bool rules_can_build(const struct taluva *game, unsigned seat);
bool rules_can_build_on_land(const struct taluva *game, unsigned seat);
bool rules_can_build_boat(const struct taluva *game, unsigned seat);

#endif
