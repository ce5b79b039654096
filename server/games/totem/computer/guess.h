/*
 * What a family cannot know and must guess: which spells lie face down, which ones others will
 * still lay, and the births. Some guesses at once, so that a plan need not fit one alone.
 */
#ifndef TOTEM_COMPUTER_GUESS_H
#define TOTEM_COMPUTER_GUESS_H

#include "forecast.h"
#include <base/rng.h>

enum { TOTEM_GUESSES_MAX = 16 };

/* How well a player thinks. */
struct totem_care {
    unsigned guesses;   /* at once, 1 to TOTEM_GUESSES_MAX */
    unsigned overlooks; /* so many in ten of the things that it could do */
};

/* What a family reckons with: `game` is its own copy and may be changed to try something. */
struct totem_thought {
    struct totem game;
    unsigned family, seat;
    struct totem_care care;
    struct rng *random;
    uint16_t own[TOTEM_HUTS_ALL]; /* spells of its seat that it counts on, by hut */
    struct totem_guess guesses[TOTEM_GUESSES_MAX]; /* the spells are those of other seats */
};

void totem_think(struct totem_thought *thought, const struct totem *known, unsigned family,
                 const struct totem_care *care, struct rng *random);

/* Does something escape the player? Drawn anew each time. */
bool totem_thought_overlooks(const struct totem_thought *thought);

/* What the game comes to, over all guesses together. */
int totem_thought_worth(const struct totem_thought *thought);

bool totem_thought_owns(const struct totem_thought *thought, unsigned hut);
bool totem_thought_plays(const struct totem_thought *thought, unsigned hut);

#endif
