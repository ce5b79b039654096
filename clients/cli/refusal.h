/*
 * What a server refused, as a sentence for people.
 */
#ifndef CLI_REFUSAL_H
#define CLI_REFUSAL_H

#include <cli/command.h>
#include <jansson.h>

/* With the hex or number that it names; "The server refused." if it says nothing. */
void refusal_text(char *text, size_t size, const json_t *error);

/*
 * The same for a command that was called with options: the one that is to blame is named as it is
 * typed, with what it takes.
 */
void refusal_of_command(char *text, size_t size, const json_t *error,
                        const struct invocation *invocation);

#endif
