/*
 * A form as a box of characters, and which of its cells is clicked.
 *
 *     +------------------------+
 *     | settle R: 7 of 7       |
 *     |               R1 R2 R3 |
 *     | w young women  2  1  . |
 *     | m young men    1 [1] . |      [ ] the cell that is being changed
 *     +------------------------+
 */
#ifndef CLI_TOTEM_FORM_DRAW_H
#define CLI_TOTEM_FORM_DRAW_H

#include "form.h"

struct form_place {
    int x, y, columns, rows; /* of the box in the canvas */
    int first;               /* the line of the form that is the first one shown */
};

/* At the lower left of the canvas, over what is there. As many lines as there is room for. */
void form_draw(struct canvas *canvas, const struct form *form, struct form_place *place);

/* The cell at (x, y) of the canvas. False: there is none. */
bool form_at(const struct form_place *place, const struct form *form, int x, int y, int *row,
             int *column);

#endif
