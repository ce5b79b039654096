/*
 * Pieces of JSON that a hub of the version before has written (before.h): where a member's value or
 * an element of an array is. Not a reader: what is no JSON of ours has no pieces, or wrong ones,
 * but never any outside of the text.
 */
#ifndef SITE_PIECES_H
#define SITE_PIECES_H

#include "piece.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The value of an object's member; none: it has no such member. */
struct piece piece_member(struct piece object, const char *name);
/*
 * From there to the end of the object: where the value ends is not looked for. Good for what begins
 * there: its first members or elements.
 */
struct piece piece_open(struct piece object, const char *name);
/* The elements of an array, one after the other: `*at` starts as 0. None: there are no more. */
struct piece piece_next(struct piece array, size_t *at);

bool piece_is(struct piece value, const char *json);
/* A number without fraction; false: it is none. */
bool piece_number(struct piece value, int64_t *number);
/* What is between the quotes of a string, as it is written. None: it is no string. */
struct piece piece_string(struct piece value);

#endif
