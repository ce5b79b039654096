/*
 * One entry of a room's log: all that is durable of a change, and nothing that can be computed.
 *
 * A room is its seed and its log: `room_restore` plus every event in order gives the same room,
 * byte for byte, as having been there. The store keeps exactly these fields as columns and knows
 * nothing of their meaning.
 *
 * `text` by kind (bytes, not 0-terminated, at most ROOM_EVENT_TEXT_MAX):
 *
 *     created     the request that made the room, canonical JSON, options resolved
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
