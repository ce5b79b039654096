/*
 * How good ratings are: with strengths that are known, and with a real book; and what whoever
 * cheats gains. See README.md.
 */
#include "interval.h"
#include "systems.h"
#include <base/program.h>
#include <base/rng.h>
#include <inttypes.h>
#include <math.h>
#include <rating/book.h>
#include <rating/class.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

/* ---- what is printed */

static void print_score(const char *what, enum system system, const struct score *score,
                        double oracle)
{
    if (score->matches == 0)
        return;
    const double matches = (double)score->matches;
    printf("%-24s %-10s %7zu matches  %.4f nats", what, system_name(system), score->matches,
           score->nats / matches);
    if (oracle > 0)
        printf(" (%.4f above who knows)", (score->nats - oracle) / matches);
    printf(", equals %.4f, Brier %.4f\n", score->even / matches, score->brier / matches);
}

static void print_bins(const struct score *score)
{
    printf("  said and came, %%:");
    for (int bin = 0; bin < SCORE_BINS; bin++) {
        if (score->said[bin] > 0)
            printf("  %d-%d %.1f (%zu)", 10 * bin, 10 * bin + 10,
                   100.0 * (double)score->came[bin] / (double)score->said[bin], score->said[bin]);
    }
    printf("\n");
}

/* ---- how sure it is that the server's own is better, or is not */

/* By how much the server's log loss is less than that of each, in matches of somebody or in all. */
struct rivals {
    struct interval_sum of[SYSTEMS];
};

static void add_match(struct rivals *rivals, const double nats[SYSTEMS])
{
    for (unsigned system = 0; system < SYSTEMS; system++) {
        rivals->of[system].difference += nats[system] - nats[SYSTEM_OWN];
        rivals->of[system].matches++;
    }
}

/* False: out of memory. */
static bool print_rivals(const struct rivals *all, const struct rivals *accounts, size_t count)
{
    struct interval_sum *sums = calloc(count + 1, sizeof *sums);
    struct rng rng = {1};
    for (unsigned system = SYSTEM_OWN + 1; sums && system < SYSTEMS; system++) {
        struct interval interval;
        for (size_t at = 0; at < count; at++)
            sums[at] = accounts[at].of[system];
        if (!interval_of(sums, count, all->of[system], &rng, &interval)) {
            printf("  too few accounts to say how sure that is\n");
            break;
        }
        printf("  better than %-10s by %+.4f nats (%+.4f to %+.4f)\n",
               system_name((enum system)system), interval.mean, interval.low, interval.high);
    }
    free(sums);
    return sums;
}

/* ---- known strengths: normal, 1.2 logits; who plays often plays much */

enum { PLAYERS = 200, KNOWN_MATCHES = 8000 };

