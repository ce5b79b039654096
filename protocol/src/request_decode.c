/*
 * bytes -> length -> list of members -> id -> op -> each member by its row -> what is missing
 *
 * Each step refuses with an error of its own and names the field; a request that passes holds
 * nothing that was not looked at.
 */
#include "request_table.h"
#include <assert.h>
#include <protocol/encoding.h>
#include <protocol/json_read.h>
#include <protocol/request.h>
#include <protocol/text.h>
#include <string.h>

static enum protocol_error error_of(enum json_read result)
{
    switch (result) {
    case JSON_READ_OK:
        return PROTOCOL_OK;
    case JSON_READ_BAD:
        return PROTOCOL_BAD_JSON;
    case JSON_READ_TOO_DEEP:
        return PROTOCOL_TOO_DEEP;
    case JSON_READ_DUPLICATE_KEY:
        return PROTOCOL_DUPLICATE_KEY;
    case JSON_READ_OVERFLOW:
        return PROTOCOL_BAD_FIELD;
    case JSON_READ_NO_MEMORY:
        break;
    }
    return PROTOCOL_INTERNAL;
}

/* Keeps the name of the field that was wrong, cut between code points if it is too long. */
static enum protocol_error refuse_field(struct request *request, enum protocol_error error,
                                        const char *prefix, const char *name)
{
    size_t len = strlen(prefix);
    size_t room = PROTOCOL_FIELD_BYTES - len;
    size_t take = strlen(name);
    if (take > room) {
        take = room;
        while (take > 0 && ((unsigned char)name[take] & 0xc0) == 0x80)
            take--;
    }
    memcpy(request->bad_field, prefix, len);
    memcpy(request->bad_field + len, name, take);
    request->bad_field[len + take] = '\0';
    return error;
}

static bool is_string(const struct json_member *value)
{
    return value->type == JSON_STRING;
}

static bool integer_within(const struct json_member *value, int64_t min, int64_t max, int64_t *out)
{
    if (value->type != JSON_INTEGER)
        return false;
    *out = value->integer;
    return *out >= min && *out <= max;
}

static bool decode_word(char *out, const struct field_row *row, const struct json_member *value)
{
    if (!is_string(value) || value->len >= row->size || !row->form(value->text, value->len))
        return false;
    memcpy(out, value->text, value->len + 1);
    return true;
}

static void make_lower(char *text)
{
    for (; *text; text++) {
        if (*text >= 'A' && *text <= 'Z')
            *text = (char)(*text - 'A' + 'a');
    }
}

static bool decode_hex(char *out, const struct field_row *row, const struct json_member *value)
{
    if (!decode_word(out, row, value))
        return false;
    make_lower(out);
    return true;
}

static bool decode_text(char *out, const struct field_row *row, const struct json_member *value,
                        bool kept)
{
    bool (*const read)(char *, size_t, const char *, size_t, size_t) =
        kept ? text_kept : text_clean;
    return is_string(value) && read(out, row->size, value->text, value->len, row->size / 4);
}

static bool decode_bool(bool *out, const struct json_member *value)
{
    *out = value->type == JSON_TRUE;
    return value->type == JSON_TRUE || value->type == JSON_FALSE;
}

static bool decode_small(uint8_t *out, const struct json_member *value, int64_t min, int64_t max)
{
    int64_t number;
    if (!integer_within(value, min, max, &number))
        return false;
    *out = (uint8_t)number;
    return true;
}

static bool decode_seat(uint8_t *out, const struct json_member *value)
{
    return decode_small(out, value, 0, PROTOCOL_SEATS - 1);
}

static bool decode_viewer(uint8_t *out, const struct json_member *value)
{
    static const uint8_t without_seat[] = {REQUEST_AS_SERVER, REQUEST_AS_WATCHER};
    for (size_t i = 0; is_string(value) && i < sizeof without_seat; i++) {
        *out = without_seat[i];
        if (strcmp(viewer_word(*out), value->text) == 0)
            return true;
    }
    return decode_seat(out, value);
}

/* ---- clock */

