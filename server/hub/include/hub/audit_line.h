/*
 * What a player has decided as a moderator, for the audit log, where it stands beside what the
 * operator does. The hub writes none; its caller takes them.
 */
#ifndef HUB_AUDIT_LINE_H
#define HUB_AUDIT_LINE_H

#include <hub/admin_request.h>
#include <protocol/limits.h>
#include <stdint.h>

struct hub;

struct hub_audit_line {
    struct hub_audit_line *next; /* of those that wait */
    uint64_t session;            /* who it was, */
    char handle[PROTOCOL_HANDLE_BYTES + 1];
    struct admin_request request; /* and what: as the operator would ask for it */
};

/* Allocated, the caller's to free. NULL: there are no more. */
struct hub_audit_line *hub_audit_take(struct hub *hub);
/* The line that was taken last could not be written: it is the next one again, and until it has
 * been taken once more no moderator decides anything. */
void hub_audit_return(struct hub *hub, struct hub_audit_line *line);

#endif
