#include "chat/op_chat.h"

#include "chat/lines.h"
#include "chat/listeners.h"
#include "moderator.h"
#include "state.h"
#include <hub/call.h>
#include <hub/config.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <hub/kernel_others.h>
#include <hub/kernel_query.h>
#include <hub/kernel_talk.h>
#include <hub/store_query.h>
#include <protocol/account.h>
#include <protocol/request.h>
#include <protocol/text.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct chat_lines *lines_of(const struct hub *hub)
{
    return &moderation_of(hub)->lines;
}

/* ---- hearing */

bool chat_may_hear(const struct call *call)
{
    const enum hub_chat chat = kernel_env(call->hub)->chat;
    if (chat == HUB_CHAT_OFF)
        call_error(call, PROTOCOL_CHAT_OFF, NULL);
    else if (kernel_is_quiet(call))
        call_error(call, PROTOCOL_QUIET, NULL);
    else
        return chat == HUB_CHAT_EVERYBODY || kernel_needs_account(call);
    return false;
}

static enum protocol_lang lang_of(const struct call *call)
{
    const char *text = call->request->lang;
    enum protocol_lang lang = PROTOCOL_LANG_EN;
    if (request_has(call->request, REQUEST_LANG))
        (void)protocol_lang_find(&lang, text, strlen(text)); /* a request has no other words */
    return lang;
}

void op_chat(struct call *call)
{
    const struct chat_heard heard = {
        lang_of(call), request_has(call->request, REQUEST_HAVE) ? call->request->have : -1};
    if (!chat_may_hear(call) || !kernel_knows_blocks(call))
        return;
    chat_lines_begin(lines_of(call->hub), kernel_now_ms(call->hub));
    if (chat_lines_are_missed(lines_of(call->hub), heard.lang, heard.have) ||
        chat_has_news(call->hub, call->session, &heard))
        chat_answer(call, &heard, false);
    else if (!chat_listeners_wait(call, &heard))
        chat_answer(call, &heard, true);
}

/* ---- saying something */

/* What is said, until it is known since when they have an account. */
struct saying {
    struct kernel_kept kept;
    enum protocol_lang lang;
    char text[PROTOCOL_CHAT_BYTES + 1];
};

static void destroy_kept(struct kernel_kept *kept)
{
    free(kept);
}

static uint64_t source_of(const struct call *call)
{
    return kernel_is_local(call) ? 0 : kernel_source(call);
}

/* In how many milliseconds they may say something; 0: now. */
static int64_t wait_ms(const struct call *call)
{
    const struct hub_config *config = kernel_config(call->hub);
    const struct chat_lines *lines = lines_of(call->hub);
    const int64_t now_ms = kernel_now_ms(call->hub);
    const uint64_t session = kernel_session_id(call->session), source = source_of(call);
    int64_t ms = chat_lines_wait_ms(lines, session, 0, config->chat_per_account_per_min, now_ms);
    const int64_t all_ms = chat_lines_wait_ms(lines, 0, 0, config->chat_per_min, now_ms);
    const int64_t near_ms =
        source ? chat_lines_wait_ms(lines, 0, source, config->chat_per_address_per_min, now_ms) : 0;
    ms = all_ms > ms ? all_ms : ms;
    return near_ms > ms ? near_ms : ms;
}

/* Else the call is refused. */
static bool may_speak(const struct call *call)
{
    if (!chat_may_hear(call) || !kernel_needs_account(call))
        return false;
    const int64_t silenced_ms = kernel_silenced_until_ms(call), ms = wait_ms(call);
    if (silenced_ms)
        call_error_until(call, PROTOCOL_SILENCED, silenced_ms);
    else if (ms > 0)
        call_error_until(call, PROTOCOL_SLOW_DOWN, kernel_now_ms(call->hub) + ms);
    else
        return true;
    return false;
}

static void answer_line(const struct call *call, int64_t n)
{
    struct reply reply;
    call_reply_begin(call, &reply);
    writer_key_int(&reply.writer, "line", n);
    call_reply(call, &reply, NULL);
}

/* Who says the same again has said it. */
static bool answer_repeated(const struct call *call, enum protocol_lang lang, const char *text)
{
    const int64_t n =
        chat_lines_repeated(lines_of(call->hub), kernel_session_id(call->session), lang, text);
    if (n)
        answer_line(call, n);
    return n;
}

