/*
 * All ratings computed again from the book of a store, and where those that it keeps differ: for an
 * operator, while no server uses it. Reads no store itself: it is handed the rows.
 */
#ifndef RATINGS_REBUILD_H
#define RATINGS_REBUILD_H

#include <hub/store_row.h>
#include <rating/ledger.h>
#include <rating/refunds.h>
#include <stdbool.h>
#include <stdint.h>

struct rating_row;

struct ratings_rebuild {
    struct ledger ledger; /* by the lines so far */
    struct refunds refunds;
    struct rating_row *rows; /* that are kept; after ratings_rebuild_kept in order */
    size_t count, size;
    uint64_t end_n; /* where the book ends, as it is kept */
    uint8_t end_hash[BOOK_HASH_BYTES];
    unsigned end_system;
    uint64_t matches, annulled; /* of the lines so far */
};

void ratings_rebuild_init(struct ratings_rebuild *rebuild);
void ratings_rebuild_release(struct ratings_rebuild *rebuild);

/* A row that the store hands out: those that are no rating are passed over. <0: out of memory. */
int ratings_rebuild_kept(struct ratings_rebuild *rebuild, const struct store_table *table,
                         const void *row);

/*
 * The lines are asked for by this index of this table, all of them behind `from`, which is a row of
 * it; each is handed in.
 */
extern const struct store_table *const ratings_book;
enum { RATINGS_BOOK_INDEX = 0 };
enum ledger_fault ratings_rebuild_line(struct ratings_rebuild *rebuild, const void *row);

/* When all lines are in: entries that there were are missing, or they are others. */
bool ratings_rebuild_lacks(const struct ratings_rebuild *rebuild);

/*
 * When all lines are in. What is to be put, or dropped, so that the store has what follows from
 * them, with a sentence about why. Rows are borrowed. <0 from `differs` ends it, and is returned.
 */
typedef int ratings_differ_fn(void *ctx, const struct store_table *table, const void *row,
                              bool drop, const char *why);
enum { RATINGS_WHY_MAX = 256 };
int ratings_rebuild_compare(struct ratings_rebuild *rebuild, ratings_differ_fn *differs, void *ctx);

/*
 * The entry behind the last one: the match of entry `of` does not count. What is to be put for it,
 * together, is said as above. `reason` is one of the book (rating/book.h). False: `of` is no match,
 * or does not count already, or memory ran out; or `differs` has ended it, which then knows.
 */
bool ratings_rebuild_annul(struct ratings_rebuild *rebuild, uint64_t of, const char *reason,
                           int64_t now_ms, ratings_differ_fn *differs, void *ctx);

#endif
