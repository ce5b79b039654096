/*
 * A seat of a match, as a plain value.
 */
#ifndef ROOM_SEAT_H
#define ROOM_SEAT_H

#include "clock.h"
#include <protocol/account.h>
#include <protocol/limits.h>
#include <stdbool.h>
#include <stdint.h>

struct seat {
    uint64_t session; /* 0: free, or a computer */
    struct seat_clock clock;
    bool taken;
    bool bot;
    uint8_t level; /* of a bot, from 1; 0 for people */
    bool ready;
    bool replaced;  /* the computer plays for the absent owner, */
    bool returning; /* who is back, but the computer finishes the turn */
    uint8_t colour; /* index into game->colours */
    uint8_t turns;  /* that have ended, up to MATCH_FIRST_TURNS */
    uint16_t hints; /* how many were taken */
    char name[PROTOCOL_NAME_BYTES + 1];
    struct protocol_account account; /* of who sat down */
    char nonce[PROTOCOL_NONCE_BYTES + 1];
};

#endif
