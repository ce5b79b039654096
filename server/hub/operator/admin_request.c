#include <hub/admin_request.h>

#include <assert.h>
#include <features/feature.h>
#include <hub/ban_target.h>
#include <inttypes.h>
#include <jansson.h>
#include <protocol/account.h>
#include <protocol/encoding.h>
#include <protocol/json_read.h>
#include <protocol/request.h>
#include <protocol/text.h>
#include <stdio.h>
#include <string.h>

/* ---- what there is to ask */

static const struct operator_word words[ADMIN_OF_FEATURE] = {
    [ADMIN_STATUS] = {"status", false, 0, 0},
    [ADMIN_ROOMS] = {"rooms", false, 0, MEMBER_AFTER | MEMBER_ALL},
    [ADMIN_ROOM] = {"room", false, MEMBER_ROOM, 0},
    [ADMIN_SESSIONS] = {"sessions", false, 0, MEMBER_AFTER | MEMBER_ALL},
    [ADMIN_ADDRESSES] = {"addresses", false, 0, MEMBER_AFTER | MEMBER_ALL},
    [ADMIN_DRAIN] = {"drain", true, 0, MEMBER_CANCEL},
    [ADMIN_CLOSE] = {"close", true, MEMBER_ROOM, MEMBER_REASON},
    [ADMIN_ANNOUNCE] = {"announce", true, MEMBER_TEXT, 0},
    [ADMIN_LETTERS] = {"letters", false, 0, MEMBER_AFTER | MEMBER_ALL},
    [ADMIN_RETRY] = {"retry", true, MEMBER_LETTER, 0},
    [ADMIN_DISCARD] = {"discard", true, MEMBER_LETTER, 0},
};

/* The word of one of its operations, those about its document last. */
static const struct operator_word *word_of_feature(const struct feature *feature, size_t at)
{
    return at < feature->operation_count
               ? feature->operations[at].word
               : feature->document->rows[at - feature->operation_count].word;
}

const struct operator_word *operator_word_at(const struct feature *const *features, size_t at)
{
    assert(at <= OPERATOR_WORDS_MAX);
    if (at < ADMIN_OF_FEATURE)
        return &words[at];
    at -= ADMIN_OF_FEATURE;
    for (; features && *features; features++) {
        const struct feature_document *document = (*features)->document;
        const size_t count = (*features)->operation_count + (document ? document->row_count : 0);
        if (at < count)
            return word_of_feature(*features, at);
        at -= count;
    }
    return NULL;
}

/* ---- members */

static bool read_bool(bool *out, const json_t *value)
{
    *out = json_is_true(value);
    return json_is_boolean(value);
}

static bool read_after(struct admin_request *request, const json_t *value)
{
    const char *text = json_string_value(value);
    const size_t len = request->op == ADMIN_LETTERS ? ADMIN_AFTER_LETTER_BYTES : ADMIN_AFTER_BYTES;
    request->has_after = text && hex_decode(request->after, len, text, json_string_length(value));
    return request->has_after;
}

static uint64_t read_u64(const uint8_t bytes[static 8])
{
    uint64_t number = 0;
    for (int at = 0; at < 8; at++)
        number = number << 8 | bytes[at];
    return number;
}

static bool read_letter(struct admin_request *request, const json_t *value)
{
    uint8_t bytes[ADMIN_LETTER_TEXT / 2];
    const char *text = json_string_value(value);
    if (!text || !hex_decode(bytes, sizeof bytes, text, json_string_length(value)))
        return false;
    request->letter.addressee = read_u64(bytes);
    request->letter.id = read_u64(&bytes[8]);
    return true;
}

static bool read_room(struct admin_request *request, const json_t *value)
{
    const char *text = json_string_value(value);
    if (!text || !room_id_valid(text, json_string_length(value)))
        return false;
    memcpy(request->room, text, sizeof request->room);
    return true;
}

static bool read_handle(char handle[static PROTOCOL_HANDLE_BYTES + 1], const json_t *value)
{
    const char *text = json_string_value(value);
    if (!text || !handle_valid(text, json_string_length(value)))
        return false;
    memcpy(handle, text, json_string_length(value) + 1);
    return true;
}

/* Clients show it as they show what players say. */
static bool read_text(struct admin_request *request, const json_t *value)
{
    const char *text = json_string_value(value);
    return text && text_clean(request->text, sizeof request->text, text, json_string_length(value),
                              PROTOCOL_SAY_CHARS);
}

static bool read_number(int64_t *out, const json_t *value, int64_t most)
{
    *out = json_integer_value(value);
    return json_is_integer(value) && *out >= 1 && *out <= most;
}

