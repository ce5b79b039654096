#include "log_limit.h"

bool log_limit_take(struct log_limit *limit, int64_t now_ms, int64_t *unsaid)
{
    if (limit->said && now_ms - limit->said_ms < LOG_LIMIT_MS) {
        limit->unsaid++;
        return false;
    }
    *unsaid = limit->unsaid;
    *limit = (struct log_limit){.said = true, .said_ms = now_ms};
    return true;
}
