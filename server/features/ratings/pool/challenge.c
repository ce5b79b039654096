#include "challenge.h"

#include "pool.h"
#include <assert.h>

static_assert((int)POOL_WORK >= 2, "both are in what the pool works with");

/* The same of both. */
static size_t chain_of(const struct seeks *seeks, const struct ticket *ticket)
{
    const uint64_t pair = ticket->session ^ ticket->with;
    return (size_t)((pair * UINT64_C(0x9e3779b97f4a7c15) >> 32) % seeks->count);
}

/* At a table for two of which game; POOL_GAMES: of none. */
static unsigned game_of(unsigned kinds)
{
    unsigned game = 0;
    while (game < POOL_GAMES && !(kinds >> pool_kind(game, POOL_SIZE_MIN) & 1))
        game++;
    return game;
}

static bool is_there(const struct ticket *ticket)
{
    return ticket->with != 0 && game_of(ticket->kinds) < POOL_GAMES && !ticket->leaves &&
           !ticket->changes;
}

void challenges_begin(struct challenges *challenges, const struct seeks *seeks)
{
    *challenges = (struct challenges){seeks, seeks->work, seeks->work + seeks->count, 0};
    for (size_t at = 0; at < seeks->count; at++)
        challenges->heads[at] = seeks->count;
    for (size_t at = seeks->count; at-- > 0;) {
        if (!is_there(&seeks->tickets[at]))
            continue;
        size_t *head = &challenges->heads[chain_of(seeks, &seeks->tickets[at])];
        challenges->next[at] = *head;
        *head = at;
    }
}

static bool go_together(const struct ticket *one, const struct ticket *other)
{
    return one->with == other->session && other->with == one->session &&
           game_of(one->kinds & other->kinds) < POOL_GAMES && (one->clocks & other->clocks) != 0 &&
           !pool_is_apart(one, other);
}

bool challenges_next(struct challenges *challenges, struct group *group)
{
    const struct seeks *seeks = challenges->seeks;
    while (challenges->at < seeks->count) {
        const size_t own = challenges->at++;
        const struct ticket *ticket = &seeks->tickets[own];
        if (!is_there(ticket))
            continue;
        size_t other = challenges->heads[chain_of(seeks, ticket)];
        while (other < seeks->count && !go_together(ticket, &seeks->tickets[other]))
            other = challenges->next[other];
        if (other == seeks->count)
            continue;
        *group =
            (struct group){.size = 2,
                           .game = (uint8_t)game_of(ticket->kinds & seeks->tickets[other].kinds),
                           .clocks = ticket->clocks & seeks->tickets[other].clocks,
                           .at = {own, other}};
        return true;
    }
    return false;
}