static bool read_word(char word[static ADMIN_WORD_BYTES + 1], const json_t *value)
{
    const char *text = json_string_value(value);
    const size_t len = json_string_length(value);
    if (!text || len == 0 || len > ADMIN_WORD_BYTES ||
        strspn(text, "abcdefghijklmnopqrstuvwxyz") != len)
        return false;
    memcpy(word, text, len + 1);
    return true;
}

static bool read_lang(struct admin_request *request, const json_t *value)
{
    return json_is_string(value) &&
           protocol_lang_find(&request->lang, json_string_value(value), json_string_length(value));
}

static bool read_target(struct admin_request *request, const json_t *value)
{
    return json_is_string(value) && ban_target_read(&request->target, json_string_value(value));
}

static bool read_member(struct admin_request *request, enum operator_member member,
                        const json_t *value)
{
    switch (member) {
    case MEMBER_AFTER:
        return read_after(request, value);
    case MEMBER_ALL:
        return read_bool(&request->all, value);
    case MEMBER_CANCEL:
        return read_bool(&request->cancel, value);
    case MEMBER_ROOM:
        return read_room(request, value);
    case MEMBER_REASON:
    case MEMBER_TEXT:
        return read_text(request, value);
    case MEMBER_TARGET:
        return read_target(request, value);
    case MEMBER_FOR:
        return read_number(&request->for_s, value, ADMIN_FOR_S_MAX);
    case MEMBER_FORCE:
        return read_bool(&request->force, value);
    case MEMBER_LETTER:
        return read_letter(request, value);
    case MEMBER_HANDLE:
        return read_handle(request->handle, value);
    case MEMBER_TO:
        return read_handle(request->to, value);
    case MEMBER_REPORT:
        return read_number(&request->report, value, PROTOCOL_INTEGER_MAX);
    case MEMBER_MATCH:
        return read_number(&request->match, value, PROTOCOL_INTEGER_MAX);
    case MEMBER_LINE:
        return read_number(&request->line, value, PROTOCOL_INTEGER_MAX);
    case MEMBER_LANG:
        return read_lang(request, value);
    case MEMBER_VERDICT:
        return read_word(request->verdict, value);
    case MEMBER_WHY:
        return read_word(request->why, value);
    }
    return false;
}

static const struct {
    const char *name;
    enum operator_member member;
} members[] = {
    {"after", MEMBER_AFTER},     {"all", MEMBER_ALL},       {"cancel", MEMBER_CANCEL},
    {"for_s", MEMBER_FOR},       {"force", MEMBER_FORCE},   {"handle", MEMBER_HANDLE},
    {"verdict", MEMBER_VERDICT}, {"why", MEMBER_WHY},       {"report", MEMBER_REPORT},
    {"letter", MEMBER_LETTER},   {"reason", MEMBER_REASON}, {"room", MEMBER_ROOM},
    {"target", MEMBER_TARGET},   {"text", MEMBER_TEXT},     {"to", MEMBER_TO},
    {"match", MEMBER_MATCH},     {"lang", MEMBER_LANG},     {"line", MEMBER_LINE},
};
enum { MEMBERS = sizeof members / sizeof members[0] };

static bool refuse_request(struct refusal *refusal, enum protocol_error error, const char *field)
{
    *refusal = (struct refusal){.error = error, .field = field};
    return false;
}

/* Every member is one of the operation's, and all that it needs are there. */
static bool read_members(struct admin_request *request, json_t *object, struct refusal *refusal)
{
    const unsigned needed = request->word->needed;
    const unsigned allowed = needed | request->word->may;
    size_t known = 2; /* id and op */
    for (size_t i = 0; i < MEMBERS; i++) {
        const json_t *value = json_object_get(object, members[i].name);
        if (!value && needed & members[i].member)
            return refuse_request(refusal, PROTOCOL_MISSING_FIELD, members[i].name);
        if (!value)
            continue;
        if (!(allowed & members[i].member))
            return refuse_request(refusal, PROTOCOL_UNKNOWN_FIELD, members[i].name);
        if (!read_member(request, members[i].member, value))
            return refuse_request(refusal, PROTOCOL_BAD_FIELD, members[i].name);
        known++;
    }
    return known == json_object_size(object) ||
           refuse_request(refusal, PROTOCOL_UNKNOWN_FIELD, NULL);
}

/* ---- the line */

static bool read_id(struct admin_request *request, const json_t *object, struct refusal *refusal)
{
    const json_t *id = json_object_get(object, "id");
    if (!id)
        return refuse_request(refusal, PROTOCOL_MISSING_FIELD, "id");
    if (!json_is_integer(id) || json_integer_value(id) < 0 ||
        json_integer_value(id) > PROTOCOL_INTEGER_MAX)
        return refuse_request(refusal, PROTOCOL_BAD_FIELD, "id");
    request->id = json_integer_value(id);
    return true;
}

