/*
 * What is expected of quick match: whoever is given a seat at a table has no seat at another one
 * that was given so, from the offer until they are out of its match; and when all is quiet nothing
 * is left of either.
 */
#ifndef SIM_PLACED_H
#define SIM_PLACED_H

#include <hub/store.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct model_store;

/* A seat that was offered. */
struct placed_seat {
    uint64_t session;
    char room[9];
    bool offered; /* still */
    bool plays;   /* as the desk has it */
    bool out;     /* as its room has said */
};

struct placed {
    struct placed_seat *seats;
    size_t count, size;
};

void placed_release(struct placed *placed);
/* What the batch says has become durable. NULL: all is well. */
const char *placed_apply(struct placed *placed, const struct store_batch *batch);
/* How many rows say that somebody plays. */
size_t placed_rows(const struct model_store *store);

#endif
