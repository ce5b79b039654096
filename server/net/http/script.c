#define _GNU_SOURCE /* memmem */
#include "script.h"

#include <stdbool.h>
#include <string.h>

enum { TEMPLATES_MAX = 8 }; /* within each other, on one line */

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

static bool starts_with(const unsigned char *at, const unsigned char *end, const char *two)
{
    return end - at >= 2 && memcmp(at, two, 2) == 0;
}

/* Behind the end of the comment that begins there; NULL: it has none. */
static const unsigned char *find_block_end(const unsigned char *at, const unsigned char *end)
{
    const unsigned char *found = memmem(at + 2, (size_t)(end - at - 2), "*/", 2);
    return found ? found + 2 : NULL;
}

/* ---- what a line leaves open */

/* Templates are texts in which there may be code, in which there may be templates. */
struct line {
    const unsigned char *at, *end;
    int templates;                 /* that have not ended, */
    int braces[TEMPLATES_MAX + 1]; /* and how many are open in the code within each */
    bool in_text;                  /* of the innermost, not in the code within it */
};

static void read_text(struct line *line)
{
    if (*line->at == '`') {
        line->templates--;
        line->in_text = false;
    } else if (starts_with(line->at, line->end, "${")) {
        line->braces[line->templates] = 0;
        line->in_text = false;
        line->at++;
    } else if (*line->at == '\\') {
        line->at++;
    }
    line->at++;
}

/* False: it does not end here. */
static bool skip_string(struct line *line)
{
    const unsigned char quote = *line->at++;
    while (line->at < line->end && *line->at != quote)
        line->at += *line->at == '\\' ? 2 : 1;
    if (line->at >= line->end)
        return false;
    line->at++;
    return true;
}

static bool skip_block(struct line *line)
{
    line->at = find_block_end(line->at, line->end);
    return line->at;
}

static bool open_template(struct line *line)
{
    line->at++;
    line->in_text = true;
    return line->templates++ < TEMPLATES_MAX;
}

/* A bracket, or a sign that means nothing here. */
static void read_sign(struct line *line)
{
    const unsigned char sign = *line->at++;
    if (sign == '\\') /* in a regular expression */
        line->at++;
    else if (sign == '{')
        line->braces[line->templates]++;
    else if (sign == '}')
        line->in_text = line->braces[line->templates]-- == 0 && line->templates > 0;
}

/* False: it cannot be said where what begins there ends. */
static bool read_code(struct line *line)
{
    if (*line->at == '\'' || *line->at == '"')
        return skip_string(line);
    if (*line->at == '`')
        return open_template(line);
    if (starts_with(line->at, line->end, "/*"))
        return skip_block(line);
    if (starts_with(line->at, line->end, "//"))
        line->at = line->end;
    else
        read_sign(line);
    return true;
}

/* Whether all that begins in the line ends in it, too. */
static bool line_is_whole(const unsigned char *at, const unsigned char *end)
{
    struct line line = {.at = at, .end = end};
    while (line.at < line.end) {
        if (line.in_text)
            read_text(&line);
        else if (!read_code(&line))
            return false;
    }
    return line.templates == 0 && line.at == line.end;
}

/* ---- comments */

static bool is_for_tools(const unsigned char *at, const unsigned char *end)
{
    return at + 2 < end && strchr("!#@", at[2]);
}

/* Where the lines end that have nothing but a comment; NULL: there is none. */
static const unsigned char *find_comment_end(const unsigned char *at, const unsigned char *end)
{
    at = skip_blanks(at, end);
    const bool block = starts_with(at, end, "/*");
    if ((!block && !starts_with(at, end, "//")) || is_for_tools(at, end))
        return NULL;
    if (!block)
        return find_line_end(at, end);
    at = find_block_end(at, end);
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
            if (!line_is_whole(at, after))
                after = end;
            to = keep_text(to, at, after);
        }
        at = after;
    }
    return (size_t)(to - text);
}
