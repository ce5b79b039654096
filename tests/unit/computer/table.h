/* A game with its deck, for tests: dealt with any options, and played at random or as asked. */
#ifndef TESTS_COMPUTER_TABLE_H
#define TESTS_COMPUTER_TABLE_H

#include <base/rng.h>
#include <computer/computer.h>
#include <rules/box.h>

struct table {
    struct taluva game;
    taluva_tile deck[TALUVA_TILES_MAX];
    unsigned n_drawn;
    uint8_t unseen[TALUVA_TILE_TWO_HEX];
    struct rng rng;
};

/* Two players, 48 tiles. */
void table_deal(struct table *table, uint64_t seed);
/* Any number of players and any variants. */
void table_deal_any(struct table *table, uint64_t seed);
void table_deal_options(struct table *table, uint64_t seed, struct taluva_options options);

/* Until there is something to decide: draws where nothing else may be done. */
void table_draw(struct table *table);
/* One decision: a placement or a build, and the draws after it. */
void table_play_random(struct table *table);
/* What the computer answers, which it plays; all of it must be legal. */
void table_play_turn(struct table *table, const struct computer_turn *turn);

/* Asks with nothing but the game and what is unseen; simulations may be 0. */
struct computer_question table_question(const struct table *table);

/* The best turn, one turn looked ahead. */
struct computer_turn table_look(const struct table *table);

#endif
