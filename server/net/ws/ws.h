/*
 * A WebSocket: whole messages to the hub, what is in the outbox to the socket, and the codes it is
 * closed with.
 */
#ifndef NET_WS_H
#define NET_WS_H

#include <stddef.h>
#include <stdint.h>

struct connection;
struct net;

/* After the handshake: connects the connection to the hub. With a close code it is closed at once.
 */
void ws_begin(struct connection *connection, int close_code);
/* Unmasks the bytes in place. */
void ws_receive(struct connection *connection, unsigned char *bytes, size_t len);
void ws_flush(struct connection *connection);
/* The same, for all. */
void ws_flush_all(struct net *net);
/* All are closed with that code, and nothing of them is read any more. */
void ws_reject_all(struct net *net, int close_code);
void ws_ping_some(struct net *net, int64_t now_ms, int64_t since_last_ms);
/* Tells the hub, if it knows the peer, that it is gone. */
void ws_forget(struct connection *connection);

#endif
