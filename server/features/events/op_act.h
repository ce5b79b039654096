/*
 * `event_act`: what who directs an event decides about others, each with a reason, which is in the
 * log for everybody: `judge`, `pair`, `remove`, `off`.
 */
#ifndef EVENTS_OP_ACT_H
#define EVENTS_OP_ACT_H

struct call;

void op_event_act(struct call *call);

#endif
