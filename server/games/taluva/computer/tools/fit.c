#include "fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 128, APART = 20 };

struct adam {
    struct fit_net gradient, mean, square;
    double step;
};

static float *flat_weights(struct fit_net *net)
{
    return (float *)(void *)net;
}

static float draw_normal(struct rng *rng)
{
    float sum = 0;
    for (unsigned i = 0; i < 12; i++)
        sum += (float)(rng_next(rng) >> 40) / 16777216.0F;
    return sum - 6;
}

void fit_begin(struct fit_net *net, struct rng *rng)
{
    memset(net, 0, sizeof *net);
    for (unsigned i = 0; i < TRAITS_FIRST; i++) {
        for (unsigned j = 0; j < NET_HIDDEN; j++)
            net->input[i][j] = 0.15F * draw_normal(rng);
    }
    for (unsigned j = 0; j < NET_HIDDEN; j++)
        net->output[j] = 0.15F * draw_normal(rng);
}

/* ---- one position */

struct pass {
    float inputs[TALUVA_SEATS_MAX][NET_INPUTS]; /* what its traits come to, for it and its rivals */
    float hidden[TALUVA_SEATS_MAX][NET_HIDDEN];
    float logit[TALUVA_SEATS_MAX];
    float slope[TALUVA_SEATS_MAX];            /* of the loss, by the logit */
    float back[TALUVA_SEATS_MAX][NET_INPUTS]; /* of the loss, by `inputs` */
};

/* Rows of a sample, not seats. */
static bool are_rivals(const struct sample *sample, unsigned a, unsigned b)
{
    return a != b && (sample->mode != FIT_TEAMS || (sample->seat[a] + sample->seat[b]) % 2 == 1);
}

static float share_of_rival(const struct sample *sample, unsigned row)
{
    unsigned n = 0;
    for (unsigned other = 0; other < sample->n; other++)
        n += are_rivals(sample, row, other);
    return n > 0 ? 1 / (float)n : 0;
}

static void add_traits(const struct fit_net *net, const int8_t *x, float *inputs, float *direct)
{
    for (unsigned i = 0; i < TRAITS_USED; i++) {
        if (x[i] == 0)
            continue;
        const float value = (float)x[i] / TRAIT_ONE;
        *direct += value * net->direct[i];
        for (unsigned j = 0; j < NET_INPUTS; j++)
            inputs[j] += value * net->input[i][j];
    }
}

static void pass_forward(const struct fit_net *net, const struct sample *sample, struct pass *pass,
                         unsigned row)
{
    const float share = share_of_rival(sample, row);
    float *const hidden = pass->hidden[row];
    memcpy(hidden, pass->inputs[row], sizeof pass->hidden[row]);
    for (unsigned other = 0; other < sample->n; other++) {
        for (unsigned j = 0; j < NET_HIDDEN && are_rivals(sample, row, other); j++)
            hidden[j] += share * pass->inputs[other][NET_HIDDEN + j];
    }
    for (unsigned j = 0; j < NET_HIDDEN; j++) {
        hidden[j] = hidden[j] > 0 ? hidden[j] : 0;
        pass->logit[row] += hidden[j] * net->output[j];
    }
}

static void pass_backward(const struct fit_net *net, struct fit_net *gradient,
                          const struct sample *sample, struct pass *pass, unsigned row, bool rivals)
{
    const float slope = pass->slope[row], share = share_of_rival(sample, row);
    for (unsigned j = 0; j < NET_HIDDEN; j++) {
        const float hidden = pass->hidden[row][j];
        gradient->output[j] += slope * hidden;
        pass->back[row][j] = hidden > 0 ? slope * net->output[j] : 0;
    }
    for (unsigned other = 0; other < sample->n && rivals; other++) {
        for (unsigned j = 0; j < NET_HIDDEN && are_rivals(sample, row, other); j++)
            pass->back[other][NET_HIDDEN + j] += share * pass->back[row][j];
    }
}

static void add_gradient(struct fit_net *gradient, const int8_t *x, const float *back, float slope)
{
    for (unsigned i = 0; i < TRAITS_USED; i++) {
        if (x[i] == 0)
            continue;
        const float value = (float)x[i] / TRAIT_ONE;
        gradient->direct[i] += value * slope;
        for (unsigned j = 0; j < NET_INPUTS; j++)
            gradient->input[i][j] += value * back[j];
    }
}

