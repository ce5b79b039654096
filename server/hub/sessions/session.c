#include "session.h"

#include "feature_table.h"
#include "hub_private.h"
#include "key_map.h"
#include "limits/address.h"
#include "limits/origin.h"
#include "waiting/batch.h"
#include "waiting/note_queue.h"
#include <assert.h>
#include <base/copy_text.h>
#include <hub/kernel_account.h>
#include <hub/part.h>
#include <room/room.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* After a try that found no room in the batch, or no memory. */
enum { EXPIRE_RETRY_MS = 1000 };

static void set_state(struct session *session, enum session_state state)
{
    switch (state) {
    case SESSION_NEW:
        assert(false && "no such transition");
        break;
    case SESSION_STORED:
        assert(session->state == SESSION_NEW);
        break;
    case SESSION_DROPPING:
        assert(session->state == SESSION_STORED || session->state == SESSION_DISOWNED);
        break;
    case SESSION_DISOWNED:
        assert(session->state == SESSION_DROPPING || session->state == SESSION_NEW);
        break;
    case SESSION_FOREIGN:
        assert(false && "no such transition");
        break;
    }
    session->state = state;
}

void session_stored(struct session *session)
{
    set_state(session, SESSION_STORED);
}

void session_disown(struct session *session)
{
    set_state(session, SESSION_DISOWNED);
}

bool session_is_gone(const struct session *session)
{
    return session->state == SESSION_DROPPING || session->state == SESSION_DISOWNED;
}

struct session *session_find(const struct hub *hub, uint64_t id)
{
    size_t at = 0;
    return key_map_find(&hub->sessions.by_id, id, &at);
}

/* ---- creating and destroying */

static struct session *add_session(struct hub *hub, const struct store_session *row)
{
    struct session *session = calloc(1, sizeof *session + hub->features.session_bytes);
    if (!session)
        return NULL;
    session->id = row->id;
    session->created_ms = row->created_ms;
    session->seen_ms = row->seen_ms;
    session->name = copy_text(row->name);
    if (!session->name)
        goto no_name;
    if (key_map_put(&hub->sessions.by_id, session->id, session) < 0)
        goto no_place;
    origin_add(&hub->sessions.origins, &session->origin);
    return session;
no_place:
    free(session->name);
no_name:
    free(session);
    return NULL;
}

static uint64_t new_id(const struct hub *hub)
{
    uint64_t id;
    do {
        hub->env.random(hub->env.ctx, &id, sizeof id);
        id &= INT64_MAX; /* a store may have signed integers only */
    } while (id == 0 || part_of_session(id, hub->env.parts) != hub->env.part ||
             session_find(hub, id));
    return id;
}

/* Of the same part as that one, and so by other numbers of parts too (PART_TOGETHER). */
static uint64_t new_id_beside(const struct hub *hub, uint64_t other)
{
    uint64_t id;
    do {
        hub->env.random(hub->env.ctx, &id, sizeof id);
        id = id % (INT64_MAX / PART_TOGETHER) * PART_TOGETHER + other % PART_TOGETHER;
    } while (id == 0 || part_of_session(id, hub->env.parts) != hub->env.part ||
             session_find(hub, id));
    return id;
}

struct session *session_create(struct hub *hub, const char *name, const struct session *beside)
{
    struct store_session row = {.id = beside ? new_id_beside(hub, beside->id) : new_id(hub),
                                .created_ms = hub->now_ms,
                                .seen_ms = hub->now_ms};
    assert(strlen(name) < sizeof row.name);
    memcpy(row.name, name, strlen(name) + 1);
    return add_session(hub, &row);
}

struct session *session_restore(struct hub *hub, const struct store_session *stored)
{
    struct session *session = add_session(hub, stored);
    if (session) {
        set_state(session, SESSION_STORED);
        session->player = session->seen_ms > session->created_ms;
    }
    return session;
}

static struct session_queue *queue_of(struct hub *hub, const struct session *session)
{
    if (session->state == SESSION_FOREIGN)
        return &hub->sessions.unused;
    if (session->account)
        return &hub->sessions.accounts;
    return session->player ? &hub->sessions.players : &hub->sessions.visitors;
}

static void unqueue_session(struct hub *hub, struct session *session)
{
    struct session_queue *queue = queue_of(hub, session);
    *(session->older ? &session->older->newer : &queue->oldest) = session->newer;
    *(session->newer ? &session->newer->older : &queue->newest) = session->older;
    session->older = session->newer = NULL;
    session->idle = false;
}

static void enqueue_session(struct hub *hub, struct session *session)
{
    struct session_queue *queue = queue_of(hub, session);
    session->idle = true;
    session->older = queue->newest;
    *(session->older ? &session->older->newer : &queue->oldest) = session;
    queue->newest = session;
}

