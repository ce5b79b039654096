/* Who comes to quick match in these figures, and what is said of how they fare. */
#ifndef QUICK_PEOPLE_H
#define QUICK_PEOPLE_H

#include <base/rng.h>
#include <pool/pool.h>

/* Between 0 and 1. */
double people_drawn(struct rng *rng);
/* Of a normal strength, and some wish of sizes. */
struct ticket people_come(struct rng *rng, int64_t now_ms);
/* The value below which that part of them lies; puts them in order. */
double people_share(double *values, size_t of, double part);

/* Two against two: who finds a table, and what a second costs (two_teams.c). */
void two_teams_print(int hours);
void two_teams_crowd(void);

/* What leaving, flooding and playing with oneself gain (abuse.c). */
void abuse_print(void);

#endif
