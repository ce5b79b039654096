#include "turns.h"

#include <assert.h>

bool turns_allow(const struct turns *turns, uint16_t share, int64_t queue_max)
{
    return turns->waiting[share] < (queue_max + 1) / 2;
}

uint32_t turns_next(const struct turns *turns, uint16_t share)
{
    return turns->next[share] > turns->turn ? turns->next[share] : turns->turn;
}

uint32_t turns_give(struct turns *turns, uint16_t share)
{
    const uint32_t turn = turns_next(turns, share);
    turns->next[share] = turn + 1;
    turns->waiting[share]++;
    return turn;
}

void turns_take(struct turns *turns, uint32_t turn)
{
    if (turn > turns->turn)
        turns->turn = turn;
}

void turns_leave(struct turns *turns, uint16_t share)
{
    assert(turns->waiting[share] > 0);
    turns->waiting[share]--;
}

void turns_back(struct turns *turns, uint16_t share, uint32_t turn)
{
    turns_leave(turns, share);
    if (turns->next[share] == turn + 1)
        turns->next[share]--;
}
