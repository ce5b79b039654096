/* Whether any of those who sit there is connected. */
#include "room_internal.h"

int64_t room_all_away_ms(const struct room *room)
{
    int64_t since_ms = -1;
    for (unsigned i = 0; i < room->setup.seats; i++) {
        if (room->match->seats[i].session == 0)
            continue;
        if ((room->present >> i) & 1)
            return -1;
        since_ms = room->away_ms[i] > since_ms ? room->away_ms[i] : since_ms;
    }
    return since_ms;
}
