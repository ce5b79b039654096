#include "sort.h"

#include <stdlib.h>

/* <0: `one` stands before `other`. */
static int compare(const struct event_standing *one, const struct event_standing *other,
                   unsigned ties)
{
    if (one->counts != other->counts)
        return one->counts ? -1 : 1;
    if (one->final != other->final)
        return one->final > other->final ? -1 : 1;
    if (one->points != other->points)
        return one->points > other->points ? -1 : 1;
    for (unsigned i = 0; i < ties; i++) {
        if (one->tie[i] != other->tie[i])
            return one->tie[i] > other->tie[i] ? -1 : 1;
    }
    return 0;
}

bool event_standings_equal(const struct event_standing *one, const struct event_standing *other,
                           unsigned ties)
{
    return compare(one, other, ties) == 0;
}

void event_sort_standings(struct event_standing standings[], unsigned count, unsigned ties)
{
    for (unsigned i = 1; i < count; i++) {
        const struct event_standing moved = standings[i];
        unsigned j = i;
        for (; j > 0; j--) {
            const int order = compare(&standings[j - 1], &moved, ties);
            if (order < 0 || (order == 0 && standings[j - 1].entrant < moved.entrant))
                break;
            standings[j] = standings[j - 1];
        }
        standings[j] = moved;
    }
}

void event_set_places(struct event_standing standings[], unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const bool equal =
            i > 0 && event_standings_equal(&standings[i - 1], &standings[i], EVENT_TIES);
        standings[i].place = equal ? standings[i - 1].place : (uint16_t)(i + 1);
    }
}
