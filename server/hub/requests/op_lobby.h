/*
 * Operations about rooms from outside: list, create, watch, join, leave, past, rematch.
 */
#ifndef HUB_OP_LOBBY_H
#define HUB_OP_LOBBY_H

struct call;

void op_rooms(struct call *call);
void op_create(struct call *call);
void op_watch(struct call *call);
void op_join(struct call *call);
void op_past(struct call *call);
void op_leave(struct call *call);
void op_rematch(struct call *call);

#endif
