#include "change.h"

#include "connections/blob.h"
#include "feature_table.h"
#include "hub_private.h"
#include "rooms/hub_room.h"
#include "rooms/pending.h"
#include "thinking/hint_job.h"
#include "waiting/batch.h"
#include "waiting/think_queue.h"
#include <assert.h>
#include <room/result.h>
#include <stdlib.h>

/* Longest push: the event that deals and shows a whole table. */
enum { PUSH_BYTES = 131072 };

enum protocol_error change_allowed(const struct hub *hub, size_t ops)
{
    if (hub->commit.failing || hub->commit.stopped || !batch_has_room(hub, ops))
        return PROTOCOL_STORE_FAILING;
    return PROTOCOL_OK;
}

static struct pushes *pushes_create(unsigned count)
{
    struct pushes *pushes = malloc(sizeof *pushes + count * sizeof pushes->blobs[0]);
    if (pushes)
        pushes->count = count;
    return pushes;
}

/* Applies, and makes the pushes; the buffers' memory becomes the blobs'. */
static bool apply(struct hub_room *hub_room, const struct room_event *event, struct pending *push)
{
    unsigned count = room_audiences(hub_room->room);
    struct buffer buffers[ROOM_AUDIENCES_MAX], *out[ROOM_AUDIENCES_MAX];
    struct pushes *pushes = count > 1 ? pushes_create(count) : NULL;
    struct blob **blobs = pushes ? pushes->blobs : &push->blob;
    if (count > 1 && !pushes)
        return false;
    for (unsigned i = 0; i < count; i++) {
        blob_buffer_init(&buffers[i], PUSH_BYTES);
        out[i] = &buffers[i];
    }
    bool done = room_apply(hub_room->room, event, out) == 0;
    const struct hub_head head = head_push(HUB_EVENT, hub_room->id, (int64_t)event->seq);
    for (unsigned i = 0; i < count; i++) {
        blobs[i] = done ? blob_message(&buffers[i], &head) : NULL;
        assert(!done || blobs[i]);
        buffer_release(&buffers[i]);
    }
    if (done)
        push->u.pushes = pushes;
    else
        free(pushes);
    return done;
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
    const bool was_over = room_phase(hub_room->room) == PROTOCOL_PHASE_OVER;
    const uint32_t in_play = room_in_play(hub_room->room);
    assert(!hub->commit.failing);
    if (batch_reserve(batch, 1, 1 + pending_more, 1, event->text_len) < 0)
        return -1;
    struct pending push = {.kind = PENDING_PUSH, .hub_room = hub_room, .seq = event->seq};
    if (!apply(hub_room, event, &push))
        return -1;
    think_drop(hub, &hub_room->thinking, THINK_CANCELLED);
    hint_jobs_follow(hub, hub_room);
    batch_append(batch, hub_room, event);
    batch_defer(batch, &push);
    /* The batch has it now. NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
    hub->metrics.events[event->kind]++;
    features_in_play(hub, hub_room->room, in_play);
    if (!was_over && room_phase(hub_room->room) == PROTOCOL_PHASE_OVER)
        features_match_over(hub, hub_room->room);
    if (changes_seats(hub_room, event))
        hub_room_sync(hub, hub_room);
    return 0;
}
