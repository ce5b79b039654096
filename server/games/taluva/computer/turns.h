/*
 * The turns worth looking at, each with what the net says of the position after it, best first.
 * Where a tile has two hundred places with eight builds each, a few dozen are looked at.
 */
#ifndef COMPUTER_TURNS_H
#define COMPUTER_TURNS_H

#include "net.h"

enum { TURNS_KEPT = COMPUTER_TURNS };

/* A turn, or what is left of it. */
enum turn_part {
    TURN_DRAW = COMPUTER_PART_DRAW,   /* draws; what comes next is another decision */
    TURN_PLACE = COMPUTER_PART_PLACE, /* has a placement */
    TURN_BUILD = COMPUTER_PART_BUILD, /* has a build; a placement without one puts its player out */
};
struct turn {
    struct taluva_placement placement;
    struct taluva_build build;
    uint8_t parts; /* set of enum turn_part */
};

struct turn_rated {
    struct turn turn;
    bool final;                        /* the game is over after it, the chances are exact */
    int32_t chances[TALUVA_SEATS_MAX]; /* of CHANCE_ONE */
};

/* How closely to look. */
struct turns_width {
    uint8_t places; /* where the tile may lie */
    uint8_t builds; /* with each, and with none */
    uint8_t kept;   /* turns, at most TURNS_KEPT */
    bool alike;     /* also places that touch the same settlements with the same fields */
};

struct turns {
    unsigned n;
    struct turn_rated list[TURNS_KEPT];
};

/*
 * Step place; or step draw, for a 2-Hex tile that may be taken. Adds to `turns`, which the caller
 * has begun with n 0; there is at least one. `rated` counts the positions that the net has rated,
 * and may be NULL.
 */
void turns_with_tile(struct turns *turns, const struct net *net, const struct taluva *game,
                     taluva_tile tile, struct turns_width width, uint64_t *rated);

/* Step build. */
void turns_building(struct turns *turns, const struct net *net, const struct taluva *game,
                    struct turns_width width, uint64_t *rated);

/* As a step draw stands, before anything is drawn. */
void turns_rate_now(const struct net *net, const struct taluva *game,
                    int32_t chances[TALUVA_SEATS_MAX], uint64_t *rated);

/* What the seats have got when the game is over. */
void turns_rate_end(const struct taluva *game, int32_t chances[TALUVA_SEATS_MAX]);

/* Adds one in its place; the worst falls out if `kept` are there. */
void turns_add(struct turns *turns, unsigned seat, unsigned kept, const struct turn_rated *one);

/* Does what a turn says; all of it is legal. */
void turn_apply(struct taluva *game, const struct turn *turn);

#endif
