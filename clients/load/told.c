#include "told.h"

#include <stdlib.h>
#include <string.h>

enum { PUSH_BYTES_MAX = 1 << 20 };

static bool event_init(struct told_event *event, unsigned views, size_t copy_size)
{
    event->texts = calloc(views, sizeof *event->texts);
    event->text_of = calloc(views, sizeof *event->text_of);
    event->copy = views > 1 ? calloc(1, copy_size) : NULL;
    if (!event->texts || !event->text_of || (views > 1 && !event->copy))
        return false;
    for (unsigned i = 0; i < views; i++)
        buffer_init(&event->texts[i].bytes, 0, PUSH_BYTES_MAX);
    return true;
}

static void event_forget(struct told_event *event, unsigned views)
{
    event->seq = 0;
    for (unsigned i = 0; i < event->n_texts; i++) {
        json_decref(event->texts[i].push);
        event->texts[i].push = NULL;
    }
    event->n_texts = 0;
    memset(event->text_of, TOLD_NOTHING, views);
}

bool told_init(struct told *told, unsigned views, size_t copy_size)
{
    *told = (struct told){.views = views};
    for (unsigned i = 0; i < TOLD_EVENTS; i++) {
        if (!event_init(&told->events[i], views, copy_size))
            return false;
    }
    return true;
}

void told_release(struct told *told)
{
    for (unsigned i = 0; i < TOLD_EVENTS; i++) {
        struct told_event *event = &told->events[i];
        for (unsigned j = 0; event->texts && j < told->views; j++) {
            json_decref(event->texts[j].push);
            buffer_release(&event->texts[j].bytes);
        }
        free(event->texts);
        free(event->text_of);
        free(event->copy);
    }
}

void told_clear(struct told *told)
{
    for (unsigned i = 0; i < TOLD_EVENTS; i++)
        event_forget(&told->events[i], told->views);
}

struct told_event *told_find(const struct told *told, int64_t seq)
{
    const struct told_event *event = &told->events[(uint64_t)seq % TOLD_EVENTS];
    return event->seq == seq ? (struct told_event *)(uintptr_t)event : NULL;
}

struct told_event *told_begin(struct told *told, int64_t seq)
{
    struct told_event *event = &told->events[(uint64_t)seq % TOLD_EVENTS];
    event_forget(event, told->views);
    event->seq = seq;
    event->is_move = event->playing = false;
    return event;
}

static bool same_text(const struct told_text *text, const char *bytes, size_t len)
{
    return text->bytes.len == len && !text->bytes.failed &&
           memcmp(buffer_payload(&text->bytes), bytes, len) == 0;
}

static const struct told_text *find_text(const struct told_event *event, const char *bytes,
                                         size_t len)
{
    for (unsigned i = 0; i < event->n_texts; i++) {
        if (same_text(&event->texts[i], bytes, len))
            return &event->texts[i];
    }
    return NULL;
}

bool told_knows(const struct told_event *event, unsigned view, const char *bytes, size_t len)
{
    const uint8_t own = event->text_of[view];
    return own != TOLD_NOTHING ? same_text(&event->texts[own], bytes, len)
                               : find_text(event, bytes, len) != NULL;
}

json_t *told_push(const struct told_event *event, const char *bytes, size_t len)
{
    const struct told_text *text = find_text(event, bytes, len);
    return text ? text->push : NULL;
}

void told_add(const struct told *told, struct told_event *event, unsigned view, json_t *push,
              const char *bytes, size_t len)
{
    const struct told_text *known = find_text(event, bytes, len);
    if (!known) {
        struct told_text *text = &event->texts[event->n_texts];
        buffer_clear(&text->bytes);
        buffer_append(&text->bytes, bytes, len);
        text->push = told->views > 1 ? json_incref(push) : NULL;
        known = text;
        event->n_texts++;
    }
    event->text_of[view] = (uint8_t)(known - event->texts);
}
