/* What a program asks by HTTP with its token (RFC 6750). */
#ifndef NET_BEARER_H
#define NET_BEARER_H

struct connection;

/* Of the answer that the connection has: what site/program.h says, now or later. */
struct site_program_asked;
void bearer_ask(struct connection *connection, const struct site_program_asked *asked);
/* Its peer has output. */
void bearer_flush(struct connection *connection);
#endif
