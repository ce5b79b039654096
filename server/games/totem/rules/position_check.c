/*
 * What a position must be like for the game to go on from it (§10): nothing that follows may meet a
 * value that no game has.
 */
#include "families.h"
#include "position_text.h"
#include "queue.h"
#include "spells.h"
#include <stddef.h>
#include <totem_rules/values.h>

static const char *check_frame(const struct totem *game)
{
    const unsigned n = totem_families(&game->options);
    unsigned birds = 0;
    if (totem_check_options(&game->options) != TOTEM_OK || game->first >= n)
        return "the first family is one of the game";
    if (game->round > game->options.rounds)
        return "no round comes after the last";
    for (unsigned family = 0; family < n; family++)
        birds += game->families[family].birds;
    if (birds > TOTEM_BIRDS)
        return "there are 36 birds";
    const unsigned seats = totem_seats_in_play(game);
    if (game->step != TOTEM_STEP_OVER && (seats & (seats - 1)) == 0)
        return "with one seat left it is over";
    return NULL;
}

/* ---- families */

static bool has_settled(const struct totem *game, unsigned index)
{
    return game->step > TOTEM_STEP_SETTLE || totem_queue_find(game, index) == game->n_queue;
}

/* Until the births; so there are never more than ten children in a hut, whatever is uncovered. */
static bool fits_huts(const struct totem *game, unsigned index)
{
    const struct totem_family *const family = &game->families[index];
    for (unsigned hut = 0; hut < TOTEM_HUTS && game->step <= TOTEM_STEP_REVEAL_BIRTHS; hut++) {
        if (has_settled(game, index) && totem_count(&family->huts[hut]) > totem_values.hut_room)
            return false;
    }
    return true;
}

/* Children come into a game with the births of a round and have grown up when it ends. */
static bool has_early_children(const struct totem *game, const struct totem_family *family)
{
    const struct totem_people all = totem_everybody(family);
    return game->step <= TOTEM_STEP_REVEAL_BIRTHS && all.of[TOTEM_GIRL] + all.of[TOTEM_BOY] > 0;
}

/* A family that has died out comes back before it settles. */
static bool may_be_dead(const struct totem *game)
{
    return game->step > TOTEM_STEP_REVEAL_BIRTHS;
}

static bool is_alive(const struct totem_family *family)
{
    const struct totem_people all = totem_everybody(family);
    return totem_count_women(&all) > 0 && totem_count_men(&all) > 0;
}

static const char *check_family(const struct totem *game, unsigned index)
{
    const struct totem_family *const family = &game->families[index];
    const bool dead = totem_size(family) == 0;
    if (family->state == TOTEM_FAMILY_OUT)
        return totem_set_size(totem_spells_in(family, TOTEM_SPELL_HOME)) < TOTEM_SPELLS ||
                       family->note.written
                   ? "who has left has no spells"
                   : NULL;
    if (family->pieces == 0 && !game->options.totem_a)
        return "a pole never loses its first piece";
    if (family->pieces >= totem_values.pieces_win && game->step != TOTEM_STEP_OVER)
        return "six pieces win";
    if (dead ? !may_be_dead(game) : !is_alive(family))
        return "a family has a woman and a man";
    if (has_early_children(game, family))
        return "there are no children before the births";
    return fits_huts(game, index) ? NULL : "too many people in a hut";
}

/* ---- spells and notes */

static bool is_hut(const struct totem *game, unsigned hut)
{
    return totem_is_playing(game, hut / TOTEM_HUTS);
}

static const char *check_spells(const struct totem *game, unsigned index)
{
    const struct totem_family *const family = &game->families[index];
    const bool may_choose = game->options.spells == TOTEM_SPELLS_TURNS &&
                            (game->step == TOTEM_STEP_CHOOSE || game->step == TOTEM_STEP_CAST);
    for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
        const struct totem_spell_place place = family->spells[spell];
        if (place.state == TOTEM_SPELL_CHOSEN && !may_choose)
            return "no spell is held back";
        if ((place.state == TOTEM_SPELL_DOWN || place.state == TOTEM_SPELL_UP) &&
            !is_hut(game, place.hut))
            return "a spell lies on a hut of the game";
    }
    return NULL;
}

static const char *check_note(const struct totem *game, unsigned index)
{
    const struct totem_note *const note = &game->families[index].note;
    if (!note->written)
        return NULL;
    if (!totem_is_secret(game))
        return "nothing is written now";
    unsigned number = 0;
    for (unsigned spell = 0; spell < TOTEM_SPELLS && game->step == TOTEM_STEP_WRITE; spell++) {
        if (note->puts.hut[spell] != TOTEM_NONE) {
            number++;
            if (!is_hut(game, note->puts.hut[spell]))
                return "a spell lies on a hut of the game";
        }
    }
    return number > totem_allowance(game, index) ? "too many spells are written" : NULL;
}

