/* What the two halves of matching.h share: numbers, and blossoms as sets of vertices. */
#ifndef PAIRING_MATCHING_PRIVATE_H
#define PAIRING_MATCHING_PRIVATE_H

#include "matching.h"
#include "wide.h"

/* The tree's nodes by their distance from its root: even, odd. */
enum { LABEL_FREE, LABEL_EVEN, LABEL_ODD };

static inline uint64_t *dual_of(const struct matching *matching, int vertex)
{
    return matching->dual + (size_t)vertex * matching->words;
}

static inline uint64_t *excess_of(const struct matching *matching, int node)
{
    return matching->excess + (size_t)node * matching->words;
}

static inline uint64_t *slack_free_of(const struct matching *matching, int vertex)
{
    return matching->slack_free + (size_t)vertex * matching->words;
}

/* By how much the duals of two that are in no common blossom are above the weight of their edge. */
static inline void compute_slack(const struct matching *matching, int a, int b, uint64_t *slack)
{
    wide_copy(slack, dual_of(matching, a), matching->words);
    wide_add(slack, dual_of(matching, b), matching->words);
    if (a < matching->weighted && b < matching->weighted)
        wide_subtract(slack, matching_weight(matching, a, b), matching->words);
}

static inline bool edge_is_open(const struct matching *matching, int a, int b)
{
    return matching->alive[b] && matching_legal(matching, a, b);
}

/* Fills matching->leaves with the vertices of a node; how many. */
int blossom_leaves(const struct matching *matching, int node);
/* A node on its own: its vertices know it. */
void blossom_set_top(struct matching *matching, int node);
int blossom_find_child(const struct matching *matching, int node, int vertex);
/* The partners inside change so that `vertex` is the one with none among them. */
void blossom_move_base(struct matching *matching, int node, int vertex);
/* Its children are on their own; the node is spare. */
void blossom_dissolve(struct matching *matching, int node);

static inline bool vertex_is(const struct matching *matching, int vertex, uint8_t label)
{
    return matching->node[matching->top[vertex]].label == label;
}

static inline bool edge_is_none(const struct matching_edge *edge)
{
    return edge->from == edge->to;
}

/* A node, free till now, comes into the tree: even. */
void tree_enter(struct matching *matching, int node);
/* What a vertex of an even node makes known: edges to others, in the tree or not. */
void tree_scan(struct matching *matching, int vertex);
/* Two vertices of even nodes, with an edge that is tight. */
void tree_make_blossom(struct matching *matching, int a, int b);
/* An odd blossom that adds nothing any more: the way through it stays in the tree. */
void tree_expand_blossom(struct matching *matching, int node);
/* `from` is in the tree, `to` in a node that has no partner. */
void tree_augment(struct matching *matching, int from, int to);

#endif
