/*
 * Random games over random option sets, from a seed.
 */
#ifndef TESTS_RULES_WORLD_H
#define TESTS_RULES_WORLD_H

#include "../../support/rng.h"
#include <rules/taluva.h>

/* One command, of whoever. */
enum command_kind { COMMAND_DRAW, COMMAND_PLACE, COMMAND_BUILD, COMMAND_FORFEIT };

struct command {
    enum command_kind kind;
    uint8_t seat;
    bool confirm;
    taluva_tile tile;
    struct taluva_placement placement;
    struct taluva_build build;
};

struct world {
    struct rng dice;
    struct taluva game;
    taluva_tile deck[TALUVA_TILES_MAX];
    unsigned drawn;
    /* How this game is played: in 256ths. */
    unsigned erupts, expands, spends, takes, forfeits;
};

/* A new game, dealt. */
void world_init(struct world *world, uint64_t seed);

/* A legal command for this moment; the game must not be over. */
struct command world_next(struct world *world);

/* Something that is most often not legal, and sometimes not even sane. */
struct command world_nonsense(struct world *world);

enum taluva_status command_check(const struct taluva *game, const struct command *command);
enum taluva_status command_do(struct taluva *game, const struct command *command,
                              struct taluva_effects *effects);

#endif
