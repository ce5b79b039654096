#include "systems.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

const char *system_name(enum system system)
{
    static const char *const names[SYSTEMS] = {"own", "elo", "glicko-2", "openskill"};
    return names[system];
}

enum { ELO_K = 32 };
static const double glicko_points = 173.7178, glicko_tau = 0.5;
static const double skill_mu = 25, skill_sigma = 25.0 / 3, skill_beta = 25.0 / 6;

struct known known_newcomer(void)
{
    return (struct known){.own = {RATING_START, RATING_DEVIATION_START},
                          .glicko_deviation = 350 / glicko_points,
                          .volatility = 0.06,
                          .mu = skill_mu,
                          .sigma = skill_sigma};
}

/* Of numbers in logits. */
static void share_out(const double strengths[], unsigned count, double chances[])
{
    double best = strengths[0], sum = 0;
    for (unsigned i = 1; i < count; i++)
        best = fmax(best, strengths[i]);
    for (unsigned i = 0; i < count; i++)
        sum += chances[i] = exp(strengths[i] - best);
    for (unsigned i = 0; i < count; i++)
        chances[i] /= sum;
}

/* ---- the server's own */

static void own_chances(const struct known *const players[], unsigned count, uint32_t scale,
                        double chances[])
{
    const double q = log(10) / 400, part = (double)scale / RATING_ONE;
    double spread = 0, logits[SYSTEM_SEATS];
    for (unsigned i = 0; i < count; i++)
        spread += pow(players[i]->own.deviation / 1000.0, 2);
    const double sure = part / sqrt(1 + part * part * 3 * q * q * spread / count / (pi * pi));
    for (unsigned i = 0; i < count; i++)
        logits[i] = sure * q * players[i]->own.strength / 1000.0;
    share_out(logits, count, chances);
}

static void own_learn(struct known *const players[], unsigned count, uint32_t scale,
                      unsigned winner)
{
    struct rating_match match = {.seats = count,
                                 .sides = count,
                                 .stages = 1,
                                 .stage = {{(UINT32_C(1) << count) - 1, UINT32_C(1) << winner}},
                                 .scale = scale};
    struct rating after[RATING_SEATS];
    for (unsigned i = 0; i < count; i++) {
        match.before[i] = players[i]->own;
        match.side[i] = (uint8_t)i;
    }
    rating_update(&match, after);
    for (unsigned i = 0; i < count; i++)
        players[i]->own = after[i];
}

/* ---- Elo: who has won has won against each of the others */

static void elo_chances(const struct known *const players[], unsigned count, double chances[])
{
    double logits[SYSTEM_SEATS];
    for (unsigned i = 0; i < count; i++)
        logits[i] = log(10) / 400 * players[i]->elo;
    share_out(logits, count, chances);
}

static void elo_learn(struct known *const players[], unsigned count, unsigned winner)
{
    double won = 0;
    for (unsigned i = 0; i < count; i++) {
        if (i == winner)
            continue;
        const double lost =
            ELO_K / (1 + pow(10, (players[winner]->elo - players[i]->elo) / 400)) / (count - 1);
        players[i]->elo -= lost;
        won += lost;
    }
    players[winner]->elo += won;
}

/* ---- Glicko-2 (Glickman, "Example of the Glicko-2 system") */

static double glicko_g(double deviation)
{
    return 1 / sqrt(1 + 3 * deviation * deviation / (pi * pi));
}

static void glicko_chances(const struct known *const players[], unsigned count, double chances[])
{
    double logits[SYSTEM_SEATS], spread = 0;
    for (unsigned i = 0; i < count; i++)
        spread += pow(players[i]->glicko_deviation, 2);
    for (unsigned i = 0; i < count; i++)
        logits[i] = glicko_g(sqrt(spread)) * players[i]->glicko;
    share_out(logits, count, chances);
}

/* Step 5: the new volatility, by the method of Illinois. */
static double glicko_volatility(const struct known *player, double delta, double v)
{
    const double a = log(player->volatility * player->volatility);
    const double phi2 = player->glicko_deviation * player->glicko_deviation, d2 = delta * delta;
#define F(x)                                                                                       \
    (exp(x) * (d2 - phi2 - v - exp(x)) / (2 * pow(phi2 + v + exp(x), 2)) -                         \
     ((x)-a) / (glicko_tau * glicko_tau))
    double low = a, high = d2 > phi2 + v ? log(d2 - phi2 - v) : a - glicko_tau;
    while (d2 <= phi2 + v && F(high) < 0)
        high -= glicko_tau;
    double f_low = F(low), f_high = F(high);
    for (int step = 0; step < 100 && fabs(high - low) > 1e-6; step++) {
        const double middle = low + (low - high) * f_low / (f_high - f_low), f = F(middle);
        if (f * f_high <= 0) {
            low = high;
            f_low = f_high;
        } else {
            f_low /= 2;
        }
        high = middle;
        f_high = f;
    }
#undef F
    return exp(low / 2);
}

