/* What goes over a link. */
#ifndef NET_RELAY_FRAMES_H
#define NET_RELAY_FRAMES_H

#include "relay_private.h"

void relay_conn_receive(struct relay_conn *conn, const unsigned char *bytes, size_t len);
void relay_conn_flush(struct relay_conn *conn);
void relay_conn_pause(struct relay_conn *conn, bool paused); /* reading */

#endif
