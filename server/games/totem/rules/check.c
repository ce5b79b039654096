/* §6.2: the first reason against a command, in the order of the table. Changes nothing. */
#include "families.h"
#include "queue.h"
#include "spells.h"
#include <string.h>
#include <totem_rules/values.h>

enum totem_status totem_check_options(const struct totem_options *options)
{
    if (options->players < 2 || options->players > TOTEM_SEATS_MAX)
        return TOTEM_BAD_PLAYERS;
    if (options->first >= totem_families(options))
        return TOTEM_BAD_FIRST;
    if (options->rounds < 1 || options->rounds > TOTEM_ROUNDS_MAX)
        return TOTEM_BAD_ROUNDS;
    if (options->spells > TOTEM_SPELLS_B || options->meals > TOTEM_MEALS_B)
        return TOTEM_BAD_VARIANT;
    return TOTEM_OK;
}

/* ---- whose turn, and what for */

static bool leads(const struct totem *game, unsigned seat, unsigned family)
{
    return family < totem_families(&game->options) && totem_seat_of(&game->options, family) == seat;
}

static bool is_wanted(const struct totem *game, enum totem_verb verb)
{
    switch ((enum totem_step)game->step) {
    case TOTEM_STEP_SETTLE:
        return verb == TOTEM_VERB_SETTLE;
    case TOTEM_STEP_CHOOSE:
        return verb == TOTEM_VERB_CHOOSE;
    case TOTEM_STEP_CAST:
        return verb == TOTEM_VERB_CAST ||
               (verb == TOTEM_VERB_PASS && game->options.spells == TOTEM_SPELLS_A);
    case TOTEM_STEP_WRITE:
        return verb == TOTEM_VERB_WRITE;
    case TOTEM_STEP_REVEAL_BIRTHS:
    case TOTEM_STEP_REVEAL_CATCH:
    case TOTEM_STEP_REVEAL_ILLNESS:
    case TOTEM_STEP_REVEAL_GENERATIONS:
        return verb == TOTEM_VERB_REVEAL;
    case TOTEM_STEP_STARVE:
        return verb == TOTEM_VERB_STARVE;
    case TOTEM_STEP_TAKE:
        return verb == TOTEM_VERB_TAKE;
    case TOTEM_STEP_OVER:
        break;
    }
    return false;
}

unsigned totem_acting(const struct totem *game)
{
    unsigned families = 0;
    const unsigned n = totem_is_secret(game) ? game->n_queue : game->n_queue > 0;
    for (unsigned i = 0; i < n; i++)
        families |= 1u << game->queue[i];
    return families;
}

unsigned totem_acting_seats(const struct totem *game)
{
    const unsigned families = totem_acting(game);
    unsigned seats = 0;
    for (unsigned family = 0; family < TOTEM_FAMILIES; family++) {
        if ((families >> family & 1) != 0)
            seats |= 1u << totem_seat_of(&game->options, family);
    }
    return seats;
}

static enum totem_status check_actor(const struct totem *game, unsigned seat,
                                     const struct totem_command *command)
{
    if (game->step == TOTEM_STEP_OVER)
        return TOTEM_OVER;
    if (!leads(game, seat, command->family))
        return TOTEM_NOT_YOURS;
    if (!is_wanted(game, (enum totem_verb)command->verb))
        return TOTEM_NOT_NOW;
    return (totem_acting(game) >> command->family & 1) != 0 ? TOTEM_OK : TOTEM_NOT_YOUR_TURN;
}

/* ---- each command */

static bool more_than(const struct totem_people *named, const struct totem_people *there)
{
    for (unsigned kind = 0; kind < TOTEM_KINDS; kind++) {
        if (named->of[kind] > there->of[kind])
            return true;
    }
    return false;
}

unsigned totem_hut_room(void)
{
    return totem_values.hut_room;
}

unsigned totem_to_settle(const struct totem *game, unsigned family)
{
    const struct totem_people all = totem_everybody(&game->families[family]);
    const unsigned room = TOTEM_HUTS * (unsigned)totem_values.hut_room;
    const unsigned people = totem_count(&all);
    return people < room ? people : room;
}

