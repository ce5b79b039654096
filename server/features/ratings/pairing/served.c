#include "served.h"

#include <hub/prometheus.h>
#include <stddef.h>
#include <string.h>

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

/* ---- favourites */

/* Of teams what both are rated, on the mean. */
static void find_strengths(const struct book_match *match, uint32_t strengths[RATING_SEATS])
{
    const unsigned side_seats = match->seats / match->sides;
    for (unsigned seat = 0; seat < match->seats; seat++)
        strengths[match->seat[seat].side] += match->seat[seat].before.strength / side_seats;
}

static unsigned find_strongest(const uint32_t strengths[], unsigned sides, bool *alone)
{
    unsigned strongest = 0;
    *alone = true;
    for (unsigned side = 1; side < sides; side++) {
        if (strengths[side] == strengths[strongest])
            *alone = false;
        if (strengths[side] <= strengths[strongest])
            continue;
        strongest = side;
        *alone = true;
    }
    return strongest;
}

struct served_favourite served_favourite(const struct book_match *match)
{
    const struct rating_class *class = rating_class_at(match->class);
    uint32_t strengths[RATING_SEATS] = {0}, chances[RATING_SEATS];
    bool alone;
    find_strengths(match, strengths);
    const unsigned side = find_strongest(strengths, match->sides, &alone);
    if (class->places || match->still || !match->winners || !alone)
        return (struct served_favourite){.class = 0};
    rating_chances(strengths, match->sides, rating_class_scale(class, match->sides), chances);
    return (struct served_favourite){
        .class = match->class,
        .won = match->winners >> side & 1 ? RATING_ONE / rating_count_sides(match->winners) : 0,
        .foretold = chances[side]};
}

void served_add_favourite(struct served *served, const struct served_favourite *favourite)
{
    struct served_favourites *of = &served->favourites[favourite->class];
    of->matches++;
    of->won += favourite->won;
    of->foretold += favourite->foretold;
}

/* Matches or shares; of a class of which there was none there is nothing. */
static void write_favourites(const struct served *served, const char *name, const char *help,
                             size_t member, double unit, struct buffer *out)
{
    prometheus_head(out, name, "counter", help);
    for (unsigned class = 1; class <= RATING_CLASSES; class ++) {
        const struct served_favourites *of = &served->favourites[class];
        uint64_t value;
        memcpy(&value, (const char *)of + member, sizeof value);
        if (of->matches > 0)
            prometheus_line(out, "taluva_%s{class=\"%s\"} %.3f\n", name,
                            rating_class_at(class)->name, (double)value * unit);
    }
}

static void write_all_favourites(const struct served *served, struct buffer *out)
{
    enum { MATCHES = offsetof(struct served_favourites, matches) };
    enum { WON = offsetof(struct served_favourites, won) };
    enum { FORETOLD = offsetof(struct served_favourites, foretold) };
    const double share = 1.0 / RATING_ONE;
    write_favourites(served, "rated_favourites_total",
                     "Rated matches in which one side was rated above all others, by class.",
                     MATCHES, 1, out);
    write_favourites(served, "rated_favourites_won_total",
                     "... which that side won; who shares it has a share.", WON, share, out);
    write_favourites(served, "rated_favourites_foretold_total",
                     "... and how many of them by the ratings alone.", FORETOLD, share, out);
}

/* ---- metrics */

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
    write_all_favourites(served, out);
}
