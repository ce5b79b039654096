#include "simple.h"
#include <string.h>
#include <totem_computer/computer.h>

enum { OVERLOOKED_ONE_IN = 2 };

/* A beginner often overlooks that there is something to do. */
static bool choose(const struct totem *known, enum totem_level level, struct rng *random,
                   struct totem_command *out)
{
    switch (level) {
    case TOTEM_LEVEL_BEGINNER:
        return rng_below(random, OVERLOOKED_ONE_IN) > 0 && totem_simple_choose(known, random, out);
    case TOTEM_LEVEL_SIMPLE:
        return totem_simple_choose(known, random, out);
    }
    return false;
}

void totem_computer_choose(const struct totem *known, unsigned family, enum totem_level level,
                           uint64_t seed, struct totem_command *out)
{
    struct rng random = {seed};
    memset(out, 0, sizeof *out);
    memset(&out->puts, TOTEM_NONE, sizeof out->puts);
    out->family = (uint8_t)family;
    if (!choose(known, level, &random, out))
        totem_default_command(known, family, out);
}
