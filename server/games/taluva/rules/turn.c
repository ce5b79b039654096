#include "turn.h"

#include "placements.h"

unsigned rules_kinds_done(const struct taluva *game, unsigned seat)
{
    unsigned done = 0;
    for (unsigned kind = 0; kind < TALUVA_KINDS; kind++)
        done += taluva_supply(&game->options, (enum taluva_kind)kind) > 0 &&
                game->reserve[seat][kind] == 0;
    return done;
}

bool rules_may_use_two_hex(const struct taluva *game, unsigned seat)
{
    return game->two_hex_used[seat] < (game->stack == 0 ? 2 : 1);
}

bool rules_has_won(const struct taluva *game, unsigned seat)
{
    const unsigned mine = rules_kinds_done(game, seat);
    if (!game->options.teams)
        return mine >= 2;
    const unsigned mate = (seat + 2) % 4;
    if (!rules_is_playing(game, mate))
        return false;
    const unsigned theirs = rules_kinds_done(game, mate);
    return (mine >= 2 && theirs >= 1) || (mine >= 1 && theirs >= 2);
}

bool rules_is_last_standing(const struct taluva *game)
{
    if (game->options.teams)
        return (!rules_is_playing(game, 0) && !rules_is_playing(game, 2)) ||
               (!rules_is_playing(game, 1) && !rules_is_playing(game, 3));
    unsigned playing = 0;
    for (unsigned seat = 0; seat < game->options.seats; seat++)
        playing += rules_is_playing(game, seat);
    return playing <= 1;
}

bool rules_is_exhausted(const struct taluva *game)
{
    if (game->stack > 0)
        return false;
    for (unsigned seat = 0; seat < game->options.seats && game->two_hex != 0; seat++) {
        if (rules_is_playing(game, seat) && rules_may_use_two_hex(game, seat))
            return false;
    }
    return true;
}

void rules_game_end(struct taluva *game, enum taluva_end end, struct taluva_effects *effects)
{
    game->step = TALUVA_STEP_OVER;
    game->seat = TALUVA_NO_SEAT;
    game->end = (uint8_t)end;
    effects->turn_passed = true;
}

void rules_eliminate(struct taluva *game, unsigned seat, struct taluva_effects *effects)
{
    game->state[seat] = TALUVA_SEAT_ELIMINATED;
    game->eliminated[game->n_eliminated++] = (uint8_t)seat;
    effects->eliminated |= (uint8_t)(1u << seat);
}

/* The game is not exhausted and somebody plays on, so there is one. */
static unsigned next_seat(const struct taluva *game, unsigned seat)
{
    do {
        seat = (seat + 1) % game->options.seats;
    } while (!rules_is_playing(game, seat) ||
             (game->stack == 0 && !rules_may_use_two_hex(game, seat)));
    return seat;
}

void rules_turn_end(struct taluva *game, struct taluva_effects *effects)
{
    if (rules_is_last_standing(game)) {
        rules_game_end(game, TALUVA_END_LAST_STANDING, effects);
        return;
    }
    if (rules_is_exhausted(game)) {
        rules_game_end(game, TALUVA_END_EXHAUSTED, effects);
        return;
    }
    game->seat = (uint8_t)next_seat(game, game->seat);
    game->step = TALUVA_STEP_DRAW;
    effects->turn_passed = true;
    if (taluva_may_take(game) == 0)
        rules_game_end(game, TALUVA_END_NO_ROOM, effects);
}

uint8_t taluva_acting(const struct taluva *game)
{
    if (game->step == TALUVA_STEP_OVER)
        return 0;
    return (uint8_t)(1u << game->seat);
}

uint8_t taluva_may_take(const struct taluva *game)
{
    if (game->step != TALUVA_STEP_DRAW)
        return 0;
    uint8_t take = 0;
    if (game->stack > 0 && rules_fits_somewhere(game, 0))
        take |= TALUVA_TAKE_DRAW;
    const unsigned offered = rules_may_use_two_hex(game, game->seat) ? game->two_hex : 0;
    for (unsigned i = 0; i < TALUVA_TWO_HEX_MAX; i++) {
        if ((offered >> i & 1) != 0 &&
            rules_fits_somewhere(game, (taluva_tile)(TALUVA_TILE_TWO_HEX + i)))
            take |= (uint8_t)(1u << i);
    }
    return take;
}

bool taluva_let_build(const struct taluva *game, uint8_t seat, struct taluva *out)
{
    if (game->step == TALUVA_STEP_OVER || seat >= game->options.seats ||
        !rules_is_playing(game, seat))
        return false;
    *out = *game;
    out->seat = seat;
    out->step = TALUVA_STEP_BUILD;
    out->tile = TALUVA_TILE_NONE;
    return true;
}
