/* How connections to other nodes are counted, and how they end. */
#ifndef NET_RELAY_END_H
#define NET_RELAY_END_H

#include "relay_private.h"

/* `node`: it is to be connected to. NULL: out of memory. */
struct relay_conn *relay_conn_create(struct relay *relay, struct relay_node *node, bool near);
void relay_conn_free(struct relay_conn *conn); /* is gone */
void relay_conn_stop_counting(struct relay_conn *conn);
/* What is said of it in the end. Of several reasons the first is said. */
void relay_conn_note(struct relay_conn *conn, enum net_relay_refusal refusal, const char *why);
/* Is in no state but RELAY_GONE afterwards; `why`, if no reason is known yet. */
void relay_conn_conclude(struct relay_conn *conn, const char *why);
/* The same, and libwebsockets is to let go of it. */
void relay_conn_end(struct relay_conn *conn, const char *why);
void relay_conn_refuse(struct relay_conn *conn, enum net_relay_refusal refusal, const char *why);

#endif
