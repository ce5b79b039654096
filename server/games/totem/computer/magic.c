/*
 * What spells are worth to the computer player, by simple reckoning: good ones on huts of its own
 * seat, bad ones on others, most of all on the largest other family. It reads what everybody sees.
 */
#include "simple.h"
#include <limits.h>

enum {
    /* What things are worth, compared with each other. */
    WORTH_CHILD = 12,
    WORTH_GIRL = 4,
    WORTH_BOY = 1,
    WORTH_HUNTER = 4,
    WORTH_GROWN_UP = 14,
    WORTH_CHILD_ILL = 3,
    WORTH_HEALTH = 2,
    WORTH_ELDER = 3,
    WORTH_LAST_ELDER = 60, /* without one a piece falls, and none is added */
    NOISE = 3,
};

static const struct totem_people *people_of(const struct totem *game, unsigned hut)
{
    return &game->families[hut / TOTEM_HUTS].huts[hut % TOTEM_HUTS];
}

static int women_with_men(const struct totem_people *people)
{
    return totem_count_men(people) > 0 ? (int)totem_count_women(people) : 0;
}

static int count_hunters(const struct totem_people *people)
{
    return (int)totem_count_men(people) + people->of[TOTEM_BOY];
}

/* Those who would die of plague. */
static int half_of_grown_ups(const struct totem_people *people)
{
    int ill = 0;
    for (unsigned kind = TOTEM_YOUNG_WOMAN; kind < TOTEM_KINDS; kind++)
        ill += people->of[kind] / 2;
    return ill;
}

static int worth_of_long_life(const struct totem *game, unsigned hut)
{
    const struct totem_people all = totem_everybody(&game->families[hut / TOTEM_HUTS]);
    bool no_others = all.of[TOTEM_WOMAN] + all.of[TOTEM_MAN] == 0;
    int elders = people_of(game, hut)->of[TOTEM_ELDER];
    return elders * (no_others ? WORTH_LAST_ELDER : WORTH_ELDER);
}

/* For the family itself; below 0 if it does harm. */
static int worth_to_owner(const struct totem *game, unsigned spell, unsigned hut)
{
    const struct totem_people *people = people_of(game, hut);
    switch ((enum totem_spell)spell) {
    case TOTEM_GIRLS:
        return WORTH_GIRL * women_with_men(people);
    case TOTEM_BOYS:
        return WORTH_BOY * women_with_men(people);
    case TOTEM_TWINS:
        return WORTH_CHILD * women_with_men(people);
    case TOTEM_INFERTILITY:
        return -WORTH_CHILD * women_with_men(people);
    case TOTEM_ABUNDANCE:
        return WORTH_HUNTER * count_hunters(people);
    case TOTEM_FAMINE:
        return -WORTH_HUNTER * count_hunters(people);
    case TOTEM_MEASLES:
        return -WORTH_CHILD_ILL * women_with_men(people);
    case TOTEM_PLAGUE:
        return -WORTH_GROWN_UP * half_of_grown_ups(people);
    case TOTEM_HEALTH:
        return WORTH_HEALTH * half_of_grown_ups(people);
    case TOTEM_LONG_LIFE:
        return worth_of_long_life(game, hut);
    }
    return 0;
}

static unsigned size_of_family(const struct totem *game, unsigned family)
{
    const struct totem_people all = totem_everybody(&game->families[family]);
    return totem_count(&all);
}

/* Of those that other seats lead. */
static bool is_largest_other(const struct totem *game, unsigned seat, unsigned family)
{
    for (unsigned other = 0; other < totem_families(&game->options); other++) {
        if (totem_seat_of(&game->options, other) != seat &&
            size_of_family(game, other) > size_of_family(game, family))
            return false;
    }
    return true;
}

int totem_worth_of_spell(const struct totem *game, unsigned family, unsigned spell, unsigned hut)
{
    unsigned seat = totem_seat_of(&game->options, family), owner = hut / TOTEM_HUTS;
    int worth = worth_to_owner(game, spell, hut);
    if (totem_seat_of(&game->options, owner) == seat)
        return worth;
    return is_largest_other(game, seat, owner) ? -worth : -worth / 2;
}

int totem_best_hut(const struct totem *game, unsigned family, unsigned spell, struct rng *random,
                   unsigned *hut)
{
    int best = INT_MIN, best_noisy = INT_MIN;
    for (unsigned i = 0; i < TOTEM_HUTS_ALL; i++) {
        if (game->families[i / TOTEM_HUTS].state != TOTEM_FAMILY_PLAYING)
            continue;
        int worth = totem_worth_of_spell(game, family, spell, i);
        int noisy = worth + (int)rng_below(random, NOISE);
        if (noisy > best_noisy) {
            best_noisy = noisy;
            best = worth;
            *hut = i;
        }
    }
    return best;
}
