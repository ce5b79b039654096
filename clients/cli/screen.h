/*
 * The terminal during a match: a picture that stays at the top, lines that scroll below it, and the
 * line being typed at the bottom. Where there is no terminal, or it is too small, only lines.
 *
 *     +--------------------------------+
 *     | title                          |  top: repainted in place
 *     | island               players   |
 *     +--------------------------------+
 *     | Ana: JC@0,0:0 hut@1,0          |  scrolling region of the terminal
 *     | your move> _                   |
 *     +--------------------------------+
 */
#ifndef CLI_SCREEN_H
#define CLI_SCREEN_H

#include "prompt.h"
#include <cli/terminal.h>

enum { SCREEN_COLUMNS_LEAST = 50, SCREEN_ROWS_LEAST = 16 }; /* for a picture */
enum { SCREEN_LINES_KEPT = 256, SCREEN_LINE_MAX = 512 };

struct screen {
    struct terminal terminal;
    bool has_picture;
    int top_rows;          /* of the picture */
    struct prompt *prompt; /* set by the owner after screen_open; NULL: lines only */
    bool has_mouse;        /* clicks are reported to us */
    char kept[SCREEN_LINES_KEPT][SCREEN_LINE_MAX]; /* for redrawing and the log, a ring */
    unsigned kept_count;
};

/* Looks at the terminal and, if it can, takes it over until screen_close. */
void screen_open(struct screen *screen, bool ascii, bool no_color);
void screen_close(struct screen *screen);

/*
 * Gives the terminal back for as long as the program is stopped, and takes it again. Whatever ends
 * the program in between, a crash included, leaves the terminal as it was.
 */
void screen_suspend(struct screen *screen);
void screen_resume(struct screen *screen);

/* Are clicks reported? Meanwhile the terminal selects text only with Shift held. */
void screen_mouse(struct screen *screen, bool on);

/* A line for the person; it may be long and hold anything. */
void screen_say(struct screen *screen, const char *line);

/* The same, but it is not drawn again: what holds for the moment alone, and pages of help. */
void screen_note(struct screen *screen, const char *line);

/* The picture; its canvas has the terminal's columns and `top_rows`. Nothing without a picture. */
void screen_paint(struct screen *screen, const struct canvas *canvas);

/* Takes all lines away, so that nobody reads them any more. */
void screen_forget(struct screen *screen);

/* For who has no lines: the canvas over the whole terminal, whatever its size. */
void screen_fill(struct screen *screen, const struct canvas *canvas);

/* The terminal has another size, or its content was spoilt: draws the lines anew. */
void screen_redraw(struct screen *screen);

#endif
