#include "trf_line.h"

#include <string.h>

enum { NUMBER_MAX = 9999 };

/* Bytes of the character that begins here; 0: none does. */
static size_t measure_character(const char *text, size_t len)
{
    const unsigned char first = (unsigned char)text[0];
    const size_t bytes = first < 0x80   ? 1
                         : first < 0xc2 ? 0
                         : first < 0xe0 ? 2
                         : first < 0xf0 ? 3
                         : first < 0xf5 ? 4
                                        : 0;
    if (bytes > len)
        return 0;
    for (size_t i = 1; i < bytes; i++) {
        if (((unsigned char)text[i] & 0xc0) != 0x80)
            return 0;
    }
    return bytes;
}

static bool is_utf8(const char *text, size_t len)
{
    for (size_t at = 0; at < len;) {
        const size_t bytes = measure_character(text + at, len - at);
        if (bytes == 0)
            return false;
        at += bytes;
    }
    return true;
}

void trf_line_read(struct trf_line *line, const char *text, size_t len)
{
    size_t at = 0;
    line->utf8 = is_utf8(text, len);
    line->columns = 0;
    while (at < len && line->columns < TRF_COLUMNS_MAX) {
        line->at[line->columns++] = text + at;
        at += line->utf8 ? measure_character(text + at, len - at) : 1;
    }
    line->at[line->columns] = text + at;
}

char trf_column(const struct trf_line *line, unsigned column)
{
    if (column == 0 || column > line->columns)
        return ' ';
    const char character = line->at[column - 1][0];
    return character == '\t' || character & '\x80' ? ' ' : character;
}

bool trf_is_blank(const struct trf_line *line, unsigned from, unsigned to)
{
    for (unsigned column = from; column <= to && column <= line->columns; column++) {
        if (trf_column(line, column) != ' ')
            return false;
    }
    return true;
}

static void trim_blanks(const struct trf_line *line, unsigned *from, unsigned *to)
{
    if (*to > line->columns)
        *to = line->columns;
    while (*from <= *to && trf_column(line, *from) == ' ')
        ++*from;
    while (*to >= *from && trf_column(line, *to) == ' ')
        --*to;
}

bool trf_says(const struct trf_line *line, unsigned from, unsigned to, const char *word)
{
    trim_blanks(line, &from, &to);
    const size_t len = strlen(word);
    if (to + 1 - from != len)
        return false;
    for (unsigned i = 0; i < len; i++) {
        if (trf_column(line, from + i) != word[i])
            return false;
    }
    return true;
}

static bool read_digits(const struct trf_line *line, unsigned from, unsigned to, unsigned *number)
{
    *number = 0;
    if (from > to)
        return false;
    for (unsigned column = from; column <= to; column++) {
        const char digit = trf_column(line, column);
        if (digit < '0' || digit > '9')
            return false;
        *number = *number * 10 + (unsigned)(digit - '0');
        if (*number > NUMBER_MAX)
            return false;
    }
    return true;
}

bool trf_number(const struct trf_line *line, unsigned from, unsigned to, unsigned *number)
{
    trim_blanks(line, &from, &to);
    return read_digits(line, from, to, number);
}

bool trf_tenths(const struct trf_line *line, unsigned from, unsigned to, unsigned *tenths)
{
    unsigned tenth = 0;
    trim_blanks(line, &from, &to);
    if (to > from + 1 && trf_column(line, to - 1) == '.') {
        if (!read_digits(line, to, to, &tenth))
            return false;
        to -= 2;
    }
    if (!read_digits(line, from, to, tenths))
        return false;
    *tenths = *tenths * 10 + tenth;
    return true;
}

void trf_text(const struct trf_line *line, unsigned from, unsigned to, char *text, size_t size)
{
    size_t len = 0;
    for (unsigned column = from; column <= to && column <= line->columns; column++) {
        const size_t bytes = (size_t)(line->at[column] - line->at[column - 1]);
        const unsigned char first = (unsigned char)line->at[column - 1][0];
        if (len + bytes + 1 > size)
            break;
        if (first < ' ' || first == 0x7f || (!line->utf8 && first >= 0x80) ||
            (first == ' ' && len == 0))
            continue;
        memcpy(text + len, line->at[column - 1], bytes);
        len += bytes;
    }
    while (len > 0 && text[len - 1] == ' ')
        len--;
    text[len] = 0;
}