struct known system_glicko(const struct known *player, const struct known others[],
                           const double scores[], unsigned count)
{
    struct known after = *player;
    double information = 0, sum = 0;
    for (unsigned i = 0; i < count; i++) {
        const double g = glicko_g(others[i].glicko_deviation);
        const double expected = 1 / (1 + exp(-g * (player->glicko - others[i].glicko)));
        information += g * g * expected * (1 - expected);
        sum += g * (scores[i] - expected);
    }
    after.volatility = glicko_volatility(player, sum / information, 1 / information);
    const double before = pow(player->glicko_deviation, 2) + after.volatility * after.volatility;
    after.glicko_deviation = 1 / sqrt(1 / before + information);
    after.glicko += after.glicko_deviation * after.glicko_deviation * sum;
    return after;
}

static void glicko_learn(struct known *const players[], unsigned count, unsigned winner)
{
    struct known before[SYSTEM_SEATS], others[SYSTEM_SEATS];
    double scores[SYSTEM_SEATS];
    for (unsigned i = 0; i < count; i++)
        before[i] = *players[i];
    for (unsigned i = 0; i < count; i++) {
        unsigned met = 0;
        for (unsigned j = 0; j < count; j++) {
            if (j == i || (i != winner && j != winner))
                continue;
            others[met] = before[j];
            scores[met++] = i == winner ? 1 : 0;
        }
        const struct known after = system_glicko(&before[i], others, scores, met);
        players[i]->glicko = after.glicko;
        players[i]->glicko_deviation = after.glicko_deviation;
        players[i]->volatility = after.volatility;
    }
}

/* ---- Weng and Lin's step for Plackett and Luce, where one has won and the others are equal */

static double skill_c(const struct known *const players[], unsigned count)
{
    double c2 = 0;
    for (unsigned i = 0; i < count; i++)
        c2 += players[i]->sigma * players[i]->sigma + skill_beta * skill_beta;
    return sqrt(c2);
}

static void skill_chances(const struct known *const players[], unsigned count, double chances[])
{
    const double c = skill_c(players, count);
    double logits[SYSTEM_SEATS];
    for (unsigned i = 0; i < count; i++)
        logits[i] = players[i]->mu / c;
    share_out(logits, count, chances);
}

static void skill_learn(struct known *const players[], unsigned count, unsigned winner)
{
    const double c = skill_c((const struct known *const *)players, count);
    double chances[SYSTEM_SEATS];
    skill_chances((const struct known *const *)players, count, chances);
    for (unsigned i = 0; i < count; i++) {
        struct known *player = players[i];
        const double s2 = player->sigma * player->sigma, p = chances[i];
        const double omega = (i == winner ? 1 - p : -p), delta = p * (1 - p);
        player->mu += s2 / c * omega;
        player->sigma *= sqrt(fmax(1 - s2 / (c * c) * player->sigma / c * delta, 0.0001));
    }
}

/* ---- all of them */

void system_chances(enum system system, const struct known *const players[], unsigned count,
                    uint32_t scale, double chances[SYSTEM_SEATS])
{
    switch (system) {
    case SYSTEM_OWN:
        own_chances(players, count, scale, chances);
        break;
    case SYSTEM_ELO:
        elo_chances(players, count, chances);
        break;
    case SYSTEM_GLICKO2:
        glicko_chances(players, count, chances);
        break;
    case SYSTEM_OPENSKILL:
        skill_chances(players, count, chances);
        break;
    case SYSTEMS:
        break;
    }
}

void system_learn(enum system system, struct known *const players[], unsigned count, uint32_t scale,
                  unsigned winner)
{
    switch (system) {
    case SYSTEM_OWN:
        own_learn(players, count, scale, winner);
        break;
    case SYSTEM_ELO:
        elo_learn(players, count, winner);
        break;
    case SYSTEM_GLICKO2:
        glicko_learn(players, count, winner);
        break;
    case SYSTEM_OPENSKILL:
        skill_learn(players, count, winner);
        break;
    case SYSTEMS:
        break;
    }
}

double score_nats(const double chances[], unsigned winner)
{
    return -log(fmax(chances[winner], 1e-9));
}

void score_add(struct score *score, const double chances[], unsigned count, unsigned winner)
{
    score->matches++;
    score->nats += score_nats(chances, winner);
    score->even += log(count);
    for (unsigned i = 0; i < count; i++) {
        const double came = i == winner ? 1 : 0;
        const int bin = (int)fmin(chances[i] * SCORE_BINS, SCORE_BINS - 1);
        score->brier += pow(chances[i] - came, 2);
        score->said[bin]++;
        score->came[bin] += i == winner;
    }
}
