/*
 * When those who seek have last said that they do, or that they do not any more. Letters may change
 * places, so what is older than what was applied counts no more: a seek does not come back behind
 * its end. In the memory of the desk alone: whoever takes over does not know it.
 */
#ifndef RATINGS_SAID_H
#define RATINGS_SAID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SAID_MAX = 1024 }; /* of so many; of the others the one who said it longest ago goes */

struct said_one {
    uint64_t session;
    int64_t at_ms; /* by the clock of their home */
};

struct said {
    struct said_one *list; /* SAID_MAX of them */
    size_t count;
};

void said_begin(struct said *said, struct said_one list[static SAID_MAX]); /* it is borrowed */
/* Has that one said something else since? */
bool said_since(const struct said *said, uint64_t session, int64_t at_ms);
void said_at(struct said *said, uint64_t session, int64_t at_ms);

#endif
