/*
 * Rooms and sessions that the store has refused in a batch whose other operations it has committed.
 * Each goes back to its durable state, also in the batch that fills; everything else stays.
 */
#ifndef HUB_REFUSED_H
#define HUB_REFUSED_H

#include <stdbool.h>

struct batch;
struct hub;
struct hub_room;
struct session;

/* Marks rooms, sessions and pending effects; false: nothing was refused. */
bool refused_mark(struct hub *hub, struct batch *out);
/* Changes of which a row was left out, as it claims what another one has, are told so. */
void refused_mark_taken(struct batch *out);
/* After the pending effects of `out` have been dealt with: undoes and unmarks what is marked. */
void refused_undo(struct hub *hub, const struct batch *out);

/* The room goes back to what is durable; it is gone if nothing is. It is in no batch any more. */
void refused_rewind_room(struct hub *hub, struct hub_room *hub_room);
/* The session is not durable: its connections have to say hello again. */
void refused_undo_session(struct hub *hub, struct session *session);

#endif
