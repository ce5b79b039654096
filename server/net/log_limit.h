/*
 * How often the same is logged: what can happen again at once, and as often as somebody likes, must
 * not fill the disk. The time is any that does not go back, in milliseconds.
 */
#ifndef NET_LOG_LIMIT_H
#define NET_LOG_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

enum { LOG_LIMIT_MS = 10000 };

struct log_limit { /* zeros: nothing has happened yet */
    bool said;
    int64_t said_ms;
    int64_t unsaid; /* since then */
};

/* May it be said now? If so `*unsaid` is how often it happened since it was said last. */
bool log_limit_take(struct log_limit *limit, int64_t now_ms, int64_t *unsaid);

#endif
