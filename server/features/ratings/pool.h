/*
 * Who waits for a match, and who of them is put together: nearly equals at first, and the longer
 * one waits the wider. A pure computation: tickets and a time in, groups out.
 */
#ifndef RATINGS_POOL_H
#define RATINGS_POOL_H

#include <rating/update.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    POOL_SIZE_MIN = 2,
    POOL_SIZE_MAX = 5,
    /* In points, and seconds. */
    POOL_WINDOW = 150,    /* how far apart two may be who have just come; and half a deviation */
    POOL_WIDENS = 10,     /* in a second */
    POOL_ANYBODY_S = 90,  /* after that anybody is taken */
    POOL_SIZE_BONUS = 60, /* that each player of a table is worth */
    POOL_GAMES = 2,
};

struct ticket {
    uint64_t session;
    int64_t since_ms;
    uint8_t game;                            /* only those of the same one are put together */
    uint8_t sizes;                           /* a bit for each that is taken */
    bool leaves;                             /* has a group */
    struct rating rating[POOL_SIZE_MAX + 1]; /* by size */
};

struct group {
    unsigned size;
    size_t at[POOL_SIZE_MAX]; /* of tickets */
};

/*
 * The next group, of tickets that do not leave: of the oldest that has one. The caller marks its
 * tickets, and asks again until there is none. `work` has place for POOL_WORK times `count`.
 */
enum { POOL_WORK = 2 * (POOL_SIZE_MAX + 1) };
bool pool_next_group(const struct ticket *tickets, size_t count, int64_t now_ms, size_t *work,
                     struct group *group);

/* How far from somebody else that ticket may be by now, in thousandths. */
uint64_t pool_window(const struct ticket *ticket, unsigned size, int64_t now_ms);

#endif
