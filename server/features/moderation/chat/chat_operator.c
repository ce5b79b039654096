#include "chat/chat_operator.h"

#include "chat/lines.h"
#include "chat/listeners.h"
#include "state.h"
#include <hub/admin_request.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <protocol/json_writer.h>
#include <protocol/reply.h>
#include <protocol/text.h>
#include <stdio.h>
#include <string.h>

const struct operator_word chat_lobby_word = {"lobby", false, 0, 0};
const struct operator_word chat_say_word = {"say", true, MEMBER_TEXT, MEMBER_LANG};
const struct operator_word chat_unsay_word = {"unsay", true, MEMBER_LINE, MEMBER_REASON};

static bool refuse_request(struct refusal *refusal, enum protocol_error error, const char *field)
{
    *refusal = (struct refusal){.error = error, .field = field};
    return false;
}

/* Else that is refused. */
static bool is_on(const struct hub *hub, struct refusal *refusal)
{
    return kernel_env(hub)->chat != HUB_CHAT_OFF ||
           refuse_request(refusal, PROTOCOL_CHAT_OFF, NULL);
}

bool chat_operator_lists(struct hub *hub, const struct admin_request *request,
                         struct writer *writer, struct refusal *refusal)
{
    const struct chat_lines *lines = &moderation_of(hub)->lines;
    (void)request;
    if (!is_on(hub, refusal))
        return false;
    writer_key_array(writer, "lines");
    for (size_t at = 0; at < lines->count; at++) {
        const struct chat_line *line = chat_lines_at(lines, at);
        if (line->gone)
            continue;
        writer_object(writer);
        chat_line_write_members(line, writer);
        writer_key_string(writer, "lang", protocol_lang_name(line->lang));
        writer_end(writer);
    }
    writer_end(writer);
    return true;
}

bool chat_operator_says(struct hub *hub, const struct admin_request *request, struct writer *writer,
                        struct refusal *refusal)
{
    struct moderation *moderation = moderation_of(hub);
    char text[PROTOCOL_CHAT_BYTES + 1];
    if (!is_on(hub, refusal))
        return false;
    if (!text_kept(text, sizeof text, request->text, strlen(request->text), PROTOCOL_CHAT_CHARS))
        return refuse_request(refusal, PROTOCOL_BAD_FIELD, "text");
    struct chat_line *line = chat_lines_add(&moderation->lines, request->lang, kernel_now_ms(hub));
    if (!line)
        return refuse_request(refusal, PROTOCOL_INTERNAL, NULL);
    (void)snprintf(line->text, sizeof line->text, "%s", text);
    moderation->lines_said++;
    writer_key_int(writer, "line", line->n);
    chat_listeners_tell(hub);
    return true;
}

bool chat_operator_takes_away(struct hub *hub, const struct admin_request *request,
                              struct writer *writer, struct refusal *refusal)
{
    struct chat_lines *lines = &moderation_of(hub)->lines;
    if (!is_on(hub, refusal))
        return false;
    struct chat_line *line = chat_lines_find(lines, request->line);
    if (!line)
        return refuse_request(refusal, PROTOCOL_UNKNOWN_LINE, "line");
    chat_lines_take_away(lines, line, kernel_now_ms(hub));
    writer_key_int(writer, "line", request->line);
    chat_listeners_tell(hub);
    return true;
}
