#include "simple.h"

#include <assert.h>
#include <string.h>

/* ---- settle */

enum { ELDERS_KEPT = 2, MEN_KEPT = 6 };

/* Who leaves when there are too many: women stay before men, and some elders. */
static unsigned who_leaves(const struct totem_people *all)
{
    if (all->of[TOTEM_ELDER] > ELDERS_KEPT)
        return TOTEM_ELDER;
    if (totem_count_men(all) > MEN_KEPT)
        return all->of[TOTEM_MAN] > 1 ? TOTEM_MAN : TOTEM_YOUNG_MAN;
    return all->of[TOTEM_WOMAN] > 1 ? TOTEM_WOMAN : TOTEM_YOUNG_WOMAN;
}

typedef unsigned count_function(const struct totem_people *people);

/* Into the hut with the fewest of them; into one without the others only if it must be. */
static unsigned hut_for(const struct totem_people huts[TOTEM_HUTS], count_function *same,
                        count_function *partners, unsigned room)
{
    unsigned best = TOTEM_HUTS, least = 0;
    for (unsigned hut = 0; hut < TOTEM_HUTS; hut++) {
        unsigned lonely = partners && partners(&huts[hut]) == 0 ? 100 : 0;
        unsigned cost = lonely + same(&huts[hut]);
        if (totem_count(&huts[hut]) < room && (best == TOTEM_HUTS || cost < least)) {
            best = hut;
            least = cost;
        }
    }
    assert(best < TOTEM_HUTS);
    return best;
}

static void choose_settle(const struct totem *game, unsigned family, struct totem_command *out)
{
    static const struct {
        uint8_t kind;
        count_function *same, *partners;
    } order[] = {
        {TOTEM_YOUNG_MAN, totem_count_men, NULL},
        {TOTEM_MAN, totem_count_men, NULL},
        {TOTEM_YOUNG_WOMAN, totem_count_women, totem_count_men},
        {TOTEM_WOMAN, totem_count_women, totem_count_men},
        {TOTEM_ELDER, totem_count, NULL},
    };
    struct totem_people all = totem_everybody(&game->families[family]);
    unsigned stay = totem_to_settle(game, family);
    unsigned room = totem_hut_room();
    while (totem_count(&all) > stay)
        all.of[who_leaves(&all)]--;
    for (unsigned i = 0; i < sizeof order / sizeof *order; i++) {
        for (unsigned n = 0; n < all.of[order[i].kind]; n++) {
            unsigned hut = hut_for(out->people, order[i].same, order[i].partners, room);
            out->people[hut].of[order[i].kind]++;
        }
    }
}

/* ---- spells */

enum { BIRDS_KEPT = 5, BIRDS_SPENT = 2 };

/* As many as cost nothing, and some for birds that would not outlast the meal. */
static unsigned how_many_spells(const struct totem *game, unsigned family)
{
    const struct totem_family *own = &game->families[family];
    unsigned spare = own->birds > BIRDS_KEPT ? own->birds - BIRDS_KEPT : 0;
    unsigned number = own->pieces + (spare < BIRDS_SPENT ? spare : BIRDS_SPENT);
    unsigned most = totem_allowance(game, family);
    return number < most ? number : most;
}

/* The best spell of the set, and its best hut. False: none of them is worth anything. */
static bool best_spell(const struct totem *game, unsigned family, unsigned set, struct rng *random,
                       unsigned *best, unsigned *best_hut)
{
    int most = 0;
    for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
        unsigned hut = 0;
        if (!((set >> spell) & 1))
            continue;
        int worth = totem_best_hut(game, family, spell, random, &hut);
        if (worth > most) {
            most = worth;
            *best = spell;
            *best_hut = hut;
        }
    }
    return most > 0;
}

/* The best ones, each where it is best. */
static void plan_spells(const struct totem *game, unsigned family, struct rng *random,
                        struct totem_command *out)
{
    unsigned set = totem_spells_in(&game->families[family], TOTEM_SPELL_HOME);
    unsigned spell, hut;
    for (unsigned n = how_many_spells(game, family);
         n > 0 && best_spell(game, family, set, random, &spell, &hut); n--) {
        set &= ~(1U << spell);
        out->set = (uint16_t)(out->set | 1U << spell);
        out->puts.hut[spell] = (uint8_t)hut;
    }
}

