#include "pieces.h"

#include <string.h>

static const struct piece none;

static bool is_space(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

static size_t skip_space(struct piece text, size_t at)
{
    while (at < text.len && is_space(text.at[at]))
        at++;
    return at;
}

/* Behind the string that begins there. */
static size_t string_end(struct piece text, size_t at)
{
    for (at++; at < text.len && text.at[at] != '"'; at++) {
        if (text.at[at] == '\\')
            at++;
    }
    return at < text.len ? at + 1 : text.len;
}

/* Behind the value that begins there. */
static size_t value_end(struct piece text, size_t at)
{
    size_t depth = 0;
    while (at < text.len) {
        const char byte = text.at[at];
        if (byte == '"') {
            at = string_end(text, at);
        } else if (byte == '{' || byte == '[') {
            depth++;
            at++;
        } else if (byte == '}' || byte == ']') {
            if (depth == 0)
                return at;
            depth--;
            at++;
        } else if (depth == 0 && (byte == ',' || is_space(byte))) {
            return at;
        } else {
            at++;
            continue; /* a number or a word goes on */
        }
        if (depth == 0)
            return at;
    }
    return at;
}

static struct piece part_of(struct piece text, size_t from, size_t to)
{
    return to > from ? (struct piece){text.at + from, to - from} : none;
}

/* Behind the comma that follows, if one does. */
static size_t skip_comma(struct piece text, size_t at)
{
    at = skip_space(text, at);
    return at < text.len && text.at[at] == ',' ? at + 1 : at;
}

struct piece piece_open(struct piece object, const char *name)
{
    const size_t name_len = strlen(name);
    size_t at = skip_space(object, 0);
    if (at >= object.len || object.at[at] != '{')
        return none;
    at = skip_space(object, at + 1);
    while (at < object.len && object.at[at] == '"') {
        const size_t key_end = string_end(object, at);
        const struct piece key = piece_string(part_of(object, at, key_end));
        const size_t colon = skip_space(object, key_end);
        if (colon >= object.len || object.at[colon] != ':')
            return none;
        const size_t from = skip_space(object, colon + 1);
        if (key.at && key.len == name_len && memcmp(key.at, name, name_len) == 0)
            return part_of(object, from, object.len);
        at = skip_space(object, skip_comma(object, value_end(object, from)));
    }
    return none;
}

struct piece piece_member(struct piece object, const char *name)
{
    const struct piece open = piece_open(object, name);
    return open.at ? part_of(open, 0, value_end(open, 0)) : none;
}

struct piece piece_next(struct piece array, size_t *at)
{
    size_t from = *at;
    if (from == 0) {
        from = skip_space(array, 0);
        if (from >= array.len || array.at[from] != '[')
            return none;
        from++;
    }
    from = skip_space(array, from);
    if (from >= array.len || array.at[from] == ']')
        return none;
    const size_t to = value_end(array, from);
    *at = skip_comma(array, to);
    return part_of(array, from, to);
}

bool piece_is(struct piece value, const char *json)
{
    return value.at && value.len == strlen(json) && memcmp(value.at, json, value.len) == 0;
}

bool piece_number(struct piece value, int64_t *number)
{
    const bool minus = value.len > 0 && value.at[0] == '-';
    const size_t first = minus ? 1 : 0;
    int64_t sum = 0;
    if (value.len == first || value.len - first > 18)
        return false;
    for (size_t at = first; at < value.len; at++) {
        if (value.at[at] < '0' || value.at[at] > '9')
            return false;
        sum = sum * 10 + (value.at[at] - '0');
    }
    *number = minus ? -sum : sum;
    return true;
}

struct piece piece_string(struct piece value)
{
    if (value.len < 2 || value.at[0] != '"' || value.at[value.len - 1] != '"')
        return none;
    return (struct piece){value.at + 1, value.len - 2};
}
