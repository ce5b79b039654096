#include "closing.h"

#include "account_told.h"
#include "leaving.h"
#include "profiles/tally.h"
#include "tables/account_table.h"
#include "tables/bot_table.h"
#include "tables/closing_table.h"
#include "tables/handle.h"
#include "tables/quiet_table.h"
#include "tables/state.h"
#include <hub/call.h>
#include <hub/config.h>
#include <hub/kernel.h>
#include <hub/kernel_others.h>
#include <hub/kernel_query.h>
#include <hub/store_query.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

enum {
    RETRY_MS = 10000, /* after a try to erase it, while it is in use or the store fails */
    STEP_MS = 100,    /* between the steps, so that others' commits are not held up */
};

/* ---- beginning, and taking it back: a change of the session */

struct closing {
    struct kernel_change change;
    struct closing_row row; /* at_ms 0: it is kept */
};

static void release_place(struct hub *hub, const struct closing *closing)
{
    if (closing->row.at_ms != 0)
        people_of(hub)->closings_prepared--;
}

static void carry_out(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const struct closing *closing = (const struct closing *)(const void *)change;
    release_place(hub, closing);
    if (closing->row.at_ms != 0)
        closing_add(hub, &closing->row);
    else
        closing_remove(hub, closing->row.session);
    account_tell(hub, session);
    kernel_log(hub, closing->row.at_ms != 0 ? "account_closing" : "account_kept",
               closing->row.session, false);
}

static void undo_closing(struct hub *hub, struct session *session, struct kernel_change *change)
{
    (void)session;
    release_place(hub, (const struct closing *)(const void *)change);
}

static void destroy_change(struct kernel_change *change)
{
    free(change);
}

static const struct kernel_change_type closing_type = {
    .carry_out = carry_out, .undo = undo_closing, .destroy = destroy_change};

static struct closing *make_closing(struct hub *hub, const struct closing_row *row, size_t ops)
{
    struct people *people = people_of(hub);
    struct closing *closing = calloc(1, sizeof *closing);
    if (!closing || kernel_reserve(hub, ops, 0) < 0 ||
        !table_reserve(&people->closings, people->closings_prepared + 1)) {
        free(closing);
        return NULL;
    }
    *closing = (struct closing){{&closing_type}, *row};
    people->closings_prepared += row->at_ms != 0;
    return closing;
}

/* With the claims of all handles that it has had. */
static void put_rows(struct hub *hub, const struct closing_row *row,
                     const struct store_query *handles)
{
    for (size_t at = 0; at < handles->count; at++) {
        const struct account_row *handle = store_query_row(handles, at);
        struct burnt_row burnt = {.since_ms = kernel_now_ms(hub)};
        memcpy(burnt.claim, handle->claim, sizeof burnt.claim);
        if (row->at_ms != 0)
            kernel_put_row(hub, &burnt_table, &burnt);
        else if (!bot_owner(hub, row->session)) /* of a program's it is for ever */
            kernel_drop_row(hub, &burnt_table, &burnt);
    }
    if (row->at_ms != 0)
        kernel_put_row(hub, &closing_table, row);
    else
        kernel_drop_row(hub, &closing_table, row);
}

static void change_closing(const struct call *call, struct session *session,
                           const struct store_query *handles)
{
    struct hub *hub = call->hub;
    const bool closes = call->request->op == REQUEST_CLOSE_ACCOUNT;
    const struct closing_row row = {
        .session = kernel_session_id(session),
        .at_ms = closes ? kernel_now_ms(hub) + kernel_config(hub)->closing_ms : 0};
    struct closing *closing = make_closing(hub, &row, handles->count + 1);
    struct reply reply;
    if (!closing) {
        call_error(call, PROTOCOL_INTERNAL, NULL);
        return;
    }
    call_reply_begin(call, &reply);
    account_write_as(account_of(hub, session), row.at_ms, quiet_is(hub, row.session),
                     &reply.writer);
    if (kernel_change_answered(call, session, &reply, &closing->change) == 0) {
        put_rows(hub, &row, handles);
        return;
    }
    release_place(hub, closing);
    free(closing);
    call_error(call, PROTOCOL_INTERNAL, NULL);
}

/* ---- asking first: for what would prove who it is, and what it was called */

enum step { STEP_PROOF, STEP_HANDLES };

struct asked {
    struct kernel_kept kept;
    enum step step;
    uint64_t session; /* that is closed, or kept */
};

static void destroy_asked(struct kernel_kept *kept)
{
    free(kept);
}

/* Else that is answered. */
static void ask_step(const struct call *call, enum step step, uint64_t session,
                     struct kernel_query *query)
{
    struct asked *asked = malloc(sizeof *asked);
    if (asked)
        *asked = (struct asked){{destroy_asked}, step, session};
    query->kept = asked ? &asked->kept : NULL;
    if (asked && call_query(call, query))
        return;
    free(asked);
    call_error(call, asked ? PROTOCOL_SLOW_DOWN : PROTOCOL_INTERNAL, NULL);
}

