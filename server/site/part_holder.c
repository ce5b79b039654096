#include "part_holder.h"

#include <stdlib.h>

int part_reserve(struct part *part, uint32_t index)
{
    if (index < part->size)
        return 0;
    const size_t size = ((size_t)index + 1) * 2;
    struct holder *holders = realloc(part->holders, size * sizeof *holders);
    if (!holders)
        return -1;
    for (size_t at = part->size; at < size; at++)
        holders[at] = (struct holder){0};
    part->holders = holders;
    part->size = size;
    return 0;
}
