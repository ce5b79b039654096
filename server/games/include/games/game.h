/*
 * A game as a room sees it: a few tables of functions over one plain value.
 *
 *     game_type -- what is fixed: name, size of the value, whether anything is hidden
 *       |-- game_rules     options, deal, who may act, moves, outcome
 *       |-- game_views     what is written for people: the table, events, legal moves
 *       |-- game_record    the game's words in a text record
 *       |-- game_computer  the computer player
 *       `-- game_analyst   looks back at a match that is over
 *
 * The value holds everything: options from the start, and once it is dealt the table and what is
 * hidden (a stack, hands). It has no pointers and is copied with memcpy, so a room tries a change
 * on a copy and a refused one never happened. It has no clock, and no randomness except the stream
 * that `deal` is given. Its memory is the caller's: `size` bytes (at most GAME_VALUE_MAX), aligned
 * as malloc aligns.
 *
 * What a viewer may see is decided here and nowhere else: every function that writes for people
 * gets the viewer, a seat, GAME_NO_SEAT or GAME_SERVER. A game that is `hidden` shows different
 * viewers different things; any other must write the same for all. Sets of seats have bit i for
 * seat i.
 *
 * Moves arrive as text from hostile peers; all other arguments come from the room and are trusted.
 * Functions that refuse answer false, fill *refusal with static strings, and leave the value as it
 * was. Nothing here can run out of memory except the writers, which remember it until writer_done.
 *
 * A game never knows names, sessions, time, sequence numbers or the wire's framing.
 */
#ifndef GAMES_GAME_H
#define GAMES_GAME_H

#include <jansson.h>
#include <protocol/deal.h>
#include <protocol/json_writer.h>
#include <protocol/limits.h>
#include <protocol/patch_writer.h>
#include <protocol/record.h>
#include <protocol/reply.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    GAME_NO_SEAT = 255, /* a watcher: is told what everybody may know */
    /*
     * Is told what any seat may know: for looking back at a match that is over, and for nothing
     * else. What no player ever knows, such as chance still to come, is not told here either.
     */
    GAME_SERVER = 254,
    GAME_VALUE_MAX = 8192, /* bytes of a game's value: a server keeps one for every room */
};

/* What a change did that the room must know. */
struct game_change {
    uint32_t turned; /* seats whose turn ended with it: their clocks take it into account */
};

/* How a game ended. */
struct game_outcome {
    const char *reason; /* a static word: "two-kinds", "exhausted" */
    unsigned teams;     /* how many, seat i in team i % teams; 0: each seat plays for itself */
    uint32_t winners;   /* set of seats, or of teams if there are any; several if they share it */
    /*
     * By seat, 1 is best; equals share a rank, and the next rank is as many further as there were
     * equals. All 0 where teams play.
     */
    uint8_t ranks[PROTOCOL_SEATS];
};

/* Name-value pairs for a record, with a place for their text. */
struct game_pairs {
    struct record_pair pairs[RECORD_PAIRS];
    size_t count;
    char text[RECORD_VALUE_BYTES * 2];
    size_t used;
};

/* Copies the value. Asserts that there is space. */
void game_pairs_add(struct game_pairs *pairs, const char *name, const char *value);
void game_pairs_add_number(struct game_pairs *pairs, const char *name, unsigned number);

struct game_rules {
    /*
     * Reads `options` (NULL: all by default) into the zeroed value. From what write_options writes,
     * create makes the same value. The value is played by `version` of the rules (1 to
     * rules_version) for all its life. False with *refusal (bad_options and the field).
     */
    bool (*create)(void *game, unsigned version, const json_t *options, struct refusal *refusal);
    void (*write_options)(const void *game, struct writer *writer); /* an object, all of them */
    unsigned (*seats)(const void *game);

    /* Back to before the deal; the options stay. */
    void (*reset)(void *game);
    /* All that is random is drawn here. */
    void (*deal)(void *game, struct deal_stream *stream);

    /* ---- after the deal */

    uint32_t (*acting)(const void *game);  /* who may act now; 0 once it is over */
    uint32_t (*in_play)(const void *game); /* who is not out */
    /* False while it goes on. `outcome` may be NULL. */
    bool (*over)(const void *game, struct game_outcome *outcome);

    /*
     * Does the move, and whatever follows from it without a choice. `confirm`: the player confirms
     * a move that the game would otherwise refuse with a warning. False with *refusal: the value is
     * as it was. To check a move without doing it, call this on a copy.
     */
    bool (*act)(void *game, unsigned seat, const char *move, size_t len, bool confirm,
                struct game_change *change, struct refusal *refusal);
    /* The seat gives up, in its turn or not. False: it is not in play. */
    bool (*forfeit)(void *game, unsigned seat, struct game_change *change);
    /* May the seat take its last move back? (The room does, by playing all others again.) */
    bool (*may_undo)(const void *game, unsigned seat);
};

