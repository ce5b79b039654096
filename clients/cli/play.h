/*
 * Showing and playing a match: what create, join and watch do once they have a room. For people at
 * a terminal a picture and a command line, for people without one lines of text, for programs JSON
 * lines.
 */
#ifndef CLI_PLAY_H
#define CLI_PLAY_H

#include "seat.h"

struct play_plan {
    const char *room;   /* or NULL: make one with `create` */
    json_t *create;     /* the request, taken over; NULL */
    bool leave_at_once; /* only make the room */
    bool watch;
    int seat;           /* SEAT_ANY */
    const char *colour; /* NULL: any */
    bool ready;         /* say ready at once */
    int bots;           /* seats that the server's computer player gets */
    int level;          /* of these; 0: the usual one */
};

int play_run(const struct invocation *invocation, struct play_plan *plan);

/* The two ways to do it; an exit code. */
int play_script(const struct invocation *invocation, struct play_plan *plan);
int play_table(const struct invocation *invocation, struct play_plan *plan);

#endif
