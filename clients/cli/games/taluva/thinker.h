/*
 * The computer player of the server, from the outside: cli/game.h has the contract.
 */
#ifndef CLI_TALUVA_THINKER_H
#define CLI_TALUVA_THINKER_H

#include <cli/game.h>
#include <computer/computer.h>

extern const struct game_thinker taluva_thinker; /* its question is a struct engine_position */

/* Where nothing can be done but drawing, there is nothing to think about. */
bool taluva_must_draw(const struct taluva *game);

/* A turn of the computer's as moves, behind those of the plan. */
void taluva_plan_turn(struct game_plan *plan, const struct taluva *game,
                      const struct computer_turn *turn);

#endif
