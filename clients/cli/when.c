#include "when.h"

#include <stddef.h>
#include <stdio.h>
#include <time.h>

void when_day(char text[WHEN_DAY], int64_t at_ms)
{
    const time_t at = (time_t)(at_ms / 1000);
    struct tm parts;
    if (!localtime_r(&at, &parts) || strftime(text, WHEN_DAY, "%Y-%m-%d", &parts) == 0)
        (void)snprintf(text, WHEN_DAY, "?");
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
