#include "bots.h"

#include "tables/account_table.h"
#include "tables/bot_table.h"
#include "tables/closing_table.h"
#include "tables/handle.h"
#include <hub/call.h>
#include <hub/config.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <hub/kernel_enter.h>
#include <hub/kernel_others.h>
#include <hub/kernel_query.h>
#include <hub/store_query.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what an owner sees */

/* With one more, which is not durable yet; NULL: none. */
static void write_bots(const struct hub *hub, const struct session *owner, const char *more,
                       struct writer *writer)
{
    const struct account_row *row;
    size_t at = 0;
    writer_key_array(writer, "bots");
    while ((row = bots_next(hub, owner, &at)) != NULL)
        writer_string(writer, row->handle);
    if (more)
        writer_string(writer, more);
    writer_end(writer);
}

void op_bots(struct call *call)
{
    struct reply reply;
    call_reply_begin(call, &reply);
    write_bots(call->hub, call->session, NULL, &reply.writer);
    call_reply(call, &reply, NULL);
}

/* ---- making one: check */

static enum protocol_error owner_may(const struct call *call)
{
    const struct hub *hub = call->hub;
    if (kernel_env(hub)->accounts == HUB_ACCOUNTS_OFF)
        return PROTOCOL_ACCOUNTS_OFF;
    if (!account_of(hub, call->session))
        return PROTOCOL_ACCOUNT_NEEDED;
    if (closing_at_ms(hub, kernel_session_id(call->session)))
        return PROTOCOL_ACCOUNT_CLOSING;
    if (bots_count(hub, kernel_session_id(call->session)) >=
        (size_t)kernel_config(hub)->bots_per_account)
        return PROTOCOL_TOO_MANY_BOTS;
    return accounts_count(hub) >= (size_t)kernel_config(hub)->accounts ? PROTOCOL_FULL
                                                                       : PROTOCOL_OK;
}

/* False: it is refused, and that is answered. */
static bool decide(const struct call *call, const char *handle)
{
    const struct hub_env *env = kernel_env(call->hub);
    const enum protocol_error error = owner_may(call);
    if (error != PROTOCOL_OK)
        call_error(call, error, NULL);
    else if (!handle_is_of_programs(handle))
        call_error(call, PROTOCOL_BAD_FIELD, "handle");
    else if (handle_is_programs_word(handle, env->games, env->reserved_handles))
        call_error(call, PROTOCOL_HANDLE_RESERVED, "handle");
    else
        return true;
    return false;
}

/* ---- change */

struct making {
    struct kernel_change change;
    struct account_given *given;
};

static void carry_out(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const struct making *making = (const struct making *)(const void *)change;
    kernel_session_begun(hub, session);
    account_give(hub, session, making->given);
    kernel_log(hub, "bot_made", kernel_session_id(session), false);
}

/* Somebody else has the handle; the session is there, and is of no use. */
static void end_unnamed(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const uint64_t id = kernel_session_id(session);
    (void)change;
    bots_forget(hub, id);
    kernel_session_begun(hub, session);
    kernel_end_session(hub, id);
}

static void destroy_making(struct kernel_change *change)
{
    struct making *making = (struct making *)(void *)change;
    account_drop(making->given);
    free(making);
}

/* What could not be stored goes with the session, which the kernel ends. */
static const struct kernel_change_type making_type = {.carry_out = carry_out,
                                                      .taken = end_unnamed,
                                                      .taken_error = PROTOCOL_HANDLE_TAKEN,
                                                      .destroy = destroy_making};

enum { BOT_OPS = 3 }; /* its account, whose it is, and what is burnt */

static struct account_row new_row(const struct hub *hub, const struct session *session,
                                  const char *handle)
{
    const struct hub_env *env = kernel_env(hub);
    const int64_t now_ms = kernel_now_ms(hub);
    struct account_row row = {.session = kernel_session_id(session),
                              .kind = ACCOUNT_BOT,
                              .since_ms = now_ms,
                              .called_ms = now_ms};
    char skeleton[PROTOCOL_HANDLE_BYTES + 1];
    handle_skeleton(handle, skeleton);
    handle_claim(skeleton, row.claim);
    (void)snprintf(row.handle, sizeof row.handle, "%s", handle);
    env->random(env->ctx, row.user_id, sizeof row.user_id);
    return row;
}

static void put_rows(struct hub *hub, const struct session *session, const struct account_row *row,
                     const struct bot_row *bot)
{
    struct burnt_row burnt = {.since_ms = row->since_ms};
    memcpy(burnt.claim, row->claim, sizeof burnt.claim);
    kernel_put_session(hub, session);
    kernel_put_row(hub, &account_table, row);
    kernel_put_row(hub, &bot_table, bot);
    kernel_put_row(hub, &burnt_table, &burnt);
}

