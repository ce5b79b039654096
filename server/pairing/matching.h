/*
 * Of a graph in which every vertex can have a partner: the way of giving each of them one that has
 * the greatest sum of weights. By blossoms and dual values (Edmonds), with one alternating tree at
 * a time; weights are whole numbers of several words (wide.h), so what comes out is exact. What has
 * been found stays when weights change, and only what the change has made wrong is found anew.
 *
 * A search takes some n * n steps of `words` words; there is one for each vertex that lost its
 * partner. Knows nothing of players.
 */
#ifndef PAIRING_MATCHING_H
#define PAIRING_MATCHING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MATCHING_NONE = -1,
    MATCHING_ROOM = 40, /* bits, for the duals of paths that are long */
};

/* A vertex is a node too; a blossom is a node above them, its children stand in a ring. */
struct matching_node {
    int parent, next, prev;
    int edge_from, edge_to; /* vertices: here, and in `next` */
    int child;              /* one of the ring; none: a vertex */
    int base;               /* the vertex whose partner is outside */
    int entry_from, entry_to;
    uint8_t label;
    bool marked;
};

struct matching_edge {
    uint16_t from, to; /* vertices; the same: none */
};

struct matching {
    int count;        /* vertices */
    int weighted;     /* the first of them have weights among each other; all others 0 */
    unsigned words;   /* of each number */
    uint64_t *weight; /* weighted * weighted, each twice what it is */
    uint8_t *legal;   /* count * count, the same both ways */
    bool *alive;      /* who is still in it */
    bool *first;      /* comes in first; the others then each find a partner, if there is one, in
                         their order: for speed alone. At the beginning all */
    int *mate;        /* MATCHING_NONE: has no partner */
    /* the rest is the search's own */
    bool begun;
    struct matching_node *node;
    int *top, *spare, *queue, *leaves;
    int spare_count, queue_count;
    uint64_t *dual, *excess, *slack_free, *scratch;
    int *free_from, *tight, *even;
    int tight_count, even_count;
    struct matching_edge *between, *reach;
    bool *scanned;
};

/*
 * All weights 0, no edge legal. False: no memory; then there is nothing to release. `words` leave
 * MATCHING_ROOM bits above the greatest sum of weights.
 */
bool matching_init(struct matching *matching, int count, int weighted, unsigned words);
void matching_release(struct matching *matching);

static inline uint64_t *matching_weight(const struct matching *matching, int a, int b)
{
    return matching->weight +
           ((size_t)a * (size_t)matching->weighted + (size_t)b) * matching->words;
}

/* value << bit more, or less, for both directions; both are among the weighted. */
void matching_add(struct matching *matching, int a, int b, unsigned bit, uint64_t value);
void matching_subtract(struct matching *matching, int a, int b, unsigned bit, uint64_t value);

/* Who is partners over an edge that is no longer legal, is so no more: matching_solve comes next.
 */
void matching_allow(struct matching *matching, int a, int b, bool legal);

static inline bool matching_legal(const struct matching *matching, int a, int b)
{
    return matching->legal[(size_t)a * (size_t)matching->count + (size_t)b];
}

/*
 * To be called when edges of a vertex weigh something else, before matching_solve. Of several that
 * changed at once: first loosen each of them, then settle each. An edge that is no longer legal
 * needs neither.
 */
void matching_loosen(struct matching *matching, int vertex);
void matching_settle(struct matching *matching, int vertex);

/* Without a partner or with it. */
void matching_remove(struct matching *matching, int vertex);

/* False: not everybody can have a partner. */
bool matching_solve(struct matching *matching);

#endif
