/*
 * What a computer player does among the moves it may make.
 */
#ifndef CLI_TALUVA_CHOOSE_H
#define CLI_TALUVA_CHOOSE_H

#include <base/rng.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * One of the moves, by chance. Whatever order they come in, they are sorted first, so that the same
 * seed chooses the same. What to do (draw, take which tile, build which kind) is chosen before
 * where, so that one place for a temple is as likely as many places for huts. `count` is at least
 * 1.
 */
const char *choose_one(struct rng *rng, const char **moves, size_t count);

/*
 * Keeps either the moves for which `is_in` holds or the others, by chance, if there are both; so
 * that the few of one sort come up as often as the many of the other. How many are left, at the
 * front.
 */
size_t choose_sort(struct rng *rng, const char **moves, size_t count,
                   bool (*is_in)(const void *context, const char *move), const void *context);

#endif
