/* Moments as people say them. */
#ifndef CLI_WHEN_H
#define CLI_WHEN_H

#include <stdint.h>

enum { WHEN_DAY = 16, WHEN_MINUTE = 24, WHEN_AGO = 48 };

/* "2026-11-20", where this machine is; milliseconds since 1970-01-01 UTC. */
void when_day(char text[WHEN_DAY], int64_t at_ms);

/* "2026-11-20 18:00", the same. */
void when_minute(char text[WHEN_MINUTE], int64_t at_ms);

/* "just now", "3 hours ago", "1 day ago". */
void when_ago(char text[WHEN_AGO], int64_t ago_ms);

#endif
