/* Events with results by chance: entrants who stay away, forfeits, byes asked for. */
#ifndef PAIRING_EVENT_WALK_H
#define PAIRING_EVENT_WALK_H

#include "../../support/rng.h"
#include <pairing/dutch.h>

struct event_walk {
    struct rng rng;
    struct pairing_event event;
    unsigned absent, forfeit; /* of a hundred */
};

void event_walk_begin(struct event_walk *walk, uint64_t seed, unsigned entrants, unsigned rounds);
void event_walk_end(struct event_walk *walk);

/* Who stays away from the round that comes. */
void event_walk_choose_away(struct event_walk *walk);
/* The round is played. */
void event_walk_play(struct event_walk *walk, const struct pairing_round *round);

#endif
