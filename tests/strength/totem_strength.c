/*
 * Plays levels of Totem's computer against each other and prints how often the first wins, with 95
 * % intervals (Wilson). No test: it takes as long as is asked for.
 *
 *     totem-strength LEVEL OTHER DEALS [players=4] [rounds=24] [spells=0] [meals=0] [village=0]
 *                    [totem_a=0] [totem_b=0] [seed=1]
 *
 * Levels: 0 random, 1 beginner, 2 simple, 3 skilled, 4 strong. LEVEL plays each deal from every
 * seat, all others are OTHER; by chance alone it would win one in `players`.
 */
#include "arena.h"
#include <base/program.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>

static double root(double x)
{
    double guess = x > 1 ? x : 1;
    for (int i = 0; i < 60; i++)
        guess = (guess + x / guess) / 2;
    return guess;
}

static void print_share(const char *what, unsigned n, unsigned of)
{
    double z = 1.96, p = (double)n / of, d = 1 + z * z / of;
    double middle = (p + z * z / (2.0 * of)) / d;
    double half = z * root(p * (1 - p) / of + z * z / (4.0 * of * of)) / d;
    printf("%s %.1f %% (%.1f to %.1f)", what, 100 * p, 100 * (middle - half),
           100 * (middle + half));
}

static unsigned named(int argc, char **argv, const char *name, unsigned otherwise)
{
    size_t len = strlen(name);
    for (int i = 4; i < argc; i++) {
        if (strncmp(argv[i], name, len) == 0 && argv[i][len] == '=')
            return (unsigned)strtoul(argv[i] + len + 1, NULL, 10);
    }
    return otherwise;
}

static int run(int argc, char **argv)
{
    struct arena_result result = {0};
    if (argc < 4) {
        (void)fprintf(stderr, "usage: totem-strength LEVEL OTHER DEALS [option=number]...\n");
        return EX_USAGE;
    }
    unsigned level = (unsigned)strtoul(argv[1], NULL, 10);
    unsigned other = (unsigned)strtoul(argv[2], NULL, 10);
    unsigned deals = (unsigned)strtoul(argv[3], NULL, 10);
    struct totem_options options = {
        .players = (uint8_t)named(argc, argv, "players", 4),
        .rounds = (uint8_t)named(argc, argv, "rounds", 24),
        .spells = (uint8_t)named(argc, argv, "spells", 0),
        .meals = (uint8_t)named(argc, argv, "meals", 0),
        .village = named(argc, argv, "village", 0) != 0,
        .totem_a = named(argc, argv, "totem_a", 0) != 0,
        .totem_b = named(argc, argv, "totem_b", 0) != 0,
    };
    if (level > TOTEM_LEVELS || other > TOTEM_LEVELS || deals == 0 ||
        totem_check_options(&options) != TOTEM_OK) {
        (void)fprintf(stderr, "totem-strength: no such level or options\n");
        return EX_USAGE;
    }
    clock_t begin = clock();
    arena_play(&options, level, other, named(argc, argv, "seed", 1), deals, &result);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    printf("%u against %u, %u players, %u games: ", level, other, (unsigned)options.players,
           result.games);
    print_share("won", result.wins, result.games);
    print_share(", nobody won", result.none, result.games);
    printf("; %.1f rounds a game, %.1f s, digest %016llx\n", (double)result.rounds / result.games,
           seconds, (unsigned long long)result.digest);
    return 0;
}

int main(int argc, char **argv)
{
    program_begin();
    return program_end("totem-strength", run(argc, argv));
}
