#include <hub/store_row.h>

#include <assert.h>
#include <string.h>

static const uint8_t *place_of(const struct store_column *column, const void *row)
{
    return (const uint8_t *)row + column->at;
}

/* ---- numbers */

int64_t store_number(const struct store_column *column, const void *row)
{
    const uint8_t *from = place_of(column, row);
    union {
        uint8_t one;
        uint16_t two;
        uint32_t four;
        int64_t eight;
    } value;
    assert(column->type == STORE_NUMBER && column->size <= sizeof value);
    memcpy(&value, from, column->size);
    switch (column->size) {
    case sizeof value.one:
        return value.one;
    case sizeof value.two:
        return value.two;
    case sizeof value.four:
        return value.four;
    default:
        return value.eight;
    }
}

static bool number_fits(const struct store_column *column, int64_t value)
{
    const int64_t widest = column->size < 8 ? (INT64_C(1) << 8 * column->size) - 1 : INT64_MAX;
    const int64_t most = column->max ? column->max : widest;
    return (column->size == 8 && !column->max) || (value >= 0 && value <= most);
}

bool store_set_number(const struct store_column *column, void *row, int64_t value)
{
    const uint8_t one = (uint8_t)value;
    const uint16_t two = (uint16_t)value;
    const uint32_t four = (uint32_t)value;
    const void *from = column->size == sizeof one    ? (const void *)&one
                       : column->size == sizeof two  ? (const void *)&two
                       : column->size == sizeof four ? (const void *)&four
                                                     : (const void *)&value;
    assert(column->type == STORE_NUMBER);
    if (!number_fits(column, value))
        return false;
    memcpy((uint8_t *)row + column->at, from, column->size);
    return true;
}

/* ---- everything else */

static bool is_borrowed(const struct store_column *column)
{
    return column->type == STORE_LENT || column->type == STORE_TEXT;
}

static const char *borrowed_of(const struct store_column *column, const void *row)
{
    const char *text;
    memcpy(&text, place_of(column, row), sizeof text);
    return text;
}

const void *store_bytes(const struct store_column *column, const void *row, size_t *len)
{
    const uint8_t *place = place_of(column, row);
    uint16_t text_len;
    switch (column->type) {
    case STORE_BYTES:
        *len = column->size;
        return place;
    case STORE_STRING:
        *len = strnlen((const char *)place, column->size);
        return place;
    case STORE_LENT:
        *len = strlen(borrowed_of(column, row));
        return borrowed_of(column, row);
    case STORE_TEXT:
        memcpy(&text_len, (const uint8_t *)row + column->len_at, sizeof text_len);
        *len = text_len;
        return text_len ? borrowed_of(column, row) : "";
    case STORE_NUMBER:
        break;
    }
    assert(!"a number has no bytes");
    return NULL;
}

static bool bytes_fit(const struct store_column *column, const void *bytes, size_t len)
{
    if (column->type == STORE_BYTES)
        return len == column->size;
    if (column->type == STORE_TEXT)
        return len <= column->max;
    return len <= (is_borrowed(column) ? column->max : column->size - 1U) &&
           (len == 0 || !memchr(bytes, 0, len));
}

bool store_set_bytes(const struct store_column *column, void *row, const void *bytes, size_t len)
{
    uint8_t *place = (uint8_t *)row + column->at;
    const uint16_t text_len = (uint16_t)len;
    if (!bytes_fit(column, bytes, len))
        return false;
    if (is_borrowed(column))
        memcpy(place, &bytes, sizeof bytes);
    else if (len > 0)
        memcpy(place, bytes, len);
    if (column->type == STORE_STRING)
        place[len] = 0;
    if (column->type == STORE_TEXT)
        memcpy((uint8_t *)row + column->len_at, &text_len, sizeof text_len);
    return true;
}

bool store_is_nothing(const struct store_column *column, const void *row)
{
    size_t len;
    if (column->type == STORE_NUMBER)
        return store_number(column, row) == 0;
    const uint8_t *bytes = store_bytes(column, row, &len);
    while (column->type == STORE_BYTES && len > 0 && bytes[len - 1] == 0)
        len--;
    return len == 0;
}

bool store_same_value(const struct store_column *column, const void *row, const void *other)
{
    size_t len, other_len;
    if (column->type == STORE_NUMBER)
        return store_number(column, row) == store_number(column, other);
    const void *bytes = store_bytes(column, row, &len);
    const void *other_bytes = store_bytes(column, other, &other_len);
    return len == other_len && (len == 0 || memcmp(bytes, other_bytes, len) == 0);
}

/* ---- rows */

bool store_same_key(const struct store_table *table, const void *row, const void *other)
{
    for (size_t at = 0; at < table->keys; at++) {
        if (!store_same_value(&table->columns[at], row, other))
            return false;
    }
    return true;
}

uint64_t store_owner_of(const struct store_table *table, const void *row)
{
    if (table->owner != STORE_OF_SESSION)
        return 0;
    return (uint64_t)store_number(&table->columns[table->owner_at], row);
}

uint64_t store_home_of(const struct store_table *table, const void *row)
{
    return table->owner == STORE_OF_DESK || table->owner == STORE_OF_SITE
               ? 0
               : (uint64_t)store_number(&table->columns[table->owner_at], row);
}

size_t store_index_order(const struct store_table *table, const struct store_index *index,
                         uint8_t columns[static STORE_ORDER_MAX])
{
    size_t count = index->count;
    memcpy(columns, index->columns, count);
    for (uint8_t key = 0; key < table->keys; key++) {
        if (!memchr(columns, key, count))
            columns[count++] = key;
    }
    return count;
}

bool store_index_is_key(const struct store_table *table, const struct store_index *index)
{
    uint8_t columns[STORE_ORDER_MAX];
    const size_t count = store_index_order(table, index, columns);
    size_t at = 0;
    while (at < count && columns[at] == at)
        at++;
    return at == count && count == table->keys;
}

bool store_same_claim(const struct store_table *table, const void *row, const void *other)
{
    for (size_t at = 0; at < table->count; at++) {
        const struct store_column *column = &table->columns[at];
        if (column->flags & STORE_CLAIM && !store_is_nothing(column, row) &&
            store_same_value(column, row, other))
            return true;
    }
    return false;
}

bool store_row_is_valid(const struct store_table *table, const void *row)
{
    for (size_t at = 0; at < table->count; at++) {
        const struct store_column *column = &table->columns[at];
        size_t len;
        if (column->type == STORE_NUMBER) {
            if (!number_fits(column, store_number(column, row)))
                return false;
            continue;
        }
        const void *bytes = store_bytes(column, row, &len);
        if (!bytes_fit(column, bytes, len))
            return false;
    }
    return true;
}

size_t store_row_borrows(const struct store_table *table, const void *row)
{
    size_t all = 0;
    for (size_t at = 0; at < table->count; at++) {
        size_t len;
        if (!is_borrowed(&table->columns[at]))
            continue;
        (void)store_bytes(&table->columns[at], row, &len);
        all += len + 1;
    }
    return all;
}

void store_row_copy(const struct store_table *table, void *copy, const void *row, char *borrowed)
{
    memcpy(copy, row, table->size);
    for (size_t at = 0; at < table->count; at++) {
        size_t len;
        if (!is_borrowed(&table->columns[at]))
            continue;
        const void *bytes = store_bytes(&table->columns[at], row, &len);
        if (len > 0)
            memcpy(borrowed, bytes, len);
        borrowed[len] = '\0';
        memcpy((uint8_t *)copy + table->columns[at].at, &borrowed, sizeof borrowed);
        borrowed += len + 1;
    }
}
