/*
 * The way from a plan to a room: makes the room or enters it. At the table and for programs alike.
 */
#ifndef CLI_PLAY_ENTER_H
#define CLI_PLAY_ENTER_H

#include "play.h"

/* Who only watches asks for nothing that a seat does, even where the session has a seat. */
bool play_may_ask(const struct play_plan *plan, const char *op);

/* Runs the app where the plan says. */
int play_online(const struct invocation *invocation, const struct play_plan *plan,
                const struct online_app *app, void *user);

/* Makes the room or enters it. */
void play_enter(struct online *online, struct play_plan *plan, play_entered_fn *entered);

/* Says why the room could not be entered, and how to watch a match that has begun; ends the run. */
void play_refused(struct online *online, const struct play_plan *plan, const json_t *error);

#endif
