#include "teams.h"

#include "pool.h"
#include <assert.h>
#include <string.h>

enum { THOUSAND = 1000, HEADS = 3, NEXT = 4, ARRAYS = 5 };
static_assert((int)POOL_WORK >= (int)ARRAYS, "all are in what the pool works with");

/* ---- who comes together */

static bool takes_teams(const struct ticket *ticket)
{
    return ticket->sizes >> POOL_TEAMS & 1 && !ticket->leaves && !ticket->changes;
}

static bool are_partners(const struct ticket *one, const struct ticket *other)
{
    return takes_teams(other) && one->with == other->session && other->with == one->session &&
           one->game == other->game && (one->clocks & other->clocks) != 0 &&
           !pool_is_apart(one, other);
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
};

static struct unit unit_of(const struct teams *teams, size_t first)
{
    struct unit unit = {.count = 1, .at = {first, teams->mates[first]}, .window = UINT64_MAX};
    unit.count += teams->mates[first] != POOL_NOBODY;
    for (unsigned i = 0; i < unit.count; i++) {
        const struct ticket *ticket = &teams->tickets[unit.at[i]];
        const uint64_t window = pool_window(ticket, POOL_TEAMS, teams->now_ms);
        unit.strength += ticket->rating[POOL_TEAMS].strength / unit.count;
        unit.waited_ms += teams->now_ms > ticket->since_ms ? teams->now_ms - ticket->since_ms : 0;
        unit.window = window < unit.window ? window : unit.window;
    }
    unit.strength += unit.count == 2 ? TEAMS_PAIR_BONUS * THOUSAND : 0;
    return unit;
}

/* Of who comes alone or with whoever is behind them: a pair waits since its second one came. */
static int64_t since_of(const struct teams *teams, size_t first)
{
    const size_t mate = teams->mates[first];
    const int64_t own = teams->tickets[first].since_ms;
    return mate != POOL_NOBODY && teams->tickets[mate].since_ms > own
               ? teams->tickets[mate].since_ms
               : own;
}

static bool goes_before(const struct teams *teams, bool by_age, size_t a, size_t b)
{
    const uint64_t left = by_age ? (uint64_t)since_of(teams, a) : unit_of(teams, a).strength;
    const uint64_t right = by_age ? (uint64_t)since_of(teams, b) : unit_of(teams, b).strength;
    return left != right ? left < right : a < b;
}

static void sift_down(const struct teams *teams, bool by_age, size_t *order, size_t root,
                      size_t count)
{
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && goes_before(teams, by_age, order[child], order[child + 1]))
            child++;
        if (!goes_before(teams, by_age, order[root], order[child]))
            return;
        const size_t moved = order[root];
        order[root] = order[child];
        order[child] = moved;
    }
}

static void sort_units(const struct teams *teams, bool by_age, size_t *order, size_t count)
{
    for (size_t root = count / 2; root > 0; root--)
        sift_down(teams, by_age, order, root - 1, count);
    for (size_t last = count; last > 1; last--) {
        const size_t top = order[0];
        order[0] = order[last - 1];
        order[last - 1] = top;
        sift_down(teams, by_age, order, 0, last - 1);
    }
}

void teams_begin(struct teams *teams, const struct ticket *tickets, size_t count, int64_t now_ms,
                 size_t *work)
{
    *teams = (struct teams){.tickets = tickets, .count = count, .now_ms = now_ms};
    teams->order = work;
    teams->ages = work + count;
    teams->mates = work + 2 * count;
    find_partners(teams, work + HEADS * count, work + NEXT * count);
    for (size_t at = 0; at < count; at++) {
        const bool alone = tickets[at].with == 0, pair = teams->mates[at] != POOL_NOBODY;
        if (takes_teams(&tickets[at]) && (alone || (pair && at < teams->mates[at])))
            teams->order[teams->units++] = at;
    }
    memcpy(teams->ages, teams->order, teams->units * sizeof *teams->ages);
    sort_units(teams, false, teams->order, teams->units);
    sort_units(teams, true, teams->ages, teams->units);
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
    return left->game != right->game || !(left->clocks & right->clocks) ||
           pool_is_same_source(left, right) || pool_is_apart(left, right) ||
           is_repeat(teams, left, right);
}

static bool fit_together(const struct teams *teams, const struct unit *one,
                         const struct unit *other)
{
    for (unsigned i = 0; i < one->count; i++) {
        for (unsigned j = 0; j < other->count; j++) {
            if (is_barred(teams, one->at[i], other->at[j]))
                return false;
        }
    }
    return true;
}

