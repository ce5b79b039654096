#include "people.h"

#include <math.h>
#include <stdlib.h>

double people_drawn(struct rng *rng)
{
    return ((double)(rng_next(rng) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(struct rng *rng)
{
    return sqrt(-2 * log(people_drawn(rng))) * cos(6.283185307179586 * people_drawn(rng));
}

struct ticket people_come(struct rng *rng, int64_t now_ms)
{
    static const uint8_t sizes[] = {1 << 2, 1 << 2 | 1 << 3, 1 << 3 | 1 << 4, 1 << 5 | 1 << 2,
                                    1 << 4};
    const double points = fmin(fmax(1500 + 280 * normal(rng), 100), 4000);
    struct ticket made = {.since_ms = now_ms, .clocks = 1, .kinds = sizes[rng_below(rng, 5)]};
    for (unsigned kind = 0; kind < POOL_KINDS; kind++)
        made.rating[kind] = (struct rating){(uint32_t)(1000 * points), 110000};
    return made;
}

static int by_value(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

double people_share(double *values, size_t of, double part)
{
    qsort(values, of, sizeof *values, by_value);
    return of ? values[(size_t)(part * (double)(of - 1))] : 0;
}
