#include "totem_play.h"

#include <string.h>

enum { LIST_MAX = 256, MOVED_MAX = 12 };

unsigned choices_below(struct choices *choices, unsigned n)
{
    if (choices->left > 0) {
        choices->left--;
        return *choices->at++ % n;
    }
    choices->state = choices->state * 1664525u + 1013904223u;
    return (unsigned)((uint64_t)(choices->state >> 8) * n >> 24);
}

unsigned choose_family(struct choices *choices, const struct totem *game)
{
    const unsigned acting = totem_acting(game);
    unsigned family = choices_below(choices, TOTEM_FAMILIES);
    HOLD(acting != 0);
    while ((acting >> family & 1) == 0)
        family = (family + 1) % TOTEM_FAMILIES;
    return family;
}

void make_births(const struct totem *game, struct totem_births *births)
{
    uint32_t state = game->round;
    for (unsigned hut = 0; hut < TOTEM_HUTS_ALL; hut++) {
        state = state * 1664525u + 1013904223u;
        births->words[hut] = (uint16_t)(state >> 22);
    }
}

/* ---- what is not listed */

/* The people of a settlement move to other huts that have room. */
static void move_people(struct choices *choices, struct totem_command *command)
{
    for (unsigned i = choices_below(choices, MOVED_MAX); i > 0; i--) {
        struct totem_people *const from = &command->people[choices_below(choices, TOTEM_HUTS)];
        struct totem_people *const to = &command->people[choices_below(choices, TOTEM_HUTS)];
        const unsigned kind = choices_below(choices, TOTEM_KINDS);
        if (from->of[kind] > 0 && (from == to || totem_count(to) < totem_hut_room())) {
            from->of[kind]--;
            to->of[kind]++;
        }
    }
}

static void write_some(struct choices *choices, const struct totem *game,
                       struct totem_command *command)
{
    const unsigned most = totem_allowance(game, command->family);
    for (unsigned i = choices_below(choices, most + 1); i > 0; i--) {
        const unsigned hut = choices_below(choices, TOTEM_HUTS_ALL);
        const unsigned spell = choices_below(choices, TOTEM_SPELLS);
        if (game->families[hut / TOTEM_HUTS].state == TOTEM_FAMILY_PLAYING)
            command->puts.hut[spell] = (uint8_t)hut;
    }
}

void choose_legal(struct choices *choices, const struct totem *game, unsigned family,
                  struct totem_command *out)
{
    static struct totem_command list[LIST_MAX];
    const size_t all = totem_list(game, family, list, LIST_MAX);
    const size_t count = all < LIST_MAX ? all : LIST_MAX;
    const unsigned pick = choices_below(choices, LIST_MAX);
    if (count > 0 && pick % 8 != 0) {
        *out = list[pick % count];
        return;
    }
    totem_default_command(game, family, out);
    if (game->step == TOTEM_STEP_SETTLE)
        move_people(choices, out);
    else if (game->step == TOTEM_STEP_WRITE)
        write_some(choices, game, out);
}

void play_legal(struct choices *choices, struct totem *game)
{
    const unsigned family = choose_family(choices, game);
    const struct totem before = *game;
    struct totem_command command;
    struct totem_births births;
    struct totem_effects effects;
    choose_legal(choices, game, family, &command);
    make_births(game, &births);
    HOLD(totem_play(game, totem_seat_of(&game->options, family), &command, &births, &effects) ==
         TOTEM_OK);
    hold_totem_effects(&before, &command, game, &effects);
}
