#include "careful.h"
#include "simple.h"
#include <assert.h>
#include <string.h>

enum { OVERLOOKED_ONE_IN = 2 };

static const struct totem_care skilled = {.guesses = 3, .overlooks = 1};
static const struct totem_care strong = {.guesses = 12, .overlooks = 0};

/* A beginner often overlooks that there is something to do. */
static bool choose_at_level(const struct totem *known, enum totem_level level, struct rng *random,
                            struct totem_command *out)
{
    switch (level) {
    case TOTEM_LEVEL_BEGINNER:
        return rng_below(random, OVERLOOKED_ONE_IN) > 0 && totem_simple_choose(known, random, out);
    case TOTEM_LEVEL_SIMPLE:
        return totem_simple_choose(known, random, out);
    case TOTEM_LEVEL_SKILLED:
        totem_careful_choose(known, &skilled, random, out);
        return true;
    case TOTEM_LEVEL_STRONG:
        totem_careful_choose(known, &strong, random, out);
        return true;
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
    if (!choose_at_level(known, level, &random, out))
        totem_default_command(known, family, out);
}
