#include "matching_private.h"

/* ---- the tree */

static void queue_leaves(struct matching *matching, int node)
{
    const int count = blossom_leaves(matching, node);
    for (int i = 0; i < count; i++)
        matching->queue[matching->queue_count++] = matching->leaves[i];
}

static struct matching_edge *edge_between(const struct matching *matching, int from, int to)
{
    return &matching->between[(size_t)from * 2 * (size_t)matching->count + (size_t)to];
}

/* A new even node, from which no edge is known. */
static void add_even(struct matching *matching, int node)
{
    const struct matching_edge none = {0};
    for (int i = 0; i < matching->even_count; i++)
        *edge_between(matching, node, matching->even[i]) =
            *edge_between(matching, matching->even[i], node) = none;
    matching->reach[node] = none;
    matching->node[node].label = LABEL_EVEN;
    matching->even[matching->even_count++] = node;
}

static void drop_even(struct matching *matching, int node)
{
    int kept = 0;
    for (int i = 0; i < matching->even_count; i++) {
        if (matching->even[i] != node)
            matching->even[kept++] = matching->even[i];
    }
    matching->even_count = kept;
}

void tree_enter(struct matching *matching, int node)
{
    add_even(matching, node);
    queue_leaves(matching, node);
}

/* What can be done at once is found without looking at all; twice as many as vertices are kept. */
static void note_tight(struct matching *matching, int vertex, const uint64_t *slack)
{
    if (matching->tight_count < 2 * matching->count && wide_is_zero(slack, matching->words))
        matching->tight[matching->tight_count++] = vertex;
}

static void offer_edge(struct matching *matching, struct matching_edge *edge, int from, int to,
                       const uint64_t *slack)
{
    uint64_t *other = matching->scratch + matching->words;
    if (!edge_is_none(edge)) {
        compute_slack(matching, edge->from, edge->to, other);
        if (!wide_less(slack, other, matching->words))
            return;
    }
    *edge = (struct matching_edge){(uint16_t)from, (uint16_t)to};
}

/* Between two even nodes: the best edge of each two of them is kept, and the best of each. */
static void offer_even_edge(struct matching *matching, int from, int to, int from_node, int to_node)
{
    uint64_t *slack = matching->scratch;
    struct matching_edge *between = edge_between(matching, from_node, to_node);
    compute_slack(matching, from, to, slack);
    offer_edge(matching, between, from, to, slack);
    *edge_between(matching, to_node, from_node) =
        (struct matching_edge){between->to, between->from};
    offer_edge(matching, &matching->reach[from_node], from, to, slack);
    offer_edge(matching, &matching->reach[to_node], to, from, slack);
    note_tight(matching, from, slack);
}

void tree_scan(struct matching *matching, int vertex)
{
    uint64_t *slack = matching->scratch;
    matching->scanned[vertex] = true;
    for (int other = 0; other < matching->count; other++) {
        if (!edge_is_open(matching, vertex, other) || matching->top[other] == matching->top[vertex])
            continue;
        const bool even = vertex_is(matching, other, LABEL_EVEN);
        if (even && !matching->scanned[other])
            continue; /* which will see this one */
        if (even) {
            offer_even_edge(matching, vertex, other, matching->top[vertex], matching->top[other]);
            continue;
        }
        compute_slack(matching, vertex, other, slack);
        if (matching->free_from[other] == MATCHING_NONE ||
            wide_less(slack, slack_free_of(matching, other), matching->words)) {
            matching->free_from[other] = vertex;
            wide_copy(slack_free_of(matching, other), slack, matching->words);
            note_tight(matching, other, slack);
        }
    }
}

/* The even node above an even one; none: it is the root. */
static int find_above(const struct matching *matching, int node)
{
    const int out = matching->mate[matching->node[node].base];
    if (out == MATCHING_NONE)
        return MATCHING_NONE;
    return matching->top[matching->node[matching->top[out]].entry_from];
}

static int find_common(struct matching *matching, int a, int b)
{
    int common = b;
    for (int node = a; node != MATCHING_NONE; node = find_above(matching, node))
        matching->node[node].marked = true;
    while (!matching->node[common].marked)
        common = find_above(matching, common);
    for (int node = a; node != MATCHING_NONE; node = find_above(matching, node))
        matching->node[node].marked = false;
    return common;
}

