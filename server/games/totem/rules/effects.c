#include "effects.h"

#include <assert.h>
#include <string.h>

struct totem_effect *totem_effect_add(struct totem_effects *effects, enum totem_effect_kind kind,
                                      unsigned family)
{
    assert(effects->count < TOTEM_EFFECTS_MAX);
    struct totem_effect *const effect = &effects->list[effects->count++];
    memset(effect, 0, sizeof *effect);
    memset(&effect->puts, TOTEM_NONE, sizeof effect->puts);
    effect->kind = (uint8_t)kind;
    effect->family = (uint8_t)family;
    return effect;
}

void totem_effect_add_number(struct totem_effects *effects, enum totem_effect_kind kind,
                             unsigned family, unsigned number)
{
    if (number > 0)
        totem_effect_add(effects, kind, family)->number = (uint8_t)number;
}

void totem_effect_add_hut(struct totem_effects *effects, enum totem_effect_kind kind, unsigned hut,
                          const struct totem_people *people)
{
    if (totem_count(people) > 0) {
        struct totem_effect *const effect = totem_effect_add(effects, kind, hut / TOTEM_HUTS);
        effect->hut = (uint8_t)hut;
        effect->people[0] = *people;
    }
}
