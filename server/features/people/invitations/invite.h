/*
 * Invitations, where a site takes accounts by them: a code is made by the operator (site_invite.h)
 * or by somebody who has an account, is good for a time, and lets one session have a handle.
 * `redeem` makes it the session's, which may then claim; so a handle that is taken does not cost
 * the code.
 *
 * Codes are kept as hashes. Whether one has been used the store says, as of handles: of two who
 * come with it at once, at whatever nodes, one has it. That it was used is known for ever, also
 * when whoever has used it is gone: a hash of it is burnt (closing_table.h).
 */
#ifndef PEOPLE_INVITE_H
#define PEOPLE_INVITE_H

#include "invite_code.h"
#include <hub/store_row.h>
#include <protocol/json_writer.h>
#include <stdbool.h>
#include <stdint.h>

struct admin_request;
struct call;
struct hub;
struct refusal;
struct session;
struct store_query;

/* One that an account has made: as many as it may have, and one that is over makes place. */
struct invite_row {
    uint64_t session;
    uint32_t slot;
    char hash[INVITE_HASH_DIGITS + 1];
    int64_t since_ms, until_ms;
};
/* Who has come with one, and from whom. */
struct invited_row {
    uint64_t session;
    uint64_t by; /* 0: the operator */
    char hash[INVITE_HASH_DIGITS + 1];
    int64_t since_ms;
};

extern const struct store_table invite_table, invited_table;

void invites_init(struct hub *hub);
void invites_release(struct hub *hub);
/* False: out of memory. */
bool invite_restore(struct hub *hub, const struct invited_row *row);
void invites_gone(struct hub *hub, const struct session *session);

/* May it claim a handle? */
bool invite_has(const struct hub *hub, const struct session *session);
/* Since when it has an invitation; 0: it has none. */
int64_t invite_since_ms(const struct hub *hub, const struct session *session);

void op_invite(struct call *call);
void op_invites(struct call *call);
void op_redeem(struct call *call);
void invite_queried(struct call *call, const struct store_query *query);
#endif
