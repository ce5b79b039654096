/*
 * Events (tournaments), which the desk has: who makes one, who enters, its tables, its results.
 * What an event is follows from its log alone (server/event, protocol/events.md); this keeps the
 * log, lets people and the clock enter what may come next, and has rooms for the tables.
 */
#ifndef EVENTS_EVENTS_H
#define EVENTS_EVENTS_H

#include <features/feature.h>

extern const struct feature feature_events;

#endif
