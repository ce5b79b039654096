/* The search's memory: nodes, each with its edges behind it, in memory that the caller gives. */
#ifndef COMPUTER_TREE_H
#define COMPUTER_TREE_H

#include "turns.h"

/* A turn that may be played from a node. */
struct edge {
    struct turn_rated rated;
    uint32_t prior; /* of CHANCE_ONE, over all edges of the node */
    uint32_t visits;
    int64_t sum[TALUVA_SEATS_MAX]; /* of the chances that came back */
    struct node *first;            /* what may come after it, by the tile */
};

/* A position in which a seat has something to decide. */
struct node {
    struct node *next; /* after the same edge, with another tile */
    uint32_t visits;
    uint16_t n_edges;
    uint8_t seat;
    taluva_tile tile; /* in hand, or TALUVA_TILE_NONE */
};

struct tree {
    struct node *root; /* NULL: there was no memory even for it */
    unsigned char *free;
    size_t left;
};

void tree_init(struct tree *tree, void *memory, size_t bytes);
void tree_add_root(struct tree *tree, unsigned seat, const struct turns *turns, int32_t warmth);

/* NULL if the memory is full. */
struct node *tree_add(struct tree *tree, struct edge *edge, taluva_tile tile, unsigned seat,
                      const struct turns *turns, int32_t warmth);

/* NULL if there is none yet. */
struct node *tree_child(const struct edge *edge, taluva_tile tile);

static inline struct edge *node_edges(struct node *node)
{
    return (struct edge *)(void *)(node + 1);
}

#endif