/* NULL: out of memory. */
static struct making *make_making(struct hub *hub, const struct account_row *row,
                                  const struct bot_row *bot)
{
    struct making *making = calloc(1, sizeof *making);
    if (!making)
        return NULL;
    making->change.type = &making_type;
    if (bots_add(hub, bot))
        making->given = account_prepare(hub, row, bot->owner);
    if (making->given && kernel_reserve(hub, KERNEL_SESSION_OPS + BOT_OPS, 0) == 0)
        return making;
    destroy_making(&making->change);
    return NULL;
}

/* False: out of memory, and the session is still the caller's. */
static bool begin_bot(const struct call *call, struct session *session, const char *handle)
{
    struct hub *hub = call->hub;
    const struct account_row row = new_row(hub, session, handle);
    const struct bot_row bot = {row.session, kernel_session_id(call->session), row.since_ms};
    struct making *making = make_making(hub, &row, &bot);
    struct reply reply;
    if (!making)
        return false;
    call_reply_begin(call, &reply);
    write_bots(hub, call->session, row.handle, &reply.writer);
    if (kernel_change_answered(call, session, &reply, &making->change) < 0) {
        destroy_making(&making->change);
        return false;
    }
    put_rows(hub, session, &row, &bot);
    return true;
}

static void make_bot(const struct call *call, const char *handle)
{
    const enum protocol_error error = kernel_may_begin_session(call, BOT_OPS);
    struct session *session =
        error == PROTOCOL_OK ? kernel_new_session_of(call->hub, call->session, handle) : NULL;
    if (error != PROTOCOL_OK) {
        call_error(call, error, NULL);
    } else if (!session) {
        call_error(call, PROTOCOL_INTERNAL, NULL);
    } else if (!begin_bot(call, session, handle)) {
        kernel_end_new_session(call->hub, session);
        call_error(call, PROTOCOL_INTERNAL, NULL);
    }
}

/* ---- asking first: what is burnt, and what is claimed, as that is burnt only for who has it */

enum step { STEP_BURNT, STEP_CLAIMED };

struct asked {
    struct kernel_kept kept;
    enum step step;
    char handle[PROTOCOL_HANDLE_BYTES + 1];
};

static void destroy_asked(struct kernel_kept *kept)
{
    free(kept);
}

/* Else that is answered. */
static void ask_store(const struct call *call, const char *handle, enum step step,
                      struct kernel_query *query)
{
    struct asked *asked = calloc(1, sizeof *asked);
    if (asked) {
        *asked = (struct asked){{destroy_asked}, step, ""};
        (void)snprintf(asked->handle, sizeof asked->handle, "%s", handle);
    }
    query->kept = asked ? &asked->kept : NULL;
    if (asked && call_query(call, query))
        return;
    free(asked);
    call_error(call, asked ? PROTOCOL_SLOW_DOWN : PROTOCOL_INTERNAL, NULL);
}

static void ask_burnt(const struct call *call, const char *handle)
{
    struct burnt_row from = {0};
    struct kernel_query query;
    char skeleton[PROTOCOL_HANDLE_BYTES + 1], claim[HANDLE_CLAIM_BYTES + 1];
    handle_skeleton(handle, skeleton);
    handle_claim(skeleton, claim);
    closing_ask_burnt(claim, &query, &from);
    ask_store(call, handle, STEP_BURNT, &query);
}

static void ask_claimed(const struct call *call, const char *handle)
{
    struct account_row from = {0};
    char skeleton[PROTOCOL_HANDLE_BYTES + 1];
    handle_skeleton(handle, skeleton);
    handle_claim(skeleton, from.claim);
    struct kernel_query query = {
        .table = &account_table, .index = ACCOUNT_BY_CLAIM, .limit = 1, .from = &from};
    ask_store(call, handle, STEP_CLAIMED, &query);
}

void op_bot_account(struct call *call)
{
    if (decide(call, call->request->handle))
        ask_burnt(call, call->request->handle);
}

void bots_queried(struct call *call, const struct store_query *query)
{
    const struct asked *asked = (const struct asked *)(const void *)call->kept;
    if (query->result != STORE_OK)
        call_error(call, PROTOCOL_STORE_FAILING, NULL);
    else if (query->count > 0)
        call_error(call, PROTOCOL_HANDLE_TAKEN, NULL);
    else if (asked->step == STEP_BURNT)
        ask_claimed(call, asked->handle);
    else if (decide(call, asked->handle))
        make_bot(call, asked->handle);
}
