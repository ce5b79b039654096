/*
 * What is expected of levels of the computer as a yardstick: each match against one that was told
 * to the desk, of somebody whose rating is known, is counted once, in the batch in which its letter
 * ends; the row of the store is what was counted, and nothing else is.
 *
 * Nobody here is ever known so well. So the book of a world of ratings begins with matches of two
 * of before, and whatever server comes up finds letters that an earlier one has left about the
 * first of them.
 */
#ifndef SIM_MEASURED_H
#define SIM_MEASURED_H

#include <hub/store.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct model_store;
struct sim;

struct measured_letter { /* that waits */
    uint64_t id;
    unsigned won;
};

struct measured {
    struct measured_letter *letters;
    size_t count, size;
    uint64_t trials, won; /* that are durable */
};

void measured_release(struct measured *measured);
/* Before the first server starts. */
void measured_begin(struct sim *sim);
/* Before each: what an earlier one has left. */
void measured_leave(struct sim *sim);
/* What the batch says has become durable. NULL: all is well. */
const char *measured_apply(struct measured *measured, const struct store_batch *batch);
/* Does it put a count? And as a fault that is put in: one more. */
bool measured_is_put(const struct store_op *op);
void measured_count_more(const struct store_op *op);
/* When all is quiet: is the store's count that one? */
bool measured_agrees(const struct measured *measured, const struct model_store *store);

#endif
