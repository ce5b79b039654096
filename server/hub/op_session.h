/*
 * Operations on the session itself.
 */
#ifndef HUB_OP_SESSION_H
#define HUB_OP_SESSION_H

#include <stdint.h>

struct call;
struct conn;
struct hub;

/* A connection that has said hello before, elsewhere (hub_connect_again). 0, or the close code. */
int session_return(struct hub *hub, struct conn *conn, const uint8_t secret_hash[static 32]);

void op_hello(struct call *call);
void op_rename(struct call *call);

#endif
