/*
 * Batches: what is to be made durable, and what waits for that.
 *
 * One fills while another may be out. Adding cannot fail, as it is reserved before; and what has
 * been added since a mark can be taken back.
 */
#ifndef HUB_BATCH_H
#define HUB_BATCH_H

#include "hub_state.h"

/* Places for so many ops, pending effects and rooms more, and bytes of text. <0: out of memory. */
int batch_reserve(struct batch *batch, size_t ops, size_t pending, size_t rooms, size_t text);
/* May `ops` more be added to the batch that fills (config.batch_ops)? */
bool batch_has_room(const struct hub *hub, size_t ops);

struct batch_mark {
    size_t ops, pending, rooms;
};
struct batch_mark batch_mark(const struct batch *batch);
/* Forgets the ops and rooms since the mark; pending effects there must be none. */
void batch_take_back(struct batch *batch, struct batch_mark mark);

void batch_put_session(struct batch *batch, const struct store_session *row);
void batch_drop_session(struct batch *batch, uint64_t id);
void batch_put_room(struct batch *batch, const struct store_room *row);
void batch_append(struct batch *batch, struct hub_room *hub_room, const struct room_event *event);
void batch_archive_room(struct batch *batch, const struct hub_room *hub_room);
void batch_drop_room(struct batch *batch, const struct hub_room *hub_room);
void batch_let_in(struct batch *batch, const struct hub_room *hub_room,
                  const struct store_guest *guest);
void batch_defer(struct batch *batch, const struct pending *pending);

/* Empty again, with its memory. The pending effects must have been dealt with. */
void batch_clear(struct batch *batch);
void batch_release(struct batch *batch);

#endif
