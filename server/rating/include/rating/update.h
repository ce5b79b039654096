/*
 * Ratings: what a match makes of those who played it. Whole numbers alone, so that whoever has the
 * same matches computes the same bytes, with any compiler on any machine; protocol/ratings.md says
 * each step.
 *
 * A rating is a strength and its deviation. Two players are rated as by Glicko-1; larger tables by
 * the likelihood of who won, with a scale for how much luck such a table has. Knows no game, no
 * session and no clock.
 */
#ifndef RATING_UPDATE_H
#define RATING_UPDATE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    RATING_SEATS = 8, /* of a match, at most */
    RATING_SIDES_MIN = 2,
    RATING_SIDE_SEATS = 2, /* who may play together */
};

/* All in thousandths of a point. */
enum {
    RATING_START = 1500000,
    RATING_MIN = 100000,
    RATING_MAX = 4000000,
    RATING_DEVIATION_START = 350000,
    RATING_DEVIATION_MIN = 50000,
    RATING_DEVIATION_MAX = 350000,
};

/* A share of 1, and a scale: RATING_ONE is 1. */
#define RATING_ONE       (UINT32_C(1) << 30)
#define RATING_SCALE_MAX RATING_ONE

struct rating {
    uint32_t strength, deviation;
};

/* Who took part in the winning of one place, and who won it; bits of sides. Those who share it have
 * equal shares; nobody may have won it. */
struct rating_stage {
    uint32_t inside, first;
};

struct rating_match {
    unsigned seats, sides;              /* each side has as many seats */
    struct rating before[RATING_SEATS]; /* aged already */
    uint8_t side[RATING_SEATS];
    unsigned stages;
    struct rating_stage stage[RATING_SEATS];
    uint32_t scale; /* above 0, to RATING_SCALE_MAX */
    uint32_t still; /* sides that stay as they are */
};

/* All from what stood before; `after` may be match->before. */
void rating_update(const struct rating_match *match, struct rating after[]);

/* A deviation after so long without a match. */
uint32_t rating_aged(uint32_t deviation, int64_t idle_ms);

/*
 * Where places count: the stages of sides with these places, 1 is best, equals share one. Returns
 * how many they are.
 */
unsigned rating_stages(const uint8_t places[], unsigned sides, struct rating_stage stages[]);

/* How many sides there are in the set, as `inside` and `first` of a stage are. */
unsigned rating_count_sides(uint32_t sides);

/* The chances to win of sides with such strengths, shares of RATING_ONE; `steepness` as a scale. */
void rating_chances(const uint32_t strengths[], unsigned sides, uint32_t steepness,
                    uint32_t chances[]);

#endif
