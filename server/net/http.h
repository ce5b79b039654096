/*
 * HTTP: the web client's files, the hub's pages, and errors for everything else. Only the method
 * and path of a request matter; bodies are never read, and a request with one ends the connection.
 */
#ifndef NET_HTTP_H
#define NET_HTTP_H

#include <stddef.h>
#include <stdint.h>

struct hub_http_answer;
struct link;
struct net;
struct served_part;

/* Of a link in LINK_REQUEST or LINK_ANSWER. It may become a WebSocket. */
void http_receive(struct link *link, const unsigned char *bytes, size_t len);
void http_writable(struct link *link);
/* The hub's answer to the request that has the ticket, which somebody waits for. Takes it. */
void http_answered(struct served_part *part, uint64_t ticket, const struct hub_http_answer *answer);
/* It answers nothing any more: what waits for it is refused. */
void http_leave(const struct served_part *part);
/* With the answers that were held back (mute.h). */
void http_go_on(struct net *net);
void http_forget(struct link *link);

#endif