static double drawn(struct rng *rng)
{
    return ((double)(rng_next(rng) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(struct rng *rng)
{
    return sqrt(-2 * log(drawn(rng))) * cos(6.283185307179586 * drawn(rng));
}

struct people {
    double skill[PLAYERS], activity[PLAYERS], active;
    struct known known[PLAYERS];
};

static void draw_people(struct people *people, struct rng *rng)
{
    people->active = 0;
    for (int i = 0; i < PLAYERS; i++) {
        people->skill[i] = 1.2 * normal(rng);
        people->active += people->activity[i] = -log(drawn(rng));
        people->known[i] = known_newcomer();
    }
}

static int draw_player(const struct people *people, struct rng *rng)
{
    double left = drawn(rng) * people->active;
    int at = 0;
    while (at < PLAYERS - 1 && (left -= people->activity[at]) > 0)
        at++;
    return at;
}

static void draw_table(const struct people *people, struct rng *rng, unsigned count, int at[])
{
    for (unsigned i = 0; i < count; i++) {
        bool again;
        do {
            again = false;
            at[i] = draw_player(people, rng);
            for (unsigned j = 0; j < i; j++)
                again |= at[i] == at[j];
        } while (again);
    }
}

/* By the strengths, and the chances that they give. */
static unsigned draw_winner(const struct people *people, struct rng *rng, const int at[],
                            unsigned count, double part, double *chance)
{
    double weights[SYSTEM_SEATS], sum = 0;
    unsigned winner = 0;
    for (unsigned i = 0; i < count; i++)
        sum += weights[i] = exp(part * people->skill[at[i]]);
    double left = drawn(rng) * sum;
    while (winner < count - 1 && (left -= weights[winner]) > 0)
        winner++;
    *chance = weights[winner] / sum;
    return winner;
}

static const struct rating_class *class_of(unsigned count)
{
    return rating_class_at(
        rating_class_find(count == 2 ? "taluva.duel.live" : "taluva.table.live"));
}

static void play_known(unsigned least, unsigned most, uint64_t seed)
{
    static struct people people;
    static struct rivals rivals[PLAYERS];
    struct rivals all = {0};
    struct score scores[SYSTEMS] = {0};
    struct rng rng = {seed};
    double oracle = 0;
    draw_people(&people, &rng);
    memset(rivals, 0, sizeof rivals);
    for (int match = 0; match < KNOWN_MATCHES; match++) {
        const unsigned count = least + rng_below(&rng, most - least + 1);
        const uint32_t scale = rating_class_scale(class_of(count), count);
        const struct known *view[SYSTEM_SEATS];
        struct known *players[SYSTEM_SEATS];
        int at[SYSTEM_SEATS];
        double chances[SYSTEM_SEATS], nats[SYSTEMS], chance;
        draw_table(&people, &rng, count, at);
        for (unsigned i = 0; i < count; i++)
            view[i] = players[i] = &people.known[at[i]];
        const unsigned winner =
            draw_winner(&people, &rng, at, count, (double)scale / RATING_ONE, &chance);
        oracle -= log(chance);
        for (unsigned system = 0; system < SYSTEMS; system++) {
            system_chances((enum system)system, view, count, scale, chances);
            score_add(&scores[system], chances, count, winner);
            nats[system] = score_nats(chances, winner);
            system_learn((enum system)system, players, count, scale, winner);
        }
        add_match(&all, nats);
        for (unsigned i = 0; i < count; i++)
            add_match(&rivals[at[i]], nats);
    }
    char what[32];
    (void)snprintf(what, sizeof what, least == most ? "%u players" : "%u to %u players", least,
                   most);
    for (unsigned system = 0; system < SYSTEMS; system++)
        print_score(what, (enum system)system, &scores[system], oracle);
    print_bins(&scores[SYSTEM_OWN]);
    (void)print_rivals(&all, rivals, PLAYERS);
}

/* ---- a real book: each match is foretold before it is learnt */

enum { SEATS_KNOWN = 1 << 18 };
struct seat_known {
    uint64_t account;
    uint8_t class;
    struct known known;
    struct rivals rivals;
};

static struct seat_known *find_known(struct seat_known *all, uint64_t account, uint8_t class)
{
    size_t at = (size_t)((account + class) * UINT64_C(0x9e3779b97f4a7c15) >> 46) % SEATS_KNOWN;
    for (size_t tried = 0; tried < SEATS_KNOWN; tried++, at = (at + 1) % SEATS_KNOWN) {
        struct seat_known *seat = &all[at];
        if (seat->account == account && seat->class == class)
            return seat;
        if (seat->account == 0) {
            *seat =
                (struct seat_known){.account = account, .class = class, .known = known_newcomer()};
            return seat;
        }
    }
    return NULL;
}

/* The side that alone has won; -1: none, or teams, or places count. */
static int winner_of(const struct book_match *match)
{
    if (rating_class_at(match->class)->places || match->seats != match->sides ||
        match->sides > SYSTEM_SEATS || match->still)
        return -1;
    for (unsigned side = 0; side < match->sides; side++) {
        if (match->winners == UINT32_C(1) << side)
            return (int)side;
    }
    return -1;
}

/* What is printed of a class. */
struct foretold {
    struct score score[SYSTEMS];
    struct rivals rivals;
};

static bool read_match(struct seat_known *all, const struct book_match *match,
                       struct foretold foretold[RATING_CLASSES + 1])
{
    const uint32_t scale = rating_class_scale(rating_class_at(match->class), match->sides);
    struct foretold *of = &foretold[match->class];
    struct seat_known *seats[SYSTEM_SEATS];
    struct known *players[SYSTEM_SEATS];
    const struct known *view[SYSTEM_SEATS];
    double chances[SYSTEM_SEATS], nats[SYSTEMS];
    const int winner = winner_of(match);
    if (winner < 0)
        return true;
    for (unsigned i = 0; i < match->seats; i++) {
        seats[i] = find_known(all, match->seat[i].account, match->class);
        if (!seats[i])
            return false;
        view[i] = players[i] = &seats[i]->known;
        players[i]->own = match->seat[i].before; /* aged, as the server had it */
    }
    for (unsigned system = 0; system < SYSTEMS; system++) {
        system_chances((enum system)system, view, match->sides, scale, chances);
        score_add(&of->score[system], chances, match->sides, (unsigned)winner);
        nats[system] = score_nats(chances, (unsigned)winner);
        system_learn((enum system)system, players, match->sides, scale, (unsigned)winner);
    }
    add_match(&of->rivals, nats);
    for (unsigned i = 0; i < match->seats; i++)
        add_match(&seats[i]->rivals, nats);
    return true;
}

/* Of all who have played in that class. False: out of memory. */
static bool print_class(const struct seat_known *all, unsigned class,
                        const struct foretold *foretold)
{
    struct rivals *rivals = calloc(SEATS_KNOWN, sizeof *rivals);
    size_t count = 0;
    if (!rivals)
        return false;
    for (unsigned system = 0; system < SYSTEMS; system++)
        print_score(rating_class_at(class)->name, (enum system)system, &foretold->score[system], 0);
    print_bins(&foretold->score[SYSTEM_OWN]);
    for (size_t at = 0; at < SEATS_KNOWN; at++) {
        if (all[at].account != 0 && all[at].class == class)
            rivals[count++] = all[at].rivals;
    }
    const bool printed = print_rivals(&foretold->rivals, rivals, count);
    free(rivals);
    return printed;
}

/* Lines as /api/book has them; the exit status. */
static int read_lines(FILE *file, struct seat_known *all,
                      struct foretold foretold[RATING_CLASSES + 1])
{
    char line[2 * BOOK_LINE_MAX];
    for (size_t read = 1; fgets(line, sizeof line, file); read++) {
        struct book_entry entry;
        char *text = strstr(line, "\"entry\":"), *end = line + strcspn(line, "\n");
        if (!text || end == line || !book_read(&entry, text + 8, (size_t)(end - 1 - text - 8))) {
            fprintf(stderr, "taluva-rate: line %zu is no line of a book\n", read);
            return EX_DATAERR;
        }
        if (entry.kind == BOOK_MATCH && !read_match(all, &entry.u.match, foretold)) {
            fprintf(stderr, "taluva-rate: too many people\n");
            return 1;
        }
    }
    return 0;
}

static int read_book(FILE *file)
{
    static struct foretold foretold[RATING_CLASSES + 1];
    struct seat_known *all = calloc(SEATS_KNOWN, sizeof *all);
    int status = all ? read_lines(file, all, foretold) : 1;
    for (unsigned class = 1; status == 0 && class <= RATING_CLASSES; class ++) {
        if (foretold[class].score[SYSTEM_OWN].matches > 0 &&
            !print_class(all, class, &foretold[class]))
            status = 1;
    }
    free(all);
    return status;
}

/* ---- what cheating gains: points, of somebody with 1500 who is well known */

static double farm(unsigned matches, bool fresh)
{
    struct known own = known_newcomer(), other = known_newcomer();
    struct known *const players[] = {&own, &other};
    own.own.deviation = RATING_DEVIATION_MIN;
    for (unsigned match = 0; match < matches; match++) {
        if (fresh)
            other = known_newcomer();
        system_learn(SYSTEM_OWN, players, 2, RATING_ONE, 0);
    }
    return (own.own.strength - (double)RATING_START) / 1000;
}

/* Loses so many to equals, and then wins against those of the rating that is left. */
static double sandbag(unsigned lost, double *low)
{
    struct known own = known_newcomer(), other = known_newcomer();
    struct known *const players[] = {&own, &other};
    own.own.deviation = RATING_DEVIATION_MIN;
    for (unsigned match = 0; match < 2 * lost; match++) {
        other.own = (struct rating){own.own.strength, RATING_DEVIATION_MIN};
        system_learn(SYSTEM_OWN, players, 2, RATING_ONE, match < lost ? 1 : 0);
        if (match + 1 == lost)
            *low = own.own.strength / 1000.0;
    }
    return (own.own.strength - (double)RATING_START) / 1000;
}

static void print_abuse(void)
{
    static const unsigned counts[] = {1, 2, 3, 10, 20, 50, 100};
    double low = 0;
    for (size_t at = 0; at < sizeof counts / sizeof counts[0]; at++)
        printf("beats %3u new accounts %+7.1f; one account %3u times %+7.1f\n", counts[at],
               farm(counts[at], true), counts[at], farm(counts[at], false));
    const double left = sandbag(20, &low);
    printf("loses 20 and wins 20 among equals: down to %.1f, and %+.1f in the end\n", low, left);
}

/* ---- the program */

static int run(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "known") == 0) {
        play_known(2, 2, 1);
        play_known(2, 5, 2);
        play_known(5, 5, 3);
        return 0;
    }
    if (argc == 2 && strcmp(argv[1], "abuse") == 0) {
        print_abuse();
        return 0;
    }
    if (argc == 2 && strcmp(argv[1], "book") == 0)
        return read_book(stdin);
    fprintf(stderr, "usage: taluva-rate known|abuse|book <LINES\n");
    return EX_USAGE;
}

int main(int argc, char **argv)
{
    program_begin();
    return program_end("taluva-rate", run(argc, argv));
}
