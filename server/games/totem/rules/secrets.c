#include "secrets.h"

#include "effects.h"
#include "families.h"
#include "queue.h"
#include "spells.h"
#include <string.h>

void totem_notes_clear(struct totem *game)
{
    for (unsigned family = 0; family < TOTEM_FAMILIES; family++)
        memset(&game->families[family].note, 0, sizeof game->families[family].note);
}

static unsigned lay(struct totem_family *family)
{
    unsigned number = 0;
    for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
        if (family->note.puts.hut[spell] != TOTEM_NONE) {
            totem_spell_place(family, spell, family->note.puts.hut[spell]);
            number++;
        }
    }
    return number;
}

void totem_read_spells(struct totem *game, struct totem_effects *effects)
{
    const struct totem_order order = totem_turn_order(game);
    for (unsigned i = 0; i < order.n; i++) {
        struct totem_family *const family = &game->families[order.families[i]];
        const unsigned number = family->note.written ? lay(family) : 0;
        if (number > family->pieces) {
            const unsigned birds = number - family->pieces;
            family->birds = (uint8_t)(family->birds - birds);
            totem_effect_add_number(effects, TOTEM_EFFECT_BURN, order.families[i], birds);
        }
        if (number > 0)
            totem_effect_add(effects, TOTEM_EFFECT_PUT, order.families[i])->puts =
                family->note.puts;
    }
    totem_notes_clear(game);
}

/* Of each kind in each hut as many as were named in all, or as many as there are. */
static void add_named(struct totem_people *gone, const struct totem_people *named,
                      const struct totem_people *there)
{
    for (unsigned kind = 0; kind < TOTEM_KINDS; kind++) {
        const unsigned sum = (unsigned)gone->of[kind] + named->of[kind];
        gone->of[kind] = (uint8_t)(sum < there->of[kind] ? sum : there->of[kind]);
    }
}

void totem_read_takes(struct totem *game, struct totem_effects *effects)
{
    const unsigned victim = game->hungry[0].family;
    const struct totem_order order = totem_turn_order(game);
    struct totem_people gone[TOTEM_HUTS];
    memset(gone, 0, sizeof gone);
    for (unsigned i = 0; i < order.n; i++) {
        const struct totem_note *const note = &game->families[order.families[i]].note;
        if (!note->written)
            continue;
        struct totem_effect *const took =
            totem_effect_add(effects, TOTEM_EFFECT_TOOK, order.families[i]);
        memcpy(took->people, note->people, sizeof took->people);
        for (unsigned hut = 0; hut < TOTEM_HUTS; hut++)
            add_named(&gone[hut], &note->people[hut], &game->families[victim].huts[hut]);
    }
    memcpy(totem_effect_add(effects, TOTEM_EFFECT_GONE, victim)->people, gone, sizeof gone);
    totem_people_go(game, victim, gone, effects);
    totem_notes_clear(game);
    totem_hungry_next(game);
}
