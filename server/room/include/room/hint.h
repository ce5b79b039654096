/*
 * Hints: the best turns for a seat that is to move, worked out from what that seat knows.
 *
 *     room_decide(hint) --> room_apply, room_ask_hint --> room_hint_make --> room_hint_write
 *                                                         (on any thread)
 *
 * That a hint is taken is an event, which all see; the turns are told to who asked, and are in no
 * log.
 */
#ifndef ROOM_HINT_H
#define ROOM_HINT_H

#include <games/game.h>
#include <protocol/json_writer.h>
#include <room/room.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The question and its answer: nothing in it refers to the room. */
struct room_hint {
    const struct game_type *game;
    uint64_t seq;               /* of the state that it is about */
    uint64_t position, rewinds; /* room_hint_holds */
    uint8_t seat, seats;
    size_t count; /* of turns, once it is made */
    struct game_hint_turn turns[GAME_HINT_TURNS];
    _Alignas(max_align_t) unsigned char known[];
};

/* For a seat that may act now, in a room with hints. To be freed; NULL: no memory. */
struct room_hint *room_ask_hint(const struct room *room, uint8_t seat);

/*
 * On any thread. `thinking` has game->computer->hint_bytes of memory; NULL: at once, with what can
 * be seen in a millisecond. False: it was cancelled.
 */
bool room_hint_make(struct room_hint *hint, struct game_thinking *thinking);

/* The event that this request for a hint has made; 0: none, or it is undone. */
uint64_t room_hint_event(const struct room *room, uint64_t session, int64_t request_id);

/* Does the position still last for which the event `seq`, a ROOM_HINTED, was made? */
bool room_hint_lasts(const struct room *room, uint64_t seq);

/* Is the room in the same position still, and this seat to move? */
bool room_hint_holds(const struct room *room, const struct room_hint *hint);

/* The members of the answer, "seq" and "turns", into an object that the caller has begun. */
void room_hint_write(const struct room_hint *hint, struct writer *writer);

#endif
