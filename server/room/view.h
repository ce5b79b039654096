/*
 * What of a match is sent to clients: the state, its patches, the pushes. It contains no secrets:
 * the game decides what each viewer may see, the seed's secret is left out until the match is over,
 * and sessions never appear.
 */
#ifndef ROOM_VIEW_H
#define ROOM_VIEW_H

#include "match.h"
#include <protocol/buffer.h>

/* The viewer that stands for an audience: a seat, ROOM_NO_SEAT or ROOM_SERVER. */
unsigned view_viewer(const struct setup *setup, unsigned audience);

/* The whole state, one object. */
void view_write_state(const struct setup *setup, const struct match *match, unsigned viewer,
                      struct writer *writer);

/* The room's line in `rooms`, one object: see room_write_summary. `away_ms`: since when all who sit
 * there are away; <0: somebody is there. */
void view_write_summary(const struct setup *setup, const struct match *match, uint8_t own_seat,
                        int64_t away_ms, struct writer *writer);

/* What is shown later of a match that is over, one object: see room_write_ended. */
void view_write_ended(const struct setup *setup, const struct match *match, struct writer *writer);

/* The push of the event that led from `before` (NULL for the first) to `after`. */
void view_write_push(const struct setup *setup, const struct match *before,
                     const struct match *after, const struct room_event *event, unsigned viewer,
                     struct buffer *out);

#endif
