/*
 * libwebsockets: TLS and sockets on our loop, for the bytes of HTTP and WebSockets.
 *
 * It does nothing else here. Its own HTTP and WebSocket parsers accept too much and report too
 * little for a server that must refuse invalid input, see ws_frame.h and http_head.h.
 */
#ifndef NET_TRANSPORT_H
#define NET_TRANSPORT_H

#include <net/net.h>

struct connection;

enum { SOCKET_SEND_BYTES = 65536 }; /* of the kernel's memory for one; more waits in the outbox */

enum net_result transport_create(struct net *net, char message[NET_MESSAGE_MAX]);
void transport_free_names(struct net *net); /* after libwebsockets has ended */
void transport_reload_tls(struct net *net);

enum adoption { ADOPTED, ADOPTION_CLOSED, ADOPTION_FAILED };
/* Takes both over, also if it fails. CLOSED: because of what the peer had sent already. */
enum adoption transport_adopt(struct net *net, struct connection *connection, int fd);

/* Reads what was set aside of those who have their turn (read_turn.h). */
void transport_read_on(struct net *net);

#endif
