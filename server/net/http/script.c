#define _GNU_SOURCE /* memmem */
#include "script.h"
#include "script_line.h"

#include <stdbool.h>
#include <string.h>

static const unsigned char *find_line_end(const unsigned char *at, const unsigned char *end)
{
    const unsigned char *newline = memchr(at, '\n', (size_t)(end - at));
    return newline ? newline + 1 : end;
}

static const unsigned char *skip_blanks(const unsigned char *at, const unsigned char *end)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r'))
        at++;
    return at;
}

static bool is_for_tools(const unsigned char *at, const unsigned char *end)
{
    return at + 2 < end && strchr("!#@", at[2]);
}

/* Where the lines end that have nothing but a comment; NULL: there is none. */
static const unsigned char *find_comment_end(const unsigned char *at, const unsigned char *end)
{
    at = skip_blanks(at, end);
    const bool block = script_starts_with(at, end, "/*");
    if ((!block && !script_starts_with(at, end, "//")) || is_for_tools(at, end))
        return NULL;
    if (!block)
        return find_line_end(at, end);
    at = script_find_block_end(at, end);
    if (!at)
        return NULL;
    at = skip_blanks(at, end);
    return at == end || *at == '\n' ? find_line_end(at, end) : NULL;
}

static unsigned char *keep_lines(unsigned char *to, const unsigned char *at,
                                 const unsigned char *end)
{
    for (; at < end; at++) {
        if (*at == '\n')
            *to++ = '\n';
    }
    return to;
}

static unsigned char *keep_text(unsigned char *to, const unsigned char *at,
                                const unsigned char *end)
{
    memmove(to, at, (size_t)(end - at));
    return to + (end - at);
}

size_t script_drop_comments(unsigned char *text, size_t len)
{
    const unsigned char *at = text, *end = text + len;
    unsigned char *to = text;
    while (at < end) {
        const unsigned char *after = find_comment_end(at, end);
        if (after) {
            to = keep_lines(to, at, after);
        } else {
            after = find_line_end(at, end);
            if (!script_line_is_whole(at, after))
                after = end;
            to = keep_text(to, at, after);
        }
        at = after;
    }
    return (size_t)(to - text);
}
