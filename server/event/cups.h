/*
 * A cup by its log: whoever loses a tie is out. A stage is all the ties of one round of the
 * bracket, and of one round of the event, or of two or three where a tie is the best of three: then
 * each of them has the tables of those ties that nobody has decided yet, with the sides the other
 * way round each time.
 *
 * The bracket is drawn by the secret, and so known to nobody before the end; what is here follows
 * from the tables without it.
 */
#ifndef EVENT_CUPS_H
#define EVENT_CUPS_H

#include <event/standings.h>

struct cup_tie {
    uint16_t side[2]; /* entrants; the better seed first */
    uint8_t won[2];   /* tables */
    bool there[2];    /* at one of its tables at least */
    bool third;       /* it is for the third place */
};

struct cup {
    unsigned stages; /* that have been paired, the last one maybe not to its end */
    unsigned legs;   /* rounds of the last one that have been paired */
    unsigned ties;   /* of the last one */
    struct cup_tie tie[EVENT_TABLES_MAX];
    uint8_t out[EVENT_ENTRANTS_MAX];   /* the stage, from 1, in which each went out; 0: not yet */
    uint8_t third[EVENT_ENTRANTS_MAX]; /* played for the third place: 2 has won, 1 has not */
};

void event_read_cup(struct cup *cup, const struct event *event);

/* Does its last stage go on? Nothing is to be seen of that while a round is open. */
bool event_cup_goes_on(const struct cup *cup, const struct event *event);

/* The tables of the next round of a stage that goes on. */
void event_pair_legs(const struct cup *cup, const struct event *event,
                     struct event_seating *paired);

/* The tables of the next stage; there are two at least who are not out. */
void event_pair_stage(const struct cup *cup, const struct event *event,
                      const uint8_t secret[static DEAL_SECRET_BYTES], struct event_seating *paired);

/* Are these tables of two entrants each those of the next round, as far as that is known without
 * the secret? */
bool event_cup_may_pair(const struct event *event, const struct event_seating *paired);

bool event_cup_can_pair(const struct event *event);
/* Has lost, or was not there at the beginning. */
bool event_cup_is_out(const struct event *event, unsigned number);

/* Standings of entrants in the order of their numbers, which are sorted. */
void event_rank_cup(const struct event *event, struct event_standing standings[]);

#endif
