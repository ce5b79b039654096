/* What the operator asks about one account, at its home. */
#ifndef PEOPLE_OPERATOR_H
#define PEOPLE_OPERATOR_H

#include <protocol/json_writer.h>
#include <stdbool.h>

struct admin_request;
struct hub;
struct refusal;

/* `account`: who has or had that handle. */
bool operator_shows_account(struct hub *hub, const struct admin_request *request,
                            struct writer *writer, struct refusal *refusal);
/* `rename`: it gets another handle, of ACCOUNT_HANDLES_MAX at most; the one before is nobody's. */
bool operator_renames(struct hub *hub, const struct admin_request *request, struct writer *writer,
                      struct refusal *refusal);

#endif
