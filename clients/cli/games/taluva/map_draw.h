/*
 * Draws a map: pointy-top hexes in staggered rows, with the coordinates along the edges.
 *
 *     r0  /1J *\[2V>0]           level, terrain; a volcano's facing as arrow and number
 *         \Ah3 /[    ]           owner, kind and count of a building
 *     r1     /1C  \              * the last build, [ ] the last tile
 *            \    /
 *
 * { } is what the cursor shows: the map as it would be after the move that is being chosen.
 *
 * The large form takes six columns and two lines for each hex, the small one four and two. What
 * does not fit is cropped, and the edge says so; the window follows what happens and can be panned.
 */
#ifndef CLI_TALUVA_MAP_DRAW_H
#define CLI_TALUVA_MAP_DRAW_H

#include "map.h"
#include <cli/canvas.h>

struct map_window {
    int x, y;         /* of the window's upper left corner in characters, (0, 0) is hex 0,0's */
    bool small;       /* four columns a hex instead of six */
    bool coordinates; /* also on land */
    bool placed;      /* x and y are meaningful */
};

/* The columns and lines that the whole island needs, coordinates along the edges included. */
void map_extent(const struct map *map, bool small, int *columns, int *rows);

/*
 * Moves the window as little as needed so that a canvas of this size shows `focus` and its
 * surroundings; centres the island when all of it fits.
 */
void map_window_follow(struct map_window *window, const struct map *map, int columns, int rows,
                       struct map_at focus);

/* The hex that is drawn at (x, y) of the canvas. */
struct map_at map_window_at(const struct map_window *window, int x, int y);

/* Fills the canvas. */
void map_draw(struct canvas *canvas, const struct map *map, const struct map_window *window);

/* The three (two) hexes of a tile with rotation `k`, within TILE_COLUMNS by TILE_ROWS. A volcano
 * has no level yet. */
enum { TILE_COLUMNS = 18, TILE_ROWS = 4 };
void tile_draw(struct canvas *canvas, int x, int y, const char *tile, int k);

/* Ink and paper of a terrain, of a player's colour word. */
struct style terrain_style(char terrain);
struct style player_style(const char *colour);

#endif
