/*
 * Who has met whom in rated matches, so that two who choose each other do not make ratings: the
 * last ones, in a ring of rows that is the desk's. Of two who chose each other the desk decides by
 * them, once, when their table is opened, whether it is rated.
 */
#ifndef RATINGS_MEETINGS_H
#define RATINGS_MEETINGS_H

#include <hub/store_row.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MEETINGS_MAX = 16384,
    MEETINGS_OF_TABLE = 10,              /* pairs of five */
    MEETINGS_IN_DAY = 3,                 /* of a pair, at whatever tables */
    MEETINGS_IN_MONTH = 20,              /* the same */
    MEETINGS_OF_NEWCOMERS = 2,           /* of anybody with such, in a day */
    MEETINGS_NEWCOMER_DEVIATION = 160000 /* and more: hardly known */
};
#define MEETINGS_DAY_MS   INT64_C(86400000)
#define MEETINGS_MONTH_MS (30 * MEETINGS_DAY_MS)

/* One pair at one table. */
struct meeting_row {
    uint32_t slot; /* n % MEETINGS_MAX */
    uint64_t n;    /* from 1 */
    int64_t at_ms;
    uint64_t one, other;
    uint8_t new_one, new_other; /* 1: was hardly known */
};

struct meetings {
    struct meeting_row *rows; /* by slot; of n 0: none */
    uint64_t next;            /* n of the next one */
};

extern const struct store_table meeting_table;

int meetings_begin(struct meetings *meetings); /* <0: out of memory; to be ended all the same */
void meetings_end(struct meetings *meetings);
void meetings_keep(struct meetings *meetings, const struct meeting_row *row);

/* Somebody who is to be seated, and whether they are hardly known. */
struct meeting_seat {
    uint64_t account;
    bool is_new;
};

/* The rows of those who begin to play: how many. They take their numbers, and are kept once they
 * are durable. */
size_t meetings_next(struct meetings *meetings, const struct meeting_seat seats[], unsigned count,
                     int64_t now_ms, struct meeting_row rows[static MEETINGS_OF_TABLE]);

/* Why a match that these two have chosen is not rated: a word. NULL: it is. */
const char *meetings_unrated(const struct meetings *meetings, const struct meeting_seat *one,
                             const struct meeting_seat *other, int64_t now_ms);

#endif
