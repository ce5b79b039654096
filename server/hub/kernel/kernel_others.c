#include <hub/kernel_others.h>

#include "changes/room_clock.h"
#include "connections/conn.h"
#include "hub_private.h"
#include "key_map.h"
#include "rooms/hub_room.h"
#include "sessions/session.h"
#include "waiting/batch.h"
#include <assert.h>
#include <hub/call.h>
#include <hub/kernel_account.h>
#include <hub/kernel_query.h>

static const struct feature_accounts *accounts_of(const struct hub *hub)
{
    for (const struct feature *const *feature = hub->features.list; *feature; feature++) {
        if ((*feature)->accounts)
            return (*feature)->accounts;
    }
    return NULL;
}

bool kernel_ask_account(const struct hub *hub, const char *handle, struct kernel_query *query,
                        void *from)
{
    const struct feature_accounts *accounts = accounts_of(hub);
    if (!accounts)
        return false;
    accounts->ask(handle, from);
    *query = (struct kernel_query){
        .table = accounts->table, .index = accounts->index, .limit = 1, .from = from};
    return true;
}

bool kernel_needs_account(const struct call *call)
{
    if (call->session->account)
        return true;
    call_error(call, PROTOCOL_ACCOUNT_NEEDED, NULL);
    return false;
}

void kernel_ask_named(const struct call *call)
{
    _Alignas(max_align_t) unsigned char from[STORE_ROW_SIZE_MAX] = {0};
    struct kernel_query query;
    if (!kernel_needs_account(call))
        return;
    if (!kernel_ask_account(call->hub, call->request->handle, &query, from) ||
        !call_query(call, &query))
        call_error(call, PROTOCOL_SLOW_DOWN, NULL);
}

uint64_t kernel_read_account(const struct hub *hub, const void *row,
                             struct protocol_account *account)
{
    const struct feature_accounts *accounts = accounts_of(hub);
    assert(accounts && "it was asked for");
    return accounts->read(row, account);
}

int64_t kernel_read_account_since_ms(const struct hub *hub, const void *row)
{
    const struct feature_accounts *accounts = accounts_of(hub);
    assert(accounts && "it was asked for");
    return accounts->read_since_ms(row);
}

int64_t kernel_account_since_ms(const struct hub *hub, const struct session *session)
{
    const struct feature_accounts *accounts = accounts_of(hub);
    return accounts && accounts->since_ms ? accounts->since_ms(hub, session) : 0;
}

uint64_t kernel_owner(const struct session *session)
{
    return session->account ? session->account->owner : 0;
}

struct session *kernel_owned(const struct hub *hub, const struct session *owner, const char *handle)
{
    const struct feature_accounts *accounts = accounts_of(hub);
    return accounts && accounts->owned ? accounts->owned(hub, owner, handle) : NULL;
}

void kernel_ask_proof(const struct call *call, struct kernel_query *query, void *from)
{
    call->hub->features.doors->ask_proof(call, query, from);
}

bool kernel_signed_in(const struct hub *hub, const struct session *session)
{
    return hub->features.doors->signed_in(hub, session);
}

bool kernel_is_proven(const struct call *call, const struct store_query *query)
{
    return call->hub->features.doors->is_proven(call, query);
}

/* NULL: it is none, or something of it waits for the store. */
static struct session *find_settled(const struct hub *hub, uint64_t id)
{
    struct session *session = session_find(hub, id);
    const bool settled = session && session->state != SESSION_DROPPING &&
                         session->state != SESSION_NEW && !session->changing;
    return settled ? session : NULL;
}

void kernel_put_out(struct hub *hub, uint64_t id)
{
    const struct session *session = find_settled(hub, id);
    for (struct conn *conn = session ? session->conns : NULL; conn; conn = conn->session_next)
        conn_close(hub, conn, CLOSE_DEVICE_ENDED);
}

void kernel_erase_names(struct hub *hub, uint64_t session)
{
    batch_use_op(hub->commit.filling);
    batch_erase_names(hub->commit.filling, session);
}

static bool has_sat(const struct hub_room *hub_room, uint64_t session)
{
    uint8_t seat = 0;
    while (seat < hub_room->seats && hub_room->links[seat].session_id != session)
        seat++;
    return seat < hub_room->seats;
}

static bool may_put_away(const struct hub *hub, const struct hub_room *hub_room)
{
    struct room_event last;
    room_event_at(hub_room->room, room_seq(hub_room->room), &last);
    return hub_room->state == HUB_ROOM_LIVE && !hub_room_is_dirty(hub_room) &&
           !hub->commit.failing && room_phase(hub_room->room) == PROTOCOL_PHASE_OVER &&
           last.at_ms + hub->config.over_idle_ms <= hub->now_ms;
}

bool kernel_put_matches_away(struct hub *hub, uint64_t session)
{
    struct hub_room *hub_room;
    bool done = true;
    size_t at = 0;
    while ((hub_room = key_map_next(&hub->rooms.by_id, &at)) != NULL) {
        if (hub_room->state == HUB_ROOM_ARCHIVED || !has_sat(hub_room, session))
            continue;
        done = false;
        if (may_put_away(hub, hub_room))
            (void)room_clock_forget(hub, hub_room);
    }
    return done;
}

void kernel_end_session(struct hub *hub, uint64_t id)
{
    struct session *session = find_settled(hub, id);
    if (!session)
        return;
    kernel_put_out(hub, id);
    if (session->idle)
        (void)session_drop(hub, session);
}

size_t kernel_blocks(const struct hub *hub, const struct session *session,
                     uint64_t others[static KERNEL_BLOCKS_MAX])
{
    for (const struct feature *const *feature = hub->features.list; *feature; feature++) {
        if ((*feature)->blocks)
            return (*feature)->blocks(hub, session, others, KERNEL_BLOCKS_MAX);
    }
    return 0;
}

bool kernel_has_blocked(const struct hub *hub, const struct session *session, uint64_t other)
{
    uint64_t others[KERNEL_BLOCKS_MAX];
    const size_t count = kernel_blocks(hub, session, others);
    size_t at = 0;
    while (at < count && others[at] != other)
        at++;
    return at < count;
}

bool kernel_follows(const struct hub *hub, const struct session *session, uint64_t other)
{
    for (const struct feature *const *feature = hub->features.list; *feature; feature++) {
        if ((*feature)->follows && (*feature)->follows(hub, session->id, other))
            return true;
    }
    return false;
}

int kernel_tell_apart(struct hub *hub, const struct session *session, uint64_t other, bool blocks)
{
    for (const struct feature *const *feature = hub->features.list; *feature; feature++) {
        if ((*feature)->apart && (*feature)->apart(hub, session, other, blocks) < 0)
            return -1;
    }
    return 0;
}

int kernel_tell_seen(struct hub *hub, const struct session *session, const char *object, size_t len)
{
    for (const struct feature *const *feature = hub->features.list; *feature; feature++) {
        if ((*feature)->seen && (*feature)->seen(hub, session, object, len) < 0)
            return -1;
    }
    return 0;
}

size_t kernel_forget(struct hub *hub, uint64_t session, size_t max, bool *more)
{
    size_t count = 0;
    for (const struct feature *const *feature = hub->features.list; *feature; feature++) {
        if (!(*feature)->forget)
            continue;
        if (batch_keep(hub->commit.filling, 0, 1, 0) == 0) /* for a change of each */
            count += (*feature)->forget(hub, session, max - count, more);
        else
            *more = true;
    }
    return count;
}