static void ask_handles(const struct call *call, uint64_t session)
{
    const struct account_row from = {.session = session};
    struct kernel_query query = {.table = &account_table,
                                 .index = ACCOUNT_BY_SESSION,
                                 .limit = ACCOUNT_HANDLES_MAX,
                                 .from = &from};
    ask_step(call, STEP_HANDLES, session, &query);
}

/* It is typed again, so that nobody closes another one than they mean. */
static bool is_meant(const struct call *call, const struct account_row *row)
{
    char skeleton[PROTOCOL_HANDLE_BYTES + 1], claim[HANDLE_CLAIM_BYTES + 1];
    handle_skeleton(call->request->handle, skeleton);
    handle_claim(skeleton, claim);
    return strcmp(claim, row->claim) == 0;
}

/* Its own account, or a program's that it owns; else that is answered. */
static const struct account_row *find_meant(const struct call *call)
{
    const struct account_row *own = account_of(call->hub, call->session);
    if (!own) {
        call_error(call, PROTOCOL_ACCOUNT_NEEDED, NULL);
        return NULL;
    }
    if (!request_has(call->request, REQUEST_HANDLE) || is_meant(call, own))
        return own;
    const struct session *bot = bot_owned(call->hub, call->session, call->request->handle);
    if (!bot)
        call_error(call, PROTOCOL_BAD_FIELD, "handle");
    return bot ? account_of(call->hub, bot) : NULL;
}

static void answer_as_it_is(const struct call *call, const struct account_row *row)
{
    struct reply reply;
    call_reply_begin(call, &reply);
    account_write(call->hub, row, &reply.writer);
    call_reply(call, &reply, NULL);
}

void op_close_account(struct call *call)
{
    alignas(max_align_t) unsigned char from[STORE_ROW_SIZE_MAX] = {0};
    struct kernel_query query = {.from = from};
    const struct account_row *row = find_meant(call);
    if (!row)
        return;
    if (closing_at_ms(call->hub, row->session)) {
        answer_as_it_is(call, row);
    } else {
        kernel_ask_proof(call, &query, from);
        ask_step(call, STEP_PROOF, row->session, &query);
    }
}

void op_keep_account(struct call *call)
{
    const struct account_row *row = find_meant(call);
    if (row && !closing_at_ms(call->hub, row->session))
        answer_as_it_is(call, row);
    else if (row)
        ask_handles(call, row->session);
}

/* Is the last handle that was read what it is called now? It may have had another one meanwhile. */
static bool is_up_to_date(const struct hub *hub, const struct session *session,
                          const struct store_query *handles)
{
    const struct account_row *last = handles->count > 0 ? store_query_row(handles, 0) : NULL;
    return last && strcmp(last->claim, account_of(hub, session)->claim) == 0;
}

/* What was asked may have changed meanwhile. */
static enum protocol_error change_possible(const struct call *call, const struct session *session,
                                           const struct store_query *handles)
{
    const struct hub *hub = call->hub;
    const bool closes = call->request->op == REQUEST_CLOSE_ACCOUNT;
    const bool is_closing = session && closing_at_ms(hub, kernel_session_id(session)) != 0;
    if (!session || kernel_session_is_changing(session) || closes == is_closing ||
        closing_is_erasing(hub, kernel_session_id(session)) ||
        !is_up_to_date(hub, session, handles))
        return PROTOCOL_SLOW_DOWN;
    return kernel_may_store(hub, ACCOUNT_HANDLES_MAX + 1);
}

static void decide_change(const struct call *call, uint64_t id, const struct store_query *handles)
{
    struct session *session = kernel_session_find(call->hub, id);
    const enum protocol_error error = change_possible(call, session, handles);
    if (error == PROTOCOL_OK)
        change_closing(call, session, handles);
    else
        call_error(call, error, NULL);
}

void closing_queried(struct call *call, const struct store_query *query)
{
    const struct asked *asked = (const struct asked *)(const void *)call->kept;
    if (query->result != STORE_OK)
        call_error(call, PROTOCOL_STORE_FAILING, NULL);
    else if (asked->step == STEP_HANDLES)
        decide_change(call, asked->session, query);
    else if (kernel_is_proven(call, query))
        ask_handles(call, asked->session);
    else
        call_error(call, PROTOCOL_PROOF_NEEDED, NULL);
}

/* ---- the end */

int64_t closings_deadline_ms(const struct hub *hub)
{
    return people_of(hub)->closings_ms;
}

struct put_off {
    struct kernel_change change;
    struct closing_row row;
    int64_t counted_ms;
};