static float loss_of_pairs(const struct sample *sample, struct pass *pass)
{
    float loss = 0;
    const float weight = 1.0F / (float)(sample->n - 1);
    for (unsigned i = 0; i < sample->n; i++) {
        for (unsigned j = i + 1; j < sample->n; j++) {
            const float d = pass->logit[i] - pass->logit[j];
            const float p = 1.0F / (1.0F + expf(-d));
            const float t = sample->target[i] > sample->target[j]   ? 1.0F
                            : sample->target[i] < sample->target[j] ? 0.0F
                                                                    : 0.5F;
            loss -= weight * (t * logf(p + 1e-9F) + (1 - t) * logf(1 - p + 1e-9F));
            pass->slope[i] += weight * (p - t);
            pass->slope[j] -= weight * (p - t);
        }
    }
    return loss;
}

static float loss_of_shares(const struct sample *sample, struct pass *pass)
{
    float top = -1e9F, sum = 0, parts[TALUVA_SEATS_MAX], team[2] = {0, 0}, goal[2] = {0, 0};
    float loss = 0;
    for (unsigned i = 0; i < sample->n; i++)
        top = fmaxf(top, pass->logit[i]);
    for (unsigned i = 0; i < sample->n; i++)
        sum += parts[i] = expf(pass->logit[i] - top);
    for (unsigned i = 0; i < sample->n; i++) {
        parts[i] /= sum;
        team[sample->seat[i] % 2] += parts[i];
        goal[sample->seat[i] % 2] = sample->target[i];
    }
    for (unsigned i = 0; i < sample->n; i++) {
        const unsigned side = sample->seat[i] % 2;
        if (sample->mode == FIT_TEAMS) {
            const float total = goal[0] + goal[1];
            pass->slope[i] = parts[i] * total - goal[side] * parts[i] / team[side];
        } else {
            pass->slope[i] = parts[i] - sample->target[i];
            loss -= sample->target[i] * logf(parts[i] + 1e-9F);
        }
    }
    for (unsigned side = 0; side < 2 && sample->mode == FIT_TEAMS; side++)
        loss -= goal[side] * logf(team[side] + 1e-9F);
    return loss;
}

static float run_one(const struct fit_net *net, struct fit_net *gradient,
                     const struct samples *samples, const struct sample *sample, bool rivals)
{
    int8_t(*const rows)[TRAITS] = &samples->rows[sample->row];
    struct pass pass;
    memset(&pass, 0, sizeof pass);
    for (unsigned i = 0; i < sample->n; i++)
        add_traits(net, rows[i], pass.inputs[i], &pass.logit[i]);
    for (unsigned i = 0; i < sample->n; i++)
        pass_forward(net, sample, &pass, i);
    const float loss =
        sample->mode == FIT_RANKS ? loss_of_pairs(sample, &pass) : loss_of_shares(sample, &pass);
    for (unsigned i = 0; i < sample->n && gradient; i++)
        pass_backward(net, gradient, sample, &pass, i, rivals);
    for (unsigned i = 0; i < sample->n && gradient; i++)
        add_gradient(gradient, rows[i], pass.back[i], pass.slope[i]);
    return loss;
}

/* ---- many */

static void step_weights(struct fit_net *net, struct adam *adam, float rate, float decay)
{
    float *const w = flat_weights(net), *const g = flat_weights(&adam->gradient);
    float *const m = flat_weights(&adam->mean), *const s = flat_weights(&adam->square);
    adam->step++;
    const float fix_mean = (float)(1 - pow(0.9, adam->step));
    const float fix_square = (float)(1 - pow(0.999, adam->step));
    for (unsigned i = 0; i < FIT_WEIGHTS; i++) {
        const float slope = g[i] / BATCH;
        m[i] = 0.9F * m[i] + 0.1F * slope;
        s[i] = 0.999F * s[i] + 0.001F * slope * slope;
        w[i] -= rate * (m[i] / fix_mean / (sqrtf(s[i] / fix_square) + 1e-8F) + decay * w[i]);
        g[i] = 0;
    }
}

