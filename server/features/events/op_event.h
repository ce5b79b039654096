/* `event_enter`, `event_here`, `event_leave`: what people do in an event for themselves. */
#ifndef EVENTS_OP_EVENT_H
#define EVENTS_OP_EVENT_H

#include "held.h"

/* The event that is asked for. NULL: there is none, and the call is refused. */
struct held *op_event_find(const struct call *call);
/* Refused, for that; of entries that are there already the answer is as if they had been made. */
void op_event_refuse(const struct call *call, const struct held *held, enum protocol_error error,
                     enum event_fault fault);
/* Enters it, and answers with its number. `name`: of whoever comes; else NULL. */
void op_event_do(struct call *call, struct held *held, const struct event_entry *entry,
                 const struct event_entrant_row *name);
/* How somebody is called there, whose number that is. */
struct event_entrant_row op_event_name(const struct call *call, const char *event, unsigned number);

void op_event_enter(struct call *call);
void op_event_here(struct call *call);
void op_event_leave(struct call *call);

#endif
