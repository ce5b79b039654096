/*
 * Who plays two against two: pairs who name each other as partners, and those who come alone. Two
 * teams are put together as a table of the pool is (pool.h), of those who are nearly equal at
 * first. A pure computation: tickets and a time in, groups out.
 */
#ifndef RATINGS_TEAMS_H
#define RATINGS_TEAMS_H

#include "pool.h"

enum {
    TEAMS_SEATS = 4,
    TEAMS_PAIR_BONUS = 50, /* points: what two who know each other are worth more */
    /* On each side, the nearest who come alone and the nearest pairs; others are passed over, as
     * many as at a table of the pool. */
    TEAMS_ALONE = 3,
    TEAMS_PAIRS = 1,
};

/* Works with what the pool works with; borrows the same. */
struct teams {
    const struct ticket *tickets;
    size_t count;
    int64_t now_ms;
    size_t least_ms;            /* only who has waited so long */
    size_t *order, *ages;       /* units, by strength and by age: each by its first ticket */
    size_t *mates;              /* of each ticket its partner */
    size_t *strengths, *waited; /* of each unit, in thousandths; in milliseconds */
    size_t *weaker, *stronger;  /* whom it has beside it */
    size_t units, at, linked;   /* linked: who is looked for in this pass */
    uint64_t steps;             /* what it has cost: comparisons, and units that were looked at */
};

void teams_begin(struct teams *teams, const struct ticket *tickets, size_t count, int64_t now_ms,
                 size_t *work);
/*
 * The next four, of the unit that has waited longest first; whoever takes them has their tickets
 * leave before the next are asked for. In the order of seats: the first and the third are a team.
 * False: that was all.
 */
bool teams_next(struct teams *teams, struct group *group);

#endif
