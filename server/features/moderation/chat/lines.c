#include "chat/lines.h"

#include <assert.h>
#include <ctype.h>
#include <hub/kernel.h>
#include <protocol/json_writer.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void chat_lines_begin(struct chat_lines *lines, int64_t now_ms)
{
    if (lines->since == 0)
        lines->since = lines->revision = now_ms > 0 ? now_ms : 1;
}

void chat_lines_release(struct chat_lines *lines)
{
    free(lines->items);
    *lines = (struct chat_lines){0};
}

static int64_t next_revision(struct chat_lines *lines, int64_t now_ms)
{
    lines->revision = now_ms > lines->revision ? now_ms : lines->revision + 1;
    return lines->revision;
}

struct chat_line *chat_lines_at(const struct chat_lines *lines, size_t at)
{
    assert(at < lines->count);
    return &lines->items[at];
}

static bool is_full(const struct chat_lines *lines, enum protocol_lang lang)
{
    size_t count = 0;
    for (size_t at = 0; at < lines->count; at++)
        count += lines->items[at].lang == lang;
    return count == CHAT_LINES;
}

/* So few are said in a minute that those behind it may move. */
static void remove_oldest(struct chat_lines *lines, enum protocol_lang lang)
{
    size_t at = 0;
    while (chat_lines_at(lines, at)->lang != lang)
        at++;
    lines->lost[lang] = lines->items[at].n;
    lines->count--;
    memmove(&lines->items[at], &lines->items[at + 1], (lines->count - at) * sizeof *lines->items);
}

struct chat_line *chat_lines_add(struct chat_lines *lines, enum protocol_lang lang, int64_t now_ms)
{
    enum { CHAT_ALL = CHAT_LINES * PROTOCOL_LANG_COUNT };
    if (!lines->items)
        lines->items = calloc(CHAT_ALL, sizeof *lines->items);
    if (!lines->items)
        return NULL;
    chat_lines_begin(lines, now_ms);
    if (is_full(lines, lang))
        remove_oldest(lines, lang);
    struct chat_line *line = &lines->items[lines->count++];
    const int64_t n = next_revision(lines, now_ms);
    *line = (struct chat_line){.n = n, .changed = n, .at_ms = now_ms, .lang = lang};
    return line;
}

struct chat_line *chat_lines_find(const struct chat_lines *lines, int64_t n)
{
    for (size_t at = 0; at < lines->count; at++) {
        struct chat_line *line = chat_lines_at(lines, at);
        if (line->n == n)
            return line->gone ? NULL : line;
    }
    return NULL;
}

void chat_lines_take_away(struct chat_lines *lines, struct chat_line *line, int64_t now_ms)
{
    *line = (struct chat_line){.n = line->n,
                               .changed = next_revision(lines, now_ms),
                               .at_ms = line->at_ms,
                               .lang = line->lang,
                               .gone = true,
                               .session = line->session,
                               .source = line->source};
}

bool chat_lines_are_of(const struct chat_lines *lines, uint64_t session)
{
    size_t at = 0;
    while (at < lines->count && chat_lines_at(lines, at)->session != session)
        at++;
    return at < lines->count;
}

void chat_lines_erase(struct chat_lines *lines, uint64_t session, int64_t now_ms)
{
    for (size_t at = 0; at < lines->count; at++) {
        struct chat_line *line = chat_lines_at(lines, at);
        if (line->session != session)
            continue;
        if (!line->gone)
            chat_lines_take_away(lines, line, now_ms);
        line->session = line->source = 0;
    }
}

bool chat_lines_let_go(struct chat_lines *lines, int64_t keep_ms, int64_t now_ms)
{
    bool any = false;
    for (size_t at = 0; at < lines->count; at++) {
        struct chat_line *line = chat_lines_at(lines, at);
        if (line->gone || line->at_ms + keep_ms > now_ms)
            continue;
        chat_lines_take_away(lines, line, now_ms);
        line->session = line->source = 0;
        any = true;
    }
    return any;
}

int64_t chat_lines_due_ms(const struct chat_lines *lines, int64_t keep_ms)
{
    for (size_t at = 0; at < lines->count; at++) {
        const struct chat_line *line = chat_lines_at(lines, at);
        if (!line->gone)
            return line->at_ms + keep_ms;
    }
    return INT64_MAX;
}

bool chat_lines_are_missed(const struct chat_lines *lines, enum protocol_lang lang, int64_t have)
{
    return have < lines->since || have > lines->revision || have < lines->lost[lang];
}

/* ---- how much, and what */

static bool is_counted(const struct chat_line *line, uint64_t session, uint64_t source)
{
    if (session)
        return line->session == session;
    return !source || (line->source && kernel_source_is_near(line->source, source, 0));
}

int64_t chat_lines_wait_ms(const struct chat_lines *lines, uint64_t session, uint64_t source,
                           int64_t most, int64_t now_ms)
{
    int64_t count = 0;
    for (size_t at = lines->count; at-- > 0;) {
        const struct chat_line *line = chat_lines_at(lines, at);
        if (line->at_ms + CHAT_MINUTE_MS <= now_ms)
            return 0;
        count += is_counted(line, session, source);
        if (count >= most)
            return line->at_ms + CHAT_MINUTE_MS - now_ms;
    }
    return 0;
}

int64_t chat_lines_repeated(const struct chat_lines *lines, uint64_t session,
                            enum protocol_lang lang, const char *text)
{
    for (size_t at = lines->count; at-- > 0;) {
        const struct chat_line *line = chat_lines_at(lines, at);
        if (line->session == session && line->lang == lang && !line->gone)
            return strcmp(line->text, text) == 0 ? line->n : 0;
    }
    return 0;
}

/* "www." at the beginning of a word. */
static bool begins_page(const char *text, const char *at)
{
    static const char start[] = "www.";
    return strncasecmp(at, start, sizeof start - 1) == 0 &&
           (at == text || !isalnum((unsigned char)at[-1]));
}

bool chat_has_link(const char *text)
{
    if (strstr(text, "://"))
        return true;
    for (const char *at = text; *at; at++) {
        if (begins_page(text, at))
            return true;
    }
    return false;
}

bool chat_line_is_operators(const struct chat_line *line)
{
    return !line->session && !line->gone;
}

void chat_line_write_members(const struct chat_line *line, struct writer *writer)
{
    writer_key_int(writer, "line", line->n);
    writer_key_int(writer, "at", line->at_ms);
    if (chat_line_is_operators(line)) {
        writer_key_bool(writer, "operator", true);
    } else {
        writer_key_string(writer, "handle", line->handle);
        writer_key_string(writer, "name", line->name);
    }
    writer_key_string(writer, "text", line->text);
}

void chat_line_write(const struct chat_line *line, struct writer *writer)
{
    writer_object(writer);
    chat_line_write_members(line, writer);
    writer_end(writer);
}
