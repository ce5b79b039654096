#include "teams.h"

#include "pool.h"
#include "sort.h"
#include <assert.h>
#include <string.h>

enum { THOUSAND = 1000, ARRAYS = 7 };
static_assert((int)POOL_WORK >= (int)ARRAYS, "all are in what the pool works with");

/* ---- who comes together */

static bool takes_teams(const struct ticket *ticket)
{
    return ticket->kinds >> POOL_TEAMS & 1 && !ticket->leaves && !ticket->changes;
}

static bool are_partners(const struct ticket *one, const struct ticket *other)
{
    return takes_teams(other) && one->with == other->session && other->with == one->session &&
           (one->clocks & other->clocks) != 0 && !pool_is_apart(one, other);
}

/* The same of both. */
static size_t chain_of(const struct teams *teams, const struct ticket *ticket)
{
    const uint64_t pair = ticket->session ^ ticket->with;
    return (size_t)((pair * UINT64_C(0x9e3779b97f4a7c15) >> 32) % teams->count);
}

/* By chains, in the time of one. */
static void find_partners(struct teams *teams, size_t *heads, size_t *next)
{
    for (size_t at = 0; at < teams->count; at++) {
        heads[at] = teams->count;
        teams->mates[at] = POOL_NOBODY;
    }
    for (size_t at = 0; at < teams->count; at++) {
        const struct ticket *ticket = &teams->tickets[at];
        if (!takes_teams(ticket) || !ticket->with)
            continue;
        size_t *head = &heads[chain_of(teams, ticket)], other = *head;
        while (other < teams->count && !are_partners(ticket, &teams->tickets[other]))
            other = next[other];
        if (other < teams->count) {
            teams->mates[at] = other;
            teams->mates[other] = at;
        }
        next[at] = *head;
        *head = at;
    }
}

/* ---- a pair, or one alone */

struct unit {
    unsigned count;
    size_t at[2];
    uint32_t strength;
    int64_t waited_ms; /* of both together */
    uint64_t window;
    uint8_t clocks;
};

static struct unit unit_of(const struct teams *teams, size_t first)
{
    struct unit unit = {
        .count = 1, .at = {first, teams->mates[first]}, .window = UINT64_MAX, .clocks = UINT8_MAX};
    unit.count += teams->mates[first] != POOL_NOBODY;
    for (unsigned i = 0; i < unit.count; i++) {
        const struct ticket *ticket = &teams->tickets[unit.at[i]];
        const uint64_t window = pool_window(ticket, POOL_TEAMS, teams->now_ms);
        unit.strength += ticket->rating[POOL_TEAMS].strength / unit.count;
        unit.waited_ms += teams->now_ms > ticket->since_ms ? teams->now_ms - ticket->since_ms : 0;
        unit.window = window < unit.window ? window : unit.window;
        unit.clocks &= ticket->clocks;
    }
    unit.strength += unit.count == 2 ? TEAMS_PAIR_BONUS * THOUSAND : 0;
    return unit;
}

static uint64_t reach_of(const struct teams *teams, size_t first)
{
    const size_t mate = teams->mates[first];
    const uint64_t own = pool_reach(&teams->tickets[first]);
    const uint64_t other = mate != POOL_NOBODY ? pool_reach(&teams->tickets[mate]) : own;
    return own < other ? own : other;
}

/* Of who comes alone or with whoever is behind them: a pair waits since its second one came. */
static size_t waited_ms(const struct teams *teams, size_t first)
{
    const size_t mate = teams->mates[first];
    int64_t since_ms = teams->tickets[first].since_ms;
    if (mate != POOL_NOBODY && teams->tickets[mate].since_ms > since_ms)
        since_ms = teams->tickets[mate].since_ms;
    return teams->now_ms > since_ms ? (size_t)(teams->now_ms - since_ms) : 0;
}

static bool has_left(const struct teams *teams, size_t first)
{
    const size_t mate = teams->mates[first];
    return teams->tickets[first].leaves || (mate != POOL_NOBODY && teams->tickets[mate].leaves);
}

/* ---- in order */

static bool is_weaker(void *ctx, size_t a, size_t b)
{
    struct teams *teams = ctx;
    const size_t left = teams->strengths[a], right = teams->strengths[b];
    teams->steps++;
    return left != right ? left < right : a < b;
}

static bool waits_longer(void *ctx, size_t a, size_t b)
{
    struct teams *teams = ctx;
    const size_t left = teams->waited[a], right = teams->waited[b];
    teams->steps++;
    return left != right ? left > right : a < b;
}

static bool is_looked_for(const struct teams *teams, size_t first)
{
    return teams->waited[first] >= teams->least_ms && !has_left(teams, first);
}

