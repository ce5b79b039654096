/*
 * Lines for the audit log that wait to be taken (hub/audit_line.h), each of something that is
 * durable: as many as became that since its caller looked last, and none is left out.
 */
#ifndef HUB_AUDIT_LINES_H
#define HUB_AUDIT_LINES_H

#include <stddef.h>

struct hub_audit_line;

/*
 * No more than that ever wait, as who has the hub takes them after each turn, before it sends the
 * next batch to the store: of a batch comes one line, since a part decides one case at a time.
 */
enum { AUDIT_LINES_MAX = 64 };

struct audit_lines {
    struct hub_audit_line *first, *last; /* NULL: none */
    size_t count;
};

/* Takes it over. */
void audit_lines_add(struct audit_lines *waiting, struct hub_audit_line *line);
void audit_lines_release(struct audit_lines *waiting);

#endif
