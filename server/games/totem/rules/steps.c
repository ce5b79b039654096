#include "steps.h"

#include "effects.h"
#include "families.h"
#include "outcome.h"
#include "poles.h"
#include "queue.h"
#include "secrets.h"
#include "spells.h"
#include "village.h"
#include <assert.h>
#include <string.h>
#include <totem_rules/values.h>

/* ---- who is asked */

/* Is there anything to decide for the family in this step? */
static bool is_asked(const struct totem *game, enum totem_step step, unsigned index)
{
    const struct totem_family *const family = &game->families[index];
    switch (step) {
    case TOTEM_STEP_SETTLE:
        return true;
    case TOTEM_STEP_CHOOSE:
    case TOTEM_STEP_WRITE:
        return totem_allowance(game, index) > 0;
    case TOTEM_STEP_CAST:
        return game->options.spells == TOTEM_SPELLS_A
                   ? totem_may_cast_more(family)
                   : totem_spells_in(family, TOTEM_SPELL_CHOSEN) != 0;
    case TOTEM_STEP_REVEAL_BIRTHS:
    case TOTEM_STEP_REVEAL_CATCH:
    case TOTEM_STEP_REVEAL_ILLNESS:
    case TOTEM_STEP_REVEAL_GENERATIONS:
        return totem_has_down(family);
    case TOTEM_STEP_STARVE:
    case TOTEM_STEP_TAKE:
    case TOTEM_STEP_OVER:
        break;
    }
    return false;
}

static void ask(struct totem *game, enum totem_step step)
{
    const struct totem_order order = totem_turn_order(game);
    game->step = (uint8_t)step;
    for (unsigned i = 0; i < order.n; i++) {
        if (is_asked(game, step, order.families[i]))
            totem_queue_add(game, order.families[i]);
    }
}

/* ---- the meal: who goes */

void totem_ask_takers(struct totem *game)
{
    const struct totem_order takers = totem_takers(game);
    assert(takers.n > 0);
    totem_queue_clear(game);
    if (game->options.meals == TOTEM_MEALS_A) {
        for (unsigned i = 0; i < game->hungry[0].number; i++)
            totem_queue_add(game, takers.families[i % takers.n]);
        return;
    }
    for (unsigned i = 0; i < takers.n; i++) {
        const unsigned family = takers.families[i];
        if (totem_to_name(game, family) > 0 && !game->families[family].note.written)
            totem_queue_add(game, family);
    }
}

void totem_ask_again(struct totem *game)
{
    const struct totem_order order = totem_turn_order(game);
    if (game->step == TOTEM_STEP_TAKE) {
        totem_ask_takers(game);
        return;
    }
    totem_queue_clear(game);
    for (unsigned i = 0; i < order.n; i++) {
        if (is_asked(game, TOTEM_STEP_WRITE, order.families[i]) &&
            !game->families[order.families[i]].note.written)
            totem_queue_add(game, order.families[i]);
    }
}

/* Asks about the first of the hungry, if there is one. */
static void ask_hungry(struct totem *game)
{
    if (game->n_hungry == 0)
        return;
    if (game->options.meals == TOTEM_MEALS_OWNER) {
        game->step = TOTEM_STEP_STARVE;
        for (unsigned i = 0; i < game->n_hungry; i++)
            totem_queue_add(game, game->hungry[i].family);
        return;
    }
    game->step = TOTEM_STEP_TAKE;
    totem_ask_takers(game);
}

/* ---- rounds */

static void begin_again(struct totem *game, unsigned index, struct totem_effects *effects)
{
    struct totem_family *const family = &game->families[index];
    const struct totem_start *const start =
        game->options.village ? &totem_values.again_village : &totem_values.again;
    const unsigned supply = totem_supply(game);
    family->huts[0] = start->people;
    family->birds = (uint8_t)(start->birds < supply ? start->birds : supply);
    if (family->pieces < start->pieces)
        family->pieces = start->pieces;
    totem_effect_add(effects, TOTEM_EFFECT_NEW, index)->people[0] = start->people;
}

