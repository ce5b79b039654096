#include "queue.h"

#include <assert.h>
#include <string.h>

void totem_queue_add(struct totem *game, unsigned family)
{
    assert(game->n_queue < TOTEM_QUEUE_MAX);
    game->queue[game->n_queue++] = (uint8_t)family;
}

void totem_queue_remove_at(struct totem *game, unsigned at)
{
    assert(at < game->n_queue);
    game->n_queue--;
    memmove(game->queue + at, game->queue + at + 1, (size_t)game->n_queue - at);
    game->queue[game->n_queue] = 0;
}

void totem_queue_clear(struct totem *game)
{
    memset(game->queue, 0, sizeof game->queue);
    game->n_queue = 0;
}

unsigned totem_queue_find(const struct totem *game, unsigned family)
{
    unsigned at = 0;
    while (at < game->n_queue && game->queue[at] != family)
        at++;
    return at;
}

bool totem_is_secret(const struct totem *game)
{
    return game->step == TOTEM_STEP_WRITE ||
           (game->step == TOTEM_STEP_TAKE && game->options.meals == TOTEM_MEALS_B);
}

struct totem_order totem_takers(const struct totem *game)
{
    const unsigned seat = totem_seat_of(&game->options, game->hungry[0].family);
    const struct totem_order order = totem_turn_order(game);
    struct totem_order takers = {0, {0}};
    for (unsigned i = 0; i < order.n; i++) {
        if (totem_seat_of(&game->options, order.families[i]) != seat)
            takers.families[takers.n++] = order.families[i];
    }
    return takers;
}

unsigned totem_to_name(const struct totem *game, unsigned family)
{
    const unsigned number = game->hungry[0].number;
    if (game->step == TOTEM_STEP_STARVE)
        return number;
    if (game->options.meals == TOTEM_MEALS_A)
        return 1;
    const struct totem_order takers = totem_takers(game);
    unsigned at = 0;
    while (at < takers.n && takers.families[at] != family)
        at++;
    return at == takers.n ? 0 : number / takers.n + (at < number % takers.n);
}

void totem_hungry_next(struct totem *game)
{
    assert(game->n_hungry > 0);
    game->n_hungry--;
    memmove(game->hungry, game->hungry + 1, game->n_hungry * sizeof game->hungry[0]);
    memset(&game->hungry[game->n_hungry], 0, sizeof game->hungry[0]);
}