static void shuffle_samples(uint32_t *order, size_t n, struct rng *rng)
{
    for (size_t i = n; i > 1; i--) {
        const uint32_t other = rng_below(rng, (uint32_t)i), kept = order[i - 1];
        order[i - 1] = order[other];
        order[other] = kept;
    }
}

/* Games lie one behind the other, so that every twentieth thousand is of other games. */
static bool is_apart(size_t i)
{
    return i / 1000 % APART == 0;
}

static double loss_apart(const struct fit_net *net, const struct samples *samples)
{
    double loss = 0;
    size_t n = 0;
    for (size_t i = 0; i < samples->n; i++) {
        if (!is_apart(i))
            continue;
        loss += run_one(net, NULL, samples, &samples->list[i], false);
        n++;
    }
    return n > 0 ? loss / (double)n : 0;
}

/* Sums of the weights at `n` steps. */
struct mean {
    double weights[FIT_WEIGHTS];
    unsigned n;
};

static void mean_add(struct mean *mean, struct fit_net *net)
{
    for (unsigned i = 0; i < FIT_WEIGHTS; i++)
        mean->weights[i] += flat_weights(net)[i];
    mean->n++;
}

static void mean_take(const struct mean *mean, struct fit_net *net)
{
    for (unsigned i = 0; i < FIT_WEIGHTS && mean->n > 0; i++)
        flat_weights(net)[i] = (float)(mean->weights[i] / mean->n);
}

void fit_run(struct fit_net *net, const struct samples *samples, struct fit_plan plan,
             struct rng *rng)
{
    struct adam *const adam = calloc(1, sizeof *adam);
    struct mean *const mean = calloc(1, sizeof *mean);
    uint32_t *const order = malloc(samples->n * sizeof *order);
    size_t n = 0;
    if (!adam || !mean || !order)
        abort();
    for (size_t i = 0; i < samples->n; i++) {
        if (!is_apart(i))
            order[n++] = (uint32_t)i;
    }
    for (unsigned epoch = 0; epoch < plan.epochs; epoch++) {
        double loss = 0;
        shuffle_samples(order, n, rng);
        for (size_t i = 0; i < n; i++) {
            const double done = (double)epoch + (double)i / (double)n;
            const float rate = plan.rate * (float)pow(1.0 / 15, done / (double)plan.epochs);
            loss += run_one(net, &adam->gradient, samples, &samples->list[order[i]], plan.rivals);
            if (i % BATCH != BATCH - 1)
                continue;
            step_weights(net, adam, rate, plan.decay);
            if (plan.mean && epoch + 1 == plan.epochs)
                mean_add(mean, net);
        }
        printf("  epoch %u: loss %.4f, apart %.4f\n", epoch + 1, loss / (double)n,
               loss_apart(net, samples));
        fflush(stdout);
    }
    mean_take(mean, net);
    free(order);
    free(mean);
    free(adam);
}

void fit_from(struct fit_net *net, const struct net *from)
{
    for (unsigned i = 0; i < TRAITS_USED; i++) {
        net->direct[i] = (float)from->direct[i] / NET_WEIGHT_ONE;
        for (unsigned j = 0; j < NET_INPUTS; j++)
            net->input[i][j] = (float)from->input[i][j] / NET_WEIGHT_ONE;
    }
    for (unsigned j = 0; j < NET_HIDDEN; j++)
        net->output[j] = (float)from->output[j] / NET_WEIGHT_ONE;
}

static int16_t quantise_weight(float weight)
{
    const float scaled = roundf(weight * NET_WEIGHT_ONE);
    return (int16_t)fmaxf(-32767, fminf(32767, scaled));
}

void fit_quantise(const struct fit_net *net, struct net *out)
{
    memset(out, 0, sizeof *out);
    for (unsigned i = 0; i < TRAITS_USED; i++) {
        out->direct[i] = quantise_weight(net->direct[i]);
        for (unsigned j = 0; j < NET_INPUTS; j++)
            out->input[i][j] = quantise_weight(net->input[i][j]);
    }
    int sum = 0;
    for (unsigned j = 0; j < NET_HIDDEN; j++) {
        out->output[j] = quantise_weight(net->output[j]);
        sum += abs(out->output[j]);
    }
    /* A trained one has a quarter of it. */
    if (sum > NET_OUTPUT_SUM)
        abort();
}
