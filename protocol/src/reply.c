#include <protocol/reply.h>

#include <protocol/limits.h>
#include <protocol/request.h>
#include <string.h>

static void open_reply(struct writer *writer, int64_t id)
{
    writer_object(writer);
    if (id == REQUEST_NO_ID)
        writer_key_null(writer, "id");
    else
        writer_key_int(writer, "id", id);
}

void reply_begin(struct writer *writer, int64_t id)
{
    open_reply(writer, id);
    writer_key_object(writer, "ok");
}

void reply_end(struct writer *writer)
{
    writer_end(writer);
    writer_end(writer);
}

void reply_error(struct writer *writer, int64_t id, enum protocol_error error, const char *field)
{
    struct refusal refusal = {.error = error, .field = field};
    reply_refusal(writer, id, &refusal);
}

static void key_string_if_any(struct writer *writer, const char *key, const char *string)
{
    if (string && string[0])
        writer_key_string(writer, key, string);
}

void reply_refusal(struct writer *writer, int64_t id, const struct refusal *refusal)
{
    bool by_protocol = refusal->error != PROTOCOL_OK;
    open_reply(writer, id);
    writer_key_object(writer, "error");
    writer_key_string(writer, "code",
                      by_protocol ? protocol_error_code(refusal->error) : refusal->code);
    writer_key_string(writer, "message",
                      by_protocol ? protocol_error_sentence(refusal->error) : refusal->text);
    key_string_if_any(writer, "field", refusal->field);
    key_string_if_any(writer, "at", refusal->at);
    if (refusal->has_number)
        writer_key_int(writer, "number", refusal->number);
    if (refusal->retry_ms > 0)
        writer_key_int(writer, "retry_ms", refusal->retry_ms);
    reply_end(writer);
}

/* ---- opened again */

struct rest {
    const char *at, *end;
};

static bool skip_text(struct rest *rest, const char *text)
{
    const size_t len = strlen(text);
    if ((size_t)(rest->end - rest->at) < len || memcmp(rest->at, text, len) != 0)
        return false;
    rest->at += len;
    return true;
}

static bool read_id(struct rest *rest, int64_t *id)
{
    const char *begin = rest->at;
    *id = 0;
    if (skip_text(rest, "null")) {
        *id = REQUEST_NO_ID;
        return true;
    }
    for (; rest->at < rest->end && *rest->at >= '0' && *rest->at <= '9'; rest->at++) {
        if (*id > PROTOCOL_INTEGER_MAX / 10)
            return false;
        *id = *id * 10 + (*rest->at - '0');
    }
    return rest->at > begin;
}

/* It is what reply_refusal writes first. */
static bool read_code(struct rest contents, struct reply_envelope *envelope)
{
    if (!skip_text(&contents, "{\"code\":\""))
        return false;
    const char *end = memchr(contents.at, '"', (size_t)(contents.end - contents.at));
    envelope->code = contents.at;
    envelope->code_len = end ? (size_t)(end - contents.at) : 0;
    return end;
}

bool reply_open(struct reply_envelope *envelope, const char *text, size_t len)
{
    struct rest rest = {text, text + len};
    *envelope = (struct reply_envelope){0};
    if (!skip_text(&rest, "{\"id\":") || !read_id(&rest, &envelope->id))
        return false;
    envelope->refused = skip_text(&rest, ",\"error\":");
    if (!envelope->refused && !skip_text(&rest, ",\"ok\":"))
        return false;
    if (rest.end - rest.at < 3 || rest.at[0] != '{' || rest.end[-2] != '}' || rest.end[-1] != '}')
        return false;
    rest.end--;
    envelope->contents = rest.at;
    envelope->len = (size_t)(rest.end - rest.at);
    return !envelope->refused || read_code(rest, envelope);
}

/* ---- pushes */

void push_begin(struct writer *writer, const char *push, const char *room)
{
    writer_object(writer);
    writer_key_string(writer, "push", push);
    if (room)
        writer_key_string(writer, "room", room);
}

void push_end(struct writer *writer)
{
    writer_end(writer);
}

void push_event_begin(struct writer *writer, const char *room, int64_t seq, int64_t at_ms)
{
    push_begin(writer, "event", room);
    writer_key_int(writer, "seq", seq);
    writer_key_int(writer, "at", at_ms);
}

void push_notice(struct writer *writer, enum protocol_notice notice, const char *room,
                 const char *message)
{
    push_begin(writer, "notice", room);
    writer_key_string(writer, "code", protocol_notice_name(notice));
    writer_key_string(writer, "message", message);
    push_end(writer);
}
