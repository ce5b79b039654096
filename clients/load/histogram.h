/*
 * A latency histogram of high dynamic range: microseconds from 1 to over an hour, three significant
 * digits.
 *
 * Log-linear buckets: values below 2048 are counted one by one, above that each power of two is cut
 * into 1024 equal parts, so a recorded value is off by less than 0.1 %. Fixed size, no allocation,
 * merged by addition. Does not depend on what is counted.
 */
#ifndef LOAD_HISTOGRAM_H
#define LOAD_HISTOGRAM_H

#include <stdint.h>

enum {
    HISTOGRAM_SUB_BITS = 10,
    HISTOGRAM_SUB = 1 << HISTOGRAM_SUB_BITS,
    HISTOGRAM_OCTAVES = 22, /* up to 2^32 us, about 71 minutes; longer is counted as that */
    HISTOGRAM_BUCKETS = HISTOGRAM_SUB * (HISTOGRAM_OCTAVES + 1),
};

struct histogram {
    uint64_t count;
    uint64_t max_us;
    uint64_t sum_us;
    uint32_t buckets[HISTOGRAM_BUCKETS];
};

void histogram_reset(struct histogram *histogram);
void histogram_record(struct histogram *histogram, uint64_t value_us);
void histogram_add(struct histogram *into, const struct histogram *from);

/* The smallest recorded value (to bucket precision) that `per_mille` of all values do not exceed; 0
 * if there are none. */
uint64_t histogram_at(const struct histogram *histogram, double per_mille);

#endif
