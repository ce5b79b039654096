/* Matchings of small graphs beside all that there are, while weights and edges change. */
#include "../../support/rng.h"
#include "matching.h"
#include "suites.h"

enum { VERTICES_MAX = 10, SEEDS = 3000, CHANGES = 6, NONE = -1 };

/* The graph as the test knows it: of each edge a weight, NONE: it is not legal. */
struct graph {
    int count, weighted;
    int weight[VERTICES_MAX][VERTICES_MAX];
    bool alive[VERTICES_MAX];
};

/* So that weights lie across two words. */
enum { WORDS = 3, SHIFT = 60 };

static struct matching matching;
static struct graph graph;

/* The greatest sum of all who are in `left`, as bits; NONE: they have not all a partner. */
static int find_best(unsigned left)
{
    int first = 0, best = NONE;
    if (left == 0)
        return 0;
    while (!(left >> first & 1))
        first++;
    for (int other = first + 1; other < graph.count; other++) {
        if (!(left >> other & 1) || graph.weight[first][other] == NONE)
            continue;
        const int rest = find_best(left & ~(1U << first) & ~(1U << other));
        if (rest != NONE && rest + graph.weight[first][other] > best)
            best = rest + graph.weight[first][other];
    }
    return best;
}

static int find_best_of_all(void)
{
    unsigned left = 0;
    for (int v = 0; v < graph.count; v++)
        left |= graph.alive[v] ? 1U << v : 0;
    return find_best(left);
}

static int sum_found(void)
{
    int sum = 0;
    for (int v = 0; v < graph.count; v++) {
        const int mate = matching.mate[v];
        if (!graph.alive[v])
            continue;
        ck_assert_int_ne(mate, MATCHING_NONE);
        ck_assert_int_eq(matching.mate[mate], v);
        ck_assert_int_ne(graph.weight[v][mate], NONE);
        sum += v < mate ? graph.weight[v][mate] : 0;
    }
    return sum;
}

static void set_edge(struct rng *rng, int a, int b, int most)
{
    const bool legal = rng_below(rng, 4) > 0;
    const bool weighs = a < graph.weighted && b < graph.weighted;
    const int weight = !legal ? NONE : weighs ? (int)rng_below(rng, (uint32_t)most) : 0;
    graph.weight[a][b] = graph.weight[b][a] = weight;
    matching_allow(&matching, a, b, legal);
    if (weight > 0)
        matching_add(&matching, a, b, SHIFT, (uint64_t)weight);
}

static void make_graph(struct rng *rng)
{
    graph = (struct graph){.count = 2 * (1 + (int)rng_below(rng, VERTICES_MAX / 2))};
    graph.weighted = (int)rng_below(rng, (uint32_t)graph.count + 1);
    ck_assert(matching_init(&matching, graph.count, graph.weighted, WORDS));
    const int most = 1 + (int)rng_below(rng, 12);
    for (int a = 0; a < graph.count; a++) {
        graph.alive[a] = true;
        matching.first[a] = rng_below(rng, 2) > 0;
        for (int b = 0; b < a; b++)
            set_edge(rng, a, b, most);
    }
}

/* Another weight for each edge of a vertex. */
static void change_vertex(struct rng *rng, int vertex)
{
    if (vertex >= graph.weighted)
        return;
    matching_loosen(&matching, vertex);
    for (int other = 0; other < graph.weighted; other++) {
        if (other == vertex || graph.weight[vertex][other] == NONE)
            continue;
        const int more = (int)rng_below(rng, 5), less = graph.weight[vertex][other] / 2;
        matching_add(&matching, vertex, other, SHIFT, (uint64_t)more);
        matching_subtract(&matching, vertex, other, SHIFT, (uint64_t)less);
        graph.weight[vertex][other] += more - less;
        graph.weight[other][vertex] = graph.weight[vertex][other];
    }
    matching_settle(&matching, vertex);
}

static void strike_edge(int a, int b)
{
    if (a == b)
        return;
    graph.weight[a][b] = graph.weight[b][a] = NONE;
    matching_allow(&matching, a, b, false);
}

static void remove_pair(int vertex)
{
    const int mate = matching.mate[vertex];
    if (mate == MATCHING_NONE)
        return;
    matching_remove(&matching, vertex);
    matching_remove(&matching, mate);
    graph.alive[vertex] = graph.alive[mate] = false;
}

static void change_graph(struct rng *rng)
{
    const int vertex = (int)rng_below(rng, (uint32_t)graph.count);
    if (!graph.alive[vertex])
        return;
    switch (rng_below(rng, 3)) {
    case 0:
        change_vertex(rng, vertex);
        break;
    case 1:
        strike_edge(vertex, (int)rng_below(rng, (uint32_t)graph.count));
        break;
    default:
        remove_pair(vertex);
    }
}

START_TEST(are_the_best_of_all)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct rng rng = {seed};
        make_graph(&rng);
        for (int change = 0; change <= CHANGES; change++) {
            const int best = find_best_of_all();
            const bool solved = matching_solve(&matching);
            ck_assert_msg(solved == (best != NONE), "seed %u", (unsigned)seed);
            if (!solved)
                break;
            ck_assert_msg(sum_found() == best, "seed %u", (unsigned)seed);
            change_graph(&rng);
        }
        matching_release(&matching);
    }
}
END_TEST

Suite *matching_suite(void)
{
    Suite *suite = suite_create("matching");
    TCase *cases = tcase_create("all");
    tcase_add_test(cases, are_the_best_of_all);
    suite_add_tcase(suite, cases);
    return suite;
}
