#include "ask.h"

#include "links/frame.h"
#include "links/link_out.h"
#include <string.h>

bool ask_hub(struct hub *hub, const struct ask *ask, int64_t now_ms, struct hub_http_answer *answer,
             uint64_t *ticket)
{
    if (ask->post)
        return hub_http_post(hub, ask->post, ask->address, now_ms, answer, ticket);
    return hub_http_get(hub, ask->path, ask->address, now_ms, answer, ticket);
}

bool ask_link(struct site_link *link, uint64_t question, unsigned part, const struct ask *ask)
{
    return ask->post ? link_post(link, question, part, ask->address, ask->post)
                     : link_ask(link, question, part, ask->address, ask->path);
}

/* ---- read */

static bool take_text(struct frame *frame, size_t len, char *text, size_t size)
{
    const unsigned char *bytes = len < size ? frame_take_bytes(frame, len) : NULL;
    if (!bytes || memchr(bytes, '\0', len))
        return false;
    memcpy(text, bytes, len);
    text[len] = '\0';
    return true;
}

static bool read_post(struct ask_read *read, struct frame *frame)
{
    uint64_t path, host, origin;
    if (!frame_take(frame, 2, &path) || !frame_take(frame, 2, &host) ||
        !frame_take(frame, 2, &origin) ||
        !take_text(frame, (size_t)path, read->path, sizeof read->path) ||
        !take_text(frame, (size_t)host, read->host, sizeof read->host) ||
        !take_text(frame, (size_t)origin, read->origin, sizeof read->origin) ||
        frame->left > HUB_HTTP_POST_MAX)
        return false;
    read->post = (struct hub_http_post){.path = read->path,
                                        .host = read->host,
                                        .origin = read->origin,
                                        .body = frame->at,
                                        .len = frame->left};
    read->ask.post = &read->post;
    return true;
}

bool ask_read(struct ask_read *read, struct frame *frame, unsigned parts)
{
    uint64_t number;
    if (!frame_take(frame, 1, &number) || number >= parts)
        return false;
    read->part = (unsigned)number;
    read->ask = (struct ask){.path = read->path, .address = frame_take_bytes(frame, 16)};
    if (!read->ask.address)
        return false;
    return frame->kind == FRAME_POST ? read_post(read, frame)
                                     : take_text(frame, frame->left, read->path, sizeof read->path);
}
