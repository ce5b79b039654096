/*
 * Reads text from the front, where it stands: for messages whose spelling is known, at a fraction
 * of what the parser costs. Each function says whether what was asked for is there, and only then
 * goes past it.
 */
#ifndef LOAD_SCAN_H
#define LOAD_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct scan {
    const char *at, *end;
};

static inline bool scan_text(struct scan *scan, const char *text)
{
    const size_t len = strlen(text);
    if ((size_t)(scan->end - scan->at) < len || memcmp(scan->at, text, len) != 0)
        return false;
    scan->at += len;
    return true;
}

static inline bool scan_number(struct scan *scan, int64_t *number)
{
    enum { DIGITS_MAX = 18 };
    const char *digit = scan->at;
    int64_t value = 0;
    for (; digit < scan->end && *digit >= '0' && *digit <= '9'; digit++) {
        if (digit - scan->at == DIGITS_MAX)
            return false;
        value = value * 10 + (*digit - '0');
    }
    if (digit == scan->at)
        return false;
    *number = value;
    scan->at = digit;
    return true;
}

/* What is before the next quote, which is gone past too: the rest of a string without escapes. */
static inline bool scan_string(struct scan *scan, const char **text, size_t *len)
{
    const char *quote = memchr(scan->at, '"', (size_t)(scan->end - scan->at));
    if (!quote)
        return false;
    *text = scan->at;
    *len = (size_t)(quote - scan->at);
    scan->at = quote + 1;
    return true;
}

/* Goes past the next member of that name, which is given with its quotes and colon. */
static inline bool scan_to(struct scan *scan, const char *name)
{
    struct scan next = *scan;
    while ((next.at = memchr(next.at, name[0], (size_t)(next.end - next.at))) != NULL) {
        if (scan_text(&next, name)) {
            *scan = next;
            return true;
        }
        next.at++;
    }
    return false;
}

#endif
