/*
 * A computer player that thinks: a room says what it is to be asked, any thread answers, and the
 * room plays the answer when its move is due.
 *
 *     room_thinks --> room_think_until, room_ask --> room_question_answer --> room_answered
 *                          (the room waits)           (on any thread)
 *
 * What is not answered in time, or not asked, is a quick choice that the room makes by itself, so
 * a room never waits for longer than it was told to.
 */
#ifndef ROOM_THINK_H
#define ROOM_THINK_H

#include <games/game.h>
#include <room/room.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a seat knows, and all else that its choice depends on: nothing in it refers to the room. */
struct room_question {
    const struct game_type *game;
    uint64_t changes; /* of the room: the position that it is about */
    uint64_t seed;
    size_t memory_bytes; /* that the answer needs */
    uint8_t seat, level;
    _Alignas(max_align_t) unsigned char known[];
};

/* Are there people in play, or computers alone? */
bool room_has_people(const struct room *room);
/*
 * Is a computer player to move next, at a level that thinks, and has the room not been told about
 * this position before how long to wait?
 */
bool room_thinks(const struct room *room);
/*
 * The move of this position waits for an answer until then; a time in the past: it does not. To be
 * called again when that changes, as long as there is no answer.
 */
void room_think_until(struct room *room, int64_t until_ms);
/* The question of this position, to be freed. NULL: no memory. */
struct room_question *room_ask(const struct room *room);

/*
 * On any thread. `thinking` has at least the memory that the question needs. The length of the
 * move; 0 only if it was cancelled.
 */
size_t room_question_answer(const struct room_question *question, struct game_thinking *thinking,
                            char move[PROTOCOL_MOVE_BYTES]);

/*
 * The room's move of this position is this one from now on, and does not wait any more. It plays
 * thinking->next after it if nothing comes between. False: the room has changed since it was asked.
 */
bool room_answered(struct room *room, const struct room_question *question,
                   const struct game_thinking *thinking, const char *move, size_t len);

#endif