/* In turns whatever was chosen has to be placed; in variant A the family may pass. */
static void choose_cast(const struct totem *game, unsigned family, struct rng *random,
                        struct totem_command *out)
{
    const struct totem_family *own = &game->families[family];
    bool turns = game->options.spells == TOTEM_SPELLS_TURNS;
    unsigned set = totem_spells_in(own, turns ? TOTEM_SPELL_CHOSEN : TOTEM_SPELL_HOME);
    unsigned placed = TOTEM_SPELLS - totem_set_size(set);
    unsigned spell = 0, hut = family * TOTEM_HUTS;
    bool worth_it = best_spell(game, family, set, random, &spell, &hut);
    if (!turns && (!worth_it || placed >= how_many_spells(game, family))) {
        out->verb = TOTEM_VERB_PASS;
        return;
    }
    if (!worth_it) {
        while (!((set >> spell) & 1))
            spell++;
        totem_best_hut(game, family, spell, random, &hut);
    }
    out->verb = TOTEM_VERB_CAST;
    out->spell = (uint8_t)spell;
    out->hut = (uint8_t)hut;
}

/* Whatever of this phase does some good where it lies. */
static void choose_reveal(const struct totem *game, unsigned family, struct totem_command *out)
{
    const struct totem_family *own = &game->families[family];
    for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
        if (own->spells[spell].state == TOTEM_SPELL_DOWN &&
            totem_spell_step((enum totem_spell)spell) == (enum totem_step)game->step &&
            totem_worth_of_spell(game, family, spell, own->spells[spell].hut) > 0)
            out->set = (uint16_t)(out->set | 1U << spell);
    }
}

/* ---- take */

/* One of a kind, from the first hut that has one left. */
static bool take_one(struct totem_people left[TOTEM_HUTS], unsigned kind, struct totem_command *out)
{
    for (unsigned hut = 0; hut < TOTEM_HUTS; hut++) {
        if (left[hut].of[kind] > 0) {
            left[hut].of[kind]--;
            out->people[hut].of[kind]++;
            return true;
        }
    }
    return false;
}

/* Elders first, of which a family has few, then those who will have children. */
static void choose_take(const struct totem *game, unsigned family, struct totem_command *out)
{
    static const uint8_t order[TOTEM_KINDS] = {TOTEM_ELDER, TOTEM_YOUNG_WOMAN, TOTEM_GIRL,
                                               TOTEM_WOMAN, TOTEM_YOUNG_MAN,   TOTEM_MAN,
                                               TOTEM_BOY};
    struct totem_people left[TOTEM_HUTS];
    unsigned number = totem_to_name(game, family);
    out->victim = game->hungry[0].family;
    memcpy(left, game->families[out->victim].huts, sizeof left);
    for (unsigned i = 0; i < TOTEM_KINDS && number > 0;) {
        if (take_one(left, order[i], out))
            number--;
        else
            i++;
    }
}

/* ---- all */

bool totem_simple_choose(const struct totem *game, struct rng *random, struct totem_command *out)
{
    unsigned family = out->family;
    switch ((enum totem_step)game->step) {
    case TOTEM_STEP_SETTLE:
        out->verb = TOTEM_VERB_SETTLE;
        choose_settle(game, family, out);
        return true;
    case TOTEM_STEP_CHOOSE:
        out->verb = TOTEM_VERB_CHOOSE;
        plan_spells(game, family, random, out);
        return true;
    case TOTEM_STEP_WRITE:
        out->verb = TOTEM_VERB_WRITE;
        plan_spells(game, family, random, out);
        return true;
    case TOTEM_STEP_CAST:
        choose_cast(game, family, random, out);
        return true;
    case TOTEM_STEP_REVEAL_BIRTHS:
    case TOTEM_STEP_REVEAL_CATCH:
    case TOTEM_STEP_REVEAL_ILLNESS:
    case TOTEM_STEP_REVEAL_GENERATIONS:
        out->verb = TOTEM_VERB_REVEAL;
        choose_reveal(game, family, out);
        return true;
    case TOTEM_STEP_TAKE:
        out->verb = TOTEM_VERB_TAKE;
        choose_take(game, family, out);
        return true;
    case TOTEM_STEP_STARVE:
    case TOTEM_STEP_OVER:
        break;
    }
    return false;
}
