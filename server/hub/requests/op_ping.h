/* The operation that shows that the server is there, and what time it has. */
#ifndef HUB_OP_PING_H
#define HUB_OP_PING_H

struct call;

void op_ping(struct call *call);

#endif
