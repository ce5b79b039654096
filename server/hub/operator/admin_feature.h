/*
 * What features answer the operator (features/feature.h). What is about an account is carried out
 * at its home, once the store has said whose the handle is. There, and of what is about none at
 * once, it may ask for more pages:
 *
 *     asked --take--> page --received--> at home here: as any other, or asked on
 *                              '-------> at home elsewhere: moved there
 */
#ifndef HUB_ADMIN_FEATURE_H
#define HUB_ADMIN_FEATURE_H

#include <hub/admin.h>
#include <hub/store.h>
#include <stdbool.h>

struct hub;
struct operator_row;

#define ADMIN_PAGE_TICKET (UINT64_MAX - 1)

/* As hub_admin. */
enum admin_outcome admin_feature_ask(struct hub *hub, const struct operator_row *row,
                                     const struct admin_request *request, struct buffer *line,
                                     struct refusal *refusal);
/* As mail_take and mail_received. */
bool admin_page_take(struct hub *hub, struct store_query *query);
void admin_page_received(struct hub *hub, const struct store_query *query);

#endif
