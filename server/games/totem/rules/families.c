#include "families.h"

#include "effects.h"
#include <assert.h>
#include <string.h>
#include <totem_rules/values.h>

unsigned totem_families(const struct totem_options *options)
{
    return options->players == 3 ? 3 : 4;
}

unsigned totem_seat_of(const struct totem_options *options, unsigned family)
{
    return options->players == 2 ? family % 2 : family;
}

void totem_family_init(struct totem_family *family, bool in_game)
{
    memset(family, 0, sizeof *family);
    family->state = in_game ? TOTEM_FAMILY_PLAYING : TOTEM_FAMILY_ABSENT;
    if (in_game) {
        family->huts[0] = totem_values.start.people;
        family->birds = totem_values.start.birds;
        family->pieces = totem_values.start.pieces;
    }
}

bool totem_is_playing(const struct totem *game, unsigned family)
{
    return game->families[family].state == TOTEM_FAMILY_PLAYING;
}

struct totem_order totem_turn_order(const struct totem *game)
{
    const unsigned n = totem_families(&game->options);
    struct totem_order order = {0, {0}};
    for (unsigned i = 0; i < n; i++) {
        const unsigned family = (game->first + i) % n;
        if (totem_is_playing(game, family))
            order.families[order.n++] = (uint8_t)family;
    }
    return order;
}

unsigned totem_supply(const struct totem *game)
{
    unsigned kept = 0;
    for (unsigned family = 0; family < TOTEM_FAMILIES; family++)
        kept += game->families[family].birds;
    assert(kept <= TOTEM_BIRDS);
    return TOTEM_BIRDS - kept;
}

/* §5.9.2, §5.9.3. */
static void mourn_elders(struct totem *game, unsigned index, struct totem_effects *effects)
{
    struct totem_family *const family = &game->families[index];
    if (family->barred)
        return;
    family->barred = true;
    if (game->options.totem_a)
        family->pieces = 0;
    else if (family->pieces > 1)
        family->pieces--;
    totem_effect_add(effects, TOTEM_EFFECT_MOURN, index)->number = family->pieces;
}

static void end_family(struct totem_family *family, unsigned index, struct totem_effects *effects)
{
    memset(family->huts, 0, sizeof family->huts);
    family->birds = 0;
    totem_effect_add(effects, TOTEM_EFFECT_FALL, index);
}

void totem_after_leaving(struct totem *game, unsigned index, bool lost,
                         struct totem_effects *effects)
{
    struct totem_family *const family = &game->families[index];
    const struct totem_people all = totem_everybody(family);
    const bool dies = totem_count_women(&all) == 0 || totem_count_men(&all) == 0;
    if (dies)
        end_family(family, index, effects);
    if (dies || lost)
        mourn_elders(game, index, effects);
}

void totem_people_go(struct totem *game, unsigned index, const struct totem_people gone[TOTEM_HUTS],
                     struct totem_effects *effects)
{
    struct totem_family *const family = &game->families[index];
    bool elder_left = false;
    for (unsigned hut = 0; hut < TOTEM_HUTS; hut++) {
        for (unsigned kind = 0; kind < TOTEM_KINDS; kind++) {
            assert(gone[hut].of[kind] <= family->huts[hut].of[kind]);
            family->huts[hut].of[kind] = (uint8_t)(family->huts[hut].of[kind] - gone[hut].of[kind]);
        }
        elder_left = elder_left || gone[hut].of[TOTEM_ELDER] > 0;
    }
    const struct totem_people left = totem_everybody(family);
    totem_after_leaving(game, index, elder_left && left.of[TOTEM_ELDER] == 0, effects);
}
