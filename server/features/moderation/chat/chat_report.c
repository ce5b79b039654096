#include "chat/chat_report.h"

#include "chat/lines.h"
#include "chat/op_chat.h"
#include "report.h"
#include "report_table.h"
#include "state.h"
#include <assert.h>
#include <hub/call.h>
#include <hub/kernel.h>
#include <hub/kernel_others.h>
#include <protocol/buffer.h>
#include <protocol/json_writer.h>
#include <protocol/request.h>
#include <stdbool.h>
#include <stddef.h>

enum { AROUND = 12 }; /* lines before it, and behind it, if there is place */

static const struct chat_lines *lines_of(const struct call *call)
{
    return &moderation_of(call->hub)->lines;
}

/* A line, and those of its room that were said before and behind it. */
struct around {
    const struct chat_line *lines[2 * AROUND + 1];
    size_t count, at;
};

static void look_around(const struct chat_lines *lines, size_t about, struct around *around)
{
    const enum protocol_lang lang = chat_lines_at(lines, about)->lang;
    size_t before = 0;
    for (size_t at = 0; at < about; at++)
        before += chat_lines_at(lines, at)->lang == lang;
    *around = (struct around){.count = 0};
    for (size_t at = 0; at < lines->count && around->count <= around->at + AROUND; at++) {
        if (chat_lines_at(lines, at)->lang != lang || (at < about && before-- > AROUND))
            continue;
        if (at <= about)
            around->at = around->count;
        around->lines[around->count++] = chat_lines_at(lines, at);
    }
}

/* With the lines from `from` on, below `to`. */
static void write_snapshot(const struct call *call, const struct around *around, size_t from,
                           size_t to, struct buffer *out)
{
    const struct chat_line *about = around->lines[around->at];
    struct writer writer;
    buffer_clear(out);
    writer_init(&writer, out);
    writer_object(&writer);
    writer_key_int(&writer, "at", kernel_now_ms(call->hub));
    writer_key_bool(&writer, "lobby", true);
    writer_key_int(&writer, "line", about->n);
    writer_key_string(&writer, "name", about->name);
    writer_key_string(&writer, "handle", about->handle);
    if (request_has(call->request, REQUEST_TEXT))
        writer_key_string(&writer, "text", call->request->text);
    writer_key_array(&writer, "talk");
    for (; from < to; from++) {
        if (!around->lines[from]->gone && !chat_line_is_operators(around->lines[from]))
            chat_line_write(around->lines[from], &writer);
    }
    writer_end(&writer);
    writer_end(&writer);
}

/* lines->count: it is gone. */
static size_t find_line(const struct call *call)
{
    const struct chat_lines *lines = lines_of(call);
    size_t at = 0;
    while (at < lines->count &&
           (chat_lines_at(lines, at)->gone || chat_lines_at(lines, at)->n != call->request->line))
        at++;
    return at;
}

/* Of those around it as many as there is place for, what was said before it first. */
static bool make_snapshot(const struct call *call, struct buffer *out)
{
    struct around around;
    assert(find_line(call) < lines_of(call)->count);
    look_around(lines_of(call), find_line(call), &around);
    size_t from = 0, to = around.count;
    buffer_init(out, 0, REPORT_TEXT_MAX);
    write_snapshot(call, &around, from, to, out);
    while (out->failed && to - from > 1) {
        if (to > around.at + 1)
            to--;
        else
            from++;
        write_snapshot(call, &around, from, to, out);
    }
    return !out->failed;
}

void op_chat_report(struct call *call)
{
    if (!chat_may_hear(call) || !kernel_needs_account(call))
        return;
    const size_t at = find_line(call);
    if (at == lines_of(call)->count) {
        call_error(call, PROTOCOL_UNKNOWN_LINE, "line");
        return;
    }
    const struct reported reported = {.by = kernel_session_id(call->session),
                                      .about = chat_lines_at(lines_of(call), at)->session,
                                      .why = why_find(call->request->why),
                                      .at_ms = kernel_now_ms(call->hub)};
    if (reported.by == reported.about || !reported.about)
        call_error(call, PROTOCOL_BAD_FIELD, "line");
    else
        report_file(call, &reported, make_snapshot);
}
