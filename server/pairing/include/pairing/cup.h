/*
 * A cup: whoever loses is out. Entrants are seeds from 1, best first; the bracket is as large as
 * the next power of two, the two best meet in the last round at the earliest, and in the first
 * round the best have byes where there are not enough entrants. Nobody has one later, but whose
 * opponents both stayed away.
 */
#ifndef PAIRING_CUP_H
#define PAIRING_CUP_H

#include <pairing/dutch.h>

/* Rounds of a cup of 1 or more; 0 of one alone. */
unsigned pairing_cup_rounds(unsigned entrants);

/*
 * Round `round`, from 1, in the order of the bracket: of 2 to PAIRING_ENTRANTS_MAX entrants, out[n
 * - 1] is the round in which seed n went out, 0 not yet. The better seed is first. A board without
 * black is somebody who has no opponent there; where neither came, there is none.
 */
void pairing_cup(unsigned entrants, const uint8_t out[], unsigned round,
                 struct pairing_round *result);

#endif
