/*
 * The driver's processes: each plays its share of the matches on a loop of its own; the parent
 * tells them when to start counting and when to stop, and adds up what they counted.
 *
 *     parent                          worker
 *       | <------ PROGRESS ------------ |  a few times a second; `playing` when every match of
 *       |                               |  its own is
 *       | ------- 'g' (count) --------> |  from now on the stats count
 *       | ------- 's' (stop) ---------> |
 *       | <------ STATS --------------- |  and it exits
 */
#ifndef LOAD_WORKERS_H
#define LOAD_WORKERS_H

#include "command_line.h"
#include "stats.h"
#include "worker.h"
#include <sys/types.h>

struct worker {
    pid_t pid;
    int from, to; /* pipe ends of the parent */
    struct worker_progress last;
};

/* Forks options->processes workers. False: could not; a sentence went to stderr. */
bool workers_start(struct worker *workers, const struct options *options);
/* Waits up to timeout_ms for news and takes them in. False: a worker died. */
bool workers_read(struct worker *workers, unsigned n, int timeout_ms);
void workers_signal(struct worker *workers, unsigned n, char word);
/* After 's': collects the stats of all, and waits for their end. False: not all came. */
bool workers_collect(struct worker *workers, unsigned n, struct stats *total);

#endif
