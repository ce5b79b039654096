#include "points.h"

#include <string.h>

unsigned event_counted_rounds(const struct event *event)
{
    return event->rounds - event_is_final(event, event->rounds);
}

void event_table_points(enum event_points rule, const struct event_table *table,
                        uint32_t points[static EVENT_SEATS_MAX])
{
    static const uint8_t ladders[][EVENT_SEATS_MAX] = {
        [2] = {1}, [3] = {5, 3, 1}, [4] = {5, 3, 2, 1}, [5] = {5, 3, 2, 1}};
    static const uint8_t win[EVENT_SEATS_MAX] = {1};
    const uint8_t *ladder = rule == EVENT_WINS ? win : ladders[table->seats];
    for (unsigned i = 0; i < table->seats; i++) {
        unsigned equals = 0, sum = 0;
        points[i] = 0;
        for (unsigned j = 0; table->place[i] != 0 && j < table->seats; j++) {
            if (table->place[j] == table->place[i])
                sum += ladder[table->place[i] - 1 + equals++];
        }
        if (equals > 0)
            points[i] = EVENT_POINT * sum / equals;
    }
}

void event_sum_points(const struct event *event, uint32_t points[])
{
    memset(points, 0, event->entrants * sizeof points[0]);
    for (unsigned round = 0; round < event_counted_rounds(event); round++) {
        if (event->round[round].rests != 0)
            points[event->round[round].rests - 1] += EVENT_POINT;
        for (unsigned i = 0; i < event->round[round].tables; i++) {
            const struct event_table *table = &event->round[round].table[i];
            uint32_t each[EVENT_SEATS_MAX];
            if (!table->over)
                continue;
            event_table_points(event->rules.points, table, each);
            for (unsigned seat = 0; seat < table->seats; seat++)
                points[table->seat[seat] - 1] += each[seat];
        }
    }
}
