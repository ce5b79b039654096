#include <protocol/request.h>

#include "request_table.h"
#include <assert.h>
#include <protocol/json_writer.h>
#include <string.h>

/* Only what every reader looks at: the strings are as large as a page and seldom used. */
void request_init(struct request *request, int64_t id, enum request_op op)
{
    request->id = id;
    request->op = op;
    request->fields = 0;
    request->follows = false;
    request->ready = false;
    request->confirm = false;
    request->hints = false;
    request->options = NULL;
    request->passkey = NULL;
    request->bad_field[0] = '\0';
}

void request_release(struct request *request)
{
    json_decref(request->options);
    json_decref(request->passkey);
    request->options = NULL;
    request->passkey = NULL;
}

const char *request_op_name(enum request_op op)
{
    assert(op < REQUEST_OPS);
    return op_rows[op].name;
}

/* ---- encode */

static uint32_t clock_number(const struct protocol_clock *clock, const struct clock_row *row)
{
    return *(const uint32_t *)member_of(clock, row->offset);
}

static void encode_clock(struct writer *writer, const struct protocol_clock *clock)
{
    writer_object(writer);
    writer_key_string(writer, "kind", protocol_clock_kind_name(clock->kind));
    for (size_t i = 0; i < CLOCK_ROWS; i++) {
        if (clock_rows[i].kinds & 1U << clock->kind)
            writer_key_int(writer, clock_rows[i].name, clock_number(clock, &clock_rows[i]));
    }
    writer_key_string(writer, "on_timeout", protocol_timeout_name(clock->on_timeout));
    writer_end(writer);
}

static void encode_viewer(struct writer *writer, uint8_t viewer)
{
    const char *word = viewer_word(viewer);
    if (word)
        writer_string(writer, word);
    else
        writer_int(writer, viewer);
}

static void encode_value(struct writer *writer, const struct request *request,
                         const struct field_row *row)
{
    const void *at = member_of(request, row->offset);
    switch (row->kind) {
    case FIELD_WORD:
    case FIELD_HEX:
    case FIELD_TEXT:
        writer_string(writer, at);
        break;
    case FIELD_BOOL:
        writer_bool(writer, *(const bool *)at);
        break;
    case FIELD_SEAT:
    case FIELD_LEVEL:
        writer_int(writer, *(const uint8_t *)at);
        break;
    case FIELD_VIEWER:
        encode_viewer(writer, *(const uint8_t *)at);
        break;
    case FIELD_COUNT:
    case FIELD_DAYS:
    case FIELD_NUMBER:
    case FIELD_TERM:
        writer_int(writer, *(const int64_t *)at);
        break;
    case FIELD_ACCESS:
        writer_string(writer, protocol_access_name(request->access));
        break;
    case FIELD_OFFER:
        writer_string(writer, protocol_offer_name(request->what));
        break;
    case FIELD_CLOCK:
        encode_clock(writer, &request->clock);
        break;
    case FIELD_OPTIONS:
        writer_json(writer, request->options);
        break;
    case FIELD_PASSKEY:
        writer_json(writer, request->passkey);
        break;
    }
}

void request_encode(struct writer *writer, const struct request *request)
{
    writer_object(writer);
    writer_key_int(writer, "id", request->id);
    writer_key_string(writer, "op", request_op_name(request->op));
    for (size_t i = 0; i < FIELD_ROWS; i++) {
        if (!(request->fields >> i & 1))
            continue;
        writer_key(writer, field_rows[i].name);
        encode_value(writer, request, &field_rows[i]);
    }
    writer_end(writer);
}

/* ---- digest */

/*
 * FNV-1a, 64 bits, over what the request says. Every part begins with a byte that says what it is
 * and strings end with NUL, so that no two different requests feed the same bytes. Objects add up
 * the hashes of their members: their order says nothing.
 */
static const uint64_t FNV_START = UINT64_C(14695981039346656037);

static uint64_t feed(uint64_t hash, const void *bytes, size_t len)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ at[i]) * UINT64_C(1099511628211);
    return hash;
}

