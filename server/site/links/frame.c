#include "frame.h"

#include <protocol/limits.h>
#include <protocol/request.h>
#include <protocol/terms.h>
#include <string.h>

bool frame_take(struct frame *frame, size_t bytes, uint64_t *value)
{
    const unsigned char *at = frame_take_bytes(frame, bytes);
    *value = 0;
    for (size_t i = 0; at && i < bytes; i++)
        *value = *value << 8 | at[i];
    return at;
}

const unsigned char *frame_take_bytes(struct frame *frame, size_t len)
{
    const unsigned char *at = frame->at;
    if (frame->left < len)
        return NULL;
    frame->at += len;
    frame->left -= len;
    return at;
}

bool frame_read(struct frame *frame, const unsigned char *bytes, size_t len)
{
    uint64_t kind;
    *frame = (struct frame){.at = bytes, .left = len};
    if (!frame_take(frame, 1, &kind) || kind == 0)
        return false;
    frame->kind = kind < FRAME_KINDS ? (enum frame_kind)kind : FRAME_KINDS;
    return frame_take(frame, 8, &frame->number);
}

unsigned char *frame_put(unsigned char *at, size_t bytes, uint64_t value)
{
    for (size_t i = 0; i < bytes; i++)
        at[i] = (unsigned char)(value >> 8 * (bytes - 1 - i));
    return at + bytes;
}

unsigned char *frame_put_head(unsigned char *at, enum frame_kind kind, uint64_t number)
{
    return frame_put(frame_put(at, 1, (uint64_t)kind), 8, number);
}

/* ---- heads of messages */

enum { ROOM_BYTES = 8 };

static bool has_seq(const struct hub_head *head)
{
    return head->kind == HUB_VIEW || head->kind == HUB_EVENT;
}

static bool has_room(const struct hub_head *head)
{
    return head->kind == HUB_EVENT || head->kind == HUB_NOTICE;
}

bool frame_take_id(struct frame *frame, int64_t *id, bool *follows)
{
    uint64_t value;
    const bool there = frame_take(frame, 8, &value);
    *id = (int64_t)value;
    *follows = *id > PROTOCOL_INTEGER_MAX;
    if (*follows)
        *id -= PROTOCOL_INTEGER_MAX;
    return there && *id >= REQUEST_NO_ID;
}

unsigned char *frame_put_id(unsigned char *at, int64_t id, bool follows)
{
    return frame_put(at, 8, (uint64_t)(follows ? PROTOCOL_INTEGER_MAX + id : id));
}

static bool take_seq(struct frame *frame, int64_t *seq)
{
    uint64_t value;
    const bool there = frame_take(frame, 8, &value);
    *seq = (int64_t)value;
    return there && value <= PROTOCOL_INTEGER_MAX;
}

static bool take_notice(struct frame *frame, uint8_t *notice)
{
    uint64_t value;
    const bool there = frame_take(frame, 1, &value);
    *notice = (uint8_t)value;
    return there && value < PROTOCOL_NOTICE_COUNT;
}

static bool take_room(struct frame *frame, char room[static ROOM_BYTES + 1])
{
    const unsigned char *bytes = frame_take_bytes(frame, ROOM_BYTES);
    if (bytes)
        memcpy(room, bytes, ROOM_BYTES);
    return bytes;
}

bool frame_take_message_head(struct frame *frame, struct hub_head *head)
{
    uint64_t kind;
    *head = (struct hub_head){0};
    if (!frame_take(frame, 1, &kind) || kind == HUB_NO_MESSAGE || kind >= HUB_KINDS)
        return false;
    head->kind = (uint8_t)kind;
    return (!head_is_reply(head) || frame_take_id(frame, &head->id, &head->follows)) &&
           (!has_seq(head) || take_seq(frame, &head->seq)) &&
           (head->kind != HUB_NOTICE || take_notice(frame, &head->notice)) &&
           (!has_room(head) || take_room(frame, head->room));
}

unsigned char *frame_put_message_head(unsigned char *at, const struct hub_head *head)
{
    at = frame_put(at, 1, head->kind);
    if (head_is_reply(head))
        at = frame_put_id(at, head->id, head->follows);
    if (has_seq(head))
        at = frame_put(at, 8, (uint64_t)head->seq);
    if (head->kind == HUB_NOTICE)
        at = frame_put(at, 1, head->notice);
    if (!has_room(head))
        return at;
    memcpy(at, head->room, ROOM_BYTES);
    return at + ROOM_BYTES;
}
