/*
 * What a match has come to: for whoever keeps something of it once it is over (a list, a rating, a
 * table of a tournament), so that nobody has to read it back from what is written for people.
 */
#ifndef ROOM_RESULT_H
#define ROOM_RESULT_H

#include <jansson.h>
#include <protocol/account.h>
#include <protocol/limits.h>
#include <protocol/terms.h>
#include <stdbool.h>
#include <stdint.h>

struct room;
struct writer;

struct room_result_seat {
    uint64_t session;                /* 0: a computer's */
    struct protocol_account account; /* that the session had when it sat down; its id is its own */
    uint8_t level;      /* of a computer, from 1, in the game's own order; 0: a person's */
    const char *word;   /* for that level, which does not change; NULL: a person's */
    uint8_t team;       /* below `teams`; 0 where there are none */
    uint8_t rank;       /* 1 is best, equals share one; 0: teams played, or it was not decided */
    bool won;           /* alone, with others, or with its team */
    bool in_play;       /* to the end: did not resign, run out of time or go out by a rule */
    bool timed_out;     /* ran out of time, and was out */
    bool stood_in_for;  /* the computer played for its absent owner at the end */
    bool resigned;      /* gave the match up */
    bool asked_off;     /* of a match that was called off by all: was the first one to ask for it */
    uint16_t hints;     /* that were taken */
    uint32_t out_moves; /* of resigned, timed_out: how many moves all had made by then */
    int64_t idle_ms;    /* of timed_out: for how long, at least, it was its turn by then */
};

struct room_result {
    const char *room_id, *game; /* the room's, as long as it exists */
    const char *reason;         /* a static word, as `result.why` on the wire */
    bool decided;               /* by the game: else called off, abandoned or closed */
    int64_t ended_ms;           /* when its last event was: the end, unless there is a rematch */
    enum protocol_access access;
    bool hints;        /* could be asked for */
    const char *rated; /* the class by which it is to be rated, the room's; "": it is not */
    bool early_out;    /* somebody resigned, or had no time left, before each seat had ended two
                          turns */
    struct protocol_clock clock;
    unsigned teams; /* 0: each seat played for itself */
    unsigned seats;
    struct room_result_seat seat[PROTOCOL_SEATS]; /* as many as `seats` */
};

/* Of a room whose match is over. False: it is not. */
bool room_result(const struct room *room, struct room_result *result);

/* Seats of people, as bits, who are in a match that is under way: they did not resign, run out of
 * time or go out by a rule. 0: there is no such match. */
uint32_t room_in_play(const struct room *room);

/* One object, all options of the game that is played: equal ones are written equally. */
void room_write_options(const struct room *room, struct writer *writer);

/* Would a room made with these options (`create`) be the same to play as this one, by the rules
 * that this one goes by? */
bool room_has_options(const struct room *room, const json_t *options);

/* Have two people moved in it, so far? */
bool room_has_met(const struct room *room);

#endif
