/*
 * Loads everything from the store into memory, before the first peer.
 *
 * A room and its events come one after the other; when the next room comes, or nothing more, it is
 * complete and becomes a room.
 */
#include "changes/room_clock.h"
#include "commit.h"
#include "feature_table.h"
#include "hub_private.h"
#include "jump.h"
#include "jump_keep.h"
#include "key_map.h"
#include "parts/mail.h"
#include "rooms/damaged.h"
#include "rooms/entry.h"
#include "rooms/hub_room.h"
#include "rooms/room_list.h"
#include "rows/document_rows.h"
#include "sessions/session.h"
#include <hub/store_tables.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int restore_epoch(void *ctx, uint64_t epoch)
{
    struct hub *hub = ctx;
    hub->epoch = epoch;
    return 0;
}

static int restore_session(void *ctx, const struct store_session *stored)
{
    struct hub *hub = ctx;
    if (stored->id == 0 || !memchr(stored->name, 0, sizeof stored->name) ||
        session_is_elsewhere(hub, stored->id) || session_find(hub, stored->id))
        return STORE_CORRUPT;
    if (stored->seen_ms > hub->restoring.known_ms)
        hub->restoring.known_ms = stored->seen_ms;
    return session_restore(hub, stored) ? 0 : STORE_FAILED;
}

static int restore_row(void *ctx, const struct store_table *table, const void *row)
{
    if (table == &store_jump_table) {
        jump_restore(ctx, row);
        return 0;
    }
    const bool taken = table == &store_document_table ? document_rows_restore(ctx, row)
                                                      : features_restore_row(ctx, table, row);
    return taken ? 0 : STORE_FAILED;
}

/* The rest of the room is skipped; other rooms are not affected. */
static int restore_damaged(void *ctx, const char *room_id_text, const char *why)
{
    struct hub *hub = ctx;
    struct room *room = hub->restoring.room;
    snprintf(hub->restoring.skipped, sizeof hub->restoring.skipped, "%s", room_id_text);
    int added = damaged_add(hub, room_id_text, why);
    if (room && strcmp(room_id(room), room_id_text) == 0) {
        room_destroy(room);
        hub->restoring.room = NULL;
    }
    return added < 0 ? STORE_FAILED : 0;
}

static int finish_room(struct hub *hub)
{
    struct room *room = hub->restoring.room;
    if (!room)
        return 0;
    if (!hub->restoring.has_events)
        return restore_damaged(hub, room_id(room), "it has no events");
    if (hub_room_find(hub, room_id(room)))
        return STORE_CORRUPT;
    struct hub_room *hub_room = hub_room_add(hub, room);
    if (!hub_room)
        return STORE_FAILED;
    hub_room->durable_seq = room_seq(room);
    hub->restoring.room = NULL;
    return 0;
}

static int restore_room(void *ctx, const struct store_room *stored)
{
    struct hub *hub = ctx;
    int finished = finish_room(hub);
    if (finished < 0)
        return finished;
    hub->restoring.room = room_restore(hub->env.games, &stored->seed);
    hub->restoring.has_events = false;
    hub->restoring.skipped[0] = '\0';
    return hub->restoring.room ? 0 : STORE_FAILED;
}

/* Not what players have agreed on. */
static bool is_of_all_clocks(const struct room_event *event)
{
    return event->kind == ROOM_RESUMED && event->seat == ROOM_NO_SEAT && event->text_len == 0;
}

