/*
 * Counts legal sequences of turns (perft.json, see README.md) and compares.
 *
 * usage: vectors-perft FILE...
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "vector.h"

struct tally {
    unsigned long counts, differences;
};

static void count(void *ctx, const json_t *line)
{
    struct tally *const tally = ctx;
    struct taluva_options options;
    struct taluva game;
    taluva_tile deck[TALUVA_TILES_MAX];
    const size_t n = vector_setup(line, &options, deck);
    if (n == 0 || taluva_init(&game, &options) != TALUVA_OK) {
        (void)printf("cannot be set up\n");
        tally->differences++;
        return;
    }
    const char *turns;
    json_t *expected;
    json_object_foreach(json_object_get(line, "counts"), turns, expected)
    {
        const uint64_t ours = taluva_perft(&game, deck, n, (unsigned)atoi(turns));
        tally->counts++;
        if (ours != (uint64_t)json_integer_value(expected)) {
            (void)printf("%s turns: %" PRIu64 ", not %" JSON_INTEGER_FORMAT "\n", turns, ours,
                         json_integer_value(expected));
            tally->differences++;
        }
    }
}

int main(int argc, char **argv)
{
    struct tally tally = {0, 0};
    bool ok = argc > 1;
    for (int i = 1; i < argc; i++) {
        ok &= vector_each(argv[i], count, &tally);
    }
    (void)printf("%lu counts, %lu differences\n", tally.counts, tally.differences);
    return ok && tally.counts > 0 && tally.differences == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