/* Back to where it was before it was to be dropped: behind those that are idle for longer. */
static void enqueue_again(struct hub *hub, struct session *session)
{
    struct session_queue *queue = queue_of(hub, session);
    struct session *newer = queue->oldest;
    while (newer && newer->idle_ms < session->idle_ms)
        newer = newer->newer;
    session->idle = true;
    session->newer = newer;
    session->older = newer ? newer->older : queue->newest;
    *(session->older ? &session->older->newer : &queue->oldest) = session;
    *(newer ? &newer->older : &queue->newest) = session;
}

void session_destroy(struct hub *hub, struct session *session)
{
    assert(!session->conns && !session->seats && session->host_count == 0);
    features_session_gone(hub, session);
    if (session->idle)
        unqueue_session(hub, session);
    if (session->counted)
        hub->shares.sessions[session->share]--;
    if (session->state == SESSION_FOREIGN)
        hub->sessions.foreign_count--;
    origin_remove(&hub->sessions.origins, &session->origin);
    key_map_remove(&hub->sessions.by_id, session->id, session);
    free(session->name);
    free(session->account);
    free(session);
}

void sessions_release(struct hub *hub)
{
    size_t at = 0;
    struct session *session;
    while ((session = key_map_any(&hub->sessions.by_id, &at)) != NULL)
        session_destroy(hub, session);
    key_map_release(&hub->sessions.by_id);
}

void session_row(const struct session *session, const char *name, struct store_session *row)
{
    *row = (struct store_session){
        .id = session->id, .created_ms = session->created_ms, .seen_ms = session->seen_ms};
    if (!name)
        name = session->name;
    assert(strlen(name) < sizeof row->name);
    snprintf(row->name, sizeof row->name, "%s", name);
}

/* ---- of other parts */

bool session_is_elsewhere(const struct hub *hub, uint64_t id)
{
    return id != 0 && part_of_session(id, hub->env.parts) != hub->env.part;
}

struct session *session_meet(struct hub *hub, uint64_t id, const char *name)
{
    struct store_session row = {.id = id, .created_ms = hub->now_ms, .seen_ms = hub->now_ms};
    struct session *session = session_find(hub, id);
    if (session || !session_is_elsewhere(hub, id))
        return session;
    assert(strlen(name) < sizeof row.name);
    memcpy(row.name, name, strlen(name) + 1);
    session = add_session(hub, &row);
    if (!session)
        return NULL;
    session->state = SESSION_FOREIGN;
    hub->sessions.foreign_count++;
    session_check_idle(hub, session);
    return session;
}

bool session_is_own(const struct conn *conn)
{
    return !conn->session || conn->session->state != SESSION_FOREIGN;
}

bool session_call(struct session *session, const char *name)
{
    char *copy = strcmp(session->name, name) != 0 ? copy_text(name) : session->name;
    if (!copy || copy == session->name)
        return copy;
    free(session->name);
    session->name = copy;
    return true;
}

void session_give_account(struct hub *hub, struct session *session, struct kernel_account *account)
{
    const bool queued = session->idle;
    if (queued)
        unqueue_session(hub, session); /* which queue it is in depends on it */
    free(session->account);
    session->account = account;
    if (queued)
        enqueue_session(hub, session);
}

struct room_actor session_actor(const struct session *session)
{
    return (struct room_actor){session->id, session->name,
                               session->account ? &session->account->shown : NULL};
}

void sessions_end_unused(struct hub *hub)
{
    struct session *session = hub->sessions.unused.oldest;
    while (session) {
        struct session *newer = session->newer;
        if (!session->changing)
            session_destroy(hub, session);
        session = newer;
    }
}

/* ---- its connections */

static void set_origin(struct hub *hub, struct session *session, const struct address *address)
{
    session->share = address_share(address);
    origin_remove(&hub->sessions.origins, &session->origin);
    session->origin = address->origin;
    origin_add(&hub->sessions.origins, &session->origin);
}

void session_attach(struct hub *hub, struct session *session, struct conn *conn, uint32_t device)
{
    assert(!conn->session);
    conn->session = session;
    conn->device = device;
    if (!session->share)
        set_origin(hub, session, conn->address);
    conn->session_next = session->conns;
    session->conns = conn;
    session->conn_count++;
    session_check_idle(hub, session);
}

void session_detach(struct hub *hub, struct conn *conn)
{
    struct session *session = conn->session;
    struct conn **link = &session->conns;
    while (*link != conn)
        link = &(*link)->session_next;
    *link = conn->session_next;
    features_connection_left(hub, session, conn->device);
    conn->session_next = NULL;
    conn->session = NULL;
    session->conn_count--;
    session_check_idle(hub, session);
}

/* ---- idling and expiring */

bool session_within_share(const struct hub *hub, const struct session *session, uint16_t share)
{
    if (session && session->counted)
        return true;
    if (session && session->share)
        share = session->share;
    return hub->shares.sessions[share] < hub->config.sessions_per_address;
}

/* Visitors who are not connected can be dropped at any time, so they count for no address. */
static void count_share(struct hub *hub, struct session *session)
{
    bool counts = session->share && (!session->idle || session->player);
    if (counts != session->counted)
        hub->shares.sessions[session->share] += counts ? 1 : UINT32_MAX;
    session->counted = counts;
}

