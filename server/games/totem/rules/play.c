/* The commands, done (§5). They have been checked: nothing here can be refused any more. */
#include "effects.h"
#include "families.h"
#include "queue.h"
#include "secrets.h"
#include "spells.h"
#include "steps.h"
#include <assert.h>
#include <string.h>

void totem_init(struct totem *game, const struct totem_options *options)
{
    struct totem_effects effects;
    assert(totem_check_options(options) == TOTEM_OK);
    const struct totem_options chosen = *options;
    memset(game, 0, sizeof *game);
    effects.count = 0;
    game->options = chosen;
    game->round = 1;
    game->first = chosen.first;
    for (unsigned family = 0; family < TOTEM_FAMILIES; family++)
        totem_family_init(&game->families[family], family < totem_families(&chosen));
    totem_round_begin(game, &effects);
}

/* §5.1.2; those who find no place leave. */
static void settle_family(struct totem *game, const struct totem_command *command,
                          struct totem_effects *effects)
{
    struct totem_family *const family = &game->families[command->family];
    const struct totem_people before = totem_everybody(family);
    memcpy(family->huts, command->people, sizeof family->huts);
    const struct totem_people after = totem_everybody(family);
    totem_after_leaving(game, command->family,
                        before.of[TOTEM_ELDER] > 0 && after.of[TOTEM_ELDER] == 0, effects);
}

static void burn_birds(struct totem *game, unsigned family, unsigned birds,
                       struct totem_effects *effects)
{
    game->families[family].birds = (uint8_t)(game->families[family].birds - birds);
    totem_effect_add_number(effects, TOTEM_EFFECT_BURN, family, birds);
}

static void choose_spells(struct totem *game, const struct totem_command *command,
                          struct totem_effects *effects)
{
    struct totem_family *const family = &game->families[command->family];
    const unsigned number = totem_set_size(command->set);
    for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
        if ((command->set >> spell & 1) != 0)
            family->spells[spell].state = TOTEM_SPELL_CHOSEN;
    }
    burn_birds(game, command->family, number > family->pieces ? number - family->pieces : 0,
               effects);
}

/* Places a spell and goes to the end of the line, if there is more to place. */
static void cast_spell(struct totem *game, const struct totem_command *command,
                       struct totem_effects *effects)
{
    struct totem_family *const family = &game->families[command->family];
    const bool variant_a = game->options.spells == TOTEM_SPELLS_A;
    totem_spell_place(family, command->spell, command->hut);
    const unsigned placed = totem_set_size(totem_spells_in(family, TOTEM_SPELL_DOWN));
    if (variant_a && placed > family->pieces)
        burn_birds(game, command->family, 1, effects);
    if (variant_a ? totem_may_cast_more(family) : totem_spells_in(family, TOTEM_SPELL_CHOSEN) != 0)
        totem_queue_add(game, command->family);
}

static void write_down(struct totem *game, const struct totem_command *command)
{
    struct totem_note *const note = &game->families[command->family].note;
    note->written = true;
    if (command->verb == TOTEM_VERB_WRITE)
        note->puts = command->puts;
    else
        memcpy(note->people, command->people, sizeof note->people);
}

static void reveal_spells(struct totem *game, const struct totem_command *command,
                          struct totem_effects *effects)
{
    struct totem_family *const family = &game->families[command->family];
    if (command->set == 0)
        return;
    struct totem_effect *const show = totem_effect_add(effects, TOTEM_EFFECT_SHOW, command->family);
    for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
        if ((command->set >> spell & 1) != 0) {
            family->spells[spell].state = TOTEM_SPELL_UP;
            show->puts.hut[spell] = family->spells[spell].hut;
        }
    }
}

static void people_starve(struct totem *game, unsigned victim, const struct totem_command *command,
                          struct totem_effects *effects)
{
    struct totem_effect *const gone = totem_effect_add(effects, TOTEM_EFFECT_GONE, victim);
    memcpy(gone->people, command->people, sizeof gone->people);
    totem_people_go(game, victim, command->people, effects);
}

/* Meals A: one person. */
static void take_person(struct totem *game, const struct totem_command *command,
                        struct totem_effects *effects)
{
    people_starve(game, command->victim, command, effects);
    game->hungry[0].number--;
    if (game->n_queue == 0 || totem_size(&game->families[command->victim]) == 0) {
        totem_queue_clear(game);
        totem_hungry_next(game);
    }
}

static void apply_command(struct totem *game, const struct totem_command *command,
                          struct totem_effects *effects)
{
    totem_queue_remove_at(game, totem_queue_find(game, command->family));
    switch ((enum totem_verb)command->verb) {
    case TOTEM_VERB_SETTLE:
        settle_family(game, command, effects);
        return;
    case TOTEM_VERB_CHOOSE:
        choose_spells(game, command, effects);
        return;
    case TOTEM_VERB_CAST:
        cast_spell(game, command, effects);
        return;
    case TOTEM_VERB_PASS:
        return;
    case TOTEM_VERB_WRITE:
        write_down(game, command);
        return;
    case TOTEM_VERB_REVEAL:
        reveal_spells(game, command, effects);
        return;
    case TOTEM_VERB_STARVE:
        people_starve(game, command->family, command, effects);
        totem_hungry_next(game);
        return;
    case TOTEM_VERB_TAKE:
        if (totem_is_secret(game))
            write_down(game, command);
        else
            take_person(game, command, effects);
        return;
    }
}

enum totem_status totem_play(struct totem *game, unsigned seat, const struct totem_command *command,
                             const struct totem_births *births, struct totem_effects *wanted)
{
    struct totem_effects scratch, *const effects = wanted ? wanted : &scratch;
    const enum totem_status status = totem_check(game, seat, command);
    if (status == TOTEM_OK) {
        effects->count = 0;
        apply_command(game, command, effects);
        totem_go_on(game, births, effects);
    }
    return status;
}

/* ---- §6.4 */

bool totem_may_take_back(const struct totem *game, unsigned family)
{
    return totem_is_secret(game) && game->families[family].note.written;
}

void totem_take_back(struct totem *game, unsigned family)
{
    assert(totem_may_take_back(game, family));
    memset(&game->families[family].note, 0, sizeof game->families[family].note);
    totem_ask_again(game);
}
