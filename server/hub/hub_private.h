/*
 * The two ends of every call from outside that is given a time.
 */
#ifndef HUB_PRIVATE_H
#define HUB_PRIVATE_H

#include "hub_state.h"

void hub_enter(struct hub *hub, int64_t now_ms);
/* The safe point: what was marked is detached, presence is told. */
void hub_leave(struct hub *hub);

#endif
