/*
 * A book of ratings as a server hands it out (protocol/ratings.md), read to the end that the server
 * names: is each entry bound to the one before, does each number follow, and who stands for it?
 * Knows no server: it is handed texts, which may be lies. Takes as much memory as there are
 * accounts in the book, BOOK_STANDINGS_MAX at most, and of each line what could be given back
 * (rating/refunds.h): 24 to 48 bytes for a match of two, so half a gigabyte at most of the longest
 * book that a server makes.
 */
#ifndef CLI_BOOK_CHECK_H
#define CLI_BOOK_CHECK_H

#include <protocol/keys.h>
#include <rating/ledger.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BOOK_STANDINGS_MAX = 4000000, /* ratings, of accounts by class */
    BOOK_PAGE_LINES_MAX = 2048,
    BOOK_PROBLEM_TEXT = 160,
};

enum book_word {
    BOOK_WORD_SIGNED,     /* by a key that is known */
    BOOK_WORD_NOT_SIGNED, /* or by a key that is not known */
    BOOK_WORD_FALSE,      /* the signature is none of that key, or was made when it was not used */
    BOOK_WORD_UNREADABLE,
};

/* Where a server says that its book ends. */
struct book_end {
    uint64_t n;
    uint8_t hash[BOOK_HASH_BYTES];
    int64_t time_ms;            /* when it was so */
    char key[KEY_ID_BYTES + 1]; /* "": none */
    enum book_word word;
};
void book_end_read(struct book_end *end, const char *text, size_t len, const struct key_set *keys);

struct book_check {
    struct ledger ledger;
    struct refunds refunds;
    struct book_end end;
    uint64_t entries, matches, annulled;
    struct book_entry *page; /* matches of the last page, for whoever asks for their records */
    size_t page_count;
    char problem[BOOK_PROBLEM_TEXT]; /* what is wrong; "": nothing yet */
};

/* False: out of memory; to be ended all the same. */
bool book_check_begin(struct book_check *check, const struct book_end *end);
void book_check_end(struct book_check *check);

/* A page of lines, behind those so far; those behind the end are passed over. False: `problem`. */
bool book_check_page(struct book_check *check, const char *bytes, size_t len);

#endif
