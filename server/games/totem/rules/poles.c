#include "poles.h"

#include "effects.h"
#include "families.h"
#include <totem_rules/values.h>

/* A family with anybody left, and what it is ordered by. */
struct place {
    uint8_t family;
    uint32_t size;  /* people */
    uint32_t merit; /* totem_b: elders, then birds */
};

/* In turn order. */
static unsigned find_places(const struct totem *game, struct place places[TOTEM_FAMILIES])
{
    const struct totem_order order = totem_turn_order(game);
    unsigned n = 0;
    for (unsigned i = 0; i < order.n; i++) {
        const struct totem_family *const family = &game->families[order.families[i]];
        const struct totem_people all = totem_everybody(family);
        if (totem_count(&all) > 0)
            places[n++] = (struct place){
                .family = order.families[i],
                .size = totem_count(&all),
                .merit = (uint32_t)all.of[TOTEM_ELDER] << 8 | family->birds,
            };
    }
    return n;
}

static uint32_t largest_size(const struct place *places, unsigned n)
{
    uint32_t largest = 0;
    for (unsigned i = 0; i < n; i++)
        largest = places[i].size > largest ? places[i].size : largest;
    return largest;
}

/* One number to order families by, larger is better; §5.8.4 divides the largest families alone. */
static uint32_t rank_of(const struct totem *game, const struct place *place, uint32_t largest)
{
    const bool divided = game->options.totem_b && place->size == largest;
    return place->size << 16 | (divided ? place->merit : 0);
}

/* The families that share the best rank below `below`, in turn order; how many. */
static unsigned next_group(const struct totem *game, const struct place *places, unsigned n,
                           uint32_t *below, uint8_t group[TOTEM_FAMILIES])
{
    const uint32_t largest = largest_size(places, n);
    uint32_t best = 0;
    unsigned size = 0;
    for (unsigned i = 0; i < n; i++) {
        const uint32_t rank = rank_of(game, &places[i], largest);
        best = rank < *below && rank > best ? rank : best;
    }
    for (unsigned i = 0; i < n && best > 0; i++) {
        if (rank_of(game, &places[i], largest) == best)
            group[size++] = places[i].family;
    }
    *below = best;
    return size;
}

static void build(struct totem *game, const uint8_t *group, unsigned size,
                  struct totem_effects *effects)
{
    for (unsigned i = 0; i < size; i++) {
        struct totem_family *const family = &game->families[group[i]];
        if (!family->barred) {
            family->pieces++;
            totem_effect_add_number(effects, TOTEM_EFFECT_BUILD, group[i], family->pieces);
        }
    }
}

static void give_birds(struct totem *game, const uint8_t *group, unsigned size,
                       struct totem_effects *effects)
{
    for (unsigned i = 0; i < size; i++) {
        struct totem_family *const family = &game->families[group[i]];
        const unsigned supply = totem_supply(game);
        const unsigned birds = supply < totem_values.tie_birds ? supply : totem_values.tie_birds;
        family->birds = (uint8_t)(family->birds + birds);
        totem_effect_add_number(effects, TOTEM_EFFECT_BIRD, group[i], birds);
    }
}

void totem_poles_happen(struct totem *game, struct totem_effects *effects)
{
    struct place places[TOTEM_FAMILIES];
    uint8_t group[TOTEM_FAMILIES];
    const unsigned n = find_places(game, places);
    unsigned left = totem_values.builders, size;
    uint32_t below = UINT32_MAX;
    while (left > 0 && (size = next_group(game, places, n, &below, group)) > 0) {
        if (size > left) {
            give_birds(game, group, size, effects);
            return;
        }
        build(game, group, size, effects);
        left -= size;
    }
}
