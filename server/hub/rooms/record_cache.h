/*
 * Records as they were written last: to write one the whole match is played again, which is as dear
 * as some ten short answers, and a long one is asked for in pieces. All together they are bounded
 * by half of config.history_bytes; what was asked for longest ago goes first.
 */
#ifndef HUB_RECORD_CACHE_H
#define HUB_RECORD_CACHE_H

#include <protocol/buffer.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hub;
struct hub_room;
struct kept_record;

struct record_cache {
    struct kept_record *newest, *oldest;
    size_t bytes;
};

/*
 * Appends the record of the room as it is durable, signed if it is over. Without memory `out` has
 * failed. *replayed: how many events were played again for it; 0: none, it was kept.
 */
void record_cache_write(struct hub *hub, struct hub_room *hub_room, struct buffer *out,
                        uint64_t *replayed);
void record_cache_forget(struct hub *hub, struct hub_room *hub_room);

#endif
