/*
 * How well quick match has served those whom it has put together, since the start: how long they
 * waited, how far apart they are rated, and whether who was likelier to win has won as often as was
 * foretold. Of two who have chosen each other, and of tables that computers fill, it says nothing
 * but that. A pure computation.
 */
#ifndef RATINGS_SERVED_H
#define RATINGS_SERVED_H

#include "pool/pool.h"
#include <protocol/buffer.h>
#include <rating/book.h>
#include <rating/class.h>

enum {
    SERVED_WAIT_FIRST = 0, /* seconds: up to 1, 2, 4, ... 512, and longer */
    SERVED_WAITS = 11,
    SERVED_SPREAD_FIRST = 4, /* points: up to 16, 32, ... 2048, and farther */
    SERVED_SPREADS = 9,
};

/* One table: how long each has waited, and from the weakest of them to the strongest. */
struct served_table {
    uint8_t class; /* 0: they have chosen each other, or computers fill it */
    unsigned size;
    uint64_t waited_s[POOL_SIZE_MAX];
    uint64_t spread; /* points */
};

/* A rated match: the side with the highest rating, if it is one alone, in shares of RATING_ONE. */
struct served_favourite {
    uint8_t class;          /* 0: there is none, or places count */
    uint32_t won, foretold; /* by the ratings alone, however sure they are */
};

/* Of each class. */
struct served {
    struct served_favourites {
        uint64_t matches, won, foretold; /* shares of RATING_ONE */
    } favourites[RATING_CLASSES + 1];
    struct served_class {
        uint64_t waits[SERVED_WAITS], waited_s;
        uint64_t spreads[SERVED_SPREADS], spread;
    } of[RATING_CLASSES + 1];
};

struct served_table served_look(const struct ticket tickets[], const struct group *group,
                                unsigned class, int64_t now_ms);
void served_add(struct served *served, const struct served_table *table);
struct served_favourite served_favourite(const struct book_match *match);
void served_add_favourite(struct served *served, const struct served_favourite *favourite);
/* As metrics. Of a class of which there was no table there is nothing. */
void served_write(const struct served *served, struct buffer *out);

#endif
