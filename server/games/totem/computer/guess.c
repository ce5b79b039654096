#include "guess.h"

#include <string.h>

enum {
    HELPS_IN_TEN = 4,   /* so many of ten spells are meant to help their owner */
    BEST_IN_TEN = 7,    /* so many lie on the hut with most women */
    LARGEST_IN_TEN = 8, /* so many of those that harm fall on the largest family */
};

bool totem_thought_owns(const struct totem_thought *thought, unsigned hut)
{
    return totem_seat_of(&thought->game.options, hut / TOTEM_HUTS) == thought->seat;
}

bool totem_thought_plays(const struct totem_thought *thought, unsigned hut)
{
    return thought->game.families[hut / TOTEM_HUTS].state == TOTEM_FAMILY_PLAYING;
}

static bool in_ten(struct rng *random, unsigned n)
{
    return rng_below(random, 10) < n;
}

/* ---- one spell of another seat */

/* What one would lay there, the likelier the more often it stands here; of those not used yet. */
static unsigned likely_spell(bool helps, unsigned used, struct rng *random)
{
    static const uint8_t good[] = {TOTEM_TWINS, TOTEM_TWINS,     TOTEM_TWINS,    TOTEM_HEALTH,
                                   TOTEM_GIRLS, TOTEM_LONG_LIFE, TOTEM_ABUNDANCE};
    static const uint8_t bad[] = {TOTEM_INFERTILITY, TOTEM_INFERTILITY, TOTEM_INFERTILITY,
                                  TOTEM_PLAGUE,      TOTEM_PLAGUE,      TOTEM_MEASLES,
                                  TOTEM_FAMINE};
    unsigned start = rng_below(random, sizeof good);
    for (unsigned i = 0; i < sizeof good; i++) {
        unsigned spell = (helps ? good : bad)[(start + i) % sizeof good];
        if (!((used >> spell) & 1))
            return spell;
    }
    return TOTEM_BOYS;
}

static unsigned hut_with_most_women(const struct totem *game, unsigned family)
{
    unsigned best = 0;
    for (unsigned i = 1; i < TOTEM_HUTS; i++) {
        if (totem_count_women(&game->families[family].huts[i]) >
            totem_count_women(&game->families[family].huts[best]))
            best = i;
    }
    return family * TOTEM_HUTS + best;
}

static unsigned hut_in_family(const struct totem *game, unsigned family, struct rng *random)
{
    return in_ten(random, BEST_IN_TEN) ? hut_with_most_women(game, family)
                                       : family * TOTEM_HUTS + rng_below(random, TOTEM_HUTS);
}

static unsigned size_of(const struct totem *game, unsigned family)
{
    struct totem_people all = totem_everybody(&game->families[family]);
    return totem_count(&all);
}

/* Whom a family would harm. */
static unsigned likely_victim(const struct totem *game, unsigned family, struct rng *random)
{
    unsigned families = totem_families(&game->options), victim = family;
    unsigned seat = totem_seat_of(&game->options, family);
    bool largest = in_ten(random, LARGEST_IN_TEN);
    unsigned start = rng_below(random, families);
    for (unsigned i = 0; i < families; i++) {
        unsigned other = (start + i) % families;
        if (game->families[other].state != TOTEM_FAMILY_PLAYING ||
            totem_seat_of(&game->options, other) == seat)
            continue;
        if (victim == family || (largest && size_of(game, other) > size_of(game, victim)))
            victim = other;
    }
    return victim;
}

/* ---- a guess */

static unsigned lie(const struct totem_thought *thought, struct totem_guess *guess, unsigned family,
                    unsigned hut, unsigned used, struct rng *random)
{
    const struct totem_options *options = &thought->game.options;
    bool helps = totem_seat_of(options, hut / TOTEM_HUTS) == totem_seat_of(options, family);
    unsigned spell = likely_spell(helps, used, random);
    guess->up[hut] = (uint16_t)(guess->up[hut] | 1U << spell);
    return used | 1U << spell;
}

static bool is_waited_for(const struct totem *game, unsigned family)
{
    for (unsigned i = 0; i < game->n_queue; i++) {
        if (game->queue[i] == family)
            return true;
    }
    return false;
}