/* Each knows who is beside them, of those who have waited so long. How many they are. */
static size_t link_up(struct teams *teams, size_t least_ms)
{
    size_t last = POOL_NOBODY, linked = 0;
    teams->least_ms = least_ms;
    for (size_t at = 0; at < teams->units; at++) {
        const size_t own = teams->order[at];
        teams->steps++;
        if (!is_looked_for(teams, own))
            continue;
        linked++;
        teams->weaker[own] = last;
        teams->stronger[own] = POOL_NOBODY;
        if (last != POOL_NOBODY)
            teams->stronger[last] = own;
        last = own;
    }
    return linked;
}

static void take_out(struct teams *teams, size_t own)
{
    const size_t weaker = teams->weaker[own], stronger = teams->stronger[own];
    if (weaker != POOL_NOBODY)
        teams->stronger[weaker] = stronger;
    if (stronger != POOL_NOBODY)
        teams->weaker[stronger] = weaker;
}

void teams_begin(struct teams *teams, const struct ticket *tickets, size_t count, int64_t now_ms,
                 size_t *work)
{
    size_t **const arrays[ARRAYS] = {&teams->order,     &teams->ages,   &teams->mates,
                                     &teams->strengths, &teams->waited, &teams->weaker,
                                     &teams->stronger};
    *teams = (struct teams){.tickets = tickets, .count = count, .now_ms = now_ms};
    for (size_t at = 0; at < ARRAYS; at++)
        *arrays[at] = work + at * count;
    find_partners(teams, teams->weaker, teams->stronger); /* which nobody needs before */
    for (size_t at = 0; at < count; at++) {
        const bool alone = tickets[at].with == 0, pair = teams->mates[at] != POOL_NOBODY;
        if (!takes_teams(&tickets[at]) || !(alone || (pair && at < teams->mates[at])))
            continue;
        teams->strengths[at] = unit_of(teams, at).strength;
        teams->waited[at] = waited_ms(teams, at);
        teams->order[teams->units++] = at;
    }
    if (teams->units > 0)
        memcpy(teams->ages, teams->order, teams->units * sizeof *teams->ages);
    sort_positions(teams->order, teams->units, is_weaker, teams);
    sort_positions(teams->ages, teams->units, waits_longer, teams);
    teams->linked = link_up(teams, 0);
}

/* ---- who fits */

static bool is_repeat(const struct teams *teams, const struct ticket *one,
                      const struct ticket *other)
{
    const int64_t anybody_ms = teams->now_ms - (int64_t)POOL_ANYBODY_S * THOUSAND;
    return (pool_has_met(one, other, teams->now_ms) || pool_has_met(other, one, teams->now_ms)) &&
           (one->since_ms > anybody_ms || other->since_ms > anybody_ms);
}

/* Partners who have named each other may well have come from one address, or just played. */
static bool is_barred(const struct teams *teams, size_t one, size_t other)
{
    const struct ticket *left = &teams->tickets[one], *right = &teams->tickets[other];
    if (teams->mates[one] == other)
        return false;
    return !(left->clocks & right->clocks) || pool_is_same_source(left, right) ||
           pool_is_same_device(left, right) || pool_is_apart(left, right) ||
           is_repeat(teams, left, right);
}

/* Each with all of the other unit, which is called by its first ticket. */
static bool fits_unit(struct teams *teams, const struct unit *unit, size_t other)
{
    const size_t mate = teams->mates[other];
    teams->steps++;
    for (unsigned i = 0; i < unit->count; i++) {
        if (is_barred(teams, unit->at[i], other) ||
            (mate != POOL_NOBODY && is_barred(teams, unit->at[i], mate)))
            return false;
    }
    return true;
}

/* ---- those who are near */

struct near {
    unsigned count;
    struct unit units[2 * (TEAMS_ALONE + TEAMS_PAIRS)];
};

/* The nearest on that side who fit, behind a few who do not. */
static void look_beside(struct teams *teams, const size_t *beside, const struct unit *seeker,
                        struct near *near)
{
    unsigned free[] = {TEAMS_ALONE, TEAMS_PAIRS};
    size_t at = beside[seeker->at[0]];
    for (unsigned passed = 0;
         at != POOL_NOBODY && passed <= POOL_APART_PASSED_MAX && free[0] + free[1] > 0;
         at = beside[at]) {
        const unsigned pair = teams->mates[at] != POOL_NOBODY;
        const size_t strength = teams->strengths[at];
        const size_t apart =
            strength > seeker->strength ? strength - seeker->strength : seeker->strength - strength;
        teams->steps++;
        if (apart > seeker->window)
            return; /* nor are those behind */
        if (free[pair] == 0 || !fits_unit(teams, seeker, at) || apart > reach_of(teams, at)) {
            passed++;
            continue;
        }
        free[pair]--;
        near->units[near->count++] = unit_of(teams, at);
    }
}

/* ---- four of them */

struct choice {
    unsigned count, seats;
    const struct unit *units[TEAMS_SEATS];
    uint32_t low, high;
    uint64_t window;
    int64_t waited_ms;
    uint8_t clocks;
};

struct best {
    bool there;
    int64_t cost; /* thousandths */
    struct choice choice;
};

