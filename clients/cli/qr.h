/*
 * QR codes (ISO/IEC 18004) of short texts: bytes, error correction level M, versions 1 to 10; and
 * how they are drawn in a terminal. The page has its own in web/js/qr.js.
 */
#ifndef CLI_QR_H
#define CLI_QR_H

#include <cli/canvas.h>
#include <stdbool.h>
#include <stdio.h>

enum { QR_SIZE_MAX = 57 };

struct qr {
    int size;                            /* modules in a row, and rows */
    bool dark[QR_SIZE_MAX][QR_SIZE_MAX]; /* by row and column */
};

/* With the mask that is easiest to read. False: the text is longer than a code of version 10. */
bool qr_make(struct qr *qr, const char *text);

/*
 * Draws it with an empty border: dark on light whatever the terminal's colours are; without colours
 * as if letters were light. False, with nothing drawn: it needs more columns.
 */
bool qr_print(const struct qr *qr, int columns, bool ascii, enum canvas_colours colours, FILE *out);

#endif
