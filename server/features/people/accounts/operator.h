/* What the operator asks about one account, at its home. */
#ifndef PEOPLE_OPERATOR_H
#define PEOPLE_OPERATOR_H

#include <features/feature.h>
#include <protocol/json_writer.h>
#include <stdbool.h>

struct admin_request;
struct hub;
struct kernel_query;
struct refusal;
struct store_query;

/* `account`: who has or had that handle. */
bool operator_shows_account(struct hub *hub, const struct admin_request *request,
                            struct writer *writer, struct refusal *refusal);
/* `rename`: it gets another handle, of ACCOUNT_HANDLES_MAX at most; the one before is nobody's. */
bool operator_renames(struct hub *hub, const struct admin_request *request, struct writer *writer,
                      struct refusal *refusal);

/* Before it: is the other one burnt? */
void operator_asks_burnt(const struct hub *hub, const struct admin_request *request, unsigned page,
                         struct kernel_query *query, void *from);
enum operator_found operator_found_burnt(struct hub *hub, const struct admin_request *request,
                                         unsigned page, const struct store_query *found,
                                         struct refusal *refusal);

#endif
