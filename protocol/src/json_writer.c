#include <protocol/json_writer.h>

#include <assert.h>
#include <inttypes.h>
#include <jansson.h>
#include <protocol/text.h>
#include <stdio.h>
#include <string.h>

void writer_init(struct writer *writer, struct buffer *out)
{
    *writer = (struct writer){.out = out};
}

static bool in_object(const struct writer *writer)
{
    return writer->objects & 1;
}

/* Nearly all are so short that a call would take longer than the copy. */
static void copy_text(char *to, const char *from, size_t len)
{
    uint64_t first, last;
    uint32_t low, high;
    if (len > 16) {
        memcpy(to, from, len);
    } else if (len >= 8) {
        memcpy(&first, from, 8);
        memcpy(&last, from + len - 8, 8);
        memcpy(to, &first, 8);
        memcpy(to + len - 8, &last, 8);
    } else if (len >= 4) {
        memcpy(&low, from, 4);
        memcpy(&high, from + len - 4, 4);
        memcpy(to, &low, 4);
        memcpy(to + len - 4, &high, 4);
    } else if (len > 0) {
        to[0] = from[0];
        to[len / 2] = from[len / 2];
        to[len - 1] = from[len - 1];
    }
}

/* Where `len` bytes of a value go, behind the comma that it may need; NULL: the buffer has failed.
 */
static char *begin_value(struct writer *writer, size_t len)
{
    assert(!writer_done(writer) && writer->keyed == in_object(writer));
    const size_t comma = writer->comma && !writer->keyed ? 1 : 0;
    writer->keyed = false;
    writer->comma = true;
    char *at = buffer_extend(writer->out, comma + len);
    if (at && comma)
        *at++ = ',';
    return at;
}

/* The same of a member, behind its key. */
static char *begin_member(struct writer *writer, const char *key, size_t key_len, size_t len)
{
    assert(in_object(writer) && !writer->keyed);
    const size_t comma = writer->comma;
    writer->comma = true;
    char *at = buffer_extend(writer->out, comma + key_len + 3 + len);
    if (!at)
        return NULL;
    at[0] = ',';
    at += comma;
    at[0] = at[key_len + 1] = '"';
    at[key_len + 2] = ':';
    copy_text(at + 1, key, key_len);
    return at + key_len + 3;
}

static void begin_container(struct writer *writer, char *at, bool object)
{
    if (at)
        *at = object ? '{' : '[';
    assert(writer->depth < WRITER_DEPTH);
    writer->depth++;
    writer->objects = writer->objects << 1 | object;
    writer->comma = false;
}

void writer_object(struct writer *writer)
{
    begin_container(writer, begin_value(writer, 1), true);
}

void writer_array(struct writer *writer)
{
    begin_container(writer, begin_value(writer, 1), false);
}

void writer_member_object(struct writer *writer, const char *key, size_t key_len)
{
    begin_container(writer, begin_member(writer, key, key_len, 1), true);
}

void writer_member_array(struct writer *writer, const char *key, size_t key_len)
{
    begin_container(writer, begin_member(writer, key, key_len, 1), false);
}

void writer_end(struct writer *writer)
{
    assert(writer->depth > 0 && !writer->keyed);
    buffer_append_byte(writer->out, in_object(writer) ? '}' : ']');
    writer->depth--;
    writer->objects >>= 1;
    writer->comma = true;
}

/* How a byte below 0x20, a quote or a backslash is written; the length, at most 6. */
static size_t escape(char out[6], unsigned char byte)
{
    static const char HEX[] = "0123456789abcdef";
    static const char SHORT[] = "\"\"\\\\\bb\ff\nn\rr\tt";
    out[0] = '\\';
    for (const char *pair = SHORT; *pair; pair += 2) {
        if ((unsigned char)pair[0] == byte) {
            out[1] = pair[1];
            return 2;
        }
    }
    memcpy(out + 1, "u00", 3);
    out[4] = HEX[byte >> 4];
    out[5] = HEX[byte & 15];
    return 6;
}

