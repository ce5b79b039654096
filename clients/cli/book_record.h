/* A match of a book of ratings, held against the signed record of that match. Knows no server. */
#ifndef CLI_BOOK_RECORD_H
#define CLI_BOOK_RECORD_H

#include <protocol/keys.h>
#include <rating/book.h>
#include <stddef.h>

/* Does the match follow from that record, which the server has signed? */
enum book_record {
    BOOK_RECORD_AGREES,
    BOOK_RECORD_NOT_SIGNED, /* it agrees, but a key that is known does not stand for it */
    BOOK_RECORD_DIFFERS,    /* or is none, or its signature is false */
    BOOK_RECORD_FAILED,     /* out of memory */
};
enum book_record book_check_record(const struct book_match *match, const char *text, size_t len,
                                   const struct key_set *keys);

#endif
