/*
 * The net: chances of all seats from what is known of each. One small net is asked for every seat
 * in play; what it answers is compared. Whole numbers only, so that every compiler agrees.
 *
 *     hidden = max(0, traits x input + mean of the rivals' traits x rival)
 *     logit = hidden x output + traits x direct
 */
#ifndef COMPUTER_NET_H
#define COMPUTER_NET_H

#include "traits.h"
#include <computer/computer.h>

enum {
    NET_HIDDEN = 32,
    NET_INPUTS = 2 * NET_HIDDEN,
    NET_WEIGHT_ONE = 1024, /* a weight of 1 */
    NET_LOGIT_ONE = 256,
    NET_HIDDEN_ONE = 128,
    NET_HIDDEN_MAX = 32767,
    NET_OUTPUT_SUM = 65535, /* at most, of |output|: then a sum over the hidden layer is 32 bits */
    CHANCE_ONE = COMPUTER_CHANCE_ONE,
};

struct net {
    int16_t input[TRAITS][NET_INPUTS]; /* for the seat itself, then for each of its rivals */
    int16_t output[NET_HIDDEN];
    int16_t direct[TRAITS];
};

/* A seat's latest traits and what they come to in the hidden layer, before it is cut off. */
struct net_sums {
    _Alignas(8) int8_t traits[TRAITS];
    int32_t hidden[NET_INPUTS];
    int32_t direct;
};

/*
 * Sums for each seat. Positions of one search step have most traits in common, so that only what
 * differs from the position before is added; the answer is the same as from nothing.
 */
struct net_memory {
    struct net_sums seats[TALUVA_SEATS_MAX];
};

void net_memory_init(struct net_memory *memory);

/*
 * What each seat can hope for, of CHANCE_ONE: its chance to win (in teams its team's), or in the
 * ranking variant the share of the others that it will leave behind. Of a board that is not over.
 */
void net_chances(const struct net *net, struct net_memory *memory, const struct board *board,
                 const struct survey *survey, int32_t chances[TALUVA_SEATS_MAX]);

/* exp(-number / NET_LOGIT_ONE) in units of 1 / CHANCE_ONE; number >= 0. */
int32_t net_exp(int32_t number);

#endif
