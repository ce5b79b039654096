/* §5.11: a seat leaves the game. */
#include "effects.h"
#include "families.h"
#include "outcome.h"
#include "queue.h"
#include "secrets.h"
#include "spells.h"
#include "steps.h"
#include <string.h>

/* Spells of others on its huts go back to their owners, written ones too. */
static void empty_huts(struct totem *game, unsigned leaver)
{
    for (unsigned index = 0; index < TOTEM_FAMILIES; index++) {
        struct totem_family *const family = &game->families[index];
        for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
            struct totem_spell_place *const place = &family->spells[spell];
            uint8_t *const put = &family->note.puts.hut[spell];
            if ((place->state == TOTEM_SPELL_DOWN || place->state == TOTEM_SPELL_UP) &&
                place->hut / TOTEM_HUTS == leaver)
                totem_spell_return(family, spell);
            if (game->step == TOTEM_STEP_WRITE && family->note.written && *put != TOTEM_NONE &&
                *put / TOTEM_HUTS == leaver)
                *put = TOTEM_NONE;
        }
    }
}

static void family_leaves(struct totem *game, unsigned index, struct totem_effects *effects)
{
    struct totem_family *const family = &game->families[index];
    memset(family, 0, sizeof *family);
    family->state = TOTEM_FAMILY_OUT;
    empty_huts(game, index);
    totem_effect_add(effects, TOTEM_EFFECT_OUT, index);
}

/* Nobody is asked who has left, nor who has no spell left that could be uncovered. */
static void leave_queue(struct totem *game)
{
    const bool reveals =
        game->step >= TOTEM_STEP_REVEAL_BIRTHS && game->step <= TOTEM_STEP_REVEAL_GENERATIONS;
    for (unsigned at = game->n_queue; at-- > 0;) {
        const unsigned family = game->queue[at];
        if (!totem_is_playing(game, family) ||
            (reveals && !totem_has_down(&game->families[family])))
            totem_queue_remove_at(game, at);
    }
}

static void leave_hungry(struct totem *game)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < game->n_hungry; i++) {
        if (totem_is_playing(game, game->hungry[i].family))
            game->hungry[kept++] = game->hungry[i];
    }
    memset(game->hungry + kept, 0, (game->n_hungry - kept) * sizeof game->hungry[0]);
    game->n_hungry = (uint8_t)kept;
}

/* The persons that it would still have taken stay (§5.11: what it had to decide lapses). */
static void take_without(struct totem *game)
{
    leave_queue(game);
    if (game->n_queue == 0)
        totem_hungry_next(game);
}

static void meal_without(struct totem *game, struct totem_effects *effects)
{
    const unsigned victim = game->hungry[0].family;
    leave_hungry(game);
    if (game->step == TOTEM_STEP_STARVE) {
        leave_queue(game);
    } else if (!totem_is_playing(game, victim)) {
        totem_notes_clear(game);
        totem_queue_clear(game);
        totem_meal_goes_on(game, effects);
    } else if (totem_is_secret(game)) {
        totem_ask_takers(game);
    } else {
        take_without(game);
    }
}

/* Nothing more is asked or waited for, and all spells go home. */
static void stop(struct totem *game)
{
    totem_spells_come_back(game);
    totem_queue_clear(game);
    totem_notes_clear(game);
    memset(game->hungry, 0, sizeof game->hungry);
    game->n_hungry = 0;
}

enum totem_status totem_forfeit(struct totem *game, unsigned seat,
                                const struct totem_births *births, struct totem_effects *wanted)
{
    struct totem_effects scratch, *const effects = wanted ? wanted : &scratch;
    if (game->step == TOTEM_STEP_OVER)
        return TOTEM_OVER;
    if (seat >= game->options.players || (totem_seats_in_play(game) >> seat & 1) == 0)
        return TOTEM_NOT_YOURS;
    effects->count = 0;
    for (unsigned family = 0; family < totem_families(&game->options); family++) {
        if (totem_seat_of(&game->options, family) == seat)
            family_leaves(game, family, effects);
    }
    if (totem_end_of_leaving(game, effects)) {
        stop(game);
        return TOTEM_OK;
    }
    if (game->n_hungry > 0)
        meal_without(game, effects);
    else
        leave_queue(game);
    totem_go_on(game, births, effects);
    return TOTEM_OK;
}
