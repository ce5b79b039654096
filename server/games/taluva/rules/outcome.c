/*
 * §3. Best first:
 *
 *   finished (ranking) | the winner by two kinds | in play, by the count | eliminated, last out
 * first
 *
 * The count is one number: temples, towers, boats, huts, each a byte.
 */
#include "turn.h"
#include <string.h>

static uint32_t count_built(const uint8_t built[TALUVA_KINDS])
{
    return (uint32_t)built[TALUVA_TEMPLE] << 24 | (uint32_t)built[TALUVA_TOWER] << 16 |
           (uint32_t)built[TALUVA_BOAT] << 8 | built[TALUVA_HUT];
}

static uint32_t seat_count(const struct taluva *game, unsigned seat)
{
    uint8_t built[TALUVA_KINDS];
    for (unsigned kind = 0; kind < TALUVA_KINDS; kind++)
        built[kind] = taluva_built(game, (uint8_t)seat, (enum taluva_kind)kind);
    return count_built(built);
}

static void add_group(struct taluva_outcome *out, unsigned seats)
{
    for (unsigned seat = 0; seat < TALUVA_SEATS_MAX; seat++) {
        if ((seats >> seat & 1) != 0)
            out->rank_of[seat] = out->n_ranks;
    }
    out->ranks[out->n_ranks++] = (uint8_t)seats;
}

static unsigned seats_playing(const struct taluva *game)
{
    unsigned seats = 0;
    for (unsigned seat = 0; seat < game->options.seats; seat++)
        seats |= rules_is_playing(game, seat) ? 1u << seat : 0;
    return seats;
}

/* Without the ranking variant: the one player in play who has two kinds done. */
static unsigned two_kinds_winner(const struct taluva *game)
{
    unsigned winner = 0;
    for (unsigned seat = 0; seat < game->options.seats; seat++) {
        if (rules_is_playing(game, seat) && rules_has_won(game, seat))
            winner |= 1u << seat;
    }
    return winner;
}

static unsigned best_of(const struct taluva *game, unsigned seats)
{
    uint32_t most = 0;
    unsigned best = 0;
    for (unsigned seat = 0; seat < game->options.seats; seat++) {
        if ((seats >> seat & 1) == 0)
            continue;
        const uint32_t mine = seat_count(game, seat);
        if (mine > most || best == 0) {
            most = mine;
            best = 0;
        }
        best |= mine == most ? 1u << seat : 0;
    }
    return best;
}

static void rank_seats(const struct taluva *game, struct taluva_outcome *out)
{
    unsigned left = seats_playing(game);
    for (unsigned i = 0; i < game->n_finished; i++)
        add_group(out, 1u << game->finished[i]);
    if (game->end == TALUVA_END_TWO_KINDS) {
        add_group(out, two_kinds_winner(game));
        left &= ~two_kinds_winner(game);
    }
    while (left != 0) {
        const unsigned best = best_of(game, left);
        add_group(out, best);
        left &= ~best;
    }
    for (unsigned i = game->n_eliminated; i-- > 0;)
        add_group(out, 1u << game->eliminated[i]);
    out->winners = out->ranks[0];
}

static void add_totals(const struct taluva *game, struct taluva_outcome *out)
{
    for (unsigned seat = 0; seat < 4; seat++) {
        for (unsigned kind = 0; kind < TALUVA_KINDS && rules_is_playing(game, seat); kind++)
            out->totals[seat % 2][kind] =
                (uint8_t)(out->totals[seat % 2][kind] +
                          taluva_built(game, (uint8_t)seat, (enum taluva_kind)kind));
    }
}

static bool team_is_out(const struct taluva *game, unsigned team)
{
    return !rules_is_playing(game, team) && !rules_is_playing(game, team + 2);
}

static void rank_teams(const struct taluva *game, struct taluva_outcome *out)
{
    add_totals(game, out);
    if (team_is_out(game, 0)) {
        out->winners = 2;
    } else if (team_is_out(game, 1)) {
        out->winners = 1;
    } else if (game->end == TALUVA_END_TWO_KINDS) {
        out->winners = (two_kinds_winner(game) & 5) != 0 ? 1 : 2;
    } else {
        const uint32_t even = count_built(out->totals[0]), odd = count_built(out->totals[1]);
        out->winners = (uint8_t)((even >= odd ? 1 : 0) | (odd >= even ? 2 : 0));
    }
}

void taluva_outcome(const struct taluva *game, struct taluva_outcome *out)
{
    memset(out, 0, sizeof *out);
    out->end = game->end;
    if (game->options.teams)
        rank_teams(game, out);
    else
        rank_seats(game, out);
}
