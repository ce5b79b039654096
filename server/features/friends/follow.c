#include "follow.h"

#include "follow_table.h"
#include "state.h"
#include <hub/call.h>
#include <hub/config.h>
#include <hub/kernel.h>
#include <hub/kernel_others.h>
#include <hub/store_query.h>
#include <stdlib.h>
#include <string.h>

/* ---- the change */

enum what { FOLLOWS, FOLLOWS_NO_MORE, SEEN, UNSEEN };

struct change {
    struct kernel_change change;
    enum what what;
    struct follow_row row; /* of UNSEEN and SEEN: of which the session counts */
};

/* It waits for the store no more. */
static void end_waiting(struct hub *hub, const struct change *change)
{
    friends_of(hub)->prepared--;
    if (change->what == FOLLOWS)
        follows_remove_coming(hub, change->row.other);
}

static void carry_out(struct hub *hub, struct session *session, struct kernel_change *kernel_change)
{
    const struct change *change = (const struct change *)(const void *)kernel_change;
    (void)session;
    end_waiting(hub, change);
    switch (change->what) {
    case FOLLOWS:
        follows_put(hub, change->row.session, change->row.other);
        break;
    case FOLLOWS_NO_MORE:
        follows_drop(hub, change->row.session, change->row.other);
        break;
    case SEEN:
    case UNSEEN:
        unseen_set(hub, change->row.session, change->what == UNSEEN);
        break;
    }
}

static void undo_change(struct hub *hub, struct session *session, struct kernel_change *change)
{
    (void)session;
    end_waiting(hub, (const struct change *)(const void *)change);
}

static void destroy_change(struct kernel_change *change)
{
    free(change);
}

static const struct kernel_change_type change_type = {
    .carry_out = carry_out, .undo = undo_change, .destroy = destroy_change};

static enum protocol_error may_change(const struct call *call)
{
    const enum protocol_error error = kernel_may_store(call->hub, 1);
    if (error != PROTOCOL_OK)
        return error;
    if (kernel_session_is_changing(call->session) || !kernel_session_is_durable(call->session))
        return PROTOCOL_SLOW_DOWN;
    return kernel_reserve(call->hub, 1, 0) == 0 && follows_reserve(call->hub) &&
                   follows_reserve_coming(call->hub) && unseen_reserve(call->hub)
               ? PROTOCOL_OK
               : PROTOCOL_INTERNAL;
}

/* Memory has been reserved. */
static void store_change(struct hub *hub, const struct change *change)
{
    const struct unseen_row unseen = {change->row.session, change->row.since_ms};
    switch (change->what) {
    case FOLLOWS:
        kernel_put_row(hub, &follow_table, &change->row);
        follows_add_coming(hub, change->row.other);
        break;
    case FOLLOWS_NO_MORE:
        kernel_drop_row(hub, &follow_table, &change->row);
        break;
    case SEEN:
        kernel_drop_row(hub, &unseen_table, &unseen);
        break;
    case UNSEEN:
        kernel_put_row(hub, &unseen_table, &unseen);
        break;
    }
    friends_of(hub)->prepared++;
}

static void write_answer(const struct change *change, struct writer *writer)
{
    if (change->what == SEEN || change->what == UNSEEN)
        writer_key_bool(writer, "hidden", change->what == UNSEEN);
}

static void make_change(const struct call *call, enum what what, const struct follow_row *row)
{
    enum protocol_error error = may_change(call);
    struct change *change = error == PROTOCOL_OK ? malloc(sizeof *change) : NULL;
    struct reply reply;
    if (!change) {
        call_error(call, error == PROTOCOL_OK ? PROTOCOL_INTERNAL : error, NULL);
        return;
    }
    *change = (struct change){{&change_type}, what, *row};
    call_reply_begin(call, &reply);
    write_answer(change, &reply.writer);
    if (kernel_change_answered(call, call->session, &reply, &change->change) == 0) {
        store_change(call->hub, change);
        return;
    }
    free(change);
    call_error(call, PROTOCOL_INTERNAL, NULL);
}

/* ---- follow, unfollow */

void op_follow(struct call *call)
{
    kernel_ask_named(call);
}

void op_unfollow(struct call *call)
{
    kernel_ask_named(call);
}

static enum protocol_error read_who(const struct call *call, const struct store_query *query,
                                    struct follow_row *row)
{
    struct protocol_account account;
    if (query->result != STORE_OK)
        return PROTOCOL_STORE_FAILING;
    if (query->count == 0)
        return PROTOCOL_UNKNOWN_HANDLE;
    *row = (struct follow_row){.session = kernel_session_id(call->session),
                               .since_ms = kernel_now_ms(call->hub)};
    row->other = kernel_read_account(call->hub, store_query_row(query, 0), &account);
    memcpy(row->handle, account.handle, sizeof row->handle);
    return row->other != row->session ? PROTOCOL_OK : PROTOCOL_BAD_FIELD;
}

/* Of somebody whom the account does not follow yet. */
static enum protocol_error may_follow(const struct hub *hub, uint64_t session)
{
    const struct hub_config *config = kernel_config(hub);
    if (follows_count(hub, session) >= (uint64_t)config->follows_per_account)
        return PROTOCOL_TOO_MANY_FOLLOWS;
    return follows_in_all(hub) < (uint64_t)config->follows ? PROTOCOL_OK : PROTOCOL_FULL;
}

/* Nothing to change is as good as changed. */
static void answer_at_once(const struct call *call)
{
    struct reply reply;
    call_reply_begin(call, &reply);
    call_reply(call, &reply, NULL);
}

void follow_queried(struct call *call, const struct store_query *query)
{
    struct follow_row row;
    enum protocol_error error = read_who(call, query, &row);
    if (error != PROTOCOL_OK) {
        call_error(call, error, error == PROTOCOL_STORE_FAILING ? NULL : "handle");
        return;
    }
    const bool is_there = follows_has(call->hub, row.session, row.other);
    if (call->request->op == REQUEST_UNFOLLOW) {
        if (is_there)
            make_change(call, FOLLOWS_NO_MORE, &row);
        else
            call_error(call, PROTOCOL_UNKNOWN_HANDLE, "handle");
        return;
    }
    error = is_there ? PROTOCOL_OK : may_follow(call->hub, row.session);
    if (error != PROTOCOL_OK)
        call_error(call, error, NULL);
    else if (is_there)
        answer_at_once(call);
    else
        make_change(call, FOLLOWS, &row);
}

/* ---- presence */

void op_presence(struct call *call)
{
    const struct follow_row row = {.session = kernel_session_id(call->session),
                                   .since_ms = kernel_now_ms(call->hub)};
    if (kernel_needs_account(call))
        make_change(call, call->request->hidden ? UNSEEN : SEEN, &row);
}
