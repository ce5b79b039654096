/* Fitting a net to outcomes of games: floating point, Adam, cross-entropy. */
#ifndef TOOLS_FIT_H
#define TOOLS_FIT_H

#include "play.h"

/* The net while it learns. */
struct fit_net {
    float input[TRAITS_USED][NET_INPUTS];
    float output[NET_HIDDEN];
    float direct[TRAITS_USED];
};
enum { FIT_WEIGHTS = sizeof(struct fit_net) / sizeof(float) };

/* How seats in play are compared. */
enum fit_mode { FIT_SHARE, FIT_TEAMS, FIT_RANKS };

/* A position: a row of traits for each seat in play, and what the seats got. */
struct sample {
    uint32_t row; /* first one */
    uint8_t n;
    uint8_t mode;
    uint8_t seat[TALUVA_SEATS_MAX];
    float target[TALUVA_SEATS_MAX]; /* of row i */
    float best[TALUVA_SEATS_MAX];   /* by seat: after the best turn from here, as it was seen */
    float lost;                     /* by the mover, with the turn that was played */
};

struct samples {
    struct sample *list;
    size_t n, room;
    int8_t (*rows)[TRAITS];
    size_t n_rows, rows_room;
    unsigned n_traits; /* the rest of a row is 0 */
};

struct fit_plan {
    unsigned epochs;
    float rate;  /* at the beginning; a fifteenth of it at the end */
    float decay; /* of weights, a step */
    bool rivals; /* also the weights for what rivals have; else they stay as they are */
    /*
     * Ends with the mean of the weights in the last epoch: hardly less loss than the last ones, but
     * better play, as what single batches have left in the weights is averaged away.
     */
    bool mean;
};

/* At random for a seat's first traits; 0 for the later ones and for what rivals have. */
void fit_begin(struct fit_net *net, struct rng *rng);
/* One in twenty is kept apart; prints the loss on these. */
void fit_run(struct fit_net *net, const struct samples *samples, struct fit_plan plan,
             struct rng *rng);
void fit_from(struct fit_net *net, const struct net *from);
void fit_quantise(const struct fit_net *net, struct net *out);

#endif
