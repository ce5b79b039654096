#include "merge.h"

#include "pieces.h"
#include <protocol/limits.h>
#include <string.h>

/* What it is ordered by is looked for once: it is compared with rooms of all other parts. */
static void take_next(struct merged *part)
{
    part->room = piece_next(part->rooms, &part->at);
    part->lobby = piece_is(piece_member(part->room, "phase"), "\"lobby\"");
    part->id = piece_string(piece_member(part->room, "room"));
}

void merge_add(struct merge *merge, unsigned part, struct piece page)
{
    struct merged *const merged = &merge->parts[part];
    merged->page = page;
    merged->rooms = piece_open(page, "rooms");
    take_next(merged);
}

/* Lobbies first, then what has begun; each by id. */
static int order_of(const struct merged *one, const struct merged *other)
{
    if (one->lobby != other->lobby)
        return one->lobby ? -1 : 1;
    return one->id.len == PROTOCOL_ROOM_BYTES && other->id.len == PROTOCOL_ROOM_BYTES
               ? memcmp(one->id.at, other->id.at, PROTOCOL_ROOM_BYTES)
               : 0;
}

/* PARTS_MAX: there is no room left. */
static unsigned first_of(const struct merge *merge)
{
    unsigned first = PARTS_MAX;
    for (unsigned part = 0; part < PARTS_MAX; part++) {
        if (merge->parts[part].room.at &&
            (first == PARTS_MAX || order_of(&merge->parts[part], &merge->parts[first]) < 0))
            first = part;
    }
    return first;
}

struct piece merge_next(struct merge *merge, unsigned *part)
{
    *part = first_of(merge);
    if (*part == PARTS_MAX)
        return (struct piece){0};
    const struct piece room = merge->parts[*part].room;
    take_next(&merge->parts[*part]);
    return room;
}

bool merge_has_more(const struct merge *merge)
{
    if (first_of(merge) < PARTS_MAX)
        return true;
    for (unsigned part = 0; part < PARTS_MAX; part++) {
        if (piece_is(piece_member(merge->parts[part].page, "more"), "true"))
            return true;
    }
    return false;
}
