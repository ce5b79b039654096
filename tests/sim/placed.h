/*
 * What is expected of quick match: whoever is given a seat at a table has no seat at another one
 * that was given so, from the offer until they are out of its match; and when all is quiet
 * nobody has a place but where they play.
 */
#ifndef SIM_PLACED_H
#define SIM_PLACED_H

#include <hub/store.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct model_store;
struct place_row;

/* A seat that was offered. */
struct placed_seat {
    uint64_t session;
    char room[9];
    bool offered; /* still */
    bool plays;   /* as the desk has it, since then */
    int64_t since_ms;
    bool out; /* as its room has said */
};

struct placed {
    struct placed_seat *seats;
    size_t count, size;
};

void placed_release(struct placed *placed);
/* What the batch says has become durable. NULL: all is well. */
const char *placed_apply(struct placed *placed, const struct store_batch *batch);
/* The at-th row that says that somebody plays; NULL: there are fewer. */
const struct place_row *placed_row(const struct model_store *store, size_t at);

#endif
