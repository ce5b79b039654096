/*
 * Accounts as they are kept: a row for each handle that a session has had, of which the last one
 * counts. Each claims its handle for ever, so that nobody else is ever called so; the store sees
 * that of two who claim one handle, at whatever nodes, one has it.
 *
 * Known of the accounts at home here; what a session is called the kernel knows of all that are
 * here (kernel_account).
 */
#ifndef PEOPLE_ACCOUNT_TABLE_H
#define PEOPLE_ACCOUNT_TABLE_H

#include "handle.h"
#include <hub/kernel.h>
#include <hub/store_row.h>
#include <protocol/account.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hub;
struct session;

enum { ACCOUNT_HANDLES_MAX = 32 };                 /* that one may have, one after the other */
enum { ACCOUNT_RENAME_MS = 7 * 24 * 3600 * 1000 }; /* after the claim it may be changed, once */

struct account_row {
    uint64_t session;
    uint32_t number; /* of the handle, among those that the session has had: from 0 */
    enum protocol_account_kind kind;
    int64_t since_ms;  /* of the account */
    int64_t called_ms; /* since when it has this handle */
    uint8_t user_id[KERNEL_USER_ID_BYTES];
    char handle[PROTOCOL_HANDLE_BYTES + 1];
    char claim[HANDLE_CLAIM_BYTES + 1];
};

extern const struct store_table account_table;
enum { ACCOUNT_BY_CLAIM, ACCOUNT_BY_SESSION }; /* its indexes; the second: the last handle first */

void accounts_init(struct hub *hub);
void accounts_release(struct hub *hub);
size_t accounts_count(const struct hub *hub);

/* NULL: it has none. It stays where it is until another one is added or gone. */
const struct account_row *account_of(const struct hub *hub, const struct session *session);

/* What putting a row leads to, with all memory that takes; `owner`: of a program's (bot_table.h).
 * NULL: out of memory. */
struct account_given *account_prepare(struct hub *hub, const struct account_row *row,
                                      uint64_t owner);
void account_drop(struct account_given *given); /* takes NULL */
/* The session has it; the row is the last one of its handles. */
void account_give(struct hub *hub, struct session *session, struct account_given *given);
void account_gone(struct hub *hub, const struct session *session);

#endif
