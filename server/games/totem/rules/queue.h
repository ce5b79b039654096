/*
 * Those who must act, in their order, and the families of which people must go (struct totem).
 */
#ifndef TOTEM_QUEUE_H
#define TOTEM_QUEUE_H

#include "families.h"

void totem_queue_add(struct totem *game, unsigned family);
void totem_queue_remove_at(struct totem *game, unsigned at);
void totem_queue_clear(struct totem *game);

/* Where the family stands first; n_queue if it does not. */
unsigned totem_queue_find(const struct totem *game, unsigned family);

/* In write, and in take with meals B, all who are asked act at once, in secret. */
bool totem_is_secret(const struct totem *game);

/* §5.5.4: those who take from the family that is dealt with, in turn order. */
struct totem_order totem_takers(const struct totem *game);

/* The family that is dealt with is done. */
void totem_hungry_next(struct totem *game);

#endif