static int restore_event(void *ctx, const char *room_id_text, const struct room_event *event)
{
    struct hub *hub = ctx;
    struct room *room = hub->restoring.room;
    if (strcmp(hub->restoring.skipped, room_id_text) == 0)
        return 0;
    if (!room || strcmp(room_seed(room)->id, room_id_text) != 0)
        return STORE_CORRUPT;
    int restored = room_restore_event(room, event);
    if (restored == -1)
        return STORE_FAILED;
    if (restored == -3 && hub->env.sign_of_life_ms > 0) /* others who may have it know it */
        return STORE_NEWER;
    if (restored < 0) {
        char why[64];
        snprintf(why, sizeof why, "event %" PRIu64 " cannot be replayed", event->seq);
        return restore_damaged(hub, room_id_text, why);
    }
    hub->restoring.has_events = true;
    if (is_of_all_clocks(event) && event->at_ms > hub->restoring.resumed_ms)
        hub->restoring.resumed_ms = event->at_ms;
    if (event->at_ms > hub->restoring.known_ms)
        hub->restoring.known_ms = event->at_ms;
    return 0;
}

static int restore_guest(void *ctx, const char *room_id_text, uint64_t session)
{
    struct hub *hub = ctx;
    uint64_t ignored;
    int finished = finish_room(hub);
    if (finished < 0)
        return finished;
    struct hub_room *hub_room = hub_room_find(hub, room_id_text);
    if (!hub_room)
        return damaged_has(hub, room_id_text) ? 0 : STORE_CORRUPT;
    room_let_in(hub_room->room, session, &ignored);
    return 0;
}

struct store_sink hub_sink(struct hub *hub)
{
    return (struct store_sink){restore_epoch, restore_session, restore_row,     restore_room,
                               restore_event, restore_guest,   restore_damaged, hub};
}

/* ---- after everything has been loaded */

static int by_seen(const void *a, const void *b)
{
    const struct session *one = *(struct session *const *)a, *two = *(struct session *const *)b;
    if (one->seen_ms != two->seen_ms)
        return one->seen_ms < two->seen_ms ? -1 : 1;
    return one->id < two->id ? -1 : one->id > two->id;
}

/* Puts idle sessions into their queues, as if they had disconnected when they were last seen. */
static int queue_sessions(struct hub *hub)
{
    size_t count = 0, at = 0;
    struct session *session,
        **sessions = calloc(key_map_count(&hub->sessions.by_id) + 1, sizeof *sessions);
    if (!sessions)
        return STORE_FAILED;
    while ((session = key_map_next(&hub->sessions.by_id, &at)) != NULL)
        sessions[count++] = session;
    qsort(sessions, count, sizeof(struct session *), by_seen);
    for (at = 0; at < count; at++) {
        session_check_idle(hub, sessions[at]);
        if (sessions[at]->idle)
            sessions[at]->idle_ms =
                sessions[at]->seen_ms + jumps_uncounted_ms(hub, sessions[at]->seen_ms);
    }
    free(sessions);
    return 0;
}

/* Clocks did not run while the server was down: since the latest time in the store. */
static int resume_clocks(struct hub *hub)
{
    size_t at = 0;
    struct hub_room *hub_room;
    commit_note_resumed(&hub->commit, hub->restoring.known_ms, hub->now_ms);
    while ((hub_room = key_map_next(&hub->rooms.by_id, &at)) != NULL) {
        if (!hub_room_meet(hub, hub_room))
            return STORE_FAILED;
        room_restored(hub_room->room, hub->now_ms);
        hub_room->unsubscribed_ms = hub->now_ms;
        hub_room_sync(hub, hub_room);
        room_list_update(hub, hub_room);
        features_room_durable(hub, hub_room, true);
        room_clock_resume(hub, hub_room, hub->restoring.known_ms);
    }
    return 0;
}

int64_t hub_known_ms(const struct hub *hub)
{
    return hub->restoring.known_ms;
}

int hub_restored(struct hub *hub, int64_t now_ms)
{
    entry_begin(hub, now_ms > hub->restoring.known_ms ? now_ms : hub->restoring.known_ms);
    int done = finish_room(hub);
    if (done < 0)
        return done;
    jump_note(hub, hub->restoring.known_ms, hub->now_ms);
    done = resume_clocks(hub);
    if (done == 0)
        done = queue_sessions(hub);
    jumps_keep(hub);
    mail_begin(hub);
    entry_end(hub);
    return done;
}
