#include "order.h"

#include <assert.h>

/* Residents who are not paired with somebody from above. */
struct remainder {
    int count, pairs;
    int vertex[PAIRING_ENTRANTS_MAX];
};

static bool is_alive(const struct bracket *bracket, int vertex)
{
    return bracket->matching.alive[vertex];
}

static void fix_pair(struct bracket *bracket, int a, int b, int partner[])
{
    partner[bracket->place[a]] = bracket->place[b];
    partner[bracket->place[b]] = bracket->place[a];
    matching_remove(&bracket->matching, a);
    matching_remove(&bracket->matching, b);
}

/* ---- who from above is paired [3.3, 4.4]: the best of each score for whom it is possible */

static void weigh_pick(struct bracket *bracket, int moved, bool on)
{
    for (int own = bracket->moved; own < bracket->own_end; own++) {
        if (!matching_legal(&bracket->matching, moved, own))
            continue;
        if (on)
            matching_add(&bracket->matching, moved, own, bracket->bit[FIELD_PICK], 1);
        else
            matching_subtract(&bracket->matching, moved, own, bracket->bit[FIELD_PICK], 1);
    }
}

static void keep_in(struct bracket *bracket, int moved)
{
    for (int other = 0; other < bracket->matching.count; other++) {
        if (other != moved && !bracket_is_own(bracket, other))
            matching_allow(&bracket->matching, moved, other, false);
    }
    bracket_solve(bracket);
}

static bool try_moved(struct bracket *bracket, int moved)
{
    if (!bracket_is_paired(bracket, moved)) {
        matching_loosen(&bracket->matching, moved);
        weigh_pick(bracket, moved, true);
        matching_settle(&bracket->matching, moved);
        bracket_solve(bracket);
        const bool paired = bracket_is_paired(bracket, moved);
        matching_loosen(&bracket->matching, moved);
        weigh_pick(bracket, moved, false);
        matching_settle(&bracket->matching, moved);
        if (!paired) {
            bracket_solve(bracket);
            return false;
        }
    }
    keep_in(bracket, moved);
    return true;
}

static int count_paired(const struct bracket *bracket, int from, int to)
{
    int paired = 0;
    for (int v = from; v < to; v++)
        paired += bracket_is_paired(bracket, v);
    return paired;
}

static void choose_moved(struct bracket *bracket, bool chosen[])
{
    for (int from = 0, to; from < bracket->moved; from = to) {
        for (to = from; to < bracket->moved && bracket->group[to] == bracket->group[from];)
            to++;
        int paired = count_paired(bracket, from, to);
        for (int v = from; v < to && paired > 0; v++) {
            chosen[v] = paired == to - v || try_moved(bracket, v);
            paired -= chosen[v];
        }
    }
}

/* ---- whom they meet [3.3, 4.2]: the best opponent for whom it is possible */

/* The first of a list that `vertex` may meet at all; there is one. */
static int find_first(const struct bracket *bracket, int vertex, const int list[], int count)
{
    for (int i = 0; i < count; i++) {
        if (is_alive(bracket, list[i]) && matching_legal(&bracket->matching, vertex, list[i]))
            return list[i];
    }
    return MATCHING_NONE;
}

static void pair_best(struct bracket *bracket, int vertex, const int list[], int count,
                      int partner[])
{
    struct matching *matching = &bracket->matching;
    if (matching->mate[vertex] != find_first(bracket, vertex, list, count)) {
        matching_loosen(matching, vertex);
        for (int i = 0; i < count; i++) {
            if (is_alive(bracket, list[i]) && matching_legal(matching, vertex, list[i]))
                matching_add(matching, vertex, list[i], bracket->bit[FIELD_PICK],
                             (unsigned)(count - i));
        }
        matching_settle(matching, vertex);
        bracket_solve(bracket);
    }
    fix_pair(bracket, vertex, matching->mate[vertex], partner);
    bracket_solve(bracket);
}

static void pair_moved(struct bracket *bracket, const bool chosen[], int partner[])
{
    int own[PAIRING_ENTRANTS_MAX], count = 0;
    for (int v = bracket->moved; v < bracket->own_end; v++)
        own[count++] = v;
    for (int v = 0; v < bracket->moved; v++) {
        if (chosen[v])
            pair_best(bracket, v, own, count, partner);
    }
}

/* ---- the remainder: who is in its upper half [4.3] */

/* Paired, and the better of the two. */
static bool is_upper(const struct bracket *bracket, int vertex)
{
    const int mate = bracket->matching.mate[vertex];
    return mate > vertex && mate < bracket->own_end;
}

static void list_remainder(const struct bracket *bracket, struct remainder *remainder)
{
    remainder->count = remainder->pairs = 0;
    for (int v = bracket->moved; v < bracket->own_end; v++) {
        if (!is_alive(bracket, v))
            continue;
        remainder->vertex[remainder->count++] = v;
        remainder->pairs += is_upper(bracket, v);
    }
}

static int count_exchanges(const struct bracket *bracket, const struct remainder *remainder)
{
    int exchanges = 0;
    for (int i = 0; i < remainder->pairs; i++)
        exchanges += !is_upper(bracket, remainder->vertex[i]);
    return exchanges;
}

