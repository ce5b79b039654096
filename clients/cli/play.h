/*
 * Showing and playing a match: what create, join and watch do once they have a room. For people at
 * a terminal a picture and a command line, for people without one lines of text, for programs JSON
 * lines.
 */
#ifndef CLI_PLAY_H
#define CLI_PLAY_H

#include "seat.h"

/* A match on a server in this process; see online_run_here. */
struct play_here {
    struct online_here server;
    const int *levels; /* of the computer players, in the order of their seats; the last one is also
                          that of the others; none: the easiest for all */
    int levels_given;
    const char *record; /* the file for the record of the match; NULL: none */
};

struct play_plan {
    const struct play_here *here; /* NULL: on a server elsewhere */
    const char *room;             /* or NULL: make one with `create` */
    json_t *create;               /* the request, taken over; NULL */
    json_t *seek;       /* the same of one who looks for a match, in place of a room; NULL */
    bool leave_at_once; /* only make the room */
    bool watch;
    int seat;           /* SEAT_ANY */
    const char *colour; /* NULL: any */
    bool ready;         /* say ready at once */
    int bots;           /* seats that the server's computer player gets */
    int level;          /* of these; 0: the usual one */
};

int play_run(const struct invocation *invocation, struct play_plan *plan);

/* `entered` gets the room, or the refusal; "": of who looks for a match, there is none any more. */
typedef void play_entered_fn(struct online *online, const char *room, const json_t *error);

/* The two ways to do it; an exit code. */
int play_script(const struct invocation *invocation, struct play_plan *plan);
int play_table(const struct invocation *invocation, struct play_plan *plan);

#endif
