/*
 * Which spells the careful player lays and uncovers: one after the other, each time what adds most
 * in the forecasts.
 */
#include "careful.h"
#include <assert.h>
#include <limits.h>
#include <string.h>

enum {
    TRIED_AGAIN = 14,  /* of all ways to lay a spell: the best at first sight */
    FIRST_GUESSES = 4, /* for the first sight */
    WORTH_LAYING = 4,  /* less is not worth a spell, by guess */
};

struct lay {
    uint8_t spell, hut;
    int worth;
};

struct lays {
    unsigned count;
    struct lay list[TOTEM_SPELLS * TOTEM_HUTS_ALL];
};

static bool makes_sense(const struct totem_thought *thought, unsigned spell, unsigned hut)
{
    static const unsigned good = 1U << TOTEM_GIRLS | 1U << TOTEM_BOYS | 1U << TOTEM_TWINS |
                                 1U << TOTEM_ABUNDANCE | 1U << TOTEM_HEALTH | 1U << TOTEM_LONG_LIFE;
    static const unsigned bad = 1U << TOTEM_BOYS | 1U << TOTEM_INFERTILITY | 1U << TOTEM_FAMINE |
                                1U << TOTEM_MEASLES | 1U << TOTEM_PLAGUE;
    unsigned set = totem_thought_owns(thought, hut) ? good : bad;
    return totem_thought_plays(thought, hut) && (set >> spell & 1) != 0;
}

/* `all`: none of them is overlooked. */
static void find_lays(const struct totem_thought *thought, unsigned set, bool all,
                      struct lays *lays)
{
    lays->count = 0;
    for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
        for (unsigned hut = 0; hut < TOTEM_HUTS_ALL; hut++) {
            if ((set >> spell & 1) != 0 && makes_sense(thought, spell, hut) &&
                (all || !totem_thought_overlooks(thought)))
                lays->list[lays->count++] =
                    (struct lay){.spell = (uint8_t)spell, .hut = (uint8_t)hut};
        }
    }
}

static void weigh(struct totem_thought *thought, struct lay *lay)
{
    uint16_t before = thought->own[lay->hut];
    thought->own[lay->hut] = (uint16_t)(before | 1U << lay->spell);
    lay->worth = totem_thought_worth(thought);
    thought->own[lay->hut] = before;
}

/* The best ones come first, and only those stay that are tried again. */
static void keep_best(struct lays *lays)
{
    unsigned kept = lays->count < TRIED_AGAIN ? lays->count : TRIED_AGAIN;
    for (unsigned i = 0; i < kept; i++) {
        unsigned best = i;
        for (unsigned k = i + 1; k < lays->count; k++)
            best = lays->list[k].worth > lays->list[best].worth ? k : best;
        struct lay swapped = lays->list[i];
        lays->list[i] = lays->list[best];
        lays->list[best] = swapped;
    }
    lays->count = kept;
}

/* The best one. Where there are many, a few guesses tell which deserve all. NULL: there is none. */
static const struct lay *find_best(struct totem_thought *thought, struct lays *lays)
{
    unsigned all = thought->care.guesses;
    if (lays->count > TRIED_AGAIN) {
        thought->care.guesses = all < FIRST_GUESSES ? all : FIRST_GUESSES;
        for (unsigned i = 0; i < lays->count; i++)
            weigh(thought, &lays->list[i]);
        keep_best(lays);
        thought->care.guesses = all;
    }
    for (unsigned i = 0; i < lays->count; i++)
        weigh(thought, &lays->list[i]);
    keep_best(lays);
    return lays->count > 0 ? &lays->list[0] : NULL;
}

static void remove_spell(struct lays *lays, unsigned spell)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < lays->count; i++) {
        if (lays->list[i].spell != spell)
            lays->list[kept++] = lays->list[i];
    }
    lays->count = kept;
}

static int worth_laying(const struct totem_thought *thought)
{
    return WORTH_LAYING * (int)thought->care.guesses;
}

void totem_plan_spells(struct totem_thought *thought, struct totem_command *out)
{
    struct lays lays;
    struct totem_family *own = &thought->game.families[thought->family];
    unsigned most = totem_allowance(&thought->game, thought->family), free = own->pieces;
    find_lays(thought, totem_spells_in(own, TOTEM_SPELL_HOME), false, &lays);
    for (unsigned n = 0; n < most; n++) {
        int without = totem_thought_worth(thought);
        own->birds = (uint8_t)(own->birds - (n >= free));
        const struct lay *best = find_best(thought, &lays);
        if (!best || best->worth < without + worth_laying(thought))
            return;
        unsigned spell = best->spell;
        thought->own[best->hut] = (uint16_t)(thought->own[best->hut] | 1U << spell);
        out->set = (uint16_t)(out->set | 1U << spell);
        out->puts.hut[spell] = best->hut;
        remove_spell(&lays, spell);
    }
}

/* In turns whatever was chosen has to be placed; in variant A the family may pass. */
void totem_cast_best(struct totem_thought *thought, struct totem_command *out)
{
    struct lays lays;
    struct totem_family *own = &thought->game.families[thought->family];
    bool turns = thought->game.options.spells == TOTEM_SPELLS_TURNS;
    unsigned placed = totem_set_size(totem_spells_in(own, TOTEM_SPELL_DOWN));
    int without = totem_thought_worth(thought);
    if (!turns && placed >= own->pieces)
        own->birds--;
    unsigned set = totem_spells_in(own, turns ? TOTEM_SPELL_CHOSEN : TOTEM_SPELL_HOME);
    find_lays(thought, set, false, &lays);
    if (lays.count == 0)
        find_lays(thought, set, true, &lays);
    const struct lay *best = find_best(thought, &lays);
    if (!turns && (!best || best->worth < without + worth_laying(thought))) {
        out->verb = TOTEM_VERB_PASS;
        return;
    }
    assert(best); /* of what was chosen, something helps oneself or harms others */
    out->verb = TOTEM_VERB_CAST;
    out->spell = best->spell;
    out->hut = best->hut;
}

/* Of this phase whatever does good where it lies. */
void totem_reveal_best(struct totem_thought *thought, struct totem_command *out)
{
    const struct totem_family *own = &thought->game.families[thought->family];
    unsigned mine = 0;
    out->verb = TOTEM_VERB_REVEAL;
    for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
        const struct totem_spell_place *place = &own->spells[spell];
        if (place->state == TOTEM_SPELL_DOWN &&
            totem_spell_step((enum totem_spell)spell) == (enum totem_step)thought->game.step) {
            mine |= 1U << spell;
            thought->own[place->hut] = (uint16_t)(thought->own[place->hut] & ~(1U << spell));
        }
    }
    for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
        if ((mine >> spell & 1) == 0)
            continue;
        struct lay lay = {.spell = (uint8_t)spell, .hut = own->spells[spell].hut};
        int without = totem_thought_worth(thought);
        weigh(thought, &lay);
        if (lay.worth <= without)
            continue;
        thought->own[lay.hut] = (uint16_t)(thought->own[lay.hut] | 1U << spell);
        out->set = (uint16_t)(out->set | 1U << spell);
    }
}
