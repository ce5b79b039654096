#include "merge.h"

#include "pieces.h"
#include <protocol/limits.h>
#include <string.h>

void merge_add(struct merge *merge, unsigned part, struct piece page)
{
    merge->rooms[part] = piece_member(page, "rooms");
    merge->room[part] = piece_next(merge->rooms[part], &merge->at[part]);
    merge->more = merge->more || piece_is(piece_member(page, "more"), "true");
}

/* Lobbies first, then what has begun; each by id. */
static int order(struct piece one, struct piece other)
{
    const bool lobby = piece_is(piece_member(one, "phase"), "\"lobby\"");
    if (lobby != piece_is(piece_member(other, "phase"), "\"lobby\""))
        return lobby ? -1 : 1;
    const struct piece id = piece_string(piece_member(one, "room"));
    const struct piece other_id = piece_string(piece_member(other, "room"));
    return id.len == PROTOCOL_ROOM_BYTES && other_id.len == PROTOCOL_ROOM_BYTES
               ? memcmp(id.at, other_id.at, PROTOCOL_ROOM_BYTES)
               : 0;
}

/* PARTS_MAX: there is no room left. */
static unsigned first_of(const struct merge *merge)
{
    unsigned first = PARTS_MAX;
    for (unsigned part = 0; part < PARTS_MAX; part++) {
        if (merge->room[part].at &&
            (first == PARTS_MAX || order(merge->room[part], merge->room[first]) < 0))
            first = part;
    }
    return first;
}

struct piece merge_next(struct merge *merge, unsigned *part)
{
    *part = first_of(merge);
    if (*part == PARTS_MAX)
        return (struct piece){0};
    const struct piece room = merge->room[*part];
    merge->room[*part] = piece_next(merge->rooms[*part], &merge->at[*part]);
    return room;
}

bool merge_has_more(const struct merge *merge)
{
    return merge->more || first_of(merge) < PARTS_MAX;
}
