/*
 * What is expected of conduct: each who has played a rated match is said to have behaved in some
 * way, in the batch of its last event; what is kept of somebody is what was said of their last
 * tables, one after the other, each with the end of its letter; what is good is never left out; and
 * whoever gives up again and again is reported with it, and nobody else.
 */
#ifndef SIM_BEHAVED_H
#define SIM_BEHAVED_H

#include "letters.h"
#include <hub/store.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct model_store;

enum { BEHAVED_OUTCOMES = 30 }; /* the last ones */

struct behaved_letter { /* that waits */
    uint64_t id, session;
    char outcome;
};

struct behaved_one {
    uint64_t session;
    char outcomes[BEHAVED_OUTCOMES + 1];
};

struct behaved {
    struct behaved_letter *letters;
    struct behaved_one *people;
    size_t letter_count, letter_size, count, size;
};

void behaved_release(struct behaved *behaved);
/* What the batch says has become durable; `letters` know it, and who is there. NULL: all is well.
 */
const char *behaved_apply(struct behaved *behaved, const struct letters *letters,
                          const struct store_batch *batch);
/* How many rows the store has that are what was said; and how many all parts are to have. */
size_t behaved_agreeing(const struct behaved *behaved, const struct model_store *store);
size_t behaved_expected(const struct behaved *behaved);

#endif
