/*
 * Games between computer players, for measuring and for training. A game is settled by its
 * options, its deck and the seeds of its players.
 */
#ifndef TOOLS_PLAY_H
#define TOOLS_PLAY_H

#include "search.h"
#include <base/rng.h>
#include <computer/levels.h>

enum player_kind { PLAYER_RANDOM, PLAYER_LEVEL, PLAYER_THINKING };

struct player {
    enum player_kind kind;
    enum computer_level level; /* of PLAYER_LEVEL, which uses nothing else here but the memory */
    const struct net *net;
    struct search_style style;
    uint32_t simulations;
    int32_t noise;      /* of CHANCE_ONE: how far a turn's chance is shaken before the choice */
    unsigned per_mille; /* turns taken at random among those that are rated */
    void *memory;
    size_t memory_bytes;
    uint64_t rated, simulated, turns; /* counted */
};

/*
 * Reads "random", the word for a level, "ahead" or a number of simulations; behind the last two, in
 * any order,
 * ":FILE" (a net as the trainer writes it), "+wide" or "+narrow" (how closely the root is looked
 * at) and "~N" (noise in thousandths). NULL, or what is wrong. The memory is kept until the program
 * ends.
 */
const char *player_read(struct player *player, const char *text);
bool net_read(struct net *net, const char *path);

struct play {
    struct taluva game;
    taluva_tile deck[TALUVA_TILES_MAX];
    unsigned n_drawn;
    unsigned n_turns;
    uint8_t unseen[TALUVA_TILE_TWO_HEX];
    struct rng rng; /* of the players */
    /* Of the latest turn that was thought about. */
    bool thought;
    int32_t best[TALUVA_SEATS_MAX]; /* chances after the best turn */
    int32_t lost;                   /* how much less for the mover the one played gives */
};

/* Deals; `options` are valid but for first and two_hex, which are drawn (two_hex if not 0). */
void play_init(struct play *play, struct taluva_options options, struct rng *deal);

/* One step: a draw, or the placement and the build of a turn. Not when the game is over. */
void play_step(struct play *play, struct player *player);

/* Options at random: all sizes, numbers of players and variants. */
struct taluva_options play_any_options(struct rng *rng);

#endif
