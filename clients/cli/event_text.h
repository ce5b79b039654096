/*
 * Events as sentences.
 */
#ifndef CLI_EVENT_TEXT_H
#define CLI_EVENT_TEXT_H

#include <cli/game.h>

/* `state` is the state after the event. "" for events that need no words. */
void event_text(char *text, size_t size, const struct game *game, const json_t *state,
                const json_t *event);

/* Who has won a match that is over; "" if nobody has. */
void winners_text(char *text, size_t size, const json_t *state);

/* presence, said, notice. */
void push_text(char *text, size_t size, const json_t *state, const json_t *push);

#endif
