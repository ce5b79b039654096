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
#include <load/scan.h>
#include <protocol/limits.h>

struct load_move {
    char text[PROTOCOL_MOVE_BYTES + 1];
    bool confirm; /* it eliminates its player, there was nothing else */
};

enum {
    LOAD_GAME_OVER = -1,
    LOAD_GAME_OPTIONS_MAX = 128,
    LOAD_WATCHER = 255, /* a viewer without a seat; others are their seat's number */
};

struct load_game {
    const char *name;
    const struct option_row *rows; /* its part of the command line */
    size_t options_size;           /* of the struct that they fill; at most LOAD_GAME_OPTIONS_MAX */
    /* Rooms of one run may differ: `room` is the number of the room. */
    unsigned (*players)(const void *options, unsigned room);
    json_t *(*create_options)(const void *options,
                              unsigned room); /* of `create`; a new reference */
    /* Does it keep secrets? Else all clients of a room must be sent the same bytes. */
    bool hides;

    size_t copy_size; /* of the copy; its memory is the caller's, and may be copied bytewise */
    /* Sets the copy up from the state of a match just started. False: no such match. */
    bool (*begin)(void *copy, const json_t *state);
    /* Whose move the copy waits for, or LOAD_GAME_OVER. */
    int (*acting)(const void *copy);
    /* A legal move of the seat that may move. */
    void (*choose)(const void *copy, struct rng *rng, struct load_move *out);
    /*
     * Plays it on the copy. `event` and `state` are what the first viewer who heard of it was sent;
     * what chance brought is taken from there. False: it cannot have come to that.
     */
    bool (*play)(void *copy, const struct load_move *move, const json_t *event,
                 const json_t *state);
    /*
     * The same from a push as our server spells it, read in place: `push` goes from the first byte
     * of the move's text to its end. False: it is another move, or it cannot have come to that.
     */
    bool (*follow)(void *copy, const struct load_move *move, struct scan push);
    /* Is this what the viewer must be told of the move that the copy has played last? */
    bool (*tells)(const void *copy, const struct load_move *move, unsigned viewer,
                  const json_t *event);
    /* NULL if the viewer's state shows this copy, else what differs first. `whole`: compare
     * everything, else only what is cheap. */
    const char *(*difference)(const void *copy, unsigned viewer, const json_t *state, bool whole);
};

#endif
