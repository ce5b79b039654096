#include "view.h"

#include "connections/blob.h"
#include "connections/conn.h"
#include "connections/subscription.h"
#include "history.h"
#include "hub_private.h"
#include "presence.h"
#include <protocol/limits.h>
#include <protocol/reply.h>
#include <stdlib.h>

enum {
    STATE_BYTES = 131072, /* longest snapshot; the largest of Taluva is about a tenth */
    FEW_PUSHES = 12,      /* so few are sent without looking at what a snapshot would cost */
};

void view_free(struct view *view)
{
    if (!view)
        return;
    blob_unref(view->state);
    for (uint32_t i = 0; i < view->count; i++)
        blob_unref(view->missed[i]);
    free(view->subscription);
    free(view);
}

static struct view *empty_view(uint32_t size)
{
    struct view *view = calloc(1, sizeof *view + size * sizeof view->missed[0]);
    if (!view)
        return NULL;
    view->size = size;
    view->subscription = calloc(1, sizeof *view->subscription);
    if (!view->subscription) {
        free(view);
        return NULL;
    }
    return view;
}

static int add_missed(void *ctx, const char *bytes, size_t len)
{
    struct view *view = ctx;
    struct blob *blob = view->count < view->size ? blob_copy(bytes, len) : NULL;
    if (!blob)
        return -1;
    blob->head = head_push(HUB_EVENT, view->room, view->have + view->count + 1);
    view->missed[view->count++] = blob;
    return 0;
}

static struct blob *make_snapshot(struct view *view, const struct hub_room *hub_room,
                                  unsigned audience, uint64_t seq)
{
    struct buffer buffer;
    struct writer writer;
    blob_buffer_init(&buffer, STATE_BYTES);
    writer_init(&writer, &buffer);
    if (room_write_state(hub_room->room, audience, seq, &writer) < 0)
        buffer.failed = true;
    view->encoded_bytes += buffer.len;
    return blob_from_buffer(&buffer);
}

static size_t missed_bytes(const struct view *view)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < view->count; i++)
        bytes += view->missed[i]->len;
    return bytes;
}

static void drop_missed(struct view *view)
{
    while (view->count > 0)
        blob_unref(view->missed[--view->count]);
}

/* Which of the two is shorter, when it could be either. */
static bool choose_shorter(struct view *view, const struct hub_room *hub_room, unsigned audience,
                           uint64_t seq)
{
    if (view->count <= FEW_PUSHES)
        return true;
    view->state = make_snapshot(view, hub_room, audience, seq);
    if (!view->state)
        return false;
    if (view->state->len < missed_bytes(view)) {
        drop_missed(view);
    } else {
        blob_unref(view->state);
        view->state = NULL;
    }
    return true;
}

size_t view_bytes(const struct view *view)
{
    return sizeof *view + missed_bytes(view) + (view->state ? view->state->len : 0);
}

/* Whoever has been handed a seat may have looked on before: what they have is no state of it. */
static bool was_shown_less(const struct hub_room *hub_room, int64_t have)
{
    return room_audiences(hub_room->room) > 1 && (uint64_t)have <= hub_room->handed_seq;
}

struct view *view_create(struct hub *hub, struct hub_room *hub_room, uint8_t seat, int64_t have,
                         bool exact)
{
    uint64_t seq = room_seq(hub_room->room);
    unsigned audience = room_audience(hub_room->room, seat);
    bool resume = have >= 0 && (uint64_t)have <= seq && !was_shown_less(hub_room, have) &&
                  seq - (uint64_t)have <= (uint64_t)hub->config.resume_pushes;
    struct view *view = empty_view(resume ? (uint32_t)(seq - (uint64_t)have) : 0);
    bool done = view;
    if (view) {
        view->room = hub_room->id;
        view->have = have;
    }
    if (done && resume)
        done = history_write(hub, hub_room, audience, (uint64_t)have, seq, add_missed, view,
                             &view->encoded_bytes) == 0 &&
               (have == 0 || exact || choose_shorter(view, hub_room, audience, seq));
    else if (done)
        done = (view->state = make_snapshot(view, hub_room, audience, seq)) != NULL;
    if (!done) {
        view_free(view);
        return NULL;
    }
    *(view->state ? &hub->metrics.snapshots : &hub->metrics.resumes) += 1;
    return view;
}

static void write_you(const struct pending *pending, const struct conn *conn, struct writer *writer)
{
    writer_key_object(writer, "you");
    if (pending->seat != ROOM_NO_SEAT)
        writer_key_int(writer, "seat", pending->seat);
    writer_key_bool(writer, "host", room_host(pending->hub_room->room) == conn->session->id);
    writer_end(writer);
}

void view_send(struct hub *hub, struct conn *conn, const struct pending *pending)
{
    const struct view *view = pending->u.view;
    if (pending->follows) /* its site does not pass on this reply, and who is there may be others */
        presence_tell_now(hub, pending->hub_room, conn);
    struct buffer buffer;
    struct writer writer;
    blob_buffer_init(&buffer, STATE_BYTES + 1024);
    writer_init(&writer, &buffer);
    reply_begin(&writer, pending->id);
    writer_key_string(&writer, "room", pending->hub_room->id);
    writer_key_int(&writer, "seq", (int64_t)pending->seq);
    write_you(pending, conn, &writer);
    presence_write(pending->hub_room, &writer);
    writer_key_int(&writer, "time", hub->now_ms);
    if (view->state)
        writer_key_raw(&writer, "state", (const char *)blob_bytes(view->state), view->state->len);
    reply_end(&writer);
    conn_send_buffer(hub, conn, &buffer,
                     &(struct hub_head){.kind = view->state ? HUB_VIEW : HUB_REPLY,
                                        .id = pending->id,
                                        .follows = pending->follows,
                                        .seq = (int64_t)pending->seq});
    for (uint32_t i = 0; i < view->count; i++)
        conn_send(hub, conn, view->missed[i]);
}
