#include "read.h"

#include "hub_private.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static struct read **find(struct hub *hub, const char *id)
{
    struct read **link = &hub->reads.first;
    while (*link && strcmp((*link)->id, id) != 0)
        link = &(*link)->next;
    return link;
}

/* NULL: too many, or no memory. */
static struct read *get(struct hub *hub, const char *id)
{
    struct read **link = find(hub, id);
    if (*link || hub->reads.count >= (size_t)hub->config.reads)
        return *link;
    struct read *read = calloc(1, sizeof *read);
    if (!read)
        return NULL;
    assert(strlen(id) < sizeof read->id);
    memcpy(read->id, id, strlen(id) + 1);
    read->last = &read->readers;
    hub->reads.count++;
    *link = read; /* at the end: taken in order */
    return read;
}

static void discard(struct hub *hub, struct read **link)
{
    struct read *read = *link;
    assert(read);
    *link = read->next;
    hub->reads.count--;
    free(read);
}

/* NULL: too many, or no memory. */
static struct reader *add_reader(struct hub *hub, const char *id)
{
    struct read *read = get(hub, id);
    struct reader *reader = NULL;
    if (read && read->reader_count < hub->config.readers_per_read)
        reader = calloc(1, sizeof *reader);
    if (reader) {
        *read->last = reader;
        read->last = &reader->next;
        read->reader_count++;
    } else if (read && read->reader_count == 0) {
        discard(hub, find(hub, id));
    }
    return reader;
}

bool read_wait(struct hub *hub, struct hub_peer peer, const struct request *request)
{
    struct reader *reader = add_reader(hub, request->room);
    if (!reader)
        return false;
    reader->peer = peer;
    reader->id = request->id;
    reader->op = request->op;
    reader->fields = request->fields;
    reader->have = request->have;
    if (request_has(request, REQUEST_CODE))
        memcpy(reader->code, request->code, sizeof reader->code);
    return true;
}

bool read_wait_http(struct hub *hub, const char *room_id, uint64_t ticket)
{
    struct reader *reader = add_reader(hub, room_id);
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
    memcpy(room_id, read->id, sizeof read->id);
    return true;
}

struct read *read_finish(struct hub *hub, const char *room_id)
{
    struct read **link = find(hub, room_id), *read = *link;
    assert(read && read->taken);
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
        discard(hub, &hub->reads.first);
    }
}
