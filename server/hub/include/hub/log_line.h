/*
 * What a hub has for the log of the server: of a session, something that its operator may want to
 * know of. The hub writes none; its caller takes them.
 */
#ifndef HUB_LOG_LINE_H
#define HUB_LOG_LINE_H

#include <stdbool.h>
#include <stdint.h>

struct hub;

struct hub_log_line {
    const char *event; /* a word; static */
    uint64_t session;
    bool is_warning;
};

/* False: there are no more. */
bool hub_log_take(struct hub *hub, struct hub_log_line *line);

#endif
