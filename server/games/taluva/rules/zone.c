/*
 * §4c. The board is a hexagon around 0,0. In corner coordinates x + y + z = 0 hexes have their
 * centres at multiples of 3, neighbours differ by (3, -3, 0) and the like, and a corner is a third
 * of the way to the point between two neighbours:
 *
 *               (1,1,-2)                      outside iff max(|x-y|, |y-z|, |z-x|) > 6R,
 *      (-1,2,-1)   .    (2,-1,-1)             a corner changes that maximum by 3 at most
 *               .  *  .
 *      (-2,1,1)    .    (1,-2,1)
 *               (-1,-1,2)
 */
#include "zone.h"

#include "grid.h"

static const int8_t corners[6][3] = {
    {2, -1, -1}, {1, 1, -2}, {-1, 2, -1}, {-2, 1, 1}, {-1, -1, 2}, {1, -2, 1},
};

struct point {
    int x, y, z;
};

int taluva_zone_radius(enum taluva_zone zone)
{
    switch (zone) {
    case TALUVA_ZONE_NONE:
        return 0;
    case TALUVA_ZONE_BEGINNER:
        return 6;
    case TALUVA_ZONE_PLAYER:
        return 5;
    case TALUVA_ZONE_EXPERT:
        return 4;
    }
    return 0;
}

static int difference_of(int a, int b)
{
    return a > b ? a - b : b - a;
}

static int reach_of(struct point p)
{
    const int a = difference_of(p.x, p.y), b = difference_of(p.y, p.z), c = difference_of(p.z, p.x);
    const int most = a > b ? a : b;
    return most > c ? most : c;
}

static struct point centre_of(int q, int r)
{
    return (struct point){3 * q, -3 * q - 3 * r, 3 * r};
}

static bool seen_before(const struct point *points, int n, struct point p)
{
    for (int i = 0; i < n; i++) {
        if (points[i].x == p.x && points[i].y == p.y)
            return true;
    }
    return false;
}

/* Adds the corners of one hex that lie outside and are not yet among the n points. */
static int add_corners(struct point *points, int n, int edge, struct point c)
{
    if (reach_of(c) + 3 <= edge)
        return n;
    for (int i = 0; i < 6; i++) {
        const struct point p = {c.x + corners[i][0], c.y + corners[i][1], c.z + corners[i][2]};
        if (reach_of(p) > edge && !seen_before(points, n, p))
            points[n++] = p;
    }
    return n;
}

int taluva_points_outside(enum taluva_zone zone, const struct taluva_placement *placement)
{
    if (zone == TALUVA_ZONE_NONE)
        return 0;
    const int edge = 6 * taluva_zone_radius(zone);
    const int q = placement->at.q, r = placement->at.r;
    struct point points[18];
    int n = add_corners(points, 0, edge, centre_of(q, r));
    for (unsigned i = 1; i < rules_tile_hexes(placement->tile); i++) {
        const unsigned d = (placement->k + i - 1) % 6;
        n = add_corners(points, n, edge, centre_of(q + rules_dq[d], r + rules_dr[d]));
    }
    return n;
}

int rules_zone_depth(enum taluva_zone zone, int q, int r)
{
    const int edge = 6 * taluva_zone_radius(zone), at = reach_of(centre_of(q, r));
    return at + 3 <= edge ? 1 : at - 3 > edge ? -1 : 0;
}
