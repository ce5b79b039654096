/*
 * An account: a session that has a handle (protocol/README.md, 2.14). Its id is the session's, a
 * random number, which leads nowhere once the session is gone.
 *
 * A handle is unique in the whole site, and shown wherever it counts who somebody is: names can be
 * imitated, handles cannot. ASCII, so that every keyboard can type it.
 */
#ifndef PROTOCOL_ACCOUNT_H
#define PROTOCOL_ACCOUNT_H

#include <protocol/limits.h>
#include <stdbool.h>
#include <stddef.h>

enum protocol_account_kind {
    ACCOUNT_NONE, /* and "" for a handle */
    ACCOUNT_PERSON,
    ACCOUNT_BOT, /* somebody's program, not a computer of the server's own */
};

struct protocol_account {
    enum protocol_account_kind kind;
    bool quiet;                             /* it says and hears nothing */
    char handle[PROTOCOL_HANDLE_BYTES + 1]; /* as it was typed */
};

/* Letters and digits, a letter first, with single - or _ between them; by its length as well. */
bool handle_valid(const char *text, size_t len);

#endif
