/*
 * The column beside the picture: the room, whose turn it is, everybody's pieces and time, the
 * result, and what the game puts beside them. Drawn from a room's state alone.
 */
#ifndef CLI_PANEL_H
#define CLI_PANEL_H

#include <cli/game.h>

enum { PANEL_COLUMNS = 25 };

struct panel {
    const struct game *game;
    const struct game_view *view;
    const char *room;
    const json_t *state;  /* may be NULL: nothing is known yet */
    const json_t *online; /* seat -> true */
    int seat;             /* ours, or -1 */
    int64_t spent_ms;     /* since the last event, for the clocks */
};

/* The line at the top. `status` is the state of the connection. */
void panel_title(struct canvas *canvas, const struct panel *panel, const char *status);

/* The column from (x, y), PANEL_COLUMNS wide and `rows` high. */
void panel_draw(struct canvas *canvas, int x, int y, int rows, const struct panel *panel);

/* The same facts as lines of text, for where there is no picture. */
void panel_print(const struct panel *panel, FILE *out);

/* "Ana: place JC", "Waiting for players", ...: what happens now. */
void panel_now(char *text, size_t size, const struct panel *panel);

#endif
