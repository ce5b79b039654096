#include "village.h"

#include "effects.h"
#include "families.h"
#include "spells.h"
#include <assert.h>
#include <totem_rules/values.h>

static bool spell_works(unsigned spells, enum totem_spell spell)
{
    return (spells >> spell & 1) != 0;
}

/* Begun ones count. */
static unsigned parts_of(unsigned number, unsigned part)
{
    return (number + part - 1) / part;
}

static unsigned smaller_of(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* ---- phase 3: births */

static unsigned children_of(const struct totem_people *people, unsigned spells)
{
    if (totem_count_men(people) == 0 || spell_works(spells, TOTEM_INFERTILITY))
        return 0;
    return totem_count_women(people) * (spell_works(spells, TOTEM_TWINS) ? totem_values.twins : 1);
}

static bool is_boy(unsigned word, unsigned child, unsigned spells)
{
    if (spell_works(spells, TOTEM_GIRLS))
        return false;
    return spell_works(spells, TOTEM_BOYS) || (word >> child & 1) != 0;
}

void totem_births_happen(struct totem *game, const struct totem_births *births,
                         struct totem_effects *effects)
{
    for (unsigned hut = 0; hut < TOTEM_HUTS_ALL; hut++) {
        struct totem_people *const people = totem_hut(game, hut);
        const unsigned spells = totem_spells_working(game, hut);
        const unsigned children = children_of(people, spells);
        struct totem_people born = {{0}};
        assert(children <= TOTEM_CHILDREN_MAX);
        for (unsigned child = 0; child < children; child++)
            born.of[is_boy(births->words[hut], child, spells) ? TOTEM_BOY : TOTEM_GIRL]++;
        people->of[TOTEM_GIRL] = (uint8_t)(people->of[TOTEM_GIRL] + born.of[TOTEM_GIRL]);
        people->of[TOTEM_BOY] = (uint8_t)(people->of[TOTEM_BOY] + born.of[TOTEM_BOY]);
        totem_effect_add_hut(effects, TOTEM_EFFECT_BORN, hut, &born);
    }
}

/* ---- phase 4: catch */

static unsigned count_hunters(const struct totem *game, unsigned family)
{
    unsigned count = 0;
    for (unsigned i = 0; i < TOTEM_HUTS; i++) {
        const struct totem_people *const people = &game->families[family].huts[i];
        const unsigned spells = totem_spells_working(game, family * TOTEM_HUTS + i);
        unsigned each = 1;
        if (spell_works(spells, TOTEM_ABUNDANCE))
            each = totem_values.abundance;
        else if (spell_works(spells, TOTEM_FAMINE))
            each = totem_values.famine;
        count += each * (people->of[TOTEM_BOY] + totem_count_men(people));
    }
    return count;
}

void totem_catch_happens(struct totem *game, struct totem_effects *effects)
{
    const struct totem_order order = totem_turn_order(game);
    unsigned left = smaller_of(totem_values.catch_birds[game->options.players], totem_supply(game));
    for (unsigned i = 0; i < order.n; i++) {
        const unsigned family = order.families[i];
        const unsigned birds =
            smaller_of(parts_of(count_hunters(game, family), totem_values.hunters_bird), left);
        left -= birds;
        game->families[family].birds = (uint8_t)(game->families[family].birds + birds);
        totem_effect_add_number(effects, TOTEM_EFFECT_CATCH, family, birds);
    }
}

/* ---- phase 5: the meal */

/* Those who can be chosen to go: with meals by the owner elders cannot. */
static unsigned count_choosable(const struct totem *game, unsigned family)
{
    const struct totem_people all = totem_everybody(&game->families[family]);
    const bool spared = game->options.meals == TOTEM_MEALS_OWNER;
    return totem_count(&all) - (spared ? all.of[TOTEM_ELDER] : 0u);
}

void totem_meal_happens(struct totem *game, struct totem_effects *effects)
{
    const struct totem_order order = totem_turn_order(game);
    for (unsigned i = 0; i < order.n; i++) {
        const unsigned index = order.families[i];
        struct totem_family *const family = &game->families[index];
        const unsigned needed = parts_of(totem_size(family), totem_values.people_bird);
        const unsigned eaten = smaller_of(needed, family->birds);
        const unsigned lack = smaller_of(needed - eaten, count_choosable(game, index));
        family->birds = (uint8_t)(family->birds - eaten);
        totem_effect_add_number(effects, TOTEM_EFFECT_EAT, index, eaten);
        totem_effect_add_number(effects, TOTEM_EFFECT_LACK, index, lack);
        if (lack > 0)
            game->hungry[game->n_hungry++] = (struct totem_hungry){(uint8_t)index, (uint8_t)lack};
    }
}

void totem_spill_happens(struct totem *game, struct totem_effects *effects)
{
    const struct totem_order order = totem_turn_order(game);
    for (unsigned i = 0; i < order.n; i++) {
        struct totem_family *const family = &game->families[order.families[i]];
        if (family->birds > totem_values.enclosure) {
            totem_effect_add_number(effects, TOTEM_EFFECT_SPILL, order.families[i],
                                    (unsigned)family->birds - totem_values.enclosure);
            family->birds = totem_values.enclosure;
        }
    }
}

/* ---- phase 6: illness */

/* One of a kind never falls ill, so nobody loses the last elder, woman or man by it. */
void totem_illness_happens(struct totem *game, struct totem_effects *effects)
{
    for (unsigned hut = 0; hut < TOTEM_HUTS_ALL; hut++) {
        struct totem_people *const people = totem_hut(game, hut);
        const unsigned spells = totem_spells_working(game, hut);
        struct totem_people ill = {{0}};
        for (unsigned kind = 0; kind < TOTEM_KINDS; kind++) {
            if (spell_works(spells, totem_is_child(kind) ? TOTEM_MEASLES : TOTEM_PLAGUE)) {
                ill.of[kind] = (uint8_t)(people->of[kind] / totem_values.illness_part);
                people->of[kind] = (uint8_t)(people->of[kind] - ill.of[kind]);
            }
        }
        totem_effect_add_hut(effects, TOTEM_EFFECT_ILL, hut, &ill);
    }
}

/* ---- phase 7: generations */

static void grow_older(struct totem_people *people, bool elders_stay)
{
    const struct totem_people young = *people;
    const unsigned staying = elders_stay ? young.of[TOTEM_ELDER] : 0;
    people->of[TOTEM_ELDER] = (uint8_t)(young.of[TOTEM_WOMAN] + young.of[TOTEM_MAN] + staying);
    people->of[TOTEM_WOMAN] = young.of[TOTEM_YOUNG_WOMAN];
    people->of[TOTEM_MAN] = young.of[TOTEM_YOUNG_MAN];
    people->of[TOTEM_YOUNG_WOMAN] = young.of[TOTEM_GIRL];
    people->of[TOTEM_YOUNG_MAN] = young.of[TOTEM_BOY];
    people->of[TOTEM_GIRL] = 0;
    people->of[TOTEM_BOY] = 0;
}

void totem_generations_happen(struct totem *game, struct totem_effects *effects)
{
    totem_effect_add(effects, TOTEM_EFFECT_AGE, 0);
    for (unsigned index = 0; index < TOTEM_FAMILIES; index++) {
        struct totem_family *const family = &game->families[index];
        if (totem_size(family) == 0)
            continue;
        for (unsigned i = 0; i < TOTEM_HUTS; i++) {
            const unsigned spells = totem_spells_working(game, index * TOTEM_HUTS + i);
            grow_older(&family->huts[i], spell_works(spells, TOTEM_LONG_LIFE));
        }
        const struct totem_people all = totem_everybody(family);
        totem_after_leaving(game, index, all.of[TOTEM_ELDER] == 0, effects);
    }
}