/* Has had a seat, or made a room; or features keep something of it. */
static bool is_player(const struct hub *hub, const struct session *session)
{
    return session->player || session->kept || session->seats || session->host_count > 0 ||
           features_keep_session(hub, session);
}

void session_check_idle(struct hub *hub, struct session *session)
{
    bool idle = session->conn_count == 0 && !session->seats && session->host_count == 0;
    bool player = is_player(hub, session);
    if (session->idle && (!idle || player != session->player))
        unqueue_session(hub, session); /* which queue it is in depends on both */
    if (session->state == SESSION_FOREIGN && player && !session->player)
        note_queue_player(hub, session->id);
    session->player = player;
    if (idle && !session->idle) {
        session->idle_ms = hub->now_ms;
        enqueue_session(hub, session);
    }
    count_share(hub, session);
}

void session_keep(struct hub *hub, struct session *session)
{
    assert(!session_is_gone(session));
    session->kept = true;
    session_check_idle(hub, session);
}

static int64_t idle_limit_ms(const struct hub *hub, const struct session *session)
{
    int64_t days = session->player ? hub->config.session_idle_days : hub->config.visitor_idle_days;
    return days * 24 * 3600 * 1000;
}

/* The longest idle session that is durable. */
static struct session *oldest_durable(const struct session_queue *queue)
{
    struct session *session = queue->oldest;
    while (session && session->state == SESSION_NEW)
        session = session->newer;
    return session;
}

/* With what features tell others because of it. False: no memory, or no place for all of that. */
static bool put_drop(struct hub *hub, const struct session *session)
{
    struct batch *batch = hub->commit.filling;
    const struct batch_mark mark = batch_mark(batch);
    const uint64_t sent = hub->mail.sent;
    if (!features_session_ends(hub, session) || !batch_has_room(hub, 1) ||
        batch_reserve(batch, 1, 1, 0, 0) < 0) {
        batch_take_back(batch, mark);
        hub->mail.sent = sent;
        return false;
    }
    batch_drop_session(batch, session->id);
    batch_defer(batch, &(struct pending){.kind = PENDING_DROP_SESSION, .session = session->id});
    return true;
}

bool session_drop(struct hub *hub, struct session *session)
{
    if (hub->commit.failing || !batch_has_room(hub, 1) || !put_drop(hub, session))
        return false;
    unqueue_session(hub, session);
    set_state(session, SESSION_DROPPING);
    hub->sessions.dropping_count++;
    return true;
}

void session_dropped(struct hub *hub, uint64_t id, bool done)
{
    struct session *session = session_find(hub, id);
    assert(session && session->state == SESSION_DROPPING);
    hub->sessions.dropping_count--;
    if (done) {
        session_destroy(hub, session);
        return;
    }
    set_state(session, SESSION_DISOWNED);
    enqueue_again(hub, session); /* to be dropped again: letters to it wait for that */
    session_check_idle(hub, session);
    hub->sessions.expire_after_ms = hub->now_ms + EXPIRE_RETRY_MS;
}

void sessions_excuse(struct hub *hub, int64_t ms)
{
    size_t at = 0;
    struct session *session;
    while (ms > 0 && (session = key_map_next(&hub->sessions.by_id, &at)) != NULL)
        session->idle_ms += session->idle ? ms : 0;
}

static struct session *expired_session(const struct hub *hub)
{
    const struct session_queue *queues[] = {&hub->sessions.visitors, &hub->sessions.players};
    if (hub->commit.failing || hub->now_ms < hub->sessions.expire_after_ms)
        return NULL;
    for (size_t i = 0; i < 2; i++) {
        struct session *session = oldest_durable(queues[i]);
        if (session && session->idle_ms + idle_limit_ms(hub, session) <= hub->now_ms)
            return session;
    }
    return NULL;
}

void sessions_expire(struct hub *hub)
{
    struct session *session;
    while ((session = expired_session(hub)) != NULL) {
        if (!session_drop(hub, session)) {
            hub->sessions.expire_after_ms = hub->now_ms + EXPIRE_RETRY_MS;
            break;
        }
    }
}

int64_t sessions_deadline_ms(const struct hub *hub)
{
    const struct session_queue *queues[] = {&hub->sessions.visitors, &hub->sessions.players};
    int64_t due_ms = INT64_MAX;
    if (hub->commit.failing)
        return due_ms;
    for (size_t i = 0; i < 2; i++) {
        const struct session *session = oldest_durable(queues[i]);
        if (session && session->idle_ms + idle_limit_ms(hub, session) < due_ms)
            due_ms = session->idle_ms + idle_limit_ms(hub, session);
    }
    return due_ms > hub->sessions.expire_after_ms ? due_ms : hub->sessions.expire_after_ms;
}

bool sessions_have_room(struct hub *hub)
{
    if (key_map_count(&hub->sessions.by_id) - hub->sessions.dropping_count <
        (size_t)hub->config.sessions)
        return true;
    struct session *session = oldest_durable(&hub->sessions.visitors);
    return session && session_drop(hub, session);
}
