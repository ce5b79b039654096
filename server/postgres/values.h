/* Values as PostgreSQL sends them in binary: parameters of statements, and columns of rows. */
#ifndef POSTGRES_VALUES_H
#define POSTGRES_VALUES_H

#include "libpq.h"
#include <assert.h>
#include <hub/store_row.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of a row all columns, of a page of rows as many as it may be ordered by; of the rest up to 12. */
enum { PARAMS_MAX = STORE_ORDER_MAX };
static_assert((int)PARAMS_MAX >= 12 && (int)PARAMS_MAX >= (int)STORE_COLUMNS_MAX, "as said");

/* Of one statement. Texts and bytes are borrowed. */
struct params {
    int count;
    const char *values[PARAMS_MAX];
    int lengths[PARAMS_MAX], formats[PARAMS_MAX];
    uint8_t numbers[PARAMS_MAX][8];
};

void params_add_number(struct params *params, int64_t value);
void params_add_bytes(struct params *params, const void *bytes, size_t len);
void params_add_text(struct params *params, const char *text);
void params_add_null(struct params *params);

/* An array of numbers of 2 or 8 bytes, or of texts. */
struct array {
    uint8_t *bytes;
    size_t len, size;
    uint32_t count;
};
void array_clear(struct array *array);
void array_release(struct array *array);
/* False: out of memory. */
bool array_add_number(struct array *array, int64_t value, size_t width);
bool array_add_text(struct array *array, const char *text, size_t len);
enum array_type { ARRAY_OF_INT2 = 21, ARRAY_OF_INT8 = 20, ARRAY_OF_TEXT = 25 };
/* Writes what comes before its elements; the array must stay until the statement is sent. */
void params_add_array(struct params *params, struct array *array, enum array_type type);

/* Columns. Of 2, 4 or 8 bytes; 0 if it has another length. */
int64_t cell_number(const PGresult *rows, int row, int column);
bool cell_flag(const PGresult *rows, int row, int column);
/* Exactly `len` bytes; text that fits with its terminating 0. */
bool cell_bytes(const PGresult *rows, int row, int column, void *bytes, size_t len);
bool cell_string(const PGresult *rows, int row, int column, char *text, size_t size);
/* Borrowed from the rows, not longer than `max`; NULL if it is. */
const char *cell_text(const PGresult *rows, int row, int column, size_t max, uint16_t *len);

#endif
