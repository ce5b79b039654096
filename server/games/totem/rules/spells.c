#include "spells.h"

#include <string.h>
#include <totem_rules/values.h>

unsigned totem_spells_in(const struct totem_family *family, enum totem_spell_state state)
{
    unsigned set = 0;
    for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++)
        set |= family->spells[spell].state == (unsigned)state ? 1u << spell : 0;
    return set;
}

unsigned totem_set_size(unsigned set)
{
    unsigned size = 0;
    for (; set != 0; set &= set - 1)
        size++;
    return size;
}

unsigned totem_not_cancelled(unsigned up)
{
    unsigned cancelled = 0;
    for (unsigned spell = 0; up >> spell != 0; spell++)
        cancelled |= (up >> spell & 1) != 0 ? totem_values.spells[spell].cancels : 0u;
    return up & ~cancelled;
}

unsigned totem_spells_working(const struct totem *game, unsigned hut)
{
    unsigned up = 0;
    for (unsigned family = 0; family < TOTEM_FAMILIES; family++) {
        const struct totem_spell_place *const spells = game->families[family].spells;
        for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
            if (spells[spell].state == TOTEM_SPELL_UP && spells[spell].hut == hut)
                up |= 1u << spell;
        }
    }
    return totem_not_cancelled(up);
}

void totem_spell_place(struct totem_family *family, unsigned spell, unsigned hut)
{
    family->spells[spell] = (struct totem_spell_place){TOTEM_SPELL_DOWN, (uint8_t)hut};
}

void totem_spell_return(struct totem_family *family, unsigned spell)
{
    family->spells[spell] = (struct totem_spell_place){TOTEM_SPELL_HOME, 0};
}

void totem_spells_come_back(struct totem *game)
{
    for (unsigned family = 0; family < TOTEM_FAMILIES; family++)
        memset(game->families[family].spells, 0, sizeof game->families[family].spells);
}

bool totem_may_cast_more(const struct totem_family *family)
{
    const unsigned placed = totem_set_size(totem_spells_in(family, TOTEM_SPELL_DOWN));
    return placed < TOTEM_SPELLS && (placed < family->pieces || family->birds > 0);
}

enum totem_step totem_spell_step(enum totem_spell spell)
{
    return (enum totem_step)totem_values.spells[spell].step;
}

unsigned totem_allowance(const struct totem *game, unsigned family)
{
    const unsigned both = (unsigned)game->families[family].pieces + game->families[family].birds;
    return both < TOTEM_SPELLS ? both : TOTEM_SPELLS;
}

bool totem_has_down(const struct totem_family *family)
{
    return totem_spells_in(family, TOTEM_SPELL_DOWN) != 0;
}
