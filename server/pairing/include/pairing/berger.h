/*
 * Rounds of a round robin by the Berger tables (FIDE C.05, Annex 1): everybody meets everybody.
 */
#ifndef PAIRING_BERGER_H
#define PAIRING_BERGER_H

#include <pairing/dutch.h>

/* Rounds in which each of 2 or more entrants has met each other once. */
unsigned pairing_berger_rounds(unsigned entrants);

/*
 * Round `round`, from 1, in the order of boards; with an odd number of entrants one has a bye. Each
 * further cycle of rounds has the colours of the one before the other way round. 2 to
 * PAIRING_ENTRANTS_MAX entrants.
 */
void pairing_berger(unsigned entrants, unsigned round, struct pairing_round *result);

#endif
