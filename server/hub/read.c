#include "read.h"

#include "hub_private.h"
#include "turns.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static struct read **find_read(struct hub *hub, const char *id)
{
    struct read **link = &hub->reads.first;
    while (*link && strcmp((*link)->id, id) != 0)
        link = &(*link)->next;
    return link;
}

/* NULL: too many, or no memory. */
static struct read *get_read(struct hub *hub, const char *id, uint16_t share)
{
    struct reads *reads = &hub->reads;
    struct read **link = find_read(hub, id);
    if (*link || reads->count >= (size_t)hub->config.reads ||
        !turns_allow(&reads->turns, share, hub->config.reads))
        return *link;
    struct read *read = calloc(1, sizeof *read);
    if (!read)
        return NULL;
    assert(strlen(id) < sizeof read->id);
    memcpy(read->id, id, strlen(id) + 1);
    read->last = &read->readers;
    read->share = share;
    read->turn = turns_give(&reads->turns, share);
    reads->count++;
    link = &reads->first;
    while (*link && ((*link)->taken || (*link)->turn <= read->turn))
        link = &(*link)->next;
    read->next = *link;
    *link = read;
    return read;
}

static void discard_read(struct hub *hub, struct read **link)
{
    struct read *read = *link;
    assert(read);
    *link = read->next;
    hub->reads.count--;
    turns_back(&hub->reads.turns, read->share);
    free(read);
}

/* NULL: too many, or no memory. */
static struct reader *add_reader(struct hub *hub, const char *id, uint16_t share)
{
    struct read *read = get_read(hub, id, share);
    struct reader *reader = NULL;
    if (read && read->reader_count < hub->config.readers_per_read)
        reader = calloc(1, sizeof *reader);
    if (reader) {
        *read->last = reader;
        read->last = &reader->next;
        read->reader_count++;
    } else if (read && read->reader_count == 0) {
        discard_read(hub, find_read(hub, id));
    }
    return reader;
}

bool read_wait(struct hub *hub, struct hub_peer peer, uint16_t share, const struct request *request)
{
    struct reader *reader = add_reader(hub, request->room, share);
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

bool read_wait_http(struct hub *hub, const char *room_id, uint16_t share, uint64_t ticket)
{
    struct reader *reader = add_reader(hub, room_id, share);
    if (reader)
        reader->ticket = ticket;
    return reader;
}

bool hub_read_take(struct hub *hub, char room_id[static 9])
{
    struct read *read = hub->reads.first;
    while (read && read->taken)
        read = read->next;
    if (!read || hub->commit.stopped)
        return false;
    read->taken = true;
    turns_take(&hub->reads.turns, read->turn);
    memcpy(room_id, read->id, sizeof read->id);
    return true;
}

struct read *read_finish(struct hub *hub, const char *room_id)
{
    struct read **link = find_read(hub, room_id), *read = *link;
    assert(read && read->taken);
    turns_leave(&hub->reads.turns, read->share);
    *link = read->next; /* requests that come while these are served start a new read */
    hub->reads.count--;
    return read;
}

void reads_release(struct hub *hub)
{
    while (hub->reads.first) {
        struct read *read = hub->reads.first;
        while (read->readers) {
            struct reader *reader = read->readers;
            read->readers = reader->next;
            free(reader);
        }
        discard_read(hub, &hub->reads.first);
    }
}
