#include "search.h"

#include "tree.h"
#include "turns.h"
#include <assert.h>
#include <string.h>

const struct search_style search_usual = {
    .root = {.places = 250, .builds = 6, .kept = TURNS_KEPT},
    .inner = {.places = 24, .builds = 3, .kept = 12},
    .tile = {.places = 12, .builds = 2, .kept = 1},
    .tiles = 2,
    .explore = CHANCE_ONE * 2 / 5,
    .warmth = CHANCE_ONE / 25,
};

enum { DEPTH_MAX = 40 };

/* One search. */
struct search {
    const struct net *net;
    const struct search_style *style;
    const struct computer_question *question;
    struct tree tree;
    uint64_t rated;
};

/* One simulation: the way down, and the position at its end. */
struct walk {
    struct taluva game;
    uint8_t unseen[TALUVA_TILE_TWO_HEX];
    unsigned n_unseen;
    unsigned depth;
    struct edge *edges[DEPTH_MAX];
    struct node *nodes[DEPTH_MAX];
};

static uint32_t square_root(uint64_t number)
{
    uint64_t root = 0;
    for (uint64_t bit = (uint64_t)1 << 31; bit != 0; bit >>= 1) {
        if ((root + bit) * (root + bit) <= number)
            root += bit;
    }
    return (uint32_t)root;
}

/* The edge's chance so far, its first rating counting as one visit. */
static int64_t worth_of(const struct edge *edge, unsigned seat)
{
    return (edge->sum[seat] + edge->rated.chances[seat]) / ((int64_t)edge->visits + 1);
}

static struct edge *choose_edge(const struct search *search, struct node *node)
{
    struct edge *const edges = node_edges(node);
    const int64_t root = square_root((uint64_t)(node->visits + 1) << 16); /* in 1 / 256 */
    struct edge *best = &edges[0];
    int64_t best_worth = INT64_MIN;
    for (unsigned i = 0; i < node->n_edges; i++) {
        const int64_t bonus = ((int64_t)search->style->explore * edges[i].prior >> 16) * root / 256;
        const int64_t worth =
            worth_of(&edges[i], node->seat) + bonus / ((int64_t)edges[i].visits + 1);
        if (worth <= best_worth)
            continue;
        best = &edges[i];
        best_worth = worth;
    }
    return best;
}

/* What has come up after an edge. */
struct seen {
    unsigned n;    /* tiles */
    int64_t share; /* of what is unseen */
    const struct node *by_tile[TALUVA_TILE_TWO_HEX];
};

static void find_seen(struct seen *seen, const struct walk *walk, const struct edge *edge)
{
    memset(seen, 0, sizeof *seen);
    for (const struct node *child = edge->first; child; child = child->next) {
        seen->n++;
        seen->share += walk->unseen[child->tile];
        seen->by_tile[child->tile] = child;
    }
}

/* Is it time for a tile that has not come up after this edge, if there is one? */
static bool wants_new_tile(const struct search *search, const struct walk *walk,
                           const struct edge *edge, unsigned seen)
{
    unsigned all = 0;
    for (unsigned tile = 0; tile < TALUVA_TILE_TWO_HEX; tile++)
        all += walk->unseen[tile] > 0;
    return seen < all && seen <= square_root((uint64_t)search->style->tiles * (edge->visits + 1));
}

/*
 * The tile that has come up least for its share of what is unseen, among the new ones or those that
 * have come up; ties by the seed, so that the edges of a node see the same tiles first.
 */
static taluva_tile choose_tile(const struct search *search, const struct walk *walk,
                               const struct edge *edge)
{
    const unsigned first = (unsigned)(search->question->seed % TALUVA_TILE_TWO_HEX);
    int64_t most = INT64_MIN;
    taluva_tile chosen = TALUVA_TILE_NONE;
    struct seen seen;
    find_seen(&seen, walk, edge);
    const bool new = wants_new_tile(search, walk, edge, seen.n);
    for (unsigned i = 0; i < TALUVA_TILE_TWO_HEX; i++) {
        const taluva_tile tile = (taluva_tile)((first + i) % TALUVA_TILE_TWO_HEX);
        const struct node *const child = seen.by_tile[tile];
        if (walk->unseen[tile] == 0 || new != !child)
            continue;
        const int64_t visits = child ? child->visits : 0;
        const int64_t lack = (int64_t)walk->unseen[tile] * (edge->visits + 1) - visits * seen.share;
        if (lack <= most)
            continue;
        most = lack;
        chosen = tile;
    }
    return chosen;
}

