/*
 * The changing part of a room as one plain value, and what every kind of event does to it.
 *
 *      struct match | its seats | the game's value (game->size bytes)
 *
 * All lie in one piece of memory and are copied together with match_copy, so a change is tried on
 * a copy and kept only when everything else (the log, the pushes) has worked too. Depends on
 * nothing but its setup and the events so far: the same events give the same bytes.
 */
#ifndef ROOM_MATCH_H
#define ROOM_MATCH_H

#include "clock.h"
#include "log.h"
#include "seat.h"
#include "setup.h"
#include <stddef.h>
#include <string.h>

struct checkpoint;

/* Texts of ROOM_CALLED_OFF, and reasons on the wire. */
#define MATCH_CALLED_OFF_TEXT "called-off"
#define MATCH_ABANDONED_TEXT  "abandoned"
#define MATCH_CLOSED_TEXT     "closed"
#define MATCH_ABORTED_TEXT    "aborted" /* of a match that was to be rated: early_out */

enum match_ending { MATCH_GOES_ON, MATCH_BY_GAME, MATCH_CALLED_OFF, MATCH_ABANDONED, MATCH_CLOSED };

/* Who is out before each seat has ended so many has hardly played. */
enum { MATCH_FIRST_TURNS = 2 };

struct match {
    _Alignas(max_align_t) uint64_t seq; /* of the last event; 0: nothing yet */
    int64_t at_ms;
    enum protocol_phase phase;
    enum match_ending ending;
    bool dealt;
    bool early_out;  /* somebody gave up, or had no time left, so early */
    uint32_t turned; /* seats whose turn ended with the last event */
    char rematch[PROTOCOL_ROOM_BYTES + 1];
    uint32_t offers[PROTOCOL_OFFER_COUNT]; /* seats that have offered */
    int64_t resume_since_ms; /* when the first of those to resume was made; 0: there is none */
    uint32_t game_at;        /* where the game's value begins, from the match's own beginning */
    struct seat seats[];
};

/* Memory for a match on the stack. */
struct match_space {
    _Alignas(max_align_t) unsigned char bytes[sizeof(struct match) +
                                              PROTOCOL_SEATS * sizeof(struct seat) +
                                              _Alignof(max_align_t) + GAME_VALUE_MAX];
};

static inline struct match *match_in(struct match_space *space)
{
    return (struct match *)(void *)space->bytes;
}

static inline void *match_game(struct match *match)
{
    return (unsigned char *)match + match->game_at;
}

static inline const void *match_game_of(const struct match *match)
{
    return (const unsigned char *)match + match->game_at;
}

static inline size_t match_game_at(const struct setup *setup)
{
    size_t end = sizeof(struct match) + setup->seats * sizeof(struct seat);
    return (end + _Alignof(max_align_t) - 1) / _Alignof(max_align_t) * _Alignof(max_align_t);
}

static inline size_t match_size(const struct setup *setup)
{
    return match_game_at(setup) + setup->game->size;
}

static inline void match_copy(const struct setup *setup, struct match *to, const struct match *from)
{
    memcpy(to, from, match_size(setup));
}

/* As before the first event, with the options that `value`, a value of the game, has. */
void match_init(const struct setup *setup, struct match *match, const void *value);

/* The same, with the options of any state of the same room; may be the same one. */
void match_begin(const struct setup *setup, struct match *match, const struct match *from);

/*
 * Does what the event says. `log` holds the events before it (and perhaps more). An undo is played
 * on from the checkpoint where that reaches back far enough. False: this event is impossible here;
 * the match is then undefined and must be dropped.
 */
bool match_apply(const struct setup *setup, const struct log *log,
                 const struct checkpoint *checkpoint, struct match *match,
                 const struct room_event *event);

/*
 * The same for an event that is not decided yet: of a move that the game refuses, *refusal says
 * why; of any other event it is untouched. `confirm`: the player means the move.
 */
bool match_try(const struct setup *setup, const struct log *log,
               const struct checkpoint *checkpoint, struct match *match,
               const struct room_event *event, bool confirm, struct refusal *refusal);

/*
 * The match as of `seq`: from the checkpoint, which follows, or from match_begin on. The log's
 * events have all been applied once; asserts that they still can be.
 */
void match_replay(const struct setup *setup, const struct log *log, struct checkpoint *checkpoint,
                  struct match *match, const struct match *from, uint64_t seq);

/* The word for the level of a seat's computer; NULL: a person. */
const char *match_level_word(const struct setup *setup, const struct seat *seat);

/* When a paused match goes on by itself, as somebody has offered to; INT64_MAX: nobody has. */
int64_t match_resumes_ms(const struct setup *setup, const struct match *match);

/* Sets of seats. */
uint32_t match_acting(const struct setup *setup, const struct match *match);
uint32_t match_people(const struct setup *setup, const struct match *match);    /* humans in play */
uint32_t match_computers(const struct setup *setup, const struct match *match); /* bot, replaced */

uint8_t match_seat_of(const struct setup *setup, const struct match *match, uint64_t session);

/* How the game ended; only of a match with ending MATCH_BY_GAME. */
struct game_outcome match_outcome(const struct setup *setup, const struct match *match);

/* Why it is over: a word; NULL while it is not. */
const char *match_why(const struct setup *setup, const struct match *match);
/* Why one that was to be rated is not, once it is over: a word. NULL: it is, or was not to be. */
const char *match_unrated(const struct setup *setup, const struct match *match);

#endif
