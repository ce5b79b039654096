#include <wire/clean.h>

#include <protocol/limits.h>
#include <protocol/text.h>
#include <stdlib.h>
#include <string.h>

/* The only text of several lines. */
static const char RECORD[] = "record";

static bool is_harmful(uint32_t point, bool lines)
{
    return point == UTF8_BAD || (text_forbidden(point) && !(lines && point == '\n'));
}

static bool is_clean(const char *text, size_t len, bool lines)
{
    const char *end = text + len;
    while (text < end) {
        if (is_harmful(utf8_next(&text, end), lines))
            return false;
    }
    return true;
}

/* In its place, as '?' is never longer; the new length. */
static size_t clean_bytes(char *text, size_t len, bool lines)
{
    const char *from = text, *const end = text + len;
    char *to = text;
    while (from < end) {
        const char *const character = from;
        if (is_harmful(utf8_next(&from, end), lines)) {
            *to++ = '?';
            continue;
        }
        memmove(to, character, (size_t)(from - character));
        to += from - character;
    }
    return (size_t)(to - text);
}

void wire_clean_line(char *text)
{
    text[clean_bytes(text, strlen(text), false)] = '\0';
}

static bool clean_text(json_t *text, bool lines)
{
    const size_t len = json_string_length(text);
    if (is_clean(json_string_value(text), len, lines))
        return true;
    char *clean = malloc(len);
    if (!clean)
        return false;
    memcpy(clean, json_string_value(text), len);
    const bool set = json_string_setn(text, clean, clean_bytes(clean, len, lines)) == 0;
    free(clean);
    return set;
}

/* The nearest that the protocol has: the difference of two of them is a number too. */
static bool clean_integer(json_t *integer)
{
    const json_int_t value = json_integer_value(integer);
    if (value > PROTOCOL_INTEGER_MAX)
        return json_integer_set(integer, PROTOCOL_INTEGER_MAX) == 0;
    return value >= -PROTOCOL_INTEGER_MAX || json_integer_set(integer, -PROTOCOL_INTEGER_MAX) == 0;
}

static bool clean_value(json_t *value, bool lines);

static bool clean_object(json_t *object)
{
    const char *key;
    void *next;
    json_t *value;
    json_object_foreach_safe(object, next, key, value)
    {
        if (!is_clean(key, strlen(key), false))
            json_object_del(object, key);
        else if (!clean_value(value, strcmp(key, RECORD) == 0))
            return false;
    }
    return true;
}

static bool clean_array(const json_t *array, bool lines)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        if (!clean_value(json_array_get(array, i), lines))
            return false;
    }
    return true;
}

/* jansson goes no deeper than JSON_PARSER_MAX_DEPTH, nor does this. */
static bool clean_value(json_t *value, bool lines)
{
    if (json_is_string(value))
        return clean_text(value, lines);
    if (json_is_object(value))
        return clean_object(value);
    if (json_is_integer(value))
        return clean_integer(value);
    return !json_is_array(value) || clean_array(value, lines);
}

bool wire_clean(json_t *message)
{
    return clean_value(message, false);
}

void wire_print_message(const char *bytes, size_t len, FILE *out)
{
    const char *end = bytes + len;
    while (bytes < end) {
        const char *const character = bytes;
        const uint32_t point = utf8_next(&bytes, end);
        if (point == UTF8_BAD)
            (void)fputc('?', out);
        else if (point == '\n' || point == '\r' || point == '\t')
            (void)fputc(' ', out); /* between members: inside of them JSON has none */
        else if (point > 0xffff || !text_forbidden(point))
            (void)fwrite(character, 1, (size_t)(bytes - character), out);
        else
            (void)fprintf(out, "\\u%04x", (unsigned)point);
    }
    (void)fputc('\n', out);
}

bool wire_print_object(const json_t *object, FILE *out)
{
    char *text = json_dumps(object, JSON_COMPACT);
    if (text)
        wire_print_message(text, strlen(text), out);
    free(text);
    return text != NULL;
}
