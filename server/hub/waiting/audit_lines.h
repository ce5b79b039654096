/*
 * Lines for the audit log that wait to be taken (hub/audit_line.h), each of something that is
 * durable: as many as became that since its caller looked last, and none is left out.
 */
#ifndef HUB_AUDIT_LINES_H
#define HUB_AUDIT_LINES_H

#include <stdbool.h>

struct hub_audit_line;

struct audit_lines {
    struct hub_audit_line *first, *last; /* NULL: none */
    bool returned;                       /* the first could not be written */
};

/* Takes it over. */
void audit_lines_add(struct audit_lines *waiting, struct hub_audit_line *line);
void audit_lines_release(struct audit_lines *waiting);

#endif
