#define _GNU_SOURCE /* memmem */
#include "script_line.h"
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    TEMPLATES_MAX = 8, /* within each other, on one line */
    PARENS_MAX = 64,
};

/* What stands before a slash says whether it divides or begins a regular expression. */
enum before {
    BEFORE_UNKNOWN, /* as at the beginning: what the line goes on from is not known */
    BEFORE_VALUE,
    BEFORE_OPERATOR,
};

/* Templates are texts in which there may be code, in which there may be templates. */
struct line {
    const unsigned char *at, *end;
    int templates;                 /* that have not ended, */
    int braces[TEMPLATES_MAX + 1]; /* and how many are open in the code within each */
    bool in_text;                  /* of the innermost, not in the code within it */
    enum before before;
    unsigned char last; /* sign; 0: a word, or nothing */
    bool after_head;    /* the last word is `if` or the like */
    int parens;         /* that are open, */
    uint64_t heads;     /* and which of them follow such a word: a bit each, the innermost lowest */
};

bool script_starts_with(const unsigned char *at, const unsigned char *end, const char *two)
{
    return end - at >= 2 && memcmp(at, two, 2) == 0;
}

const unsigned char *script_find_block_end(const unsigned char *at, const unsigned char *end)
{
    const unsigned char *found = memmem(at + 2, (size_t)(end - at - 2), "*/", 2);
    return found ? found + 2 : NULL;
}

static void see(struct line *line, enum before before, unsigned char last)
{
    line->before = before;
    line->last = last;
    line->after_head = false;
}

/* ---- texts */

static void read_text(struct line *line)
{
    if (*line->at == '`') {
        line->templates--;
        line->in_text = false;
        see(line, BEFORE_VALUE, '`');
    } else if (script_starts_with(line->at, line->end, "${")) {
        line->braces[line->templates] = 0;
        line->in_text = false;
        see(line, BEFORE_OPERATOR, '{');
        line->at++;
    } else if (*line->at == '\\') {
        line->at++;
    }
    line->at++;
}

static bool open_template(struct line *line)
{
    line->at++;
    line->in_text = true;
    return line->templates++ < TEMPLATES_MAX;
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
    see(line, BEFORE_VALUE, quote);
    return true;
}

static bool skip_block(struct line *line)
{
    line->at = script_find_block_end(line->at, line->end);
    return line->at;
}

/* ---- slashes */

/* False: it does not end here. */
static bool skip_regexp(struct line *line)
{
    bool in_class = false;
    line->at++;
    while (line->at < line->end && (*line->at != '/' || in_class)) {
        if (*line->at == '[' || *line->at == ']')
            in_class = *line->at == '[';
        line->at += *line->at == '\\' ? 2 : 1;
    }
    if (line->at >= line->end)
        return false;
    line->at++;
    see(line, BEFORE_VALUE, '/');
    return true;
}

/* A regular expression ends on its line with another slash. False: there is one, and it cannot be
 * said whether this is one. */
static bool read_slash(struct line *line)
{
    if (line->before == BEFORE_OPERATOR)
        return skip_regexp(line);
    line->at++;
    const bool divides = line->before == BEFORE_VALUE;
    see(line, BEFORE_OPERATOR, '/');
    return divides || !memchr(line->at, '/', (size_t)(line->end - line->at));
}

/* ---- words and signs */

static bool is_in_word(unsigned char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
           c == '$' || c >= 0x80;
}

/* Whether a word is among those, each of which has a blank before and behind it. */
static bool is_among(const char *words, const unsigned char *word, size_t len)
{
    for (const char *at = words; at[1]; at = strchr(at + 1, ' ')) {
        if (strncmp(at + 1, (const char *)word, len) == 0 && at[1 + len] == ' ')
            return true;
    }
    return false;
}

static void read_word(struct line *line)
{
    static const char operators[] =
        " return typeof case do else in instanceof new void delete throw ";
    static const char perhaps_names[] = " of await yield ";
    const unsigned char *word = line->at;
    while (line->at < line->end && is_in_word(*line->at))
        line->at++;
    const size_t len = (size_t)(line->at - word);
    const bool member = line->last == '.';
    const bool after_for = line->after_head && is_among(" await ", word, len);
    see(line, BEFORE_VALUE, 0);
    if (member)
        return;
    line->after_head = after_for || is_among(" if while for with ", word, len);
    if (is_among(operators, word, len))
        line->before = BEFORE_OPERATOR;
    else if (is_among(perhaps_names, word, len))
        line->before = BEFORE_UNKNOWN;
}

static bool open_paren(struct line *line)
{
    line->heads = line->heads << 1 | line->after_head;
    see(line, BEFORE_OPERATOR, '(');
    return line->parens++ < PARENS_MAX;
}

/* What is behind `if (...)` is a statement, behind others an operator. */
static void close_paren(struct line *line)
{
    see(line, BEFORE_UNKNOWN, ')');
    if (line->parens == 0)
        return;
    line->before = line->heads & 1 ? BEFORE_OPERATOR : BEFORE_VALUE;
    line->heads >>= 1;
    line->parens--;
}

static void read_brace(struct line *line, unsigned char brace)
{
    see(line, brace == '{' ? BEFORE_OPERATOR : BEFORE_UNKNOWN,
        brace); /* } of a block, or a value */
    if (brace == '{')
        line->braces[line->templates]++;
    else
        line->in_text = line->braces[line->templates]-- == 0 && line->templates > 0;
}

static enum before before_behind(unsigned char sign, unsigned char last)
{
    if (sign == ']')
        return BEFORE_VALUE;
    if ((sign == '+' || sign == '-') && last == sign)
        return BEFORE_UNKNOWN; /* it may stand on either side of what it changes */
    return strchr("+-*%=<>!&|^~?:;,[", sign) ? BEFORE_OPERATOR : BEFORE_UNKNOWN;
}

/* False: it cannot be said where what begins there ends. */
static bool read_sign(struct line *line)
{
    const unsigned char sign = *line->at++;
    if (sign == '(')
        return open_paren(line);
    if (sign == ')')
        close_paren(line);
    else if (sign == '{' || sign == '}')
        read_brace(line, sign);
    else if (sign > ' ')
        see(line, before_behind(sign, line->last), sign);
    return true;
}

static bool read_token(struct line *line)
{
    if (*line->at == '\'' || *line->at == '"')
        return skip_string(line);
    if (*line->at == '`')
        return open_template(line);
    if (*line->at == '/')
        return read_slash(line);
    if (!is_in_word(*line->at))
        return read_sign(line);
    read_word(line);
    return true;
}

static bool read_code(struct line *line)
{
    if (script_starts_with(line->at, line->end, "/*"))
        return skip_block(line);
    if (!script_starts_with(line->at, line->end, "//"))
        return read_token(line);
    line->at = line->end;
    return true;
}

bool script_line_is_whole(const unsigned char *at, const unsigned char *end)
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
