#include <event/standings.h>

#include "cups.h"
#include "groups.h"
#include "points.h"
#include "robin.h"
#include "sort.h"
#include "swiss.h"
#include <stdlib.h>
#include <string.h>

/* ---- ties at tables */

enum { WINS, OPPONENTS, DIRECT, SECONDS };

/* What those have whom one has met. */
struct opponents {
    uint64_t sum;
    uint32_t least, count;
};

struct gathering {
    struct opponents opponents[EVENT_ENTRANTS_MAX];
    uint16_t group[EVENT_ENTRANTS_MAX]; /* of each entrant: who are equal so far */
    uint16_t at[EVENT_ENTRANTS_MAX];    /* and its place in the list */
};

typedef void pair_fn(void *context, const struct event_table *table, unsigned seat, unsigned other);

/* Each two who were at one table, both ways. */
static void visit_meetings(const struct event *event, pair_fn *visit, void *context)
{
    for (unsigned round = 0; round < event_counted_rounds(event); round++) {
        for (unsigned at = 0; at < event->round[round].tables; at++) {
            const struct event_table *table = &event->round[round].table[at];
            for (unsigned i = 0; table->over && i < table->seats; i++) {
                for (unsigned j = 0; j < table->seats; j++) {
                    if (i != j && table->place[i] && table->place[j])
                        visit(context, table, i, j);
                }
            }
        }
    }
}

struct meeting_sum {
    struct gathering *gathering;
    struct event_standing *standings;
};

static void add_opponent(void *context, const struct event_table *table, unsigned seat,
                         unsigned other)
{
    const struct meeting_sum *sum = context;
    struct opponents *opponents = &sum->gathering->opponents[table->seat[seat] - 1];
    const uint32_t points = sum->standings[table->seat[other] - 1].points;
    if (opponents->count++ == 0 || points < opponents->least)
        opponents->least = points;
    opponents->sum += points;
}

static void add_direct(void *context, const struct event_table *table, unsigned seat,
                       unsigned other)
{
    const struct meeting_sum *sum = context;
    const struct gathering *gathering = sum->gathering;
    const unsigned a = table->seat[seat] - 1u, b = table->seat[other] - 1u;
    if (gathering->group[a] != gathering->group[b])
        return;
    int64_t *direct = &sum->standings[gathering->at[a]].tie[DIRECT];
    *direct +=
        (table->place[seat] < table->place[other]) - (table->place[seat] > table->place[other]);
}

static void count_places(const struct event *event, struct event_standing standings[])
{
    for (unsigned round = 0; round < event_counted_rounds(event); round++) {
        for (unsigned at = 0; at < event->round[round].tables; at++) {
            const struct event_table *table = &event->round[round].table[at];
            for (unsigned i = 0; table->over && i < table->seats; i++) {
                struct event_standing *standing = &standings[table->seat[i] - 1];
                standing->played += table->place[i] != 0;
                standing->tie[WINS] += table->place[i] == 1;
                standing->tie[SECONDS] += table->place[i] == 2;
            }
        }
    }
}

static void set_groups(struct gathering *gathering, const struct event_standing standings[],
                       unsigned count)
{
    uint16_t group = 0;
    for (unsigned i = 0; i < count; i++) {
        if (i > 0 && !event_standings_equal(&standings[i - 1], &standings[i], DIRECT))
            group++;
        gathering->group[standings[i].entrant - 1] = group;
        gathering->at[standings[i].entrant - 1] = (uint16_t)i;
    }
}

static bool rank_tables(const struct event *event, struct event_standing standings[])
{
    struct gathering *gathering = calloc(1, sizeof *gathering);
    struct meeting_sum sum = {gathering, standings};
    if (!gathering)
        return false;
    count_places(event, standings);
    visit_meetings(event, add_opponent, &sum);
    for (unsigned i = 0; i < event->entrants; i++) {
        const struct opponents *opponents = &gathering->opponents[i];
        if (opponents->count > 1)
            standings[i].tie[OPPONENTS] =
                (int64_t)(1000 * (opponents->sum - opponents->least) / (opponents->count - 1));
    }
    event_sort_standings(standings, event->entrants, DIRECT);
    set_groups(gathering, standings, event->entrants);
    visit_meetings(event, add_direct, &sum);
    event_sort_standings(standings, event->entrants, EVENT_TIES);
    free(gathering);
    return true;
}

/* Whoever did not come to it is behind those who did. */
static void note_final(const struct event *event, struct event_standing standings[])
{
    if (event_counted_rounds(event) == event->rounds)
        return;
    const struct event_table *table = &event->round[event->rounds - 1].table[0];
    for (unsigned i = 0; table->over && i < table->seats; i++)
        standings[table->seat[i] - 1].final =
            (uint8_t)(table->place[i] ? EVENT_SEATS_MAX + 2 - table->place[i] : 1);
}

static bool rank(const struct event *event, struct event_standing standings[])
{
    switch (event->rules.form) {
    case EVENT_TABLES:
        break;
    case EVENT_ROBIN:
        return event_rank_robin(event, standings);
    case EVENT_CUP:
        event_rank_cup(event, standings);
        return true;
    case EVENT_SWISS:
        return event_rank_swiss(event, standings);
    case EVENT_GROUPS:
        event_rank_groups(event, standings);
        return true;
    }
    note_final(event, standings);
    return rank_tables(event, standings);
}

bool event_standings(const struct event *event, struct event_standing standings[])
{
    uint32_t points[EVENT_ENTRANTS_MAX];
    event_sum_points(event, points);
    for (unsigned i = 0; i < event->entrants; i++)
        standings[i] = (struct event_standing){
            .entrant = (uint16_t)(i + 1), .counts = true, .points = points[i]};
    const bool ranked = rank(event, standings);
    if (ranked)
        event_set_places(standings, event->entrants);
    return ranked;
}
