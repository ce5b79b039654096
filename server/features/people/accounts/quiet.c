#include "quiet.h"

#include "account_told.h"
#include "tables/account_table.h"
#include "tables/closing_table.h"
#include "tables/quiet_table.h"
#include "tables/state.h"
#include <hub/call.h>
#include <hub/kernel.h>
#include <hub/kernel_others.h>
#include <hub/kernel_query.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdlib.h>

/* ---- a change of the session */

struct quieting {
    struct kernel_change change;
    struct quiet_row row;
    bool on;
};

static void carry_out(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const struct quieting *quieting = (const struct quieting *)(const void *)change;
    struct people *people = people_of(hub);
    people->quiets_prepared -= quieting->on;
    kernel_set_quiet(session, quieting->on);
    if (!quieting->on)
        quiet_gone(hub, session);
    else if (!quiet_is(hub, quieting->row.session))
        table_add(&people->quiets, &quieting->row);
    account_tell(hub, session);
}

static void undo_quieting(struct hub *hub, struct session *session, struct kernel_change *change)
{
    (void)session;
    people_of(hub)->quiets_prepared -= ((const struct quieting *)(const void *)change)->on;
}

static void destroy_quieting(struct kernel_change *change)
{
    free(change);
}

static const struct kernel_change_type quieting_type = {
    .carry_out = carry_out, .undo = undo_quieting, .destroy = destroy_quieting};

/* NULL: out of memory. */
static struct quieting *make_quieting(const struct call *call, bool on)
{
    struct people *people = people_of(call->hub);
    struct quieting *quieting = calloc(1, sizeof *quieting);
    if (!quieting || kernel_reserve(call->hub, 1, 0) < 0 ||
        !table_reserve(&people->quiets, people->quiets_prepared + 1)) {
        free(quieting);
        return NULL;
    }
    *quieting = (struct quieting){
        {&quieting_type}, {kernel_session_id(call->session), kernel_now_ms(call->hub)}, on};
    people->quiets_prepared += quieting->on;
    return quieting;
}

static void put_row(struct hub *hub, const struct quieting *quieting)
{
    if (quieting->on)
        kernel_put_row(hub, &quiet_table, &quieting->row);
    else
        kernel_drop_row(hub, &quiet_table, &quieting->row);
}

static enum protocol_error change_quiet(const struct call *call, bool on)
{
    const struct account_row *account = account_of(call->hub, call->session);
    enum protocol_error error = kernel_may_store(call->hub, 1);
    struct reply reply;
    if (error == PROTOCOL_OK && kernel_session_is_changing(call->session))
        error = PROTOCOL_SLOW_DOWN;
    if (error != PROTOCOL_OK)
        return error;
    struct quieting *quieting = make_quieting(call, on);
    if (!quieting)
        return PROTOCOL_INTERNAL;
    call_reply_begin(call, &reply);
    account_write_as(account, closing_at_ms(call->hub, account->session), on, &reply.writer);
    if (kernel_change_answered(call, call->session, &reply, &quieting->change) == 0) {
        put_row(call->hub, quieting);
        return PROTOCOL_OK;
    }
    people_of(call->hub)->quiets_prepared -= quieting->on;
    free(quieting);
    return PROTOCOL_INTERNAL;
}

static void answer_change(const struct call *call, bool on)
{
    const enum protocol_error error = change_quiet(call, on);
    if (error != PROTOCOL_OK)
        call_error(call, error, NULL);
}

/* ---- quiet */

static void answer_as_it_is(const struct call *call, const struct account_row *account)
{
    struct reply reply;
    call_reply_begin(call, &reply);
    account_write(call->hub, account, &reply.writer);
    call_reply(call, &reply, NULL);
}

static void ask_for_proof(const struct call *call)
{
    alignas(max_align_t) unsigned char from[STORE_ROW_SIZE_MAX] = {0};
    struct kernel_query query = {.from = from};
    kernel_ask_proof(call, &query, from);
    if (!call_query(call, &query))
        call_error(call, PROTOCOL_SLOW_DOWN, NULL);
}

void op_quiet(struct call *call)
{
    const struct account_row *account = account_of(call->hub, call->session);
    if (!account)
        call_error(call, PROTOCOL_ACCOUNT_NEEDED, NULL);
    else if (quiet_is(call->hub, account->session) == call->request->on)
        answer_as_it_is(call, account);
    else if (call->request->on)
        answer_change(call, true);
    else
        ask_for_proof(call);
}

/* Only to take it back is anything asked. */
void op_quiet_queried(struct call *call, const struct store_query *query)
{
    if (query->result != STORE_OK)
        call_error(call, PROTOCOL_STORE_FAILING, NULL);
    else if (!account_of(call->hub, call->session))
        call_error(call, PROTOCOL_ACCOUNT_NEEDED, NULL);
    else if (kernel_is_proven(call, query))
        answer_change(call, false);
    else
        call_error(call, PROTOCOL_PROOF_NEEDED, NULL);
}
