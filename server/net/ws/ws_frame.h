/*
 * Frames of WebSockets (RFC 6455, section 5) as a server reads and writes them. Bytes in, parts of
 * messages out; knows no socket.
 *
 * libwebsockets 4.1 has a reader, but it serves frames that are not masked, takes any 64 bits for a
 * length, and tells nothing of control frames, so they cannot be limited. wslay, also in Debian,
 * keeps a buffer of 4 KiB for each connection, twice of what an idle one costs here in all.
 */
#ifndef NET_WS_FRAME_H
#define NET_WS_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ws_opcode {
    WS_CONTINUATION = 0x0,
    WS_TEXT = 0x1,
    WS_BINARY = 0x2,
    WS_CLOSE = 0x8,
    WS_PING = 0x9,
    WS_PONG = 0xa,
};

/* Close codes. */
enum {
    WS_NORMAL = 1000,
    WS_PROTOCOL_ERROR = 1002,
    WS_UNSUPPORTED = 1003,
    WS_BAD_TEXT = 1007,
    WS_POLICY = 1008,
    WS_TOO_LONG = 1009,
};

enum {
    WS_MESSAGE_MAX = 4096,
    WS_FRAMES_MAX = 4096, /* of one message: more frames than bytes means that empty ones are sent
                             without end */
    WS_CONTROL_MAX = 125,
    WS_READ_HEADER_MAX = 14,
    WS_WRITE_HEADER_MAX = 10,
};

/* All zero before the first byte. */
struct ws_reader {
    uint64_t left; /* bytes of the payload to come, once the header is complete */
    uint8_t header[WS_READ_HEADER_MAX];
    uint8_t header_len;
    uint8_t mask_at;
    uint8_t control_len;
    bool in_message;              /* the first frame of one has begun, the last one has not ended */
    uint16_t message_len, frames; /* of that message, with what the frame under way claims */
    uint8_t control[WS_CONTROL_MAX];
};

enum ws_event {
    WS_EVENT_NONE,    /* all bytes are used up */
    WS_EVENT_PIECE,   /* of a text message, `last` or not; looks not at whether it is UTF-8 */
    WS_EVENT_CONTROL, /* a whole control frame: `opcode` says which */
    WS_EVENT_WRONG,   /* to be closed with `code`; the reader must not be used any more */
};

struct ws_part {
    enum ws_opcode opcode;
    unsigned char *bytes; /* unmasked in place, or in the reader */
    size_t len;
    bool last;
    int code;
};

/* Reads from `*at` to `end`, moving `*at`, until there is an event. */
enum ws_event ws_reader_next(struct ws_reader *reader, unsigned char **at, unsigned char *end,
                             struct ws_part *part);

/* The code to answer a close frame with: the peer's own, or WS_PROTOCOL_ERROR if it may not be; or
 * WS_BAD_TEXT if its reason may not. */
int ws_close_answer(const unsigned char *payload, size_t len);

/* The header of a whole, unmasked frame; returns its length, at most WS_WRITE_HEADER_MAX. */
size_t ws_put_header(unsigned char *to, enum ws_opcode opcode, size_t len);

#endif
