#include "chat/listeners.h"

#include "chat/lines.h"
#include "state.h"
#include <hub/call.h>
#include <hub/config.h>
#include <hub/kernel.h>
#include <hub/kernel_talk.h>
#include <stdlib.h>

struct chat_listener {
    struct chat_listener *next;
    struct call_later later;
    uint64_t session;
    uint16_t share; /* of where they ask from */
    struct chat_heard heard;
    int64_t due_ms;
};

static struct chat_listeners *listeners_of(const struct hub *hub)
{
    return &moderation_of(hub)->listeners;
}

static const struct chat_lines *lines_of(const struct hub *hub)
{
    return &moderation_of(hub)->lines;
}

/* ---- the answer */

static bool is_heard(const struct hub *hub, const struct session *session,
                     const struct chat_line *line)
{
    return line->session == kernel_session_id(session) ||
           !kernel_hides(hub, session, line->session);
}

/* Of one that has come and gone since nothing is to be told. */
static bool is_news(const struct hub *hub, const struct session *session,
                    const struct chat_line *line, const struct chat_heard *heard)
{
    if (line->lang != heard->lang)
        return false;
    if (line->gone)
        return line->changed > heard->have && line->n <= heard->have;
    return line->n > heard->have && is_heard(hub, session, line);
}

bool chat_has_news(const struct hub *hub, const struct session *session,
                   const struct chat_heard *heard)
{
    const struct chat_lines *lines = lines_of(hub);
    size_t at = 0;
    while (at < lines->count && !is_news(hub, session, chat_lines_at(lines, at), heard))
        at++;
    return at < lines->count;
}

static void write_news(const struct call *call, const struct chat_heard *heard,
                       struct writer *writer)
{
    const struct chat_lines *lines = lines_of(call->hub);
    writer_key_array(writer, "lines");
    for (size_t at = 0; at < lines->count; at++) {
        const struct chat_line *line = chat_lines_at(lines, at);
        if (!line->gone && is_news(call->hub, call->session, line, heard))
            chat_line_write(line, writer);
    }
    writer_end(writer);
    writer_key_array(writer, "gone");
    for (size_t at = 0; at < lines->count; at++) {
        const struct chat_line *line = chat_lines_at(lines, at);
        if (line->gone && is_news(call->hub, call->session, line, heard))
            writer_int(writer, line->n);
    }
    writer_end(writer);
}

void chat_answer(const struct call *call, const struct chat_heard *heard, bool again)
{
    const struct chat_lines *lines = lines_of(call->hub);
    const bool missed = chat_lines_are_missed(lines, heard->lang, heard->have);
    const struct chat_heard nothing = {heard->lang, 0};
    struct reply reply;
    call_reply_begin(call, &reply);
    writer_key_int(&reply.writer, "have", lines->revision);
    if (missed)
        writer_key_bool(&reply.writer, "whole", true);
    write_news(call, missed ? &nothing : heard, &reply.writer);
    if (again)
        writer_key_int(&reply.writer, "again_ms", CHAT_AGAIN_MS);
    call_charge(call, reply.buffer.len);
    call_reply(call, &reply, NULL);
}

/* ---- who waits */

static void add_listener(struct chat_listeners *listeners, struct chat_listener *listener)
{
    *(listeners->last ? &listeners->last->next : &listeners->first) = listener;
    listeners->last = listener;
    listeners->count++;
}

/* `before`: the one before it; NULL: it is the first. */
static void take_out(struct chat_listeners *listeners, struct chat_listener *listener,
                     struct chat_listener *before)
{
    *(before ? &before->next : &listeners->first) = listener->next;
    if (listeners->last == listener)
        listeners->last = before;
    listeners->count--;
}

/* To whoever asked, if they are still there as the same, and may hear it. */
static void answer_listener(struct hub *hub, struct chat_listener *listener,
                            struct chat_listener *before)
{
    struct call call;
    take_out(listeners_of(hub), listener, before);
    if (call_resume(hub, &listener->later, &call) &&
        kernel_session_id(call.session) == listener->session) {
        if (kernel_is_quiet(&call))
            call_error(&call, PROTOCOL_QUIET, NULL);
        else
            chat_answer(&call, &listener->heard, false);
    }
    free(listener);
}

typedef bool is_due_fn(const struct hub *hub, const struct chat_listener *listener);

static void answer_who(struct hub *hub, is_due_fn *is_due)
{
    struct chat_listener *before = NULL, *next;
    for (struct chat_listener *one = listeners_of(hub)->first; one; one = next) {
        next = one->next;
        if (is_due(hub, one))
            answer_listener(hub, one, before);
        else
            before = one;
    }
}

/* One of a connection waits: the later one. */
static bool is_replaced(const struct hub *hub, const struct chat_listener *listener)
{
    const struct chat_listener *last = listeners_of(hub)->last;
    return listener != last && listener->later.peer == last->later.peer;
}

static bool has_place(const struct hub *hub, uint16_t share, uint64_t peer)
{
    size_t in_all = 0, of_share = 0;
    for (const struct chat_listener *one = listeners_of(hub)->first; one; one = one->next) {
        in_all += one->later.peer != peer;
        of_share += one->later.peer != peer && one->share == share;
    }
    return in_all < (uint64_t)kernel_config(hub)->chat_listeners && of_share < LISTENERS_PER_SHARE;
}

bool chat_listeners_wait(const struct call *call, const struct chat_heard *heard)
{
    const uint16_t share = kernel_source_share(call);
    const struct call_later later = call_put_off(call);
    struct chat_listener *listener =
        has_place(call->hub, share, later.peer) ? malloc(sizeof *listener) : NULL;
    if (!listener)
        return false;
    *listener = (struct chat_listener){.later = later,
                                       .session = kernel_session_id(call->session),
                                       .share = share,
                                       .heard = *heard,
                                       .due_ms = kernel_now_ms(call->hub) + CHAT_HOLD_MS};
    add_listener(listeners_of(call->hub), listener);
    answer_who(call->hub, is_replaced);
    return true;
}

/* Of whom nobody is any more, too. */
static bool is_told(const struct hub *hub, const struct chat_listener *listener)
{
    const struct session *session = kernel_session_find(hub, listener->session);
    return !session || chat_has_news(hub, session, &listener->heard);
}

void chat_listeners_tell(struct hub *hub)
{
    answer_who(hub, is_told);
}

/* ---- time */

int64_t chat_listeners_deadline_ms(const struct hub *hub)
{
    const struct chat_listener *first = listeners_of(hub)->first;
    return first ? first->due_ms : INT64_MAX;
}

static bool is_over(const struct hub *hub, const struct chat_listener *listener)
{
    return listener->due_ms <= kernel_now_ms(hub);
}

void chat_listeners_tick(struct hub *hub)
{
    if (chat_listeners_deadline_ms(hub) <= kernel_now_ms(hub))
        answer_who(hub, is_over);
}

void chat_listeners_release(struct chat_listeners *listeners)
{
    struct chat_listener *next;
    for (struct chat_listener *one = listeners->first; one; one = next) {
        next = one->next;
        free(one);
    }
    *listeners = (struct chat_listeners){0};
}
