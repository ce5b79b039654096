/*
 * Rating systems beside each other: what each says of who wins a match of two to five, each alone,
 * before it is told, and what it learns from it. All but the server's own are readings of what is
 * published, in doubles.
 */
#ifndef TEST_STRENGTH_SYSTEMS_H
#define TEST_STRENGTH_SYSTEMS_H

#include <rating/update.h>
#include <stddef.h>
#include <stdint.h>

enum { SYSTEM_SEATS = 5 };

enum system {
    SYSTEM_OWN,       /* the server's (rating/update.h) */
    SYSTEM_ELO,       /* in pairs, K 32 */
    SYSTEM_GLICKO2,   /* in pairs, a match a period, tau 0.5 */
    SYSTEM_OPENSKILL, /* Plackett and Luce, of who has won and of all others as equals */
    SYSTEMS
};
const char *system_name(enum system system);

/* What all of them know of somebody. */
struct known {
    struct rating own;
    double elo;
    double glicko, glicko_deviation, volatility; /* in the scale of Glicko-2 */
    double mu, sigma;
};
struct known known_newcomer(void);

/* The chances to win; `scale` is the class's of so many (rating/class.h). */
void system_chances(enum system system, const struct known *const players[], unsigned count,
                    uint32_t scale, double chances[SYSTEM_SEATS]);
void system_learn(enum system system, struct known *const players[], unsigned count, uint32_t scale,
                  unsigned winner);

/* One period of Glicko-2: after matches with these, 1 for each that was won. */
struct known system_glicko(const struct known *player, const struct known others[],
                           const double scores[], unsigned count);

/* ---- how good what it says is */

enum { SCORE_BINS = 10 };
struct score {
    double nats, brier, even; /* sums; `even`: of who says that all are equal */
    size_t matches, said[SCORE_BINS], came[SCORE_BINS];
};
void score_add(struct score *score, const double chances[], unsigned count, unsigned winner);
double score_nats(const double chances[], unsigned winner); /* of one match */

#endif
