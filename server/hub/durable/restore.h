/*
 * The state of restoring, before the first peer. Its functions are hub_sink and hub_restored.
 */
#ifndef HUB_RESTORE_H
#define HUB_RESTORE_H

#include <stdbool.h>
#include <stdint.h>

struct room;

struct restoring {
    struct room *room; /* whose events are coming in; NULL: none */
    bool has_events;   /* `room` has some */
    char skipped[9];   /* the rest of this room's events is left out: it is damaged */
    int64_t known_ms;  /* when the server was last known to run */
    /* When clocks last went on together, as events say. A clock that runs and has not gone on then
     * was in another part, before the site was divided anew. */
    int64_t resumed_ms;
};

#endif
