#include "op_export.h"

#include "credential.h"
#include "credential_change.h"
#include "state.h"
#include <hub/call.h>
#include <hub/kernel.h>
#include <hub/kernel_enter.h>
#include <hub/kernel_others.h>
#include <hub/kernel_query.h>
#include <protocol/scope.h>
#include <sodium.h>
#include <stdalign.h>

void op_export(struct call *call)
{
    alignas(max_align_t) unsigned char from[STORE_ROW_SIZE_MAX] = {0};
    struct kernel_query query = {.from = from};
    if (!kernel_needs_account(call))
        return;
    kernel_ask_proof(call, &query, from);
    if (!call_query(call, &query))
        call_error(call, PROTOCOL_SLOW_DOWN, NULL);
}

/* Whoever is there by the one before goes. */
static void end_before(struct hub *hub, struct session *session)
{
    struct credential *credential = identity_of_session(hub, session)->credentials;
    while (credential && !credential_is_export(credential))
        credential = credential->next;
    if (!credential)
        return;
    kernel_end_device(hub, session, credential->id);
    credential_destroy(hub, credential);
}

static void answer_export(const struct call *call)
{
    struct hub *hub = call->hub;
    struct session *session = call->session;
    const int64_t now_ms = kernel_now_ms(hub);
    struct credential_row row = {.id = credential_new_id(hub, session),
                                 .kind = CREDENTIAL_TOKEN,
                                 .since_ms = now_ms,
                                 .seen_ms = now_ms,
                                 .name = ""};
    char text[PROTOCOL_ACCESS_BYTES + 1];
    struct reply reply;
    credential_make_access(hub, row.secret_hash, text);
    struct credential *token = credential_add(hub, session, &row, CREDENTIAL_STORED);
    if (!token) {
        sodium_memzero(text, sizeof text);
        call_error(call, PROTOCOL_INTERNAL, NULL);
        return;
    }
    token->scopes = SCOPE_EXPORT;
    token->until_ms = now_ms + EXPORT_MS;
    call_reply_begin(call, &reply);
    writer_key_string(&reply.writer, "token", text);
    writer_key_int(&reply.writer, "until", token->until_ms);
    sodium_memzero(text, sizeof text);
    call_reply(call, &reply, NULL);
}

void op_export_queried(struct call *call, const struct store_query *query)
{
    if (query->result != STORE_OK) {
        call_error(call, PROTOCOL_STORE_FAILING, NULL);
    } else if (!kernel_is_proven(call, query)) {
        call_error(call, PROTOCOL_PROOF_NEEDED, NULL);
    } else {
        const enum protocol_error error = credential_change_allowed(call, call->session);
        if (error != PROTOCOL_OK) {
            call_error(call, error, NULL);
            return;
        }
        end_before(call->hub, call->session);
        answer_export(call);
    }
}
