/*
 * What the load tester knows of one game: how a room of it is asked for, a copy of the match that
 * is played beside the server's, and which legal move comes next. A game is one table of functions
 * in a folder of its own; the rest of the driver knows the table and no game.
 *
 * The copy is the driver's own: every state that the server sends must show what it shows. It must
 * be cheap, so that the driver is not what is measured.
 */
#ifndef LOAD_GAME_H
#define LOAD_GAME_H

#include <base/options.h>
#include <base/rng.h>
#include <jansson.h>
#include <protocol/limits.h>

struct load_move {
    char text[PROTOCOL_MOVE_BYTES + 1];
    bool confirm; /* it eliminates its player, there was nothing else */
};

enum { LOAD_GAME_OVER = -1, LOAD_GAME_OPTIONS_MAX = 128 };

struct load_game {
    const char *name;
    const struct option_row *rows; /* its part of the command line */
    size_t options_size;           /* of the struct that they fill; at most LOAD_GAME_OPTIONS_MAX */
    unsigned (*players)(const void *options);
    json_t *(*create_options)(const void *options); /* of `create`; a new reference */

    size_t copy_size; /* of the copy; its memory is the caller's */
    /* Sets the copy up from the state of a match just started. False: no such match. */
    bool (*begin)(void *copy, const json_t *state);
    /* Whose move the copy waits for, or LOAD_GAME_OVER. */
    int (*acting)(const void *copy);
    /* A legal move of the seat that may move. */
    void (*choose)(const void *copy, struct rng *rng, struct load_move *out);
    /* Plays it on the copy; `state` is what the server says came of it. False: it cannot have. */
    bool (*play)(void *copy, const struct load_move *move, const json_t *state);
    /* NULL if the state shows this copy, else what differs first. `whole`: compare everything, else
     * only what is cheap. */
    const char *(*difference)(const void *copy, const json_t *state, bool whole);
};

#endif
