/* What clients ask: that a browser is told, and that it is not any more. */
#ifndef NOTIFY_OP_NOTIFY_H
#define NOTIFY_OP_NOTIFY_H

#include <stdint.h>

struct call;
struct hub;
struct session;

void op_notify(struct call *call);
void op_unnotify(struct call *call);
/* In how many milliseconds the session may change them again. */
int64_t notify_wait_ms(const struct hub *hub, const struct session *session);

#endif
