#include <hub/kernel_others.h>

#include "batch.h"
#include "conn.h"
#include "hub_private.h"
#include "session.h"
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

bool kernel_is_proven(const struct call *call, const struct store_query *query)
{
    return call->hub->features.doors->is_proven(call, query);
}

void kernel_end_session(struct hub *hub, uint64_t id)
{
    struct session *session = session_find(hub, id);
    if (!session || session->state == SESSION_DROPPING || session->state == SESSION_NEW ||
        session->changing)
        return;
    for (struct conn *conn = session->conns; conn; conn = conn->session_next)
        conn_close(hub, conn, CLOSE_DEVICE_ENDED);
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

int kernel_tell_apart(struct hub *hub, const struct session *session, uint64_t other, bool blocks)
{
    for (const struct feature *const *feature = hub->features.list; *feature; feature++) {
        if ((*feature)->apart && (*feature)->apart(hub, session, other, blocks) < 0)
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
