#include "pool.h"

#include "sort.h"
#include <hub/kernel.h>
#include <protocol/encoding.h>
#include <string.h>

enum { THOUSAND = 1000, BY_AGE = 0 /* in place of a kind of table, as there is none of it */ };

/* Who is looked for, one after the other: all; those who would play with anybody; those who would
 * with computers in the seats of who is missing. */
enum { STAGE_ALL, STAGE_ANYBODY, STAGE_FILLED };

/* Tables at which each plays for themselves. */
static uint16_t kinds_alone(void)
{
    unsigned kinds = 0;
    for (unsigned game = 0; game < POOL_GAMES; game++) {
        for (unsigned size = POOL_SIZE_MIN; size <= POOL_SIZE_MAX; size++)
            kinds |= 1U << pool_kind(game, size);
    }
    return (uint16_t)kinds;
}

static unsigned size_of(unsigned kind)
{
    return kind % (POOL_SIZE_MAX + 1);
}

static int64_t waited_ms(const struct ticket *ticket, int64_t now_ms)
{
    return now_ms > ticket->since_ms ? now_ms - ticket->since_ms : 0;
}

uint64_t pool_reach(const struct ticket *ticket)
{
    return ticket->reach ? (uint64_t)ticket->reach * THOUSAND : UINT64_MAX;
}

uint64_t pool_window(const struct ticket *ticket, unsigned kind, int64_t now_ms)
{
    const int64_t waited = waited_ms(ticket, now_ms);
    const uint64_t reach = pool_reach(ticket);
    if (waited >= (int64_t)POOL_ANYBODY_S * THOUSAND)
        return reach;
    const uint64_t window = (uint64_t)POOL_WINDOW * THOUSAND + ticket->rating[kind].deviation / 2 +
                            (uint64_t)waited * POOL_WIDENS;
    return window < reach ? window : reach;
}

bool pool_read_id(const char *text, uint64_t *id)
{
    uint8_t bytes[POOL_ID_DIGITS / 2];
    if (!hex_decode(bytes, sizeof bytes, text, POOL_ID_DIGITS))
        return false;
    *id = 0;
    for (size_t at = 0; at < sizeof bytes; at++)
        *id = *id << 8 | bytes[at];
    return *id != 0;
}

static void write_id(char id[static POOL_ID_DIGITS], uint64_t session)
{
    for (size_t at = POOL_ID_DIGITS; at > 0; session >>= 4)
        id[--at] = "0123456789abcdef"[session & 15];
}

