#include "merge.h"

#include <string.h>

/* The client's own come behind all others, and are none of them. */
static void take_next(struct merged *part)
{
    part->any =
        facts_next_room(part->facts, part->text.len, &part->at, &part->next) && !part->next.own;
}

void merge_add(struct merge *merge, unsigned part, struct piece text, struct facts facts)
{
    struct merged *const merged = &merge->parts[part];
    *merged = (struct merged){.text = text, .facts = facts};
    if (facts_read_rooms(facts, &merged->more))
        take_next(merged);
}

/* Lobbies first, then what has begun; each by id. */
static int order_of(const struct facts_room *one, const struct facts_room *other)
{
    if (one->lobby != other->lobby)
        return one->lobby ? -1 : 1;
    return memcmp(one->id, other->id, PROTOCOL_ROOM_BYTES);
}

/* PARTS_MAX: there is no room left. */
static unsigned first_of(const struct merge *merge)
{
    unsigned first = PARTS_MAX;
    for (unsigned part = 0; part < PARTS_MAX; part++) {
        if (merge->parts[part].any &&
            (first == PARTS_MAX ||
             order_of(&merge->parts[part].next, &merge->parts[first].next) < 0))
            first = part;
    }
    return first;
}

bool merge_next(struct merge *merge, struct merged_room *room)
{
    const unsigned first = first_of(merge);
    if (first == PARTS_MAX)
        return false;
    struct merged *const part = &merge->parts[first];
    *room = (struct merged_room){.text = {part->text.at + part->next.place, part->next.len},
                                 .part = first};
    memcpy(room->id, part->next.id, sizeof room->id);
    take_next(part);
    return true;
}

bool merge_has_more(const struct merge *merge)
{
    if (first_of(merge) < PARTS_MAX)
        return true;
    for (unsigned part = 0; part < PARTS_MAX; part++) {
        if (merge->parts[part].more)
            return true;
    }
    return false;
}
