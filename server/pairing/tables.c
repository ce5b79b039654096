#include <pairing/tables.h>

#include <stdlib.h>
#include <string.h>

/* Exchanges that are tried, for each table, and how often all begins anew. */
enum { EXCHANGES_OF_TABLE = 500, STARTS = 4 };

/* Of a table; over all tables that with less of the first, and then of the second, is better. */
struct cost {
    uint64_t repeats; /* squares of how often each two have met */
    uint64_t spread;  /* squares of differences of points, of each two */
};

/* One way to seat everybody, and what it costs. */
struct seating {
    const struct pairing_seeker *seekers;
    const uint8_t *met;
    unsigned count;
    struct pairing_tables tables;
    struct cost cost[PAIRING_ENTRANTS_MAX / TABLE_SEATS_MIN], sum;
};

bool pairing_table_sizes(unsigned count, struct pairing_tables *tables)
{
    if (count < TABLE_SEATS_MIN || count > PAIRING_ENTRANTS_MAX)
        return false;
    /* 4a + 3b with the largest a: so b is what is missing to the next four. */
    const unsigned threes = count == TABLE_SEATS_MAX ? 0 : (4 - count % 4) % 4;
    const unsigned fours = count == TABLE_SEATS_MAX ? 0 : (count - 3 * threes) / 4;
    tables->tables = count == TABLE_SEATS_MAX ? 1 : fours + threes;
    for (unsigned i = 0; i < tables->tables; i++)
        tables->seats[i] = i < fours ? 4 : 3;
    if (count == TABLE_SEATS_MAX)
        tables->seats[0] = TABLE_SEATS_MAX;
    return true;
}

/* ---- what a seating costs */

static struct cost measure_table(const struct seating *seating, unsigned table)
{
    struct cost cost = {0};
    const uint16_t *seat = seating->tables.seat[table];
    for (unsigned i = 0; i < seating->tables.seats[table]; i++) {
        for (unsigned j = 0; j < i; j++) {
            const uint64_t met = seating->met[seat[i] * seating->count + seat[j]];
            const int64_t apart = (int64_t)seating->seekers[seat[i]].points -
                                  (int64_t)seating->seekers[seat[j]].points;
            cost.repeats += met * met;
            cost.spread += (uint64_t)(apart * apart);
        }
    }
    return cost;
}

static bool cost_is_less(struct cost a, struct cost b)
{
    return a.repeats != b.repeats ? a.repeats < b.repeats : a.spread < b.spread;
}

static void sum_costs(struct seating *seating)
{
    seating->sum = (struct cost){0};
    for (unsigned i = 0; i < seating->tables.tables; i++) {
        seating->cost[i] = measure_table(seating, i);
        seating->sum.repeats += seating->cost[i].repeats;
        seating->sum.spread += seating->cost[i].spread;
    }
}

/* ---- looking for a better one */

static void shuffle_equals(const struct pairing_seeker seekers[], unsigned count,
                           const struct pairing_lots *lots, uint16_t order[])
{
    for (unsigned i = 0; i < count; i++)
        order[i] = (uint16_t)i;
    for (unsigned from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && seekers[to].points == seekers[from].points;)
            to++;
        for (unsigned i = to - from; i > 1; i--) {
            const unsigned other = from + lots->draw(lots->context, i);
            const uint16_t moved = order[from + i - 1];
            order[from + i - 1] = order[other];
            order[other] = moved;
        }
    }
}

/* From the top of the standings, table by table. */
static void seat_in_order(struct seating *seating, const uint16_t order[])
{
    for (unsigned table = 0, at = 0; table < seating->tables.tables; table++) {
        for (unsigned i = 0; i < seating->tables.seats[table]; i++)
            seating->tables.seat[table][i] = order[at++];
    }
    sum_costs(seating);
}