static bool is_plain(unsigned char byte)
{
    return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

/* Are all eight bytes plain? The differences that set a highest bit are those of other bytes. */
static bool eight_are_plain(uint64_t bytes)
{
    const uint64_t ones = UINT64_MAX / 0xff, highest = ones * 0x80;
    uint64_t quote = bytes ^ ones * '"', backslash = bytes ^ ones * '\\';
    uint64_t low = (bytes - ones * 0x20) & ~bytes;
    uint64_t quotes = (quote - ones) & ~quote, backslashes = (backslash - ones) & ~backslash;
    return ((bytes | low | quotes | backslashes) & highest) == 0;
}

/* `len` is at most 8. What is missing are spaces, some bytes may be there twice. */
static uint64_t up_to_eight(const char *string, size_t len)
{
    uint64_t bytes = UINT64_C(0x2020202020202020);
    uint32_t first, last;
    if (len >= 4) {
        memcpy(&first, string, 4);
        memcpy(&last, string + len - 4, 4);
        return (uint64_t)last << 32 | first;
    }
    for (size_t i = 0; i < len; i++)
        bytes = bytes << 8 | (unsigned char)string[i];
    return bytes;
}

static bool all_plain(const char *string, size_t len)
{
    uint64_t bytes;
    for (; len > 8; string += 8, len -= 8) {
        memcpy(&bytes, string, 8);
        if (!eight_are_plain(bytes))
            return false;
    }
    return eight_are_plain(up_to_eight(string, len));
}

/* Plain text is copied in runs; only what needs something else is looked at by itself. */
static void quoted_slowly(struct buffer *out, const char *string, size_t len)
{
    const char *at = string, *end = string + len, *run = string;
    buffer_append_byte(out, '"');
    while (at < end) {
        unsigned char byte = (unsigned char)*at;
        if (is_plain(byte)) {
            at++;
            continue;
        }
        const char *from = at;
        if (byte >= 0x80) {
            if (utf8_next(&at, end) != UTF8_BAD)
                continue;
            buffer_append(out, run, (size_t)(from - run));
            buffer_append(out, "\xef\xbf\xbd", 3);
        } else {
            char escaped[6];
            at++;
            buffer_append(out, run, (size_t)(from - run));
            buffer_append(out, escaped, escape(escaped, byte));
        }
        run = at;
    }
    buffer_append(out, run, (size_t)(end - run));
    buffer_append_byte(out, '"');
}

/* With the comma before it and the colon behind it, in one piece. */
void writer_key_plain(struct writer *writer, const char *key, size_t len)
{
    (void)begin_member(writer, key, len, 0);
    writer->keyed = true;
}

void writer_key_n(struct writer *writer, const char *key, size_t len)
{
    if (all_plain(key, len)) {
        writer_key_plain(writer, key, len);
        return;
    }
    assert(in_object(writer) && !writer->keyed);
    if (writer->comma)
        buffer_append_byte(writer->out, ',');
    quoted_slowly(writer->out, key, len);
    buffer_append_byte(writer->out, ':');
    writer->keyed = true;
}

static size_t digit_count(uint64_t value)
{
    for (size_t count = 0;; count += 4, value /= 10000) {
        if (value < 10)
            return count + 1;
        if (value < 100)
            return count + 2;
        if (value < 1000)
            return count + 3;
        if (value < 10000)
            return count + 4;
    }
}

/* Two at a time, so that there are half as many divisions. */
static void put_digits(char *at, size_t count, uint64_t value)
{
    static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                                "25262728293031323334353637383940414243444546474849"
                                "50515253545556575859606162636465666768697071727374"
                                "75767778798081828384858687888990919293949596979899";
    for (; count >= 2; count -= 2, value /= 100)
        memcpy(at + count - 2, pairs + 2 * (value % 100), 2);
    if (count > 0)
        at[0] = (char)('0' + value);
}

void writer_key_number(struct writer *writer, uint32_t key)
{
    char digits[10];
    const size_t count = digit_count(key);
    put_digits(digits, count, key);
    writer_key_plain(writer, digits, count);
}

static void put_plain(char *at, const char *string, size_t len)
{
    if (!at)
        return;
    at[0] = at[len + 1] = '"';
    copy_text(at + 1, string, len);
}

/* Nearly everything is plain all through. */
void writer_string_n(struct writer *writer, const char *string, size_t len)
{
    if (all_plain(string, len)) {
        put_plain(begin_value(writer, len + 2), string, len);
        return;
    }
    (void)begin_value(writer, 0);
    quoted_slowly(writer->out, string, len);
}

void writer_member_string(struct writer *writer, const char *key, size_t key_len,
                          const char *string, size_t len)
{
    if (all_plain(string, len)) {
        put_plain(begin_member(writer, key, key_len, len + 2), string, len);
        return;
    }
    (void)begin_member(writer, key, key_len, 0);
    quoted_slowly(writer->out, string, len);
}

void writer_string(struct writer *writer, const char *string)
{
    writer_string_n(writer, string, strlen(string));
}

/* A whole number as it is written. */
struct decimal {
    uint64_t size;
    size_t count; /* of its digits */
    bool negative;
};

static struct decimal decimal_of(int64_t value)
{
    const bool negative = value < 0;
    const uint64_t size = negative ? 0 - (uint64_t)value : (uint64_t)value;
    return (struct decimal){size, digit_count(size), negative};
}

static void put_decimal(char *at, const struct decimal *number)
{
    if (!at)
        return;
    at[0] = '-';
    put_digits(at + number->negative, number->count, number->size);
}

void writer_key_id(struct writer *writer, const char *key, uint64_t id)
{
    char text[17];
    (void)snprintf(text, sizeof text, "%016" PRIx64, id);
    writer_key_string(writer, key, text);
}

void writer_int(struct writer *writer, int64_t value)
{
    const struct decimal number = decimal_of(value);
    put_decimal(begin_value(writer, number.negative + number.count), &number);
}

void writer_member_int(struct writer *writer, const char *key, size_t key_len, int64_t value)
{
    const struct decimal number = decimal_of(value);
    put_decimal(begin_member(writer, key, key_len, number.negative + number.count), &number);
}

void writer_raw(struct writer *writer, const char *json, size_t len)
{
    assert(len > 0);
    char *at = begin_value(writer, len);
    if (at)
        copy_text(at, json, len);
}

void writer_member_raw(struct writer *writer, const char *key, size_t key_len, const char *json,
                       size_t len)
{
    assert(len > 0);
    char *at = begin_member(writer, key, key_len, len);
    if (at)
        copy_text(at, json, len);
}

void writer_members(struct writer *writer, const char *object, size_t len)
{
    assert(in_object(writer) && !writer->keyed && len > 2);
    if (writer->comma)
        buffer_append_byte(writer->out, ',');
    buffer_append(writer->out, object + 1, len - 2);
    writer->comma = true;
}

void writer_bool(struct writer *writer, bool value)
{
    writer_raw(writer, value ? "true" : "false", value ? 4 : 5);
}

void writer_null(struct writer *writer)
{
    writer_raw(writer, "null", 4);
}

static void json_object_members(struct writer *writer, const json_t *object)
{
    /* jansson's iterators take a mutable object but only look. */
    json_t *members = (json_t *)(uintptr_t)object;
    for (void *at = json_object_iter(members); at; at = json_object_iter_next(members, at)) {
        const char *key = json_object_iter_key(at);
        writer_key_n(writer, key, strlen(key));
        writer_json(writer, json_object_iter_value(at));
    }
}

static void json_number(struct writer *writer, const json_t *value)
{
    char digits[64];
    size_t len = json_dumpb(value, digits, sizeof digits, JSON_ENCODE_ANY);
    assert(len > 0 && len <= sizeof digits);
    writer_raw(writer, digits, len);
}

void writer_json(struct writer *writer, const struct json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        writer_object(writer);
        json_object_members(writer, value);
        writer_end(writer);
        break;
    case JSON_ARRAY:
        writer_array(writer);
        for (size_t i = 0; i < json_array_size(value); i++)
            writer_json(writer, json_array_get(value, i));
        writer_end(writer);
        break;
    case JSON_STRING:
        writer_string_n(writer, json_string_value(value), json_string_length(value));
        break;
    case JSON_INTEGER:
        writer_int(writer, json_integer_value(value));
        break;
    case JSON_REAL:
        json_number(writer, value);
        break;
    case JSON_TRUE:
    case JSON_FALSE:
        writer_bool(writer, json_is_true(value));
        break;
    case JSON_NULL:
        writer_null(writer);
        break;
    }
}
