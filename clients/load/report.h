/*
 * Progress while it runs, and the results at the end: a table, or one JSON object.
 */
#ifndef LOAD_REPORT_H
#define LOAD_REPORT_H

#include "usage.h"
#include "workers.h"

struct report {
    const struct options *options;
    const struct stats *stats;
    double seconds; /* measured */
    struct usage driver_before, driver_after, server_before, server_after;
    bool has_server;
};

/* One line on a terminal, redrawn; `part` of 1 is done, `left_s` seconds are left (negative: not
 * known). */
void report_progress(const struct worker *workers, unsigned n, const char *phase, double part,
                     double left_s, double moves_per_s);
void report_progress_end(void);

void report_table(const struct report *report);
void report_json(const struct report *report);

/* How many thresholds were missed; each is named on stderr. Failures of any kind count as one. */
unsigned report_judge(const struct report *report);

#endif
