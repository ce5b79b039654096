/*
 * The way to a match on a server in this process: makes the room, seats everybody and begins.
 */
#ifndef CLI_PLAY_HERE_H
#define CLI_PLAY_HERE_H

#include "play.h"

/* `entered` is called once the match has begun, or with the first refusal. */
void play_begin(struct online *online, struct play_plan *plan, play_entered_fn *entered);

/* The same in the room of a rematch: all leave the one before, and computers sit there already. */
void play_again(struct online *online, struct play_plan *plan, const char *before, const char *room,
                play_entered_fn *entered);

#endif
