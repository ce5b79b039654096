#include "matching_private.h"
#include <assert.h>
#include <stdlib.h>

/* ---- memory */

bool matching_init(struct matching *matching, int count, int weighted, unsigned words)
{
    const size_t n = (size_t)count, k = (size_t)weighted;
    *matching = (struct matching){.count = count, .weighted = weighted, .words = words};
    matching->weight = calloc(k * k * words + 1, sizeof *matching->weight);
    matching->legal = calloc(n * n + 1, sizeof *matching->legal);
    matching->alive = calloc(n + 1, sizeof *matching->alive);
    matching->first = calloc(n + 1, sizeof *matching->first);
    matching->scanned = calloc(n + 1, sizeof *matching->scanned);
    matching->node = calloc(2 * n + 1, sizeof *matching->node);
    matching->mate = calloc(9 * n + 1, sizeof *matching->mate);
    matching->dual = calloc((4 * n + 3) * words, sizeof *matching->dual);
    matching->between = calloc(4 * n * n + 1, sizeof *matching->between);
    matching->reach = calloc(2 * n + 1, sizeof *matching->reach);
    if (!matching->weight || !matching->legal || !matching->alive || !matching->first ||
        !matching->scanned || !matching->node || !matching->mate || !matching->dual ||
        !matching->between || !matching->reach) {
        matching_release(matching);
        return false;
    }
    matching->top = matching->mate + n;
    matching->spare = matching->top + n;
    matching->queue = matching->spare + n;
    matching->leaves = matching->queue + n;
    matching->free_from = matching->leaves + n;
    matching->tight = matching->free_from + n;
    matching->even = matching->tight + 2 * n;
    matching->excess = matching->dual + n * words;
    matching->slack_free = matching->excess + 2 * n * words;
    matching->scratch = matching->slack_free + n * words;
    for (int v = 0; v < count; v++) {
        matching->alive[v] = matching->first[v] = true;
        matching->mate[v] = MATCHING_NONE;
        matching->top[v] = v;
        matching->node[v] =
            (struct matching_node){.parent = MATCHING_NONE, .child = MATCHING_NONE, .base = v};
        matching->spare[v] = 2 * count - 1 - v;
    }
    matching->spare_count = count;
    return true;
}

void matching_release(struct matching *matching)
{
    free(matching->weight);
    free(matching->legal);
    free(matching->alive);
    free(matching->first);
    free(matching->scanned);
    free(matching->node);
    free(matching->mate);
    free(matching->dual);
    free(matching->between);
    free(matching->reach);
    *matching = (struct matching){0};
}

/* ---- weights */

void matching_add(struct matching *matching, int a, int b, unsigned bit, uint64_t value)
{
    wide_add_at(matching_weight(matching, a, b), bit + 1, value, matching->words);
    wide_copy(matching_weight(matching, b, a), matching_weight(matching, a, b), matching->words);
}

void matching_subtract(struct matching *matching, int a, int b, unsigned bit, uint64_t value)
{
    uint64_t *less = matching->scratch;
    wide_zero(less, matching->words);
    wide_add_at(less, bit + 1, value, matching->words);
    wide_subtract(matching_weight(matching, a, b), less, matching->words);
    wide_copy(matching_weight(matching, b, a), matching_weight(matching, a, b), matching->words);
}

static void write_legal(struct matching *matching, int a, int b, bool legal)
{
    matching->legal[(size_t)a * (size_t)matching->count + (size_t)b] = legal;
    matching->legal[(size_t)b * (size_t)matching->count + (size_t)a] = legal;
}

/* ---- blossoms */

static int *list_leaves(const struct matching *matching, int node, int *end)
{
    const int first = matching->node[node].child;
    if (first == MATCHING_NONE) {
        *end = node;
        return end + 1;
    }
    int child = first;
    do {
        end = list_leaves(matching, child, end);
        child = matching->node[child].next;
    } while (child != first);
    return end;
}

int blossom_leaves(const struct matching *matching, int node)
{
    return (int)(list_leaves(matching, node, matching->leaves) - matching->leaves);
}

