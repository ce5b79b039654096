#include <protocol/reply.h>

#include <inttypes.h>
#include <protocol/request.h>
#include <stdio.h>
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

bool reply_open(struct reply_contents *contents, int64_t id, bool refused, const char *text,
                size_t len)
{
    char number[24] = "null", begin[48];
    if (id != REQUEST_NO_ID)
        (void)snprintf(number, sizeof number, "%" PRId64, id);
    const int begin_len =
        snprintf(begin, sizeof begin, "{\"id\":%s,\"%s\":{", number, refused ? "error" : "ok");
    const size_t at = (size_t)begin_len - 1; /* the object's own bracket */
    if (len < at + sizeof "{}}" - 1 || memcmp(text, begin, (size_t)begin_len) != 0 ||
        memcmp(text + len - 2, "}}", 2) != 0)
        return false;
    *contents = (struct reply_contents){text + at, len - 1 - at};
    return true;
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
