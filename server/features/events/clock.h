/* What the server enters by itself, when its time has come (event/due.h), and the tables. */
#ifndef EVENTS_CLOCK_H
#define EVENTS_CLOCK_H

#include <stdint.h>

struct hub;

/* Of features/feature.h. */
int64_t events_deadline_ms(const struct hub *hub);
void events_tick(struct hub *hub);

#endif
