#include "template.h"

#include "facts.h"
#include <inttypes.h>
#include <protocol/buffer.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH_MAX = 4 };

struct conditions {
    unsigned depth;
    bool shown[DEPTH_MAX];
};

static bool is_shown(const struct conditions *conditions)
{
    bool shown = true;
    for (unsigned at = 0; at < conditions->depth; at++)
        shown = shown && conditions->shown[at];
    return shown;
}

/* ---- a number */

/* 0: there is no such unit. */
static int64_t unit_ms(const char *unit, size_t len)
{
    if (len != 1)
        return 0;
    return *unit == 'd' ? INT64_C(86400000) : *unit == 'h' ? 3600000 : *unit == 'm' ? 60000 : 0;
}

static bool find_number(const struct hub *hub, const char *name, size_t len, int64_t *number)
{
    const char *colon = memchr(name, ':', len);
    if (!fact_find(hub, name, colon ? (size_t)(colon - name) : len, number))
        return false;
    if (!colon)
        return true;
    const int64_t unit = unit_ms(colon + 1, (size_t)(name + len - colon - 1));
    if (unit == 0)
        return false;
    *number = *number / unit + (*number % unit != 0);
    return true;
}

/* The word for that many, between one bar and the next. */
static bool write_word(const char *words, const char *end, int64_t number, struct buffer *out)
{
    const char *bar = memchr(words, '|', (size_t)(end - words));
    if (!bar)
        return false;
    const char *word = number == 1 ? words : bar + 1;
    buffer_append_byte(out, ' ');
    buffer_append(out, word, (size_t)((number == 1 ? bar : end) - word));
    return true;
}

static bool write_number(const struct hub *hub, const char *at, const char *end, struct buffer *out)
{
    const char *bar = memchr(at, '|', (size_t)(end - at));
    char text[24];
    int64_t number;
    if (!find_number(hub, at, (size_t)((bar ? bar : end) - at), &number))
        return false;
    (void)snprintf(text, sizeof text, "%" PRId64, number);
    buffer_append_string(out, text);
    return !bar || write_word(bar + 1, end, number, out);
}

/* ---- a place */

static bool begin_condition(const struct hub *hub, struct conditions *conditions, const char *name,
                            const char *end)
{
    int64_t value;
    if (conditions->depth == DEPTH_MAX || !fact_find(hub, name, (size_t)(end - name), &value))
        return false;
    conditions->shown[conditions->depth++] = value != 0;
    return true;
}

static bool take_place(const struct hub *hub, struct conditions *conditions, const char *at,
                       const char *end, struct buffer *out)
{
    const bool is_mark = end - at == 1;
    if (*at == '?')
        return begin_condition(hub, conditions, at + 1, end);
    if (is_mark && (*at == '.' || *at == ':')) {
        if (conditions->depth == 0)
            return false;
        if (*at == '.')
            conditions->depth--;
        else
            conditions->shown[conditions->depth - 1] = !conditions->shown[conditions->depth - 1];
        return true;
    }
    return !is_shown(conditions) || write_number(hub, at, end, out);
}

bool template_write(const struct hub *hub, const char *text, struct buffer *out)
{
    struct conditions conditions = {.depth = 0};
    for (;;) {
        const char *open = strchr(text, '{');
        const size_t len = open ? (size_t)(open - text) : strlen(text);
        if (is_shown(&conditions))
            buffer_append(out, text, len);
        if (!open)
            return conditions.depth == 0;
        const char *close = strchr(open, '}');
        if (!close || !take_place(hub, &conditions, open + 1, close, out))
            return false;
        text = close + 1;
    }
}
