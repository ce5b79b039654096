/*
 * Lines for the log that wait to be taken (hub/log_line.h). Where too many wait the newest are left
 * out: each has a counter beside it.
 */
#ifndef HUB_LOG_LINES_H
#define HUB_LOG_LINES_H

#include <hub/log_line.h>
#include <stddef.h>

enum { LOG_LINES_MAX = 32 };

struct log_lines {
    size_t first, count; /* in a ring */
    struct hub_log_line lines[LOG_LINES_MAX];
};

void log_lines_add(struct log_lines *waiting, const struct hub_log_line *line);

#endif
