/*
 * Pushes of past events, kept encoded, so that a request for old events is answered with a copy and
 * the match need not be played again.
 *
 * They are kept in pieces of up to 16 events of one room and audience, for all rooms together at
 * most config.history_bytes; the piece that was asked for least recently is dropped first. Only
 * what is durable is kept, so nothing in it ever changes. Whatever is missing is encoded by the
 * room and then kept.
 */
#ifndef HUB_HISTORY_H
#define HUB_HISTORY_H

#include <stddef.h>
#include <stdint.h>

struct history_piece;
struct hub;
struct hub_room;

struct history {
    struct history_piece *oldest, *newest; /* by when they were asked for */
    size_t bytes;
};

/*
 * As room_write_missed, from the pieces where they hold what is asked for. *encoded_bytes grows by
 * the length of what had to be encoded.
 */
int history_write(struct hub *hub, struct hub_room *hub_room, unsigned audience, uint64_t have,
                  uint64_t upto, int (*sink)(void *ctx, const char *bytes, size_t len), void *ctx,
                  size_t *encoded_bytes);

/* Drops the room's pieces, before the room is destroyed. */
void history_forget(struct hub *hub, struct hub_room *hub_room);

#endif
