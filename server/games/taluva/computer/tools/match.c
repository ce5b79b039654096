/*
 * taluva-match: two computer players against each other, pairs of games with the same deal and the
 * seats swapped. Prints the win rate of the first with a 95 % interval over the pairs.
 */
#include "play.h"
#include <base/program.h>
#include <math.h>
#include <rules/box.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>

struct plan {
    struct player players[2];
    unsigned pairs;
    uint64_t seed;
    bool any; /* other options in each pair */
    struct taluva_options options;
};

struct tally {
    double sum, squares; /* of the first player's share, over pairs */
    double fair;         /* what equal players would have */
    unsigned ends[TALUVA_ENDS];
    unsigned games, turns;
    double seconds[2];
};

/* Who sits where: each seat, or team, of the first player is the second's in the other game. */
static unsigned side_of(const struct taluva_options *options, unsigned seat, unsigned swapped)
{
    if (options->seats % 2 == 0)
        return (seat + swapped) % 2;
    return (seat == 0) == (swapped == 0) ? 0 : 1;
}

static double now_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The first player's share of what there is to win. */
static double share_of(const struct taluva *game, unsigned swapped, double *fair)
{
    int32_t chances[TALUVA_SEATS_MAX];
    double mine = 0, all = 0, seats = 0;
    turns_rate_end(game, chances);
    for (unsigned seat = 0; seat < game->options.seats; seat++) {
        const bool is_mine = side_of(&game->options, seat, swapped) == 0;
        mine += is_mine ? chances[seat] : 0;
        seats += is_mine;
        all += chances[seat];
    }
    *fair = seats / game->options.seats;
    return mine / all;
}

static double play_one(struct plan *plan, struct tally *tally, struct taluva_options options,
                       unsigned pair, unsigned swapped)
{
    struct rng deal = {plan->seed * 1000003 + pair};
    struct play play;
    double fair;
    play_init(&play, options, &deal);
    play.rng.state = plan->seed * 7919 + pair * 2U + swapped;
    while (play.game.step != TALUVA_STEP_OVER) {
        const unsigned side = side_of(&options, play.game.seat, swapped);
        const double start = now_s();
        play_step(&play, &plan->players[side]);
        tally->seconds[side] += now_s() - start;
    }
    tally->ends[play.game.end]++;
    tally->games++;
    tally->turns += play.n_turns;
    const double share = share_of(&play.game, swapped, &fair);
    tally->fair += fair;
    return share;
}

static void report_tally(const struct plan *plan, const struct tally *tally)
{
    static const char *const ends[] = {"", "two kinds", "last", "count", "room"};
    const double pairs = plan->pairs, mean = tally->sum / pairs;
    const double variance = (tally->squares - pairs * mean * mean) / (pairs > 1 ? pairs - 1 : 1);
    printf("%.1f %% +- %.1f of %u games, fair share %.1f %%; %.1f turns a game; ends:", 100 * mean,
           196 * sqrt(variance / pairs), tally->games, 100 * tally->fair / tally->games,
           (double)tally->turns / tally->games);
    for (unsigned end = 1; end < TALUVA_ENDS; end++)
        printf(" %s %u", ends[end], tally->ends[end]);
    printf("\n");
    for (unsigned side = 0; side < 2; side++) {
        const struct player *const player = &plan->players[side];
        if (player->turns == 0)
            continue;
        if (player->rated == 0) {
            printf("player %u: %.0f us a choice\n", side + 1,
                   1e6 * tally->seconds[side] / (double)player->turns);
            continue;
        }
        printf("player %u: %.0f us, %.0f positions, %.0f simulations a turn; %.0f positions/s\n",
               side + 1, 1e6 * tally->seconds[side] / (double)player->turns,
               (double)player->rated / (double)player->turns,
               (double)player->simulated / (double)player->turns,
               (double)player->rated / tally->seconds[side]);
    }
}

static void play_pairs(struct plan *plan)
{
    struct tally tally = {0};
    struct rng any = {plan->seed};
    for (unsigned pair = 0; pair < plan->pairs; pair++) {
        const struct taluva_options options = plan->any ? play_any_options(&any) : plan->options;
        double share = 0;
        for (unsigned swapped = 0; swapped < 2; swapped++)
            share += play_one(plan, &tally, options, pair, swapped) / 2;
        tally.sum += share;
        tally.squares += share * share;
    }
    report_tally(plan, &tally);
}

/* One of "teams", "ranking", ...; false: there is no such one. */
static bool read_flag(struct plan *plan, const char *text)
{
    struct taluva_options *const options = &plan->options;
    const struct {
        const char *name;
        bool *flag;
    } flags[] = {{"anywhere", &options->huts_anywhere},
                 {"teams", &options->teams},
                 {"ranking", &options->ranking},
                 {"boats", &options->boats},
                 {"any", &plan->any}};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        if (strcmp(text, flags[i].name) != 0)
            continue;
        *flags[i].flag = true;
        return true;
    }
    if (strcmp(text, "2hex") != 0)
        return false;
    options->two_hex = 1; /* which ones is drawn */
    return true;
}

/* "seats=3", "tiles=24", "zone=1", "seed=7". */
static bool read_number(struct plan *plan, const char *text)
{
    const char *const equals = strchr(text, '=');
    if (!equals)
        return false;
    const size_t len = (size_t)(equals - text);
    const unsigned long number = strtoul(equals + 1, NULL, 10);
    if (len == 5 && memcmp(text, "seats", len) == 0)
        plan->options.seats = (uint8_t)number;
    else if (len == 5 && memcmp(text, "tiles", len) == 0)
        plan->options.tiles = (uint8_t)number;
    else if (len == 4 && memcmp(text, "zone", len) == 0)
        plan->options.zone = (uint8_t)number;
    else if (len == 4 && memcmp(text, "seed", len) == 0)
        plan->seed = number;
    else
        return false;
    return true;
}

int main(int argc, char **argv)
{
    static struct plan plan = {.seed = 1, .options = {.seats = 2, .tiles = 48}};
    program_begin();
    if (argc < 4) {
        fprintf(stderr, "usage: taluva-match PLAYER PLAYER PAIRS [OPTION...]\n"
                        "players: random; beginner to master; ahead, SIMULATIONS, then :NET +WIDTH "
                        "~NOISE\n"
                        "options: seats=N tiles=N zone=N teams ranking boats 2hex anywhere any "
                        "seed=N\n");
        return EX_USAGE;
    }
    for (int i = 1; i < 3; i++) {
        const char *const wrong = player_read(&plan.players[i - 1], argv[i]);
        if (wrong) {
            fprintf(stderr, "taluva-match: %s: %s\n", argv[i], wrong);
            return EX_USAGE;
        }
    }
    plan.pairs = (unsigned)strtoul(argv[3], NULL, 10);
    for (int i = 4; i < argc; i++) {
        if (!read_flag(&plan, argv[i]) && !read_number(&plan, argv[i])) {
            fprintf(stderr, "taluva-match: no such option: %s\n", argv[i]);
            return EX_USAGE;
        }
    }
    const struct taluva_options options = plan.options;
    if (!plan.any && !taluva_tiles_allowed(options.seats, options.tiles)) {
        fprintf(stderr, "taluva-match: so many players cannot play with so many tiles\n");
        return EX_USAGE;
    }
    play_pairs(&plan);
    return program_end("taluva-match", EX_OK);
}