/*
 * Views and patches are one function: with `before` it writes the RFC 7396 patch that leads from
 * the view of `before` to the view of `after`, with `before` NULL the whole view.
 */
struct game_views {
    /* Members of the state's `table`. */
    void (*table)(const void *before, const void *after, unsigned viewer, struct patch *patch);
    /* Members of the event `move`. */
    void (*move)(const void *before, const void *after, unsigned seat, const char *move, size_t len,
                 unsigned viewer, struct writer *writer);
    /* More members of the event of a seat that resigned or ran out of time. NULL: none. */
    void (*forfeit)(const void *before, const void *after, unsigned seat, unsigned viewer,
                    struct writer *writer);
    /* Members of `result`, beside the reason, the winners and the ranks. NULL: none. */
    void (*result)(const void *game, struct writer *writer);
    /* Members of the answer to `moves`: what a seat that may act can do. */
    void (*moves)(const void *game, unsigned seat, struct writer *writer);
};

struct game_record {
    void (*options)(const void *game, struct game_pairs *pairs);
    void (*deal)(const void *game, struct game_pairs *pairs); /* after the end only */
    /* After the end only, beside the reason, the winners and the ranks. NULL: none. */
    void (*result)(const void *game, struct game_pairs *pairs);
    /* The words that a move adds to the line of its turn; the length, 0 for none. */
    size_t (*words)(const void *before, const void *after, unsigned seat, const char *move,
                    size_t len, char words[RECORD_TEXT_BYTES]);
    /*
     * The words for what the seat has done in a turn without words that it leaves now, as otherwise
     * nobody could play the match again; the length, 0 for none. NULL: there is no such thing.
     */
    size_t (*cut_short)(const void *game, unsigned seat, char words[RECORD_TEXT_BYTES]);
    /* Every move is a turn with a line of its own, else all of a seat up to the end of its turn. */
    bool turn_each_move;
};

/* What a choice may use that takes its time, and what it says beside its move. */
struct game_thinking {
    const atomic_bool *cancel; /* looked at often; once true, the answer is not wanted any more */
    void *memory;              /* aligned as malloc aligns; its contents are of no use afterwards */
    size_t memory_bytes;
    uint32_t simulations_max; /* not more than these, whatever the level may spend; 0: no bound */

    /* Filled in: */
    uint32_t simulations; /* how many were made, for the metrics */
    /*
     * The move that the same seat would play right after this one, so that it need not be thought
     * of again; 0: none. Only where nothing unknown comes between the two.
     */
    size_t next_len;
    char next[PROTOCOL_MOVE_BYTES];
};

/* A turn worth playing, or what is left of it, and what it leads to. */
enum { GAME_HINT_TURNS = 3, GAME_HINT_MOVES = 2 };
struct game_hint_turn {
    unsigned count; /* of moves, from 1: as far as the turn is known */
    char moves[GAME_HINT_MOVES][PROTOCOL_MOVE_BYTES + 1];
    /*
     * Per mille, by seat: to win, alone or with its team; or, where players are ranked, the share
     * of the others that it will leave behind.
     */
    uint16_t chances[PROTOCOL_SEATS];
};

struct game_computer {
    /*
     * The words for its levels (a-z, at most PROTOCOL_LEVEL_BYTES), weakest first, NULL at the end:
     * 1 to PROTOCOL_LEVELS of them. Level 1 is the first. They are in logs and records: a word may
     * be added anywhere, and none taken away.
     */
    const char *const *levels;
    unsigned level_default; /* where none is asked for */
    unsigned level_unnamed; /* of seats in logs from before there were levels */
    /*
     * Makes `known`, another value of the same size, of what this seat may know: a copy in which
     * all that is hidden from it is wiped.
     */
    void (*know)(const void *game, unsigned seat, void *known);
    /*
     * A legal move of a seat that may act, from what it knows. The length, 1 to move_bytes; no NUL.
     *
     * `thinking` NULL: a quick choice, made in less than a millisecond. Else the best that the
     * level can do, called on any thread; what it may spend is counted in steps of its own, never
     * in time. Cancelled, it may return 0, or any legal move. Both are the same for the same
     * knowledge, level, seed, size of the memory and bound; a quick choice may be another than a
     * slow one.
     */
    size_t (*choose)(const void *known, unsigned seat, unsigned level, uint64_t seed,
                     struct game_thinking *thinking, char move[PROTOCOL_MOVE_BYTES]);
    /*
     * How much memory this level needs for thinking; 0: its choices are always quick, and
     * `thinking` would change nothing. NULL: so for all levels.
     */
    size_t (*thinking_bytes)(unsigned level);
    /*
     * The same for a player who is absent and whom the computer stands in for. NULL: as `choose`
     * at the default level.
     */
    size_t (*stand_in)(const void *known, unsigned seat, uint64_t seed,
                       char move[PROTOCOL_MOVE_BYTES]);
    /*
     * The best turns of a seat that may act, best first; how many, at least 1. `thinking` as in
     * choose, with memory of hint_bytes; cancelled, it may return 0. The same for the same
     * knowledge and memory. NULL: this game has no hints to give.
     */
    size_t (*hint)(const void *known, unsigned seat, struct game_thinking *thinking,
                   struct game_hint_turn turns[GAME_HINT_TURNS]);
    size_t hint_bytes; /* 0: its hints are always quick */
};

