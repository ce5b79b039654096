/*
 * The driver's processes: each plays its share of the matches on a loop of its own, the boss tells
 * them when to start counting and when to stop, and adds up what they bring home.
 *
 *     boss                         worker
 *       | <----- NOTE_PROGRESS ------- |   a few times a second; `playing` when every match of its
 * own is | ------- 'g' (count) -------> |   from now on the tally counts | ------- 's' (stop)
 * --------> | | <----- NOTE_TALLY ---------- |   and exits
 */
#ifndef LOAD_CREW_H
#define LOAD_CREW_H

#include "options.h"
#include "tally.h"

#include <sys/types.h>

struct crew_progress {
    uint64_t moves, games_over, failures;
    uint64_t connections; /* or CREW_TALLY_FOLLOWS */
    uint64_t p99_us;      /* of delivery, since the last progress */
    bool playing;         /* every match of this worker is under way */
    bool done;            /* every match has played its games */
    bool hopeless;        /* no connection at all */
};

#define CREW_TALLY_FOLLOWS UINT64_MAX

struct worker {
    pid_t pid;
    int from, to; /* pipe ends of the boss */
    struct crew_progress last;
};

/* Forks options->processes workers. False: could not; a sentence went to stderr. */
bool crew_start(struct worker *workers, const struct options *options);
/* Waits up to timeout_ms for news and takes them in. False: a worker died. */
bool crew_listen(struct worker *workers, unsigned n, int timeout_ms);
void crew_tell(struct worker *workers, unsigned n, char word);
/* After 's': collects the tallies of all, and waits for their end. False: not all came. */
bool crew_collect(struct worker *workers, unsigned n, struct tally *total);

/* A worker's whole life, in work.c; returns its exit status. */
int work(const struct options *options, unsigned worker, int from_boss, int to_boss);

#endif
