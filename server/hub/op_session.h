/*
 * Operations on the session itself.
 */
#ifndef HUB_OP_SESSION_H
#define HUB_OP_SESSION_H

struct call;

void op_hello(struct call *call);
void op_rename(struct call *call);

#endif
