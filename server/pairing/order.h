/*
 * Of all pairings of a bracket that are equally good, the one that the rules come to first [3],
 * [4]: each question (may this one be paired, exchanged, have that opponent?) is put to the graph
 * in the order of the rules, and what it answers holds from then on.
 */
#ifndef PAIRING_ORDER_H
#define PAIRING_ORDER_H

#include "bracket.h"

/* partner, by places in all->list, of each who is paired in this bracket. */
void order_pairs(struct bracket *bracket, int partner[]);

#endif
