/*
 * Points of the tables that are over (event/standings.h).
 */
#ifndef EVENT_POINTS_H
#define EVENT_POINTS_H

#include <event/standings.h>

/* Rounds whose tables give points: what a final says stands for itself, before all of them. */
unsigned event_counted_rounds(const struct event *event);

#endif
