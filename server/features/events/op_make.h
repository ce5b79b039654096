/* `event_make`: somebody with an account makes an event, which they direct. */
#ifndef EVENTS_OP_MAKE_H
#define EVENTS_OP_MAKE_H

struct call;

void op_event_make(struct call *call);

#endif
