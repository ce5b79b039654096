/*
 * Reading a room's state, for whoever gets one.
 */
#ifndef PROTOCOL_STATE_H
#define PROTOCOL_STATE_H

#include <jansson.h>
#include <stdbool.h>

/* Is the seat in `acting`: may it move now? What is no list of numbers has nobody in it. */
bool state_acts(const json_t *state, int seat);

#endif
