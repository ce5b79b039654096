#include "claim.h"

#include "account_told.h"
#include "claim_budget.h"
#include "invitations/invite.h"
#include "tables/account_table.h"
#include "tables/closing_table.h"
#include "tables/handle.h"
#include "tables/state.h"
#include <hub/call.h>
#include <hub/config.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <hub/kernel_others.h>
#include <hub/kernel_query.h>
#include <hub/store_query.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int64_t claim_wait_ms(const struct hub *hub, const struct session *session,
                      const struct request *request)
{
    return request->op == REQUEST_CLAIM ? claim_budget_wait_ms(hub, session) : 0;
}

/* ---- check */

/* What the session would be called by that handle. */
static struct account_row wanted_row(const struct call *call, const char *handle,
                                     const struct account_row *before)
{
    const int64_t now_ms = kernel_now_ms(call->hub);
    struct account_row row = {.session = kernel_session_id(call->session),
                              .kind = ACCOUNT_PERSON,
                              .since_ms = now_ms,
                              .called_ms = now_ms};
    char skeleton[PROTOCOL_HANDLE_BYTES + 1];
    if (before)
        row = *before;
    handle_skeleton(handle, skeleton);
    handle_claim(skeleton, row.claim);
    (void)snprintf(row.handle, sizeof row.handle, "%s", handle);
    if (before && strcmp(row.claim, before->claim) != 0) {
        row.number++;
        row.called_ms = now_ms;
    }
    return row;
}

static bool may_be_renamed(const struct hub *hub, const struct account_row *row)
{
    return row->number == 0 && kernel_now_ms(hub) - row->since_ms < ACCOUNT_RENAME_MS;
}

static enum protocol_error claim_possible(const struct call *call)
{
    const struct hub *hub = call->hub;
    const enum protocol_error error = kernel_may_store(hub, 1);
    if (error != PROTOCOL_OK)
        return error;
    return kernel_session_is_changing(call->session) || !kernel_session_is_durable(call->session)
               ? PROTOCOL_SLOW_DOWN
               : PROTOCOL_OK;
}

/* Of a handle that is another one to everybody's eyes; `before` NULL: of the first one. */
static enum protocol_error claim_allowed(const struct call *call, const char *handle,
                                         const struct account_row *before)
{
    const struct hub *hub = call->hub;
    const struct hub_env *env = kernel_env(hub);
    if (before && closing_at_ms(hub, before->session) != 0)
        return PROTOCOL_ACCOUNT_CLOSING; /* what it is called when it closes is burnt */
    if (before && !may_be_renamed(hub, before))
        return PROTOCOL_ALREADY_ACCOUNT;
    if (handle_is_reserved(handle, env->games, env->reserved_handles))
        return PROTOCOL_HANDLE_RESERVED;
    if (!before && env->accounts == HUB_ACCOUNTS_INVITE && !invite_has(hub, call->session))
        return PROTOCOL_INVITE_NEEDED;
    if (!before && env->accounts == HUB_ACCOUNTS_EXTERNAL && !kernel_signed_in(hub, call->session))
        return PROTOCOL_EXTERNAL_NEEDED;
    if (!before && accounts_count(hub) >= (size_t)kernel_config(hub)->accounts)
        return PROTOCOL_FULL;
    return claim_budget_wait_ms(hub, call->session) == 0 ? PROTOCOL_OK : PROTOCOL_SLOW_DOWN;
}

/* ---- change */

struct claim {
    struct kernel_change change;
    struct account_given *given;
    bool costs; /* of what the address may claim, from the beginning: many ask at once */
    struct kernel_networks from;
};

static void grant_claim(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const struct claim *claim = (struct claim *)(void *)change;
    account_give(hub, session, claim->given);
    account_tell(hub, session);
    people_of(hub)->claims[CLAIM_GRANTED]++;
}

/* It could not be stored. */
static void undo_claim(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const struct claim *claim = (struct claim *)(void *)change;
    (void)session;
    if (claim->costs)
        claim_budget_repay(hub, &claim->from);
}

static void is_taken(struct hub *hub, struct session *session, struct kernel_change *change)
{
    undo_claim(hub, session, change);
    people_of(hub)->claims[CLAIM_TAKEN]++;
}

static void destroy_claim(struct kernel_change *change)
{
    struct claim *claim = (struct claim *)(void *)change;
    account_drop(claim->given);
    free(claim);
}

static const struct kernel_change_type claim_type = {.carry_out = grant_claim,
                                                     .undo = undo_claim,
                                                     .taken = is_taken,
                                                     .taken_error = PROTOCOL_HANDLE_TAKEN,
                                                     .destroy = destroy_claim};

