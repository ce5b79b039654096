/*
 * Connections: slots with generations, outboxes, and the mark that a connection is to be closed.
 */
#ifndef HUB_CONN_H
#define HUB_CONN_H

#include "hub_state.h"

/* NULL: the handle is nobody's any more. */
struct conn *conn_of(const struct hub *hub, struct hub_peer peer);

/* NULL: no place, or no memory. */
struct conn *conn_open(struct hub *hub, const uint8_t ip[static 16]);
/* The slot is free again. It has been detached. */
void conn_free(struct hub *hub, struct conn *conn);
/* All that are open: `*at` starts as 0. */
struct conn *conn_next(const struct hub *hub, uint32_t *at);
void conns_release(struct hub *hub);

/*
 * Marks it: nothing more is taken from it or sent to it; what is in its outbox still is, except to
 * a slow reader. The first code counts.
 */
void conn_close(struct hub *hub, struct conn *conn, int code);
/* Takes away its session and its subscriptions, but not its outbox and slot. */
void conn_detach(struct hub *hub, struct conn *conn);

/* Takes a reference of its own. Beyond config.outbox_bytes the connection is closed (4002). */
void conn_send(struct hub *hub, struct conn *conn, struct blob *blob);
/* Sends what is in the buffer and gives up the reference; a failed buffer closes (1011). */
void conn_send_buffer(struct hub *hub, struct conn *conn, struct buffer *buffer);

struct blob *conn_first(const struct conn *conn); /* NULL: nothing unsent */
void conn_sent(struct hub *hub, struct conn *conn);
struct conn *conn_pop_ready(struct hub *hub);

void conn_arm_timer(struct hub *hub, struct conn *conn);
void conn_due(struct hub *hub, struct conn *conn);

#endif
