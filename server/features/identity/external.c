#include "external.h"

#include "challenge.h"
#include "credential.h"
#include "external_table.h"
#include "op_passkey.h"
#include "signed_in.h"
#include "state.h"
#include <hub/call.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <hub/kernel_enter.h>
#include <hub/kernel_query.h>
#include <hub/part.h>
#include <hub/store_query.h>
#include <protocol/encoding.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what waits for rows */

/* An account that had none has something to lose: it is asked first whether it must be proven that
 * its owner is there. */
enum step { STEP_PROOF, STEP_SUBJECT };

struct asked {
    struct kernel_kept kept;
    enum step step;
    struct voucher voucher;
    char device[PROTOCOL_CLIENT_BYTES + 1];
};

static void destroy_asked(struct kernel_kept *kept)
{
    free(kept);
}

static const struct asked *asked_of(const struct call *call)
{
    return (const struct asked *)(const void *)call->kept;
}

bool external_has_asked(const struct call *call)
{
    return call->kept && call->kept->destroy == destroy_asked;
}

static void ask_rows(const struct call *call, const struct asked *asked, struct kernel_query *query)
{
    struct asked *kept = malloc(sizeof *kept);
    if (kept) {
        *kept = *asked;
        kept->kept.destroy = destroy_asked;
        query->kept = &kept->kept;
    }
    if (kept && call_query(call, query))
        return;
    call_error(call, kept ? PROTOCOL_SLOW_DOWN : PROTOCOL_INTERNAL, NULL);
    free(kept);
}

static void ask_subject(const struct call *call, const struct asked *asked)
{
    struct asked next = *asked;
    struct external_row from = {0};
    struct kernel_query query = {
        .table = &external_table, .index = EXTERNAL_BY_SUBJECT, .limit = 1, .from = &from};
    next.step = STEP_SUBJECT;
    hex_encode(from.subject, asked->voucher.subject, sizeof asked->voucher.subject);
    ask_rows(call, &next, &query);
}

static void ask_proof(const struct call *call, const struct asked *asked)
{
    alignas(max_align_t) unsigned char from[STORE_ROW_SIZE_MAX] = {0};
    struct kernel_query query;
    op_passkey_ask_proof(call, &query, from);
    ask_rows(call, asked, &query);
}

/* ---- check */

static void refuse_voucher(const struct call *call)
{
    signed_in_count(call->hub, EXTERNAL_REFUSED);
    call_refuse_guess(call, PROTOCOL_VOUCHER_REFUSED, "voucher");
}

/* False: it is not taken, and that is answered. */
static bool read_sent(const struct call *call, struct voucher *voucher)
{
    const struct hub_external *external = signed_in_at(call->hub);
    if (!external) {
        call_error(call, PROTOCOL_EXTERNAL_OFF, NULL);
        return false;
    }
    if (voucher_read(voucher, call->request->voucher, external->key, kernel_now_ms(call->hub)))
        return true;
    refuse_voucher(call);
    return false;
}

/* Whose it is; NULL: nobody's. */
static const struct external_row *row_of(const struct store_query *query)
{
    return query->count > 0 ? store_query_row(query, 0) : NULL;
}

static bool was_used(const struct asked *asked, const struct external_row *row)
{
    return asked->voucher.until_ms <= row->used_ms;
}

/* Of a session that has `found`, or nothing if that is NULL. */
static enum protocol_error sign_in_allowed(const struct call *call,
                                           const struct external_row *found)
{
    const enum protocol_error error = kernel_may_store(call->hub, 1);
    if (error != PROTOCOL_OK)
        return error;
    if (found && found->session != kernel_session_id(call->session))
        return PROTOCOL_EXTERNAL_TAKEN;
    if (!found && signed_in_of(call->hub, call->session))
        return PROTOCOL_ALREADY_SIGNED_IN;
    return kernel_session_is_changing(call->session) || !kernel_session_is_durable(call->session)
               ? PROTOCOL_SLOW_DOWN
               : PROTOCOL_OK;
}

/* ---- change */

struct linking {
    struct kernel_change change;
    struct signed_in *made;
};

static void keep_link(struct hub *hub, struct session *session, struct kernel_change *change)
{
    struct linking *linking = (struct linking *)(void *)change;
    signed_in_keep(hub, session, &linking->made);
    signed_in_count(hub, EXTERNAL_LINKED);
}

static void destroy_nothing(struct kernel_change *change)
{
    (void)change;
}

static void destroy_linking(struct kernel_change *change)
{
    free(((struct linking *)(void *)change)->made);
    free(change);
}

static const struct kernel_change_type link_type = {
    .carry_out = keep_link, .taken_error = PROTOCOL_EXTERNAL_TAKEN, .destroy = destroy_linking};

static void put_link(const struct call *call, const struct external_row *row)
{
    struct linking *linking = malloc(sizeof *linking);
    struct signed_in *made = malloc(sizeof *made);
    struct reply reply;
    call_reply_begin(call, &reply);
    if (!linking || !made || kernel_reserve(call->hub, 1, 0) < 0) {
        call_reply_drop(&reply);
    } else {
        *made = (struct signed_in){row->since_ms, row->used_ms};
        *linking = (struct linking){{&link_type}, made};
        if (kernel_change_answered(call, call->session, &reply, &linking->change) == 0) {
            kernel_put_row(call->hub, &external_table, row);
            (void)challenge_note_proof(call);
            return;
        }
    }
    free(made);
    free(linking);
    call_error(call, PROTOCOL_INTERNAL, NULL);
}

/* ---- answer */

