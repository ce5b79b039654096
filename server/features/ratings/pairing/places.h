/*
 * Who plays where, as the desk has it: one place at a time is what quick match gives. Of matches of
 * two people or more with a clock under which a move takes less than half an hour; those with an
 * account count. Rows of the store, all of them in memory.
 */
#ifndef RATINGS_PLACES_H
#define RATINGS_PLACES_H

#include <hub/store_row.h>
#include <protocol/limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* So long a place holds at most: a room may be lost, and then nobody says that it is over. */
#define PLACES_MS INT64_C(86400000)

struct place_row {
    uint64_t session;
    int64_t since_ms;
    char room[PROTOCOL_ROOM_BYTES + 1];
};

struct place_rows;
struct places {
    struct place_rows *rows; /* by session, who may have several */
    size_t coming;           /* that may be kept once they are durable */
};

extern const struct store_table place_table;

int places_begin(struct places *places); /* <0: out of memory; to be ended all the same */
void places_end(struct places *places);

/* So many more may be kept. False: out of memory. Each is given back by places_give_back. */
bool places_reserve(struct places *places, size_t more);
void places_give_back(struct places *places, size_t more);
/* By session and room; it was reserved. */
void places_keep(struct places *places, const struct place_row *row);
void places_drop(struct places *places, uint64_t session, const char *room);

bool places_find(const struct places *places, uint64_t session, const char *room);
/* Those that hold, one after the other: `*at` starts as 0; NULL when there are no more. */
const struct place_row *places_of(const struct places *places, uint64_t session, int64_t now_ms,
                                  size_t *at);
/* Any one that holds no more; NULL: there is none. Looks at all. */
const struct place_row *places_old(const struct places *places, int64_t now_ms);

#endif