/* Fewest exchanges, and then the smallest difference of numbers. */
static void weigh_exchanges(struct bracket *bracket, const struct remainder *remainder)
{
    struct matching *matching = &bracket->matching;
    for (int i = 0; i < remainder->count; i++)
        matching_loosen(matching, remainder->vertex[i]);
    for (int i = 0; i < remainder->count; i++) {
        for (int j = i + 1; j < remainder->count; j++) {
            const int a = remainder->vertex[i], b = remainder->vertex[j];
            if (!matching_legal(matching, a, b))
                continue;
            bracket_weigh(bracket, a, b);
            bracket_weigh_order(bracket, a, b, i, remainder->pairs, remainder->count);
        }
    }
    for (int i = 0; i < remainder->count; i++)
        matching_settle(matching, remainder->vertex[i]);
    bracket_solve(bracket);
}

/* What being in the upper half is worth to one, more or less than it was. */
static void weigh_upper(struct bracket *bracket, const struct remainder *remainder, int index,
                        bool more)
{
    const int vertex = remainder->vertex[index];
    for (int i = index + 1; i < remainder->count; i++) {
        const int other = remainder->vertex[i];
        if (!matching_legal(&bracket->matching, vertex, other))
            continue;
        if (more)
            matching_add(&bracket->matching, vertex, other, bracket->bit[FIELD_PICK], 1);
        else
            matching_subtract(&bracket->matching, vertex, other, bracket->bit[FIELD_PICK], 1);
    }
}

static void try_upper(struct bracket *bracket, const struct remainder *remainder, int index,
                      bool more)
{
    matching_loosen(&bracket->matching, remainder->vertex[index]);
    weigh_upper(bracket, remainder, index, more);
    matching_settle(&bracket->matching, remainder->vertex[index]);
    bracket_solve(bracket);
}

static void keep_from_upper(struct bracket *bracket, const struct remainder *remainder, int index)
{
    for (int i = index + 1; i < remainder->count; i++)
        matching_allow(&bracket->matching, remainder->vertex[index], remainder->vertex[i], false);
    bracket_solve(bracket);
}

static void keep_in_upper(struct bracket *bracket, const struct remainder *remainder, int index)
{
    const int vertex = remainder->vertex[index];
    const int after = index + 1 < remainder->count ? remainder->vertex[index + 1] : vertex + 1;
    for (int other = 0; other < bracket->matching.count; other++) {
        if (other != vertex && (other < after || other >= bracket->own_end))
            matching_allow(&bracket->matching, vertex, other, false);
    }
    bracket_solve(bracket);
}

/* The lowest of the upper half leave it where they can. */
static void choose_leaving(struct bracket *bracket, const struct remainder *remainder, int left)
{
    for (int i = remainder->pairs - 1; i >= 0 && left > 0; i--) {
        const bool try = is_upper(bracket, remainder->vertex[i]);
        if (try)
            try_upper(bracket, remainder, i, false);
        const bool leaves = !is_upper(bracket, remainder->vertex[i]);
        if (try)
            try_upper(bracket, remainder, i, true); /* as it was */
        if (leaves)
            keep_from_upper(bracket, remainder, i);
        left -= leaves;
    }
}

/* The best of the lower half come in where they can; the last follows from the sum of numbers. */
static void choose_coming(struct bracket *bracket, const struct remainder *remainder, int left)
{
    for (int i = remainder->pairs; i < remainder->count && left > 1; i++) {
        const bool try = !is_upper(bracket, remainder->vertex[i]);
        if (try)
            try_upper(bracket, remainder, i, true);
        const bool comes = is_upper(bracket, remainder->vertex[i]);
        if (comes)
            keep_in_upper(bracket, remainder, i);
        if (try)
            try_upper(bracket, remainder, i, false);
        left -= comes;
    }
}

static void choose_upper(struct bracket *bracket, struct remainder *remainder)
{
    if (bracket->guess != remainder->pairs && count_exchanges(bracket, remainder) > 0)
        weigh_exchanges(bracket, remainder);
    const int exchanges = count_exchanges(bracket, remainder);
    choose_leaving(bracket, remainder, exchanges);
    choose_coming(bracket, remainder, exchanges);
}

/* ---- and whom they meet [4.2] */

static void keep_halves(struct bracket *bracket, const struct remainder *remainder,
                        const bool upper[])
{
    for (int i = 0; i < remainder->count; i++) {
        const int vertex = remainder->vertex[i];
        for (int j = i + 1; j < remainder->count; j++) {
            if (!upper[i] || upper[j])
                matching_allow(&bracket->matching, vertex, remainder->vertex[j], false);
        }
        for (int other = bracket->own_end; upper[i] && other < bracket->matching.count; other++)
            matching_allow(&bracket->matching, vertex, other, false);
        for (int other = 0; upper[i] && other < bracket->moved; other++)
            matching_allow(&bracket->matching, vertex, other, false);
    }
    bracket_solve(bracket);
}

static void pair_remainder(struct bracket *bracket, const struct remainder *remainder,
                           int partner[])
{
    bool upper[PAIRING_ENTRANTS_MAX];
    for (int i = 0; i < remainder->count; i++)
        upper[i] = is_upper(bracket, remainder->vertex[i]);
    keep_halves(bracket, remainder, upper);
    for (int i = 0; i < remainder->count; i++) {
        if (upper[i])
            pair_best(bracket, remainder->vertex[i], remainder->vertex, remainder->count, partner);
    }
}

void order_pairs(struct bracket *bracket, int partner[])
{
    bool chosen[PAIRING_ENTRANTS_MAX] = {false};
    struct remainder remainder;
    choose_moved(bracket, chosen);
    pair_moved(bracket, chosen, partner);
    list_remainder(bracket, &remainder);
    if (remainder.pairs == 0)
        return;
    choose_upper(bracket, &remainder);
    pair_remainder(bracket, &remainder, partner);
}
