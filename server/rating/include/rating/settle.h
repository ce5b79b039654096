/* What counts of how a match has ended, of who stayed and who left (protocol/ratings.md). */
#ifndef RATING_SETTLE_H
#define RATING_SETTLE_H

#include <rating/book.h>

/*
 * Of a match whose class, seats, sides and winners by the game are filled in. `left`: sides of whom
 * somebody was not there at the end; `rank`: of each seat, 1 is best, where places count.
 */
void rating_settle(struct book_match *match, uint32_t left, const uint8_t rank[RATING_SEATS]);

#endif
