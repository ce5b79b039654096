/*
 * One entry of a room's log: all that is durable of a change, and nothing that can be computed.
 *
 * A room is its seed and its log: `room_restore` plus every event in order gives the same room,
 * byte for byte, as having been there. The store keeps exactly these fields as columns and knows
 * nothing of their meaning.
 *
 * Kinds and texts are a format on disk: server/room/README.md says what may change.
 *
 * `text` by kind (bytes, not 0-terminated, at most ROOM_EVENT_TEXT_MAX):
 *
 *     created     rules=N, a blank, and the request that made the room: canonical JSON, options
 *                 resolved. N is the version of the game's rules; without `rules=N ` it is 1.
 *     sat         COLOUR human|bot NAME
 *     readied     "-", or "+" and the nonce in lower-case hex
 *     move        the move in the game's notation
 *     offered, withdrew, paused, resumed
 *                 the offer's word ("pause"); of paused and resumed empty if nobody agreed to it
 *     called_off  the reason: "called-off" or "abandoned"
 *     rematched   the new room's id
 *     all others  empty
 */
#ifndef ROOM_EVENT_H
#define ROOM_EVENT_H

#include <stdint.h>

/* These numbers are on disk: a new kind takes the next one, and none is ever used again. */
enum room_event_kind {
    ROOM_CREATED = 0,
    ROOM_SAT = 1,
    ROOM_STOOD = 2,
    ROOM_READIED = 3,
    ROOM_STARTED = 4,
    ROOM_MOVE = 5,
    ROOM_UNDONE = 6,
    ROOM_RESIGNED = 7,
    ROOM_TIMED_OUT = 8,
    ROOM_REPLACED = 9,
    ROOM_RETURNED = 10,
    ROOM_OFFERED = 11,
    ROOM_WITHDREW = 12,
    ROOM_PAUSED = 13,
    ROOM_RESUMED = 14,
    ROOM_CALLED_OFF = 15,
    ROOM_REMATCHED = 16,
};
enum { ROOM_EVENT_KINDS = ROOM_REMATCHED + 1, ROOM_EVENT_TEXT_MAX = 1280, ROOM_NO_SEAT = 255 };

#define ROOM_NO_REQUEST INT64_C(-1)

/*
 * The request that made the event. `session` 0: the room did it by itself (time, a computer
 * player, a rule); then `request_id` is ROOM_NO_REQUEST and `digest` 0.
 */
struct room_origin {
    uint64_t session;
    int64_t request_id; /* or ROOM_NO_REQUEST: for a session, but not asked by it (a rematch) */
    uint64_t digest;    /* request_digest() of the request */
};

struct room_event {
    uint64_t seq;  /* 1 is ROOM_CREATED; dense */
    int64_t at_ms; /* since 1970-01-01 UTC; never less than that of the event before */
    /*
     * How much of the time since the event before is charged to no clock: what the store took to
     * keep that event, or how long the server was down. 0 <= held_ms <= at_ms - previous at_ms.
     */
    int64_t held_ms;
    struct room_origin origin;
    enum room_event_kind kind;
    uint8_t seat; /* whom it is about, or ROOM_NO_SEAT */
    uint16_t text_len;
    const char *text; /* borrowed */
};

#endif