static struct claim *make_claim(const struct call *call, const struct account_row *row)
{
    struct claim *claim = calloc(1, sizeof *claim);
    if (!claim)
        return NULL;
    claim->change.type = &claim_type;
    claim->given = account_prepare(call->hub, row, 0);
    if (claim->given && kernel_reserve(call->hub, 1, 0) == 0 &&
        claim_budget_reserve(call->hub, call->session))
        return claim;
    destroy_claim(&claim->change);
    return NULL;
}

/* The site shows it in all parts from the answer on. */
static void put_facts(const struct account_row *row, struct reply *reply)
{
    struct protocol_account account = {.kind = row->kind};
    (void)snprintf(account.handle, sizeof account.handle, "%s", row->handle);
    facts_put_account(call_reply_facts(reply), &account);
}

/* Puts the row; what it leads to waits for it. */
static void carry_out(const struct call *call, const struct account_row *row, bool costs)
{
    struct claim *claim = make_claim(call, row);
    struct reply reply;
    if (!claim) {
        call_error(call, PROTOCOL_INTERNAL, NULL);
        return;
    }
    claim->costs = costs;
    claim->from = kernel_networks_of(call->session);
    call_reply_begin(call, &reply);
    account_write(call->hub, row, &reply.writer);
    put_facts(row, &reply);
    if (kernel_change_answered(call, call->session, &reply, &claim->change) < 0) {
        destroy_claim(&claim->change);
        call_error(call, PROTOCOL_INTERNAL, NULL);
        return;
    }
    kernel_put_row(call->hub, &account_table, row);
    if (costs)
        claim_budget_charge(call->hub, &claim->from);
}

/* ---- answer */

static bool is_about_handle(enum protocol_error error)
{
    return error == PROTOCOL_HANDLE_RESERVED;
}

static void refuse_claim(const struct call *call, enum protocol_error error)
{
    people_of(call->hub)->claims[CLAIM_REFUSED]++;
    call_error(call, error, is_about_handle(error) ? "handle" : NULL);
}

/* What is wanted, as it stands now. False: it is refused, and that is answered. */
static bool decide(const struct call *call, const char *handle, struct account_row *row,
                   bool *is_new)
{
    const struct account_row *before = account_of(call->hub, call->session);
    enum protocol_error error = PROTOCOL_ACCOUNTS_OFF;
    *row = wanted_row(call, handle, before);
    *is_new = !before || row->number != before->number;
    if (kernel_env(call->hub)->accounts != HUB_ACCOUNTS_OFF)
        error = claim_possible(call);
    if (error == PROTOCOL_OK && *is_new)
        error = claim_allowed(call, handle, before);
    if (error == PROTOCOL_OK)
        return true;
    refuse_claim(call, error);
    return false;
}

struct asked {
    struct kernel_kept kept;
    char handle[PROTOCOL_HANDLE_BYTES + 1];
};

static void destroy_asked(struct kernel_kept *kept)
{
    free(kept);
}

/* Of a handle that somebody had once only a hash is left, apart from those of accounts. */
static void ask_burnt(const struct call *call, const struct account_row *row)
{
    struct asked *asked = calloc(1, sizeof *asked);
    struct burnt_row from = {0};
    struct kernel_query query;
    if (!asked) {
        refuse_claim(call, PROTOCOL_INTERNAL);
        return;
    }
    asked->kept.destroy = destroy_asked;
    memcpy(asked->handle, row->handle, sizeof asked->handle);
    closing_ask_burnt(row->claim, &query, &from);
    query.kept = &asked->kept;
    if (call_query(call, &query))
        return;
    free(asked);
    refuse_claim(call, PROTOCOL_SLOW_DOWN);
}

void op_claim(struct call *call)
{
    struct account_row row;
    bool is_new;
    if (!decide(call, call->request->handle, &row, &is_new))
        return;
    if (is_new)
        ask_burnt(call, &row);
    else
        carry_out(call, &row, false);
}

void claim_queried(struct call *call, const struct store_query *query)
{
    const struct asked *asked = (const struct asked *)(const void *)call->kept;
    const struct hub_env *env = kernel_env(call->hub);
    struct account_row row;
    bool is_new;
    if (query->result != STORE_OK) {
        refuse_claim(call, PROTOCOL_STORE_FAILING);
    } else if (query->count > 0) {
        people_of(call->hub)->claims[CLAIM_TAKEN]++;
        call_error(call, PROTOCOL_HANDLE_TAKEN, NULL);
    } else if (decide(call, asked->handle, &row, &is_new)) {
        if (row.number == 0 && is_new)
            env->random(env->ctx, row.user_id, sizeof row.user_id);
        carry_out(call, &row, is_new);
    }
}
