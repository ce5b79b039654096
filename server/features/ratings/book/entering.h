/*
 * Lines that come into the book together, and what they make of ratings: in the batch that fills,
 * in which there is memory for them. If it cannot be stored all is taken back.
 */
#ifndef RATINGS_ENTERING_H
#define RATINGS_ENTERING_H

#include <rating/book.h>
#include <stdint.h>

struct entering;
struct hub;

/* How all is before: these are the accounts, RATING_SEATS at most, whose ratings of that class
 * change. NULL: out of memory. It is the batch's from entering_end on. */
struct entering *entering_begin(struct hub *hub, unsigned class, const uint64_t *accounts,
                                unsigned count);
/* The same of an account of which all ratings end. */
struct entering *entering_begin_gone(struct hub *hub, uint64_t account);
/* The next line, whose number and time are filled in: one row. */
void entering_line(struct hub *hub, struct entering *entering, struct book_entry *entry);
/* That was the last one: one row. */
void entering_end(struct hub *hub, struct entering *entering);

#endif
