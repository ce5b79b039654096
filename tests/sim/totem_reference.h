/*
 * An independent implementation of protocol/totem.md, like taluva_reference.h for the other game.
 *
 * It shares no code and no header with the rules of the server. Of a room it is told the options,
 * the first family and the key of the births; the rest it works out, so that what the server says
 * can be held against it.
 */
#ifndef SIM_TOTEM_REFERENCE_H
#define SIM_TOTEM_REFERENCE_H

#include <jansson.h>
#include <stdbool.h>

enum { TOTEM_KEY_BYTES = 32 };

struct totem_reference;

/* From the state of a room whose match has just been dealt. */
struct totem_reference *totem_reference_create(const json_t *state,
                                               const unsigned char key[TOTEM_KEY_BYTES]);
void totem_reference_destroy(struct totem_reference *reference);

/*
 * What happens in a match. False: the rules do not allow it, and the reference is of no use any
 * more. A text is a command, ended by a 0.
 */
bool totem_reference_move(struct totem_reference *reference, unsigned seat, const char *text);
bool totem_reference_forfeit(struct totem_reference *reference, unsigned seat);
bool totem_reference_undo(struct totem_reference *reference, unsigned seat);

/*
 * As in a room's state, new references: the table as this seat sees it (any other number: a
 * watcher), and the result (NULL while the match goes on).
 */
json_t *totem_reference_table(const struct totem_reference *reference, unsigned viewer);
json_t *totem_reference_result(const struct totem_reference *reference);

#endif
