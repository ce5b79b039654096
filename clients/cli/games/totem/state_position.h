/*
 * What a seat has been told of a match as a position of the rules, for whoever wants to compute
 * with it: what others hide is there as the computer players of the server know it, by number and
 * place alone.
 *
 * Nothing of the state is trusted: it becomes the text of a position (protocol/totem.md, section
 * 7.1), and the rules' reader refuses what no game can reach.
 */
#ifndef CLI_TOTEM_STATE_POSITION_H
#define CLI_TOTEM_STATE_POSITION_H

#include <jansson.h>
#include <totem_rules/totem.h>

/* What the state does not show. Zeros before the first event. */
struct totem_known {
    char first; /* the letter of the first family of round 1; NUL: not dealt yet */
};

/* Takes an event's push into account: each of the match once, in order, from the first on. */
void totem_known_hear(struct totem_known *known, const json_t *push);

/* False, with *game untouched, if the state shows no position of a match under way. */
bool totem_state_position(struct totem *game, const struct totem_known *known, const json_t *state,
                          int seat);

#endif
