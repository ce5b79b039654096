#define _XOPEN_SOURCE 700 /* wcwidth */
#include "table.h"

#include <assert.h>
#include <protocol/text.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum { GAP = 2, PIECE_BYTES = 16 };

/* ---- text of strangers */

/* One character, or what stands for it; its width. */
static int put_piece(char piece[static PIECE_BYTES], const char **at, const char *end)
{
    const char *from = *at;
    const uint32_t point = utf8_next(at, end);
    const int width = point == UTF8_BAD || text_forbidden(point) ? -1 : wcwidth((wchar_t)point);
    const size_t len = (size_t)(*at - from);
    if (width > 0 && point != '\\') {
        memcpy(piece, from, len);
        piece[len] = '\0';
        return width;
    }
    if (point == UTF8_BAD)
        return snprintf(piece, PIECE_BYTES, "\\x%02x", (unsigned char)*from);
    if (point == '\\')
        return snprintf(piece, PIECE_BYTES, "\\\\");
    return snprintf(piece, PIECE_BYTES, "\\u{%x}", (unsigned)point);
}

size_t table_escape(char out[static TABLE_CELL_BYTES], const char *text)
{
    const char *end = text + strlen(text);
    size_t len = 0, width = 0;
    while (text < end) {
        char piece[PIECE_BYTES];
        const int wide = put_piece(piece, &text, end);
        const size_t bytes = strlen(piece);
        if (len + bytes > TABLE_CELL_BYTES - sizeof "...") {
            memcpy(out + len, "...", 3);
            len += 3;
            width += 3;
            break;
        }
        memcpy(out + len, piece, bytes);
        len += bytes;
        width += (size_t)wide;
    }
    out[len] = '\0';
    return width;
}

/* ---- cells */

void table_init(struct table *table, const char *const *heads, uint32_t numbers)
{
    *table = (struct table){.heads = heads, .numbers = numbers};
    while (heads[table->columns])
        table->columns++;
    assert(table->columns <= TABLE_COLUMNS_MAX);
}

void table_release(struct table *table)
{
    for (size_t i = 0; i < table->count; i++)
        free(table->cells[i]);
    free(table->cells);
    *table = (struct table){0};
}

static bool grow_cells(struct table *table)
{
    const size_t size = table->size ? table->size * 2 : 64;
    char **cells = realloc(table->cells, size * sizeof *cells);
    if (!cells)
        return false;
    table->cells = cells;
    table->size = size;
    return true;
}

void table_cell(struct table *table, const char *text)
{
    char escaped[TABLE_CELL_BYTES];
    (void)table_escape(escaped, text);
    char *copy = table->count < table->size || grow_cells(table) ? strdup(escaped) : NULL;
    if (copy)
        table->cells[table->count++] = copy;
    else
        table->failed = true;
}

void table_filter(struct table *table, const char *text)
{
    if (table->failed)
        return;
    assert(table->count >= table->columns);
    const size_t from = table->count - table->columns;
    for (size_t i = from; i < table->count; i++) {
        if (strstr(table->cells[i], text))
            return;
    }
    while (table->count > from)
        free(table->cells[--table->count]);
}

/* ---- printing */

/* Escaped text is measured again: a backslash is one column by now. */
static size_t width_of(const char *text)
{
    const char *end = text + strlen(text);
    size_t width = 0;
    while (text < end) {
        const int wide = wcwidth((wchar_t)utf8_next(&text, end));
        width += wide > 0 ? (size_t)wide : 0;
    }
    return width;
}

static void print_row(const struct table *table, const char *const *cells, const size_t *widths,
                      FILE *out)
{
    for (size_t i = 0; i < table->columns; i++) {
        const bool last = i + 1 == table->columns;
        const size_t blanks = widths[i] - width_of(cells[i]);
        if (table->numbers >> i & 1)
            (void)fprintf(out, "%*s%s%s", (int)blanks, "", cells[i], last ? "" : "  ");
        else
            (void)fprintf(out, "%s%*s", cells[i], last ? 0 : (int)blanks + GAP, "");
    }
    (void)fputc('\n', out);
}

void table_print(const struct table *table, FILE *out)
{
    size_t widths[TABLE_COLUMNS_MAX];
    for (size_t i = 0; i < table->columns; i++)
        widths[i] = width_of(table->heads[i]);
    for (size_t i = 0; i < table->count; i++) {
        const size_t width = width_of(table->cells[i]);
        if (width > widths[i % table->columns])
            widths[i % table->columns] = width;
    }
    print_row(table, table->heads, widths, out);
    for (size_t i = 0; i + table->columns <= table->count; i += table->columns)
        print_row(table, (const char *const *)&table->cells[i], widths, out);
}
