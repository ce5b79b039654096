#include "outcome.h"

#include "effects.h"
#include "families.h"
#include <string.h>
#include <totem_rules/values.h>

/* ---- who wins */

/* One number to compare families by: pieces if they count, then people, then birds. */
static uint32_t worth_of_family(const struct totem *game, unsigned index, bool pieces)
{
    const struct totem_family *const family = &game->families[index];
    return (pieces ? (uint32_t)family->pieces << 16 : 0) | totem_size(family) << 8 | family->birds;
}

/* A winner of several families is one only if they are all of one seat (§9.3). */
static void finish_game(struct totem *game, enum totem_end end, const struct totem_order *best,
                        struct totem_effects *effects)
{
    unsigned seats = 0;
    for (unsigned i = 0; i < best->n; i++)
        seats |= 1u << totem_seat_of(&game->options, best->families[i]);
    game->step = TOTEM_STEP_OVER;
    game->end = (uint8_t)end;
    game->n_winners = (seats & (seats - 1)) == 0 ? (uint8_t)best->n : 0;
    memcpy(game->winners, best->families, game->n_winners);
    struct totem_effect *const effect = totem_effect_add(effects, TOTEM_EFFECT_OVER, 0);
    effect->number = game->end;
    effect->n_order = game->n_winners;
    memcpy(effect->order, game->winners, sizeof effect->order);
}

/* Those of `order` that are worth most, in its order. */
static struct totem_order best_of(const struct totem *game, const struct totem_order *order,
                                  bool pieces)
{
    struct totem_order best = {0, {0}};
    uint32_t most = 0;
    for (unsigned i = 0; i < order->n; i++) {
        const uint32_t this = worth_of_family(game, order->families[i], pieces);
        if (best.n == 0 || this > most) {
            best.n = 0;
            most = this;
        }
        if (this == most)
            best.families[best.n++] = order->families[i];
    }
    return best;
}

bool totem_end_of_round(struct totem *game, struct totem_effects *effects)
{
    const struct totem_order order = totem_turn_order(game);
    struct totem_order done = {0, {0}}, best;
    for (unsigned i = 0; i < order.n; i++) {
        if (game->families[order.families[i]].pieces >= totem_values.pieces_win)
            done.families[done.n++] = order.families[i];
    }
    if (done.n > 0) {
        best = best_of(game, &done, false);
        finish_game(game, TOTEM_END_TOTEM, &best, effects);
    } else if (game->round >= game->options.rounds) {
        best = best_of(game, &order, true);
        finish_game(game, TOTEM_END_ROUNDS, &best, effects);
    }
    return game->step == TOTEM_STEP_OVER;
}

bool totem_end_of_leaving(struct totem *game, struct totem_effects *effects)
{
    const unsigned seats = totem_seats_in_play(game);
    if ((seats & (seats - 1)) == 0) {
        const struct totem_order order = totem_turn_order(game);
        finish_game(game, TOTEM_END_LAST_STANDING, &order, effects);
    }
    return game->step == TOTEM_STEP_OVER;
}

/* ---- ranks */

unsigned totem_seats_in_play(const struct totem *game)
{
    unsigned seats = 0;
    for (unsigned family = 0; family < TOTEM_FAMILIES; family++) {
        if (totem_is_playing(game, family))
            seats |= 1u << totem_seat_of(&game->options, family);
    }
    return seats;
}

static unsigned winning_seats(const struct totem *game)
{
    unsigned seats = 0;
    for (unsigned i = 0; i < game->n_winners; i++)
        seats |= 1u << totem_seat_of(&game->options, game->winners[i]);
    return seats;
}

/* §9.5 as one number, larger is better. */
static uint32_t standing_of_seat(const struct totem *game, unsigned seat)
{
    uint32_t best = 0;
    for (unsigned family = 0; family < totem_families(&game->options); family++) {
        if (totem_seat_of(&game->options, family) == seat &&
            worth_of_family(game, family, true) > best)
            best = worth_of_family(game, family, true);
    }
    return (winning_seats(game) >> seat & 1) << 31 | (totem_seats_in_play(game) >> seat & 1) << 30 |
           best;
}

void totem_outcome(const struct totem *game, struct totem_outcome *out)
{
    unsigned left = (1u << game->options.players) - 1;
    memset(out, 0, sizeof *out);
    out->end = game->end;
    out->winners = (uint8_t)winning_seats(game);
    while (left != 0) {
        uint32_t best = 0;
        unsigned group = 0;
        for (unsigned seat = 0; seat < game->options.players; seat++) {
            const uint32_t this = standing_of_seat(game, seat);
            if ((left >> seat & 1) == 0 || this < best)
                continue;
            group = (this == best ? group : 0) | 1u << seat;
            best = this;
        }
        out->ranks[out->n_ranks++] = (uint8_t)group;
        left &= ~group;
    }
}
