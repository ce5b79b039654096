/*
 * Reading a room's state, as the server sends it. Knows the members that every game has, and paths
 * to any other.
 *
 * Whatever the server says that cannot be read counts as missing: a client shows what it
 * understands. Nothing here changes a state; what is returned belongs to it.
 */
#ifndef CLI_STATE_H
#define CLI_STATE_H

#include <protocol/state.h>

/* A part of the state by its path, NULL where something is missing: "table.turn.tile". */
json_t *state_at(const json_t *state, const char *path);
const char *state_text(const json_t *state, const char *path); /* "" if it is no text */
int state_number(const json_t *state, const char *path);       /* 0 if it is no number */

/* The member for a seat of an object that is keyed by seats, such as "clock.seats". */
const json_t *state_of_seat(const json_t *state, const char *path, int seat);

bool state_is(const json_t *state, const char *phase);
int state_players(const json_t *state);                     /* how many seats the match has */
int state_first_acting(const json_t *state);                /* the first seat that may; -1: none */
const json_t *state_seat(const json_t *state, int seat);    /* who sits there; NULL if it is free */
const char *state_seat_name(const json_t *state, int seat); /* "(free)" if nobody sits there */
/* The same behind the seat's letter: "A Ana". Returns `text`. */
enum { STATE_LABEL = 128 };
char state_seat_letter(int seat);
const char *state_seat_label(char text[STATE_LABEL], const json_t *state, int seat);
bool state_seat_is_ready(const json_t *state, int seat);
bool state_all_are_ready(const json_t *state); /* every seat is taken and ready */

/* What others have offered and this seat has not agreed to: pause, resume, call_off; NULL: nothing.
 */
const char *state_offer_to(const json_t *state, int seat);

/* "2" as a seat or a team; 0 for what is none. */
int state_seat_of_key(const char *key);

/* True if the array holds the text. */
bool json_array_has(const json_t *array, const char *text);

#endif
