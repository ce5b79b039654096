#include "histogram.h"

#include <string.h>

/* Octave 0 holds 0..2*SUB-1 one by one in its own SUB buckets and those of octave 1; octave o >= 1
 * holds [SUB << o, SUB << (o+1)). */
static unsigned bucket_of(uint64_t value)
{
    if (value < HISTOGRAM_SUB)
        return (unsigned)value;
    if (value > UINT32_MAX)
        value = UINT32_MAX;
    const unsigned top = 31U - (unsigned)__builtin_clz((uint32_t)value);
    const unsigned octave = top - HISTOGRAM_SUB_BITS;
    return (octave + 1) * HISTOGRAM_SUB + (unsigned)((value >> octave) - HISTOGRAM_SUB);
}

/* The largest value that falls into the bucket. */
static uint64_t bucket_top(unsigned bucket)
{
    if (bucket < HISTOGRAM_SUB)
        return bucket;
    const unsigned octave = bucket / HISTOGRAM_SUB - 1;
    return (((uint64_t)HISTOGRAM_SUB + bucket % HISTOGRAM_SUB + 1) << octave) - 1;
}

void histogram_reset(struct histogram *histogram)
{
    memset(histogram, 0, sizeof *histogram);
}

void histogram_record(struct histogram *histogram, uint64_t value_us)
{
    histogram->buckets[bucket_of(value_us)]++;
    histogram->count++;
    histogram->sum_us += value_us;
    if (value_us > histogram->max_us)
        histogram->max_us = value_us;
}

void histogram_add(struct histogram *into, const struct histogram *from)
{
    for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++)
        into->buckets[i] += from->buckets[i];
    into->count += from->count;
    into->sum_us += from->sum_us;
    if (from->max_us > into->max_us)
        into->max_us = from->max_us;
}

uint64_t histogram_at(const struct histogram *histogram, double per_mille)
{
    const double wanted = (double)histogram->count * per_mille / 1000.0;
    uint64_t seen = 0;
    for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++) {
        seen += histogram->buckets[i];
        if ((double)seen >= wanted) {
            const uint64_t top = bucket_top(i);
            return top < histogram->max_us ? top : histogram->max_us;
        }
    }
    return histogram->max_us;
}
