/*
 * Which account is whose elsewhere, as it is kept: a hash of where they sign in and of what they
 * are called there, and never a name or an address of theirs. That hash is claimed: one session of
 * the whole site has it.
 *
 * The rows are not in memory; of a session that is here it is known that it has one.
 */
#ifndef IDENTITY_EXTERNAL_TABLE_H
#define IDENTITY_EXTERNAL_TABLE_H

#include <hub/store_row.h>
#include <hub/voucher.h>
#include <stdint.h>

enum { EXTERNAL_SUBJECT_DIGITS = 2 * VOUCHER_SUBJECT_BYTES };

struct external_row {
    uint64_t session;
    char subject[EXTERNAL_SUBJECT_DIGITS + 1]; /* in hex */
    int64_t since_ms;
    int64_t used_ms; /* how long the last voucher was good: no older one is taken any more */
};

extern const struct store_table external_table;
enum { EXTERNAL_BY_SUBJECT }; /* its index */

#endif
