#include <computer/levels.h>

#include "net.h"
#include "simple.h"
#include <assert.h>
#include <base/rng.h>
#include <computer/computer.h>

const char *const computer_level_words[COMPUTER_LEVELS + 1] = {
    "beginner", "simple", "regular", "skilled", "strong", "master", NULL,
};

enum { BYTES_A_SIMULATION = 1600, BYTES_OF_ROOT = 16384 };

enum { SHORT_GAME = 24 };

/*
 * What tells the levels apart that use the net; how they fare is in README.md. Noise is how wrong
 * its idea of a turn's chance is, in thousandths: a turn that is worse by so much is taken 1 / e
 * times as often as the best one. 0: it takes the best.
 */
struct style {
    uint32_t simulations;
    /*
     * [seats - 2]. With more players a turn changes less of what one of them can hope for, and with
     * boats less hangs on each turn: the same noise would spoil more of the play.
     */
    uint8_t noise[TALUVA_SEATS_MAX - 1], noise_with_boats[TALUVA_SEATS_MAX - 1];
    uint8_t in_teams, in_short_games; /* what is left of the noise there, in per cent */
    bool misses_wins;                 /* else it takes every win in hand, whatever the noise */
};

static const struct style styles[] = {
    [COMPUTER_REGULAR] = {.noise = {250, 250, 75, 50},
                          .noise_with_boats = {50, 45, 75, 50},
                          .in_teams = 85,
                          .in_short_games = 30,
                          .misses_wins = true},
    [COMPUTER_SKILLED] = {.noise = {42, 38, 18, 20},
                          .noise_with_boats = {25, 20, 18, 20},
                          .in_teams = 120,
                          .in_short_games = 100},
    [COMPUTER_STRONG] = {.simulations = 0},
    [COMPUTER_MASTER] = {.simulations = 60},
};

size_t computer_level_bytes(enum computer_level level)
{
    if (level < COMPUTER_REGULAR || styles[level].simulations == 0)
        return 0;
    return (size_t)styles[level].simulations * BYTES_A_SIMULATION + BYTES_OF_ROOT;
}

/* One of the turns, the better the likelier. */
static unsigned pick_noisily(const struct computer_answer *answer, unsigned seat, int32_t noise,
                             uint64_t seed)
{
    struct rng random = {seed};
    int32_t shares[COMPUTER_TURNS];
    uint32_t sum = 0;
    const int32_t best = answer->turns[0].chances[seat];
    for (unsigned i = 0; i < answer->n; i++) {
        const int64_t behind = best - answer->turns[i].chances[seat];
        shares[i] = net_exp((int32_t)(behind * NET_LOGIT_ONE / noise));
        sum += (uint32_t)shares[i];
    }
    int64_t at = rng_below(&random, sum);
    unsigned picked = 0;
    while (picked + 1 < answer->n && (at -= shares[picked]) >= 0)
        picked++;
    return picked;
}

/* Of CHANCE_ONE. */
static int32_t noise_in(const struct style *style, const struct taluva_options *options)
{
    int32_t noise = options->boats ? style->noise_with_boats[options->seats - 2]
                                   : style->noise[options->seats - 2];
    if (options->teams)
        noise = noise * style->in_teams / 100;
    if (options->tiles <= SHORT_GAME)
        noise = noise * style->in_short_games / 100;
    return noise * CHANCE_ONE / 1000;
}

/* What it overlooks is never that a tile puts it out: such turns are not among the answers. */
static unsigned pick_turn(const struct computer_answer *answer, const struct taluva *game,
                          const struct style *style, uint64_t seed)
{
    const bool wins = answer->turns[0].chances[game->seat] == COMPUTER_CHANCE_ONE;
    const int32_t noise = noise_in(style, &game->options);
    if (noise == 0 || (wins && !style->misses_wins))
        return 0;
    return pick_noisily(answer, game->seat, noise, seed);
}

static uint32_t think_at_level(const struct computer_question *question, enum computer_level level,
                               struct computer_turn *turn)
{
    struct computer_question own = *question;
    struct computer_answer answer;
    const struct style *const style = &styles[level];
    const bool enough = question->memory && question->memory_bytes >= computer_level_bytes(level);
    own.simulations = enough ? style->simulations : 0;
    if (question->simulations > 0 && question->simulations < own.simulations)
        own.simulations = question->simulations;
    own.best_only = noise_in(style, &question->game->options) == 0;
    computer_think(&own, &answer);
    *turn = answer.turns[pick_turn(&answer, question->game, style, question->seed)];
    return answer.simulations;
}

uint32_t computer_play(const struct computer_question *question, enum computer_level level,
                       struct computer_turn *turn)
{
    assert(level >= COMPUTER_BEGINNER && level <= COMPUTER_MASTER);
    if (level >= COMPUTER_REGULAR)
        return think_at_level(question, level, turn);
    simple_choose(question->game, level == COMPUTER_BEGINNER, question->seed, turn);
    return 0;
}
