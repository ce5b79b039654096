/* Which sessions have signed in elsewhere, as it is known in memory; and what was counted of that.
 */
#ifndef IDENTITY_SIGNED_IN_H
#define IDENTITY_SIGNED_IN_H

#include <stdbool.h>
#include <stdint.h>

struct buffer;
struct external_row;
struct hub;
struct hub_external;
struct session;
struct writer;

/* Of a session that has, allocated for those alone. */
struct signed_in {
    int64_t since_ms;
    int64_t used_ms; /* of external_table.h */
};

enum external_outcome { EXTERNAL_LINKED, EXTERNAL_ENTERED, EXTERNAL_REFUSED, EXTERNAL_OUTCOMES };

/* Where it is done; NULL: nowhere. */
const struct hub_external *signed_in_at(const struct hub *hub);
/* Has the session, so that by it its player can show who they are? */
bool signed_in_is_way_in(const struct hub *hub, const struct session *session);

/* NULL: it has not. */
const struct signed_in *signed_in_of(const struct hub *hub, const struct session *session);
/* It has, from now on: `*made` is taken over, and NULL then, unless there is one already, which is
 * changed. */
void signed_in_keep(struct hub *hub, struct session *session, struct signed_in **made);
void signed_in_note(struct hub *hub, struct session *session, int64_t used_ms);
void signed_in_forget(struct hub *hub, struct session *session);
/* A member of what is kept of it, if it has. */
void signed_in_write_kept(const struct hub *hub, const struct session *session,
                          struct writer *writer);

/* False: out of memory. */
bool signed_in_restore(struct hub *hub, const struct external_row *row);
void signed_in_count(struct hub *hub, enum external_outcome outcome);
void signed_in_write_figures(const struct hub *hub, struct buffer *out);

#endif
