#include <hub/prometheus.h>

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

void prometheus_line(struct buffer *out, const char *format, ...)
{
    char line[256];
    va_list args;
    va_start(args, format);
    int len = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    assert(len > 0 && (size_t)len < sizeof line);
    buffer_append(out, line, (size_t)len);
}

void prometheus_head(struct buffer *out, const char *name, const char *type, const char *help)
{
    prometheus_line(out, "# HELP taluva_%s %s\n# TYPE taluva_%s %s\n", name, help, name, type);
}

void prometheus_labelled(struct buffer *out, const char *name, const char *label, const char *value,
                         uint64_t number)
{
    prometheus_line(out, "taluva_%s{%s=\"%s\"} %" PRIu64 "\n", name, label, value, number);
}

void prometheus_count(struct buffer *out, const char *name, const char *type, const char *help,
                      uint64_t number)
{
    prometheus_head(out, name, type, help);
    prometheus_line(out, "taluva_%s %" PRIu64 "\n", name, number);
}

void prometheus_real(struct buffer *out, const char *name, const char *type, const char *help,
                     double number)
{
    prometheus_head(out, name, type, help);
    prometheus_line(out, "taluva_%s %g\n", name, number);
}

/* `label` is what is said of all samples: empty, or name="value". */
static void write_buckets(struct buffer *out, const char *name, const char *label,
                          const struct prometheus_buckets *buckets, double sum)
{
    const char *comma = label[0] ? "," : "", *open = label[0] ? "{" : "",
               *close = label[0] ? "}" : "";
    uint64_t total = 0;
    for (size_t at = 0; at < buckets->count; at++) {
        total += buckets->counts[at];
        if (at + 1 < buckets->count)
            prometheus_line(out, "taluva_%s_bucket{%s%sle=\"%g\"} %" PRIu64 "\n", name, label,
                            comma, (double)(UINT64_C(1) << (buckets->first + at)) * buckets->unit,
                            total);
    }
    prometheus_line(out, "taluva_%s_bucket{%s%sle=\"+Inf\"} %" PRIu64 "\n", name, label, comma,
                    total);
    prometheus_line(out, "taluva_%s_sum%s%s%s %g\n", name, open, label, close, sum * buckets->unit);
    prometheus_line(out, "taluva_%s_count%s%s%s %" PRIu64 "\n", name, open, label, close, total);
}

void prometheus_histogram(struct buffer *out, const char *name, const char *help,
                          const struct prometheus_buckets *buckets, double sum)
{
    prometheus_head(out, name, "histogram", help);
    write_buckets(out, name, "", buckets, sum);
}

void prometheus_labelled_buckets(struct buffer *out, const char *name, const char *label,
                                 const char *value, const struct prometheus_buckets *buckets,
                                 double sum)
{
    char text[64];
    const int len = snprintf(text, sizeof text, "%s=\"%s\"", label, value);
    assert(len > 0 && (size_t)len < sizeof text);
    write_buckets(out, name, text, buckets, sum);
}

size_t prometheus_bucket(uint64_t value, size_t count, unsigned first)
{
    size_t at = 0;
    while (at + 1 < count && value > UINT64_C(1) << (first + at))
        at++;
    return at;
}
