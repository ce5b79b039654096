/*
 * Quick match in a clock of its own: taluva-quick-bench [HOURS]. How many of those who come find a
 * table before their patience ends, how long they wait, how far apart they are, and what a second
 * of looking costs, in comparisons and tickets looked at; then the same where some take nobody who
 * is rated farther away than they say, and where computers may fill tables; then of two against two
 * (two_teams.c). `taluva-quick-bench abuse`: what those gain who do not play fair (abuse.c).
 *
 * Strengths are normal with 280 points around 1500; patience is 40 s and four minutes more on
 * average. What sizes people take: two, two or three, three or four, five or two, four.
 */
#include "people.h"
#include <base/program.h>
#include <math.h>
#include <pool/pool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>

enum { WAITING = 2000, SERVED = 200000, CROWD = 2000 };

static struct ticket tickets[WAITING];
static int64_t leaves_ms[WAITING];
static size_t work[WAITING * POOL_WORK];
static size_t count;
static double waits[SERVED], spreads[SERVED];

/* What some say beside what they take: one of four a `range`, or all who take tables of three or
 * more that computers may fill them. */
enum wishes { NONE, RANGE, COMPUTERS };
enum { RANGE_POINTS = 200, RANGE_OF = 4 };

/* How many of those who say so came to their end: at a table, without one; and how many tables
 * computers filled. */
static struct {
    size_t served, lost, filled;
} sayers;

static void wish(struct rng *rng, enum wishes wishes, struct ticket *ticket)
{
    if (wishes == RANGE && rng_below(rng, RANGE_OF) == 0)
        ticket->reach = RANGE_POINTS;
    ticket->computers = wishes == COMPUTERS && ticket->kinds >> (POOL_SIZE_MIN + 1) != 0;
}

static bool says_so(const struct ticket *ticket)
{
    return ticket->reach > 0 || ticket->computers;
}

/* Whoever has a table, or no patience any more, goes. */
static size_t let_go(int64_t now_ms)
{
    size_t left = 0, lost = 0;
    for (size_t at = 0; at < count; at++) {
        const bool goes = !tickets[at].leaves && leaves_ms[at] <= now_ms;
        lost += goes;
        sayers.lost += goes && says_so(&tickets[at]);
        if (tickets[at].leaves || goes)
            continue;
        leaves_ms[left] = leaves_ms[at];
        tickets[left++] = tickets[at];
    }
    count = left;
    return lost;
}

static size_t seat(int64_t now_ms, size_t served, uint64_t *steps)
{
    struct pool pool;
    struct group group;
    pool_begin(&pool, tickets, count, now_ms, work);
    while (pool_next(&pool, &group)) {
        const struct ticket *first = &tickets[group.at[0]];
        const struct ticket *last = &tickets[group.at[group.size - 1]];
        sayers.filled += group.computers > 0;
        for (unsigned i = 0; i < group.size && served < SERVED; i++) {
            struct ticket *own = &tickets[group.at[i]];
            own->leaves = true;
            sayers.served += says_so(own);
            waits[served] = (double)(now_ms - own->since_ms) / 1000;
            spreads[served++] =
                (double)(last->rating[group.size].strength - first->rating[group.size].strength) /
                1000;
        }
    }
    *steps = pool.steps > *steps ? pool.steps : *steps;
    return served;
}

/* Of two who would both take two, with anybody, how long the one who has waited less has. */
static double waits_most(int64_t now_ms)
{
    int64_t first = INT64_MAX, second = INT64_MAX;
    for (size_t at = 0; at < count; at++) {
        const int64_t since = tickets[at].since_ms;
        if (!(tickets[at].kinds >> POOL_SIZE_MIN & 1) || tickets[at].reach > 0)
            continue;
        second = since < first ? first : since < second ? since : second;
        first = since < first ? since : first;
    }
    return second == INT64_MAX ? 0 : (double)(now_ms - second) / 1000;
}

