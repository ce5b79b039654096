/*
 * How sure a difference between two systems is: the mean over matches, and between which bounds it
 * would be with other people of the same kind, by drawing as many accounts from those that are
 * there, again and again. A pure computation.
 *
 * All matches of an account are drawn with it, as they are of one mind; a match has as much weight
 * as its accounts have together above or below one. That is exact where the difference is of the
 * people, and too careful where it is of the matches: for a rule that wants to be sure, the better
 * side.
 */
#ifndef TEST_STRENGTH_INTERVAL_H
#define TEST_STRENGTH_INTERVAL_H

#include <base/rng.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    INTERVAL_DRAWS = 1000,
    INTERVAL_ACCOUNTS_MIN = 20, /* of fewer nothing is said */
};

/* Of one account, or of all matches together. */
struct interval_sum {
    double difference;
    size_t matches;
};

/* 95 % of the draws are between `low` and `high`. */
struct interval {
    double mean, low, high;
};

/* False: too few accounts or matches, or out of memory. `all`: each match once. */
bool interval_of(const struct interval_sum accounts[], size_t count, struct interval_sum all,
                 struct rng *rng, struct interval *interval);

#endif
