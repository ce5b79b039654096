/*
 * Looks at a recorded match step by step: what is on the screen, and what keys do to it. Knows no
 * terminal: it gets the bytes of keys and draws on a canvas.
 *
 *     FILE: turn 12 of 34                        a Ana  b Bo
 *     Turn 12: Bo: JC@2,-1:4, hut@1,0.
 *     the table, as it was then
 *     n, right: next   p, left: back   ...
 */
#ifndef CLI_REPLAY_VIEWER_H
#define CLI_REPLAY_VIEWER_H

#include <cli/replay.h>

enum { VIEWER_DIGITS = 4 };

struct replay_viewer {
    const char *name; /* of the file */
    const struct record *record;
    struct replay_pictures pictures;
    struct replay_window window;
    FILE *nowhere; /* what checking says, is said afterwards */
    uint64_t differences;
    int64_t at, count;              /* the picture that is shown, from 0, of so many */
    unsigned last_turn;             /* of the match */
    char digits[VIEWER_DIGITS + 1]; /* of a turn to go to, while they are typed */
    char begun[32];                 /* bytes of a key that is not complete */
    size_t begun_count;
    bool over; /* q */
};

/*
 * `record` and `name` are borrowed. False if there is nothing to see (no such seat, not a match
 * that is over), or memory ran out. Release it in any case.
 */
bool replay_viewer_init(struct replay_viewer *viewer, const char *name, const struct record *record,
                        const struct replay_pictures *pictures);
void replay_viewer_release(struct replay_viewer *viewer);

/* What was typed, in pieces of any size. */
void replay_viewer_type(struct replay_viewer *viewer, const char *bytes, size_t count);

/* The picture of this turn, the last one if there are fewer. */
void replay_viewer_go_to(struct replay_viewer *viewer, unsigned turn);

/* Fills the canvas. */
void replay_viewer_draw(struct replay_viewer *viewer, struct canvas *canvas);

#endif
