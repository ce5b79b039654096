/* Which sessions have signed in elsewhere, as it is known in memory; and what was counted of that.
 */
#ifndef IDENTITY_SIGNED_IN_H
#define IDENTITY_SIGNED_IN_H

#include <stdbool.h>

struct buffer;
struct external_row;
struct hub;
struct hub_external;
struct session;

enum external_outcome { EXTERNAL_LINKED, EXTERNAL_ENTERED, EXTERNAL_REFUSED, EXTERNAL_OUTCOMES };

/* Where it is done; NULL: nowhere. */
const struct hub_external *signed_in_at(const struct hub *hub);
/* Has the session, so that by it its player can show who they are? */
bool signed_in_is_way_in(const struct hub *hub, const struct session *session);

bool signed_in_restore(struct hub *hub, const struct external_row *row);
void signed_in_count(struct hub *hub, enum external_outcome outcome);
void signed_in_write_figures(const struct hub *hub, struct buffer *out);

#endif
