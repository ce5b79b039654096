/*
 * What the net is told of a seat: small numbers in sixteenths. The names below are the table of
 * contents; the net's weights are trained for exactly this list.
 */
#ifndef COMPUTER_TRAITS_H
#define COMPUTER_TRAITS_H

#include "survey.h"

enum {
    TRAIT_ONE = 16,

    /* Whose turn, how long yet. */
    TRAIT_BIAS = 0,
    TRAIT_WAIT, /* turns until the seat moves: one of 5 */
    TRAIT_TURNS =
        TRAIT_WAIT + 5, /* tiles left for it: at most 0, 1, 2, 4, 7, 11; and as a number */
    /* Pieces left. */
    TRAIT_TEMPLES = TRAIT_TURNS + 7,  /* one of 4 */
    TRAIT_TOWERS = TRAIT_TEMPLES + 4, /* one of 3 */
    TRAIT_BOATS = TRAIT_TOWERS + 3,   /* one of 3, if played */
    TRAIT_HUTS = TRAIT_BOATS + 3,     /* number, square; none, at most 2, 4, 7, 11, 15 */
    /* Settlements without a temple. */
    TRAIT_SMALL = TRAIT_HUTS + 8, /* how many of 1, of 2, of 3 and 4, of 5 and more */
    TRAIT_READY =
        TRAIT_SMALL + 4, /* large with a free field: how many, any; with two fields; safe */
    TRAIT_GROWING = TRAIT_READY + 4, /* payable expansions to large, any; to 2; cheapest one */
    /* Settlements without a tower. */
    TRAIT_TOWERLESS = TRAIT_GROWING + 4, /* how many; with high fields: how many, any, 2; */
    TRAIT_HEIGHTS = TRAIT_TOWERLESS + 4, /* makes high: settlements, any, eruptions; middle */
    /* Settlements with a temple. */
    TRAIT_DONE = TRAIT_HEIGHTS + 6, /* how many; of 5 and more */
    /* Building on. */
    TRAIT_DEAREST = TRAIT_DONE + 2,  /* expansion, of what huts are left; finishes exactly */
    TRAIT_SPOTS = TRAIT_DEAREST + 2, /* none, 1, number; fields beside; coverable; few builds */
    /* How near the end by two kinds. */
    TRAIT_WORK = TRAIT_SPOTS + 6, /* least turns, one of 8; each pair as a number */
    /* The others. */
    TRAIT_RIVAL_WORK = TRAIT_WORK + 8 + 3, /* the best rival's least turns, one of 6 */
    TRAIT_LEAD = TRAIT_RIVAL_WORK + 6,     /* by count, with at most 1, 2, 4, 7 turns left */
    TRAIT_RIVAL_OUT = TRAIT_LEAD + 4,      /* a rival with few builds; rivals' huts, least */
    TRAIT_MATE = TRAIT_RIVAL_OUT + 2,      /* teams: in; kinds done 0, 1, 2; least work for one */
    /* The game. */
    TRAIT_GAME = TRAIT_MATE + 6, /* seats - 2, teams, ranking, boats, 2-Hex, zone, anywhere */
    /* One tile away from large: how many, any; builds as a number; safe at all; rivals ready. */
    TRAIT_MORE = TRAIT_GAME + 7,
    /* Cut apart by an eruption: settlements that give a large piece, any; all such eruptions; */
    TRAITS_FIRST = TRAIT_MORE + 6, /* a net is trained to these before it learns the others */
    TRAIT_CUTS = TRAITS_FIRST,     /* ... a piece for a tower: any, eruptions; large, no field */
    /*
     * Half turns to the end of a kind, as a guess: temples, one of 14; towers, one of 10; huts, one
     * of 12; to two kinds, one of 18; with temples and towers, one of 16; each pair as a number.
     */
    TRAIT_TO_TEMPLES = TRAIT_CUTS + 6,
    TRAIT_TO_TOWERS = TRAIT_TO_TEMPLES + 14,
    TRAIT_TO_HUTS = TRAIT_TO_TOWERS + 10,
    TRAIT_TO_TWO = TRAIT_TO_HUTS + 12,
    TRAIT_TO_BOTH = TRAIT_TO_TWO + 18,
    TRAIT_PAIRS = TRAIT_TO_BOTH + 16,
    TRAIT_TO_SAFE = TRAIT_PAIRS + 3, /* to two kinds after the worst eruptions, a number */
    TRAIT_RACE = TRAIT_TO_SAFE + 1,  /* half turns ahead of the best rival, one of 13 */
    TRAITS_USED = TRAIT_RACE + 13,
    TRAITS = 208, /* the rest is 0 */
};
_Static_assert(TRAITS_USED <= TRAITS, "the net has an input for each");

/* Of all seats in play; `traits[seat]` of the others stays as it was. */
void traits_init(const struct board *board, const struct survey *survey,
                 int8_t traits[TALUVA_SEATS_MAX][TRAITS]);

/* Are both in play, and not mates? */
bool traits_is_rival(const struct board *board, unsigned seat, unsigned other);

#endif
