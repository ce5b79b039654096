/*
 * What a room is made from, beside its log: kept by the store in a row of its own. Plain data.
 */
#ifndef ROOM_SEED_H
#define ROOM_SEED_H

#include <stdint.h>

struct room_seed {
    char id[9];         /* 8 characters */
    char code[17];      /* invitation code, or "" */
    uint8_t secret[32]; /* of the fair stack */
    uint64_t host;      /* session */
};

#endif