static const struct clock_row *clock_row_find(const char *name, enum protocol_clock_kind kind)
{
    for (size_t i = 0; i < CLOCK_ROWS; i++) {
        if (strcmp(clock_rows[i].name, name) == 0 && clock_rows[i].kinds & 1U << kind)
            return &clock_rows[i];
    }
    return NULL;
}

static uint32_t *clock_member(struct protocol_clock *clock, const struct clock_row *row)
{
    return (uint32_t *)(void *)((char *)clock + row->offset);
}

/* A number or a word that is within a tree. */
static struct json_member scalar_of(const char *name, const json_t *value)
{
    return (struct json_member){.name = name,
                                .type = json_typeof(value),
                                .len = json_string_length(value),
                                .text = json_string_value(value),
                                .integer = json_integer_value(value)};
}

static enum protocol_error decode_clock_member(struct request *request,
                                               const struct json_member *value)
{
    struct protocol_clock *clock = &request->clock;
    const char *name = value->name;
    if (strcmp(name, "kind") == 0)
        return PROTOCOL_OK; /* read first */
    if (strcmp(name, "on_timeout") == 0) {
        if (is_string(value) && protocol_timeout_find(&clock->on_timeout, value->text, value->len))
            return PROTOCOL_OK;
        return refuse_field(request, PROTOCOL_BAD_FIELD, "clock.", name);
    }
    const struct clock_row *row = clock_row_find(name, clock->kind);
    if (!row)
        return refuse_field(request, PROTOCOL_UNKNOWN_FIELD, "clock.", name);
    int64_t number;
    if (!integer_within(value, row->min, row->max, &number))
        return refuse_field(request, PROTOCOL_BAD_FIELD, "clock.", name);
    *clock_member(clock, row) = (uint32_t)number;
    return PROTOCOL_OK;
}

static enum protocol_error clock_missing(struct request *request, const json_t *value)
{
    const struct protocol_clock *clock = &request->clock;
    for (size_t i = 0; i < CLOCK_ROWS; i++) {
        if (clock_rows[i].kinds & 1U << clock->kind && !json_object_get(value, clock_rows[i].name))
            return refuse_field(request, PROTOCOL_MISSING_FIELD, "clock.", clock_rows[i].name);
    }
    if (clock->kind == PROTOCOL_CLOCK_FISCHER && clock->bank_s + clock->increment_s == 0)
        return refuse_field(request, PROTOCOL_BAD_FIELD, "clock.", "bank_s");
    return PROTOCOL_OK;
}

static enum protocol_error decode_clock(struct request *request, json_t *value)
{
    if (!json_is_object(value)) /* NULL of what is no tree */
        return refuse_field(request, PROTOCOL_BAD_FIELD, "", "clock");
    request->clock = (struct protocol_clock){.on_timeout = PROTOCOL_TIMEOUT_ELIMINATE};
    const json_t *kind = json_object_get(value, "kind");
    if (!kind)
        return refuse_field(request, PROTOCOL_MISSING_FIELD, "clock.", "kind");
    const char *word = json_string_value(kind);
    if (!word || !protocol_clock_kind_find(&request->clock.kind, word, json_string_length(kind)))
        return refuse_field(request, PROTOCOL_BAD_FIELD, "clock.", "kind");
    const char *name;
    json_t *member;
    json_object_foreach(value, name, member)
    {
        struct json_member scalar = scalar_of(name, member);
        enum protocol_error error = decode_clock_member(request, &scalar);
        if (error != PROTOCOL_OK)
            return error;
    }
    return clock_missing(request, value);
}

/* ---- passkey */

static const struct passkey_row *passkey_row_find(const char *name, enum request_op op)
{
    for (size_t i = 0; i < PASSKEY_ROWS; i++) {
        const struct passkey_row *row = &passkey_rows[i];
        if (strcmp(row->name, name) == 0 && (row->required | row->optional) >> op & 1)
            return row;
    }
    return NULL;
}

static bool is_base64url(const json_t *value, size_t max)
{
    const char *text = json_string_value(value);
    const size_t len = json_string_length(value);
    return text && len > 0 && len <= max && base64url_valid(text, len);
}

