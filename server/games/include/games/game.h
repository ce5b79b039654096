/*
 * A game as a room sees it: a table of functions over one plain value.
 *
 * The value holds everything: options from the start, and once it is dealt the table and what is
 * hidden (a stack, hands). It has no pointers and is copied with memcpy, so a room tries a change
 * on a copy and a refused one never happened. It has no clock and no randomness but the stream that
 * `deal` is given.
 *
 * What a viewer may see is decided here and nowhere else: every function that writes for people
 * gets the viewer, a seat or GAME_NO_SEAT. A game that is `hidden` shows different viewers
 * different things; any other must write the same for all. Sets of seats have bit i for seat i.
 *
 * Views and patches are one function: with `before` it writes the RFC 7396 patch that leads from
 * the view of `before` to the view of `after`, with `before` NULL the whole view.
 *
 * A game never knows names, sessions, time, sequence numbers or the wire's framing.
 */
#ifndef GAMES_GAME_H
#define GAMES_GAME_H

#include <jansson.h>
#include <protocol/deal.h>
#include <protocol/json_writer.h>
#include <protocol/patch_writer.h>
#include <protocol/record.h>
#include <protocol/reply.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GAME_NO_SEAT = 255 };

/* What a change did that the room must know. */
struct game_change {
    uint32_t turned; /* seats whose turn ended with it: their clocks take it into account */
};

/* Name-value pairs for a record, with a place for their text. */
struct game_pairs {
    struct record_pair pairs[RECORD_PAIRS];
    size_t count;
    char text[RECORD_VALUE_BYTES * 2];
    size_t used;
};

/* Copies the value. A game that says more than there is place for is our own fault: asserted. */
void game_pairs_add(struct game_pairs *pairs, const char *name, const char *value);
void game_pairs_add_number(struct game_pairs *pairs, const char *name, unsigned number);

struct game_type {
    const char *name; /* as in `create.game` */
    size_t size;      /* of the value */
    bool hidden;

    /*
     * Reads `options` (NULL: all by default) into the zeroed value. What write_options says, create
     * reads back into the same value. False with *refusal (bad_options and the field).
     */
    bool (*create)(void *game, const json_t *options, struct refusal *refusal);
    void (*write_options)(const void *game, struct writer *writer); /* an object, all of them */
    unsigned (*seats)(const void *game);

    /* Back to before the deal; the options stay. */
    void (*reset)(void *game);
    /* All that is random is drawn here. */
    void (*deal)(void *game, struct deal_stream *stream);

    /* ---- after the deal */

    uint32_t (*acting)(const void *game);  /* who may act now; 0 once it is over */
    uint32_t (*in_play)(const void *game); /* who is not out */
    const char *(*over)(const void *game); /* the reason's word, NULL while it goes on */

    /* Would `act` be accepted? `confirm`: the player means it. */
    bool (*check)(const void *game, unsigned seat, const char *move, size_t len, bool confirm,
                  struct refusal *refusal);
    /* Does it, and whatever follows without anybody's choice. False: refused, the value is as it
     * was. */
    bool (*act)(void *game, unsigned seat, const char *move, size_t len,
                struct game_change *change);
    /* The seat gives up, in its turn or not. False: it is not in play. */
    bool (*forfeit)(void *game, unsigned seat, struct game_change *change);
    /* May the seat take its last move back? (The room does, by playing all others again.) */
    bool (*may_undo)(const void *game, unsigned seat);

    /* A legal move of a seat that may act; the same for the same value and seed. */
    size_t (*choose)(const void *game, unsigned seat, uint64_t seed,
                     char move[PROTOCOL_MOVE_BYTES + 1]);

    /* ---- views: members of `table`, of the event, of `result`, of the answer to `moves` */

    void (*write_table)(const void *before, const void *after, unsigned viewer,
                        struct patch *patch);
    void (*write_move)(const void *before, const void *after, unsigned seat, const char *move,
                       size_t len, unsigned viewer, struct writer *writer);
    void (*write_result)(const void *game, struct writer *writer);
    void (*write_moves)(const void *game, unsigned seat, struct writer *writer);

    /* ---- the record */

    void (*record_options)(const void *game, struct game_pairs *pairs);
    void (*record_deal)(const void *game, struct game_pairs *pairs);   /* after the end only */
    void (*record_result)(const void *game, struct game_pairs *pairs); /* after the end only */
    /* The words that a move adds to the line of its turn; the length, 0 for none. */
    size_t (*record_words)(const void *before, const void *after, unsigned seat, const char *move,
                           size_t len, char words[RECORD_TEXT_BYTES]);
};

#endif