static uint64_t feed_byte(uint64_t hash, unsigned byte)
{
    unsigned char one = (unsigned char)byte;
    return feed(hash, &one, 1);
}

static uint64_t feed_number(uint64_t hash, uint64_t number)
{
    for (int shift = 0; shift < 64; shift += 8)
        hash = feed_byte(hash, (unsigned)(number >> shift & 0xff));
    return hash;
}

/* With its end. */
static uint64_t feed_string(uint64_t hash, const char *string)
{
    do
        hash = feed_byte(hash, (unsigned char)*string);
    while (*string++);
    return hash;
}

static uint64_t feed_json(uint64_t hash, json_t *value);

static uint64_t feed_object(uint64_t hash, json_t *object)
{
    uint64_t sum = 0;
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        sum += feed_json(feed_string(FNV_START, key), value);
    }
    return feed_number(hash, sum);
}

static uint64_t feed_json(uint64_t hash, json_t *value)
{
    double real = 0;
    uint64_t bits = 0;
    hash = feed_byte(hash, (unsigned)json_typeof(value));
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return feed_object(hash, value);
    case JSON_ARRAY:
        for (size_t i = 0; i < json_array_size(value); i++)
            hash = feed_json(hash, json_array_get(value, i));
        return feed_byte(hash, 0xff);
    case JSON_STRING:
        return feed_string(hash, json_string_value(value));
    case JSON_INTEGER:
        return feed_number(hash, (uint64_t)json_integer_value(value));
    case JSON_REAL:
        real = json_real_value(value);
        memcpy(&bits, &real, sizeof bits);
        return feed_number(hash, bits);
    case JSON_TRUE:
    case JSON_FALSE:
    case JSON_NULL:
        break; /* the type says it all */
    }
    return hash;
}

static uint64_t feed_clock(uint64_t hash, const struct protocol_clock *clock)
{
    hash = feed_string(hash, protocol_clock_kind_name(clock->kind));
    hash = feed_string(hash, protocol_timeout_name(clock->on_timeout));
    for (size_t i = 0; i < CLOCK_ROWS; i++) {
        if (clock_rows[i].kinds & 1U << clock->kind)
            hash = feed_number(hash, clock_number(clock, &clock_rows[i]));
    }
    return hash;
}

static uint64_t feed_value(uint64_t hash, const struct request *request,
                           const struct field_row *row)
{
    const void *at = member_of(request, row->offset);
    switch (row->kind) {
    case FIELD_WORD:
    case FIELD_HEX:
    case FIELD_TEXT:
        return feed_string(hash, at);
    case FIELD_BOOL:
        return feed_byte(hash, *(const bool *)at);
    case FIELD_SEAT:
    case FIELD_VIEWER:
    case FIELD_LEVEL:
        return feed_byte(hash, *(const uint8_t *)at);
    case FIELD_COUNT:
    case FIELD_DAYS:
    case FIELD_NUMBER:
    case FIELD_TERM:
        return feed_number(hash, (uint64_t) * (const int64_t *)at);
    case FIELD_ACCESS:
        return feed_string(hash, protocol_access_name(request->access));
    case FIELD_OFFER:
        return feed_string(hash, protocol_offer_name(request->what));
    case FIELD_CLOCK:
        return feed_clock(hash, &request->clock);
    case FIELD_OPTIONS:
        return feed_json(hash, request->options);
    case FIELD_PASSKEY:
        return feed_json(hash, request->passkey);
    }
    return hash;
}

/* By name throughout: the numbers of the enums may change from version to version. */
uint64_t request_digest(const struct request *request)
{
    uint64_t hash = feed_string(FNV_START, request_op_name(request->op));
    for (uint64_t left = request->fields & ~REQUEST_HAVE; left; left &= left - 1) {
        const struct field_row *row = &field_rows[__builtin_ctzll(left)];
        hash = feed_value(feed_string(hash, row->name), request, row);
    }
    return hash;
}
