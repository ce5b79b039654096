/*
 * Sorts positions by what stands at them: a heap, as qsort has no place for whose they are. It is
 * inline, so that a comparison costs no call.
 */
#ifndef RATINGS_POOL_SORT_H
#define RATINGS_POOL_SORT_H

#include <stdbool.h>
#include <stddef.h>

/* Whether what stands at a goes before what stands at b. */
typedef bool sort_before(void *ctx, size_t a, size_t b);

static inline void sort_sift(size_t *order, size_t root, size_t count, sort_before *before,
                             void *ctx)
{
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && before(ctx, order[child], order[child + 1]))
            child++;
        if (!before(ctx, order[root], order[child]))
            return;
        const size_t moved = order[root];
        order[root] = order[child];
        order[child] = moved;
    }
}

static inline void sort_positions(size_t *order, size_t count, sort_before *before, void *ctx)
{
    for (size_t root = count / 2; root > 0; root--)
        sort_sift(order, root - 1, count, before, ctx);
    for (size_t last = count; last > 1; last--) {
        const size_t top = order[0];
        order[0] = order[last - 1];
        order[last - 1] = top;
        sort_sift(order, 0, last - 1, before, ctx);
    }
}

#endif
