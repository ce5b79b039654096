/*
 * What levels of computers are worth among people (rating/yardstick.h): how often those whose
 * rating is known have won against each, counted at the desk. A person by themselves among
 * computers of one level, by the options of a class of ratings: that is no rated match, and moves
 * nobody's rating.
 */
#ifndef RATINGS_LEVELS_H
#define RATINGS_LEVELS_H

#include <hub/letter.h>
#include <hub/store_row.h>
#include <protocol/limits.h>
#include <rating/yardstick.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hub;
struct hub_http_answer;

/* Only people who are known better than that count. */
enum { LEVELS_DEVIATION = 110000 };

/* A count; there are no more than steps of strength, sizes and levels. */
struct level_row {
    uint8_t class, sides, inside; /* as in struct yardstick_count */
    uint32_t strength;
    uint64_t trials, won;
    char level[PROTOCOL_LEVEL_BYTES + 1];
};

/* What is said of a class, made anew at most every LEVELS_MADE_MS. */
struct level_text {
    char *text; /* NULL: not yet */
    size_t len;
    int64_t made_ms;
};
enum { LEVELS_MADE_MS = 60000 };

struct level_rows;
struct levels {
    struct level_rows *rows; /* by class, sides, inside and strength */
    struct level_text texts[RATING_CLASSES];
};

extern const struct store_table level_table;
enum { LEVEL_OF_CLASS = 0 }; /* its index */

extern const char level_letter[];
enum { LEVEL_OPS = RATING_SEATS, LEVEL_TEXT = 0 };

int levels_begin(struct levels *levels); /* <0: out of memory; to be ended all the same */
void levels_end(struct levels *levels);
/* From the store. False: out of memory. */
bool levels_restore(struct hub *hub, const struct level_row *row);

enum letter_fate levels_apply(struct hub *hub, const struct store_letter *letter);

/* The page of what each level is worth in a class, a line each. */
void levels_get(struct hub *hub, const char *rest, struct hub_http_answer *answer);

#endif
