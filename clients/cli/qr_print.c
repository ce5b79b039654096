#include "qr.h"

enum { BORDER = 4, BORDER_LEAST = 2 }; /* modules; the standard's, and what readers can do with */

/* Light outside of the code too. */
static bool is_dark(const struct qr *qr, int row, int column)
{
    return row >= 0 && column >= 0 && row < qr->size && column < qr->size && qr->dark[row][column];
}

/* Letters black on white, in a terminal's own words for it. */
static const char *black_on_white(enum canvas_colours colours)
{
    switch (colours) {
    case CANVAS_MONO:
        return "";
    case CANVAS_16:
        return "\033[30;107m";
    case CANVAS_256:
    case CANVAS_TRUE:
        return "\033[38;5;16;48;5;231m";
    }
    return "";
}

/* Two rows in one line. Without colours a letter is light, else it is dark. */
static void print_halves(const struct qr *qr, int row, int border, bool inked_is_light, FILE *out)
{
    static const char *const halves[2][2] = {{" ", "▄"}, {"▀", "█"}};
    for (int column = -border; column < qr->size + border; column++) {
        const bool upper = is_dark(qr, row, column) != inked_is_light;
        const bool lower = is_dark(qr, row + 1, column) != inked_is_light;
        fputs(halves[upper][lower], out);
    }
}

/* A row in a line, two characters a module. */
static void print_wide(const struct qr *qr, int row, int border, bool inked_is_light, FILE *out)
{
    for (int column = -border; column < qr->size + border; column++)
        fputs(is_dark(qr, row, column) != inked_is_light ? "##" : "  ", out);
}

/* The same with colours: what is inked is the ground. */
static void print_wide_coloured(const struct qr *qr, int row, int border, FILE *out)
{
    for (int column = -border; column < qr->size + border; column++)
        fputs(is_dark(qr, row, column) ? "\033[7m  \033[27m" : "  ", out);
}

bool qr_print(const struct qr *qr, int columns, bool ascii, enum canvas_colours colours, FILE *out)
{
    const bool plain = colours == CANVAS_MONO;
    const int wide = ascii ? 2 : 1;
    const int border = wide * (qr->size + 2 * BORDER) <= columns ? BORDER : BORDER_LEAST;
    if (wide * (qr->size + 2 * border) > columns)
        return false;
    for (int row = -border; row < qr->size + border; row += ascii ? 1 : 2) {
        fputs(black_on_white(colours), out);
        if (!ascii)
            print_halves(qr, row, border, plain, out);
        else if (plain)
            print_wide(qr, row, border, true, out);
        else
            print_wide_coloured(qr, row, border, out);
        fputs(plain ? "\n" : "\033[0m\n", out);
    }
    return true;
}
