/* Connections to other nodes in libwebsockets: the proof of both ends, and silence. */
#ifndef NET_RELAY_CONN_H
#define NET_RELAY_CONN_H

#include "relay_private.h"

enum net_result relay_conns_create(struct relay *relay, char message[static NET_MESSAGE_MAX]);
/* Both take over the descriptor and the attempt, whatever becomes of it. */
void relay_adopt(struct relay *relay, int fd, bool near);
void relay_dial(struct relay *relay, struct relay_node *node);
void relay_conn_tick(struct relay_conn *conn);
/* What else has come, behind what has just been received. */
void relay_conn_read(struct relay_conn *conn);

#endif
