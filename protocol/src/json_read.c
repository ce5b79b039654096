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
    /* Of a copy, with a NUL behind it. Strings are decoded where they stand, which makes none of
     * them longer, and their last quote leaves room for a NUL. */
    char *at, *end;
    unsigned depth, depth_max;
    enum json_read trouble;
};

struct text { /* a string that has been read */
    const char *bytes;
    size_t len;
};

static void reader_init(struct reader *reader, const char *bytes, size_t len, unsigned depth_max,
                        char *text)
{
    if (len > 0)
        memcpy(text, bytes, len);
    text[len] = '\0';
    *reader = (struct reader){
        .at = text,
        .end = text + len,
        .depth_max = depth_max,
        .trouble = JSON_READ_OK,
    };
}

static void note_trouble(struct reader *reader, enum json_read trouble)
{
    if (reader->trouble == JSON_READ_OK)
        reader->trouble = trouble;
}

static bool is_building(const struct reader *reader)
{
    return reader->trouble == JSON_READ_OK;
}

/* What a constructor of jansson has returned. */
static json_t *check_made(struct reader *reader, json_t *value)
{
    if (!value)
        note_trouble(reader, JSON_READ_NO_MEMORY);
    return value;
}

static void skip_space(struct reader *reader)
{
    while (reader->at < reader->end && (*reader->at == ' ' || *reader->at == '\t' ||
                                        *reader->at == '\n' || *reader->at == '\r'))
        reader->at++;
}

static bool accept_byte(struct reader *reader, char byte)
{
    if (reader->at == reader->end || *reader->at != byte)
        return false;
    reader->at++;
    return true;
}

static bool accept_word(struct reader *reader, const char *text)
{
    size_t len = strlen(text);
    if ((size_t)(reader->end - reader->at) < len || memcmp(reader->at, text, len) != 0)
        return false;
    reader->at += len;
    return true;
}

/* ---- numbers */

static bool skip_digits(struct reader *reader)
{
    const char *from = reader->at;
    const char *at = from;
    while (*at >= '0' && *at <= '9') /* the NUL at the end is none */
        at++;
    reader->at += at - from;
    return at > from;
}

static bool scan_number(struct reader *reader, bool *is_real)
{
    (void)accept_byte(reader, '-');
    if (!accept_byte(reader, '0') && !skip_digits(reader))
        return false;
    if (accept_byte(reader, '.')) {
        *is_real = true;
        if (!skip_digits(reader))
            return false;
    }
    if (accept_byte(reader, 'e') || accept_byte(reader, 'E')) {
        *is_real = true;
        (void)(accept_byte(reader, '+') || accept_byte(reader, '-'));
        return skip_digits(reader);
    }
    return true;
}

/* A number as it is meant: an integer, or a real. */
struct number {
    bool is_real;
    int64_t integer;
    double real;
};

/* Nearly all integers: too short to overflow. */
static int64_t short_integer(const char *at, const char *end)
{
    bool negative = *at == '-';
    int64_t value = 0;
    for (at += negative; at < end; at++)
        value = value * 10 + (*at - '0');
    return negative ? -value : value;
}

/* The syntax of what lies before reader->at has been checked. */
static void convert_number(struct reader *reader, const char *from, struct number *number)
{
    enum { SHORT_DIGITS = 18 };
    char text[PROTOCOL_MESSAGE_BYTES + 1];
    const size_t len = (size_t)(reader->at - from);
    if (!number->is_real && len <= SHORT_DIGITS) {
        number->integer = short_integer(from, reader->at);
        return;
    }
    if (len > PROTOCOL_MESSAGE_BYTES) {
        note_trouble(reader, JSON_READ_OVERFLOW);
        return;
    }
    memcpy(text, from, len);
    text[len] = '\0';
    errno = 0;
    if (number->is_real)
        number->real = strtod(text, NULL);
    else
        number->integer = strtoll(text, NULL, 10);
    if (errno == ERANGE && (!number->is_real || fabs(number->real) == HUGE_VAL))
        note_trouble(reader, JSON_READ_OVERFLOW);
}

/* The number is of use only while the reader is building. */
static bool read_number(struct reader *reader, struct number *number)
{
    const char *from = reader->at;
    *number = (struct number){.is_real = false};
    if (!scan_number(reader, &number->is_real))
        return false;
    if (is_building(reader))
        convert_number(reader, from, number);
    return true;
}

static bool number_value(struct reader *reader, json_t **value)
{
    struct number number;
    if (!read_number(reader, &number))
        return false;
    if (is_building(reader))
        *value = check_made(reader,
                            number.is_real ? json_real(number.real) : json_integer(number.integer));
    return true;
}

/* ---- strings */

static void put_byte(char **to, unsigned byte)
{
    *(*to)++ = (char)byte;
}

