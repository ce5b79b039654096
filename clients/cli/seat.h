/*
 * Taking a seat in a room, or watching it: what join, create, bot and watch begin with, and what
 * happens in the lobby.
 */
#ifndef CLI_SEAT_H
#define CLI_SEAT_H

#include "online.h"

enum { SEAT_ANY = -1 };

/* Which seat and pieces: options of every command that takes a seat. */
struct seat_options {
    int64_t seat;
    const char *colour;
};
extern const char *const seat_colours[];

/* Their rows, for a struct seat_options at this offset of the command's own. */
/* clang-format off */
#define SEAT_OPTION_ROWS(at)                                                                       \
    {"seat", 0, OPTION_NUMBER, "N", "sit there, from 0; else on the first free seat",              \
     (at) + offsetof(struct seat_options, seat), 0, 4, SEAT_ANY, NULL},                            \
    {"colour", 0, OPTION_WORD, "WORD", "play with these pieces",                                   \
     (at) + offsetof(struct seat_options, colour), 0, 0, 0, seat_colours}
/* clang-format on */

/*
 * Asks for a seat; a session that sits there already gets its view. With `watch_only` it only
 * watches. `reply` as for wire_client_request; the views come to the app.
 */
void seat_take(struct online *online, const char *room, int seat, const char *colour,
               bool watch_only, wire_reply_fn *reply);

/* Says ready with a fresh nonce, so that the stack is ours too. */
void seat_ready(struct online *online, const char *room, wire_reply_fn *reply);

bool state_is(const json_t *state, const char *phase);

/* Who sits there, NULL if it is free; is that player ready? */
const json_t *state_seat(const json_t *state, int seat);
bool seat_is_ready(const json_t *state, int seat);

/* Every seat of the match is taken and ready. */
bool all_are_ready(const json_t *state);

#endif
