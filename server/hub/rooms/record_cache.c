#include "record_cache.h"

#include "hub_private.h"
#include <stdlib.h>
#include <string.h>

struct kept_record {
    struct hub_room *hub_room;
    struct kept_record *newer, *older;
    uint64_t seq; /* as of which it was written */
    size_t len;
    char text[];
};

static void link_newest(struct record_cache *cache, struct kept_record *record)
{
    record->newer = NULL;
    record->older = cache->newest;
    *(record->older ? &record->older->newer : &cache->oldest) = record;
    cache->newest = record;
}

static void unlink_record(struct record_cache *cache, struct kept_record *record)
{
    *(record->older ? &record->older->newer : &cache->oldest) = record->newer;
    *(record->newer ? &record->newer->older : &cache->newest) = record->older;
}

void record_cache_forget(struct hub *hub, struct hub_room *hub_room)
{
    struct record_cache *cache = &hub->records;
    struct kept_record *record = hub_room->record;
    if (!record)
        return;
    unlink_record(cache, record);
    cache->bytes -= sizeof *record + record->len;
    hub_room->record = NULL;
    free(record);
}

/* If there is no memory for it, it is written again the next time. */
static void keep_record(struct hub *hub, struct hub_room *hub_room, const char *text, size_t len)
{
    struct record_cache *cache = &hub->records;
    record_cache_forget(hub, hub_room);
    struct kept_record *record = malloc(sizeof *record + len);
    if (!record)
        return;
    *record = (struct kept_record){.hub_room = hub_room, .seq = hub_room->durable_seq, .len = len};
    memcpy(record->text, text, len);
    hub_room->record = record;
    link_newest(cache, record);
    cache->bytes += sizeof *record + len;
    while (cache->oldest && cache->bytes > (size_t)hub->config.history_bytes / 2)
        record_cache_forget(hub, cache->oldest->hub_room);
}

static void write_anew(struct hub *hub, struct hub_room *hub_room, struct buffer *out)
{
    const size_t before = out->len;
    if (room_write_record(hub_room->room, hub_room->durable_seq, hub->env.server, hub->env.signer,
                          out) < 0)
        out->failed = true;
    if (!out->failed)
        keep_record(hub, hub_room, buffer_payload(out) + before, out->len - before);
}

void record_cache_write(struct hub *hub, struct hub_room *hub_room, struct buffer *out,
                        uint64_t *replayed)
{
    struct record_cache *cache = &hub->records;
    struct kept_record *record = hub_room->record;
    *replayed = 0;
    if (record && record->seq == hub_room->durable_seq) {
        unlink_record(cache, record);
        link_newest(cache, record);
        buffer_append(out, record->text, record->len);
        return;
    }
    *replayed = hub_room->durable_seq;
    write_anew(hub, hub_room, out);
}