void blossom_set_top(struct matching *matching, int node)
{
    const int count = blossom_leaves(matching, node);
    for (int i = 0; i < count; i++)
        matching->top[matching->leaves[i]] = node;
}

int blossom_find_child(const struct matching *matching, int node, int vertex)
{
    int child = vertex;
    while (matching->node[child].parent != node)
        child = matching->node[child].parent;
    return child;
}

void blossom_move_base(struct matching *matching, int node, int vertex)
{
    if (matching->node[node].base == vertex)
        return;
    const int child = blossom_find_child(matching, node, vertex);
    blossom_move_base(matching, child, vertex);
    for (int a = matching->node[child].next; a != child;) {
        const int b = matching->node[a].next;
        const int from = matching->node[a].edge_from, to = matching->node[a].edge_to;
        blossom_move_base(matching, a, from);
        blossom_move_base(matching, b, to);
        matching->mate[from] = to;
        matching->mate[to] = from;
        a = matching->node[b].next;
    }
    matching->node[node].base = vertex;
}

void blossom_dissolve(struct matching *matching, int node)
{
    const int first = matching->node[node].child;
    int child = first;
    do {
        matching->node[child].parent = MATCHING_NONE;
        matching->node[child].label = LABEL_FREE;
        blossom_set_top(matching, child);
        child = matching->node[child].next;
    } while (child != first);
    matching->spare[matching->spare_count++] = node;
}

/* What a blossom adds to the edges inside goes to the duals of its vertices. */
static void open_node(struct matching *matching, int node)
{
    uint64_t *half = matching->scratch;
    if (!wide_is_zero(excess_of(matching, node), matching->words)) {
        wide_copy(half, excess_of(matching, node), matching->words);
        wide_halve(half, matching->words);
        const int count = blossom_leaves(matching, node);
        for (int i = 0; i < count; i++)
            wide_add(dual_of(matching, matching->leaves[i]), half, matching->words);
        const int base = matching->node[node].base, other = matching->mate[base];
        if (other != MATCHING_NONE)
            matching->mate[base] = matching->mate[other] = MATCHING_NONE;
    }
    blossom_dissolve(matching, node);
}

void matching_loosen(struct matching *matching, int vertex)
{
    while (matching->top[vertex] != vertex)
        open_node(matching, matching->top[vertex]);
}

/* A blossom may have its partners change along any edge of its ring: so it must not keep this one.
 */
void matching_allow(struct matching *matching, int a, int b, bool legal)
{
    if (!legal && matching->top[a] == matching->top[b])
        matching_loosen(matching, a);
    if (!legal && matching->mate[a] == b)
        matching->mate[a] = matching->mate[b] = MATCHING_NONE;
    write_legal(matching, a, b, legal);
}

void matching_remove(struct matching *matching, int vertex)
{
    matching_loosen(matching, vertex);
    const int other = matching->mate[vertex];
    if (other != MATCHING_NONE)
        matching->mate[vertex] = matching->mate[other] = MATCHING_NONE;
    matching->alive[vertex] = false;
}

void matching_settle(struct matching *matching, int vertex)
{
    uint64_t *best = matching->scratch, *least = best + matching->words;
    const unsigned words = matching->words;
    bool any = false;
    assert(matching->top[vertex] == vertex);
    wide_zero(dual_of(matching, vertex), words);
    for (int other = 0; other < matching->count; other++) {
        if (other == vertex || !edge_is_open(matching, vertex, other))
            continue;
        compute_slack(matching, vertex, other, best);
        if (!any || wide_less(best, least, words))
            wide_copy(least, best, words);
        any = true;
    }
    if (any)
        wide_subtract(dual_of(matching, vertex), least, words);
    const int other = matching->mate[vertex];
    if (other == MATCHING_NONE)
        return;
    compute_slack(matching, vertex, other, best);
    if (!wide_is_zero(best, words))
        matching->mate[vertex] = matching->mate[other] = MATCHING_NONE;
}
