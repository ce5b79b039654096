/*
 * What the feature has in memory of a hub, which is the desk.
 *
 *     events      what clients ask, letters and hooks, as one table
 *     rows        what is kept
 *     held        events in memory, and the only way into their logs
 *     op_event    who enters, is there, leaves
 *     op_act      what who directs it decides
 *     op_make     one is made
 *     op_look     what there is, one event, its log
 *     view        ... as it is shown
 *     waiting     ... and to whom when it changes
 *     tables      rooms for the tables, and what comes of them
 *     seated      whoever sits at one is told at home
 *     clock       what the server enters
 *     past        old ones go, and names of who is erased
 *     state       this
 */
#ifndef EVENTS_STATE_H
#define EVENTS_STATE_H

#include "held.h"
#include "waiting.h"
#include <features/feature.h>

struct events {
    struct held_events held;
    struct event_waiters waiters;
};

extern const struct feature_memory events_memory;
struct events *events_of(const struct hub *hub);

#endif
