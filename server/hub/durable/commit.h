/*
 * The state of commits: the batch that fills, the batch that the store has, and what is known of
 * the store's health. Its functions are the hub's own `hub_batch_*`.
 */
#ifndef HUB_COMMIT_H
#define HUB_COMMIT_H

#include "waiting/batch.h"
#include <hub/store.h>
#include <stdbool.h>
#include <stdint.h>

struct commit {
    struct batch batches[2];
    struct batch *filling;
    struct batch *out; /* NULL: the store has none */
    int64_t taken_ms;  /* when the batch that is out was taken */
    bool failing;      /* the last commit failed; the next one is a probe */
    int64_t failing_since_ms, retry_at_ms, retry_pause_ms;
    /* Clocks that had stood still since then go on by events that were made at `resumed_ms`; 0:
     * these are durable. */
    int64_t held_since_ms, resumed_ms;
    int64_t sign_due_ms;       /* when a batch is taken even if it is empty; INT64_MAX: never */
    enum store_result stopped; /* not STORE_OK: the hub has stopped for good */
};

/* Clocks go on now that had stood still since then. Should the events that say so not become
 * durable, that time is not charged either. */
void commit_note_resumed(struct commit *commit, int64_t since_ms, int64_t now_ms);

#endif