/* By halves, as there may be hundreds. */
static bool names_session(const struct ticket *ticket, uint64_t session)
{
    char id[POOL_ID_DIGITS];
    size_t low = 0, high = ticket->apart_count;
    if (high == 0)
        return false;
    write_id(id, session);
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = memcmp(ticket->apart + middle * POOL_ID_DIGITS, id, sizeof id);
        if (order == 0)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

bool pool_is_apart(const struct ticket *one, const struct ticket *other)
{
    return names_session(one, other->session) || names_session(other, one->session);
}

bool pool_has_met(const struct ticket *one, const struct ticket *other, int64_t now_ms)
{
    if (one->met_ms == 0 || now_ms >= one->met_ms + POOL_MET_MS)
        return false;
    for (size_t at = 0; at < sizeof one->met / sizeof one->met[0]; at++) {
        if (one->met[at] == other->session)
            return true;
    }
    return false;
}

/* Have they just played, and are there others, for whom they have not waited too long? */
static bool is_repeat(const struct pool *pool, const struct ticket *one, const struct ticket *other,
                      unsigned kind)
{
    const int64_t longest_ms = (int64_t)POOL_ANYBODY_S * THOUSAND;
    if (!pool_has_met(one, other, pool->now_ms) && !pool_has_met(other, one, pool->now_ms))
        return false;
    return pool->crowd[kind] > size_of(kind) && (waited_ms(one, pool->now_ms) < longest_ms ||
                                                 waited_ms(other, pool->now_ms) < longest_ms);
}

bool pool_is_same_source(const struct ticket *one, const struct ticket *other)
{
    enum { HOUSEHOLD = 1 };
    return one->source != 0 && other->source != 0 &&
           kernel_source_is_near(one->source, other->source, HOUSEHOLD);
}

bool pool_is_same_device(const struct ticket *one, const struct ticket *other)
{
    return one->device != 0 && one->device == other->device;
}

/* Farther than one of them lets anybody be? Else those between two who would play with anybody keep
 * them apart, however long these wait. */
static bool is_beyond(const struct ticket *one, const struct ticket *other, unsigned kind)
{
    const uint32_t left = one->rating[kind].strength, right = other->rating[kind].strength;
    const uint32_t spread = left < right ? right - left : left - right;
    return spread > pool_reach(one) || spread > pool_reach(other);
}

static bool is_barred(const struct pool *pool, size_t one, size_t other, unsigned kind)
{
    const struct ticket *left = &pool->tickets[one], *right = &pool->tickets[other];
    return !(left->clocks & right->clocks) || pool_is_same_source(left, right) ||
           pool_is_same_device(left, right) || is_beyond(left, right, kind) ||
           pool_is_apart(left, right) || is_repeat(pool, left, right, kind);
}

/* ---- those who would play at such a table, in the order of their ratings */

/* By strength, or by age, the oldest first. */
struct ticket_order {
    struct pool *pool;
    unsigned kind;
};

static bool ticket_goes_before(void *ctx, size_t a, size_t b)
{
    const struct ticket_order *by = ctx;
    struct pool *pool = by->pool;
    const unsigned kind = by->kind;
    const struct ticket *left = &pool->tickets[a], *right = &pool->tickets[b];
    const uint32_t left_strength = left->rating[kind].strength;
    const uint32_t right_strength = right->rating[kind].strength;
    pool->steps++;
    if (kind == BY_AGE && left->since_ms != right->since_ms)
        return left->since_ms < right->since_ms;
    if (kind != BY_AGE && left_strength != right_strength)
        return left_strength < right_strength;
    return a < b;
}

/* Into `order`; how many they are. */
static size_t line_up(struct pool *pool, unsigned kind, size_t *order)
{
    const unsigned wanted = kind == BY_AGE ? kinds_alone() : 1U << kind;
    size_t count = 0;
    for (size_t at = 0; at < pool->count; at++) {
        const struct ticket *ticket = &pool->tickets[at];
        const bool fits = !ticket->with && (ticket->kinds & wanted) != 0 &&
                          (ticket->computers || pool->stage != STAGE_FILLED);
        if (!ticket->leaves && !ticket->changes && fits && ticket->since_ms <= pool->before_ms)
            order[count++] = at;
    }
    sort_positions(order, count, ticket_goes_before, &(struct ticket_order){pool, kind});
    return count;
}

/* Are there some, and tables enough for those who have not waited long? Nobody knows yet how good
 * they are; and who begins anew each time is only put together with others who do. */
static bool is_new_apart(const struct pool *pool, unsigned kind, const size_t *order, size_t count)
{
    const size_t size = size_of(kind), least = size > POOL_NEW_CROWD ? size : POOL_NEW_CROWD;
    size_t new = 0;
    for (size_t at = 0; at < count; at++)
        new += pool->tickets[order[at]].is_new;
    return new >= least && pool->stage == STAGE_ALL;
}

/* Each knows who is beside them, at such a table. */
static void link_up(struct pool *pool, unsigned kind)
{
    size_t *order = pool->order, last[2] = {POOL_NOBODY, POOL_NOBODY};
    const size_t count = line_up(pool, kind, order);
    const bool apart = is_new_apart(pool, kind, order, count);
    pool->crowd[kind] = count;
    pool->apart |= apart;
    for (size_t at = 0; at < count; at++) {
        const size_t own = order[at];
        size_t *beside = &last[apart && pool->tickets[own].is_new];
        pool->weaker[kind][own] = *beside;
        pool->stronger[kind][own] = POOL_NOBODY;
        if (*beside != POOL_NOBODY)
            pool->stronger[kind][*beside] = own;
        *beside = own;
    }
}

/* Of all tables that it would take. */
static void take_out(struct pool *pool, size_t own)
{
    const unsigned kinds = pool->tickets[own].kinds & kinds_alone();
    for (unsigned kind = 0; kinds >> kind != 0; kind++) {
        if (!(kinds >> kind & 1))
            continue;
        const size_t weaker = pool->weaker[kind][own], stronger = pool->stronger[kind][own];
        pool->crowd[kind]--;
        if (weaker != POOL_NOBODY)
            pool->stronger[kind][weaker] = stronger;
        if (stronger != POOL_NOBODY)
            pool->weaker[kind][stronger] = weaker;
    }
}

/* ---- runs of neighbours */

struct best {
    bool there;
    int64_t cost; /* thousandths */
    struct group group;
};

static bool have_apart(const struct pool *pool, const size_t at[], unsigned size, unsigned kind)
{
    for (unsigned i = 0; i < size; i++) {
        for (unsigned j = 0; j < i; j++) {
            if (is_barred(pool, at[i], at[j], kind))
                return true;
        }
    }
    return false;
}

/* May so many play, the weakest first, and is it better than the best one so far? */
static void try_run(struct pool *pool, const size_t at[], unsigned size, unsigned kind,
                    struct best *best)
{
    uint64_t window = UINT64_MAX;
    int64_t waited = 0;
    uint8_t clocks = UINT8_MAX;
    for (unsigned i = 0; i < size; i++) {
        const struct ticket *ticket = &pool->tickets[at[i]];
        clocks &= ticket->clocks;
        const uint64_t own = pool_window(ticket, kind, pool->now_ms);
        window = own < window ? own : window;
        waited += waited_ms(ticket, pool->now_ms);
        pool->steps++;
    }
    const struct ticket *first = &pool->tickets[at[0]], *last = &pool->tickets[at[size - 1]];
    const uint32_t spread = last->rating[kind].strength - first->rating[kind].strength;
    if (spread > window || clocks == 0)
        return;
    const int64_t cost =
        (int64_t)spread - (int64_t)POOL_SIZE_BONUS * THOUSAND * size - waited / (2 * (int64_t)size);
    if ((best->there && cost >= best->cost) || have_apart(pool, at, size, kind))
        return;
    *best = (struct best){.there = true,
                          .cost = cost,
                          .group = {.size = size,
                                    .computers = size_of(kind) - size,
                                    .game = (uint8_t)(kind / (POOL_SIZE_MAX + 1)),
                                    .clocks = clocks}};
    for (unsigned i = 0; i < size; i++)
        best->group.at[i] = at[i];
}

/* The next one on that side who may play with the seeker, behind a few who may not. */
static size_t find_beside(struct pool *pool, const size_t *beside, size_t at, size_t seeker,
                          unsigned kind)
{
    for (unsigned passed = 0; passed <= POOL_APART_PASSED_MAX; passed++) {
        at = beside[at];
        pool->steps++;
        if (at == POOL_NOBODY || !is_barred(pool, seeker, at, kind))
            return at;
    }
    return POOL_NOBODY;
}

/* All runs of so many that the seeker is in. */
static void try_runs(struct pool *pool, size_t seeker, unsigned size, unsigned kind,
                     struct best *best)
{
    size_t near[2 * POOL_SIZE_MAX - 1], first = POOL_SIZE_MAX - 1, end = POOL_SIZE_MAX;
    near[first] = seeker;
    for (size_t at = seeker; first + size > POOL_SIZE_MAX; near[--first] = at) {
        at = find_beside(pool, pool->weaker[kind], at, seeker, kind);
        if (at == POOL_NOBODY)
            break;
    }
    for (size_t at = seeker; end < POOL_SIZE_MAX - 1U + size; near[end++] = at) {
        at = find_beside(pool, pool->stronger[kind], at, seeker, kind);
        if (at == POOL_NOBODY)
            break;
    }
    for (size_t at = first; at < POOL_SIZE_MAX && at + size <= end; at++)
        try_run(pool, &near[at], size, kind, best);
}

/* At the tables that it would take, but for so many seats. */
static void try_tables(struct pool *pool, size_t seeker, unsigned computers, struct best *best)
{
    for (unsigned size = POOL_SIZE_MAX; size >= POOL_SIZE_MIN + computers; size--) {
        for (unsigned game = 0; game < POOL_GAMES; game++) {
            if (pool->tickets[seeker].kinds >> pool_kind(game, size) & 1)
                try_runs(pool, seeker, size - computers, pool_kind(game, size), best);
        }
    }
}

/* Of as many people with as few computers as may be. */
static bool find_group(struct pool *pool, size_t seeker, struct group *group)
{
    const bool filled = pool->stage == STAGE_FILLED;
    struct best best = {.there = false};
    for (unsigned computers = filled; computers <= (filled ? POOL_SIZE_MAX - POOL_SIZE_MIN : 0);
         computers++)
        try_tables(pool, seeker, computers, &best);
    *group = best.group;
    return best.there;
}

/* ---- one after the other */

static void begin_with(struct pool *pool, unsigned stage)
{
    static const int waited_s[] = {
        [STAGE_ALL] = 0, [STAGE_ANYBODY] = POOL_ANYBODY_S, [STAGE_FILLED] = POOL_FILL_S};
    pool->stage = stage;
    pool->before_ms =
        stage == STAGE_ALL ? INT64_MAX : pool->now_ms - (int64_t)waited_s[stage] * THOUSAND;
    pool->taken = pool->apart = false;
    for (unsigned kind = 0; kind < POOL_KINDS; kind++) {
        if (kinds_alone() >> kind & 1)
            link_up(pool, kind);
    }
    pool->waiting = line_up(pool, BY_AGE, pool->order);
}

void pool_begin(struct pool *pool, const struct ticket *tickets, size_t count, int64_t now_ms,
                size_t *work)
{
    *pool = (struct pool){.tickets = tickets, .count = count, .now_ms = now_ms, .order = work};
    for (unsigned kind = 0; kind < POOL_KINDS; kind++) {
        if (!(kinds_alone() >> kind & 1))
            continue;
        pool->weaker[kind] = work += count;
        pool->stronger[kind] = work += count;
    }
    begin_with(pool, STAGE_ALL);
}

/* Who was passed over may have other neighbours by now, or there are too few who are new; and
 * between two who would play with anybody there may be one who has just come, and would not. False:
 * that was all. */
static bool begin_again(struct pool *pool)
{
    if (++pool->passes == POOL_PASSES)
        return false;
    if (!pool->found) {
        const bool again = pool->apart && pool->taken;
        if (!again && pool->stage == STAGE_FILLED)
            return false;
        begin_with(pool, again ? pool->stage : pool->stage + 1);
    }
    pool->at = 0;
    pool->found = false;
    return true;
}

bool pool_next(struct pool *pool, struct group *group)
{
    do {
        while (pool->at < pool->waiting) {
            const size_t seeker = pool->order[pool->at++];
            if (pool->tickets[seeker].leaves || !find_group(pool, seeker, group))
                continue;
            for (unsigned i = 0; i < group->size; i++)
                take_out(pool, group->at[i]);
            pool->found = pool->taken = true;
            return true;
        }
    } while (begin_again(pool));
    return false;
}
