/*
 * What those gain who do not play fair in quick match, by the server's own rules of conduct, groups
 * and ratings: leaving matches, filling the pool with accounts that accept nothing, two accounts of
 * one person that meet, and giving matches up to lose on purpose.
 */
#include "people.h"
#include <math.h>
#include <rating/update.h>
#include <stdio.h>
#include <string.h>
#include <waiting/conduct.h>
#include <waiting/gave_up.h>

enum {
    SECOND_MS = 1000,
    MINUTE_MS = 60000,
    DAY_MS = 86400000,
    MATCH_MS = 15 * MINUTE_MS,
    ACCEPT_MS = 20000, /* as the server's default */
    MOST = 2000
};

/* Of an address that has its number: one that is near to no other, as to be in no network of it. */
static uint64_t source_of(uint64_t address)
{
    return address * UINT64_C(0x9e3779b97f4a7c15) | 1;
}

/* ---- leaving */

static void print_leaving(const char *what, enum conduct_outcome outcome, unsigned each,
                          int64_t lost_ms)
{
    enum { DAYS = 30 };
    struct conduct_row row = {.session = 1};
    const int64_t end_ms = (int64_t)DAYS * DAY_MS;
    int64_t now_ms = 1, paused_ms = 0;
    unsigned matches = 0, bad = 0;
    while (now_ms < end_ms) {
        const int64_t until_ms = conduct_paused_until_ms(&row, now_ms);
        if (until_ms != 0) {
            paused_ms += (until_ms < end_ms ? until_ms : end_ms) - now_ms;
            now_ms = until_ms;
            continue;
        }
        const bool is_bad = ++matches % each == 0;
        bad += is_bad;
        now_ms += is_bad ? lost_ms : MATCH_MS;
        (void)conduct_add(&row, is_bad ? outcome : CONDUCT_GOOD, now_ms);
    }
    printf("| %s one of %u | %.1f of %.1f | %.0f %% |\n", what, each, (double)bad / DAYS,
           (double)matches / DAYS, 100 * (double)paused_ms / (double)end_ms);
}

/* ---- flooding: accounts that seek and accept nothing */

struct who {
    bool floods;
    int64_t back_ms;   /* seeks from then on */
    int64_t leaves_ms; /* has no patience any more */
    struct conduct_row conduct;
};

static struct ticket all[MOST], here[MOST];
static struct who whos[MOST];
static size_t places[MOST], work[MOST * POOL_WORK], people;

static void add_flood(size_t floods)
{
    struct rng rng = {7};
    for (people = 0; people < floods; people++) {
        all[people] = people_come(&rng, 0);
        all[people].session = people + 1;
        all[people].source = source_of(1 + people / 4); /* as many of an address as may */
        all[people].kinds = 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5;
        whos[people] = (struct who){.floods = true, .leaves_ms = INT64_MAX};
    }
}

/* Those who seek now. */
static size_t gather(int64_t now_ms)
{
    size_t count = 0;
    for (size_t at = 0; at < people; at++) {
        if (whos[at].back_ms > now_ms)
            continue;
        here[count] = all[at];
        here[count].leaves = false;
        places[count++] = at;
    }
    return count;
}

static void lose_table(size_t at, int64_t now_ms)
{
    struct who *who = &whos[at];
    who->back_ms = now_ms + ACCEPT_MS;
    if (!who->floods)
        return;
    (void)conduct_add(&who->conduct, CONDUCT_LAPSED, who->back_ms);
    const int64_t until_ms = conduct_paused_until_ms(&who->conduct, who->back_ms);
    who->back_ms = until_ms ? until_ms : who->back_ms;
    all[at].since_ms = who->back_ms;
}

struct fates {
    size_t served, lost, spoilt; /* spoilt: tables that did not begin */
    double waits[200000];
};

static void seat_group(const struct group *group, int64_t now_ms, struct fates *fates)
{
    bool spoilt = false;
    for (unsigned i = 0; i < group->size; i++)
        spoilt |= whos[places[group->at[i]]].floods;
    fates->spoilt += spoilt;
    for (unsigned i = 0; i < group->size; i++) {
        const size_t at = places[group->at[i]];
        here[group->at[i]].leaves = true;
        if (spoilt) {
            lose_table(at, now_ms);
            continue;
        }
        fates->waits[fates->served++] = (double)(now_ms - all[at].since_ms) / SECOND_MS;
        whos[at].back_ms = INT64_MAX; /* gone */
    }
}

