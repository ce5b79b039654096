/*
 * Operations on the session itself.
 */
#ifndef IDENTITY_OP_HELLO_H
#define IDENTITY_OP_HELLO_H

struct call;
struct store_query;

void op_hello(struct call *call);
void op_hello_queried(struct call *call, const struct store_query *query);
void op_rename(struct call *call);

#endif
