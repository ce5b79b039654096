/*
 * Whole games of Totem between computer players: each is told what its seat may know and nothing
 * else, and every deal is played from all seats.
 */
#ifndef TEST_STRENGTH_ARENA_H
#define TEST_STRENGTH_ARENA_H

#include <totem_computer/computer.h>

/* A level of the computer, or a player who takes any legal command. */
enum { ARENA_RANDOM = 0 };

struct arena_result {
    unsigned games;
    unsigned wins;  /* of the one that is tried */
    unsigned none;  /* nobody won */
    unsigned moves; /* of the one that is tried */
    unsigned rounds;
    uint64_t digest; /* of all commands of all games: the same with every compiler */
};

/*
 * `deals` deals: `level` plays each from every seat, all others are `other`. `options.first` is
 * drawn. Adds to *result.
 */
void arena_play(const struct totem_options *options, unsigned level, unsigned other,
                uint64_t first_deal, unsigned deals, struct arena_result *result);

/* A legal command of a family that may act, any of them alike. */
void arena_random_command(const struct totem *game, unsigned family, uint64_t seed,
                          struct totem_command *out);

#endif