/* Since when they have their account is asked of the store, as the desk is home to few. */
static void ask_since(const struct call *call, const char *text)
{
    alignas(max_align_t) unsigned char from[STORE_ROW_SIZE_MAX] = {0};
    struct kernel_query query;
    struct saying *saying = calloc(1, sizeof *saying);
    if (!saying) {
        call_error(call, PROTOCOL_INTERNAL, NULL);
        return;
    }
    saying->kept.destroy = destroy_kept;
    saying->lang = lang_of(call);
    (void)snprintf(saying->text, sizeof saying->text, "%s", text);
    if (kernel_ask_account(call->hub, kernel_account(call->session)->handle, &query, from)) {
        query.kept = &saying->kept;
        if (call_query(call, &query))
            return;
    }
    free(saying);
    call_error(call, PROTOCOL_SLOW_DOWN, NULL);
}

void op_chat_say(struct call *call)
{
    const char *said = call->request->text;
    char text[PROTOCOL_CHAT_BYTES + 1];
    if (!may_speak(call))
        return;
    if (!text_kept(text, sizeof text, said, strlen(said), PROTOCOL_CHAT_CHARS))
        call_error(call, PROTOCOL_BAD_FIELD, "text");
    else if (chat_has_link(text))
        call_error(call, PROTOCOL_CHAT_LINK, "text");
    else if (answer_repeated(call, lang_of(call), text))
        return;
    else if (!kernel_take_say(call))
        call_error(call, PROTOCOL_SLOW_DOWN, NULL);
    else
        ask_since(call, text);
}

static void say_line(const struct call *call, const struct saying *saying)
{
    struct moderation *moderation = moderation_of(call->hub);
    struct chat_line *line =
        chat_lines_add(&moderation->lines, saying->lang, kernel_now_ms(call->hub));
    if (!line) {
        call_error(call, PROTOCOL_INTERNAL, NULL);
        return;
    }
    line->session = kernel_session_id(call->session);
    line->source = source_of(call);
    (void)snprintf(line->handle, sizeof line->handle, "%s", kernel_account(call->session)->handle);
    (void)snprintf(line->name, sizeof line->name, "%s", kernel_session_name(call->session));
    (void)snprintf(line->text, sizeof line->text, "%s", saying->text);
    moderation->lines_said++;
    answer_line(call, line->n);
    chat_listeners_tell(call->hub); /* behind the answer: it makes other calls */
}

/* What has changed while the store was asked counts. */
static void say_later(const struct call *call, const struct store_query *query)
{
    const struct saying *saying = (const struct saying *)(const void *)call->kept;
    const int64_t age_ms = kernel_config(call->hub)->chat_age_ms;
    if (query->result != STORE_OK) {
        call_error(call, PROTOCOL_STORE_FAILING, NULL);
        return;
    }
    if (!may_speak(call))
        return;
    if (query->count == 0) { /* it has another handle meanwhile */
        call_error(call, PROTOCOL_SLOW_DOWN, NULL);
        return;
    }
    const int64_t old_ms =
        kernel_read_account_since_ms(call->hub, store_query_row(query, 0)) + age_ms;
    if (old_ms > kernel_now_ms(call->hub))
        call_error_until(call, PROTOCOL_CHAT_YOUNG, old_ms);
    else if (!answer_repeated(call, saying->lang, saying->text))
        say_line(call, saying);
}

/* ---- taking a line away */

struct dropping {
    struct kernel_kept kept;
    int64_t n;
};

static void drop_line(const struct call *call, struct chat_line *line)
{
    struct reply reply;
    chat_lines_take_away(lines_of(call->hub), line, kernel_now_ms(call->hub));
    kernel_log(call->hub, "chat_line_dropped", kernel_session_id(call->session), false);
    call_reply_begin(call, &reply);
    call_reply(call, &reply, NULL);
    chat_listeners_tell(call->hub);
}

