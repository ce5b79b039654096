#include "frame.h"

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
