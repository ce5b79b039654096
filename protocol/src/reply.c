#include <protocol/reply.h>
#include <protocol/request.h>

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

void reply_ok(struct writer *writer, int64_t id)
{
    reply_begin(writer, id);
    reply_end(writer);
}

void reply_seq(struct writer *writer, int64_t id, int64_t seq)
{
    reply_begin(writer, id);
    writer_key_int(writer, "seq", seq);
    reply_end(writer);
}

void reply_error(struct writer *writer, int64_t id, enum protocol_error error, const char *field)
{
    reply_refusal(writer, id, protocol_error_code(error), protocol_error_sentence(error), field);
}

void reply_refusal(struct writer *writer, int64_t id, const char *code, const char *message,
                   const char *field)
{
    open_reply(writer, id);
    writer_key_object(writer, "error");
    writer_key_string(writer, "code", code);
    writer_key_string(writer, "message", message);
    if (field && field[0])
        writer_key_string(writer, "field", field);
    reply_end(writer);
}

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

void push_event(struct writer *writer, const char *room, int64_t seq, int64_t at_ms,
                const char *event, size_t event_len, const char *patch, size_t patch_len)
{
    push_begin(writer, "event", room);
    writer_key_int(writer, "seq", seq);
    writer_key_int(writer, "at", at_ms);
    writer_key_raw(writer, "event", event, event_len);
    writer_key_raw(writer, "patch", patch, patch_len);
    push_end(writer);
}

void push_notice(struct writer *writer, enum protocol_notice notice, const char *room,
                 const char *message)
{
    push_begin(writer, "notice", room);
    writer_key_string(writer, "code", protocol_notice_name(notice));
    writer_key_string(writer, "message", message);
    push_end(writer);
}