/* §5.1. */
static enum totem_status check_settle(const struct totem *game, const struct totem_command *command)
{
    const struct totem_people all = totem_everybody(&game->families[command->family]);
    const struct totem_people staying = totem_sum(command->people);
    if (more_than(&staying, &all))
        return TOTEM_UNKNOWN_PEOPLE;
    for (unsigned hut = 0; hut < TOTEM_HUTS; hut++) {
        if (totem_count(&command->people[hut]) > totem_values.hut_room)
            return TOTEM_HUT_FULL;
    }
    if (totem_count(&staying) != totem_to_settle(game, command->family))
        return TOTEM_PEOPLE_LEFT;
    return totem_count_women(&staying) > 0 && totem_count_men(&staying) > 0 ? TOTEM_OK
                                                                            : TOTEM_NO_COUPLE;
}

/* §5.2. */
static enum totem_status check_choose(const struct totem *game, const struct totem_command *command)
{
    return totem_set_size(command->set) <= totem_allowance(game, command->family)
               ? TOTEM_OK
               : TOTEM_TOO_MANY_SPELLS;
}

static enum totem_status check_cast(const struct totem *game, const struct totem_command *command)
{
    const unsigned state = game->families[command->family].spells[command->spell].state;
    if (game->options.spells == TOTEM_SPELLS_TURNS && state != TOTEM_SPELL_CHOSEN)
        return TOTEM_NOT_CHOSEN;
    if (game->options.spells == TOTEM_SPELLS_A && state != TOTEM_SPELL_HOME)
        return TOTEM_SPELL_USED;
    return totem_is_playing(game, command->hut / TOTEM_HUTS) ? TOTEM_OK : TOTEM_NO_SUCH_HUT;
}

static enum totem_status check_write(const struct totem *game, const struct totem_command *command)
{
    unsigned number = 0;
    bool missing = false;
    for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
        const unsigned hut = command->puts.hut[spell];
        if (hut != TOTEM_NONE) {
            number++;
            missing = missing || !totem_is_playing(game, hut / TOTEM_HUTS);
        }
    }
    if (number > totem_allowance(game, command->family))
        return TOTEM_TOO_MANY_SPELLS;
    return missing ? TOTEM_NO_SUCH_HUT : TOTEM_OK;
}

/* §5.3. */
static enum totem_status check_reveal(const struct totem *game, const struct totem_command *command)
{
    const struct totem_family *const family = &game->families[command->family];
    if ((command->set & ~totem_spells_in(family, TOTEM_SPELL_DOWN)) != 0)
        return TOTEM_NOT_CAST;
    for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
        if ((command->set >> spell & 1) != 0 && totem_values.spells[spell].step != game->step)
            return TOTEM_WRONG_PHASE;
    }
    return TOTEM_OK;
}

/* §5.5. */
static enum totem_status check_named(const struct totem *game, unsigned victim,
                                     const struct totem_command *command)
{
    const struct totem_people named = totem_sum(command->people);
    for (unsigned hut = 0; hut < TOTEM_HUTS; hut++) {
        if (more_than(&command->people[hut], &game->families[victim].huts[hut]))
            return TOTEM_UNKNOWN_PEOPLE;
    }
    if (game->step == TOTEM_STEP_STARVE && named.of[TOTEM_ELDER] > 0)
        return TOTEM_ELDER_SPARED;
    return totem_count(&named) == totem_to_name(game, command->family) ? TOTEM_OK
                                                                       : TOTEM_WRONG_COUNT;
}

enum totem_status totem_check(const struct totem *game, unsigned seat,
                              const struct totem_command *command)
{
    const enum totem_status status = check_actor(game, seat, command);
    if (status != TOTEM_OK)
        return status;
    switch ((enum totem_verb)command->verb) {
    case TOTEM_VERB_SETTLE:
        return check_settle(game, command);
    case TOTEM_VERB_CHOOSE:
        return check_choose(game, command);
    case TOTEM_VERB_CAST:
        return check_cast(game, command);
    case TOTEM_VERB_PASS:
        return TOTEM_OK;
    case TOTEM_VERB_WRITE:
        return check_write(game, command);
    case TOTEM_VERB_REVEAL:
        return check_reveal(game, command);
    case TOTEM_VERB_STARVE:
        return check_named(game, command->family, command);
    case TOTEM_VERB_TAKE:
        return command->victim == game->hungry[0].family
                   ? check_named(game, command->victim, command)
                   : TOTEM_WRONG_FAMILY;
    }
    return TOTEM_BAD_COMMAND;
}
