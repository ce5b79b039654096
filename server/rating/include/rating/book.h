/*
 * The book: a list of what has been rated, numbered from 1 without a gap, each line bound to the
 * one before by a hash. All ratings follow from it (rating/ledger.h); protocol/ratings.md has its
 * form. Accounts are numbers here, which lead nowhere once an account is gone.
 *
 * A line has one form only: what is read and written again is the same bytes.
 */
#ifndef RATING_BOOK_H
#define RATING_BOOK_H

#include <protocol/limits.h>
#include <rating/class.h>
#include <rating/update.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BOOK_HASH_BYTES = 32,
    BOOK_LINE_MAX = 1536, /* bytes */
    /* With so many nothing more begins to be rated; what plays then is entered. */
    BOOK_LINES_MAX = 10000000,
    BOOK_REASON_MAX = 80, /* printable ASCII but for " and \ */
    BOOK_REFUND_MAX = 150000,
};

enum book_kind {
    BOOK_SYSTEM, /* what follows goes by that version of scales and parameters */
    BOOK_MATCH,
    BOOK_ANNUL, /* a match does not count: who lost by it gets that back */
    BOOK_GONE,  /* an account was erased: its ratings end */
};

struct book_seat {
    uint64_t account;
    uint8_t side;
    struct rating before, after; /* aged; and what it is now */
};

struct book_match {
    char room[PROTOCOL_ROOM_BYTES + 1];
    int64_t ended_ms;
    uint8_t class; /* its number */
    uint8_t seats, sides;
    struct book_seat seat[RATING_SEATS];
    uint32_t winners;            /* sides, as bits; not where places count: */
    uint8_t place[RATING_SEATS]; /* of each side, 1 is best */
    uint32_t still;              /* sides that stay as they are */
};

struct book_refund {
    uint64_t account;
    uint32_t points; /* thousandths, to BOOK_REFUND_MAX */
};

struct book_annul {
    uint64_t of;   /* the match's number */
    uint8_t class; /* the match's */
    char reason[BOOK_REASON_MAX + 1];
    unsigned refunds;
    struct book_refund refund[RATING_SEATS];
};

struct book_entry {
    uint64_t n;
    int64_t at_ms; /* when it was entered */
    enum book_kind kind;
    union {
        unsigned system;
        struct book_match match;
        struct book_annul annul;
        uint64_t gone; /* the account */
    } u;
};

/* Its line without an end of line, 0-terminated; how long. */
size_t book_write(const struct book_entry *entry, char line[static BOOK_LINE_MAX + 1]);
/* False: it is no line of a book, or not in its one form. */
bool book_read(struct book_entry *entry, const char *line, size_t len);
bool book_reason_valid(const char *reason);

/* Of a line behind the one with the hash `before`; the first is behind zeros. */
void book_hash(uint8_t hash[static BOOK_HASH_BYTES], const uint8_t before[static BOOK_HASH_BYTES],
               const char *line, size_t len);

#endif
