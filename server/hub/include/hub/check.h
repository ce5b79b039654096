/*
 * Do the rooms of a store replay? Takes what a store hands over (hub/store.h), plays one room after
 * the other and keeps none of them. Judges as a server does that opens the store.
 */
#ifndef HUB_CHECK_H
#define HUB_CHECK_H

#include <hub/store.h>
#include <stdbool.h>
#include <stddef.h>

struct game_type;
struct room;

struct hub_check {
    /* The caller's, set before. */
    const struct game_type *const *games; /* NULL at the end */
    bool over;                            /* archived rooms: a match that goes on is damage too */
    void (*damaged)(void *ctx, const char *room_id, const char *why); /* once for a room */
    void *ctx;

    size_t sessions, rooms, events, damaged_rooms; /* counted; damaged ones are among the rooms */

    struct room *room; /* is being played; NULL: none */
    char room_id[9];   /* whose rows come now, or have come last; "": none yet */
    bool has_events;   /* `room` has some */
    bool skipped;      /* it is damaged: the rest of it is not looked at */
};

struct store_sink hub_check_sink(struct hub_check *check);
/* After the last row, always. */
void hub_check_end(struct hub_check *check);

#endif
