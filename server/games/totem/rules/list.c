/* Every command that may be given, but for settle and write; and what is done for who gives none.
 */
#include "families.h"
#include "spells.h"
#include <string.h>
#include <totem_rules/values.h>

/* ---- the list */

struct list {
    struct totem_command *out;
    size_t max, count;
};

/* Stops counting behind `max`: that there are more is all that is told. */
static bool is_full(const struct list *list)
{
    return list->count > list->max;
}

static void add_command(struct list *list, const struct totem_command *command)
{
    if (list->count < list->max)
        list->out[list->count] = *command;
    list->count += !is_full(list);
}

static struct totem_command new_command(enum totem_verb verb, unsigned family)
{
    struct totem_command command;
    memset(&command, 0, sizeof command);
    memset(&command.puts, TOTEM_NONE, sizeof command.puts);
    command.verb = (uint8_t)verb;
    command.family = (uint8_t)family;
    return command;
}

/* Every part of `all` that has at most `most` spells. */
static void list_sets(struct list *list, enum totem_verb verb, unsigned family, unsigned all,
                      unsigned most)
{
    struct totem_command command = new_command(verb, family);
    for (unsigned set = 0; set < 1u << TOTEM_SPELLS; set++) {
        if ((set & ~all) == 0 && totem_set_size(set) <= most) {
            command.set = (uint16_t)set;
            add_command(list, &command);
        }
    }
}

static unsigned spells_of_step(unsigned step)
{
    unsigned set = 0;
    for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++)
        set |= totem_values.spells[spell].step == step ? 1u << spell : 0;
    return set;
}

static void list_casts(struct list *list, const struct totem *game, unsigned family)
{
    const bool variant_a = game->options.spells == TOTEM_SPELLS_A;
    const unsigned spells =
        totem_spells_in(&game->families[family], variant_a ? TOTEM_SPELL_HOME : TOTEM_SPELL_CHOSEN);
    struct totem_command command = new_command(TOTEM_VERB_CAST, family);
    for (unsigned i = 0; i < TOTEM_SPELLS * TOTEM_HUTS_ALL; i++) {
        command.spell = (uint8_t)(i / TOTEM_HUTS_ALL);
        command.hut = (uint8_t)(i % TOTEM_HUTS_ALL);
        if ((spells >> command.spell & 1) != 0 && totem_is_playing(game, command.hut / TOTEM_HUTS))
            add_command(list, &command);
    }
    if (variant_a) {
        command = new_command(TOTEM_VERB_PASS, family);
        add_command(list, &command);
    }
}

/* From this cell on (a kind in a hut), all ways to name so many more persons. */
static void list_people(struct list *list, struct totem_command *command,
                        const struct totem_people there[TOTEM_HUTS], unsigned cell, unsigned more)
{
    if (more == 0) {
        add_command(list, command);
        return;
    }
    if (cell == TOTEM_HUTS * TOTEM_KINDS)
        return;
    uint8_t *const named = &command->people[cell / TOTEM_KINDS].of[cell % TOTEM_KINDS];
    const unsigned most = there[cell / TOTEM_KINDS].of[cell % TOTEM_KINDS];
    for (unsigned n = 0; n <= most && n <= more && !is_full(list); n++) {
        *named = (uint8_t)n;
        list_people(list, command, there, cell + 1, more - n);
    }
    *named = 0;
}

/* Those who can be named: a copy of the huts, without elders where they are spared. */
static unsigned find_nameable(const struct totem *game, struct totem_people huts[TOTEM_HUTS])
{
    const unsigned victim = game->hungry[0].family;
    memcpy(huts, game->families[victim].huts, sizeof game->families[victim].huts);
    for (unsigned hut = 0; hut < TOTEM_HUTS && game->step == TOTEM_STEP_STARVE; hut++)
        huts[hut].of[TOTEM_ELDER] = 0;
    return victim;
}

static struct totem_command new_naming(const struct totem *game, unsigned family)
{
    const bool starve = game->step == TOTEM_STEP_STARVE;
    struct totem_command command =
        new_command(starve ? TOTEM_VERB_STARVE : TOTEM_VERB_TAKE, family);
    command.victim = starve ? 0 : game->hungry[0].family;
    return command;
}

static void list_named(struct list *list, const struct totem *game, unsigned family)
{
    struct totem_command command = new_naming(game, family);
    struct totem_people huts[TOTEM_HUTS];
    find_nameable(game, huts);
    list_people(list, &command, huts, 0, totem_to_name(game, family));
}

size_t totem_list(const struct totem *game, unsigned family, struct totem_command *out, size_t max)
{
    struct list list = {out, max, 0};
    switch ((enum totem_step)game->step) {
    case TOTEM_STEP_SETTLE:
    case TOTEM_STEP_WRITE:
    case TOTEM_STEP_OVER:
        break;
    case TOTEM_STEP_CHOOSE:
        list_sets(&list, TOTEM_VERB_CHOOSE, family, (1u << TOTEM_SPELLS) - 1,
                  totem_allowance(game, family));
        break;
    case TOTEM_STEP_CAST:
        list_casts(&list, game, family);
        break;
    case TOTEM_STEP_REVEAL_BIRTHS:
    case TOTEM_STEP_REVEAL_CATCH:
    case TOTEM_STEP_REVEAL_ILLNESS:
    case TOTEM_STEP_REVEAL_GENERATIONS:
        list_sets(&list, TOTEM_VERB_REVEAL, family,
                  totem_spells_in(&game->families[family], TOTEM_SPELL_DOWN) &
                      spells_of_step(game->step),
                  TOTEM_SPELLS);
        break;
    case TOTEM_STEP_STARVE:
    case TOTEM_STEP_TAKE:
        list_named(&list, game, family);
        break;
    }
    return list.count;
}
