/* Phase 8 (§5.8): who builds. */
#ifndef TOTEM_POLES_H
#define TOTEM_POLES_H

#include <totem_rules/totem.h>

void totem_poles_happen(struct totem *game, struct totem_effects *effects);

#endif
