/*
 * Operations on the session itself.
 */
#ifndef IDENTITY_OP_HELLO_H
#define IDENTITY_OP_HELLO_H

struct call;

void op_hello(struct call *call);
void op_rename(struct call *call);

#endif
