/*
 * What is expected of ratings: each match whose end is durable, and which is rated, is in the book
 * once, in the batch in which its letter ends; the book has no gap, and each of its numbers follows
 * from it; what is kept of a rating is what the book says; and each who played is told once, and
 * nothing else. A match is annulled if that was asked for, once, and who has lost by it is told
 * what they get back.
 */
#ifndef SIM_RATED_H
#define SIM_RATED_H

#include <hub/store.h>
#include <jansson.h>
#include <rating/ledger.h>
#include <rating/refunds.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct model_store;

struct rated_match {
    char room[9];
    uint64_t letter; /* to the desk */
    uint64_t n;      /* its line; 0: it is in none yet */
    struct book_match match;
    uint32_t told; /* seats, as bits, to whom it is on its way or was said */
};

struct rated_annul {
    uint64_t n; /* its line */
    struct book_annul annul;
    uint32_t before[RATING_SEATS], after[RATING_SEATS]; /* of each refund, thousandths */
    uint32_t told;                                      /* refunds, as bits, as of a match */
};

struct rated {
    struct ledger ledger; /* by the lines that are durable */
    struct refunds refunds;
    struct rated_annul *annuls;
    size_t annul_count, annul_size;
    uint64_t annulling; /* the line of the match that is asked for; 0: none is */
    struct rated_match *matches;
    size_t count, size;
};

void rated_release(struct rated *rated);
/* What the batch says has become durable. NULL: all is well. */
const char *rated_apply(struct rated *rated, const struct store_batch *batch);
/* Is that what a session is to be told (push `rated` or `refunded`)? NULL: it is. */
const char *rated_check_told(const struct rated *rated, uint64_t session, const json_t *push);
/* When all is quiet: of these matches none is missing. NULL: all is well. */
const char *rated_check_end(const struct rated *rated);
/* How many rows the store of a part has that are what the book says: its lines, its end, ratings;
 * and how many all parts are to have. */
size_t rated_agreeing(const struct rated *rated, const struct model_store *store);
size_t rated_expected(const struct rated *rated);
bool rated_has(const struct rated *rated, const char *room_id);
/* The line by which the match of that line is annulled; 0: it is not. */
uint64_t rated_annulled(const struct rated *rated, uint64_t of);
/* Is a match there with the sides that its room says were played, and those who have won? */
bool rated_has_sides(const struct rated *rated, const char *room_id, const json_t *state);

#endif