struct choice {
    unsigned count; /* of units */
    struct unit units[TEAMS_SEATS];
};

struct best {
    bool there;
    int64_t cost; /* thousandths */
    struct choice choice;
};

static uint8_t clocks_of(const struct teams *teams, const struct choice *choice)
{
    uint8_t clocks = UINT8_MAX;
    for (unsigned i = 0; i < choice->count; i++) {
        for (unsigned j = 0; j < choice->units[i].count; j++)
            clocks &= teams->tickets[choice->units[i].at[j]].clocks;
    }
    return clocks;
}

static void weigh_choice(const struct teams *teams, const struct choice *choice, struct best *best)
{
    uint32_t low = UINT32_MAX, high = 0;
    uint64_t window = UINT64_MAX;
    int64_t waited = 0;
    for (unsigned i = 0; i < choice->count; i++) {
        const struct unit *unit = &choice->units[i];
        low = unit->strength < low ? unit->strength : low;
        high = unit->strength > high ? unit->strength : high;
        window = unit->window < window ? unit->window : window;
        waited += unit->waited_ms;
    }
    const int64_t cost = (int64_t)(high - low) - waited / (2 * TEAMS_SEATS);
    if (high - low <= window && clocks_of(teams, choice) != 0 &&
        (!best->there || cost < best->cost))
        *best = (struct best){true, cost, *choice};
}

/* All choices of those near that make four with those who are chosen. */
static void choose_units(const struct teams *teams, const struct unit near[], unsigned count,
                         struct choice *choice, unsigned seats, struct best *best)
{
    if (seats == TEAMS_SEATS)
        weigh_choice(teams, choice, best);
    for (unsigned at = 0; at < count && seats < TEAMS_SEATS; at++) {
        bool fits = seats + near[at].count <= TEAMS_SEATS;
        for (unsigned i = 0; i < choice->count && fits; i++)
            fits = fit_together(teams, &choice->units[i], &near[at]);
        if (!fits)
            continue;
        choice->units[choice->count++] = near[at];
        choose_units(teams, near + at + 1, count - at - 1, choice, seats + near[at].count, best);
        choice->count--;
    }
}

static bool has_left(const struct teams *teams, size_t first)
{
    const size_t mate = teams->mates[first];
    return teams->tickets[first].leaves || (mate != POOL_NOBODY && teams->tickets[mate].leaves);
}

/* A few on each side who fit the seeker, behind a few who do not. */
static unsigned look_around(const struct teams *teams, size_t place, const struct unit *seeker,
                            struct unit near[2 * TEAMS_NEAR])
{
    unsigned found = 0;
    for (int step = -1; step <= 1; step += 2) {
        const unsigned end = found + TEAMS_NEAR;
        size_t at = place;
        for (unsigned passed = 0; passed <= POOL_APART_PASSED_MAX && found < end;) {
            at += (size_t)step; /* below 0 it is large */
            if (at >= teams->units)
                break;
            const struct unit unit = unit_of(teams, teams->order[at]);
            const bool fits =
                !has_left(teams, teams->order[at]) && fit_together(teams, seeker, &unit);
            passed += !fits;
            if (fits)
                near[found++] = unit;
        }
    }
    return found;
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
            for (unsigned j = 0; j < choice->units[i].count && choice->units[i].count == count; j++)
                at[seats++] = choice->units[i].at[j];
        }
    }
    if (choice->count == TEAMS_SEATS)
        split_four(teams, at);
    *group = (struct group){.size = TEAMS_SEATS,
                            .teams = true,
                            .clocks = clocks_of(teams, choice),
                            .at = {at[0], at[2], at[1], at[3]}};
}

static size_t place_of(const struct teams *teams, size_t first)
{
    size_t low = 0, high = teams->units;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (goes_before(teams, false, teams->order[middle], first))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool teams_next(struct teams *teams, struct group *group)
{
    while (teams->at < teams->units) {
        const size_t first = teams->ages[teams->at++];
        struct unit near[2 * TEAMS_NEAR];
        struct choice choice = {.count = 1};
        struct best best = {.there = false};
        if (has_left(teams, first))
            continue;
        choice.units[0] = unit_of(teams, first);
        const unsigned count = look_around(teams, place_of(teams, first), &choice.units[0], near);
        choose_units(teams, near, count, &choice, choice.units[0].count, &best);
        if (!best.there)
            continue;
        seat_teams(teams, &best.choice, group);
        return true;
    }
    return false;
}
