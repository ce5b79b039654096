/*
 * Taking a seat in a room, or watching it: what join, create, bot and watch begin with, and what
 * happens in the lobby.
 */
#ifndef CLI_SEAT_H
#define CLI_SEAT_H

#include "online.h"

enum { SEAT_ANY = -1 };

/*
 * Asks for a seat; a session that sits there already gets its view. With `watch_only` it only
 * watches. `reply` as for wire_client_request; the views come to the app.
 */
void seat_take(struct online *online, const char *room, int seat, const char *colour,
               bool watch_only, wire_reply_fn *reply);

/* Says ready with a fresh nonce, so that the stack is ours too. */
void seat_ready(struct online *online, const char *room, wire_reply_fn *reply);

bool state_is(const json_t *state, const char *phase);

/* Is this seat's own player in the seat, ready; may it move? */
const json_t *state_seat(const json_t *state, int seat);
bool seat_is_ready(const json_t *state, int seat);
bool seat_is_acting(const json_t *state, int seat);

/* Every seat of the match is taken and ready. */
bool all_are_ready(const json_t *state);

#endif
