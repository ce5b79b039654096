#include <rating/yardstick.h>

#include "wide.h"
#include <assert.h>
#include <rating/class.h>
#include <rating/update.h>

enum { ONE_BITS = 30 };

/* (400000 / ln 10)^2, to the nearest. */
#define BLUR_OF_ONE UINT64_C(30177871522)

uint32_t yardstick_step(uint32_t strength)
{
    return strength / YARDSTICK_STEP * YARDSTICK_STEP;
}

/* Of the person's side to win the trial, if the level is worth that. */
static uint32_t chance_at(const struct rating_class *class, const struct yardstick_count *count,
                          uint32_t worth)
{
    uint32_t strengths[RATING_SEATS], chances[RATING_SEATS];
    const uint32_t own = count->strength + YARDSTICK_STEP / 2;
    assert(count->inside >= RATING_SIDES_MIN && count->inside <= count->sides);
    strengths[0] = class->side_seats == 1 ? own : (own + worth) / 2;
    for (unsigned side = 1; side < count->inside; side++)
        strengths[side] = worth;
    rating_chances(strengths, count->inside, rating_class_scale(class, count->sides), chances);
    return chances[0];
}

/* Would people have won more than they have? */
static bool is_too_low(const struct rating_class *class, const struct yardstick_count counts[],
                       size_t count, uint32_t worth)
{
    uint64_t expected = 0, won = 0;
    for (size_t at = 0; at < count; at++) {
        expected += counts[at].trials * chance_at(class, &counts[at], worth);
        won += counts[at].won / YARDSTICK_WIN << ONE_BITS;
        won += (counts[at].won % YARDSTICK_WIN << ONE_BITS) / YARDSTICK_WIN;
    }
    return expected > won;
}

/* One over the root of what the trials tell: sum of trials * (scale q)^2 * P (1 - P). */
static uint32_t find_error(const struct rating_class *class, const struct yardstick_count counts[],
                           size_t count, uint32_t worth)
{
    uint64_t told = 0;
    for (size_t at = 0; at < count; at++) {
        const uint64_t chance = chance_at(class, &counts[at], worth);
        const uint64_t scale = rating_class_scale(class, counts[at].sides) / class->side_seats;
        const uint64_t each = chance * (RATING_ONE - chance) >> ONE_BITS;
        told += counts[at].trials * wide_shift(scale * scale >> ONE_BITS, each, ONE_BITS);
    }
    const uint64_t variance =
        told == 0 ? UINT64_MAX : wide_shift(BLUR_OF_ONE, RATING_ONE, 1) / told * 2;
    const uint64_t most = (uint64_t)RATING_DEVIATION_MAX * RATING_DEVIATION_MAX;
    return wide_root(variance < most ? variance : most);
}

bool yardstick_fit(const struct rating_class *class, const struct yardstick_count counts[],
                   size_t count, struct rating *worth)
{
    uint32_t low = RATING_MIN, high = RATING_MAX;
    uint64_t trials = 0;
    for (size_t at = 0; at < count; at++)
        trials += counts[at].trials;
    while (low < high) { /* the first one at which it is not too low */
        const uint32_t middle = low + (high - low) / 2;
        if (is_too_low(class, counts, count, middle))
            low = middle + 1;
        else
            high = middle;
    }
    worth->strength = low;
    worth->deviation = find_error(class, counts, count, low);
    return trials > 0;
}
