/*
 * How long finished matches are kept: by age, and how many in all, each for matches of people and
 * for those in which fewer than two have acted, which go first.
 *
 * The store looks at its finished rooms in passes, a step at a time with a pause behind each
 * (hub/store.h). The first pass after a start drops nothing: it finds out how many there are, and
 * when the latest has ended. Age is counted back from that end, not from the clock alone, so that
 * one that is far ahead at a start takes nothing with it.
 */
#ifndef HUB_RETENTION_H
#define HUB_RETENTION_H

#include <hub/store.h>
#include <stdbool.h>
#include <stdint.h>

struct hub;

struct retention {
    bool under_way, counted; /* a step; a whole pass, since the start */
    int64_t next_ms;         /* when the next step is due */
    int64_t named_ms;        /* the same of one for a room that is named (rooms/kept_share.h) */
    int64_t after;           /* where the step before has ended */
    int64_t latest_ms;       /* of the pass before, and of the one that goes on */
    int64_t seen_latest_ms;
    uint64_t excess[STORE_MATCHES];
    uint64_t kept[STORE_MATCHES]; /* as the pass before has found them */
    uint64_t seen[STORE_MATCHES]; /* by the one that goes on */
    uint64_t dropped[STORE_MATCHES];
};

int64_t retention_deadline_ms(const struct hub *hub);

#endif