static void ask_moderators(const struct call *call)
{
    alignas(max_align_t) unsigned char from[STORE_ROW_SIZE_MAX] = {0};
    struct kernel_query query;
    struct dropping *dropping = calloc(1, sizeof *dropping);
    if (!dropping) {
        call_error(call, PROTOCOL_INTERNAL, NULL);
        return;
    }
    dropping->kept.destroy = destroy_kept;
    dropping->n = call->request->line;
    moderators_ask(&query, from);
    query.kept = &dropping->kept;
    if (call_query(call, &query))
        return;
    free(dropping);
    call_error(call, PROTOCOL_SLOW_DOWN, NULL);
}

/* One's own, or a moderator anybody's, who may be quiet. */
void op_chat_drop(struct call *call)
{
    struct chat_line *line = chat_lines_find(lines_of(call->hub), call->request->line);
    if (kernel_env(call->hub)->chat == HUB_CHAT_OFF)
        call_error(call, PROTOCOL_CHAT_OFF, NULL);
    else if (!line)
        call_error(call, PROTOCOL_UNKNOWN_LINE, "line");
    else if (line->session == kernel_session_id(call->session))
        drop_line(call, line);
    else if (!kernel_account(call->session))
        call_error(call, PROTOCOL_NOT_MODERATOR, NULL);
    else
        ask_moderators(call);
}

static void drop_later(const struct call *call, const struct store_query *query)
{
    const int64_t n = ((const struct dropping *)(const void *)call->kept)->n;
    struct chat_line *line = chat_lines_find(lines_of(call->hub), n);
    bool others;
    if (query->result != STORE_OK)
        call_error(call, PROTOCOL_STORE_FAILING, NULL);
    else if (!moderators_have(query, kernel_session_id(call->session), &others))
        call_error(call, PROTOCOL_NOT_MODERATOR, NULL);
    else if (!line)
        call_error(call, PROTOCOL_UNKNOWN_LINE, "line");
    else
        drop_line(call, line);
}

void chat_queried(struct call *call, const struct store_query *query)
{
    if (call->request->op == REQUEST_CHAT_SAY)
        say_later(call, query);
    else
        drop_later(call, query);
}

/* ---- what goes by itself */

/* They are in memory alone, and wait for no batch. */
size_t chat_forget(struct hub *hub, uint64_t session, size_t max, bool *more)
{
    struct chat_lines *lines = lines_of(hub);
    if (!chat_lines_are_of(lines, session))
        return 0;
    if (max == 0) {
        *more = true;
        return 0;
    }
    chat_lines_erase(lines, session, kernel_now_ms(hub));
    chat_listeners_tell(hub);
    return 0;
}

int64_t chat_deadline_ms(const struct hub *hub)
{
    const int64_t line_ms = chat_lines_due_ms(lines_of(hub), kernel_config(hub)->chat_keep_ms);
    const int64_t listener_ms = chat_listeners_deadline_ms(hub);
    return line_ms < listener_ms ? line_ms : listener_ms;
}

void chat_tick(struct hub *hub)
{
    if (chat_lines_let_go(lines_of(hub), kernel_config(hub)->chat_keep_ms, kernel_now_ms(hub)))
        chat_listeners_tell(hub);
    chat_listeners_tick(hub);
}

/* ---- what is told of it */

void chat_write_hello(const struct hub *hub, struct writer *writer)
{
    static const char *const words[HUB_CHAT_MODES] = {NULL, "accounts", "everybody"};
    if (kernel_env(hub)->chat != HUB_CHAT_OFF)
        writer_key_string(writer, "chat", words[kernel_env(hub)->chat]);
}

void chat_write_kept(const struct hub *hub, uint64_t session, struct writer *writer)
{
    const struct chat_lines *lines = lines_of(hub);
    if (kernel_env(hub)->chat == HUB_CHAT_OFF)
        return;
    writer_key_array(writer, "chat");
    for (size_t at = 0; at < lines->count; at++) {
        const struct chat_line *line = chat_lines_at(lines, at);
        if (line->session != session || line->gone)
            continue;
        writer_object(writer);
        writer_key_int(writer, "line", line->n);
        writer_key_int(writer, "at", line->at_ms);
        writer_key_string(writer, "lang", protocol_lang_name(line->lang));
        writer_key_string(writer, "text", line->text);
        writer_end(writer);
    }
    writer_end(writer);
}