static void drop_gone(int64_t now_ms, struct fates *fates)
{
    size_t left = 0;
    for (size_t at = 0; at < people; at++) {
        const bool impatient = whos[at].leaves_ms <= now_ms && whos[at].back_ms <= now_ms;
        fates->lost += impatient;
        if (impatient || whos[at].back_ms == INT64_MAX)
            continue;
        all[left] = all[at];
        whos[left++] = whos[at];
    }
    people = left;
}

static void print_flood(size_t floods, double arrivals, int hours)
{
    static struct fates fates;
    struct rng rng = {(uint64_t)(arrivals * 10)};
    double next_ms = 0;
    fates.served = fates.lost = fates.spoilt = 0;
    add_flood(floods);
    for (int64_t now_ms = 0; now_ms < (int64_t)hours * 60 * MINUTE_MS; now_ms += SECOND_MS) {
        struct pool pool;
        struct group group;
        while (next_ms <= (double)now_ms && people < MOST) {
            all[people] = people_come(&rng, now_ms);
            all[people].session = 100000 + rng_next(&rng) % 1000000000;
            whos[people++] = (struct who){
                .leaves_ms = now_ms + 40000 + (int64_t)(-log(people_drawn(&rng)) * 240000)};
            next_ms -= log(people_drawn(&rng)) * MINUTE_MS / arrivals;
        }
        pool_begin(&pool, here, gather(now_ms), now_ms, work);
        while (pool_next(&pool, &group))
            seat_group(&group, now_ms, &fates);
        drop_gone(now_ms, &fates);
    }
    printf("| %zu, from %zu addresses | %g | %.0f %% | %.0f, %.0f s | %.1f |\n", floods,
           (floods + 3) / 4, arrivals,
           100 * (double)fates.served / (double)(fates.served + fates.lost),
           people_share(fates.waits, fates.served, 0.5),
           people_share(fates.waits, fates.served, 0.95), (double)fates.spoilt / hours);
}

/* ---- two accounts of one person, who seek again as soon as a match is over */

static void rate(struct rating pair[2])
{
    const struct rating_match match = {.seats = 2,
                                       .sides = 2,
                                       .before = {pair[0], pair[1]},
                                       .side = {0, 1},
                                       .stages = 1,
                                       .stage = {{3, 1}},
                                       .scale = RATING_ONE};
    rating_update(&match, pair);
}

/* The second lets the first win whenever they meet; against others both play as they are. */
static void print_meeting(bool one_address, double arrivals)
{
    enum { DAYS = 7 };
    struct rng rng = {11};
    struct ticket pool_of[MOST];
    int64_t leaves_ms[MOST] = {0};
    struct rating pair[2] = {{RATING_START, RATING_DEVIATION_MIN},
                             {RATING_START, RATING_DEVIATION_MIN}};
    double next_ms = 0;
    unsigned met = 0, played = 0;
    size_t count = 2;
    memset(pool_of, 0, sizeof pool_of);
    for (size_t own = 0; own < 2; own++)
        pool_of[own] = (struct ticket){.session = own + 1,
                                       .clocks = 1,
                                       .kinds = 1 << 2,
                                       .source = source_of(one_address ? 9 : 9 + own)};
    for (int64_t now_ms = 0; now_ms < (int64_t)DAYS * DAY_MS; now_ms += SECOND_MS) {
        struct pool pool;
        struct group group;
        while (next_ms <= (double)now_ms && count < MOST) {
            pool_of[count] = people_come(&rng, now_ms);
            pool_of[count].session = 100000 + rng_next(&rng) % 1000000000;
            leaves_ms[count++] = now_ms + 40000 + (int64_t)(-log(people_drawn(&rng)) * 240000);
            next_ms -= log(people_drawn(&rng)) * MINUTE_MS / arrivals;
        }
        for (size_t own = 0; own < 2; own++) {
            pool_of[own].rating[2] = pair[own];
            pool_of[own].leaves = pool_of[own].since_ms > now_ms;
        }
        pool_begin(&pool, pool_of, count, now_ms, work);
        while (pool_next(&pool, &group)) {
            const bool both = group.size == 2 && group.at[0] < 2 && group.at[1] < 2;
            met += both;
            if (both)
                rate(pair);
            for (unsigned i = 0; i < group.size; i++) {
                struct ticket *ticket = &pool_of[group.at[i]];
                ticket->leaves = true;
                leaves_ms[group.at[i]] = 0;
                if (group.at[i] >= 2)
                    continue;
                played++;
                ticket->since_ms = now_ms + MATCH_MS;
                ticket->met_ms = now_ms;
                ticket->met[0] = both ? 2 - group.at[i] : 0;
            }
        }
        size_t left = 2;
        for (size_t at = 2; at < count; at++) {
            if (leaves_ms[at] <= now_ms)
                continue;
            leaves_ms[left] = leaves_ms[at];
            pool_of[left++] = pool_of[at];
        }
        count = left;
    }
    printf("| %s | %g | %.1f of %.1f | %+.0f |\n", one_address ? "one address" : "two addresses",
           arrivals, (double)met / DAYS, (double)played / 2 / DAYS,
           (pair[0].strength - (double)RATING_START) / 1000);
}

