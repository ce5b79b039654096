/* The operation `hint`: the best turns for who asks. */
#ifndef HUB_OP_HINT_H
#define HUB_OP_HINT_H

struct call;
struct hub;

void op_hint(struct call *call);
/* Hints that no worker has made in time: what can be seen at once is told instead. */
void op_hint_late(struct hub *hub);

#endif
