/* What the program that keeps the parts of a node says of that. */
#ifndef NET_KEEPER_H
#define NET_KEEPER_H

#include <stdint.h>

struct net_keeper {
    uint64_t opened;        /* parts, since the start; */
    uint64_t taken_over;    /* of them from a node that had not given them up */
    uint64_t given_up;      /* so that others have as many */
    uint64_t lost;          /* as another node has opened them */
    uint64_t failed;        /* openings, and stores that were given up */
    int64_t clock_ahead_ms; /* the system's clock, of the database's */
    int64_t since_beat_ms;  /* since the last sign of life that the database has acknowledged */
};

#endif
