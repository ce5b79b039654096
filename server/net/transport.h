/*
 * libwebsockets: TLS and sockets on our loop, whose bytes go to and come from HTTP and WebSockets.
 *
 * Nothing but that is left to it. Its own HTTP and WebSocket parsers tell too little of what they
 * read for a server that has to refuse what is not right, see ws_frame.h and http_head.h.
 */
#ifndef NET_TRANSPORT_H
#define NET_TRANSPORT_H

#include <net/net.h>

struct link;

enum { SOCKET_SEND_BYTES = 65536 }; /* of the kernel's memory for one; more waits in the outbox */

enum net_result transport_create(struct net *net, char message[NET_MESSAGE_MAX]);
void transport_free_names(struct net *net); /* after libwebsockets has ended */
void transport_reload_tls(struct net *net);

enum adoption { ADOPTED, ADOPTION_CLOSED, ADOPTION_FAILED };
/* Takes both over, whatever comes of it. CLOSED: by what the peer had sent already. */
enum adoption transport_adopt(struct net *net, struct link *link, int fd);

#endif
