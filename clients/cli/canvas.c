#include <cli/canvas.h>

#include <assert.h>
#include <cli/glyph.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* One row for each tint: sRGB, the nearest of xterm's 256, the nearest of the first 16. */
struct tint_row {
    uint32_t rgb;
    uint8_t of_256, of_16;
};

static const struct tint_row tints[TINT_COUNT] = {
    [TINT_FAINT] = {0x8a8a8a, 245, 8},  [TINT_STRONG] = {0xffffff, 231, 15},
    [TINT_INK] = {0x101010, 233, 0},    [TINT_CHALK] = {0xffffff, 231, 15},
    [TINT_GREEN] = {0x2e8b3d, 29, 2},   [TINT_LIME] = {0xb5d45a, 149, 10},
    [TINT_SAND] = {0xf0dc96, 222, 11},  [TINT_GREY] = {0x9a9a9a, 247, 7},
    [TINT_SKY] = {0x4aa8e0, 74, 14},    [TINT_RUST] = {0xa03018, 130, 1},
    [TINT_NAVY] = {0x1c5c8c, 24, 4},    [TINT_ALERT] = {0xff6060, 203, 9},
    [TINT_HINT] = {0x60e060, 77, 10},   [TINT_RED] = {0xd02020, 160, 9},
    [TINT_WHITE] = {0xffffff, 231, 15}, [TINT_YELLOW] = {0xffd800, 220, 11},
    [TINT_BROWN] = {0x7a4a20, 94, 3},   [TINT_BLACK] = {0x000000, 16, 0},
};

bool canvas_init(struct canvas *canvas, int columns, int rows, bool ascii)
{
    assert(columns > 0 && rows > 0);
    size_t count = (size_t)columns * (size_t)rows;
    *canvas = (struct canvas){.columns = columns, .rows = rows, .ascii = ascii};
    canvas->cells = calloc(count, sizeof *canvas->cells);
    if (!canvas->cells)
        return false;
    for (size_t i = 0; i < count; i++)
        canvas->cells[i].code = ' ';
    return true;
}

void canvas_release(struct canvas *canvas)
{
    free(canvas->cells);
    *canvas = (struct canvas){0};
}

static bool is_inside(const struct canvas *canvas, int x, int y)
{
    return x >= 0 && y >= 0 && x < canvas->columns && y < canvas->rows;
}

static struct canvas_cell *cell_at(const struct canvas *canvas, int x, int y)
{
    assert(is_inside(canvas, x, y));
    return canvas->cells + (size_t)y * (size_t)canvas->columns + (size_t)x;
}

/* A wide character loses both halves when one of them is overwritten. */
static void clear_halves(const struct canvas *canvas, int x, int y)
{
    if (x > 0 && cell_at(canvas, x, y)->code == 0)
        cell_at(canvas, x - 1, y)->code = ' ';
    if (is_inside(canvas, x + 1, y) && cell_at(canvas, x + 1, y)->code == 0)
        cell_at(canvas, x + 1, y)->code = ' ';
}

void canvas_put(struct canvas *canvas, int x, int y, uint32_t code, struct style style)
{
    if (canvas->ascii && code > 0x7e)
        code = '?';
    int width = glyph_width(code);
    if (width == 0 || !is_inside(canvas, x, y) || !is_inside(canvas, x + width - 1, y))
        return;
    clear_halves(canvas, x, y);
    *cell_at(canvas, x, y) = (struct canvas_cell){.code = code, .style = style};
    if (width == 2) {
        clear_halves(canvas, x + 1, y);
        *cell_at(canvas, x + 1, y) = (struct canvas_cell){.code = 0, .style = style};
    }
}

int canvas_text(struct canvas *canvas, int x, int y, int columns, struct style style,
                const char *text)
{
    int used = 0;
    for (uint32_t code; (code = glyph_next(&text)) != 0;) {
        int width = canvas->ascii && code > 0x7e ? 1 : glyph_width(code);
        if (used + width > columns)
            break;
        canvas_put(canvas, x + used, y, code, style);
        used += width;
    }
    return used;
}

int canvas_printf(struct canvas *canvas, int x, int y, int columns, struct style style,
                  const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return canvas_text(canvas, x, y, columns, style, text);
}

void canvas_stamp(struct canvas *canvas, int x, int y, const struct canvas *from)
{
    for (int row = 0; row < from->rows; row++) {
        for (int column = 0; column < from->columns; column++) {
            const struct canvas_cell *cell = cell_at(from, column, row);
            if (cell->code != 0)
                canvas_put(canvas, x + column, y + row, cell->code, cell->style);
        }
    }
}

static void print_tint(uint8_t tint, bool paper, enum canvas_colours colours, FILE *out)
{
    const struct tint_row *row = &tints[tint];
    if (tint == TINT_NONE)
        return;
    switch (colours) {
    case CANVAS_MONO:
        break;
    case CANVAS_16:
        fprintf(out, ";%d", (paper ? 40 : 30) + row->of_16 + (row->of_16 >= 8 ? 52 : 0));
        break;
    case CANVAS_256:
        fprintf(out, ";%d;5;%d", paper ? 48 : 38, row->of_256);
        break;
    case CANVAS_TRUE:
        fprintf(out, ";%d;2;%d;%d;%d", paper ? 48 : 38, (int)(row->rgb >> 16),
                (int)(row->rgb >> 8 & 0xff), (int)(row->rgb & 0xff));
        break;
    }
}

void style_print(struct style style, enum canvas_colours colours, FILE *out)
{
    if (colours == CANVAS_MONO)
        return;
    fputs(style.bold ? "\033[0;1" : "\033[0", out);
    print_tint(style.ink, false, colours, out);
    print_tint(style.paper, true, colours, out);
    fputc('m', out);
}

static bool same_style(struct style a, struct style b)
{
    return a.ink == b.ink && a.paper == b.paper && a.bold == b.bold;
}

static int used_columns(const struct canvas *canvas, int y, enum canvas_colours colours)
{
    int columns = canvas->columns;
    while (columns > 0) {
        const struct canvas_cell *cell = cell_at(canvas, columns - 1, y);
        bool painted = colours != CANVAS_MONO && cell->style.paper != TINT_NONE;
        if (cell->code != ' ' || painted)
            break;
        columns--;
    }
    return columns;
}

void canvas_print_row(const struct canvas *canvas, int y, enum canvas_colours colours, FILE *out)
{
    struct style now = {0};
    int columns = used_columns(canvas, y, colours);
    for (int x = 0; x < columns; x++) {
        const struct canvas_cell *cell = cell_at(canvas, x, y);
        if (cell->code == 0)
            continue;
        if (!same_style(now, cell->style))
            style_print(cell->style, colours, out);
        now = cell->style;
        glyph_print(cell->code, out);
    }
    if (!same_style(now, (struct style){0}) && colours != CANVAS_MONO)
        fputs("\033[0m", out);
}

void canvas_print(const struct canvas *canvas, enum canvas_colours colours, FILE *out)
{
    for (int y = 0; y < canvas->rows; y++) {
        canvas_print_row(canvas, y, colours, out);
        fputc('\n', out);
    }
}

uint32_t tint_rgb(enum tint tint)
{
    return tints[tint].rgb;
}
