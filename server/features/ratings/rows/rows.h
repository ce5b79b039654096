/* The rows of ratings, all of them the desk's. */
#ifndef RATINGS_ROWS_H
#define RATINGS_ROWS_H

#include <hub/store_row.h>
#include <protocol/account.h>
#include <rating/book.h>
#include <rating/ledger.h>

/* A line of the book. There are many: they are asked for by `n`. */
struct book_row {
    uint64_t n;
    int64_t at_ms;
    uint8_t hash[BOOK_HASH_BYTES];
    const char *line; /* borrowed */
    uint16_t line_len;
};

/* Where the book ends. One row. */
struct book_end_row {
    uint8_t id; /* 1 */
    uint64_t n;
    uint8_t hash[BOOK_HASH_BYTES];
    uint16_t system;
};

/* What somebody is rated in a class. */
struct rating_row {
    uint64_t account;
    uint8_t class;
    uint32_t strength, deviation, matches;
    int64_t last_ms;
    uint64_t n;      /* of the last line about it */
    uint32_t listed; /* the strength of who has a place in lists; 0: none yet */
    char handle[PROTOCOL_HANDLE_BYTES + 1];
};

/* How it has changed: a step of a curve. There are many. */
struct rating_step_row {
    uint64_t account;
    uint8_t class;
    uint64_t n;
    int64_t at_ms;
    uint32_t before, strength, deviation;
    char room[PROTOCOL_ROOM_BYTES + 1];
};

/* Their indexes. */
enum { BOOK_BY_N = 0, RATING_LEADERS = 0, RATING_OF_ACCOUNT = 1 };

extern const struct store_table book_table, book_end_table, rating_table, rating_step_table;

/* Who is known too little, or has played too little, has no place in lists. */
enum {
    RATING_LISTED_DEVIATION = 90000,
    RATING_LISTED_MATCHES = 10,
    RATING_PROVISIONAL_DEVIATION = 110000, /* above it nobody should rely on the number */
};

struct rating_row rating_row_of(const struct standing *standing, const char *handle);
struct standing standing_of(const struct rating_row *row);

#endif
