/*
 * Writes metrics in Prometheus' text format. Names are given without the prefix "taluva_".
 *
 * If something does not fit, the buffer fails, as with everything that is written to it.
 */
#ifndef HUB_PROMETHEUS_H
#define HUB_PROMETHEUS_H

#include <protocol/buffer.h>
#include <stddef.h>
#include <stdint.h>

/* The lines above the samples of a metric; `type` is "counter", "gauge" or "histogram". */
void prometheus_head(struct buffer *out, const char *name, const char *type, const char *help);
/* One sample with one label: name{label="value"} number. */
void prometheus_labelled(struct buffer *out, const char *name, const char *label, const char *value,
                         uint64_t number);
/* A line as it is, with its newline: for what has more labels. */
__attribute__((format(printf, 2, 3))) void prometheus_line(struct buffer *out, const char *format,
                                                           ...);

/* A head and one sample. */
void prometheus_count(struct buffer *out, const char *name, const char *type, const char *help,
                      uint64_t number);
void prometheus_real(struct buffer *out, const char *name, const char *type, const char *help,
                     double number);

/*
 * Bucket i counts values up to 2^(first + i), the last one all larger ones. Values are multiplied
 * by `unit` when they are written, and so is `sum`, the sum of all values.
 */
struct prometheus_buckets {
    const uint64_t *counts;
    size_t count;
    unsigned first;
    double unit;
};
void prometheus_histogram(struct buffer *out, const char *name, const char *help,
                          const struct prometheus_buckets *buckets, double sum);
/* The samples of one of several below one head, each with its own label. */
void prometheus_labelled_buckets(struct buffer *out, const char *name, const char *label,
                                 const char *value, const struct prometheus_buckets *buckets,
                                 double sum);
/* Which bucket of so many a value belongs to. */
size_t prometheus_bucket(uint64_t value, size_t count, unsigned first);

#endif
