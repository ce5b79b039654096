/*
 * Whose turn it is in a queue that many addresses stand in: each has one turn after the other, and
 * nobody waits for more than one of each other address for each of their own. A queue keeps its
 * entries by their turns, and in each as they came.
 *
 *     turns_give   an entry is added: its turn
 *     turns_take   it is its turn
 *     turns_leave  it has left the queue
 *     turns_back   the same before its turn, which is its address's again if it was the last
 *
 * Addresses count as in `turns` of struct origin: an IPv4 address, or a /48; 0 is all of whom none
 * is known.
 */
#ifndef HUB_TURNS_H
#define HUB_TURNS_H

#include "origin.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct turns {
    uint32_t turn;                   /* of the one that was taken last */
    uint32_t next[ORIGIN_SHARES];    /* of each address, if that is later */
    uint16_t waiting[ORIGIN_SHARES]; /* of each */
};

/* Of a queue that takes so many, one address has at most half, until they leave it. */
bool turns_allow(const struct turns *turns, uint16_t share, int64_t queue_max);
/* The turn that turns_give would give. */
uint32_t turns_next(const struct turns *turns, uint16_t share);
uint32_t turns_give(struct turns *turns, uint16_t share);
void turns_take(struct turns *turns, uint32_t turn);
void turns_leave(struct turns *turns, uint16_t share);
void turns_back(struct turns *turns, uint16_t share, uint32_t turn);

#endif
