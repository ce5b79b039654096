/*
 * What every call from outside the hub begins and ends with.
 *
 * Connections that were marked within the call are detached, and presence is brought up to date,
 * only at its end; so nothing is freed while a function further up still uses it.
 */
#ifndef HUB_ENTRY_H
#define HUB_ENTRY_H

#include <stdint.h>

struct conn;
struct hub;

/* Time never goes back. */
void entry_begin(struct hub *hub, int64_t now_ms);
void entry_end(struct hub *hub);
/* Takes the connection's session and subscriptions away; its outbox and slot stay. */
void entry_detach(struct hub *hub, struct conn *conn);
/* The same, but it may go on: it has to say hello again. */
void entry_send_back(struct hub *hub, struct conn *conn);

#endif
