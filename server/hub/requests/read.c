#include "read.h"

#include "hub_private.h"
#include "limits/origin.h"
#include "waiting/fair_queue.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static struct read *read_of(struct queued *queued)
{
    return (struct read *)(void *)queued;
}

/* NULL: it is not being fetched. */
static struct read *find_read(const struct hub *hub, const char *id)
{
    struct queued *queued = hub->reads.queue.first;
    while (queued && strcmp(read_of(queued)->id, id) != 0)
        queued = queued->next;
    return queued ? read_of(queued) : NULL;
}

static struct reader *take_reader(struct read *read, struct reader **link)
{
    struct reader *reader = *link;
    *link = reader->next;
    if (!*link)
        read->last = link;
    read->reader_count--;
    return reader;
}

/* Those of its readers who have more than the newcomer lose it; it stays for the others. */
static void give_way(struct hub *hub, struct read *read, const struct origin *newcomer)
{
    struct fair_queue *queue = &hub->reads.queue;
    struct reader **link = &read->readers;
    while (*link) {
        const struct origin *origin = &(*link)->origin;
        if (origin_is_same(origin, &read->queued.origin) ||
            origin_gives_way(&queue->origins, origin, newcomer))
            hub->reads.reader_gives_way(hub, read, take_reader(read, link));
        else
            link = &(*link)->next;
    }
    fair_queue_leave(queue, &read->queued);
    if (read->readers)
        fair_queue_add(queue, &read->queued, &read->readers->origin);
    else
        free(read);
}

/* Each time somebody has lost something, until there is one. */
static bool make_queue_place(struct hub *hub, const struct origin *origin)
{
    struct queued *instead = NULL;
    while (fair_queue_allow(&hub->reads.queue, origin, hub->config.reads, &instead)) {
        if (!instead)
            return true;
        give_way(hub, read_of(instead), origin);
    }
    return false;
}

/* NULL: too many, or no memory. */
static struct read *add_read(struct hub *hub, const char *id, const struct origin *origin)
{
    struct read *read = calloc(1, sizeof *read);
    if (!read || !make_queue_place(hub, origin)) {
        free(read);
        return NULL;
    }
    assert(strlen(id) < sizeof read->id);
    memcpy(read->id, id, strlen(id) + 1);
    read->last = &read->readers;
    fair_queue_add(&hub->reads.queue, &read->queued, origin);
    return read;
}

/* ---- its readers */

static struct reader **find_heaviest(const struct origin_counts *counts, struct read *read)
{
    struct reader **found = NULL;
    for (struct reader **at = &read->readers; *at; at = &(*at)->next) {
        if (origin_is_known(&(*at)->origin) &&
            (!found || origin_compare(counts, &(*at)->origin, &(*found)->origin) >= 0))
            found = at;
    }
    return found;
}

/* Is there a place for one more from there, or is there if *instead gives way? Or that is NULL. */
static bool find_place(struct hub *hub, struct read *read, const struct origin *origin,
                       struct reader ***instead)
{
    struct origin_counts *counts = &hub->reads.readers;
    *instead = NULL;
    if (read->reader_count < hub->config.readers_per_read)
        return true;
    for (const struct reader *at = read->readers; at; at = at->next)
        origin_add(counts, &at->origin);
    struct reader **heaviest = origin_is_known(origin) ? find_heaviest(counts, read) : NULL;
    const bool gives_way = heaviest && origin_gives_way(counts, &(*heaviest)->origin, origin);
    for (const struct reader *at = read->readers; at; at = at->next)
        origin_remove(counts, &at->origin);
    if (gives_way)
        *instead = heaviest;
    return gives_way;
}

/* Is there a place for one more from there, or is there now? */
static bool make_place(struct hub *hub, struct read *read, const struct origin *origin)
{
    struct reader **instead;
    const bool has_place = find_place(hub, read, origin, &instead);
    if (instead)
        hub->reads.reader_gives_way(hub, read, take_reader(read, instead));
    return has_place;
}

bool read_has_place(struct hub *hub, const char *room_id, const struct origin *origin)
{
    struct read *read = find_read(hub, room_id);
    struct reader **reader;
    struct queued *queued;
    return read ? find_place(hub, read, origin, &reader)
                : fair_queue_allow(&hub->reads.queue, origin, hub->config.reads, &queued);
}

/* NULL: too many, or no memory. */
static struct reader *add_reader(struct hub *hub, const char *id, const struct origin *origin)
{
    struct reader *reader = calloc(1, sizeof *reader);
    struct read *read = reader ? find_read(hub, id) : NULL;
    if (read && make_place(hub, read, origin))
        fair_queue_share(&hub->reads.queue, &read->queued, origin);
    else if (reader)
        read = read ? NULL : add_read(hub, id, origin);
    if (!read) {
        free(reader);
        return NULL;
    }
    reader->origin = *origin;
    *read->last = reader;
    read->last = &reader->next;
    read->reader_count++;
    return reader;
}

bool read_wait(struct hub *hub, struct hub_peer peer, const struct origin *origin,
               const struct request *request)
{
    struct reader *reader = add_reader(hub, request->room, origin);
    if (!reader)
        return false;
    reader->peer = peer;
    reader->id = request->id;
    reader->op = request->op;
    reader->follows = request->follows;
    reader->fields = request->fields;
    reader->have = request->have;
    if (request_has(request, REQUEST_CODE))
        memcpy(reader->code, request->code, sizeof reader->code);
    return true;
}

bool read_wait_http(struct hub *hub, const char *room_id, const struct origin *origin,
                    uint64_t ticket)
{
    struct reader *reader = add_reader(hub, room_id, origin);
    if (reader)
        reader->ticket = ticket;
    return reader;
}

bool hub_read_take(struct hub *hub, char room_id[static 9])
{
    struct queued *queued = fair_queue_next(&hub->reads.queue);
    if (!queued || hub->commit.stopped)
        return false;
    fair_queue_take(&hub->reads.queue, queued);
    memcpy(room_id, read_of(queued)->id, sizeof read_of(queued)->id);
    return true;
}

struct read *read_finish(struct hub *hub, const char *room_id)
{
    struct read *read = find_read(hub, room_id);
    assert(read && read->queued.taken);
    fair_queue_leave(&hub->reads.queue,
                     &read->queued); /* who asks while these are served starts a new one */
    return read;
}

void reads_release(struct hub *hub)
{
    while (hub->reads.queue.first) {
        struct read *read = read_of(hub->reads.queue.first);
        fair_queue_leave(&hub->reads.queue, &read->queued);
        while (read->readers)
            free(take_reader(read, &read->readers));
        free(read);
    }
}
