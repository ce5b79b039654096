#include "cbor.h"

#include <protocol/text.h>
#include <string.h>

struct reader {
    const uint8_t *at, *end;
};

static size_t bytes_left(const struct reader *reader)
{
    return (size_t)(reader->end - reader->at);
}

/* ---- heads */

enum { LENGTH_ONE_BYTE = 24, LENGTH_EIGHT_BYTES = 27 };

/* The number that follows in so many bytes, which could not be written in fewer. */
static bool read_argument(struct reader *reader, unsigned info, uint64_t *number)
{
    static const uint64_t least[] = {LENGTH_ONE_BYTE, UINT64_C(1) << 8, UINT64_C(1) << 16,
                                     UINT64_C(1) << 32};
    const size_t size = (size_t)1 << (info - LENGTH_ONE_BYTE);
    if (bytes_left(reader) < size)
        return false;
    *number = 0;
    for (size_t i = 0; i < size; i++)
        *number = *number << 8 | *reader->at++;
    return *number >= least[info - LENGTH_ONE_BYTE];
}

/* What is longer than 27 has no definite length, or no meaning yet. */
static bool read_head(struct reader *reader, struct cbor_value *value)
{
    if (bytes_left(reader) == 0)
        return false;
    const unsigned first = *reader->at++, info = first & 31;
    value->type = (enum cbor_type)(first >> 5);
    value->number = info;
    return info < LENGTH_ONE_BYTE ||
           (info <= LENGTH_EIGHT_BYTES && read_argument(reader, info, &value->number));
}

/* ---- values */

static bool read_string(struct reader *reader, struct cbor_value *value)
{
    if (value->number > bytes_left(reader))
        return false;
    value->bytes = (struct webauthn_bytes){reader->at, (size_t)value->number};
    reader->at += value->number;
    return value->type == CBOR_BYTES || utf8_valid((const char *)value->bytes.at, value->bytes.len);
}

static bool is_known_simple(const struct cbor_value *value)
{
    enum { SIMPLE_FALSE = 20, SIMPLE_NULL = 22 };
    return value->number >= SIMPLE_FALSE && value->number <= SIMPLE_NULL;
}

static bool read_value(struct reader *reader, struct cbor_value *value, unsigned depth);

static bool read_array(struct reader *reader, uint64_t count, unsigned depth)
{
    struct cbor_value element;
    if (depth == 0 || count > bytes_left(reader))
        return false;
    while (count > 0 && read_value(reader, &element, depth - 1))
        count--;
    return count == 0;
}

static bool is_same_coded(const struct cbor_value *one, const struct cbor_value *other)
{
    return one->coded.len == other->coded.len &&
           memcmp(one->coded.at, other->coded.at, one->coded.len) == 0;
}

/* A value has one form alone, so two keys are the same if they are written so. */
static bool is_new_key(const struct cbor_map *map, const struct cbor_value *key)
{
    size_t at = 0;
    while (at < map->count && !is_same_coded(&map->entries[at].key, key))
        at++;
    return at == map->count;
}

static bool read_key(struct reader *reader, const struct cbor_map *map, struct cbor_value *key)
{
    return read_value(reader, key, 0) && key->type != CBOR_SIMPLE && is_new_key(map, key);
}

static bool read_entries(struct reader *reader, uint64_t count, unsigned depth,
                         struct cbor_map *map)
{
    map->count = 0;
    if (depth == 0 || count > CBOR_ENTRIES_MAX)
        return false;
    while (map->count < count) {
        struct cbor_value *key = &map->entries[map->count].key;
        if (!read_key(reader, map, key) ||
            !read_value(reader, &map->entries[map->count].value, depth - 1))
            return false;
        map->count++;
    }
    return true;
}

static bool read_inner_map(struct reader *reader, uint64_t count, unsigned depth)
{
    struct cbor_map map;
    return read_entries(reader, count, depth, &map);
}

static bool read_content(struct reader *reader, struct cbor_value *value, unsigned depth)
{
    switch (value->type) {
    case CBOR_UNSIGNED:
    case CBOR_NEGATIVE:
        return true;
    case CBOR_BYTES:
    case CBOR_TEXT:
        return read_string(reader, value);
    case CBOR_ARRAY:
        return read_array(reader, value->number, depth);
    case CBOR_MAP:
        return read_inner_map(reader, value->number, depth);
    case CBOR_SIMPLE:
        return is_known_simple(value);
    case CBOR_TAG:
        break;
    }
    return false;
}

/* `depth`: how many arrays and maps may still be in each other. */
static bool read_value(struct reader *reader, struct cbor_value *value, unsigned depth)
{
    const uint8_t *start = reader->at;
    if (!read_head(reader, value) || !read_content(reader, value, depth))
        return false;
    value->coded = (struct webauthn_bytes){start, (size_t)(reader->at - start)};
    return true;
}

bool cbor_read_map(struct webauthn_bytes bytes, struct cbor_map *map, struct webauthn_bytes *rest)
{
    struct reader reader = {bytes.at, bytes.at + bytes.len};
    struct cbor_value head;
    if (!read_head(&reader, &head) || head.type != CBOR_MAP ||
        !read_entries(&reader, head.number, CBOR_DEPTH_MAX, map))
        return false;
    *rest = (struct webauthn_bytes){reader.at, bytes_left(&reader)};
    return true;
}

/* ---- what is in a map */

const struct cbor_value *cbor_find_text(const struct cbor_map *map, const char *key)
{
    const size_t len = strlen(key);
    for (size_t at = 0; at < map->count; at++) {
        const struct cbor_value *found = &map->entries[at].key;
        if (found->type == CBOR_TEXT && found->bytes.len == len &&
            memcmp(found->bytes.at, key, len) == 0)
            return &map->entries[at].value;
    }
    return NULL;
}

bool cbor_is_number(const struct cbor_value *value, int64_t number)
{
    return number < 0 ? value->type == CBOR_NEGATIVE && value->number == (uint64_t)(-1 - number)
                      : value->type == CBOR_UNSIGNED && value->number == (uint64_t)number;
}

const struct cbor_value *cbor_find_number(const struct cbor_map *map, int64_t key)
{
    for (size_t at = 0; at < map->count; at++) {
        if (cbor_is_number(&map->entries[at].key, key))
            return &map->entries[at].value;
    }
    return NULL;
}
