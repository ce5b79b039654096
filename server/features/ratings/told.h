/* Who seeks and who has played is told what has come of it. */
#ifndef RATINGS_TOLD_H
#define RATINGS_TOLD_H

#include "waiting.h"
#include <hub/letter.h>
#include <rating/book.h>

extern const char told_letter[], challenged_letter[];
enum { TOLD_TEXT = 192 };

/* Into the batch of the line `n`; memory is reserved. */
void told_send(struct hub *hub, uint64_t n, const struct book_match *match, unsigned seat);
/* The same: where they are to play, and why that is not rated; NULL: it is, by that class. */
void told_found(struct hub *hub, uint64_t session, const char *room_id, const char *class,
                const char *unrated);
/* The same: that somebody wants to play with them. */
void told_challenged(struct hub *hub, const struct seek_row *seek, const struct wish_row *wish);
/* The same: what has become of their seek. */
void told_seeking(struct hub *hub, uint64_t session, const char *state);
enum letter_fate told_apply(struct hub *hub, const struct store_letter *letter);
enum letter_fate challenged_apply(struct hub *hub, const struct store_letter *letter);

/* In whole points. */
int64_t told_points(uint32_t thousandths);

#endif
