#include "ban_list.h"

#include <hub/ban_target.h>
#include <hub/kernel.h>
#include <jansson.h>
#include <protocol/json_read.h>
#include <protocol/text.h>
#include <stdlib.h>
#include <string.h>

enum { FORMAT = 1, DEPTH = 2 };

void ban_list_release(struct ban_list *list)
{
    free(list->items);
    *list = (struct ban_list){0};
}

static int add_ban(struct ban_list *list, const struct ban *ban)
{
    if (list->count == list->size) {
        const size_t size = list->size ? list->size * 2 : 4;
        struct ban *items = realloc(list->items, size * sizeof *items);
        if (!items)
            return -1;
        list->items = items;
        list->size = size;
    }
    list->items[list->count++] = *ban;
    return 0;
}

int64_t ban_until_ms(const struct ban *ban, const struct hub *hub)
{
    return ban->until_ms + (hub ? kernel_uncounted_ms(hub, ban->since_ms) : 0);
}

int ban_list_copy(struct ban_list *copy, const struct ban_list *list, const struct hub *hub,
                  int64_t now_ms)
{
    *copy = (struct ban_list){0};
    for (size_t i = 0; i < list->count; i++) {
        if (ban_until_ms(&list->items[i], hub) > now_ms && add_ban(copy, &list->items[i]) < 0) {
            ban_list_release(copy);
            return -1;
        }
    }
    return 0;
}

int ban_list_put(struct ban_list *list, const struct ban *ban)
{
    for (size_t i = 0; i < list->count; i++) {
        struct ban *item = &list->items[i];
        if (item->silence == ban->silence && ban_target_same(&item->target, &ban->target)) {
            *item = *ban;
            return 0;
        }
    }
    return add_ban(list, ban);
}

size_t ban_list_lift(struct ban_list *list, const struct ban_target *target)
{
    const size_t before = list->count;
    size_t kept = 0;
    for (size_t i = 0; i < before; i++) {
        if (!ban_target_same(&list->items[i].target, target))
            list->items[kept++] = list->items[i];
    }
    list->count = kept;
    return before - kept;
}

const struct ban *ban_list_of(const struct ban_list *list, bool silence, uint64_t session,
                              int64_t since_ms)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct ban *ban = &list->items[i];
        if (ban->silence == silence && ban->target.session == session && ban->since_ms == since_ms)
            return ban;
    }
    return NULL;
}

void ban_list_drop(struct ban_list *list, const struct ban *ban)
{
    const size_t at = ban ? (size_t)(ban - list->items) : list->count;
    if (at == list->count)
        return;
    list->count--;
    memmove(&list->items[at], &list->items[at + 1], (list->count - at) * sizeof list->items[0]);
}

static bool is_about(const struct ban *ban, uint64_t session, const struct address_prefix *address)
{
    if (ban->target.session)
        return ban->target.session == session;
    return address && ban_target_holds(&ban->target, address);
}

const struct ban *ban_list_find(const struct ban_list *list, bool silence, uint64_t session,
                                const struct address_prefix *address, const struct hub *hub,
                                int64_t now_ms)
{
    const struct ban *found = NULL;
    int64_t last_ms = now_ms;
    for (size_t i = 0; i < list->count; i++) {
        const struct ban *ban = &list->items[i];
        if (ban->silence == silence && is_about(ban, session, address) &&
            ban_until_ms(ban, hub) > last_ms) {
            last_ms = ban_until_ms(ban, hub);
            found = ban;
        }
    }
    return found;
}

/* ---- as text */

void ban_write(const struct ban *ban, struct writer *writer)
{
    char target[BAN_TARGET_TEXT];
    ban_target_format(&ban->target, target);
    writer_key_string(writer, "target", target);
    writer_key_bool(writer, "silence", ban->silence);
    writer_key_int(writer, "since", ban->since_ms);
    writer_key_int(writer, "until", ban->until_ms);
    if (ban->reason[0])
        writer_key_string(writer, "reason", ban->reason);
}

static void write_number(struct buffer *text, const char *key, int64_t number)
{
    struct writer writer;
    writer_init(&writer, text);
    writer_object(&writer);
    writer_key_int(&writer, key, number);
    writer_end(&writer);
    buffer_append_byte(text, '\n');
}

void ban_list_write(const struct ban_list *list, struct buffer *text)
{
    struct writer writer;
    write_number(text, "bans", FORMAT);
    for (size_t i = 0; i < list->count; i++) {
        writer_init(&writer, text);
        writer_object(&writer);
        ban_write(&list->items[i], &writer);
        writer_end(&writer);
        buffer_append_byte(text, '\n');
    }
    write_number(text, "end", (int64_t)list->count);
}

/* ---- from text */

static bool read_reason(struct ban *ban, const json_t *value)
{
    if (!value)
        return true;
    return json_is_string(value) &&
           text_kept(ban->reason, sizeof ban->reason, json_string_value(value),
                     json_string_length(value), PROTOCOL_SAY_CHARS);
}

static bool read_ban(struct ban *ban, const json_t *line)
{
    const json_t *target = json_object_get(line, "target");
    const json_t *silence = json_object_get(line, "silence");
    const json_t *since = json_object_get(line, "since"), *until = json_object_get(line, "until");
    *ban = (struct ban){.silence = json_is_true(silence),
                        .since_ms = json_integer_value(since),
                        .until_ms = json_integer_value(until)};
    return json_is_string(target) && ban_target_read(&ban->target, json_string_value(target)) &&
           json_is_boolean(silence) && json_is_integer(since) && json_is_integer(until) &&
           read_reason(ban, json_object_get(line, "reason"));
}

/* The next line as an object, a new reference; NULL: there is none. */
static json_t *next_line(const char **at, const char *end)
{
    json_t *value = NULL;
    const char *stop = memchr(*at, '\n', (size_t)(end - *at));
    if (!stop || stop - *at > PROTOCOL_MESSAGE_BYTES ||
        json_read(&value, *at, (size_t)(stop - *at), DEPTH) != JSON_READ_OK)
        return NULL;
    *at = stop + 1;
    return value;
}

static bool number_is(const json_t *line, const char *key, size_t number)
{
    const json_t *value = json_object_get(line, key);
    return json_is_integer(value) && json_integer_value(value) == (json_int_t)number;
}

bool ban_list_read(struct ban_list *list, const char *text, size_t len)
{
    const char *at = text, *end = text + len;
    struct ban ban;
    json_t *line = next_line(&at, end);
    bool good = number_is(line, "bans", FORMAT);
    json_decref(line);
    line = good ? next_line(&at, end) : NULL;
    while (good && json_object_get(line, "target")) {
        good = read_ban(&ban, line) && add_ban(list, &ban) == 0;
        json_decref(line);
        line = good ? next_line(&at, end) : NULL;
    }
    good = good && number_is(line, "end", list->count) && at == end;
    json_decref(line);
    if (!good)
        ban_list_release(list);
    return good;
}
