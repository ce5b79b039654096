/* Who seeks and who has played is told what has come of it. */
#ifndef RATINGS_TOLD_H
#define RATINGS_TOLD_H

#include <hub/letter.h>
#include <rating/book.h>

extern const char told_letter[];
enum { TOLD_TEXT = 160 };

/* Into the batch of the line `n`; memory is reserved. */
void told_send(struct hub *hub, uint64_t n, const struct book_match *match, unsigned seat);
/* The same: where they are to play. */
void told_found(struct hub *hub, uint64_t session, const char *room_id, const char *class);
/* The same: what has become of their seek. */
void told_seeking(struct hub *hub, uint64_t session, const char *state);
enum letter_fate told_apply(struct hub *hub, const struct store_letter *letter);

/* In whole points. */
int64_t told_points(uint32_t thousandths);

#endif