/* How many spells another family will still lay. */
static unsigned spells_to_come(const struct totem *game, unsigned family, struct rng *random)
{
    const struct totem_family *other = &game->families[family];
    unsigned chosen = 0, down = 0;
    for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
        chosen += other->spells[spell].state == TOTEM_SPELL_CHOSEN;
        down += other->spells[spell].state == TOTEM_SPELL_DOWN;
    }
    unsigned usual = other->pieces + (other->birds > 3 ? rng_below(random, 3) : 0U);
    bool chooses = game->step <= TOTEM_STEP_CHOOSE || game->step == TOTEM_STEP_WRITE;
    bool in_a = game->options.spells == TOTEM_SPELLS_A && game->step == TOTEM_STEP_CAST;
    if (chosen > 0)
        return chosen;
    if ((chooses && (game->step != TOTEM_STEP_CHOOSE || is_waited_for(game, family))) ||
        (in_a && is_waited_for(game, family)))
        return usual > down ? usual - down : 0;
    return 0;
}

static void guess_family(const struct totem_thought *thought, struct totem_guess *guess,
                         unsigned family, struct rng *random)
{
    const struct totem *game = &thought->game;
    const struct totem_family *other = &game->families[family];
    unsigned used = totem_spells_in(other, TOTEM_SPELL_UP);
    for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
        const struct totem_spell_place *place = &other->spells[spell];
        if (place->state == TOTEM_SPELL_UP)
            guess->up[place->hut] = (uint16_t)(guess->up[place->hut] | 1U << spell);
        else if (place->state == TOTEM_SPELL_DOWN)
            used = lie(thought, guess, family, place->hut, used, random);
    }
    for (unsigned n = spells_to_come(game, family, random); n > 0; n--) {
        bool helps = in_ten(random, HELPS_IN_TEN);
        unsigned whose = helps ? family : likely_victim(game, family, random);
        used = lie(thought, guess, family, hut_in_family(game, whose, random), used, random);
    }
}

static void count_on_own(struct totem_thought *thought, unsigned family)
{
    for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
        const struct totem_spell_place *place = &thought->game.families[family].spells[spell];
        if (place->state == TOTEM_SPELL_DOWN || place->state == TOTEM_SPELL_UP)
            thought->own[place->hut] = (uint16_t)(thought->own[place->hut] | 1U << spell);
    }
}

void totem_think(struct totem_thought *thought, const struct totem *known, unsigned family,
                 const struct totem_care *care, struct rng *random)
{
    memset(thought, 0, sizeof *thought);
    thought->game = *known;
    thought->family = family;
    thought->seat = totem_seat_of(&known->options, family);
    thought->care = *care;
    thought->random = random;
    for (unsigned other = 0; other < TOTEM_FAMILIES; other++) {
        if (totem_thought_owns(thought, other * TOTEM_HUTS))
            count_on_own(thought, other);
    }
    for (unsigned i = 0; i < care->guesses; i++) {
        struct totem_guess *guess = &thought->guesses[i];
        for (unsigned hut = 0; hut < TOTEM_HUTS_ALL; hut++)
            guess->words[hut] = (uint16_t)rng_next(random);
        for (unsigned other = 0; other < TOTEM_FAMILIES; other++) {
            if (totem_thought_plays(thought, other * TOTEM_HUTS) &&
                !totem_thought_owns(thought, other * TOTEM_HUTS))
                guess_family(thought, guess, other, random);
        }
    }
}

bool totem_thought_overlooks(const struct totem_thought *thought)
{
    return thought->care.overlooks > 0 && in_ten(thought->random, thought->care.overlooks);
}

int totem_thought_worth(const struct totem_thought *thought)
{
    int worth = 0;
    for (unsigned i = 0; i < thought->care.guesses; i++) {
        struct totem_forecast forecast;
        struct totem_guess guess = thought->guesses[i];
        for (unsigned hut = 0; hut < TOTEM_HUTS_ALL; hut++)
            guess.up[hut] |= thought->own[hut];
        totem_forecast(&thought->game, &guess, &forecast);
        worth += totem_worth(&thought->game, &forecast, thought->seat);
    }
    return worth;
}
