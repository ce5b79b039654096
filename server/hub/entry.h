/*
 * One call from outside: what every such call begins and ends with.
 *
 * The end is the safe point. Only there are connections detached that were marked within the call,
 * and presence is brought up to date; so nothing is freed under the code that runs.
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

#endif
