/*
 * Taking a seat in a room, or watching it: what join, create, bot and watch begin with, and what
 * happens in the lobby.
 */
#ifndef CLI_SEAT_H
#define CLI_SEAT_H

#include "online.h"

/*
 * Asks for a seat; a session that sits there already gets its view. With `watch_only` it only
 * watches. `reply` and `user` as for wire_client_request; the views come to the app.
 */
void seat_take(struct online *online, const char *room, int seat, const char *colour,
               bool watch_only, wire_reply_fn *reply, void *user);

/* `ready` with a new nonce, so that this player takes part in the draw. */
json_t *seat_ready_request(const char *room);
void seat_ready(struct online *online, const char *room, wire_reply_fn *reply, void *user);

#endif
