/*
 * What goes: events that ended longest ago, when there are more than config.events_kept, and names
 * of accounts that are erased. An event goes in steps of a few rows: it is marked first, from then
 * on nobody is shown it, and its own row is the last.
 */
#ifndef EVENTS_PAST_H
#define EVENTS_PAST_H

#include "held.h"
#include <stdbool.h>

struct writer;

/* Marks one, if there are too many. */
void past_look(struct hub *hub);
/* A few rows of a marked one. */
void past_let_go(struct hub *hub, struct held *held);

/* Of features/feature.h. */
size_t past_forget(struct hub *hub, uint64_t session, size_t max, bool *more);
void past_write_kept(const struct hub *hub, uint64_t session, bool at_desk, struct writer *writer);

#endif
