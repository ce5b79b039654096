#include <protocol/json_read.h>

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <protocol/limits.h>
#include <protocol/text.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * The syntax functions return false for bad text and then everything stops. Other trouble is kept
 * in `trouble`; from then on the text is only checked, and values are NULL.
 */
struct reader {
    const char *at, *end;
    unsigned depth, depth_max;
    enum json_read trouble;
    /* All strings, decoded, one behind the other. None is longer than its text, and its two
     * quotes leave room for the NUL, so there is room for those of the longest message. */
    char text[PROTOCOL_MESSAGE_BYTES];
    size_t text_len;
};

static void note(struct reader *reader, enum json_read trouble)
{
    if (reader->trouble == JSON_READ_OK)
        reader->trouble = trouble;
}

static bool building(const struct reader *reader)
{
    return reader->trouble == JSON_READ_OK;
}

/* What a constructor of jansson has returned. */
static json_t *made(struct reader *reader, json_t *value)
{
    if (!value)
        note(reader, JSON_READ_NO_MEMORY);
    return value;
}

static void skip_space(struct reader *reader)
{
    while (reader->at < reader->end && (*reader->at == ' ' || *reader->at == '\t' ||
                                        *reader->at == '\n' || *reader->at == '\r'))
        reader->at++;
}

static bool accept(struct reader *reader, char byte)
{
    if (reader->at == reader->end || *reader->at != byte)
        return false;
    reader->at++;
    return true;
}

static bool word(struct reader *reader, const char *text)
{
    size_t len = strlen(text);
    if ((size_t)(reader->end - reader->at) < len || memcmp(reader->at, text, len) != 0)
        return false;
    reader->at += len;
    return true;
}

/* ---- numbers */

static bool digits(struct reader *reader)
{
    const char *from = reader->at;
    while (reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9')
        reader->at++;
    return reader->at > from;
}

static bool scan_number(struct reader *reader, bool *is_real)
{
    (void)accept(reader, '-');
    if (!accept(reader, '0') && !digits(reader))
        return false;
    if (accept(reader, '.')) {
        *is_real = true;
        if (!digits(reader))
            return false;
    }
    if (accept(reader, 'e') || accept(reader, 'E')) {
        *is_real = true;
        (void)(accept(reader, '+') || accept(reader, '-'));
        return digits(reader);
    }
    return true;
}

static json_t *number_value(struct reader *reader, const char *text, bool is_real)
{
    errno = 0;
    if (is_real) {
        double real = strtod(text, NULL);
        if (errno != ERANGE || fabs(real) != HUGE_VAL)
            return made(reader, json_real(real));
    } else {
        long long integer = strtoll(text, NULL, 10);
        if (errno != ERANGE)
            return made(reader, json_integer(integer));
    }
    note(reader, JSON_READ_OVERFLOW);
    return NULL;
}

static bool number(struct reader *reader, json_t **value)
{
    char text[PROTOCOL_MESSAGE_BYTES + 1];
    const char *from = reader->at;
    bool is_real = false;
    if (!scan_number(reader, &is_real))
        return false;
    if (!building(reader))
        return true;
    size_t len = (size_t)(reader->at - from);
    memcpy(text, from, len);
    text[len] = '\0';
    *value = number_value(reader, text, is_real);
    return true;
}

/* ---- strings */

static void put(struct reader *reader, unsigned byte)
{
    assert(reader->text_len < sizeof reader->text);
    reader->text[reader->text_len++] = (char)byte;
}

static void put_point(struct reader *reader, uint32_t point)
{
    if (point < 0x80) {
        put(reader, point);
        return;
    }
    if (point < 0x800) {
        put(reader, 0xc0 | point >> 6);
    } else {
        if (point < 0x10000) {
            put(reader, 0xe0 | point >> 12);
        } else {
            put(reader, 0xf0 | point >> 18);
            put(reader, 0x80 | (point >> 12 & 0x3f));
        }
        put(reader, 0x80 | (point >> 6 & 0x3f));
    }
    put(reader, 0x80 | (point & 0x3f));
}

/* The four digits behind \u; 0, which no caller takes, if they are none. */
static uint32_t four_digits(struct reader *reader)
{
    uint32_t unit = 0;
    for (int i = 0; i < 4; i++) {
        static const char HEX[] = "0123456789abcdef0123456789ABCDEF";
        const char *digit =
            reader->at < reader->end && *reader->at ? strchr(HEX, *reader->at) : NULL;
        if (!digit)
            return 0;
        unit = unit << 4 | (uint32_t)((digit - HEX) & 15);
        reader->at++;
    }
    return unit;
}

/* What follows \u: a character, or a pair of surrogates; not U+0000. */
static bool unicode_escape(struct reader *reader)
{
    uint32_t unit = four_digits(reader);
    if (unit == 0 || (unit >= 0xdc00 && unit <= 0xdfff))
        return false;
    if (unit < 0xd800 || unit > 0xdbff) {
        put_point(reader, unit);
        return true;
    }
    if (!word(reader, "\\u"))
        return false;
    uint32_t low = four_digits(reader);
    if (low < 0xdc00 || low > 0xdfff)
        return false;
    put_point(reader, 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00));
    return true;
}