/* In step draw: TALUVA_TILE_NONE where there is a choice to make before a tile is seen. */
static taluva_tile next_tile(const struct search *search, const struct walk *walk,
                             const struct edge *edge)
{
    const bool draws = (edge->rated.turn.parts & TURN_DRAW) != 0;
    if (walk->n_unseen == 0)
        return TALUVA_TILE_NONE;
    if (!draws && walk->game.two_hex != 0 &&
        (taluva_may_take(&walk->game) & ~TALUVA_TAKE_DRAW) != 0)
        return TALUVA_TILE_NONE;
    return choose_tile(search, walk, edge);
}

static void see_tile(struct walk *walk, taluva_tile tile)
{
    const enum taluva_status status = taluva_draw(&walk->game, walk->game.seat, tile, NULL);
    assert(status == TALUVA_OK);
    (void)status;
    walk->unseen[tile]--;
    walk->n_unseen--;
}

/* What a seat that may draw can expect: its best turns with a few likely tiles. */
static void rate_draw(struct search *search, const struct walk *walk, int32_t *chances)
{
    enum { TILES = 5 };
    struct walk next = *walk;
    int64_t sums[TALUVA_SEATS_MAX] = {0}, weight = 0;
    for (unsigned i = 0; i < TILES && next.n_unseen > 0; i++) {
        taluva_tile tile = 0;
        for (unsigned other = 1; other < TALUVA_TILE_TWO_HEX; other++)
            tile = next.unseen[other] > next.unseen[tile] ? (taluva_tile)other : tile;
        if (next.unseen[tile] == 0)
            break;
        struct turns turns = {0};
        next.game = walk->game;
        (void)taluva_draw(&next.game, next.game.seat, tile, NULL);
        turns_with_tile(&turns, search->net, &next.game, tile, search->style->tile, &search->rated);
        for (unsigned seat = 0; seat < TALUVA_SEATS_MAX; seat++)
            sums[seat] += (int64_t)turns.list[0].chances[seat] * next.unseen[tile];
        weight += next.unseen[tile];
        next.unseen[tile] = 0;
    }
    for (unsigned seat = 0; seat < TALUVA_SEATS_MAX && weight > 0; seat++)
        chances[seat] = (int32_t)(sums[seat] / weight);
}

static void list_before_drawing(struct search *search, const struct walk *walk,
                                struct turns_width width, struct turns *turns)
{
    const unsigned may_take = taluva_may_take(&walk->game);
    if ((may_take & TALUVA_TAKE_DRAW) != 0 && walk->n_unseen > 0) {
        struct turn_rated draw = {.turn.parts = TURN_DRAW};
        rate_draw(search, walk, draw.chances);
        turns_add(turns, walk->game.seat, width.kept, &draw);
    }
    for (unsigned i = 0; i < TALUVA_TWO_HEX_MAX; i++) {
        if ((may_take >> i & 1) != 0)
            turns_with_tile(turns, search->net, &walk->game, (taluva_tile)(TALUVA_TILE_TWO_HEX + i),
                            width, &search->rated);
    }
}

static void list_turns(struct search *search, const struct walk *walk, struct turns_width width,
                       struct turns *turns)
{
    turns->n = 0;
    switch ((enum taluva_step)walk->game.step) {
    case TALUVA_STEP_DRAW:
        list_before_drawing(search, walk, width, turns);
        return;
    case TALUVA_STEP_PLACE:
        turns_with_tile(turns, search->net, &walk->game, walk->game.tile, width, &search->rated);
        return;
    case TALUVA_STEP_BUILD:
        turns_building(turns, search->net, &walk->game, width, &search->rated);
        return;
    case TALUVA_STEP_OVER:
        return;
    }
}

static void go_down(struct search *search, struct walk *walk, int32_t *chances)
{
    struct node *node = search->tree.root;
    for (;;) {
        struct edge *const edge = choose_edge(search, node);
        walk->nodes[walk->depth] = node;
        walk->edges[walk->depth++] = edge;
        memcpy(chances, edge->rated.chances, sizeof edge->rated.chances);
        if (edge->rated.final || walk->depth == DEPTH_MAX)
            return;
        turn_apply(&walk->game, &edge->rated.turn);
        if (walk->game.step == TALUVA_STEP_OVER) {
            turns_rate_end(&walk->game, chances);
            return;
        }
        const taluva_tile tile = next_tile(search, walk, edge);
        if (tile != TALUVA_TILE_NONE)
            see_tile(walk, tile);
        struct node *child = tree_child(edge, tile);
        if (!child) {
            struct turns turns;
            list_turns(search, walk, search->style->inner, &turns);
            if (turns.n > 0)
                memcpy(chances, turns.list[0].chances, sizeof turns.list[0].chances);
            child =
                tree_add(&search->tree, edge, tile, walk->game.seat, &turns, search->style->warmth);
            if (child)
                child->visits = 1;
            return;
        }
        node = child;
    }
}

