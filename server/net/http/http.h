/*
 * HTTP: the web client's files, the hub's pages, and errors for everything else. Only the method
 * and path of a request matter, and the body of what is sent to a page of a feature's; any other
 * body is not read, and ends the connection.
 */
#ifndef NET_HTTP_H
#define NET_HTTP_H

#include <stddef.h>
#include <stdint.h>

struct hub_http_answer;
struct connection;
struct net;

/* Of a connection in CONNECTION_REQUEST or CONNECTION_ANSWER. It may become a WebSocket. */
void http_receive(struct connection *connection, const unsigned char *bytes, size_t len);
void http_writable(struct connection *connection);
/* The answer to the request that has the ticket, which somebody waits for. Takes it. */
void http_answered(struct net *net, uint64_t ticket, const struct hub_http_answer *answer);
/* With the answers that were held back (lease.h). */
void http_go_on(struct net *net);

#endif
