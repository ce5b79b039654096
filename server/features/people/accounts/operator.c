#include "operator.h"

#include "account_told.h"
#include "tables/account_table.h"
#include "tables/bot_table.h"
#include "tables/closing_table.h"
#include "tables/handle.h"
#include <hub/admin_request.h>
#include <hub/kernel.h>
#include <hub/kernel_query.h>
#include <hub/store_query.h>
#include <protocol/reply.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool refuse_request(struct refusal *refusal, enum protocol_error error, const char *field)
{
    *refusal = (struct refusal){.error = error, .field = field};
    return false;
}

/* NULL: it is gone, as of a store that is restored; and *refusal says so. */
static const struct account_row *find_account(const struct hub *hub,
                                              const struct admin_request *request,
                                              struct session **session, struct refusal *refusal)
{
    *session = kernel_session_find(hub, request->session);
    const struct account_row *row = *session ? account_of(hub, *session) : NULL;
    if (!row)
        refuse_request(refusal, PROTOCOL_UNKNOWN_HANDLE, "handle");
    return row;
}

/* ---- who it is */

bool operator_shows_account(struct hub *hub, const struct admin_request *request,
                            struct writer *writer, struct refusal *refusal)
{
    struct session *session;
    const struct account_row *row = find_account(hub, request, &session, refusal);
    if (!row)
        return false;
    writer_key_id(writer, "session", row->session);
    writer_key_string(writer, "handle", row->handle);
    writer_key_string(writer, "name", kernel_session_name(session));
    writer_key_int(writer, "since", row->since_ms);
    writer_key_int(writer, "called", row->called_ms);
    writer_key_int(writer, "handles", row->number + INT64_C(1));
    return true;
}

/* ---- another handle */

struct renaming {
    struct kernel_change change;
    struct account_given *given;
};

static void carry_out(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const struct renaming *renaming = (const struct renaming *)(const void *)change;
    account_give(hub, session, renaming->given);
    account_tell(hub, session);
    kernel_log(hub, "account_renamed", kernel_session_id(session), false);
}

static void is_taken(struct hub *hub, struct session *session, struct kernel_change *change)
{
    (void)session, (void)change;
    kernel_refuse_operator(hub, &(struct refusal){.error = PROTOCOL_HANDLE_TAKEN, .field = "to"});
}

static void undo_renaming(struct hub *hub, struct session *session, struct kernel_change *change)
{
    (void)session, (void)change;
    kernel_refuse_operator(hub, &(struct refusal){.error = PROTOCOL_STORE_FAILING});
}

static void destroy_renaming(struct kernel_change *change)
{
    struct renaming *renaming = (struct renaming *)(void *)change;
    account_drop(renaming->given);
    free(renaming);
}

static const struct kernel_change_type renaming_type = {
    .carry_out = carry_out, .undo = undo_renaming, .taken = is_taken, .destroy = destroy_renaming};

static struct renaming *make_renaming(struct hub *hub, const struct account_row *row)
{
    struct renaming *renaming = calloc(1, sizeof *renaming);
    if (!renaming)
        return NULL;
    renaming->change.type = &renaming_type;
    renaming->given = account_prepare(hub, row, bot_owner(hub, row->session));
    if (renaming->given && kernel_reserve(hub, 2, 0) == 0)
        return renaming;
    destroy_renaming(&renaming->change);
    return NULL;
}

static struct account_row renamed_row(const struct hub *hub, const struct account_row *before,
                                      const char *to)
{
    struct account_row row = *before;
    char skeleton[PROTOCOL_HANDLE_BYTES + 1];
    handle_skeleton(to, skeleton);
    handle_claim(skeleton, row.claim);
    (void)snprintf(row.handle, sizeof row.handle, "%s", to);
    if (strcmp(row.claim, before->claim) != 0) {
        row.number++;
        row.called_ms = kernel_now_ms(hub);
    }
    return row;
}

/* Of a handle that an erased account had only its claim is left. */
void operator_asks_burnt(const struct hub *hub, const struct admin_request *request, unsigned page,
                         struct kernel_query *query, void *from)
{
    char skeleton[PROTOCOL_HANDLE_BYTES + 1], claim[HANDLE_CLAIM_BYTES + 1];
    (void)hub, (void)page;
    handle_skeleton(request->to, skeleton);
    handle_claim(skeleton, claim);
    closing_ask_burnt(claim, query, from);
}

/* One of its own is burnt while the account closes: that is refused for what it is. */
enum operator_found operator_found_burnt(struct hub *hub, const struct admin_request *request,
                                         unsigned page, const struct store_query *found,
                                         struct refusal *refusal)
{
    (void)page;
    if (found->count == 0 || closing_at_ms(hub, request->session) != 0)
        return OPERATOR_CARRIES_OUT;
    (void)refuse_request(refusal, PROTOCOL_HANDLE_TAKEN, "to");
    return OPERATOR_REFUSED;
}

/* While it closes, what it is called is burnt; and taking that back drops no more than was. */
static enum protocol_error rename_possible(struct hub *hub, const struct session *session,
                                           const struct account_row *before,
                                           const struct account_row *row)
{
    const bool is_another = row->number != before->number;
    if (closing_at_ms(hub, before->session) != 0)
        return PROTOCOL_ALREADY_ACCOUNT;
    if (is_another && row->number >= ACCOUNT_HANDLES_MAX)
        return PROTOCOL_ALREADY_ACCOUNT;
    return kernel_session_is_changing(session) ? PROTOCOL_SLOW_DOWN : kernel_may_store(hub, 2);
}

/* As of a program's account from the beginning (bot_table.h). */
static void burn_handle(struct hub *hub, const struct account_row *row)
{
    struct burnt_row burnt = {.since_ms = row->called_ms};
    memcpy(burnt.claim, row->claim, sizeof burnt.claim);
    kernel_put_row(hub, &burnt_table, &burnt);
}

bool operator_renames(struct hub *hub, const struct admin_request *request, struct writer *writer,
                      struct refusal *refusal)
{
    struct session *session;
    const struct account_row *before = find_account(hub, request, &session, refusal);
    if (!before)
        return false;
    if (handle_is_of_programs(request->to) != (before->kind == ACCOUNT_BOT))
        return refuse_request(refusal, PROTOCOL_HANDLE_RESERVED, "to");
    const struct account_row row = renamed_row(hub, before, request->to);
    const enum protocol_error error = rename_possible(hub, session, before, &row);
    if (error != PROTOCOL_OK)
        return refuse_request(refusal, error, NULL);
    struct renaming *renaming = make_renaming(hub, &row);
    if (!renaming)
        return refuse_request(refusal, PROTOCOL_INTERNAL, NULL);
    kernel_change_session(hub, session, &renaming->change);
    kernel_put_row(hub, &account_table, &row);
    if (row.kind == ACCOUNT_BOT)
        burn_handle(hub, &row);
    writer_key_id(writer, "session", row.session);
    writer_key_string(writer, "handle", row.handle);
    return true;
}
