/*
 * A rated match that does not count, by the operator: nothing is rewritten, a line of the book
 * gives back what was lost. The book is read from that match on, as it can be annulled once; and of
 * who gets something back their row, which has their handle.
 */
#ifndef RATINGS_ANNUL_H
#define RATINGS_ANNUL_H

#include "rows/rows.h"
#include <features/feature.h>

/* What is known by the pages so far. */
struct annulling {
    struct book_annul annul;
    uint64_t last;  /* of the lines that were read */
    bool read;      /* they are all read */
    unsigned known; /* of the refunds, whose rows are here: */
    struct rating_row row[RATING_SEATS];
};

extern const struct operator_row annul_operation;

#endif
