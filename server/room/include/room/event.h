/*
 * One entry of a room's log: all that is durable of a change, and nothing that can be computed.
 *
 * A room is its log: `room_create` plus every event applied in order gives the same room, byte for
 * byte, as having been there. The store keeps exactly these fields as columns.
 */
#ifndef ROOM_EVENT_H
#define ROOM_EVENT_H

#include <stddef.h>
#include <stdint.h>

enum room_event_kind {
    ROOM_CREATED,
    ROOM_SAT,
    ROOM_STOOD,
    ROOM_READIED,
    ROOM_STARTED,
    ROOM_MOVE,
    ROOM_UNDONE,
    ROOM_RESIGNED,
    ROOM_TIMED_OUT,
    ROOM_REPLACED,
    ROOM_RETURNED,
    ROOM_OFFERED,
    ROOM_WITHDREW,
    ROOM_PAUSED,
    ROOM_RESUMED,
    ROOM_CALLED_OFF,
    ROOM_REMATCHED,
};
enum { ROOM_EVENT_KINDS = ROOM_REMATCHED + 1, ROOM_EVENT_TEXT_MAX = 1024, ROOM_NO_SEAT = 255 };

/* The request that made the event; `session` 0 for what the room did by itself (time, computer player). */
struct room_origin {
    uint64_t session;
    int64_t request_id;
};

struct room_event {
    uint64_t seq; /* 1 is ROOM_CREATED; dense */
    int64_t at_ms;
    struct room_origin origin;
    enum room_event_kind kind;
    uint8_t seat; /* or ROOM_NO_SEAT */
    uint16_t text_len;
    const char *text; /* by kind: the move, or a small JSON object; borrowed, not 0-terminated */
};

#endif
