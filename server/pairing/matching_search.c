#include "matching_private.h"
#include <assert.h>

/* ---- a search */

enum event { EVENT_NONE, EVENT_GROW, EVENT_BLOSSOM, EVENT_EXPAND };

struct choice {
    enum event event;
    int at;         /* a vertex to grow to, else a node */
    uint64_t *step; /* how far the duals may go till then */
};

static void offer_choice(const struct matching *matching, struct choice *choice, enum event event,
                         int at, const uint64_t *slack, bool half)
{
    uint64_t *step = matching->scratch;
    wide_copy(step, slack, matching->words);
    if (half)
        wide_halve(step, matching->words);
    if (choice->event != EVENT_NONE && !wide_less(step, choice->step, matching->words))
        return;
    choice->event = event;
    choice->at = at;
    wide_copy(choice->step, step, matching->words);
}

static void offer_node(struct matching *matching, struct choice *choice, int node)
{
    const struct matching_edge edge = matching->reach[node];
    uint64_t *slack = matching->scratch + matching->words;
    if (matching->node[node].label == LABEL_ODD) {
        if (node >= matching->count)
            offer_choice(matching, choice, EVENT_EXPAND, node, excess_of(matching, node), true);
    } else if (!edge_is_none(&edge)) {
        compute_slack(matching, edge.from, edge.to, slack);
        offer_choice(matching, choice, EVENT_BLOSSOM, node, slack, true);
    }
}

static void offer_vertex(struct matching *matching, struct choice *choice, int vertex)
{
    if (!vertex_is(matching, vertex, LABEL_FREE))
        offer_node(matching, choice, matching->top[vertex]);
    else if (matching->free_from[vertex] != MATCHING_NONE)
        offer_choice(matching, choice, EVENT_GROW, vertex, slack_free_of(matching, vertex), false);
}

/* Something that needs no step, if one is known. */
static bool choose_tight(struct matching *matching, struct choice *choice)
{
    while (matching->tight_count > 0) {
        offer_vertex(matching, choice, matching->tight[--matching->tight_count]);
        if (choice->event != EVENT_NONE && wide_is_zero(choice->step, matching->words))
            return true;
        choice->event = EVENT_NONE;
    }
    return false;
}

static void choose_event(struct matching *matching, struct choice *choice)
{
    choice->event = EVENT_NONE;
    choice->step = matching->scratch + 2 * (size_t)matching->words;
    if (choose_tight(matching, choice))
        return;
    for (int vertex = 0; vertex < matching->count; vertex++) {
        if (matching->alive[vertex] && (vertex_is(matching, vertex, LABEL_FREE) ||
                                        matching->node[matching->top[vertex]].base == vertex))
            offer_vertex(matching, choice, vertex);
    }
}

static void shift_blossom(struct matching *matching, int vertex, const uint64_t *twice)
{
    const int node = matching->top[vertex];
    if (node < matching->count || matching->node[node].base != vertex)
        return;
    if (matching->node[node].label == LABEL_EVEN)
        wide_add(excess_of(matching, node), twice, matching->words);
    else
        wide_subtract(excess_of(matching, node), twice, matching->words);
}

static void shift_duals(struct matching *matching, const uint64_t *step)
{
    uint64_t *twice = matching->scratch;
    const unsigned words = matching->words;
    if (wide_is_zero(step, words))
        return;
    wide_copy(twice, step, words);
    wide_double(twice, words);
    for (int vertex = 0; vertex < matching->count; vertex++) {
        if (!matching->alive[vertex])
            continue;
        if (vertex_is(matching, vertex, LABEL_FREE)) {
            if (matching->free_from[vertex] != MATCHING_NONE)
                wide_subtract(slack_free_of(matching, vertex), step, words);
            continue;
        }
        if (vertex_is(matching, vertex, LABEL_EVEN))
            wide_subtract(dual_of(matching, vertex), step, words);
        else
            wide_add(dual_of(matching, vertex), step, words);
        assert(wide_has_room(dual_of(matching, vertex), words));
        shift_blossom(matching, vertex, twice);
    }
}