static void link_ring(struct matching *matching, int node, int next, int from, int to)
{
    matching->node[node].next = next;
    matching->node[next].prev = node;
    matching->node[node].edge_from = from;
    matching->node[node].edge_to = to;
}

/* From an even node up to `common`; `up`: in the direction of the ring. */
static void link_side(struct matching *matching, int node, int common, bool up)
{
    while (node != common) {
        const int base = matching->node[node].base, out = matching->mate[base];
        const int odd = matching->top[out];
        const int from = matching->node[odd].entry_from, to = matching->node[odd].entry_to;
        const int above = matching->top[from];
        if (up) {
            link_ring(matching, node, odd, base, out);
            link_ring(matching, odd, above, to, from);
        } else {
            link_ring(matching, odd, node, out, base);
            link_ring(matching, above, odd, from, to);
        }
        node = above;
    }
}

/* What its even children knew of other nodes is what the blossom knows. */
static void inherit_edges(struct matching *matching, int node, int child)
{
    for (int i = 0; i < matching->even_count; i++) {
        const int other = matching->even[i];
        const struct matching_edge edge = *edge_between(matching, child, other);
        if (!edge_is_none(&edge) && other != node)
            offer_even_edge(matching, edge.from, edge.to, node, other);
    }
}

static void take_children(struct matching *matching, int node, int first)
{
    int child = first;
    do {
        if (matching->node[child].label == LABEL_EVEN)
            drop_even(matching, child);
        child = matching->node[child].next;
    } while (child != first);
    add_even(matching, node);
    do {
        if (matching->node[child].label == LABEL_ODD)
            queue_leaves(matching, child);
        else
            inherit_edges(matching, node, child);
        matching->node[child].parent = node;
        child = matching->node[child].next;
    } while (child != first);
    blossom_set_top(matching, node);
}

void tree_make_blossom(struct matching *matching, int a, int b)
{
    const int first = matching->top[a], last = matching->top[b];
    const int common = find_common(matching, first, last);
    const int node = matching->spare[--matching->spare_count];
    link_side(matching, first, common, true);
    link_side(matching, last, common, false);
    link_ring(matching, last, first, b, a);
    matching->node[node] = (struct matching_node){
        .parent = MATCHING_NONE, .child = common, .base = matching->node[common].base};
    wide_zero(excess_of(matching, node), matching->words);
    take_children(matching, node, common);
}

static int step_ring(const struct matching *matching, int node, bool forward)
{
    return forward ? matching->node[node].next : matching->node[node].prev;
}

void tree_expand_blossom(struct matching *matching, int node)
{
    const struct matching_node old = matching->node[node];
    const int last = blossom_find_child(matching, node, old.base);
    int at = blossom_find_child(matching, node, old.entry_to), distance = 0;
    for (int child = at; child != last; child = matching->node[child].next)
        distance++;
    const bool forward = distance % 2 == 0;
    blossom_dissolve(matching, node);
    matching->node[at].label = LABEL_ODD;
    matching->node[at].entry_from = old.entry_from;
    matching->node[at].entry_to = old.entry_to;
    while (at != last) {
        const int even = step_ring(matching, at, forward);
        const int next = step_ring(matching, even, forward);
        const struct matching_node *edge = &matching->node[forward ? even : next];
        matching->node[next].label = LABEL_ODD;
        matching->node[next].entry_from = forward ? edge->edge_from : edge->edge_to;
        matching->node[next].entry_to = forward ? edge->edge_to : edge->edge_from;
        tree_enter(matching, even);
        at = next;
    }
}

void tree_augment(struct matching *matching, int from, int to)
{
    for (;;) {
        const int even = matching->top[from];
        const int out = matching->mate[matching->node[even].base];
        blossom_move_base(matching, matching->top[to], to);
        blossom_move_base(matching, even, from);
        matching->mate[from] = to;
        matching->mate[to] = from;
        if (out == MATCHING_NONE)
            return;
        const struct matching_node *odd = &matching->node[matching->top[out]];
        from = odd->entry_from;
        to = odd->entry_to;
    }
}
