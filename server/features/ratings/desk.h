/*
 * The desk's side: the book as it is, and what a letter about a match makes of it. A batch that
 * fails takes it back.
 */
#ifndef RATINGS_DESK_H
#define RATINGS_DESK_H

#include "rows.h"
#include "waiting.h"
#include <hub/letter.h>

struct room_result;

struct desk {
    struct ledger ledger;
    uint64_t durable_n; /* lines that people may be told of */
    uint8_t durable_hash[BOOK_HASH_BYTES];
    uint64_t refused; /* letters that made no sense */
    struct seeks seeks;
    int64_t began_ms;
    uint64_t pauses; /* of people at home here, since the start */
};

extern const struct feature_memory desk_memory;
struct desk *desk_of(const struct hub *hub);

extern const char desk_letter[]; /* its kind */
enum { DESK_OPS = 3 + 1 + 3 * RATING_SEATS, DESK_TEXT = 12288 };

/* In the batch of the last event: a letter. */
void desk_send(struct hub *hub, const struct room_result *result);
enum letter_fate desk_apply(struct hub *hub, const struct store_letter *letter);
bool desk_restore(struct hub *hub, const struct store_table *table, const void *row);

#endif
