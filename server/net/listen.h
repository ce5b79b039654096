/*
 * Listening sockets. They are our own and not libwebsockets', so that a connection is counted
 * before any memory is spent on it, the number chosen for port 0 is known, and new connections use
 * new TLS files.
 */
#ifndef NET_LISTEN_H
#define NET_LISTEN_H

#include <net/net.h>
#include <sys/socket.h>

union socket_address;

enum net_result listen_open(struct net *net, const char *where, char message[NET_MESSAGE_MAX]);
void listen_close_all(struct net *net);

/* Removes the socket of a server that was killed, but no socket that is in use and no file. */
void listen_remove_stale(const union socket_address *address, socklen_t len);

#endif
