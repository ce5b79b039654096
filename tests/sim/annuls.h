/*
 * The operator, who annuls rated matches now and then, some of them again. What is expected, beside
 * what rated.h says of the lines: whoever is told that it is done is told of a line that is
 * durable; what is refused has not been done; and one that is annulled is not annulled again.
 */
#ifndef SIM_ANNULS_H
#define SIM_ANNULS_H

#include <stdint.h>

struct sim;

struct annuls {
    uint64_t asked;      /* the line of the match that is to be annulled; 0: none is */
    uint64_t was_before; /* the line by which it was when that was asked; 0: it was not */
};

/* The operator may want one. */
void annuls_want(struct sim *sim);
/* What the hub says of the one that was asked for. */
void annuls_fetch(struct sim *sim);
/* The server has gone, and what was asked of it. */
void annuls_lost(struct sim *sim);

#endif