static enum protocol_error check_passkey(struct request *request, json_t *value)
{
    const char *name;
    json_t *member;
    json_object_foreach(value, name, member)
    {
        const struct passkey_row *row = passkey_row_find(name, request->op);
        if (!row)
            return refuse_field(request, PROTOCOL_UNKNOWN_FIELD, "passkey.", name);
        if (!is_base64url(member, row->max))
            return refuse_field(request, PROTOCOL_BAD_FIELD, "passkey.", name);
    }
    for (size_t i = 0; i < PASSKEY_ROWS; i++) {
        const struct passkey_row *row = &passkey_rows[i];
        if (row->required >> request->op & 1 && !json_object_get(value, row->name))
            return refuse_field(request, PROTOCOL_MISSING_FIELD, "passkey.", row->name);
    }
    return PROTOCOL_OK;
}

static enum protocol_error decode_passkey(struct request *request, json_t *value)
{
    if (!json_is_object(value)) /* NULL of what is no tree */
        return refuse_field(request, PROTOCOL_BAD_FIELD, "", "passkey");
    const enum protocol_error error = check_passkey(request, value);
    if (error == PROTOCOL_OK)
        request->passkey = json_incref(value);
    return error;
}

/* ---- members */

static bool decode_term(struct request *request, enum field_kind kind,
                        const struct json_member *value)
{
    if (!is_string(value))
        return false;
    if (kind == FIELD_ACCESS)
        return protocol_access_find(&request->access, value->text, value->len);
    return protocol_offer_find(&request->what, value->text, value->len);
}

static bool decode_value(struct request *request, const struct field_row *row,
                         const struct json_member *value)
{
    void *at = (char *)request + row->offset;
    int64_t *count = &request->have;
    switch (row->kind) {
    case FIELD_WORD:
        return decode_word(at, row, value);
    case FIELD_HEX:
        return decode_hex(at, row, value);
    case FIELD_TEXT:
        return decode_text(at, row, value, request->kept);
    case FIELD_BOOL:
        return decode_bool(at, value);
    case FIELD_SEAT:
        return decode_seat(at, value);
    case FIELD_LEVEL:
        return decode_small(at, value, 1, PROTOCOL_LEVELS);
    case FIELD_VIEWER:
        return decode_viewer(at, value);
    case FIELD_COUNT:
        return integer_within(value, 0, PROTOCOL_INTEGER_MAX, count);
    case FIELD_DAYS:
        return integer_within(value, 1, PROTOCOL_TOKEN_DAYS_MAX, &request->days);
    case FIELD_NUMBER:
        return integer_within(value, 1, PROTOCOL_INTEGER_MAX, at);
    case FIELD_TERM:
        return integer_within(value, 1, PROTOCOL_JUDGED_S_MAX, &request->for_s);
    case FIELD_ACCESS:
    case FIELD_OFFER:
        return decode_term(request, row->kind, value);
    case FIELD_OPTIONS:
        request->options = value->type == JSON_OBJECT ? json_incref(value->tree) : NULL;
        return request->options != NULL;
    case FIELD_CLOCK:
    case FIELD_PASSKEY:
        break; /* says more than yes or no: decode_member */
    }
    return false;
}

/* Rows are sorted by name, so halving finds those of a letter, which leaves few to be compared. */
static const struct field_row *find_field(const char *name)
{
    size_t first = 0;
    for (size_t end = FIELD_ROWS; first < end;) {
        const size_t middle = (first + end) / 2;
        if (field_rows[middle].name[0] < name[0])
            first = middle + 1;
        else
            end = middle;
    }
    for (; first < FIELD_ROWS && field_rows[first].name[0] == name[0]; first++) {
        if (strcmp(field_rows[first].name, name) == 0)
            return &field_rows[first];
    }
    return NULL;
}

static const struct op_row *find_op(const char *name)
{
    size_t first = 0;
    for (size_t end = REQUEST_OPS; first < end;) {
        const size_t middle = (first + end) / 2;
        if (op_rows[middle].name[0] < name[0])
            first = middle + 1;
        else
            end = middle;
    }
    for (; first < REQUEST_OPS && op_rows[first].name[0] == name[0]; first++) {
        if (strcmp(op_rows[first].name, name) == 0)
            return &op_rows[first];
    }
    return NULL;
}

