#include "served.h"

#include <hub/prometheus.h>

enum { POINT = 1000, SECOND_MS = 1000 }; /* ratings are in thousandths */

struct served_table served_look(const struct ticket tickets[], const struct group *group,
                                unsigned class, int64_t now_ms)
{
    const unsigned kind =
        pool_kind(group->game, group->teams ? POOL_TEAMS : group->size + group->computers);
    struct served_table table = {.class = (uint8_t) class, .size = group->size};
    uint32_t least = UINT32_MAX, most = 0;
    if ((!group->teams && tickets[group->at[0]].with != 0) || group->computers > 0)
        table.class = 0;
    for (unsigned i = 0; i < group->size; i++) {
        const struct ticket *ticket = &tickets[group->at[i]];
        const uint32_t strength = ticket->rating[kind].strength;
        const int64_t waited_ms = now_ms - ticket->since_ms;
        table.waited_s[i] = waited_ms > 0 ? (uint64_t)waited_ms / SECOND_MS : 0;
        least = strength < least ? strength : least;
        most = strength > most ? strength : most;
    }
    table.spread = (most - least) / POINT;
    return table;
}

void served_add(struct served *served, const struct served_table *table)
{
    struct served_class *of = &served->of[table->class];
    if (table->class == 0)
        return;
    for (unsigned i = 0; i < table->size; i++) {
        of->waits[prometheus_bucket(table->waited_s[i], SERVED_WAITS, SERVED_WAIT_FIRST)]++;
        of->waited_s += table->waited_s[i];
    }
    of->spreads[prometheus_bucket(table->spread, SERVED_SPREADS, SERVED_SPREAD_FIRST)]++;
    of->spread += table->spread;
}

static bool has_table(const struct served_class *of)
{
    uint64_t tables = 0;
    for (unsigned at = 0; at < SERVED_SPREADS; at++)
        tables += of->spreads[at];
    return tables > 0;
}

void served_write(const struct served *served, struct buffer *out)
{
    prometheus_head(out, "seek_wait_seconds", "histogram",
                    "How long people had sought when a match was found for them, by class.");
    for (unsigned class = 1; class <= RATING_CLASSES; class ++) {
        const struct served_class *of = &served->of[class];
        const struct prometheus_buckets waits = {of->waits, SERVED_WAITS, SERVED_WAIT_FIRST, 1};
        if (has_table(of))
            prometheus_labelled_buckets(out, "seek_wait_seconds", "class",
                                        rating_class_at(class)->name, &waits, (double)of->waited_s);
    }
    prometheus_head(out, "seek_spread_points", "histogram",
                    "From the weakest to the strongest of who were put together, by class.");
    for (unsigned class = 1; class <= RATING_CLASSES; class ++) {
        const struct served_class *of = &served->of[class];
        const struct prometheus_buckets spreads = {of->spreads, SERVED_SPREADS, SERVED_SPREAD_FIRST,
                                                   1};
        if (has_table(of))
            prometheus_labelled_buckets(out, "seek_spread_points", "class",
                                        rating_class_at(class)->name, &spreads, (double)of->spread);
    }
}
