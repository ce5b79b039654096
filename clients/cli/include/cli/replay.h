/*
 * Checks recorded games: each turn is played with the game's rules, and the result is compared with
 * what the file says. Needs no server.
 */
#ifndef CLI_REPLAY_H
#define CLI_REPLAY_H

#include <cli/canvas.h>
#include <cli/replay_compare.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct game;

/* Pictures of a match, printed while its record is checked. */
enum { REPLAY_EVERY_TURN = -1, REPLAY_SERVER = 254, REPLAY_WATCHER = 255 };
struct replay_pictures {
    int64_t turn;    /* after this one alone, 0: at the start; or REPLAY_EVERY_TURN */
    unsigned viewer; /* a seat, REPLAY_WATCHER, or REPLAY_SERVER from whom nothing is hidden */
    bool small, ascii;
    enum canvas_colours colours;
    struct replay_window *window; /* NULL: pictures are printed, as large as they are */
};

/*
 * One picture of a match in a window of some size, instead of all printed one below the other. The
 * record is played anew for each.
 */
enum { REPLAY_HEADING = 512, REPLAY_NONE = -1 };
struct replay_window {
    int64_t wanted; /* the picture; 0: of the start; REPLAY_NONE: they are only counted */
    int columns, rows;
    int pan_x, pan_y; /* away from where something happened, in characters */

    /* What is found; `canvas` belongs to the caller if it was drawn. */
    int64_t count;   /* of all pictures */
    unsigned *turns; /* of each, 0: of the start; room for RECORD_LINES + 1. NULL: not wanted */
    bool drawn;
    struct canvas canvas;
    char heading[REPLAY_HEADING]; /* what happened */
};

/*
 * JSON objects, one behind the other, each a game; `game` is whose form they have unless they name
 * one. What is no JSON is a difference.
 */
void replay_objects(struct replay *replay, const struct game *game, const char *path,
                    const char *bytes, size_t len);

/* Why a record cannot be read, for people: with its line, where it is the fault of one. */
enum { REPLAY_PROBLEM_TEXT = 128 };
void replay_problem_text(char text[REPLAY_PROBLEM_TEXT], const struct record_problem *problem);

/*
 * The text record of a match. With replay->proof the deal must follow from the secret and the
 * nonces too.
 */
void replay_record(struct replay *replay, const char *bytes, size_t len);
/* The same for one that has been parsed. */
void replay_parsed(struct replay *replay, const struct record *record);

/*
 * Is a picture wanted of what is reached with this line of the record (NULL: of the start)? To be
 * asked after lines that changed the table.
 */
bool replay_wants_picture(const struct replay *replay, const struct record *record,
                          const struct record_line *line);
/*
 * Prints it below a line that tells the turn and what happened. `event` is what the server would
 * have told the viewer, borrowed; its kind and seat are filled in here. NULL at the start. Its
 * `words`, if it has any, say what the turn did, and stand in brackets behind it.
 */
void replay_print_picture(struct replay *replay, const struct record *record,
                          const struct record_line *line, json_t *event,
                          const struct canvas *picture);

/*
 * For games that draw all there is: what of the picture the window shows, with `pan` held where
 * there is something to see. False if memory ran out.
 */
bool replay_crop(struct canvas *canvas, struct replay_window *window, const struct canvas *picture);

/* Prints the last line of a run: the totals and how many differences there were. */
void replay_print_totals(const struct replay *replay);

#endif
