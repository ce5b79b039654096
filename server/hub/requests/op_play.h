/*
 * Operations within a room: changes, queries and chat.
 */
#ifndef HUB_OP_PLAY_H
#define HUB_OP_PLAY_H

struct call;

void op_change(struct call *call); /* sit bot unseat ready start move undo resign offer withdraw */
void op_check(struct call *call);
void op_moves(struct call *call);
void op_record(struct call *call);
void op_say(struct call *call);

#endif
