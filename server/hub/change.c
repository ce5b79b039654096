#include "change.h"

#include "batch.h"
#include "blob.h"
#include "hint_job.h"
#include "hub_private.h"
#include "hub_room.h"
#include "pending.h"
#include "think_queue.h"
#include <assert.h>
#include <stdlib.h>

/* Longest push: the event that deals and shows a whole table. */
enum { PUSH_BYTES = 131072 };

enum protocol_error change_allowed(const struct hub *hub, size_t ops)
{
    if (hub->commit.failing || hub->commit.stopped || !batch_has_room(hub, ops))
        return PROTOCOL_STORE_FAILING;
    return PROTOCOL_OK;
}

/* Applies, and makes the pushes; the buffers' memory becomes the blobs'. */
static struct pushes *apply(struct hub_room *hub_room, const struct room_event *event)
{
    unsigned count = room_audiences(hub_room->room);
    struct buffer buffers[ROOM_AUDIENCES_MAX], *push[ROOM_AUDIENCES_MAX];
    struct pushes *pushes = malloc(sizeof *pushes + count * sizeof pushes->blobs[0]);
    if (!pushes)
        return NULL;
    for (unsigned i = 0; i < count; i++) {
        blob_buffer_init(&buffers[i], PUSH_BYTES);
        push[i] = &buffers[i];
    }
    bool done = room_apply(hub_room->room, event, push) == 0;
    pushes->count = count;
    for (unsigned i = 0; i < count; i++) {
        pushes->blobs[i] = done ? blob_from_buffer(&buffers[i]) : NULL;
        assert(!done || pushes->blobs[i]);
        buffer_release(&buffers[i]);
    }
    if (done)
        return pushes;
    free(pushes);
    return NULL;
}

static bool changes_seats(const struct hub_room *hub_room, const struct room_event *event)
{
    return event->kind == ROOM_SAT || event->kind == ROOM_STOOD ||
           room_phase(hub_room->room) == PROTOCOL_PHASE_OVER;
}

int change_apply(struct hub *hub, struct hub_room *hub_room, const struct room_event *event,
                 size_t pending_more)
{
    struct batch *batch = hub->commit.filling;
    assert(!hub->commit.failing);
    if (batch_reserve(batch, 1, 1 + pending_more, 1, event->text_len) < 0)
        return -1;
    struct pushes *pushes = apply(hub_room, event);
    if (!pushes)
        return -1;
    think_drop(hub, &hub_room->thinking, THINK_CANCELLED);
    hint_jobs_follow(hub, hub_room);
    batch_append(batch, hub_room, event);
    batch_defer(batch, &(struct pending){.kind = PENDING_PUSH,
                                         .hub_room = hub_room,
                                         .seq = event->seq,
                                         .u.pushes = pushes});
    /* The batch has it now. NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
    hub->metrics.events[event->kind]++;
    if (changes_seats(hub_room, event))
        hub_room_sync(hub, hub_room);
    return 0;
}
