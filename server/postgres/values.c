#include "values.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void put_big_endian(uint8_t *bytes, uint64_t value, size_t width)
{
    for (size_t at = 0; at < width; at++)
        bytes[at] = (uint8_t)(value >> (8 * (width - 1 - at)));
}

static void add_value(struct params *params, const void *value, size_t len)
{
    assert(params->count < PARAMS_MAX);
    params->values[params->count] = value;
    params->lengths[params->count] = (int)len;
    params->formats[params->count++] = 1;
}

void params_add_number(struct params *params, int64_t value)
{
    assert(params->count < PARAMS_MAX);
    uint8_t *bytes = params->numbers[params->count];
    put_big_endian(bytes, (uint64_t)value, 8);
    add_value(params, bytes, 8);
}

void params_add_bytes(struct params *params, const void *bytes, size_t len)
{
    add_value(params, bytes, len);
}

void params_add_text(struct params *params, const char *text)
{
    add_value(params, text, strlen(text));
}

void params_add_null(struct params *params)
{
    add_value(params, NULL, 0);
}

/* ---- arrays */

/* Dimensions, whether there are NULLs, the type; length and lower bound of the only dimension. */
enum { ARRAY_HEADER = 20, ELEMENT_HEADER = 4, ARRAY_START = 4096 };

void array_clear(struct array *array)
{
    array->len = ARRAY_HEADER;
    array->count = 0;
}

void array_release(struct array *array)
{
    free(array->bytes);
    *array = (struct array){0};
}

static uint8_t *grow_array(struct array *array, size_t more)
{
    size_t size = array->size ? array->size : ARRAY_START;
    while (size < array->len + more)
        size *= 2;
    if (size > array->size) {
        uint8_t *bytes = realloc(array->bytes, size);
        if (!bytes)
            return NULL;
        array->bytes = bytes;
        array->size = size;
    }
    uint8_t *place = array->bytes + array->len;
    array->len += more;
    array->count++;
    return place;
}

bool array_add_number(struct array *array, int64_t value, size_t width)
{
    uint8_t *place = grow_array(array, ELEMENT_HEADER + width);
    if (!place)
        return false;
    put_big_endian(place, width, ELEMENT_HEADER);
    put_big_endian(place + ELEMENT_HEADER, (uint64_t)value, width);
    return true;
}

bool array_add_text(struct array *array, const char *text, size_t len)
{
    uint8_t *place = grow_array(array, ELEMENT_HEADER + len);
    if (!place)
        return false;
    put_big_endian(place, len, ELEMENT_HEADER);
    if (len > 0)
        memcpy(place + ELEMENT_HEADER, text, len);
    return true;
}

void params_add_array(struct params *params, struct array *array, enum array_type type)
{
    assert(array->count > 0);
    put_big_endian(array->bytes, 1, 4);
    put_big_endian(array->bytes + 4, 0, 4);
    put_big_endian(array->bytes + 8, (uint64_t)type, 4);
    put_big_endian(array->bytes + 12, array->count, 4);
    put_big_endian(array->bytes + 16, 1, 4);
    add_value(params, array->bytes, array->len);
}

/* ---- columns */

static uint64_t big_endian(const uint8_t *bytes, size_t width)
{
    uint64_t value = 0;
    for (size_t at = 0; at < width; at++)
        value = value << 8 | bytes[at];
    return value;
}

int64_t cell_number(const PGresult *rows, int row, int column)
{
    const uint8_t *bytes = (const uint8_t *)PQgetvalue(rows, row, column);
    switch (PQgetlength(rows, row, column)) {
    case 2:
        return (int16_t)big_endian(bytes, 2);
    case 4:
        return (int32_t)big_endian(bytes, 4);
    case 8:
        return (int64_t)big_endian(bytes, 8);
    default:
        return 0;
    }
}

bool cell_flag(const PGresult *rows, int row, int column)
{
    return PQgetlength(rows, row, column) == 1 && *PQgetvalue(rows, row, column) != 0;
}

bool cell_bytes(const PGresult *rows, int row, int column, void *bytes, size_t len)
{
    if ((size_t)PQgetlength(rows, row, column) != len)
        return false;
    memcpy(bytes, PQgetvalue(rows, row, column), len);
    return true;
}

bool cell_string(const PGresult *rows, int row, int column, char *text, size_t size)
{
    const size_t len = (size_t)PQgetlength(rows, row, column);
    if (len >= size)
        return false;
    memcpy(text, PQgetvalue(rows, row, column), len);
    text[len] = '\0';
    return true;
}

const char *cell_text(const PGresult *rows, int row, int column, size_t max, uint16_t *len)
{
    const size_t found = (size_t)PQgetlength(rows, row, column);
    if (found > max)
        return NULL;
    *len = (uint16_t)found;
    return PQgetvalue(rows, row, column);
}