void totem_round_begin(struct totem *game, struct totem_effects *effects)
{
    const struct totem_order order = totem_turn_order(game);
    for (unsigned i = 0; i < order.n; i++) {
        game->families[order.families[i]].barred = false;
        if (totem_size(&game->families[order.families[i]]) == 0)
            begin_again(game, order.families[i], effects);
    }
    ask(game, TOTEM_STEP_SETTLE);
}

static void next_round(struct totem *game, struct totem_effects *effects)
{
    const unsigned n = totem_families(&game->options);
    do {
        game->first = (uint8_t)((game->first + 1u) % n);
    } while (!totem_is_playing(game, game->first));
    game->round++;
    totem_effect_add(effects, TOTEM_EFFECT_ROUND, game->first)->number = game->round;
    totem_round_begin(game, effects);
}

static void end_round(struct totem *game, struct totem_effects *effects)
{
    totem_generations_happen(game, effects);
    totem_poles_happen(game, effects);
    totem_spells_come_back(game);
    if (!totem_end_of_round(game, effects))
        next_round(game, effects);
}

/* ---- from step to step */

static void ask_magic(struct totem *game)
{
    switch ((enum totem_spells_variant)game->options.spells) {
    case TOTEM_SPELLS_TURNS:
        ask(game, TOTEM_STEP_CHOOSE);
        return;
    case TOTEM_SPELLS_A:
        ask(game, TOTEM_STEP_CAST);
        return;
    case TOTEM_SPELLS_B:
        ask(game, TOTEM_STEP_WRITE);
        return;
    }
}

void totem_meal_goes_on(struct totem *game, struct totem_effects *effects)
{
    ask_hungry(game);
    if (game->n_queue == 0) {
        totem_spill_happens(game, effects);
        ask(game, TOTEM_STEP_REVEAL_ILLNESS);
    }
}

/* Everybody has answered: what happens then, and whom the next step asks. */
static void step_done(struct totem *game, const struct totem_births *births,
                      struct totem_effects *effects)
{
    switch ((enum totem_step)game->step) {
    case TOTEM_STEP_SETTLE:
        ask_magic(game);
        return;
    case TOTEM_STEP_CHOOSE:
        ask(game, TOTEM_STEP_CAST);
        return;
    case TOTEM_STEP_WRITE:
        totem_read_spells(game, effects);
        ask(game, TOTEM_STEP_REVEAL_BIRTHS);
        return;
    case TOTEM_STEP_CAST:
        ask(game, TOTEM_STEP_REVEAL_BIRTHS);
        return;
    case TOTEM_STEP_REVEAL_BIRTHS:
        totem_births_happen(game, births, effects);
        ask(game, TOTEM_STEP_REVEAL_CATCH);
        return;
    case TOTEM_STEP_REVEAL_CATCH:
        totem_catch_happens(game, effects);
        totem_meal_happens(game, effects);
        totem_meal_goes_on(game, effects);
        return;
    case TOTEM_STEP_TAKE:
        if (totem_is_secret(game))
            totem_read_takes(game, effects);
        totem_meal_goes_on(game, effects);
        return;
    case TOTEM_STEP_STARVE:
        totem_meal_goes_on(game, effects);
        return;
    case TOTEM_STEP_REVEAL_ILLNESS:
        totem_illness_happens(game, effects);
        ask(game, TOTEM_STEP_REVEAL_GENERATIONS);
        return;
    case TOTEM_STEP_REVEAL_GENERATIONS:
        end_round(game, effects);
        return;
    case TOTEM_STEP_OVER:
        break;
    }
    assert(false && "nothing follows the end");
}

void totem_go_on(struct totem *game, const struct totem_births *births,
                 struct totem_effects *effects)
{
    while (game->n_queue == 0 && game->step != TOTEM_STEP_OVER)
        step_done(game, births, effects);
}
