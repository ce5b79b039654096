#include "op_token.h"

#include "credential.h"
#include "credential_change.h"
#include "op_passkey.h"
#include "state.h"
#include "tell_devices.h"
#include <hub/call.h>
#include <hub/config.h>
#include <hub/kernel.h>
#include <hub/kernel_enter.h>
#include <hub/kernel_others.h>
#include <hub/kernel_query.h>
#include <hub/store_query.h>
#include <protocol/encoding.h>
#include <protocol/scope.h>
#include <sodium.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

enum { DAY_MS = 24 * 3600 * 1000 };

/* ---- whose */

/* Whoever asks, or the program's account that is named. NULL: that is answered. */
static struct session *find_subject(const struct call *call)
{
    struct session *session = call->session;
    if (!kernel_user_id(session)) {
        call_error(call, PROTOCOL_ACCOUNT_NEEDED, NULL);
        return NULL;
    }
    if (!request_has(call->request, REQUEST_HANDLE))
        return session;
    session = kernel_owned(call->hub, session, call->request->handle);
    if (!session)
        call_error(call, PROTOCOL_UNKNOWN_HANDLE, "handle");
    return session;
}

/* ---- a list, as it will be */

static void write_token(const struct hub *hub, const struct credential *token,
                        struct writer *writer)
{
    char key[PROTOCOL_DEVICE_BYTES + 1], scope[PROTOCOL_SCOPE_BYTES + 1];
    device_encode(key, token->id);
    scopes_write(scope, token->scopes);
    writer_object(writer);
    writer_key_string(writer, "key", key);
    writer_key_string(writer, "name", token->name);
    writer_key_string(writer, "scope", scope);
    writer_key_int(writer, "since", token->since_ms);
    writer_key_int(writer, "seen", token->seen_ms);
    writer_key_int(writer, "until", credential_until_ms(hub, token));
    writer_key_bool(writer, "online", kernel_device_is_connected(token->session, token->id));
    writer_end(writer);
}

static void write_tokens(const struct hub *hub, const struct session *session,
                         struct writer *writer)
{
    const struct credential *token = identity_of_session(hub, session)->credentials;
    writer_key_array(writer, "tokens");
    for (; token; token = token->next) {
        if (token->kind == CREDENTIAL_TOKEN && token->state != CREDENTIAL_GOING &&
            !credential_is_export(token))
            write_token(hub, token, writer);
    }
    writer_end(writer);
}

void op_tokens(struct call *call)
{
    const struct session *session = find_subject(call);
    struct reply reply;
    if (!session)
        return;
    call_reply_begin(call, &reply);
    write_tokens(call->hub, session, &reply.writer);
    call_reply(call, &reply, NULL);
}

/* ---- one more */

struct asked {
    struct kernel_kept kept;
    uint64_t session; /* whose it is to be */
    unsigned scopes;
    int64_t days;
    char name[PROTOCOL_NAME_BYTES + 1];
};

static void destroy_asked(struct kernel_kept *kept)
{
    free(kept);
}

static struct asked *keep_asked(const struct call *call, const struct session *session)
{
    struct asked *asked = calloc(1, sizeof *asked);
    const struct request *request = call->request;
    if (!asked)
        return NULL;
    asked->kept.destroy = destroy_asked;
    asked->session = kernel_session_id(session);
    asked->days = request->days;
    (void)scopes_read(&asked->scopes, request->scope, strlen(request->scope));
    memcpy(asked->name, request->name, sizeof asked->name);
    return asked;
}

void op_token_add(struct call *call)
{
    alignas(max_align_t) unsigned char from[STORE_ROW_SIZE_MAX] = {0};
    struct kernel_query query = {.from = from};
    const struct session *session = find_subject(call);
    if (!session)
        return;
    struct asked *asked = keep_asked(call, session);
    kernel_ask_proof(call, &query, from);
    query.kept = asked ? &asked->kept : NULL;
    if (asked && call_query(call, &query))
        return;
    free(asked);
    call_error(call, asked ? PROTOCOL_SLOW_DOWN : PROTOCOL_INTERNAL, NULL);
}

