/* A link to an account that the operator makes, for whoever has lost all that opens it. */
#ifndef IDENTITY_OPERATOR_LINK_H
#define IDENTITY_OPERATOR_LINK_H

#include <protocol/json_writer.h>
#include <stdbool.h>

struct admin_request;
struct hub;
struct refusal;

/* `link`, at the home of the account: as one that its player makes, it is good once and soon. */
bool operator_links(struct hub *hub, const struct admin_request *request, struct writer *writer,
                    struct refusal *refusal);

#endif
