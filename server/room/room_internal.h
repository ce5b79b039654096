/*
 * A room inside: what is fixed, the log, the match as of the log's end, and what only the running
 * server knows. For the files of room/ alone.
 */
#ifndef ROOM_INTERNAL_H
#define ROOM_INTERNAL_H

#include "checkpoint.h"
#include "log.h"
#include "match.h"
#include "setup.h"
#include <room/room.h>

enum { LET_IN_MAX = 32 };

/*
 * What the computer player that is to move next will play. It is of one position, which `changes`
 * of the room names; of any other it means nothing.
 */
struct thought {
    uint64_t changes;
    int64_t until_ms; /* the move waits so long for an answer */
    char *moves;      /* one or two, the second right behind the first; NULL: no answer */
    uint16_t len[2];  /* of each; 0: none */
    uint8_t seat;
    bool asked;
};

struct room {
    struct setup setup;
    const struct game_type *const *games;
    struct log log;
    struct match *match;          /* NULL before the first event */
    struct checkpoint checkpoint; /* with memory of its own only while a match is played */
    uint64_t rewinds;             /* how often events were dropped again */
    uint64_t changes; /* of the match, so that a draft from before one is not taken for it */

    struct thought thought; /* here, as what each move looks at is together */

    /* Not in the log, see room.h. */
    bool durable;        /* the last event is durable, */
    int64_t durable_ms;  /* since then */
    uint32_t present;    /* seats whose owner is connected */
    uint32_t came_back;  /* seats whose owner connected while the computer played for them */
    int64_t presence_ms; /* when `present` changed last */
    int64_t away_ms[PROTOCOL_SEATS]; /* since when the owner of a seat is not there */
    uint64_t let_in[LET_IN_MAX];     /* sessions, a ring */
    unsigned let_in_next;
};

/*
 * Tries the event on the draft, which the event refers to from then on. `confirm` and *refusal as
 * in match_try.
 */
bool room_try(const struct room *room, struct room_event *event, bool confirm,
              struct room_draft *draft, struct refusal *refusal);

/* An event that comes next, everything but kind and text. Origin: the room itself. */
void room_begin_event(const struct room *room, int64_t now_ms, enum room_event_kind kind,
                      uint8_t seat, struct room_event *event);

/* think.c: the computer player that moves next, or stands in; ROOM_NO_SEAT: none. */
uint8_t room_computer_next(const struct room *room);
/* The seed of its choice: secret until the end, when everybody can compute it. */
uint64_t room_choice_seed(const struct room *room);

/* How long the computer's move waits for an answer; INT64_MIN: not at all. */
int64_t room_thought_until_ms(const struct room *room);
/* Copies the move that has been thought of for this seat; its length, 0: there is none. */
size_t room_thought_move(const struct room *room, uint8_t seat, char *move);
/* The event has just been applied: what was thought of may go on with the move after it. */
void room_thought_follow(struct room *room, const struct room_event *event);
void room_thought_release(struct room *room);

/* When the flag of this acting seat falls, grace included; INT64_MAX: never. */
int64_t room_flag_ms(const struct room *room, uint8_t seat);

/* Have all people in play offered it? */
bool room_agreed(const struct room *room, enum protocol_offer what, uint32_t and_also);

/*
 * The event that made the position of the game what it is: since then there were no others than
 * those that leave it alone.
 */
uint64_t room_position(const struct room *room);

/* Since when all people who sit there are away; -1: somebody is there, or no people sit. */
int64_t room_all_away_ms(const struct room *room);

#endif
