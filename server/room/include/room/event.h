/*
 * One entry of a room's log: the durable part of a change, without what can be computed from it.
 *
 * A room is determined by its seed and its log: `room_restore` plus every event in order gives the
 * same room, byte for byte. The store keeps exactly these fields as columns and does not interpret
 * them.
 *
 * Kinds and texts are a format on disk: server/room/README.md says what may change.
 *
 * `text` by kind (bytes, not 0-terminated, at most ROOM_EVENT_TEXT_MAX):
 *
 *     created     rules=N, a blank, and the request that made the room: canonical JSON, options
 *                 and `hints` resolved. N is the version of the game's rules; without `rules=N ` it
 *                 is 1. Without `hints` there are none. Before the request rated=CLASS and a blank
 *                 if the match is rated.
 *     sat         COLOUR human|human:HANDLE|agent:HANDLE|bot:LEVEL|bot NAME. HANDLE is that of an
 *                 account, a person's or a program's. LEVEL is the game's word for how well the
 *                 computer plays; `bot` alone, from before there were levels: level_unnamed.
 *     readied     "-", or "+" and the nonce in lower-case hex
 *     move        the move in the game's notation
 *     offered, withdrew, paused, resumed
 *                 the offer's word ("pause"); of paused and resumed empty if nobody agreed to it
 *     called_off  the reason: "called-off", "abandoned", or "closed" by the operator
 *     rematched   the new room's id
 *     all others  empty
 */
#ifndef ROOM_EVENT_H
#define ROOM_EVENT_H

#include <stdint.h>

/*
 * ROW(kind, number, is it about a seat). The numbers are on disk: a new kind takes the next one,
 * and none is ever used again. Each kind has the word of the same name among the protocol's events.
 */
#define ROOM_EVENTS(ROW)                                                                           \
    ROW(CREATED, 0, false)                                                                         \
    ROW(SAT, 1, true)                                                                              \
    ROW(STOOD, 2, true)                                                                            \
    ROW(READIED, 3, true)                                                                          \
    ROW(STARTED, 4, false)                                                                         \
    ROW(MOVE, 5, true)                                                                             \
    ROW(UNDONE, 6, true)                                                                           \
    ROW(RESIGNED, 7, true)                                                                         \
    ROW(TIMED_OUT, 8, true)                                                                        \
    ROW(REPLACED, 9, true)                                                                         \
    ROW(RETURNED, 10, true)                                                                        \
    ROW(OFFERED, 11, true)                                                                         \
    ROW(WITHDREW, 12, true)                                                                        \
    ROW(PAUSED, 13, false)                                                                         \
    ROW(RESUMED, 14, false)                                                                        \
    ROW(CALLED_OFF, 15, false)                                                                     \
    ROW(REMATCHED, 16, false)                                                                      \
    ROW(HINTED, 17, true)

enum room_event_kind {
#define ROOM_EVENT_KIND(name, number, about_seat) ROOM_##name = (number),
    ROOM_EVENTS(ROOM_EVENT_KIND)
#undef ROOM_EVENT_KIND
};
/* The word for it in pushes and records, "timed_out". */
const char *room_event_name(enum room_event_kind kind);

enum { ROOM_EVENT_KINDS = ROOM_HINTED + 1, ROOM_EVENT_TEXT_MAX = 1280, ROOM_NO_SEAT = 255 };

#define ROOM_NO_REQUEST INT64_C(-1)

struct room_draft;

/*
 * The request that made the event. `session` 0: the room did it by itself (time, a computer
 * player, a rule); then `request_id` is ROOM_NO_REQUEST and `digest` 0.
 */
struct room_origin {
    uint64_t session;
    int64_t
        request_id;  /* or ROOM_NO_REQUEST: about a session, but not requested by it (a rematch) */
    uint64_t digest; /* request_digest() of the request */
};

struct room_event {
    uint64_t seq;  /* 1 is ROOM_CREATED; dense */
    int64_t at_ms; /* since 1970-01-01 UTC; never less than that of the event before */
    /*
     * How much of the time since the event before is charged to no clock: how long the store took
     * to commit that event, or the server was down. 0 <= held_ms <= at_ms - previous at_ms.
     */
    int64_t held_ms;
    struct room_origin origin;
    enum room_event_kind kind;
    uint8_t seat; /* whom it is about, or ROOM_NO_SEAT */
    uint16_t text_len;
    const char *text; /* borrowed */
    /*
     * What room_decide has worked out for room_apply, borrowed; or NULL. No part of the event: it
     * is neither kept nor needed.
     */
    const struct room_draft *draft;
};

#endif