static void put_point(char **to, uint32_t point)
{
    if (point < 0x80) {
        put_byte(to, point);
        return;
    }
    if (point < 0x800) {
        put_byte(to, 0xc0 | point >> 6);
    } else {
        if (point < 0x10000) {
            put_byte(to, 0xe0 | point >> 12);
        } else {
            put_byte(to, 0xf0 | point >> 18);
            put_byte(to, 0x80 | (point >> 12 & 0x3f));
        }
        put_byte(to, 0x80 | (point >> 6 & 0x3f));
    }
    put_byte(to, 0x80 | (point & 0x3f));
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
static bool unicode_escape(struct reader *reader, char **to)
{
    uint32_t unit = four_digits(reader);
    if (unit == 0 || (unit >= 0xdc00 && unit <= 0xdfff))
        return false;
    if (unit < 0xd800 || unit > 0xdbff) {
        put_point(to, unit);
        return true;
    }
    if (!accept_word(reader, "\\u"))
        return false;
    uint32_t low = four_digits(reader);
    if (low < 0xdc00 || low > 0xdfff)
        return false;
    put_point(to, 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00));
    return true;
}

static bool read_escape(struct reader *reader, char **to)
{
    static const char LETTERS[] = "\"\\/bfnrt", MEANINGS[] = "\"\\/\b\f\n\r\t";
    if (reader->at == reader->end)
        return false;
    char byte = *reader->at++;
    if (byte == 'u')
        return unicode_escape(reader, to);
    const char *letter = byte == '\0' ? NULL : strchr(LETTERS, byte);
    if (letter)
        put_byte(to, (unsigned char)MEANINGS[letter - LETTERS]);
    return letter != NULL;
}

/* Moves what is no ASCII to where the string goes on; false: it is no UTF-8. */
static bool move_character(struct reader *reader, char **to)
{
    const char *from = reader->at, *at = from;
    if (utf8_next(&at, reader->end) == UTF8_BAD)
        return false;
    reader->at += at - from;
    while (from < at)
        put_byte(to, (unsigned char)*from++);
    return true;
}

/* What needs no decoding stays where it is. The NUL at the end of the text ends it too. */
static void skip_plain(struct reader *reader)
{
    const char *at = reader->at; /* a `char *` of the reader's would be stored each time */
    while ((unsigned char)(*at - 0x20) < 0x60 && *at != '"' && *at != '\\')
        at++;
    reader->at += at - reader->at;
}

static bool read_string(struct reader *reader, struct text *text)
{
    if (!accept_byte(reader, '"'))
        return false;
    char *const begin = reader->at, *to;
    skip_plain(reader);
    to = reader->at;
    while (!accept_byte(reader, '"')) {
        if (reader->at == reader->end || (unsigned char)*reader->at < 0x20)
            return false;
        if (!(accept_byte(reader, '\\') ? read_escape(reader, &to) : move_character(reader, &to)))
            return false;
    }
    *to = '\0';
    *text = (struct text){begin, (size_t)(to - begin)};
    return true;
}

static bool string_value(struct reader *reader, json_t **value)
{
    struct text text;
    if (!read_string(reader, &text))
        return false;
    if (is_building(reader))
        *value = check_made(reader, json_stringn_nocheck(text.bytes, text.len));
    return true;
}

/* ---- containers */

static bool read_value(struct reader *reader, json_t **value);

static bool read_member(struct reader *reader, void *object)
{
    struct text key;
    json_t *value = NULL;
    skip_space(reader);
    if (!read_string(reader, &key))
        return false;
    if (is_building(reader) && json_object_get(object, key.bytes))
        note_trouble(reader, JSON_READ_DUPLICATE_KEY);
    skip_space(reader);
    if (!accept_byte(reader, ':') || !read_value(reader, &value))
        return false;
    if (value && json_object_set_new_nocheck(object, key.bytes, value) != 0)
        note_trouble(reader, JSON_READ_NO_MEMORY);
    return true;
}

static bool read_element(struct reader *reader, void *array)
{
    json_t *value = NULL;
    if (!read_value(reader, &value))
        return false;
    if (value && json_array_append_new(array, value) != 0)
        note_trouble(reader, JSON_READ_NO_MEMORY);
    return true;
}

/* Behind the opening bracket: items with commas between, then `close`. */
static bool read_items(struct reader *reader, bool (*item)(struct reader *, void *),
                       void *container, char close)
{
    if (++reader->depth > reader->depth_max) {
        reader->trouble = JSON_READ_TOO_DEEP;
        return false;
    }
    skip_space(reader);
    if (!accept_byte(reader, close)) {
        do {
            if (!item(reader, container))
                return false;
            skip_space(reader);
        } while (accept_byte(reader, ','));
        if (!accept_byte(reader, close))
            return false;
    }
    reader->depth--;
    return true;
}

static bool read_object(struct reader *reader, json_t **value)
{
    if (is_building(reader))
        *value = check_made(reader, json_object());
    return read_items(reader, read_member, *value, '}');
}

static bool read_array(struct reader *reader, json_t **value)
{
    if (is_building(reader))
        *value = check_made(reader, json_array());
    return read_items(reader, read_element, *value, ']');
}

