/* `events`, `event`, `event_log`: which there are, one of them, and its log. */
#ifndef EVENTS_OP_LOOK_H
#define EVENTS_OP_LOOK_H

struct call;
struct store_query;

void op_events(struct call *call);
void op_event(struct call *call);
void op_event_log(struct call *call);
/* A page of its log is here. */
void op_event_log_queried(struct call *call, const struct store_query *query);

#endif
