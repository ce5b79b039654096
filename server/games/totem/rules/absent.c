/* §6.3: what is done for a family whose player does nothing. */
#include "families.h"
#include "spells.h"
#include <assert.h>
#include <string.h>
#include <totem_rules/values.h>

/* ---- settle */

static unsigned first_of_most(const struct totem_people *people)
{
    static const uint8_t order[] = {TOTEM_ELDER, TOTEM_MAN, TOTEM_WOMAN, TOTEM_YOUNG_MAN,
                                    TOTEM_YOUNG_WOMAN};
    unsigned most = order[0];
    for (unsigned i = 1; i < sizeof order; i++) {
        if (people->of[order[i]] > people->of[most])
            most = order[i];
    }
    return most;
}

static unsigned emptiest_hut(const struct totem_people huts[TOTEM_HUTS])
{
    unsigned found = 0;
    for (unsigned hut = 1; hut < TOTEM_HUTS; hut++) {
        if (totem_count(&huts[hut]) < totem_count(&huts[found]))
            found = hut;
    }
    return found;
}

static void settle_family(const struct totem_family *family, struct totem_people huts[TOTEM_HUTS])
{
    static const uint8_t order[] = {TOTEM_YOUNG_MAN, TOTEM_MAN, TOTEM_YOUNG_WOMAN, TOTEM_WOMAN,
                                    TOTEM_ELDER};
    const unsigned room = TOTEM_HUTS * (unsigned)totem_values.hut_room;
    struct totem_people all = totem_everybody(family);
    while (totem_count(&all) > room)
        all.of[first_of_most(&all)]--;
    for (unsigned i = 0; i < sizeof order; i++) {
        for (unsigned n = 0; n < all.of[order[i]]; n++)
            huts[emptiest_hut(huts)].of[order[i]]++;
    }
}

/* ---- starve, take */

/* Is this the last woman or the last man of those who are left? */
static bool is_last(const struct totem_people *left, unsigned kind)
{
    return (totem_is_woman(kind) && totem_count_women(left) == 1) ||
           (totem_is_man(kind) && totem_count_men(left) == 1);
}

/* Who goes next; TOTEM_KINDS if nobody can. */
static unsigned next_to_go(const struct totem_people *left, bool elders_too)
{
    static const uint8_t order[] = {TOTEM_GIRL, TOTEM_BOY,   TOTEM_YOUNG_WOMAN,
                                    TOTEM_MAN,  TOTEM_WOMAN, TOTEM_YOUNG_MAN};
    static const uint8_t last[] = {TOTEM_WOMAN, TOTEM_MAN, TOTEM_YOUNG_WOMAN, TOTEM_YOUNG_MAN};
    for (unsigned i = 0; i < sizeof order; i++) {
        if (left->of[order[i]] > 0 && !is_last(left, order[i]))
            return order[i];
    }
    for (unsigned i = 0; i < sizeof last; i++) {
        if (left->of[last[i]] > 0)
            return last[i];
    }
    return elders_too && left->of[TOTEM_ELDER] > 0 ? (unsigned)TOTEM_ELDER : TOTEM_KINDS;
}

static void name_people(const struct totem *game, unsigned number,
                        struct totem_people named[TOTEM_HUTS])
{
    const struct totem_family *const victim = &game->families[game->hungry[0].family];
    struct totem_family left = *victim;
    for (unsigned n = 0; n < number; n++) {
        const struct totem_people all = totem_everybody(&left);
        const unsigned kind = next_to_go(&all, game->step == TOTEM_STEP_TAKE);
        unsigned hut = 0;
        assert(kind < TOTEM_KINDS);
        while (left.huts[hut].of[kind] == 0)
            hut++;
        left.huts[hut].of[kind]--;
        named[hut].of[kind]++;
    }
}

/* ---- all */

static void cast_or_pass(const struct totem *game, struct totem_command *out)
{
    const unsigned chosen = totem_spells_in(&game->families[out->family], TOTEM_SPELL_CHOSEN);
    if (game->options.spells == TOTEM_SPELLS_A) {
        out->verb = TOTEM_VERB_PASS;
        return;
    }
    out->verb = TOTEM_VERB_CAST;
    out->hut = (uint8_t)(out->family * TOTEM_HUTS);
    while ((chosen >> out->spell & 1) == 0)
        out->spell++;
}

void totem_default_command(const struct totem *game, unsigned family, struct totem_command *out)
{
    assert((totem_acting(game) >> family & 1) != 0);
    memset(out, 0, sizeof *out);
    memset(&out->puts, TOTEM_NONE, sizeof out->puts);
    out->family = (uint8_t)family;
    switch ((enum totem_step)game->step) {
    case TOTEM_STEP_SETTLE:
        out->verb = TOTEM_VERB_SETTLE;
        settle_family(&game->families[family], out->people);
        return;
    case TOTEM_STEP_CHOOSE:
        out->verb = TOTEM_VERB_CHOOSE;
        return;
    case TOTEM_STEP_WRITE:
        out->verb = TOTEM_VERB_WRITE;
        return;
    case TOTEM_STEP_CAST:
        cast_or_pass(game, out);
        return;
    case TOTEM_STEP_REVEAL_BIRTHS:
    case TOTEM_STEP_REVEAL_CATCH:
    case TOTEM_STEP_REVEAL_ILLNESS:
    case TOTEM_STEP_REVEAL_GENERATIONS:
        out->verb = TOTEM_VERB_REVEAL;
        return;
    case TOTEM_STEP_STARVE:
        out->verb = TOTEM_VERB_STARVE;
        name_people(game, totem_to_name(game, family), out->people);
        return;
    case TOTEM_STEP_TAKE:
        out->verb = TOTEM_VERB_TAKE;
        out->victim = game->hungry[0].family;
        name_people(game, totem_to_name(game, family), out->people);
        return;
    case TOTEM_STEP_OVER:
        break;
    }
    assert(false && "nobody is asked when it is over");
}
