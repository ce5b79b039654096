/*
 * What a run has counted so far. Plain numbers, so that the stats of several processes are sent
 * through a pipe and added up.
 */
#ifndef LOAD_STATS_H
#define LOAD_STATS_H

#include "histogram.h"

enum failure {
    FAILURE_REFUSED,   /* the server refused a legal request */
    FAILURE_GAP,       /* a push out of sequence */
    FAILURE_DIFFERS,   /* a client's patched state is not the game's */
    FAILURE_MALFORMED, /* a message that the protocol does not know */
    FAILURE_CUT,       /* a connection lost that was not cut on purpose */
    FAILURE_CONNECT,   /* a connection that never opened */
    FAILURE_OVERRUN,   /* open loop: more moves due in one room than can be remembered */
    FAILURES
};

struct stats {
    uint64_t moves; /* acknowledged placements, builds and draws */
    uint64_t moves_sent;
    uint64_t games_started, games_over;
    uint64_t pushes, push_bytes; /* event pushes received, all clients */
    uint64_t pushes_in_place;    /* of these, those that were not checked against a state */
    uint64_t messages, bytes;    /* everything received */
    uint64_t sent_bytes;
    uint64_t states_checked; /* whole states compared, besides what each push touched */
    uint64_t connects, resumes;
    uint64_t failures[FAILURES];
    struct histogram acknowledged; /* move due (or sent) -> reply at its sender */
    struct histogram delivered;    /* move due (or sent) -> push at each other client of the room */
    struct histogram push_size;    /* bytes of each event push of a move */
    struct histogram resume_size;  /* bytes from the reply of a resume to its last missed push */
};

void stats_add(struct stats *into, const struct stats *from);
uint64_t stats_failures(const struct stats *stats);
const char *failure_name(enum failure failure);

#endif
