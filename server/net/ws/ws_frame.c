#include "ws_frame.h"

#include <protocol/text.h>
#include <string.h>

enum { FIN = 0x80, RESERVED_BITS = 0x70, OPCODE = 0x0f, MASKED = 0x80, LENGTH = 0x7f };

static bool is_control(const struct ws_reader *reader)
{
    return reader->header[0] & 0x8;
}

static size_t length_bytes(const struct ws_reader *reader)
{
    unsigned length = reader->header[1] & LENGTH;
    return length == 127 ? 8 : length == 126 ? 2 : 0;
}

static size_t header_size(const struct ws_reader *reader)
{
    return reader->header_len < 2 ? 2 : 2 + length_bytes(reader) + 4;
}

/* Of the first two bytes; 0: nothing is wrong. */
static int check_start(const struct ws_reader *reader)
{
    bool last = reader->header[0] & FIN;
    if (reader->header[0] & RESERVED_BITS || !(reader->header[1] & MASKED))
        return WS_PROTOCOL_ERROR;
    switch (reader->header[0] & OPCODE) {
    case WS_TEXT:
        return reader->in_message ? WS_PROTOCOL_ERROR : 0;
    case WS_BINARY:
        return reader->in_message ? WS_PROTOCOL_ERROR : WS_UNSUPPORTED;
    case WS_CONTINUATION:
        return reader->in_message ? 0 : WS_PROTOCOL_ERROR;
    case WS_CLOSE:
    case WS_PING:
    case WS_PONG:
        return last && (reader->header[1] & LENGTH) <= WS_CONTROL_MAX ? 0 : WS_PROTOCOL_ERROR;
    default:
        return WS_PROTOCOL_ERROR;
    }
}

/*
 * Of the whole header. The whole length of the frame counts already, so that one that is too long
 * is refused at once.
 */
static int begin_payload(struct ws_reader *reader)
{
    size_t bytes = length_bytes(reader);
    uint64_t length = bytes ? 0 : reader->header[1] & LENGTH;
    for (size_t at = 0; at < bytes; at++)
        length = length << 8 | reader->header[2 + at];
    /* The shortest form is the only one, and the highest bit is never set. */
    if ((bytes == 2 && length < 126) || (bytes == 8 && (length < 65536 || length >> 63)))
        return WS_PROTOCOL_ERROR;
    reader->left = length;
    reader->mask_at = 0;
    reader->control_len = 0;
    if (is_control(reader))
        return 0;
    if (!reader->in_message)
        reader->message_len = reader->frames = 0;
    reader->in_message = true;
    if (length > (uint64_t)(WS_MESSAGE_MAX - reader->message_len) ||
        ++reader->frames > WS_FRAMES_MAX)
        return WS_TOO_LONG;
    reader->message_len = (uint16_t)(reader->message_len + length);
    return 0;
}

/* Takes as much of the header as is there, up to the size that is known so far. */
static void take_header(struct ws_reader *reader, unsigned char **at, const unsigned char *end)
{
    size_t have = (size_t)(end - *at), len = header_size(reader) - reader->header_len;
    if (len > have)
        len = have;
    memcpy(reader->header + reader->header_len, *at, len);
    reader->header_len = (uint8_t)(reader->header_len + len);
    *at += len;
}

/* Takes bytes for the header while there are any; *complete: the payload begins. */
static int read_header(struct ws_reader *reader, unsigned char **at, const unsigned char *end,
                       bool *complete)
{
    while (reader->header_len < header_size(reader)) {
        if (*at == end)
            return 0;
        take_header(reader, at, end);
        int code = reader->header_len == 2 ? check_start(reader) : 0;
        if (code == 0 && reader->header_len == header_size(reader))
            code = begin_payload(reader);
        if (code)
            return code;
    }
    *complete = true;
    return 0;
}

