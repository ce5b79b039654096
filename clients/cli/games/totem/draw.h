/*
 * The village as characters: a line that says what is asked, and below it a band for each family
 * with its totem pole, its birds and its three huts.
 */
#ifndef CLI_TOTEM_DRAW_H
#define CLI_TOTEM_DRAW_H

#include <cli/canvas.h>
#include <jansson.h>
#include <stdbool.h>

enum { DRAW_COLUMNS = 54, DRAW_COLUMNS_MAX = 78 }; /* what it takes, what it makes use of */

struct draw_look {
    const json_t *state;
    const char *ask;
    unsigned touched; /* huts of the latest event: bit 3 * family + hut - 1, families as RGBY */
    bool small;       /* a line less for each family */
    int x, y;         /* what is drawn at the left, and below the first line: the rest is cut off */
};

/* How many lines the whole picture has. */
int draw_rows(const json_t *state, bool small);

/* The first line of the family that acts first, of the bands alone. */
int draw_acting_row(const json_t *state, bool small);

void draw_village(struct canvas *canvas, const struct draw_look *look);

/* A family's letter and everything that is painted in its colour. */
struct style draw_family_style(char family);

#endif
