#include "interval.h"

#include <stdint.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

/* What each of the accounts has, drawn anew; each match is of several. */
static double draw_mean(const struct interval_sum accounts[], size_t count,
                        const struct interval_sum *shared, struct rng *rng, bool *sound)
{
    double difference = -shared->difference, matches = -(double)shared->matches;
    for (size_t at = 0; at < count; at++) {
        const struct interval_sum *drawn = &accounts[rng_below(rng, (uint32_t)count)];
        difference += drawn->difference;
        matches += (double)drawn->matches;
    }
    *sound = matches > 0;
    return *sound ? difference / matches : 0;
}

bool interval_of(const struct interval_sum accounts[], size_t count, struct interval_sum all,
                 struct rng *rng, struct interval *interval)
{
    static double means[INTERVAL_DRAWS];
    /* What is in the sums of the accounts beside each match once. */
    struct interval_sum shared = {-all.difference, 0};
    size_t matches = 0, drawn = 0;
    for (size_t at = 0; at < count; at++) {
        shared.difference += accounts[at].difference;
        matches += accounts[at].matches;
    }
    if (count < INTERVAL_ACCOUNTS_MIN || all.matches == 0 || matches < all.matches)
        return false;
    shared.matches = matches - all.matches;
    for (unsigned tried = 0; tried < 2 * INTERVAL_DRAWS && drawn < INTERVAL_DRAWS; tried++) {
        bool sound;
        means[drawn] = draw_mean(accounts, count, &shared, rng, &sound);
        drawn += sound;
    }
    if (drawn < INTERVAL_DRAWS)
        return false;
    qsort(means, INTERVAL_DRAWS, sizeof means[0], compare);
    *interval = (struct interval){all.difference / (double)all.matches, means[INTERVAL_DRAWS / 40],
                                  means[INTERVAL_DRAWS - 1 - INTERVAL_DRAWS / 40]};
    return true;
}
