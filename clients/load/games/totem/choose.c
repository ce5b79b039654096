/* Random commands. Any that the rules allow may come. */
#include "parts.h"
#include <assert.h>
#include <string.h>

enum {
    LIST_MAX = 1024, /* all sets of ten spells */
    SWAPS = 12,      /* people who change their hut before a family is settled */
};

/* In turns, where several may act at once. */
unsigned totem_choose_family(const struct totem *game)
{
    const unsigned acting = totem_acting(game);
    const unsigned at = (unsigned)game->round % game->n_queue;
    assert(acting != 0);
    return (acting >> game->queue[at] & 1) != 0 ? game->queue[at] : game->queue[0];
}

/* Persons of the default change huts; who is settled stays the same. */
static void shuffle_people(struct rng *rng, struct totem_people huts[TOTEM_HUTS])
{
    for (unsigned i = 0; i < SWAPS; i++) {
        struct totem_people *from = &huts[rng_below(rng, TOTEM_HUTS)];
        struct totem_people *to = &huts[rng_below(rng, TOTEM_HUTS)];
        const unsigned kind = rng_below(rng, TOTEM_KINDS);
        if (from->of[kind] > 0 && from != to && totem_count(to) < totem_hut_room()) {
            from->of[kind]--;
            to->of[kind]++;
        }
    }
}

static void write_spells(const struct totem *game, struct rng *rng, struct totem_command *command)
{
    unsigned left = rng_below(rng, totem_allowance(game, command->family) + 1);
    while (left-- > 0) {
        const unsigned hut = rng_below(rng, TOTEM_HUTS_ALL);
        if (game->families[hut / TOTEM_HUTS].state == TOTEM_FAMILY_PLAYING)
            command->puts.hut[rng_below(rng, TOTEM_SPELLS)] = (uint8_t)hut;
    }
}

void totem_choose(const struct totem *game, struct rng *rng, struct totem_command *out)
{
    struct totem_command list[LIST_MAX];
    const unsigned family = totem_choose_family(game);
    const size_t count = totem_list(game, family, list, LIST_MAX);
    if (count > 0) {
        *out = list[rng_below(rng, (uint32_t)(count < LIST_MAX ? count : LIST_MAX))];
        return;
    }
    totem_default_command(game, family, out);
    if (out->verb == TOTEM_VERB_SETTLE)
        shuffle_people(rng, out->people);
    else if (out->verb == TOTEM_VERB_WRITE)
        write_spells(game, rng, out);
}
