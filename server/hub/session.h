/*
 * Sessions: who somebody is, proven by a token of which only the hash is kept.
 *
 * A session without connection, seat or room of its own is idle, and idle ones expire, oldest
 * first: those that never had a seat and never came back (visitors) much sooner than the others
 * (players).
 */
#ifndef HUB_SESSION_H
#define HUB_SESSION_H

#include "hub_state.h"

struct session *session_find(const struct hub *hub, uint64_t id);
/* Constant time in what the token's hash has in common with others. NULL: nobody's. */
struct session *session_by_token(const struct hub *hub, const char *token);

/* A new one, not durable yet, and its token. NULL: out of memory. */
struct session *session_create(struct hub *hub, const char *name,
                               char token[PROTOCOL_TOKEN_BYTES + 1]);
/* NULL: out of memory. */
struct session *session_restore(struct hub *hub, const struct store_session *stored);
void session_destroy(struct hub *hub, struct session *session);
void sessions_release(struct hub *hub);

/* Is there a place for one more? May mark the longest idle visitor for dropping. */
bool sessions_have_room(struct hub *hub);

void session_attach(struct hub *hub, struct session *session, struct conn *conn);
void session_detach(struct hub *hub, struct conn *conn);
/* To be called when its last connection, seat or room may have gone, or the first come. */
void session_check_idle(struct hub *hub, struct session *session);

/* As its row is to be; `name` NULL: as it is. */
void session_row(const struct session *session, const char *name, struct store_session *row);

/* Drops what has expired. */
void sessions_expire(struct hub *hub);
int64_t sessions_deadline_ms(const struct hub *hub);
/* The store was told to drop it: it has, or has not. */
void session_dropped(struct hub *hub, uint64_t id, bool done);

#endif
