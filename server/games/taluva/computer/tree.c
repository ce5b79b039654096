#include "tree.h"

#include "net.h"
#include <string.h>

_Static_assert(sizeof(struct node) % _Alignof(struct edge) == 0, "edges lie behind their node");
_Static_assert(sizeof(struct edge) % _Alignof(struct node) == 0, "and nodes behind edges");

void tree_init(struct tree *tree, void *memory, size_t bytes)
{
    tree->root = NULL;
    tree->free = memory;
    tree->left = memory ? bytes : 0;
}

/* Each turn's share falls with what it is behind the best. */
static void set_priors(struct edge *edges, const struct turns *turns, unsigned seat, int32_t warmth)
{
    int64_t parts[TURNS_KEPT], sum = 0;
    const int32_t best = turns->list[0].chances[seat];
    for (unsigned i = 0; i < turns->n; i++) {
        const int64_t behind = best - turns->list[i].chances[seat];
        parts[i] = net_exp((int32_t)(behind * NET_LOGIT_ONE / warmth));
        sum += parts[i];
    }
    for (unsigned i = 0; i < turns->n; i++)
        edges[i].prior = (uint32_t)(parts[i] * CHANCE_ONE / sum);
}

static struct node *add_node(struct tree *tree, taluva_tile tile, unsigned seat,
                             const struct turns *turns, int32_t warmth)
{
    const size_t bytes = sizeof(struct node) + turns->n * sizeof(struct edge);
    if (turns->n == 0 || bytes > tree->left)
        return NULL;
    struct node *const node = (struct node *)(void *)tree->free;
    tree->free += bytes;
    tree->left -= bytes;
    memset(node, 0, bytes);
    node->n_edges = (uint16_t)turns->n;
    node->seat = (uint8_t)seat;
    node->tile = tile;
    struct edge *const edges = node_edges(node);
    for (unsigned i = 0; i < turns->n; i++)
        edges[i].rated = turns->list[i];
    set_priors(edges, turns, seat, warmth);
    return node;
}

void tree_add_root(struct tree *tree, unsigned seat, const struct turns *turns, int32_t warmth)
{
    tree->root = add_node(tree, TALUVA_TILE_NONE, seat, turns, warmth);
}

struct node *tree_add(struct tree *tree, struct edge *edge, taluva_tile tile, unsigned seat,
                      const struct turns *turns, int32_t warmth)
{
    struct node *const node = add_node(tree, tile, seat, turns, warmth);
    if (!node)
        return NULL;
    node->next = edge->first;
    edge->first = node;
    return node;
}

struct node *tree_child(const struct edge *edge, taluva_tile tile)
{
    struct node *node = edge->first;
    while (node && node->tile != tile)
        node = node->next;
    return node;
}
