/*
 * How connections become a session's (hub/kernel_enter.h), and what only the hub asks of that.
 */
#ifndef HUB_ENTER_H
#define HUB_ENTER_H

#include <hub/kernel_enter.h>

struct conn;
struct feature_opened;
struct hub;

/* A connection that has said hello before, elsewhere (hub_connect_again). 0, or the close code. */
int enter_again(struct hub *hub, struct conn *conn, const struct feature_opened *opened);

#endif
