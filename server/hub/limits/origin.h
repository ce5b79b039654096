/*
 * Where a session or a room comes from, which outlives the connection: by the /64, /56 and /48 of
 * an IPv6 address, of IPv4 by the address twice and its /24. Whoever has a thousand addresses of
 * one network has one origin more than others there, and not a thousand.
 *
 * When all that the server keeps is kept, somebody has to go so that another one can come: then
 * from where most come. Counts are found by hashes, as those of address.h.
 */
#ifndef HUB_ORIGIN_H
#define HUB_ORIGIN_H

#include <stdbool.h>
#include <stdint.h>

struct address_prefix;
struct hub;

enum {
    ORIGIN_HOUSEHOLD = 1, /* an IPv4 address, or a /56 */
    ORIGIN_WIDTHS = 3,
    ORIGIN_WIDEST = ORIGIN_WIDTHS - 1,
    ORIGIN_SHARES = 16384 /* as many as address.h has */
};

struct origin {
    uint16_t at[ORIGIN_WIDTHS]; /* the narrowest first; zeros: not known, as after a restart */
    uint16_t turns;             /* who has turns together: an IPv4 address, or a /48 */
};

struct origin_counts {
    uint32_t of[ORIGIN_WIDTHS][ORIGIN_SHARES];
};

struct origin origin_of(const struct hub *hub, const struct address_prefix *prefix);
void origin_add(struct origin_counts *counts, const struct origin *origin);
void origin_remove(struct origin_counts *counts, const struct origin *origin);

/* Above 0: more come from where `a` is from than from where `b` is; by the widest network first. */
int origin_compare(const struct origin_counts *counts, const struct origin *a,
                   const struct origin *b);
bool origin_is_same(const struct origin *a, const struct origin *b);
bool origin_is_known(const struct origin *origin);

/*
 * Has `waiting` to give way to somebody from `newcomer`? By the widest network that is not that of
 * both: more are counted from there, even with the newcomer here.
 */
bool origin_gives_way(const struct origin_counts *counts, const struct origin *waiting,
                      const struct origin *newcomer);

#endif