/* True: it has reached somebody without a partner. */
static bool grow_tree(struct matching *matching, int vertex)
{
    const int node = matching->top[vertex];
    const int out = matching->mate[matching->node[node].base];
    if (out == MATCHING_NONE) {
        tree_augment(matching, matching->free_from[vertex], vertex);
        return true;
    }
    matching->node[node].label = LABEL_ODD;
    matching->node[node].entry_from = matching->free_from[vertex];
    matching->node[node].entry_to = vertex;
    tree_enter(matching, matching->top[out]);
    return false;
}

static void begin_search(struct matching *matching, int root)
{
    matching->queue_count = matching->tight_count = matching->even_count = 0;
    for (int vertex = 0; vertex < matching->count; vertex++) {
        matching->scanned[vertex] = false;
        matching->free_from[vertex] = MATCHING_NONE;
        matching->node[matching->top[vertex]].label = LABEL_FREE;
    }
    tree_enter(matching, matching->top[root]);
}

static bool search_from(struct matching *matching, int root)
{
    int scanned = 0;
    begin_search(matching, root);
    for (;;) {
        struct choice choice;
        while (scanned < matching->queue_count)
            tree_scan(matching, matching->queue[scanned++]);
        choose_event(matching, &choice);
        if (choice.event == EVENT_NONE)
            return false;
        shift_duals(matching, choice.step);
        if (choice.event == EVENT_EXPAND)
            tree_expand_blossom(matching, choice.at);
        else if (choice.event == EVENT_BLOSSOM)
            tree_make_blossom(matching, matching->reach[choice.at].from,
                              matching->reach[choice.at].to);
        else if (grow_tree(matching, choice.at))
            return true;
    }
}

/* The cheapest edge that is free, if there is one: saves most searches at the beginning. */
static void match_at_once(struct matching *matching, int vertex)
{
    uint64_t *slack = matching->scratch;
    matching_settle(matching, vertex);
    for (int other = 0; other < matching->count; other++) {
        if (!edge_is_open(matching, vertex, other) || matching->mate[other] != MATCHING_NONE ||
            matching->top[other] != other)
            continue;
        compute_slack(matching, vertex, other, slack);
        if (wide_is_zero(slack, matching->words)) {
            matching->mate[vertex] = other;
            matching->mate[other] = vertex;
            return;
        }
    }
}

/* Those who come in first have dual values above all weights among them. */
static void begin_first(struct matching *matching)
{
    uint64_t *half = matching->scratch;
    for (int vertex = 0; vertex < matching->weighted; vertex++) {
        for (int other = 0; matching->first[vertex] && other < matching->weighted; other++) {
            if (!matching->first[other] || !edge_is_open(matching, vertex, other))
                continue;
            wide_copy(half, matching_weight(matching, vertex, other), matching->words);
            wide_halve(half, matching->words);
            if (wide_less(dual_of(matching, vertex), half, matching->words))
                wide_copy(dual_of(matching, vertex), half, matching->words);
        }
    }
}

/* The others come in one after another, each with the partner that it finds. */
static void begin_duals(struct matching *matching)
{
    matching->begun = true;
    begin_first(matching);
    for (int vertex = 0; vertex < matching->count; vertex++)
        matching->alive[vertex] = matching->first[vertex];
    for (int vertex = 0; vertex < matching->count; vertex++) {
        if (matching->alive[vertex])
            continue;
        matching->alive[vertex] = true;
        match_at_once(matching, vertex);
    }
}

bool matching_solve(struct matching *matching)
{
    if (!matching->begun)
        begin_duals(matching);
    for (int vertex = 0; vertex < matching->count; vertex++) {
        if (matching->alive[vertex] && matching->mate[vertex] == MATCHING_NONE &&
            matching->top[vertex] == vertex)
            match_at_once(matching, vertex);
    }
    for (int vertex = 0; vertex < matching->count; vertex++) {
        if (matching->alive[vertex] && matching->mate[vertex] == MATCHING_NONE &&
            !search_from(matching, vertex))
            return false;
    }
    return true;
}
