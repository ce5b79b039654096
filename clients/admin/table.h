/*
 * Rows in aligned columns, for people. Texts come from strangers, so nothing of them reaches the
 * terminal that could move its cursor, turn the direction of writing around, or look like a column.
 */
#ifndef ADMIN_TABLE_H
#define ADMIN_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { TABLE_COLUMNS_MAX = 10, TABLE_CELL_BYTES = 512 };

struct table {
    size_t columns;
    const char *const *heads;
    uint32_t numbers; /* bit set of the columns that are aligned to the right */
    char **cells;     /* row after row */
    size_t count, size;
    bool failed; /* no memory */
};

/* `heads` is borrowed and ends with NULL. */
void table_init(struct table *table, const char *const *heads, uint32_t numbers);
void table_release(struct table *table);

/* The next cell of the row, copied, as table_escape leaves it. */
void table_cell(struct table *table, const char *text);
/* Takes the last row back if none of its cells holds this. */
void table_filter(struct table *table, const char *text);
/* Heads and rows; no line ends with blanks. */
void table_print(const struct table *table, FILE *out);

/*
 * One line of printable text: what is no UTF-8, no character that can be seen, or turns the
 * direction around, comes out as \x9b or \u{202e}; so does a character that the terminal's locale
 * has no width for. Cut at the end of the place; a cut text ends with "...". Returns its width.
 */
size_t table_escape(char out[static TABLE_CELL_BYTES], const char *text);

#endif
