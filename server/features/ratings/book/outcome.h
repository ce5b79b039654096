/* What of a match that is over is rated. */
#ifndef RATINGS_OUTCOME_H
#define RATINGS_OUTCOME_H

#include <rating/book.h>
#include <room/result.h>

enum outcome {
    OUTCOME_RATED,
    OUTCOME_NOT_MEANT,   /* the room is not rated */
    OUTCOME_NOT_DECIDED, /* called off, abandoned, closed by the operator */
    OUTCOME_ABORTED,     /* somebody was out before all had ended two turns */
    OUTCOME_UNKNOWN,     /* no class has such a table: not as many sides, a computer, ... */
};

/* All but the ratings, if it is rated. */
enum outcome outcome_of(const struct room_result *result, struct book_match *match);

#endif
