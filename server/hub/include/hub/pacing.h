/*
 * When the next commit begins. Values in, values out: bytes and time are arguments, as everywhere
 * in the hub.
 *
 * A commit costs the disk and the processor nearly the same for one operation as for many. So the
 * time from the beginning of one to the beginning of the next, the interval, follows the rate at
 * which operations come:
 *
 *     interval
 *        max |        ________
 *            |       /        \__      as long as it takes PACING_ENOUGH operations to come
 *            |      /            \____
 *      least |     |  PACING_RISE_US for each operation a second
 *          0 |_____|_________________________ rate
 *
 * So it is never longer than 6 ms. With few operations there is none: each is committed at once,
 * unless a commit is under way. And when PACING_ENOUGH operations wait, the next commit begins
 * whatever the interval.
 */
#ifndef HUB_PACING_H
#define HUB_PACING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PACING_RISE_US = 2,
    PACING_LEAST_US = 500, /* a shorter interval is not worth waiting for */
    PACING_LONG_US = 1000,
    PACING_ENOUGH = 16,
    PACING_WINDOW_US = 65536, /* over which the rate is averaged */
};

struct pacing {
    int64_t interval_max_us; /* 0: every commit begins at once */
    int64_t begun_us;        /* when the last one began */
    int64_t per_s;           /* operations, averaged until then */
};

void pacing_init(struct pacing *pacing, int64_t interval_max_us);

/* From the beginning of the last commit to the earliest one of the next, if few wait for it. */
int64_t pacing_interval_us(const struct pacing *pacing);

/* When the next commit may begin, with so many operations waiting for it; at once if that is past.
 */
int64_t pacing_due_us(const struct pacing *pacing, size_t waiting);

/*
 * Who waits for the next commit need not look at each operation when it comes: it can rest and find
 * them together. If the interval is long, it can do so while a commit is under way too.
 */
bool pacing_is_long(const struct pacing *pacing);

/*
 * Until when to rest while so many operations wait: until the next commit may begin; or for a
 * quarter of the interval, if that is not long, or so much has come since the last one began that
 * at this pace PACING_ENOUGH will wait before.
 */
int64_t pacing_look_us(const struct pacing *pacing, size_t waiting, int64_t now_us);

/* A commit of so many operations begins. */
void pacing_begin(struct pacing *pacing, int64_t now_us, size_t ops);

#endif