/* What was made of it is in `*value`, also when it returns false. Recurses to depth_max. */
static bool read_parts(struct reader *reader, json_t **value)
{
    skip_space(reader);
    if (accept_byte(reader, '{'))
        return read_object(reader, value);
    if (accept_byte(reader, '['))
        return read_array(reader, value);
    if (reader->at < reader->end && *reader->at == '"')
        return string_value(reader, value);
    if (accept_word(reader, "true"))
        *value = json_true();
    else if (accept_word(reader, "false"))
        *value = json_false();
    else if (accept_word(reader, "null"))
        *value = json_null();
    else
        return number_value(reader, value);
    return true;
}

/* `*value` is NULL if there is trouble or it returns false. */
static bool read_value(struct reader *reader, json_t **value)
{
    *value = NULL;
    bool fine = read_parts(reader, value);
    if (!fine || !is_building(reader)) {
        json_decref(*value);
        *value = NULL;
    }
    return fine;
}

/* What is to be said of the whole text when its value, `fine` or not, has been read. */
static enum json_read outcome_of(struct reader *reader, bool fine)
{
    skip_space(reader);
    fine = fine && reader->at == reader->end;
    return fine || reader->trouble == JSON_READ_TOO_DEEP ? reader->trouble : JSON_READ_BAD;
}

enum json_read json_read(json_t **value, const char *bytes, size_t len, unsigned depth_max)
{
    char text[PROTOCOL_MESSAGE_BYTES + 1];
    assert(len <= PROTOCOL_MESSAGE_BYTES);
    return json_read_long(value, bytes, len, depth_max, text);
}

enum json_read json_read_long(json_t **value, const char *bytes, size_t len, unsigned depth_max,
                              char *scratch)
{
    struct reader reader;
    reader_init(&reader, bytes, len, depth_max, scratch);
    enum json_read result = outcome_of(&reader, read_value(&reader, value));
    if (result == JSON_READ_OK)
        return result;
    json_decref(*value);
    *value = NULL;
    return result;
}

/* ---- an object, member by member */

const struct json_member *json_members_find(const struct json_members *members, const char *name)
{
    for (size_t i = 0; i < members->count; i++) {
        const struct json_member *member = &members->list[i];
        if (member->name[0] == name[0] && strcmp(member->name, name) == 0)
            return member;
    }
    return NULL;
}

static bool member_number(struct reader *reader, struct json_member *member)
{
    struct number number;
    if (!read_number(reader, &number))
        return false;
    member->type = number.is_real ? JSON_REAL : JSON_INTEGER;
    member->integer = number.integer;
    return true;
}

static bool member_string(struct reader *reader, struct json_member *member)
{
    struct text text;
    if (!read_string(reader, &text))
        return false;
    member->type = JSON_STRING;
    member->text = text.bytes;
    member->len = text.len;
    return true;
}

static bool member_tree(struct reader *reader, struct json_member *member)
{
    if (!read_value(reader, &member->tree))
        return false;
    member->type = member->tree ? json_typeof(member->tree) : JSON_NULL;
    return true;
}

static bool member_value(struct reader *reader, struct json_member *member)
{
    skip_space(reader);
    char first = reader->at < reader->end ? *reader->at : '\0';
    if (first == '"')
        return member_string(reader, member);
    if (first == '{' || first == '[')
        return member_tree(reader, member);
    if (accept_word(reader, "true"))
        member->type = JSON_TRUE;
    else if (accept_word(reader, "false"))
        member->type = JSON_FALSE;
    else if (accept_word(reader, "null"))
        member->type = JSON_NULL;
    else
        return member_number(reader, member);
    return true;
}

static bool listed_member(struct reader *reader, void *container)
{
    struct json_members *members = container;
    struct json_member member = {.tree = NULL};
    struct text name;
    skip_space(reader);
    if (!read_string(reader, &name))
        return false;
    member.name = name.bytes;
    if (is_building(reader) && json_members_find(members, member.name))
        note_trouble(reader, JSON_READ_DUPLICATE_KEY);
    skip_space(reader);
    if (!accept_byte(reader, ':') || !member_value(reader, &member))
        return false;
    if (is_building(reader) && members->count < JSON_MEMBERS_MAX)
        members->list[members->count++] = member;
    else
        json_decref(member.tree);
    return true;
}

/* Anything but an object is bad; what it is made of is told first. */
static bool no_object(struct reader *reader)
{
    json_t *value;
    bool fine = read_value(reader, &value);
    json_decref(value);
    return fine && !is_building(reader);
}

enum json_read json_read_members(struct json_members *members, const char *bytes, size_t len,
                                 unsigned depth_max)
{
    struct reader reader;
    assert(len <= PROTOCOL_MESSAGE_BYTES);
    reader_init(&reader, bytes, len, depth_max, members->text);
    members->count = 0;
    skip_space(&reader);
    bool fine = accept_byte(&reader, '{') ? read_items(&reader, listed_member, members, '}')
                                          : no_object(&reader);
    enum json_read result = outcome_of(&reader, fine);
    if (result != JSON_READ_OK)
        json_members_release(members);
    return result;
}

void json_members_release(struct json_members *members)
{
    for (size_t i = 0; i < members->count; i++)
        json_decref(members->list[i].tree);
    members->count = 0;
}