/* Those whose time is over make room. */
static void drop_ended(const struct hub *hub, const struct session *session)
{
    struct credential *token = identity_of_session(hub, session)->credentials;
    for (; token; token = token->next) {
        if (token->kind == CREDENTIAL_TOKEN && !credential_is_export(token) &&
            token->state == CREDENTIAL_STORED &&
            credential_until_ms(hub, token) <= kernel_now_ms(hub))
            credential_drop(token);
    }
}

static enum protocol_error add_allowed(const struct call *call, struct session *session)
{
    const int64_t most = kernel_config(call->hub)->tokens_per_account;
    if (!session)
        return PROTOCOL_UNKNOWN_HANDLE;
    if (credential_tokens_good(call->hub, session) >= (size_t)most)
        return PROTOCOL_TOO_MANY_TOKENS;
    return credential_change_allowed(call, session);
}

static void add_token(const struct call *call, struct session *session, const struct asked *asked)
{
    struct hub *hub = call->hub;
    const int64_t now_ms = kernel_now_ms(hub);
    struct credential_row row = {.id = credential_new_id(hub, session),
                                 .kind = CREDENTIAL_TOKEN,
                                 .since_ms = now_ms,
                                 .seen_ms = now_ms,
                                 .name = asked->name};
    char text[PROTOCOL_ACCESS_BYTES + 1];
    struct reply reply;
    drop_ended(hub, session);
    credential_make_access(hub, row.secret_hash, text);
    struct credential *token = credential_add(hub, session, &row, CREDENTIAL_NEW);
    if (token) {
        token->scopes = (uint8_t)asked->scopes;
        token->until_ms = now_ms + asked->days * DAY_MS;
    }
    call_reply_begin(call, &reply);
    writer_key_string(&reply.writer, "token", text);
    write_tokens(hub, session, &reply.writer);
    sodium_memzero(text, sizeof text);
    /* Of a program's account too, whose own devices are programs. */
    if (credential_change(call, session, &reply, token != NULL))
        tell_devices_when_durable(hub, call->session,
                                  "A token for a program has been made with your account.");
}

void op_token_queried(struct call *call, const struct store_query *query)
{
    const struct asked *asked = (const struct asked *)(const void *)call->kept;
    struct session *session = kernel_session_find(call->hub, asked->session);
    if (query->result != STORE_OK) {
        call_error(call, PROTOCOL_STORE_FAILING, NULL);
    } else if (!kernel_is_proven(call, query)) {
        call_error(call, PROTOCOL_PROOF_NEEDED, NULL);
    } else {
        const enum protocol_error error = add_allowed(call, session);
        if (error == PROTOCOL_OK)
            add_token(call, session, asked);
        else
            call_error(call, error, NULL);
    }
}

/* ---- one less: no proof, as a token in wrong hands is to be ended at once */

void op_token_drop(struct call *call)
{
    struct session *session = find_subject(call);
    struct reply reply;
    if (!session)
        return;
    struct credential *token =
        credential_device(call->hub, session, device_decode(call->request->key));
    const enum protocol_error error = credential_change_possible(call->hub, session);
    if (!token || token->kind != CREDENTIAL_TOKEN || token->state == CREDENTIAL_GOING) {
        call_error(call, PROTOCOL_BAD_FIELD, "key");
    } else if (error != PROTOCOL_OK) {
        call_error(call, error, NULL);
    } else {
        credential_drop(token);
        call_reply_begin(call, &reply);
        write_tokens(call->hub, session, &reply.writer);
        credential_change(call, session, &reply, true);
    }
}

/* ---- their end */

void tokens_tick(struct hub *hub)
{
    struct identity *identity = identity_of(hub);
    if (identity->tokens_ms <= kernel_now_ms(hub))
        identity->tokens_ms = credential_end_tokens(hub);
}
