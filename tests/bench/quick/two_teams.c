/*
 * Two against two in quick match: people come alone or with a partner, three of ten of them so, and
 * most with the normal clock alone. How they fare, and what a second of looking costs where many of
 * all who seek look for teams: both passes, as the desk makes them.
 */
#include "people.h"
#include <math.h>
#include <pool/teams.h>
#include <stdio.h>
#include <time.h>

enum { WAITING = 2000, SERVED = 200000, CROWD = 2000, SECOND_MS = 1000, TIMES = 20 };

static struct ticket tickets[WAITING];
static int64_t leaves_ms[WAITING];
static size_t work[WAITING * POOL_WORK], count;
static double waits[SERVED], spreads[SERVED];
static uint64_t sessions;

static struct ticket *comes(struct rng *rng, int64_t now_ms)
{
    struct ticket *ticket = &tickets[count++];
    *ticket = people_come(rng, now_ms);
    ticket->session = ++sessions;
    ticket->kinds = 1 << POOL_TEAMS;
    return ticket;
}

static void one_or_two_come(struct rng *rng, int64_t now_ms)
{
    struct ticket *one = comes(rng, now_ms);
    const bool alone = rng_below(rng, 10) >= 3 || count == WAITING;
    one->clocks = (uint8_t)(rng_below(rng, 10) < 6 ? 1 : 1 + rng_below(rng, 7));
    if (alone)
        return;
    struct ticket *other = comes(rng, now_ms);
    other->clocks = one->clocks;
    one->with = other->session;
    other->with = one->session;
}

/* ---- how they fare */

static void seat_group(const struct group *group, int64_t now_ms, size_t *served)
{
    double low = INFINITY, high = 0;
    for (unsigned i = 0; i < group->size; i++) {
        const double points = (double)tickets[group->at[i]].rating[POOL_TEAMS].strength / SECOND_MS;
        low = fmin(low, points);
        high = fmax(high, points);
    }
    for (unsigned i = 0; i < group->size && *served < SERVED; i++) {
        struct ticket *own = &tickets[group->at[i]];
        own->leaves = true;
        waits[*served] = (double)(now_ms - own->since_ms) / SECOND_MS;
        spreads[(*served)++] = high - low;
    }
}

/* A pair goes together. */
static size_t let_go(int64_t now_ms)
{
    size_t left = 0, lost = 0;
    for (size_t at = 0; at < count; at++) {
        const bool goes = !tickets[at].leaves && leaves_ms[at] <= now_ms;
        lost += goes;
        if (tickets[at].leaves || goes)
            continue;
        leaves_ms[left] = leaves_ms[at];
        tickets[left++] = tickets[at];
    }
    count = left;
    return lost;
}

/* Of those who wait longest and fill four seats with the normal clock, how long the last has. */
static double waits_most(int64_t now_ms)
{
    unsigned seats = 0;
    for (size_t at = 0; at < count; at++) { /* in the order in which they came */
        const unsigned own = tickets[at].with ? 2 : 1;
        if (!(tickets[at].clocks & 1) || seats + own > TEAMS_SEATS)
            continue;
        seats += own;
        at += own - 1;
        if (seats == TEAMS_SEATS)
            return (double)(now_ms - tickets[at].since_ms) / SECOND_MS;
    }
    return 0;
}

static void run(double arrivals, int hours)
{
    struct rng rng = {(uint64_t)(arrivals * 10)};
    size_t served = 0, lost = 0;
    double longest = 0, next_ms = 0;
    count = 0;
    for (int64_t now_ms = 0; now_ms < (int64_t)hours * 3600000; now_ms += SECOND_MS) {
        while (next_ms <= (double)now_ms && count < WAITING) {
            const size_t first = count;
            const int64_t patience_ms = 40000 + (int64_t)(-log(people_drawn(&rng)) * 240000);
            one_or_two_come(&rng, now_ms);
            for (size_t at = first; at < count; at++)
                leaves_ms[at] = now_ms + patience_ms;
            next_ms -= (double)(count - first) * log(people_drawn(&rng)) * 60000 / arrivals;
        }
        struct teams teams;
        struct group group;
        teams_begin(&teams, tickets, count, now_ms, work);
        while (teams_next(&teams, &group))
            seat_group(&group, now_ms, &served);
        lost += let_go(now_ms);
        longest = fmax(longest, waits_most(now_ms));
    }
    printf("| %g | %.0f %% | %.0f, %.0f s | %.0f, %.0f | %.0f s |\n", arrivals,
           100 * (double)served / (double)(served + lost), people_share(waits, served, 0.5),
           people_share(waits, served, 0.95), people_share(spreads, served, 0.5),
           people_share(spreads, served, 0.95), longest);
}

void two_teams_print(int hours)
{
    static const double rates[] = {0.5, 2, 10, 40};
    puts("\n| two against two, arrivals a minute | served | wait: half, 95 % | points apart: half, "
         "95 % | four who fit all wait at most |\n|---|---|---|---|---|");
    for (size_t at = 0; at < sizeof rates / sizeof rates[0]; at++)
        run(rates[at], hours);
}

/* ---- what a second costs */

/* Of three, two look for teams; or all do. */
static void fill(size_t many, uint16_t source, bool all)
{
    struct rng rng = {34};
    for (count = sessions = 0; count < many;) {
        one_or_two_come(&rng, 0);
        if (count < many && !all && rng_below(&rng, 3) == 0) {
            tickets[count] = people_come(&rng, 0);
            tickets[count++].session = ++sessions;
        }
    }
    for (size_t at = 0; at < count; at++) {
        tickets[at].since_ms = -(int64_t)rng_below(&rng, 120000);
        tickets[at].source = source;
    }
}

static uint64_t seat_all(void)
{
    struct teams teams;
    struct pool pool;
    struct group group;
    teams_begin(&teams, tickets, count, 0, work);
    while (teams_next(&teams, &group)) {
        for (unsigned i = 0; i < group.size; i++)
            tickets[group.at[i]].leaves = true;
    }
    pool_begin(&pool, tickets, count, 0, work);
    while (pool_next(&pool, &group)) {
        for (unsigned i = 0; i < group.size; i++)
            tickets[group.at[i]].leaves = true;
    }
    return teams.steps + pool.steps;
}

static void print_second(size_t many, uint16_t source, bool all)
{
    double least = INFINITY;
    uint64_t steps = 0;
    for (int time = 0; time < TIMES; time++) {
        fill(many, source, all);
        const clock_t began = clock();
        steps = seat_all();
        least = fmin(least, 1000.0 * (double)(clock() - began) / CLOCKS_PER_SEC);
    }
    printf("%zu at once, %s for teams, %s: %.3f ms, %llu steps in one second\n", many,
           all ? "all" : "most", source ? "who do not fit" : "who fit", least,
           (unsigned long long)steps);
}

void two_teams_crowd(void)
{
    static const size_t sizes[] = {CROWD / 4, CROWD / 2, CROWD};
    for (unsigned kind = 0; kind < 4; kind++) {
        for (size_t at = 0; at < sizeof sizes / sizeof sizes[0]; at++)
            print_second(sizes[at], kind & 1, kind >> 1);
    }
}
