/*
 * An independent implementation of protocol/rules.md, like tests/vectors/reference.py.
 *
 * It shares no code and no header with the rules of the server, keeps plain arrays, and answers
 * every question by looking at the whole island again. Of a room it is told the options, who
 * begins, which 2-Hex tiles are on offer and which tile was drawn; the rest it works out, so that
 * what the server says can be held against it.
 */
#ifndef SIM_TALUVA_REFERENCE_H
#define SIM_TALUVA_REFERENCE_H

#include <jansson.h>
#include <stdbool.h>

struct reference;

/* From the state of a room whose match has just been dealt. Destroy it with reference_destroy. */
struct reference *reference_create(const json_t *state);
void reference_destroy(struct reference *reference);

/*
 * What happens in a match. False, and nothing changes: the rules do not allow it. A text is a move
 * in the notation, ended by a 0.
 */
bool reference_move(struct reference *reference, unsigned seat, const char *text);
bool reference_forfeit(struct reference *reference, unsigned seat);
bool reference_undo(struct reference *reference, unsigned seat);

/* Takes the drawn tile from a room's state. False: there is none to be drawn, or it is no tile. */
bool reference_drawn(struct reference *reference, const json_t *state);

/*
 * As in a room's state and in the answer to `moves`, new references: the table, the result (NULL
 * while the match goes on), and the moves of the seat in turn, as an object with the moves for
 * keys.
 */
json_t *reference_table(const struct reference *reference);
json_t *reference_result(const struct reference *reference);
json_t *reference_moves(const struct reference *reference);

#endif