/* What nobody waits for any more, as the account is kept, is gone. */
static void carry_put_off_out(struct hub *hub, struct session *session,
                              struct kernel_change *change)
{
    const struct put_off *later = (const struct put_off *)(const void *)change;
    struct closing_entry *entry = closing_find(hub, later->row.session);
    if (!entry)
        return;
    entry->at_ms = later->row.at_ms;
    entry->counted_ms = later->counted_ms;
    closing_plan(hub, entry, entry->at_ms);
    account_tell(hub, session);
    kernel_log(hub, "account_closing_put_off", entry->key, false);
}

/* If it could not be stored nothing has changed, and it is tried again. */
static const struct kernel_change_type put_off_type = {.carry_out = carry_put_off_out,
                                                       .destroy = destroy_change};

static void put_off(struct hub *hub, const struct closing_entry *entry, int64_t late_ms)
{
    struct session *session = kernel_session_find(hub, entry->key);
    struct put_off *later;
    if (!session || kernel_session_is_changing(session) ||
        kernel_may_store(hub, 1) != PROTOCOL_OK || kernel_reserve(hub, 1, 0) < 0)
        return; /* it is tried again */
    if ((later = calloc(1, sizeof *later)) == NULL)
        return;
    *later = (struct put_off){.change = {&put_off_type},
                              .row = {.session = entry->key, .at_ms = entry->at_ms + late_ms},
                              .counted_ms = kernel_now_ms(hub)};
    kernel_change_session(hub, session, &later->change);
    kernel_put_row(hub, &closing_table, &later->row);
}

/* ---- its name in matches that are over, a step after the other */

struct step_done {
    struct kernel_change change;
    uint64_t session;
};

static void carry_step_out(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const struct step_done *done = (const struct step_done *)(const void *)change;
    struct closing_entry *entry = closing_find(hub, done->session);
    (void)session;
    if (!entry)
        return;
    entry->steps -= entry->steps > 0;
    closing_plan(hub, entry, kernel_now_ms(hub) + STEP_MS);
}

static const struct kernel_change_type step_type = {.carry_out = carry_step_out,
                                                    .destroy = destroy_change};

/* So many there are at most, as of matches that are counted alone the archive has rows. */
static uint32_t count_steps(const struct hub *hub, uint64_t session)
{
    const uint64_t matches =
        (uint64_t)kernel_config(hub)->games_per_account + tallies_count(hub, session);
    return (uint32_t)(matches / STORE_ERASE_ROOMS + 1);
}

/* Without memory, or while the store fails, it is tried again later. */
static void take_step(struct hub *hub, const struct closing_entry *entry)
{
    struct step_done *done = calloc(1, sizeof *done);
    if (!done || kernel_may_store(hub, 1) != PROTOCOL_OK || kernel_reserve(hub, 1, 0) < 0) {
        free(done);
        return;
    }
    *done = (struct step_done){{&step_type}, entry->key};
    kernel_change_hub(hub, &done->change);
    kernel_erase_names(hub, entry->key);
}

/* Matches that are not put away yet are waited for. */
static void go_on_erasing(struct hub *hub, struct closing_entry *entry)
{
    const struct session *session = kernel_session_find(hub, entry->key);
    entry->due_ms = kernel_now_ms(hub) + RETRY_MS;
    if (session && kernel_session_is_connected(session))
        leaving_begin_anew(entry);
    kernel_put_out(hub, entry->key);
    if (!entry->erasing &&
        (!session || kernel_session_is_changing(session) ||
         !kernel_put_matches_away(hub, entry->key) || !leaving_is_done(hub, entry)))
        return;
    if (!entry->erasing)
        entry->steps = count_steps(hub, entry->key);
    entry->erasing = true;
    if (entry->steps > 0)
        take_step(hub, entry);
    else
        kernel_end_session(hub, entry->key);
}

/* Once erasing has begun it goes on. */
static void end_or_put_off(struct hub *hub, struct closing_entry *entry)
{
    const int64_t said_ms = entry->at_ms - kernel_config(hub)->closing_ms;
    const int64_t since_ms = said_ms > entry->counted_ms ? said_ms : entry->counted_ms;
    const int64_t late_ms = kernel_uncounted_ms(hub, since_ms);
    if (late_ms <= 0 || entry->erasing) {
        go_on_erasing(hub, entry);
        return;
    }
    entry->due_ms = kernel_now_ms(hub) + RETRY_MS;
    put_off(hub, entry, late_ms);
}

void closings_tick(struct hub *hub)
{
    struct people *people = people_of(hub);
    size_t at = 0;
    struct closing_entry *entry;
    if (people->closings_ms > kernel_now_ms(hub))
        return;
    people->closings_ms = INT64_MAX;
    while ((entry = table_next(&people->closings, &at)) != NULL) {
        if (entry->due_ms <= kernel_now_ms(hub))
            end_or_put_off(hub, entry);
        closing_plan(hub, entry, entry->due_ms);
    }
}

void closing_gone(struct hub *hub, const struct session *session)
{
    const uint64_t id = kernel_session_id(session);
    if (closing_at_ms(hub, id) == 0)
        return;
    closing_remove(hub, id);
    kernel_log(hub, "account_erased", id, false);
}