/* ---- who must act */

static const char *check_hungry(const struct totem *game)
{
    unsigned seen = 0;
    for (unsigned i = 0; i < game->n_hungry; i++) {
        const struct totem_family *const family = &game->families[game->hungry[i].family];
        const struct totem_people all = totem_everybody(family);
        const unsigned spared = game->step == TOTEM_STEP_STARVE ? all.of[TOTEM_ELDER] : 0;
        if (game->hungry[i].number > totem_count(&all) - spared ||
            (seen >> game->hungry[i].family & 1) != 0)
            return "nobody is left to starve";
        seen |= 1u << game->hungry[i].family;
        if (game->step == TOTEM_STEP_STARVE &&
            (game->n_hungry != game->n_queue || game->queue[i] != game->hungry[i].family))
            return "the hungry choose who goes";
    }
    return NULL;
}

static bool may_stand(const struct totem *game, unsigned index)
{
    const struct totem_family *const family = &game->families[index];
    if (!totem_is_playing(game, index))
        return false;
    switch ((enum totem_step)game->step) {
    case TOTEM_STEP_CAST:
        return game->options.spells == TOTEM_SPELLS_A
                   ? totem_may_cast_more(family)
                   : totem_spells_in(family, TOTEM_SPELL_CHOSEN) != 0;
    case TOTEM_STEP_TAKE:
        return totem_to_name(game, index) > 0 && !family->note.written &&
               totem_seat_of(&game->options, index) !=
                   totem_seat_of(&game->options, game->hungry[0].family);
    case TOTEM_STEP_WRITE:
        return !family->note.written;
    case TOTEM_STEP_SETTLE:
    case TOTEM_STEP_CHOOSE:
    case TOTEM_STEP_REVEAL_BIRTHS:
    case TOTEM_STEP_REVEAL_CATCH:
    case TOTEM_STEP_REVEAL_ILLNESS:
    case TOTEM_STEP_REVEAL_GENERATIONS:
    case TOTEM_STEP_STARVE:
        return true;
    case TOTEM_STEP_OVER:
        break;
    }
    return false;
}

static const char *check_queue(const struct totem *game)
{
    const bool repeats = game->step == TOTEM_STEP_TAKE && !totem_is_secret(game);
    unsigned seen = 0;
    for (unsigned i = 0; i < game->n_queue; i++) {
        if (!may_stand(game, game->queue[i]) || (!repeats && (seen >> game->queue[i] & 1) != 0))
            return "those who must act are of the game, each once";
        seen |= 1u << game->queue[i];
    }
    return repeats && game->n_queue > game->hungry[0].number ? "each that acts takes one person"
                                                             : NULL;
}

/* The step belongs to the variant. */
static const char *check_step(const struct totem *game)
{
    const unsigned spells = game->options.spells, meals = game->options.meals;
    if ((game->step == TOTEM_STEP_CHOOSE && spells != TOTEM_SPELLS_TURNS) ||
        (game->step == TOTEM_STEP_CAST && spells == TOTEM_SPELLS_B) ||
        (game->step == TOTEM_STEP_WRITE && spells != TOTEM_SPELLS_B) ||
        (game->step == TOTEM_STEP_STARVE && meals != TOTEM_MEALS_OWNER) ||
        (game->step == TOTEM_STEP_TAKE && meals == TOTEM_MEALS_OWNER))
        return "this variant has no such step";
    return NULL;
}

static const char *check_winners(const struct totem *game)
{
    unsigned seats = 0;
    for (unsigned i = 0; i < game->n_winners; i++) {
        if (!totem_is_playing(game, game->winners[i]))
            return "a winner is of the game";
        seats |= 1u << totem_seat_of(&game->options, game->winners[i]);
    }
    return (seats & (seats - 1)) == 0 ? NULL : "there is one winner";
}

const char *totem_position_check(const struct totem *game)
{
    const char *wrong = check_frame(game);
    wrong = wrong ? wrong : check_step(game);
    for (unsigned i = 0; i < totem_families(&game->options) && !wrong; i++) {
        wrong = check_family(game, i);
        wrong = wrong ? wrong : check_spells(game, i);
        wrong = wrong ? wrong : check_note(game, i);
    }
    wrong = wrong ? wrong : check_hungry(game);
    wrong = wrong ? wrong : check_queue(game);
    return wrong ? wrong : check_winners(game);
}