static bool read_op(struct admin_request *request, const struct feature *const *features,
                    const json_t *object, struct refusal *refusal)
{
    const json_t *op = json_object_get(object, "op");
    const char *text = json_string_value(op);
    const struct operator_word *word;
    if (!op)
        return refuse_request(refusal, PROTOCOL_MISSING_FIELD, "op");
    for (size_t at = 0; text && (word = operator_word_at(features, at)); at++) {
        if (strcmp(text, word->word) == 0) {
            request->op = at < ADMIN_OF_FEATURE ? (enum admin_op)at : ADMIN_OF_FEATURE;
            request->word = word;
            request->number = at;
            return true;
        }
    }
    return refuse_request(refusal, PROTOCOL_UNKNOWN_OP, "op");
}

static enum protocol_error error_of(enum json_read result)
{
    switch (result) {
    case JSON_READ_OK:
        return PROTOCOL_OK;
    case JSON_READ_TOO_DEEP:
        return PROTOCOL_TOO_DEEP;
    case JSON_READ_DUPLICATE_KEY:
        return PROTOCOL_DUPLICATE_KEY;
    case JSON_READ_NO_MEMORY:
        return PROTOCOL_INTERNAL;
    case JSON_READ_BAD:
    case JSON_READ_OVERFLOW:
        return PROTOCOL_BAD_JSON;
    }
    return PROTOCOL_BAD_JSON;
}

bool admin_request_read(struct admin_request *request, const struct feature *const *features,
                        const char *line, size_t len, struct refusal *refusal)
{
    json_t *object;
    *request = (struct admin_request){.id = REQUEST_NO_ID};
    if (len > ADMIN_LINE_BYTES)
        return refuse_request(refusal, PROTOCOL_TOO_LONG, NULL);
    const enum protocol_error error = error_of(json_read(&object, line, len, PROTOCOL_DEPTH));
    if (error != PROTOCOL_OK)
        return refuse_request(refusal, error, NULL);
    bool done = json_is_object(object) || refuse_request(refusal, PROTOCOL_BAD_JSON, NULL);
    done = done && read_id(request, object, refusal) &&
           read_op(request, features, object, refusal) && read_members(request, object, refusal);
    json_decref(object);
    return done;
}

static void write_target(const struct admin_request *request, struct writer *writer)
{
    char target[BAN_TARGET_TEXT];
    ban_target_format(&request->target, target);
    writer_key_string(writer, "target", target);
    if (request->for_s)
        writer_key_int(writer, "for_s", request->for_s);
    if (request->force)
        writer_key_bool(writer, "force", true);
}

void admin_letter_format(uint64_t addressee, uint64_t id, char text[static ADMIN_LETTER_TEXT + 1])
{
    (void)snprintf(text, ADMIN_LETTER_TEXT + 1, "%016" PRIx64 "%016" PRIx64, addressee, id);
}

static void write_letter(const struct admin_request *request, struct writer *writer)
{
    char letter[ADMIN_LETTER_TEXT + 1];
    admin_letter_format(request->letter.addressee, request->letter.id, letter);
    writer_key_string(writer, "letter", letter);
}

static void write_decision(const struct admin_request *request, struct writer *writer)
{
    writer_key_int(writer, "report", request->report);
    writer_key_string(writer, "verdict", request->verdict);
    writer_key_string(writer, "why", request->why);
    if (request->for_s)
        writer_key_int(writer, "for_s", request->for_s);
}

void admin_request_write(const struct admin_request *request, struct writer *writer)
{
    const unsigned has = request->word->needed | request->word->may;
    writer_key_string(writer, "op", request->word->word);
    if (request->room[0])
        writer_key_string(writer, "room", request->room);
    if (request->handle[0])
        writer_key_string(writer, "handle", request->handle);
    if (request->to[0])
        writer_key_string(writer, "to", request->to);
    if (request->match)
        writer_key_int(writer, "match", request->match);
    if (has & MEMBER_LANG)
        writer_key_string(writer, "lang", protocol_lang_name(request->lang));
    if (request->line)
        writer_key_int(writer, "line", request->line);
    if (request->cancel)
        writer_key_bool(writer, "cancel", true);
    if (request->target.session || request->target.bits)
        write_target(request, writer);
    if (has & MEMBER_LETTER)
        write_letter(request, writer);
    if (has & MEMBER_VERDICT)
        write_decision(request, writer);
    if (request->text[0])
        writer_key_string(writer, has & MEMBER_TEXT ? "text" : "reason", request->text);
}
