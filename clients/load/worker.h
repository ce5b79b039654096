/* One of the driver's processes, and what it writes to its parent; see workers.h. */
#ifndef LOAD_WORKER_H
#define LOAD_WORKER_H

#include "command_line.h"

struct worker_progress {
    uint64_t moves, games_over, failures;
    uint64_t connections; /* or WORKERS_STATS_FOLLOW */
    uint64_t p99_us;      /* of delivery, since the last progress */
    bool playing;         /* every match of this worker is under way */
    bool done;            /* every match has played its games */
    bool hopeless;        /* no connection at all */
};

#define WORKERS_STATS_FOLLOW UINT64_MAX

/* Its whole life; returns its exit status. */
int work(const struct options *options, unsigned worker, int from_parent, int to_parent);

#endif
