/*
 * What a level of a computer is worth: the rating that fits best how often people whose ratings are
 * known have won against it. In whole numbers, so that whoever has the same counts finds the same
 * (protocol/ratings.md, section 6). It stands in no book, and moves no rating.
 *
 * What is counted are trials: a person alone, or with a computer in their team, among computers of
 * one level. Where places count a match is several of them (rating/update.h, stages).
 */
#ifndef RATING_YARDSTICK_H
#define RATING_YARDSTICK_H

#include <rating/class.h>
#include <rating/update.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Thousandths of a point; and a win in parts, as it may be shared. */
enum {
    YARDSTICK_STEP = 20000, /* strengths of people are counted in such steps */
    YARDSTICK_WIN = 840,
    YARDSTICK_MATCHES_MIN = 50, /* below that nothing is said */
};

struct yardstick_count {
    uint8_t sides, inside; /* of the match; and who still took part in the trial, 2 or more */
    uint32_t strength;     /* of the person, where its step begins */
    uint64_t trials;
    uint64_t won; /* by the person's side, in parts of YARDSTICK_WIN */
};

/* Where the step of a strength begins. */
uint32_t yardstick_step(uint32_t strength);

/* The rating, and how sure that is (its standard error as a deviation, not above that of a
 * beginner). False: there are no trials. */
bool yardstick_fit(const struct rating_class *class, const struct yardstick_count counts[],
                   size_t count, struct rating *worth);

#endif
