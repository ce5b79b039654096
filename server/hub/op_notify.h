/* The operations that say where a session's browsers take messages (hub/push.h). */
#ifndef HUB_OP_NOTIFY_H
#define HUB_OP_NOTIFY_H

struct call;

void op_notify(struct call *call);
void op_unnotify(struct call *call);

#endif
