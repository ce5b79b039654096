#include "log_lines.h"

#include "hub_private.h"
#include <hub/kernel.h>

void kernel_log(struct hub *hub, const char *event, uint64_t session, bool is_warning)
{
    struct log_lines *waiting = &hub->log_lines;
    const size_t at = (waiting->first + waiting->count) % LOG_LINES_MAX;
    if (waiting->count == LOG_LINES_MAX)
        return;
    waiting->lines[at] = (struct hub_log_line){event, session, is_warning};
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
