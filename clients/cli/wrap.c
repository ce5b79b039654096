#include "wrap.h"

#include <cli/glyph.h>
#include <stdbool.h>
#include <string.h>

enum { INDENT = 2, LINE_MAX_BYTES = 512 };

struct row {
    int columns, used;
    int start, indent; /* where this row begins, and the rows after the first */
    bool breaks_words;
    int count;
    const char *end;
    FILE *out;
};

static void begin_row(struct row *row)
{
    fprintf(row->out, "%s%*s", row->end, row->indent, "");
    row->used = row->start = row->indent;
    row->count++;
}

/* Columns of the next word and of the blanks before it; how many bytes both have. */
static size_t next_word(const char *text, int *columns)
{
    const size_t len = strspn(text, " ") + strcspn(text + strspn(text, " "), " ");
    const char *at = text;
    *columns = 0;
    while (at < text + len)
        *columns += glyph_width(glyph_next(&at));
    return len;
}

static void put_word(struct row *row, const char *word, size_t len)
{
    const char *at = word;
    while (at < word + len) {
        const uint32_t code = glyph_next(&at);
        const int width = glyph_width(code);
        if (row->breaks_words && row->used + width > row->columns && row->used > row->start)
            begin_row(row);
        glyph_print(code, row->out);
        row->used += width;
    }
}

static int put_line(const char *line, int columns, bool breaks_words, const char *end, FILE *out)
{
    const int indent = (int)strspn(line, " ") + INDENT;
    struct row row = {.columns = columns,
                      .indent = 2 * indent < columns ? indent : 0,
                      .breaks_words = breaks_words,
                      .count = 1,
                      .end = end,
                      .out = out};
    while (*line) {
        int width;
        const size_t len = next_word(line, &width);
        const size_t blanks = strspn(line, " ");
        if (row.used > row.start && row.used + width > columns) {
            begin_row(&row);
            put_word(&row, line + blanks, len - blanks);
        } else {
            put_word(&row, line, len);
        }
        line += len;
    }
    fputs(end, out);
    return row.count;
}

void wrap_line(const char *line, int columns, const char *end, FILE *out)
{
    (void)put_line(line, columns, false, end, out);
}

int wrap_text(const char *text, int columns, FILE *out)
{
    int rows = 0;
    while (*text) {
        char line[LINE_MAX_BYTES];
        const size_t len = strcspn(text, "\n"), kept = len < sizeof line ? len : sizeof line - 1;
        memcpy(line, text, kept);
        line[kept] = '\0';
        rows += put_line(line, columns, true, "\n", out);
        text += len + (text[len] == '\n');
    }
    return rows;
}
