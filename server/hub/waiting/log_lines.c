#include "log_lines.h"

#include "hub_private.h"

void log_lines_add(struct log_lines *waiting, const struct hub_log_line *line)
{
    const size_t at = (waiting->first + waiting->count) % LOG_LINES_MAX;
    if (waiting->count == LOG_LINES_MAX)
        return;
    waiting->lines[at] = *line;
    waiting->count++;
}

bool hub_log_take(struct hub *hub, struct hub_log_line *line)
{
    struct log_lines *waiting = &hub->log_lines;
    if (waiting->count == 0)
        return false;
    *line = waiting->lines[waiting->first];
    waiting->first = (waiting->first + 1) % LOG_LINES_MAX;
    waiting->count--;
    return true;
}
