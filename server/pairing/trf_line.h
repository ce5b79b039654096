/* A line of a tournament report file: its columns, which are characters. */
#ifndef PAIRING_TRF_LINE_H
#define PAIRING_TRF_LINE_H

#include <stdbool.h>
#include <stddef.h>

enum { TRF_COLUMNS_MAX = 4096 };

struct trf_line {
    unsigned columns;
    bool utf8;                           /* no: a column is a byte */
    const char *at[TRF_COLUMNS_MAX + 1]; /* of columns from 0; and of the end */
};

/* Columns behind TRF_COLUMNS_MAX are not there. */
void trf_line_read(struct trf_line *line, const char *text, size_t len);

/* The character of a column, from 1, as FIDE counts; blank: not there, or none of ASCII. */
char trf_column(const struct trf_line *line, unsigned column);
bool trf_is_blank(const struct trf_line *line, unsigned from, unsigned to);
/* Is what stands in columns from..to this word, with blanks around it? */
bool trf_says(const struct trf_line *line, unsigned from, unsigned to, const char *word);

/* A whole number with blanks around it. False: there is none, or it is above 9999. */
bool trf_number(const struct trf_line *line, unsigned from, unsigned to, unsigned *number);
/* The same in tenths: 2.5, or 2. */
bool trf_tenths(const struct trf_line *line, unsigned from, unsigned to, unsigned *tenths);

/* Without blanks around it, 0-terminated; characters that do not fit, or are none, are left out. */
void trf_text(const struct trf_line *line, unsigned from, unsigned to, char *text, size_t size);

#endif