static void add_unit(struct choice *choice, const struct unit *unit)
{
    choice->units[choice->count++] = unit;
    choice->seats += unit->count;
    choice->low = unit->strength < choice->low ? unit->strength : choice->low;
    choice->high = unit->strength > choice->high ? unit->strength : choice->high;
    choice->window = unit->window < choice->window ? unit->window : choice->window;
    choice->waited_ms += unit->waited_ms;
    choice->clocks &= unit->clocks;
}

static int64_t cost_of(const struct choice *choice)
{
    return (int64_t)(choice->high - choice->low) - choice->waited_ms / (2 * TEAMS_SEATS);
}

/* Could they play, or some more with them, if all fit; and would four be better than the best? */
static bool is_worth_it(const struct choice *choice, const struct best *best)
{
    return choice->seats <= TEAMS_SEATS && choice->clocks != 0 &&
           choice->high - choice->low <= choice->window &&
           (choice->seats < TEAMS_SEATS || !best->there || cost_of(choice) < best->cost);
}

/* All choices of those near, from the one at that place on, that make four with those chosen. */
static void choose_units(struct teams *teams, const struct near *near, unsigned from,
                         const struct choice *choice, struct best *best)
{
    for (unsigned at = from; at < near->count; at++) {
        struct choice more = *choice;
        add_unit(&more, &near->units[at]);
        bool fits = is_worth_it(&more, best);
        for (unsigned i = 1; i < choice->count && fits; i++) /* the seeker fits all */
            fits = fits_unit(teams, choice->units[i], near->units[at].at[0]);
        if (fits && more.seats == TEAMS_SEATS)
            *best = (struct best){true, cost_of(&more), more};
        else if (fits)
            choose_units(teams, near, at + 1, &more, best);
    }
}

/* ---- two teams */

static uint32_t strength_at(const struct teams *teams, size_t at)
{
    return teams->tickets[at].rating[POOL_TEAMS].strength;
}

/* Of those who come alone, the split of the three whose teams are most nearly equal. */
static void split_four(const struct teams *teams, size_t at[static TEAMS_SEATS])
{
    uint32_t all = 0, least = UINT32_MAX;
    unsigned partner = 1;
    for (unsigned i = 0; i < TEAMS_SEATS; i++)
        all += strength_at(teams, at[i]);
    for (unsigned i = 1; i < TEAMS_SEATS; i++) {
        const uint32_t twice = 2 * (strength_at(teams, at[0]) + strength_at(teams, at[i]));
        const uint32_t apart = twice > all ? twice - all : all - twice;
        partner = apart < least ? i : partner;
        least = apart < least ? apart : least;
    }
    const size_t moved = at[1];
    at[1] = at[partner];
    at[partner] = moved;
}

static void seat_teams(const struct teams *teams, const struct choice *choice, struct group *group)
{
    size_t at[TEAMS_SEATS];
    unsigned seats = 0;
    for (unsigned count = 2; count >= 1; count--) { /* pairs first */
        for (unsigned i = 0; i < choice->count; i++) {
            const struct unit *unit = choice->units[i];
            for (unsigned j = 0; j < unit->count && unit->count == count; j++)
                at[seats++] = unit->at[j];
        }
    }
    if (choice->count == TEAMS_SEATS)
        split_four(teams, at);
    *group = (struct group){.size = TEAMS_SEATS,
                            .teams = true,
                            .clocks = choice->clocks,
                            .at = {at[0], at[2], at[1], at[3]}};
}

static bool find_group(struct teams *teams, size_t first, struct group *group)
{
    const struct unit seeker = unit_of(teams, first);
    struct choice choice = {
        .low = UINT32_MAX, .window = UINT64_MAX, .clocks = UINT8_MAX, .count = 0};
    struct best best = {.there = false};
    struct near near = {.count = 0};
    look_beside(teams, teams->weaker, &seeker, &near);
    look_beside(teams, teams->stronger, &seeker, &near);
    add_unit(&choice, &seeker);
    choose_units(teams, &near, 0, &choice, &best);
    if (!best.there)
        return false;
    for (unsigned i = 0; i < best.choice.count; i++)
        take_out(teams, best.choice.units[i]->at[0]);
    seat_teams(teams, &best.choice, group);
    return true;
}

/* Between those who would play with anybody there may be some who have just come, and would not.
 * False: that was all. */
static bool begin_again(struct teams *teams)
{
    const size_t linked = teams->linked;
    if (teams->least_ms != 0)
        return false;
    teams->linked = link_up(teams, (size_t)POOL_ANYBODY_S * THOUSAND);
    teams->at = 0;
    return teams->linked < linked;
}

bool teams_next(struct teams *teams, struct group *group)
{
    do {
        while (teams->at < teams->units) {
            const size_t first = teams->ages[teams->at++];
            if (is_looked_for(teams, first) && find_group(teams, first, group))
                return true;
        }
    } while (begin_again(teams));
    return false;
}