static void swap_seats(struct seating *seating, unsigned a, unsigned seat_a, unsigned b,
                       unsigned seat_b)
{
    const uint16_t moved = seating->tables.seat[a][seat_a];
    seating->tables.seat[a][seat_a] = seating->tables.seat[b][seat_b];
    seating->tables.seat[b][seat_b] = moved;
}

/* Kept if it does not cost more. */
static void try_exchange(struct seating *seating, const struct pairing_lots *lots)
{
    const unsigned a = lots->draw(lots->context, seating->tables.tables);
    unsigned b = lots->draw(lots->context, seating->tables.tables - 1);
    b += b >= a;
    const unsigned seat_a = lots->draw(lots->context, seating->tables.seats[a]);
    const unsigned seat_b = lots->draw(lots->context, seating->tables.seats[b]);
    swap_seats(seating, a, seat_a, b, seat_b);
    const struct cost of_a = measure_table(seating, a), of_b = measure_table(seating, b);
    struct cost sum = seating->sum;
    sum.repeats +=
        of_a.repeats + of_b.repeats - seating->cost[a].repeats - seating->cost[b].repeats;
    sum.spread += of_a.spread + of_b.spread - seating->cost[a].spread - seating->cost[b].spread;
    if (cost_is_less(seating->sum, sum)) {
        swap_seats(seating, a, seat_a, b, seat_b);
        return;
    }
    seating->cost[a] = of_a;
    seating->cost[b] = of_b;
    seating->sum = sum;
}

/* Whoever has begun least often begins; of several, by lot. */
static void choose_first(struct seating *seating, unsigned table, const struct pairing_lots *lots)
{
    const uint16_t *seat = seating->tables.seat[table];
    unsigned first = 0, equals = 1;
    for (unsigned i = 1; i < seating->tables.seats[table]; i++) {
        const uint32_t began = seating->seekers[seat[i]].began;
        const uint32_t least = seating->seekers[seat[first]].began;
        equals = began == least ? equals + 1 : equals;
        if (began < least) {
            first = i;
            equals = 1;
        } else if (began == least && lots->draw(lots->context, equals) == 0) {
            first = i;
        }
    }
    swap_seats(seating, table, 0, table, first);
}

static void improve_seating(struct seating *seating, const struct pairing_lots *lots)
{
    uint16_t order[PAIRING_ENTRANTS_MAX];
    shuffle_equals(seating->seekers, seating->count, lots, order);
    seat_in_order(seating, order);
    if (seating->tables.tables < 2)
        return;
    for (unsigned i = 0; i < EXCHANGES_OF_TABLE * seating->tables.tables; i++)
        try_exchange(seating, lots);
}

bool pairing_tables(const struct pairing_seeker seekers[], unsigned count,
                    const struct pairing_met *met, const struct pairing_lots *lots,
                    struct pairing_tables *tables)
{
    struct seating *tried = calloc(2, sizeof *tried), *best = tried ? tried + 1 : NULL;
    if (!tried || !pairing_table_sizes(count, &tried->tables)) {
        free(tried);
        return false;
    }
    tried->seekers = seekers;
    tried->met = met->count;
    tried->count = count;
    for (int start = 0; start < STARTS; start++) {
        improve_seating(tried, lots);
        if (start == 0 || cost_is_less(tried->sum, best->sum))
            *best = *tried;
    }
    for (unsigned i = 0; i < best->tables.tables; i++)
        choose_first(best, i, lots);
    *tables = best->tables;
    free(tried);
    return true;
}

unsigned pairing_tables_repeats(const struct pairing_tables *tables, unsigned count,
                                const struct pairing_met *met)
{
    unsigned repeats = 0;
    for (unsigned table = 0; table < tables->tables; table++) {
        const uint16_t *seat = tables->seat[table];
        for (unsigned i = 0; i < tables->seats[table]; i++) {
            for (unsigned j = 0; j < i; j++)
                repeats += met->count[seat[i] * count + seat[j]] > 0;
        }
    }
    return repeats;
}