/* What happened in a match: a move that was accepted and not taken back, or a seat that left. */
struct game_played {
    const char *move; /* NULL: the seat resigned or ran out of time */
    uint16_t len;
    uint8_t seat;
};

/* Looks back at a match that is over: how good its moves were. */
struct game_analyst {
    size_t memory_bytes; /* that `thinking` must have */
    /*
     * Writes one JSON value, in whole numbers alone: the same bytes for the same match. `game` is
     * the value at its end, `played` all that led there from the deal, in order. Called on any
     * thread; takes seconds. False, with nothing written: it was cancelled, or `played` is not what
     * happened.
     */
    bool (*analyse)(const void *game, const struct game_played *played, size_t count,
                    struct game_thinking *thinking, struct writer *writer);
};

/* A part of a drawing of the table: a convex polygon, painted over those before it. */
enum { GAME_SHAPE_POINTS = 6, GAME_SHAPES_MAX = 3072 };
struct game_shape {
    uint32_t rgb; /* 0xrrggbb */
    uint32_t count;
    struct game_point {
        int32_t x, y; /* to the right and downwards, in any unit */
    } points[GAME_SHAPE_POINTS];
};

/* Everything is static and lasts as long as the program. */
struct game_type {
    const char *name; /* as in `create.game` */
    size_t size;      /* of the value */
    bool hidden;
    /*
     * The words for the colours of seats (a-z, at most PROTOCOL_COLOUR_BYTES), in the order in
     * which they are given out: at least as many as seats_max. NULL at the end. They are in the
     * log: a word may be added at the end, and none taken away.
     */
    const char *const *colours;
    bool colours_fixed;  /* seat i has the i-th one, and nobody chooses */
    unsigned seats_max;  /* 1 to PROTOCOL_SEATS, whatever the options */
    unsigned move_bytes; /* longer moves are refused unread; 1 to PROTOCOL_MOVE_BYTES */
    /*
     * From 1, one more whenever a log of events would be played otherwise than before. A match goes
     * on by the version that it was made with, for ever, so each is kept.
     */
    unsigned rules_version;
    const struct game_rules *rules;
    const struct game_views *views;
    const struct game_record *record;
    const struct game_computer *computer;
    const struct game_analyst *analyst; /* NULL: there is none */
    /*
     * Draws what everybody may see of the table, after the deal: how many shapes, GAME_SHAPES_MAX
     * at most. `colours` has for each seat an index of the words above. Called on any thread. NULL:
     * there is no such drawing.
     */
    size_t (*drawing)(const void *game, const uint8_t colours[PROTOCOL_SEATS],
                      struct game_shape *shapes);
};

/*
 * What the computer plays at once for a seat that may act, or for a player whom it stands in for:
 * chosen from what the seat may know and nothing else, whatever the whole value holds. The length.
 */
size_t game_choose(const struct game_type *type, const void *game, unsigned seat, unsigned level,
                   uint64_t seed, char move[PROTOCOL_MOVE_BYTES]);
size_t game_stand_in(const struct game_type *type, const void *game, unsigned seat, uint64_t seed,
                     char move[PROTOCOL_MOVE_BYTES]);

/* How much memory a choice of this level needs for thinking; 0: it is always quick. */
size_t game_thinking_bytes(const struct game_type *type, unsigned level);

unsigned game_levels(const struct game_type *type); /* how many levels its computer has */
const char *game_level_word(const struct game_type *type, unsigned level);
/* The level with this word; 0: there is none. */
unsigned game_level_find(const struct game_type *type, const char *word, size_t len);

#endif
