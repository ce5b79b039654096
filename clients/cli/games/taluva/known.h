/*
 * What a player who has followed a match knows of it beside the state: which tiles have been seen.
 * The state shows the tile in hand and how many are left; what was covered long ago only the events
 * tell.
 */
#ifndef CLI_TALUVA_KNOWN_H
#define CLI_TALUVA_KNOWN_H

#include <jansson.h>
#include <rules/taluva.h>

/* Zeros before the first event. */
struct known {
    uint8_t seen[TALUVA_TILE_TWO_HEX]; /* [tile number]: how many were drawn */
    uint8_t two_hex;                   /* set of 2-Hex tiles that this game has had */
    uint8_t first;                     /* the seat that started */
    bool started;
    bool in_hand;     /* `tile` is */
    taluva_tile tile; /* the latest that was shown */
    int stack;        /* left after the latest event; before the start all of the game's tiles */
};

/* Takes an event's push into account: each of the match once, in order, from the first on. */
void known_hear(struct known *known, const json_t *push);

/* Tiles of the box that nobody has seen, those that this game leaves in the box among them. */
void known_unseen(const struct known *known, unsigned seats, uint8_t unseen[TALUVA_TILE_TWO_HEX]);

/* The set that an object with 2-Hex tiles as its keys stands for, as in `table.two_hex`. */
uint8_t known_two_hex(json_t *tiles);

#endif