static void sign_in(const struct call *call, const struct asked *asked,
                    const struct external_row *found)
{
    struct external_row row = {.session = kernel_session_id(call->session),
                               .since_ms = kernel_now_ms(call->hub)};
    const enum protocol_error error = sign_in_allowed(call, found);
    if (error != PROTOCOL_OK) {
        call_error(call, error, NULL);
        return;
    }
    if (found && was_used(asked, found)) {
        refuse_voucher(call);
        return;
    }
    if (found)
        row = *found;
    else
        hex_encode(row.subject, asked->voucher.subject, sizeof asked->voucher.subject);
    row.used_ms = asked->voucher.until_ms;
    put_link(call, &row);
}

void op_sign_in(struct call *call)
{
    struct asked asked = {.step = STEP_PROOF};
    if (!read_sent(call, &asked.voucher))
        return;
    if (kernel_account(call->session) && !signed_in_of(call->hub, call->session))
        ask_proof(call, &asked);
    else
        ask_subject(call, &asked);
}

void op_sign_in_queried(struct call *call, const struct store_query *query)
{
    const struct asked *asked = asked_of(call);
    if (query->result != STORE_OK)
        call_error(call, PROTOCOL_STORE_FAILING, NULL);
    else if (asked->step == STEP_SUBJECT)
        sign_in(call, asked, row_of(query));
    else if (op_passkey_is_proven(call, query))
        ask_subject(call, asked);
    else
        call_error(call, PROTOCOL_PROOF_NEEDED, NULL);
}

/* ---- taking it away */

static void forget_link(struct hub *hub, struct session *session, struct kernel_change *change)
{
    (void)change;
    signed_in_forget(hub, session);
}

static const struct kernel_change_type unlink_type = {.carry_out = forget_link,
                                                      .destroy = destroy_nothing};

static void drop_link(const struct call *call)
{
    static struct kernel_change waiting = {&unlink_type};
    const struct external_row row = {.session = kernel_session_id(call->session)};
    struct reply reply;
    call_reply_begin(call, &reply);
    if (kernel_reserve(call->hub, 1, 0) < 0) {
        call_reply_drop(&reply);
    } else if (kernel_change_answered(call, call->session, &reply, &waiting) == 0) {
        kernel_drop_row(call->hub, &external_table, &row);
        return;
    }
    call_error(call, PROTOCOL_INTERNAL, NULL);
}

static bool has_another_way(const struct call *call, const struct store_query *passkeys)
{
    return op_passkey_any(call, passkeys) ||
           credentials_count(call->hub, call->session, CREDENTIAL_PHRASE) > 0;
}

static enum protocol_error drop_allowed(const struct call *call, const struct store_query *passkeys)
{
    if (!has_another_way(call, passkeys) || !challenge_is_proven(call))
        return PROTOCOL_PROOF_NEEDED;
    return kernel_session_is_changing(call->session) ? PROTOCOL_SLOW_DOWN
                                                     : kernel_may_store(call->hub, 1);
}

void op_sign_in_drop(struct call *call)
{
    alignas(max_align_t) unsigned char from[STORE_ROW_SIZE_MAX] = {0};
    struct kernel_query query;
    struct reply reply;
    if (!signed_in_of(call->hub, call->session)) {
        call_reply_begin(call, &reply);
        call_reply(call, &reply, NULL);
        return;
    }
    op_passkey_ask_proof(call, &query, from);
    if (!call_query(call, &query))
        call_error(call, PROTOCOL_SLOW_DOWN, NULL);
}

void op_sign_in_drop_queried(struct call *call, const struct store_query *query)
{
    const enum protocol_error error =
        query->result == STORE_OK ? drop_allowed(call, query) : PROTOCOL_STORE_FAILING;
    if (error == PROTOCOL_OK)
        drop_link(call);
    else
        call_error(call, error, NULL);
}

/* ---- hello */

void external_ask_who(const struct call *call, const char *device)
{
    struct asked asked = {.step = STEP_SUBJECT};
    if (!read_sent(call, &asked.voucher))
        return;
    (void)snprintf(asked.device, sizeof asked.device, "%s", device);
    ask_subject(call, &asked);
}

/* As long as it cannot be stored it can be shown again, by whoever has the secret. */
static void note_used(const struct call *call, struct session *session,
                      const struct external_row *found)
{
    struct external_row row = *found;
    row.used_ms = asked_of(call)->voucher.until_ms;
    if (!kernel_session_is_changing(session) && kernel_may_store(call->hub, 1) == PROTOCOL_OK &&
        kernel_reserve(call->hub, 1, 0) == 0) {
        kernel_put_row(call->hub, &external_table, &row);
        signed_in_note(call->hub, session, row.used_ms);
    }
}

struct session *external_who(const struct call *call, const struct store_query *query,
                             const char **device)
{
    const struct external_row *found = row_of(query);
    *device = asked_of(call)->device;
    if (query->result != STORE_OK) {
        call_error(call, PROTOCOL_STORE_FAILING, NULL);
        return NULL;
    }
    if (!found) {
        call_error(call, PROTOCOL_EXTERNAL_UNKNOWN, "voucher");
        return NULL;
    }
    if (kernel_is_elsewhere(call->hub, found->session)) {
        kernel_redirect(call, part_of_session(found->session, kernel_env(call->hub)->parts));
        return NULL;
    }
    if (was_used(asked_of(call), found)) {
        refuse_voucher(call);
        return NULL;
    }
    struct session *session = kernel_session_find(call->hub, found->session);
    if (session) {
        note_used(call, session, found);
        signed_in_count(call->hub, EXTERNAL_ENTERED);
    } else {
        call_error(call, PROTOCOL_PART_AWAY, NULL);
    }
    return session;
}
