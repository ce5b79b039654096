#include "room_list.h"

#include "hub_private.h"
#include "sessions/session.h"
#include <assert.h>
#include <hub/facts.h>
#include <stdlib.h>
#include <string.h>

enum { ROOMS_PAGE = 50 };

static int compare_place(const struct hub_room *hub_room, enum room_listing listing, const char *id)
{
    if (hub_room->listing != listing)
        return hub_room->listing > listing ? 1 : -1;
    return strcmp(hub_room->id, id);
}

/* The first that is not before (listing, id). */
static size_t place_of(const struct hub *hub, enum room_listing listing, const char *id)
{
    size_t low = 0, high = hub->list.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_place(hub->list.rooms[middle], listing, id) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void room_list_remove(struct hub *hub, struct hub_room *hub_room)
{
    if (hub_room->listing == UNLISTED)
        return;
    size_t at = place_of(hub, hub_room->listing, hub_room->id);
    assert(hub->list.rooms[at] == hub_room);
    memmove(&hub->list.rooms[at], &hub->list.rooms[at + 1],
            (hub->list.count - at - 1) * sizeof(struct hub_room *));
    hub->list.count--;
    hub_room->listing = UNLISTED;
}

/* Without memory it stays unlisted until it changes again. */
static void insert_room(struct hub *hub, struct hub_room *hub_room, enum room_listing listing)
{
    if (hub->list.count == hub->list.size) {
        size_t size = hub->list.size ? hub->list.size * 2 : 64;
        struct hub_room **listed = realloc(hub->list.rooms, size * sizeof(struct hub_room *));
        if (!listed)
            return;
        hub->list.rooms = listed;
        hub->list.size = size;
    }
    size_t at = place_of(hub, listing, hub_room->id);
    memmove(&hub->list.rooms[at + 1], &hub->list.rooms[at],
            (hub->list.count - at) * sizeof(struct hub_room *));
    hub->list.rooms[at] = hub_room;
    hub->list.count++;
    hub_room->listing = listing;
}

static enum room_listing listing_of(const struct hub_room *hub_room)
{
    if (!hub_room->durable_seq || room_access(hub_room->room) != PROTOCOL_ACCESS_OPEN)
        return UNLISTED;
    switch (room_phase(hub_room->room)) {
    case PROTOCOL_PHASE_LOBBY:
        return LISTED_LOBBY;
    case PROTOCOL_PHASE_PLAYING:
    case PROTOCOL_PHASE_PAUSED:
        return LISTED_BEGUN;
    case PROTOCOL_PHASE_OVER:
    case PROTOCOL_PHASE_COUNT:
        break;
    }
    return UNLISTED;
}

void room_list_update(struct hub *hub, struct hub_room *hub_room)
{
    enum room_listing listing = listing_of(hub_room);
    if (hub_room->listing == listing)
        return;
    room_list_remove(hub, hub_room);
    if (listing != UNLISTED)
        insert_room(hub, hub_room, listing);
}

void room_list_release(struct hub *hub)
{
    for (size_t at = 0; at < hub->list.count; at++)
        hub->list.rooms[at]->listing = UNLISTED;
    free(hub->list.rooms);
    hub->list = (struct room_list){0};
}

/* ---- pages */

static bool is_at(const struct hub *hub, size_t at, const char *id)
{
    return at < hub->list.count && strcmp(hub->list.rooms[at]->id, id) == 0;
}

/* The first room behind `after`; since that was shown it may have begun, or left the list. */
static size_t place_after(const struct hub *hub, const char *after)
{
    if (!after[0])
        return 0;
    size_t lobby = place_of(hub, LISTED_LOBBY, after), begun = place_of(hub, LISTED_BEGUN, after);
    if (is_at(hub, lobby, after))
        return lobby + 1;
    return is_at(hub, begun, after) ? begun + 1 : lobby;
}

/* Which of two rooms (or NULL) has an event that becomes durable later; the first if neither. */
static const struct hub_room *later_of(const struct hub_room *one, const struct hub_room *other)
{
    if (one && one->fill_seq)
        return one;
    if (other && (other->fill_seq || (other->out_seq && !one)))
        return other;
    return one;
}

static void write_room(const struct hub_room *hub_room, uint8_t seat, struct writer *writer,
                       struct buffer *facts)
{
    struct facts_room room = {.place = writer_place(writer),
                              .own = seat != ROOM_NO_SEAT,
                              .lobby = room_phase(hub_room->room) == PROTOCOL_PHASE_LOBBY};
    room_write_summary(hub_room->room, seat, writer);
    room.len = writer->out->len - room.place;
    memcpy(room.id, hub_room->id, sizeof room.id);
    if (facts)
        facts_put_room(facts, &room);
}

void room_list_write(const struct hub *hub, const char *after, struct writer *writer,
                     struct buffer *facts, const struct hub_room **latest)
{
    size_t from = place_after(hub, after), upto = from;
    *latest = NULL;
    if (facts)
        facts_begin_rooms(facts);
    writer_key_array(writer, "rooms");
    for (; upto < hub->list.count && upto - from < ROOMS_PAGE; upto++) {
        *latest = later_of(*latest, hub->list.rooms[upto]);
        write_room(hub->list.rooms[upto], ROOM_NO_SEAT, writer, facts);
    }
    writer_end(writer);
    const bool more = upto < hub->list.count;
    if (more)
        writer_key_bool(writer, "more", true);
    if (facts)
        facts_end_rooms(facts, more);
}

void room_list_write_own(const struct session *session, struct writer *writer, struct buffer *facts,
                         const struct hub_room **latest)
{
    if (!session->seats)
        return;
    writer_key_array(writer, "mine");
    for (const struct seat_link *link = session->seats; link; link = link->next) {
        const struct hub_room *hub_room = link->hub_room;
        *latest = later_of(*latest, hub_room);
        write_room(hub_room, (uint8_t)(link - hub_room->links), writer, facts);
    }
    writer_end(writer);
}