static void unmask_payload(struct ws_reader *reader, unsigned char *bytes, size_t len)
{
    enum { STEP = sizeof(uint64_t) };
    const uint8_t *mask = &reader->header[reader->header_len - 4];
    uint8_t key[STEP];
    uint64_t word, key_word;
    size_t at = 0;
    for (size_t i = 0; i < STEP; i++)
        key[i] = mask[(reader->mask_at + i) & 3];
    memcpy(&key_word, key, STEP);
    for (; len - at >= STEP; at += STEP) {
        memcpy(&word, bytes + at, STEP);
        word ^= key_word;
        memcpy(bytes + at, &word, STEP);
    }
    for (; at < len; at++)
        bytes[at] ^= key[at & 3];
    reader->mask_at = (uint8_t)((reader->mask_at + len) & 3);
    reader->left -= len;
}

static enum ws_event control_part(struct ws_reader *reader, const unsigned char *bytes, size_t len,
                                  struct ws_part *part)
{
    memcpy(reader->control + reader->control_len, bytes, len);
    reader->control_len = (uint8_t)(reader->control_len + len);
    if (reader->left > 0)
        return WS_EVENT_NONE;
    *part = (struct ws_part){.opcode = (enum ws_opcode)(reader->header[0] & OPCODE),
                             .bytes = reader->control,
                             .len = reader->control_len,
                             .last = true};
    reader->header_len = 0;
    return WS_EVENT_CONTROL;
}

static enum ws_event data_part(struct ws_reader *reader, unsigned char *bytes, size_t len,
                               struct ws_part *part)
{
    bool frame_ends = reader->left == 0, last = frame_ends && reader->header[0] & FIN;
    *part = (struct ws_part){.opcode = WS_TEXT, .bytes = bytes, .len = len, .last = last};
    if (frame_ends)
        reader->header_len = 0;
    if (last)
        reader->in_message = false;
    return len > 0 || last ? WS_EVENT_PIECE : WS_EVENT_NONE;
}

enum ws_event ws_reader_next(struct ws_reader *reader, unsigned char **at, unsigned char *end,
                             struct ws_part *part)
{
    for (;;) {
        bool complete = false;
        int code = read_header(reader, at, end, &complete);
        if (code) {
            *part = (struct ws_part){.code = code};
            return WS_EVENT_WRONG;
        }
        if (!complete)
            return WS_EVENT_NONE;
        size_t have = (size_t)(end - *at), len = have < reader->left ? have : reader->left;
        if (len == 0 && reader->left > 0)
            return WS_EVENT_NONE;
        unsigned char *bytes = *at;
        unmask_payload(reader, bytes, len);
        *at += len;
        enum ws_event event = is_control(reader) ? control_part(reader, bytes, len, part)
                                                 : data_part(reader, bytes, len, part);
        if (event != WS_EVENT_NONE)
            return event;
    }
}

int ws_close_answer(const unsigned char *payload, size_t len)
{
    if (len == 0)
        return WS_NORMAL;
    int code = len < 2 ? 0 : payload[0] << 8 | payload[1];
    bool defined = (code >= 1000 && code <= 1014) && (code < 1004 || code > 1006);
    if (!defined && (code < 3000 || code > 4999))
        return WS_PROTOCOL_ERROR;
    return utf8_valid((const char *)payload + 2, len - 2) ? code : WS_BAD_TEXT;
}

size_t ws_put_header(unsigned char *to, enum ws_opcode opcode, size_t len)
{
    to[0] = (unsigned char)(FIN | opcode);
    if (len < 126) {
        to[1] = (unsigned char)len;
        return 2;
    }
    size_t bytes = len < 65536 ? 2 : 8;
    to[1] = bytes == 2 ? 126 : 127;
    for (size_t at = 0; at < bytes; at++)
        to[2 + at] = (unsigned char)((uint64_t)len >> (8 * (bytes - 1 - at)));
    return 2 + bytes;
}