static size_t run(double arrivals, int hours, enum wishes wishes)
{
    struct rng rng = {(uint64_t)(arrivals * 10)};
    size_t served = 0, lost = 0;
    uint64_t steps = 0;
    double longest = 0, next_ms = 0;
    count = sayers.served = sayers.lost = sayers.filled = 0;
    for (int64_t now_ms = 0; now_ms < (int64_t)hours * 3600000; now_ms += 1000) {
        while (next_ms <= (double)now_ms && count < WAITING) {
            tickets[count] = people_come(&rng, now_ms);
            wish(&rng, wishes, &tickets[count]);
            leaves_ms[count++] = now_ms + 40000 + (int64_t)(-log(people_drawn(&rng)) * 240000);
            next_ms -= log(people_drawn(&rng)) * 60000 / arrivals;
        }
        served = seat(now_ms, served, &steps);
        lost += let_go(now_ms);
        longest = fmax(longest, waits_most(now_ms));
    }
    printf("| %g | %.0f %% | %.0f, %.0f s | %.0f, %.0f | %.0f s | %llu |", arrivals,
           100 * (double)served / (double)(served + lost), people_share(waits, served, 0.5),
           people_share(waits, served, 0.95), people_share(spreads, served, 0.5),
           people_share(spreads, served, 0.95), longest, (unsigned long long)steps);
    return served;
}

/* The same, with what is known of those who say something beside. */
static void run_wishes(int hours, enum wishes wishes)
{
    static const double rates[] = {0.5, 2, 10, 40};
    printf(
        "\n%s\n\n| arrivals a minute | served | wait: half, 95 %% | points apart: half, 95 %% | "
        "two "
        "who both take two wait at most | steps in a second, at most | of who says so, served | "
        "tables that computers filled, for each 100 people |\n|---|---|---|---|---|---|---|---|\n",
        wishes == RANGE ? "One of four takes nobody farther away than 200 points:"
                        : "Computers may fill all tables of three or more:");
    for (size_t at = 0; at < sizeof rates / sizeof rates[0]; at++) {
        const size_t served = run(rates[at], hours, wishes);
        printf(" %.0f %% | %.1f |\n",
               100 * (double)sayers.served / (double)(sayers.served + sayers.lost),
               100 * (double)sayers.filled / (double)served);
    }
}

/* What one second of so many costs, in milliseconds of a processor: the least of some times. */
static double second_of(size_t many, uint16_t source, uint64_t *steps)
{
    double least = INFINITY;
    for (int time = 0; time < 20; time++) {
        struct rng rng = {34};
        for (count = 0; count < many; count++) {
            tickets[count] = people_come(&rng, 0);
            tickets[count].session = count + 1;
            tickets[count].source = source;
        }
        const clock_t began = clock();
        (void)seat(0, 0, steps);
        least = fmin(least, 1000.0 * (double)(clock() - began) / CLOCKS_PER_SEC);
    }
    return least;
}

/* All have just come: most find others, or nobody does, as all come from one address. */
static void crowd(void)
{
    static const size_t sizes[] = {CROWD / 4, CROWD / 2, CROWD};
    for (uint16_t source = 0; source < 2; source++) {
        for (size_t at = 0; at < sizeof sizes / sizeof sizes[0]; at++) {
            uint64_t steps = 0;
            const double ms = second_of(sizes[at], source, &steps);
            printf("%zu at once, %s: %.3f ms, %llu steps in one second\n", sizes[at],
                   source ? "who do not fit" : "who fit", ms, (unsigned long long)steps);
        }
    }
}

static int run_all(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "abuse") == 0) {
        abuse_print();
        return 0;
    }
    const int hours = argc > 1 ? atoi(argv[1]) : 20;
    if (hours < 1) {
        (void)fputs("usage: taluva-quick-bench [HOURS]|abuse\n", stderr);
        return EX_USAGE;
    }
    puts(
        "| arrivals a minute | served | wait: half, 95 % | points apart: half, 95 % | two who both "
        "take two wait at most | steps in a second, at most |\n|---|---|---|---|---|---|");
    static const double rates[] = {0.5, 2, 10, 40};
    for (size_t at = 0; at < sizeof rates / sizeof rates[0]; at++) {
        (void)run(rates[at], hours, NONE);
        (void)putchar('\n');
    }
    run_wishes(hours, RANGE);
    run_wishes(hours, COMPUTERS);
    two_teams_print(hours);
    crowd();
    two_teams_crowd();
    return 0;
}

int main(int argc, char **argv)
{
    program_begin();
    return program_end("taluva-quick-bench", run_all(argc, argv));
}