static void go_up(struct walk *walk, const int32_t *chances)
{
    while (walk->depth > 0) {
        struct edge *const edge = walk->edges[--walk->depth];
        walk->nodes[walk->depth]->visits++;
        edge->visits++;
        for (unsigned seat = 0; seat < TALUVA_SEATS_MAX; seat++)
            edge->sum[seat] += chances[seat];
    }
}

static void walk_init(struct walk *walk, const struct computer_question *question)
{
    walk->game = *question->game;
    walk->depth = 0;
    walk->n_unseen = 0;
    memcpy(walk->unseen, question->unseen, sizeof walk->unseen);
    for (unsigned i = 0; i < TALUVA_TILE_TWO_HEX; i++)
        walk->n_unseen += walk->unseen[i];
}

static bool is_cancelled(const struct computer_question *question)
{
    return question->cancel && atomic_load_explicit(question->cancel, memory_order_relaxed);
}

/* ---- the answer */

static void answer_turn(struct computer_answer *answer, const struct turn *turn, uint32_t visits)
{
    struct computer_turn *const out = &answer->turns[answer->n++];
    out->placement = turn->placement;
    out->build = turn->build;
    out->parts = turn->parts;
    out->visits = visits;
}

static void answer_from_turns(struct computer_answer *answer, const struct turns *turns)
{
    for (unsigned i = 0; i < turns->n; i++) {
        answer_turn(answer, &turns->list[i].turn, 0);
        memcpy(answer->turns[i].chances, turns->list[i].chances, sizeof answer->turns[i].chances);
    }
}

/* Most visits first, then the better chance, then the better first rating. */
static void answer_from_tree(struct computer_answer *answer, struct node *root)
{
    struct edge *const edges = node_edges(root);
    bool taken[TURNS_KEPT] = {false};
    while (answer->n < root->n_edges) {
        unsigned best = root->n_edges;
        for (unsigned i = 0; i < root->n_edges; i++) {
            if (taken[i])
                continue;
            if (best == root->n_edges || edges[i].visits > edges[best].visits ||
                (edges[i].visits == edges[best].visits &&
                 worth_of(&edges[i], root->seat) > worth_of(&edges[best], root->seat)))
                best = i;
        }
        taken[best] = true;
        answer_turn(answer, &edges[best].rated.turn, edges[best].visits);
        for (unsigned seat = 0; seat < TALUVA_SEATS_MAX; seat++)
            answer->turns[answer->n - 1].chances[seat] = (int32_t)worth_of(&edges[best], seat);
    }
}

/* Nothing to think about: one turn only, or the best one ends the game as well as can be. */
static bool is_decided(const struct turns *turns, unsigned seat)
{
    return turns->n == 1 || (turns->list[0].final && turns->list[0].chances[seat] == CHANCE_ONE);
}

/* Can `left` more simulations not make another turn the most visited? */
static bool is_settled(struct node *root, uint32_t left)
{
    const struct edge *const edges = node_edges(root);
    uint32_t most = 0, second = 0;
    for (unsigned i = 0; i < root->n_edges; i++) {
        const uint32_t visits = edges[i].visits;
        second = visits > most ? most : visits > second ? visits : second;
        most = visits > most ? visits : most;
    }
    return most - second > left;
}

void search_run(const struct net *net, const struct search_style *style,
                const struct computer_question *question, struct computer_answer *answer)
{
    struct search search = {.net = net, .style = style, .question = question};
    struct walk walk;
    struct turns turns;
    memset(answer, 0, sizeof *answer);
    walk_init(&walk, question);
    list_turns(&search, &walk, style->root, &turns);
    assert(turns.n > 0);
    tree_init(&search.tree, question->memory, question->memory_bytes);
    if (question->simulations > 0 && !is_decided(&turns, walk.game.seat))
        tree_add_root(&search.tree, walk.game.seat, &turns, style->warmth);
    while (search.tree.root && answer->simulations < question->simulations) {
        int32_t chances[TALUVA_SEATS_MAX];
        answer->cancelled = is_cancelled(question);
        if (answer->cancelled)
            break;
        if (question->best_only &&
            is_settled(search.tree.root, question->simulations - answer->simulations))
            break;
        walk_init(&walk, question);
        go_down(&search, &walk, chances);
        go_up(&walk, chances);
        answer->simulations++;
    }
    answer->rated = search.rated;
    if (search.tree.root)
        answer_from_tree(answer, search.tree.root);
    else
        answer_from_turns(answer, &turns);
}
