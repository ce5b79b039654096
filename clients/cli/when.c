#include "when.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

static bool find_time(struct tm *parts, int64_t at_ms)
{
    const time_t at = (time_t)(at_ms / 1000);
    return localtime_r(&at, parts) != NULL;
}

void when_day(char text[WHEN_DAY], int64_t at_ms)
{
    struct tm parts;
    if (!find_time(&parts, at_ms) || strftime(text, WHEN_DAY, "%Y-%m-%d", &parts) == 0)
        (void)snprintf(text, WHEN_DAY, "?");
}

void when_minute(char text[WHEN_MINUTE], int64_t at_ms)
{
    struct tm parts;
    if (!find_time(&parts, at_ms) || strftime(text, WHEN_MINUTE, "%Y-%m-%d %H:%M", &parts) == 0)
        (void)snprintf(text, WHEN_MINUTE, "?");
}

void when_ago(char text[WHEN_AGO], int64_t ago_ms)
{
    static const struct {
        const char *name;
        int64_t ms;
    } units[] = {{"day", 86400000}, {"hour", 3600000}, {"minute", 60000}};
    (void)snprintf(text, WHEN_AGO, "just now");
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        const long long count = (long long)(ago_ms / units[i].ms);
        if (count <= 0)
            continue;
        (void)snprintf(text, WHEN_AGO, "%lld %s%s ago", count, units[i].name, count > 1 ? "s" : "");
        return;
    }
}
