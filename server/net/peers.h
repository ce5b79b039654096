/* Which connection a peer of the site's is: of a WebSocket, or of what a program asks by HTTP. */
#ifndef NET_PEERS_H
#define NET_PEERS_H

#include <hub/hub.h>
#include <stdbool.h>

struct connection;
struct net;

/* Whatever the site has for that peer is the connection's. False: out of memory, and it is not. */
bool peers_add(struct connection *connection, struct hub_peer peer);
/* It has none any more, if it had one. */
void peers_remove(struct connection *connection);
struct connection *peers_find(const struct net *net, struct hub_peer peer); /* NULL: it is gone */

#endif
