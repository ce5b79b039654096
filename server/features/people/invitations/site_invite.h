/*
 * Invitations of the operator, which the desk makes and has in memory: so many that are good at
 * once, and those that are over are dropped. Which one somebody has come with any part asks the
 * store (invite.h).
 */
#ifndef PEOPLE_SITE_INVITE_H
#define PEOPLE_SITE_INVITE_H

#include "invite_code.h"
#include <hub/store_row.h>
#include <protocol/json_writer.h>
#include <stdbool.h>
#include <stdint.h>

struct admin_request;
struct hub;
struct refusal;

struct site_invite_row {
    uint64_t site; /* 0 */
    char hash[INVITE_HASH_DIGITS + 1];
    int64_t since_ms, until_ms;
};

extern const struct store_table site_invite_table;
enum { SITE_INVITE_BY_HASH }; /* its index */

void site_invites_init(struct hub *hub);
void site_invites_release(struct hub *hub);
/* False: out of memory. */
bool site_invite_restore(struct hub *hub, const struct site_invite_row *row);

/* The operator's `invite`. */
bool invite_by_operator(struct hub *hub, const struct admin_request *request, struct writer *writer,
                        struct refusal *refusal);

/* As of a feature. */
int64_t site_invites_deadline_ms(const struct hub *hub);
void site_invites_tick(struct hub *hub);

#endif
