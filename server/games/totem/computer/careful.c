#include "careful.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

/* ---- starve, take */

/* The family that is asked about, the first of the hungry, has one person less; with what follows
 * at once if it was the last elder (§5.9). */
static void lose_person(struct totem *game, unsigned hut, unsigned kind)
{
    struct totem_family *loser = &game->families[game->hungry[0].family];
    loser->huts[hut].of[kind]--;
    game->hungry[0].number--;
    if (kind == TOTEM_ELDER && !loser->barred && totem_everybody(loser).of[TOTEM_ELDER] == 0) {
        loser->barred = true;
        if (game->options.totem_a)
            loser->pieces = 0;
        else if (loser->pieces > 1)
            loser->pieces--;
    }
}

/* The person whose loss is best for us. */
static void choose_one(struct totem_thought *thought, bool elders, struct totem_command *out)
{
    const struct totem before = thought->game;
    const struct totem_people *huts = before.families[before.hungry[0].family].huts;
    unsigned best_hut = 0, best_kind = TOTEM_KINDS;
    int best = INT_MIN;
    for (unsigned i = 0; i < TOTEM_HUTS * TOTEM_KINDS; i++) {
        unsigned hut = i / TOTEM_KINDS, kind = i % TOTEM_KINDS;
        if (huts[hut].of[kind] == 0 || (kind == TOTEM_ELDER && !elders))
            continue;
        lose_person(&thought->game, hut, kind);
        int worth = totem_thought_worth(thought);
        thought->game = before;
        if (worth > best) {
            best = worth;
            best_hut = hut;
            best_kind = kind;
        }
    }
    assert(best_kind < TOTEM_KINDS);
    lose_person(&thought->game, best_hut, best_kind);
    out->people[best_hut].of[best_kind]++;
}

static void choose_starve(struct totem_thought *thought, struct totem_command *out)
{
    out->verb = TOTEM_VERB_STARVE;
    for (unsigned n = totem_to_name(&thought->game, thought->family); n > 0; n--)
        choose_one(thought, false, out);
}

static void choose_take(struct totem_thought *thought, struct totem_command *out)
{
    out->verb = TOTEM_VERB_TAKE;
    out->victim = thought->game.hungry[0].family;
    for (unsigned n = totem_to_name(&thought->game, thought->family); n > 0; n--)
        choose_one(thought, true, out);
}

/* ---- all */

void totem_careful_choose(const struct totem *known, const struct totem_care *care,
                          struct rng *random, struct totem_command *out)
{
    struct totem_thought thought;
    totem_think(&thought, known, out->family, care, random);
    switch ((enum totem_step)known->step) {
    case TOTEM_STEP_SETTLE:
        totem_settle_best(&thought, out);
        return;
    case TOTEM_STEP_CHOOSE:
        out->verb = TOTEM_VERB_CHOOSE;
        totem_plan_spells(&thought, out);
        return;
    case TOTEM_STEP_WRITE:
        out->verb = TOTEM_VERB_WRITE;
        totem_plan_spells(&thought, out);
        return;
    case TOTEM_STEP_CAST:
        totem_cast_best(&thought, out);
        return;
    case TOTEM_STEP_REVEAL_BIRTHS:
    case TOTEM_STEP_REVEAL_CATCH:
    case TOTEM_STEP_REVEAL_ILLNESS:
    case TOTEM_STEP_REVEAL_GENERATIONS:
        totem_reveal_best(&thought, out);
        return;
    case TOTEM_STEP_STARVE:
        choose_starve(&thought, out);
        return;
    case TOTEM_STEP_TAKE:
        choose_take(&thought, out);
        return;
    case TOTEM_STEP_OVER:
        break;
    }
    assert(false && "nobody is asked when it is over");
}
