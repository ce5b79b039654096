/*
 * The audit log: who changed what at a running server, one JSON object a line, described in
 * protocol/admin.md. It is opened for each line, so it may be renamed at any time to rotate it.
 */
#ifndef NET_ADMIN_AUDIT_H
#define NET_ADMIN_AUDIT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct admin_request;

enum { AUDIT_USER_BYTES = 64 };

struct admin_who {
    uid_t uid;
    pid_t pid;
    char user[AUDIT_USER_BYTES]; /* "": the uid has no name */
    const char *moderator;       /* NULL: it is the operator; else who it is instead of all that, */
    uint64_t session;            /* a handle and the session */
};

/*
 * Appends a line and waits until it is on the disk. False: it is not, *why says why (static), and
 * no part of it is left in the file.
 */
bool admin_audit(const char *path, const struct admin_who *who, const struct admin_request *request,
                 const char *result, const char **why);

#endif
