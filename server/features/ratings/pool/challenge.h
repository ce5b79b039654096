/* Two who seek and name each other: they are put together, however far apart they are rated. */
#ifndef RATINGS_CHALLENGE_H
#define RATINGS_CHALLENGE_H

#include "waiting/waiting.h"

/* All such pairs, one after the other, in the time of one: works with what the pool works with. */
struct challenges {
    const struct seeks *seeks;
    size_t *heads, *next, at;
};

void challenges_begin(struct challenges *challenges, const struct seeks *seeks);
/* False: that was all. */
bool challenges_next(struct challenges *challenges, struct group *group);

#endif
