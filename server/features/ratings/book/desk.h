/*
 * The desk's side: the book as it is, and what a letter about a match makes of it. A batch that
 * fails takes it back.
 */
#ifndef RATINGS_DESK_H
#define RATINGS_DESK_H

#include "rows/state.h"
#include <hub/letter.h>

struct room_result;

extern const char desk_letter[]; /* its kind */
enum { DESK_OPS = 3 + 1 + 3 * RATING_SEATS, DESK_TEXT = 12288 };

/* In the batch of the last event: a letter. */
void desk_send(struct hub *hub, const struct room_result *result);
enum letter_fate desk_apply(struct hub *hub, const struct store_letter *letter);
bool desk_restore(struct hub *hub, const struct store_table *table, const void *row);

#endif
