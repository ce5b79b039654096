/* Who seeks and who has played is told what has come of it. */
#ifndef RATINGS_TOLD_H
#define RATINGS_TOLD_H

#include "waiting.h"
#include <hub/letter.h>
#include <protocol/buffer.h>
#include <rating/book.h>

/* refunded_letter: a kind of its own, as whoever does not know it keeps it for later. */
extern const char told_letter[], refunded_letter[], challenged_letter[];
enum { TOLD_TEXT = 256 };

/* Into the batch of the line `n`; memory is reserved. */
void told_send(struct hub *hub, uint64_t n, const struct book_match *match, unsigned seat);
/* The same: that they get something back, by an annulment of the match `of`. */
struct told_refund {
    uint64_t account, n, of;
    unsigned class;
    uint32_t before, after; /* thousandths */
    const char *reason;     /* one of the book */
};
void told_refunded(struct hub *hub, const struct told_refund *refund);
/* The same: where they are to play, which they can accept until then, and why that is not rated;
 * NULL: it is, by that class. */
struct told_table {
    const char *room_id, *class, *unrated;
    int64_t until_ms;
};
void told_found(struct hub *hub, uint64_t session, const struct told_table *table);
/* The same: that somebody wants to play with them. */
void told_challenged(struct hub *hub, const struct seek_row *seek, const struct wish_row *wish);
/* The same: from when on they wait, and how far from them they are looked for at first. */
void told_waiting(struct hub *hub, const struct ticket *ticket);
/* The same: what has become of their seek. */
void told_seeking(struct hub *hub, uint64_t session, const char *state);
/* How often that was said, by what it was; since the start. */
enum { TOLD_STATES = 5 };
void told_write_figures(const struct hub *hub, struct buffer *out);
enum letter_fate told_apply(struct hub *hub, const struct store_letter *letter);
enum letter_fate challenged_apply(struct hub *hub, const struct store_letter *letter);

/* In whole points. */
int64_t told_points(uint32_t thousandths);

#endif
