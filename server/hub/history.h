/*
 * Pushes of the past, kept encoded: whoever asks for events of long ago is given a copy, and the
 * match need not be played again for it.
 *
 * They are kept in pieces of up to 16 events of one room and audience, for all rooms together at
 * most config.history_bytes; what was not asked for the longest time goes first. Only what is
 * durable is kept, so nothing in it ever changes. What is not there is encoded by the room, and
 * kept.
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

/* The room is about to leave the memory. */
void history_forget(struct hub *hub, struct hub_room *hub_room);

#endif
