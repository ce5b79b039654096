/* Families: who plays, in which order, their people, and what befalls them (§2, §5.9, §5.10). */
#ifndef TOTEM_FAMILIES_H
#define TOTEM_FAMILIES_H

#include "people.h"

/* Families in the order in which they act. */
struct totem_order {
    unsigned n;
    uint8_t families[TOTEM_FAMILIES];
};

/* §2.6: clockwise from the round's first family, those that have left passed over. */
struct totem_order totem_turn_order(const struct totem *game);

bool totem_is_playing(const struct totem *game, unsigned family);

static inline struct totem_people *totem_hut(struct totem *game, unsigned hut)
{
    return &game->families[hut / TOTEM_HUTS].huts[hut % TOTEM_HUTS];
}

/* As it begins (§2.7), or absent from this game. */
void totem_family_init(struct totem_family *family, bool in_game);

/*
 * What follows when people have left a family, or aged (§5.9, §5.10). `lost`: it has lost its
 * elders, if it does not die out anyway.
 */
void totem_after_leaving(struct totem *game, unsigned family, bool lost,
                         struct totem_effects *effects);

/* These leave their huts; with what follows. There must be as many. */
void totem_people_go(struct totem *game, unsigned family,
                     const struct totem_people gone[TOTEM_HUTS], struct totem_effects *effects);

#endif
