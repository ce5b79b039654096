/*
 * What is to be given back if a match of the book does not count: for whoever follows the book from
 * its first entry on. 8 bytes for each entry, 16 for each loss.
 */
#ifndef RATING_REFUNDS_H
#define RATING_REFUNDS_H

#include <rating/book.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct refunds_entry;

struct refunds {
    struct refunds_entry *entries; /* 1 to count */
    struct book_refund *losses;    /* of all of them, in their order */
    size_t count, size, loss_count, loss_size;
};

/* Of a match alone: all of its annulment but which match it is, and the reason. */
void refunds_of(const struct book_match *match, struct book_annul *annul);

/* Of zeros. */
void refunds_release(struct refunds *refunds);

/* The next entry of the book, after it was checked. <0: out of memory, and nothing has changed. */
int refunds_follow(struct refunds *refunds, const struct book_entry *entry);

/* All of the annulment of `annul->of` but its reason. False: that is no match, or does not count
 * already. */
bool refunds_fill(const struct refunds *refunds, struct book_annul *annul);

#endif