static enum protocol_error decode_member(struct request *request, const struct json_member *value)
{
    const char *name = value->name;
    const struct op_row *op = &op_rows[request->op];
    const struct field_row *row = find_field(name);
    const uint64_t bit = row ? UINT64_C(1) << (row - field_rows) : 0;
    if (!(bit & (op->required | op->optional)))
        return refuse_field(request, PROTOCOL_UNKNOWN_FIELD, "", name);
    request->fields |= bit;
    if (row->kind == FIELD_CLOCK)
        return decode_clock(request, value->tree);
    if (row->kind == FIELD_PASSKEY)
        return decode_passkey(request, value->tree);
    if (!decode_value(request, row, value))
        return refuse_field(request, PROTOCOL_BAD_FIELD, "", name);
    return PROTOCOL_OK;
}

static enum protocol_error decode_id(struct request *request, const struct json_members *message)
{
    const struct json_member *value = json_members_find(message, "id");
    int64_t id;
    if (!value)
        return refuse_field(request, PROTOCOL_MISSING_FIELD, "", "id");
    if (!integer_within(value, 0, PROTOCOL_INTEGER_MAX, &id))
        return refuse_field(request, PROTOCOL_BAD_FIELD, "", "id");
    request->id = id;
    return PROTOCOL_OK;
}

static enum protocol_error decode_op(struct request *request, const struct json_members *message)
{
    const struct json_member *value = json_members_find(message, "op");
    if (!value)
        return refuse_field(request, PROTOCOL_MISSING_FIELD, "", "op");
    if (!is_string(value))
        return refuse_field(request, PROTOCOL_BAD_FIELD, "", "op");
    const struct op_row *row = find_op(value->text);
    if (!row)
        return refuse_field(request, PROTOCOL_UNKNOWN_OP, "", "op");
    request->op = (enum request_op)(row - op_rows);
    return PROTOCOL_OK;
}

/* What only all members together can tell. */
static enum protocol_error check_whole(struct request *request)
{
    uint64_t missing = op_rows[request->op].required & ~request->fields;
    for (size_t i = 0; missing >> i; i++) {
        if (missing >> i & 1)
            return refuse_field(request, PROTOCOL_MISSING_FIELD, "", field_rows[i].name);
    }
    if (request_has(request, REQUEST_NONCE) && !request->ready)
        return refuse_field(request, PROTOCOL_BAD_FIELD, "", "nonce");
    return PROTOCOL_OK;
}

/* Of more members than were kept one at least is unknown, as no operation has so many. */
static enum protocol_error decode_message(struct request *request,
                                          const struct json_members *message)
{
    enum protocol_error error = decode_id(request, message);
    if (error == PROTOCOL_OK)
        error = decode_op(request, message);
    for (size_t i = 0; error == PROTOCOL_OK && i < message->count; i++) {
        const struct json_member *member = &message->list[i];
        if (strcmp(member->name, "id") != 0 && strcmp(member->name, "op") != 0)
            error = decode_member(request, member);
    }
    return error == PROTOCOL_OK ? check_whole(request) : error;
}

static_assert((int)JSON_MEMBERS_MAX > (int)FIELD_ROWS + 2, "no request has as many members");

static enum protocol_error decode_bytes(struct request *request, const char *bytes, size_t len,
                                        bool kept)
{
    struct json_members message;
    request_init(request, REQUEST_NO_ID, REQUEST_OPS);
    request->kept = kept;
    if (len > PROTOCOL_MESSAGE_BYTES)
        return PROTOCOL_TOO_LONG;
    enum protocol_error error = error_of(json_read_members(&message, bytes, len, PROTOCOL_DEPTH));
    if (error != PROTOCOL_OK)
        return error;
    error = decode_message(request, &message);
    json_members_release(&message);
    return error;
}

enum protocol_error request_decode(struct request *request, const char *bytes, size_t len)
{
    return decode_bytes(request, bytes, len, false);
}

enum protocol_error request_decode_kept(struct request *request, const char *bytes, size_t len)
{
    return decode_bytes(request, bytes, len, true);
}
