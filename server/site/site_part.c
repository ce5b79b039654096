#include "site_part.h"

#include <stdlib.h>

int part_reserve(struct part *part, uint32_t index)
{
    if (index < part->size)
        return 0;
    const size_t size = ((size_t)index + 1) * 2;
    struct peer_end *peer_ends = realloc(part->peer_ends, size * sizeof *peer_ends);
    if (!peer_ends)
        return -1;
    for (size_t at = part->size; at < size; at++)
        peer_ends[at] = (struct peer_end){0};
    part->peer_ends = peer_ends;
    part->size = size;
    return 0;
}
