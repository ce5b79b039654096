/* The operation `hint`: the best turns for who asks. */
#ifndef HUB_OP_HINT_H
#define HUB_OP_HINT_H

struct call;

void op_hint(struct call *call);

#endif