static bool escape(struct reader *reader)
{
    static const char LETTERS[] = "\"\\/bfnrt", MEANINGS[] = "\"\\/\b\f\n\r\t";
    if (reader->at == reader->end)
        return false;
    char byte = *reader->at++;
    if (byte == 'u')
        return unicode_escape(reader);
    const char *letter = byte == '\0' ? NULL : strchr(LETTERS, byte);
    if (letter)
        put(reader, (unsigned char)MEANINGS[letter - LETTERS]);
    return letter != NULL;
}

/* Puts the string behind the others, with a NUL; `*text` is where. */
static bool string(struct reader *reader, const char **text)
{
    *text = reader->text + reader->text_len;
    if (!accept(reader, '"'))
        return false;
    while (reader->at < reader->end) {
        const char *from = reader->at;
        uint32_t point = utf8_next(&reader->at, reader->end);
        if (point == '"') {
            put(reader, '\0');
            return true;
        }
        if (point == UTF8_BAD || point < 0x20 || (point == '\\' && !escape(reader)))
            return false;
        for (; point != '\\' && from < reader->at; from++)
            put(reader, (unsigned char)*from);
    }
    return false;
}

static bool string_value(struct reader *reader, json_t **value)
{
    const char *text;
    if (!string(reader, &text))
        return false;
    if (building(reader)) {
        size_t len = reader->text_len - 1 - (size_t)(text - reader->text);
        *value = made(reader, json_stringn_nocheck(text, len));
    }
    return true;
}

/* ---- containers */

static bool read_value(struct reader *reader, json_t **value);

static bool member(struct reader *reader, json_t *object)
{
    const char *key;
    json_t *value = NULL;
    skip_space(reader);
    if (!string(reader, &key))
        return false;
    if (building(reader) && json_object_get(object, key))
        note(reader, JSON_READ_DUPLICATE_KEY);
    skip_space(reader);
    if (!accept(reader, ':') || !read_value(reader, &value))
        return false;
    if (value && json_object_set_new_nocheck(object, key, value) != 0)
        note(reader, JSON_READ_NO_MEMORY);
    return true;
}

static bool element(struct reader *reader, json_t *array)
{
    json_t *value = NULL;
    if (!read_value(reader, &value))
        return false;
    if (value && json_array_append_new(array, value) != 0)
        note(reader, JSON_READ_NO_MEMORY);
    return true;
}

/* Behind the opening bracket: items with commas between, then `close`. */
static bool items(struct reader *reader, bool (*item)(struct reader *, json_t *), json_t *container,
                  char close)
{
    if (++reader->depth > reader->depth_max) {
        reader->trouble = JSON_READ_TOO_DEEP;
        return false;
    }
    skip_space(reader);
    if (!accept(reader, close)) {
        do {
            if (!item(reader, container))
                return false;
            skip_space(reader);
        } while (accept(reader, ','));
        if (!accept(reader, close))
            return false;
    }
    reader->depth--;
    return true;
}

static bool object(struct reader *reader, json_t **value)
{
    if (building(reader))
        *value = made(reader, json_object());
    return items(reader, member, *value, '}');
}

static bool array(struct reader *reader, json_t **value)
{
    if (building(reader))
        *value = made(reader, json_array());
    return items(reader, element, *value, ']');
}

/* What was made of it is in `*value`, also when it returns false. Recurses to depth_max. */
static bool read_parts(struct reader *reader, json_t **value)
{
    skip_space(reader);
    if (accept(reader, '{'))
        return object(reader, value);
    if (accept(reader, '['))
        return array(reader, value);
    if (reader->at < reader->end && *reader->at == '"')
        return string_value(reader, value);
    if (word(reader, "true"))
        *value = json_true();
    else if (word(reader, "false"))
        *value = json_false();
    else if (word(reader, "null"))
        *value = json_null();
    else
        return number(reader, value);
    return true;
}

/* `*value` is NULL if there is trouble or it returns false. */
static bool read_value(struct reader *reader, json_t **value)
{
    *value = NULL;
    bool fine = read_parts(reader, value);
    if (!fine || !building(reader)) {
        json_decref(*value);
        *value = NULL;
    }
    return fine;
}

enum json_read json_read(json_t **value, const char *bytes, size_t len, unsigned depth_max)
{
    assert(len <= PROTOCOL_MESSAGE_BYTES);
    struct reader reader; /* its buffer needs no zeros */
    reader.at = bytes;
    reader.end = bytes + len;
    reader.depth = 0;
    reader.depth_max = depth_max;
    reader.trouble = JSON_READ_OK;
    reader.text_len = 0;
    bool fine = read_value(&reader, value);
    skip_space(&reader);
    fine = fine && reader.at == reader.end;
    if (fine && building(&reader))
        return JSON_READ_OK;
    json_decref(*value);
    *value = NULL;
    return fine || reader.trouble == JSON_READ_TOO_DEEP ? reader.trouble : JSON_READ_BAD;
}