/* ---- losing on purpose: who gives up so many of a hundred matches early, each by chance */

/* Until those who look after the site are told first, or `most`. */
static unsigned play_until_told(struct rng *rng, double share, unsigned most)
{
    struct conduct_row row = {.session = 1};
    unsigned matches = 0;
    while (matches < most && gave_up_often(row.outcomes) == 0) {
        const bool gives_up = people_drawn(rng) < share;
        (void)conduct_add(&row, gives_up ? CONDUCT_GAVE_UP : CONDUCT_GOOD, ++matches);
    }
    return matches;
}

static void print_giving_up(unsigned percent)
{
    enum { RUNS = 2000, MATCHES = 100 };
    static double until[RUNS];
    struct rng rng = {percent};
    unsigned told = 0;
    for (unsigned run = 0; run < RUNS; run++) {
        until[run] = play_until_told(&rng, percent / 100.0, MATCHES + 1);
        told += until[run] <= MATCHES;
    }
    printf("| %u | %.0f %% | ", percent, 100.0 * told / RUNS);
    if (2 * told > RUNS)
        printf("%.0f |\n", people_share(until, RUNS, 0.5));
    else
        puts("- |");
}

/* ---- all of it */

void abuse_print(void)
{
    static const unsigned each[] = {1, 2, 3, 5, 10};
    static const size_t floods[] = {0, 4, 40, 400};
    static const unsigned percents[] = {2, 5, 10, 20, 33, 50, 100};
    puts("| who plays all day and | a day: such, of all | of the time paused |\n|---|---|---|");
    for (size_t at = 0; at < sizeof each / sizeof each[0]; at++)
        print_leaving("leaves", CONDUCT_LEFT, each[at], MATCH_MS / 2);
    for (size_t at = 0; at < sizeof each / sizeof each[0]; at++)
        print_leaving("does not accept", CONDUCT_LAPSED, each[at], ACCEPT_MS);
    puts(
        "\n| accounts that accept nothing | others a minute | of these served | wait: half, 95 % | "
        "tables an hour that do not begin |\n|---|---|---|---|---|");
    for (size_t at = 0; at < sizeof floods / sizeof floods[0]; at++) {
        print_flood(floods[at], 2, 20);
        print_flood(floods[at], 10, 20);
    }
    puts("\n| two accounts of one person, from | others a minute | meet, of their matches a day | "
         "points in a week |\n|---|---|---|---|");
    print_meeting(true, 0.5);
    print_meeting(false, 0.5);
    print_meeting(false, 2);
    print_meeting(false, 10);
    puts("\n| of a hundred matches gives up early | is told of within a hundred | half of such "
         "after "
         "|\n|---|---|---|");
    for (size_t at = 0; at < sizeof percents / sizeof percents[0]; at++)
        print_giving_up(percents[at]);
}
