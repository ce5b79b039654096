/*
 * Sockets that wait for connections. They are ours, not libwebsockets': so a connection is counted
 * before anything is spent on it, port 0 can be asked what it became, and new TLS files serve new
 * connections.
 */
#ifndef NET_LISTEN_H
#define NET_LISTEN_H

#include <net/net.h>

enum net_result listen_open(struct net *net, const char *where, char message[NET_MESSAGE_MAX]);
void listen_close_all(struct net *net);

#endif
