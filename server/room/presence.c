/* Who of those who sit there is connected, and since when the others are not. */
#include "room_internal.h"
#include <assert.h>
#include <room/room.h>

void room_present(struct room *room, uint8_t seat, bool present, int64_t now_ms)
{
    if (seat >= room->setup.seats || room->match->seats[seat].session == 0)
        return;
    uint32_t bit = UINT32_C(1) << seat;
    bool was = (room->present & bit) != 0;
    if (was == present)
        return;
    room->present ^= bit;
    room->presence_ms = room->away_ms[seat] = now_ms;
    if (present && room->match->seats[seat].replaced)
        room->came_back |= bit;
    else
        room->came_back &= ~bit;
}

int64_t room_away_ms(const struct room *room, uint8_t seat)
{
    assert(seat < room->setup.seats);
    return room->away_ms[seat];
}

int64_t room_deserted_ms(const struct room *room)
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
