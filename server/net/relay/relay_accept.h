/* The port for nodes that connect to this one. */
#ifndef NET_RELAY_ACCEPT_H
#define NET_RELAY_ACCEPT_H

#include "relay_private.h"

enum net_result relay_listen(struct relay *relay, char message[static NET_MESSAGE_MAX]);
void relay_stop_listening(struct relay *relay);
unsigned relay_listen_port(const struct relay *relay);

#endif
