#include "pool.h"

enum { THOUSAND = 1000 };

static int64_t waited_ms(const struct ticket *ticket, int64_t now_ms)
{
    return now_ms > ticket->since_ms ? now_ms - ticket->since_ms : 0;
}

uint64_t pool_window(const struct ticket *ticket, unsigned size, int64_t now_ms)
{
    const int64_t waited = waited_ms(ticket, now_ms);
    if (waited >= (int64_t)POOL_ANYBODY_S * THOUSAND)
        return UINT64_MAX;
    return (uint64_t)POOL_WINDOW * THOUSAND + ticket->rating[size].deviation / 2 +
           (uint64_t)waited * POOL_WIDENS;
}

/* ---- those who would play at such a table, in the order of their ratings */

struct row {
    const struct ticket *tickets;
    size_t *order, *place, count; /* tickets; and where each is in the order */
    unsigned size;                /* 0: by age, the oldest first */
    int64_t before_ms;            /* only who has come before that */
};

static bool goes_before(const struct row *row, size_t a, size_t b)
{
    const struct ticket *left = &row->tickets[a], *right = &row->tickets[b];
    const uint32_t left_strength = left->rating[row->size].strength;
    const uint32_t right_strength = right->rating[row->size].strength;
    if (row->size == 0 && left->since_ms != right->since_ms)
        return left->since_ms < right->since_ms;
    if (row->size != 0 && left_strength != right_strength)
        return left_strength < right_strength;
    return a < b;
}

static void sift(struct row *row, size_t root, size_t count)
{
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && goes_before(row, row->order[child], row->order[child + 1]))
            child++;
        if (!goes_before(row, row->order[root], row->order[child]))
            return;
        const size_t moved = row->order[root];
        row->order[root] = row->order[child];
        row->order[child] = moved;
    }
}

/* A heap, as qsort has no place for whose the numbers are. */
static void sort(struct row *row)
{
    for (size_t root = row->count / 2; root > 0; root--)
        sift(row, root - 1, row->count);
    for (size_t last = row->count; last > 1; last--) {
        const size_t top = row->order[0];
        row->order[0] = row->order[last - 1];
        row->order[last - 1] = top;
        sift(row, 0, last - 1);
    }
}

static void line_up(struct row *row, size_t count, unsigned game)
{
    row->count = 0;
    for (size_t at = 0; at < count; at++) {
        const struct ticket *ticket = &row->tickets[at];
        const bool fits = row->size == 0 || ticket->sizes >> row->size & 1;
        if (!ticket->leaves && ticket->game == game && fits && ticket->since_ms <= row->before_ms)
            row->order[row->count++] = at;
    }
    sort(row);
    for (size_t at = 0; at < row->count; at++)
        row->place[row->order[at]] = at;
}

/* ---- runs of neighbours */

struct best {
    bool there;
    int64_t cost; /* thousandths */
    struct group group;
};

/* The run that begins there: may they play, and is it better than the best one so far? */
static void try_run(const struct row *row, size_t begin, int64_t now_ms, struct best *best)
{
    uint64_t window = UINT64_MAX;
    int64_t waited = 0;
    for (size_t i = begin; i < begin + row->size; i++) {
        const struct ticket *ticket = &row->tickets[row->order[i]];
        const uint64_t own = pool_window(ticket, row->size, now_ms);
        window = own < window ? own : window;
        waited += waited_ms(ticket, now_ms);
    }
    const struct ticket *first = &row->tickets[row->order[begin]];
    const struct ticket *last = &row->tickets[row->order[begin + row->size - 1]];
    const uint32_t spread = last->rating[row->size].strength - first->rating[row->size].strength;
    if (spread > window)
        return;
    const int64_t cost = (int64_t)spread - (int64_t)POOL_SIZE_BONUS * THOUSAND * row->size -
                         waited / (2 * (int64_t)row->size);
    if (best->there && cost >= best->cost)
        return;
    *best = (struct best){.there = true, .cost = cost, .group = {.size = row->size}};
    for (size_t i = 0; i < row->size; i++)
        best->group.at[i] = row->order[begin + i];
}

static void try_runs(const struct row *row, size_t seeker, int64_t now_ms, struct best *best)
{
    const size_t place = row->place[seeker], most = row->size - 1;
    for (size_t at = place > most ? place - most : 0; at <= place && at + row->size <= row->count;
         at++)
        try_run(row, at, now_ms, best);
}

static bool find_group(const struct row rows[], const struct ticket *ticket, size_t seeker,
                       int64_t now_ms, struct group *group)
{
    struct best best = {.there = false};
    for (unsigned size = POOL_SIZE_MAX; size >= POOL_SIZE_MIN; size--) {
        if (ticket->sizes >> size & 1)
            try_runs(&rows[size], seeker, now_ms, &best);
    }
    *group = best.group;
    return best.there;
}

static bool find_in_game(struct row rows[], size_t count, unsigned game, int64_t now_ms,
                         struct group *group)
{
    struct row *ages = &rows[0];
    for (unsigned size = 0; size <= POOL_SIZE_MAX; size++)
        line_up(&rows[size], count, game);
    for (size_t at = 0; at < ages->count; at++) {
        const size_t seeker = ages->order[at];
        if (find_group(rows, &ages->tickets[seeker], seeker, now_ms, group))
            return true;
    }
    return false;
}

/* Who has come before that, among themselves. */
static bool find_before(const struct ticket *tickets, size_t count, int64_t before_ms,
                        int64_t now_ms, size_t *work, struct group *group)
{
    struct row rows[POOL_SIZE_MAX + 1];
    for (unsigned size = 0; size <= POOL_SIZE_MAX; size++, work += 2 * count)
        rows[size] = (struct row){.tickets = tickets,
                                  .order = work,
                                  .place = work + count,
                                  .size = size,
                                  .before_ms = before_ms};
    for (unsigned game = 0; game < POOL_GAMES; game++) {
        if (find_in_game(rows, count, game, now_ms, group))
            return true;
    }
    return false;
}

/* Between two who would play with anybody there may be one who has just come, and would not. */
bool pool_next_group(const struct ticket *tickets, size_t count, int64_t now_ms, size_t *work,
                     struct group *group)
{
    return find_before(tickets, count, INT64_MAX, now_ms, work, group) ||
           find_before(tickets, count, now_ms - (int64_t)POOL_ANYBODY_S * THOUSAND, now_ms, work,
                       group);
}
