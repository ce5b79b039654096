/*
 * Events as sentences.
 */
#ifndef CLI_NARRATE_H
#define CLI_NARRATE_H

#include <jansson.h>
#include <stddef.h>

/* `state` is the state after the event. "" for events that need no words. */
void narrate_event(char *text, size_t size, const json_t *state, const json_t *event);

/* presence, said, notice. */
void narrate_push(char *text, size_t size, const json_t *state, const json_t *push);

#endif
