#include "position_text.h"
#include <stddef.h>

static const char *const steps[TOTEM_STEPS] = {
    [TOTEM_STEP_SETTLE] = "settle",
    [TOTEM_STEP_CHOOSE] = "choose",
    [TOTEM_STEP_CAST] = "cast",
    [TOTEM_STEP_WRITE] = "write",
    [TOTEM_STEP_REVEAL_BIRTHS] = "reveal3",
    [TOTEM_STEP_REVEAL_CATCH] = "reveal4",
    [TOTEM_STEP_REVEAL_ILLNESS] = "reveal6",
    [TOTEM_STEP_REVEAL_GENERATIONS] = "reveal7",
    [TOTEM_STEP_STARVE] = "starve",
    [TOTEM_STEP_TAKE] = "take",
    [TOTEM_STEP_OVER] = "over",
};

static const char *const ends[TOTEM_ENDS] = {"none", "totem", "rounds", "last-standing"};

const char *const totem_flags[TOTEM_FLAGS] = {"village", "spells-a", "spells-b", "meals-a",
                                              "meals-b", "totem-a",  "totem-b"};

const char *totem_step_name(enum totem_step step)
{
    return (unsigned)step < TOTEM_STEPS ? steps[step] : NULL;
}

const char *totem_end_name(enum totem_end end)
{
    return (unsigned)end < TOTEM_ENDS ? ends[end] : NULL;
}

bool totem_flag_get(const struct totem_options *options, unsigned flag)
{
    const bool set[TOTEM_FLAGS] = {
        options->village,
        options->spells == TOTEM_SPELLS_A,
        options->spells == TOTEM_SPELLS_B,
        options->meals == TOTEM_MEALS_A,
        options->meals == TOTEM_MEALS_B,
        options->totem_a,
        options->totem_b,
    };
    return set[flag];
}

void totem_flag_set(struct totem_options *options, unsigned flag)
{
    options->village = options->village || flag == 0;
    options->totem_a = options->totem_a || flag == 5;
    options->totem_b = options->totem_b || flag == 6;
    if (flag == 1 || flag == 2)
        options->spells = flag == 1 ? TOTEM_SPELLS_A : TOTEM_SPELLS_B;
    else if (flag == 3 || flag == 4)
        options->meals = flag == 3 ? TOTEM_MEALS_A : TOTEM_MEALS_B;
}
