/*
 * What the feature has in the memory of a hub: what the desk knows, where this hub is the desk, and
 * of each session its conduct.
 */
#ifndef RATINGS_STATE_H
#define RATINGS_STATE_H

#include "book/annul.h"
#include "book/levels.h"
#include "pairing/meetings.h"
#include "pairing/places.h"
#include "pairing/served.h"
#include "rows.h"
#include "waiting/conduct.h"
#include "waiting/told.h"
#include "waiting/waiting.h"
#include <rating/book.h>

struct feature_memory;
struct hub;

/* A clock that gives so long for a move, or longer, is not one by which people sit and play. */
enum { LIVE_MOVE_S = 1800 };

struct desk {
    struct ledger ledger;
    uint64_t durable_n; /* lines that people may be told of */
    uint8_t durable_hash[BOOK_HASH_BYTES];
    uint64_t refused; /* letters that made no sense */
    bool full;        /* the book was, when a table was opened last */
    struct seeks seeks;
    struct served served;
    struct meetings meetings;
    struct levels levels;
    struct places places;
    int64_t places_looked_ms; /* when old ones were looked for */
    int64_t began_ms;
    int64_t failed_ms;          /* when nothing could be stored last; 0: never */
    struct annulling annulling; /* what the operator asks for */
    uint64_t annulled;          /* since the start */
    uint64_t pauses;            /* of people at home here, since the start */
    uint64_t told[TOLD_STATES]; /* of their seeks, by state, since the start */
};

extern const struct feature_memory ratings_memory;
struct desk *desk_of(const struct hub *hub);

#endif
