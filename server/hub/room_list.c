#include "room_list.h"

#include "hub_private.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { ROOMS_PAGE = 50 };

static int order(const struct hub_room *hub_room, bool begun, const char *id)
{
    if (hub_room->list_begun != begun)
        return hub_room->list_begun ? 1 : -1;
    return strcmp(hub_room->id, id);
}

/* The first that is not before (begun, id). */
static size_t place_of(const struct hub *hub, bool begun, const char *id)
{
    size_t low = 0, high = hub->list.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (order(hub->list.rooms[middle], begun, id) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void room_list_remove(struct hub *hub, struct hub_room *hub_room)
{
    if (!hub_room->listed)
        return;
    size_t at = place_of(hub, hub_room->list_begun, hub_room->id);
    assert(hub->list.rooms[at] == hub_room);
    memmove(&hub->list.rooms[at], &hub->list.rooms[at + 1],
            (hub->list.count - at - 1) * sizeof(struct hub_room *));
    hub->list.count--;
    hub_room->listed = false;
}

/* Without memory it stays unlisted until it changes again. */
static void insert(struct hub *hub, struct hub_room *hub_room, bool begun)
{
    if (hub->list.count == hub->list.size) {
        size_t size = hub->list.size ? hub->list.size * 2 : 64;
        struct hub_room **listed = realloc(hub->list.rooms, size * sizeof(struct hub_room *));
        if (!listed)
            return;
        hub->list.rooms = listed;
        hub->list.size = size;
    }
    size_t at = place_of(hub, begun, hub_room->id);
    memmove(&hub->list.rooms[at + 1], &hub->list.rooms[at],
            (hub->list.count - at) * sizeof(struct hub_room *));
    hub->list.rooms[at] = hub_room;
    hub->list.count++;
    hub_room->listed = true;
    hub_room->list_begun = begun;
}

void room_list_update(struct hub *hub, struct hub_room *hub_room)
{
    enum protocol_phase phase = room_phase(hub_room->room);
    bool begun = phase != PROTOCOL_PHASE_LOBBY;
    bool list = hub_room->durable_seq && room_access(hub_room->room) == PROTOCOL_ACCESS_OPEN &&
                phase != PROTOCOL_PHASE_OVER;
    if (hub_room->listed && (!list || hub_room->list_begun != begun))
        room_list_remove(hub, hub_room);
    if (list && !hub_room->listed)
        insert(hub, hub_room, begun);
}

void room_list_release(struct hub *hub)
{
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
    size_t lobby = place_of(hub, false, after), begun = place_of(hub, true, after);
    if (is_at(hub, lobby, after))
        return lobby + 1;
    return is_at(hub, begun, after) ? begun + 1 : lobby;
}

/* The rooms of a page, and the one of them whose events become durable last. */
static const struct hub_room *latest_of(const struct hub *hub, size_t from, size_t upto)
{
    const struct hub_room *latest = NULL;
    for (size_t at = from; at < upto; at++) {
        const struct hub_room *hub_room = hub->list.rooms[at];
        if (hub_room->fill_seq || (hub_room->out_seq && !latest))
            latest = hub_room;
        if (latest && latest->fill_seq)
            break;
    }
    return latest;
}

void room_list_write(const struct hub *hub, const char *after, struct writer *writer,
                     const struct hub_room **latest)
{
    size_t from = place_after(hub, after), upto = from;
    writer_key_array(writer, "rooms");
    while (upto < hub->list.count && upto - from < ROOMS_PAGE)
        room_write_summary(hub->list.rooms[upto++]->room, writer);
    writer_end(writer);
    if (upto < hub->list.count)
        writer_key_bool(writer, "more", true);
    *latest = latest_of(hub, from, upto);
}
