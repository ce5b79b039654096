/*
 * The island of the independent reading of the rules (taluva_reference.h): where tiles fit and what
 * can be built.
 */
#ifndef SIM_TALUVA_ISLAND_H
#define SIM_TALUVA_ISLAND_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    ISLAND_SEATS = 5,
    ISLAND_CELLS = 192, /* 60 tiles of three hexes and five of two */
    ISLAND_SIDE = 256,
    ISLAND_MIDDLE = ISLAND_SIDE / 2,
    ISLAND_BOATS = 10,
    ISLAND_TEXT = 40, /* of any move */
};

struct place {
    int q, r;
};

struct cell {
    struct place at;
    int level;
    char terrain; /* one of JCSRL, or V */
    int facing;   /* of a volcano, 0 to 5; 6 to 11 on a 2-Hex tile */
    int owner;    /* -1: there is no building */
    char kind;    /* h, w or t, as in the notation */
};

struct stock { /* what a player has not built yet */
    int huts, towers, temples, boats;
};

struct island {
    int zone_radius;    /* 0: there is no zone */
    bool huts_anywhere; /* single huts also beside the player's own buildings */
    struct cell cells[ISLAND_CELLS];
    int count;
    /* For each hex of the table the number of its cell, from 1. */
    uint8_t numbers[ISLAND_SIDE][ISLAND_SIDE];
    struct {
        struct place lagoon; /* its smallest hex */
        int seat;
    } boats[ISLAND_BOATS];
    int boat_count;
};

/* Adds to the set `moves` the texts of all placements of the tile, and of all builds. */
void island_placements(const struct island *island, const char *tile, json_t *moves);
void island_builds(const struct island *island, int seat, const struct stock *stock, json_t *moves);
/* Is there any placement of the tile? */
bool island_has_room(const struct island *island, const char *tile);

/* Carry out what is in such a set. */
void island_place(struct island *island, const char *text);
void island_build(struct island *island, int seat, struct stock *stock, const char *text);

#endif
