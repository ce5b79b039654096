/* Where spells lie, and which of them work (§3). */
#ifndef TOTEM_SPELLS_H
#define TOTEM_SPELLS_H

#include <totem_rules/totem.h>

/* The spells that work on a hut, as a set: uncovered, and not cancelled (§3.3). */
unsigned totem_spells_working(const struct totem *game, unsigned hut);

void totem_spell_place(struct totem_family *family, unsigned spell, unsigned hut);
void totem_spell_return(struct totem_family *family, unsigned spell);

/* §3.4: all of them, uncovered or not. */
void totem_spells_come_back(struct totem *game);

/* Does it have a spell that nobody else has seen? Then it is asked before each phase (§5.3.1). */
bool totem_has_down(const struct totem_family *family);

/* §5.2: may the family place one more in variant A? */
bool totem_may_cast_more(const struct totem_family *family);

#endif
