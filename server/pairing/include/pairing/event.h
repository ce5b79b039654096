/*
 * What an event has been so far, as those who pair its next round need it: who is in it, and whom
 * each has met. Values only: no file, no clock, no server.
 *
 * Entrants have numbers from 1 without a gap, best first (FIDE's "pairing numbers"). Points are
 * tenths. A meeting has the result of its entrant in the letters of FIDE's tournament report files:
 *   1 = 0   played: won, shared, lost          W D L   the same, after less than a move
 *   + -     by forfeit: the other (this one) did not come; - on both sides: neither did
 *   U       the bye that the pairing gave      F H Z   a bye that was asked for: full, half, none
 *   (blank) not there, as Z
 */
#ifndef PAIRING_EVENT_H
#define PAIRING_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PAIRING_ENTRANTS_MAX = 1024,
    PAIRING_ROUNDS_MAX = 64,
    PAIRING_BANS_MAX = 4096,
    PAIRING_NAME_BYTES = 132, /* 33 characters of UTF-8 */
    PAIRING_TITLE_BYTES = 256,
};

struct pairing_meeting {
    uint16_t opponent; /* number; 0: none */
    char colour;       /* w b, or - */
    char result;
};

struct pairing_entrant {
    char name[PAIRING_NAME_BYTES + 1];
    uint16_t rating; /* 0: none */
    bool away;       /* is not to be paired in the round after the last */
    struct pairing_meeting meeting[PAIRING_ROUNDS_MAX];
    uint16_t extra[PAIRING_ROUNDS_MAX]; /* tenths that count for the pairing of that round alone */
};

/* Two who must not meet in these rounds. */
struct pairing_ban {
    uint16_t a, b;
    uint8_t from, to;
};

/* Tenths of a point; `forfeit` is that of who did not come to a board. */
struct pairing_points {
    uint16_t win, draw, loss, bye, none, forfeit;
};

struct pairing_event {
    char title[PAIRING_TITLE_BYTES + 1];
    unsigned entrants;
    unsigned rounds;  /* that have been paired; a result may be missing in none of them */
    unsigned planned; /* rounds; 0: was not said */
    char first;       /* w b: of the first entrant in the first round; 0: was not said */
    bool baku; /* rounds are accelerated by FIDE's C.04.5.1, and not by pairing_entrant.extra */
    struct pairing_points points;
    struct pairing_entrant *entrant; /* of number 1, ... */
    struct pairing_ban *ban;
    unsigned bans;
};

/* Nobody in it, points 1, 1/2 and 0; false: no memory. */
bool pairing_event_init(struct pairing_event *event);
void pairing_event_release(struct pairing_event *event);

const struct pairing_meeting *pairing_meeting_of(const struct pairing_event *event, unsigned number,
                                                 unsigned round);

bool pairing_was_played(const struct pairing_meeting *meeting);
/* Had an opponent, who may not have come, or the bye of the pairing. */
bool pairing_took_part(const struct pairing_meeting *meeting);
unsigned pairing_points_of(const struct pairing_event *event,
                           const struct pairing_meeting *meeting);
/* Before round `round`, from 1. */
unsigned pairing_score(const struct pairing_event *event, unsigned number, unsigned round);
/* Is added to the score when round `round` is paired (acceleration). */
unsigned pairing_extra(const struct pairing_event *event, unsigned number, unsigned round);

/* The colour of the first entrant in the first round as it follows from its boards; 0: from none.
 */
char pairing_first_colour(const struct pairing_event *event);

#endif
