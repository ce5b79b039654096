/*
 * What all ratings are by the book so far: for who adds to it, and for whoever follows it and
 * computes each of its numbers again.
 */
#ifndef RATING_LEDGER_H
#define RATING_LEDGER_H

#include <rating/book.h>
#include <rating/refunds.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct standing {
    uint64_t account;
    uint8_t class; /* its number */
    struct rating rating;
    uint32_t matches;
    int64_t last_ms; /* end of the last of them that there was */
    uint64_t n;      /* of the last entry of the book about it; 0: it is none */
};

struct ledger {
    struct standing *slots; /* a hash table; of an account 0: free */
    size_t size, count;
    uint64_t n; /* of the last entry; 0: none */
    uint8_t hash[BOOK_HASH_BYTES];
    unsigned system; /* that the next match goes by; 0: none was said yet */
};

/* Of zeros. */
void ledger_init(struct ledger *ledger);
void ledger_release(struct ledger *ledger);

/* NULL: it has not played in that class, or is gone. */
const struct standing *ledger_find(const struct ledger *ledger, uint64_t account, unsigned class);
bool ledger_is_rated(const struct ledger *ledger, uint64_t account); /* in any class */
/* As it is from now on, or with n 0 none; by key. <0: out of memory. */
int ledger_put(struct ledger *ledger, const struct standing *standing);
/* The one at `at` or behind it, where `at` is then; NULL: no more. */
const struct standing *ledger_next(const struct ledger *ledger, size_t *at);
/* So many more can be put without memory. <0: out of memory. */
int ledger_reserve(struct ledger *ledger, size_t more);

/*
 * Who plays there for the first time begins with what the best known one of their classes of that
 * game says, else as everybody. Fills in what was before a match and is after it.
 */
void ledger_rate(const struct ledger *ledger, struct book_match *match);

/* Of what an annulment gives back: who is gone by now gets nothing. */
void ledger_leave_out_gone(const struct ledger *ledger, struct book_annul *annul);
/* Is the next entry another one, or an annulment that gives back what was lost, once, to all who
 * are still there? */
bool ledger_gives_back(const struct ledger *ledger, const struct refunds *refunds,
                       const struct book_entry *entry);

/*
 * The next entry, which has been written as `line`: takes its numbers over. <0: out of memory, and
 * nothing has changed.
 */
int ledger_follow(struct ledger *ledger, const struct book_entry *entry, const char *line,
                  size_t len);

enum ledger_fault {
    LEDGER_FINE,
    LEDGER_UNREADABLE, /* it is no line of a book */
    LEDGER_GAP,        /* its number is not the next one */
    LEDGER_HASH,       /* it is not what its hash says, or not behind the one before */
    LEDGER_SYSTEM,     /* of a version that this program does not know, or of none */
    LEDGER_NUMBERS,    /* the ratings are not what follows from the book */
    LEDGER_NO_MEMORY,
};
const char *ledger_fault_text(enum ledger_fault fault);

/* Is that the next line, with that hash, and does all in it follow? Then it is followed. */
enum ledger_fault ledger_check(struct ledger *ledger, const char *line, size_t len,
                               const uint8_t hash[static BOOK_HASH_BYTES]);

/* The same of who follows the book from its first entry on: also what an annulment gives back. The
 * entry is read into `entry`. */
enum ledger_fault ledger_audit(struct ledger *ledger, struct refunds *refunds,
                               struct book_entry *entry, const char *line, size_t len,
                               const uint8_t hash[static BOOK_HASH_BYTES]);

#endif
