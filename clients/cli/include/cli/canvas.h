/*
 * A rectangle of styled characters: what the terminal client draws on before anything is printed.
 *
 * A canvas knows characters, their width and colours; it knows no game and no terminal. Printing
 * takes the number of colours as an argument, so that the same picture serves a terminal, a pipe
 * and a test. Nothing is ever drawn outside the rectangle: what sticks out is cut off. Control
 * characters are drawn as '?', so text from elsewhere cannot steer the terminal.
 */
#ifndef CLI_CANVAS_H
#define CLI_CANVAS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum tint {
    TINT_NONE, /* the terminal's own */
    TINT_FAINT,
    TINT_STRONG,
    TINT_INK,   /* dark text on a coloured hex */
    TINT_CHALK, /* light text on a coloured hex */
    TINT_GREEN,
    TINT_LIME,
    TINT_SAND,
    TINT_GREY,
    TINT_SKY,
    TINT_RUST,
    TINT_NAVY,
    TINT_ALERT,
    TINT_HINT,
    TINT_RED, /* the players' colours, in the protocol's order */
    TINT_WHITE,
    TINT_YELLOW,
    TINT_BROWN,
    TINT_BLACK,
    TINT_COUNT
};

enum canvas_colours { CANVAS_MONO, CANVAS_16, CANVAS_256, CANVAS_TRUE };

struct style {
    uint8_t ink, paper; /* enum tint */
    bool bold;
};

struct canvas_cell {
    uint32_t code; /* Unicode; 0 is the right half of a wide character */
    struct style style;
};

struct canvas {
    int columns, rows;
    struct canvas_cell *cells;
    bool ascii; /* characters beyond ASCII are drawn as '?' */
};

/* Blank. False if memory ran out. */
bool canvas_init(struct canvas *canvas, int columns, int rows, bool ascii);
void canvas_release(struct canvas *canvas);

void canvas_put(struct canvas *canvas, int x, int y, uint32_t code, struct style style);

/* UTF-8, cut at `columns` columns; returns how many were used. */
int canvas_text(struct canvas *canvas, int x, int y, int columns, struct style style,
                const char *text);
int canvas_printf(struct canvas *canvas, int x, int y, int columns, struct style style,
                  const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Copies `from` onto the canvas with its upper left corner at (x, y). */
void canvas_stamp(struct canvas *canvas, int x, int y, const struct canvas *from);

/* One row without the line's end; trailing blanks are left out, colours are reset at the end. */
void canvas_print_row(const struct canvas *canvas, int y, enum canvas_colours colours, FILE *out);
/* All rows, each with a newline. */
void canvas_print(const struct canvas *canvas, enum canvas_colours colours, FILE *out);

/* Writes the escape sequence that switches to the style (nothing in mono). */
void style_print(struct style style, enum canvas_colours colours, FILE *out);

/* The sRGB of a tint as 0xrrggbb, for pictures of pictures. TINT_NONE has none. */
uint32_t tint_rgb(enum tint tint);

#endif
