#include "op_passkey.h"

#include "base64url.h"
#include "challenge.h"
#include "credential.h"
#include "credential_change.h"
#include "passkey.h"
#include "passkey_table.h"
#include "signed_in.h"
#include "state.h"
#include <hub/call.h>
#include <hub/config.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <hub/kernel_enter.h>
#include <hub/kernel_query.h>
#include <hub/secret.h>
#include <hub/store_query.h>
#include <protocol/encoding.h>
#include <string.h>

static const struct passkey_asked *asked_of(const struct call *call)
{
    return (const struct passkey_asked *)(const void *)call->kept;
}

static const struct passkey_row *row_at(const struct store_query *query, size_t at)
{
    return store_query_row(query, at);
}

/* ---- what a proof is needed for */

bool op_passkey_any(const struct call *call, const struct store_query *query)
{
    const struct hub_passkeys *passkeys = kernel_env(call->hub)->passkeys;
    size_t at = 0;
    while (at < query->count && (!passkeys || strcmp(row_at(query, at)->rp, passkeys->rp_id) != 0))
        at++;
    return at < query->count;
}

void op_passkey_ask_proof(const struct call *call, struct kernel_query *query, void *from)
{
    ((struct passkey_row *)from)->session = kernel_session_id(call->session);
    *query = (struct kernel_query){
        .table = &passkey_table,
        .index = PASSKEY_BY_SESSION,
        .limit = (uint32_t)kernel_config(call->hub)->passkeys_per_account + 1,
        .from = from,
    };
}

bool op_passkey_is_proven(const struct call *call, const struct store_query *query)
{
    return challenge_is_proven(call) ||
           (!op_passkey_any(call, query) && !signed_in_is_way_in(call->hub, call->session) &&
            credentials_count(call->hub, call->session, CREDENTIAL_PHRASE) == 0);
}

/* False: it is needed, and that is answered. */
static bool is_proven(const struct call *call, const struct store_query *query)
{
    if (op_passkey_is_proven(call, query))
        return true;
    call_error(call, PROTOCOL_PROOF_NEEDED, NULL);
    return false;
}

/* ---- a challenge */

static void write_ids(const struct store_query *query, struct writer *writer)
{
    writer_key_array(writer, "ids");
    for (size_t at = 0; at < query->count; at++)
        writer_string(writer, row_at(query, at)->id);
    writer_end(writer);
}

static void write_user(const struct call *call, struct writer *writer)
{
    char user[PROTOCOL_PASSKEY_USER_BYTES + 1];
    base64url_encode(user, sizeof user, kernel_user_id(call->session), KERNEL_USER_ID_BYTES);
    writer_key_string(writer, "user", user);
}

/* `query` NULL: for whoever comes. */
static void answer_challenge(const struct call *call, enum challenge_purpose purpose,
                             const struct store_query *query)
{
    uint8_t challenge[CHALLENGE_BYTES];
    char text[PROTOCOL_TOKEN_BYTES + 1];
    struct reply reply;
    const int64_t until_ms = challenge_make(call, purpose, challenge);
    base64url_encode(text, sizeof text, challenge, sizeof challenge);
    call_reply_begin(call, &reply);
    writer_key_string(&reply.writer, "challenge", text);
    writer_key_int(&reply.writer, "until", until_ms);
    writer_key_string(&reply.writer, "rp", kernel_env(call->hub)->passkeys->rp_id);
    if (purpose == CHALLENGE_ADD)
        write_user(call, &reply.writer);
    if (query)
        write_ids(query, &reply.writer);
    call_reply(call, &reply, NULL);
    if (purpose == CHALLENGE_ENTER)
        kernel_await_hello(call, until_ms);
}

static void give_for_session(const struct call *call, const struct store_query *query)
{
    const enum challenge_purpose purpose = asked_of(call)->purpose;
    const int64_t most = kernel_config(call->hub)->passkeys_per_account;
    if (purpose == CHALLENGE_ADD && query->count >= (uint64_t)most)
        call_error(call, PROTOCOL_TOO_MANY_PASSKEYS, NULL);
    else if (purpose == CHALLENGE_PROOF || is_proven(call, query))
        answer_challenge(call, purpose, query);
}

/* Of an account, at its home; else that is answered. */
static bool is_account(const struct call *call)
{
    if (call->session && kernel_user_id(call->session))
        return true;
    call_error(call, call->session ? PROTOCOL_ACCOUNT_NEEDED : PROTOCOL_HELLO_FIRST, NULL);
    return false;
}

void op_passkey(struct call *call)
{
    const enum challenge_purpose purpose = challenge_asked(call);
    if (!passkey_is_on(call))
        return;
    if (purpose != CHALLENGE_ENTER) {
        if (is_account(call))
            passkey_ask(call, PASSKEY_BY_SESSION, &(struct passkey_asked){.purpose = purpose}, "");
    } else if (call->session) {
        call_error(call, PROTOCOL_HELLO_TWICE, NULL);
    } else {
        answer_challenge(call, purpose, NULL);
    }
}

/* ---- a list, as it will be */

/* Of the rows all but `without`, and one more. */
static void begin_list(const struct call *call, const struct store_query *query,
                       const struct passkey_row *without, const struct passkey_row *more,
                       struct reply *reply)
{
    call_reply_begin(call, reply);
    writer_key_array(&reply->writer, "passkeys");
    for (size_t at = 0; at < query->count; at++) {
        if (row_at(query, at) != without)
            passkey_write(call->hub, row_at(query, at), &reply->writer);
    }
    if (more)
        passkey_write(call->hub, more, &reply->writer);
    writer_end(&reply->writer);
}

static void answer_list(const struct call *call, const struct store_query *query)
{
    struct reply reply;
    begin_list(call, query, NULL, NULL, &reply);
    call_charge(call, reply.buffer.len);
    call_reply(call, &reply, NULL);
}

void op_passkeys(struct call *call)
{
    passkey_ask(call, PASSKEY_BY_SESSION, &(struct passkey_asked){0}, "");
}

/* ---- changes */

static void carry_out(struct hub *hub, struct session *session, struct kernel_change *change)
{
    (void)session, (void)change;
    identity_of(hub)->passkey_changes++;
}

static void destroy_nothing(struct kernel_change *change)
{
    (void)change;
}

/* Its row is already somebody's, if it is taken. */
static const struct kernel_change_type change_type = {
    .carry_out = carry_out, .taken_error = PROTOCOL_PASSKEY_REFUSED, .destroy = destroy_nothing};

/* False: it may not be now, and that is answered. */
static bool may_change(const struct call *call)
{
    const enum protocol_error error = passkey_is_stale(call, asked_of(call))
                                          ? PROTOCOL_SLOW_DOWN
                                          : credential_change_allowed(call, call->session);
    if (error == PROTOCOL_OK)
        return true;
    call_error(call, error, NULL);
    return false;
}

static void change_passkey(const struct call *call, struct reply *reply,
                           const struct passkey_row *row, bool put)
{
    static struct kernel_change waiting = {&change_type}; /* all of it is in the row */
    struct hub *hub = call->hub;
    if (kernel_reserve(hub, 1, passkey_text_len(row)) < 0) {
        call_reply_drop(reply);
    } else if (kernel_change_answered(call, call->session, reply, &waiting) == 0) {
        if (put)
            kernel_put_row(hub, &passkey_table, row);
        else
            kernel_drop_row(hub, &passkey_table, row);
        return;
    }
    call_error(call, PROTOCOL_INTERNAL, NULL);
}

/* A number that no row has. */
static uint32_t new_key(const struct call *call, const struct store_query *query)
{
    const struct hub_env *env = kernel_env(call->hub);
    uint32_t key;
    size_t at;
    do {
        env->random(env->ctx, &key, sizeof key);
        at = 0;
        while (at < query->count && row_at(query, at)->key != key)
            at++;
    } while (at < query->count);
    return key;
}

static void add_made(const struct call *call, const struct store_query *query)
{
    struct passkey_row row;
    struct passkey_texts texts;
    struct reply reply;
    if (query->count >= (uint64_t)kernel_config(call->hub)->passkeys_per_account) {
        call_error(call, PROTOCOL_TOO_MANY_PASSKEYS, NULL);
    } else if (!is_proven(call, query) || !may_change(call)) {
        return;
    } else if (!passkey_register(call, asked_of(call), &row, &texts)) {
        call_error(call, PROTOCOL_PASSKEY_REFUSED, "passkey");
    } else {
        row.key = new_key(call, query);
        row.name = asked_of(call)->name;
        begin_list(call, query, NULL, &row, &reply);
        change_passkey(call, &reply, &row, true);
    }
}

void op_passkey_add(struct call *call)
{
    struct passkey_asked asked = {.purpose = CHALLENGE_ADD};
    const char *name = request_has(call->request, REQUEST_NAME) ? call->request->name : "";
    if (!passkey_is_on(call) || !is_account(call))
        return;
    if (challenge_take(call, asked.purpose, asked.challenge))
        passkey_ask(call, PASSKEY_BY_SESSION, &asked, name);
    else
        call_error(call, PROTOCOL_PASSKEY_REFUSED, "passkey");
}

static void drop_one(const struct call *call, const struct store_query *query)
{
    struct reply reply;
    size_t at = 0;
    while (at < query->count && row_at(query, at)->key != asked_of(call)->key)
        at++;
    if (at == query->count) {
        call_error(call, PROTOCOL_UNKNOWN_PASSKEY, "key");
    } else if (is_proven(call, query) && may_change(call)) {
        begin_list(call, query, row_at(query, at), NULL, &reply);
        change_passkey(call, &reply, row_at(query, at), false);
    }
}

void op_passkey_drop(struct call *call)
{
    const struct passkey_asked asked = {.key = device_decode(call->request->key)};
    passkey_ask(call, PASSKEY_BY_SESSION, &asked, "");
}

/* ---- a proof */

const struct passkey_row *op_passkey_proof(const struct call *call, const struct store_query *query,
                                           struct passkey_row *row)
{
    const struct passkey_row *found = query->count == 1 ? row_at(query, 0) : NULL;
    if (found && call->session && found->session != kernel_session_id(call->session))
        found = NULL; /* as if there were none: nobody is told whose it is */
    if (!found) {
        call_refuse_guess(call, PROTOCOL_UNKNOWN_PASSKEY, "passkey");
        return NULL;
    }
    *row = *found;
    if (passkey_verify(call->hub, asked_of(call), row))
        return row;
    call_refuse_guess(call, PROTOCOL_PASSKEY_REFUSED, "passkey");
    return NULL;
}

void op_passkey_note_seen(const struct call *call, struct session *session,
                          const struct passkey_row *row)
{
    struct hub *hub = call->hub;
    if (!passkey_is_stale(call, asked_of(call)) && !kernel_session_is_changing(session) &&
        kernel_may_store(hub, 1) == PROTOCOL_OK &&
        kernel_reserve(hub, 1, passkey_text_len(row)) == 0)
        kernel_put_row(hub, &passkey_table, row);
}

static void answer_proven(const struct call *call)
{
    struct reply reply;
    const int64_t until_ms = challenge_note_proof(call);
    call_reply_begin(call, &reply);
    writer_key_int(&reply.writer, "until", until_ms);
    call_reply(call, &reply, NULL);
}

static void prove_by_passkey(const struct call *call, const struct store_query *query)
{
    struct passkey_row row;
    if (!op_passkey_proof(call, query, &row))
        return;
    op_passkey_note_seen(call, call->session, &row);
    answer_proven(call);
}

static void prove_by_phrase(const struct call *call)
{
    uint8_t hash[32];
    secret_hash_code(hash, call->request->pass);
    const struct credential *phrase = credential_by_secret(call->hub, hash);
    if (phrase && phrase->kind == CREDENTIAL_PHRASE && phrase->session == call->session)
        answer_proven(call);
    else
        call_refuse_guess(call, PROTOCOL_UNKNOWN_PASS, "pass");
}

void op_prove(struct call *call)
{
    struct passkey_asked asked = {.purpose = CHALLENGE_PROOF};
    const bool by_phrase = request_has(call->request, REQUEST_PASS);
    if (by_phrase == request_has(call->request, REQUEST_PASSKEY_SENT)) {
        call_error(call, by_phrase ? PROTOCOL_BAD_FIELD : PROTOCOL_MISSING_FIELD, "passkey");
    } else if (by_phrase) {
        prove_by_phrase(call);
    } else if (passkey_is_on(call)) {
        if (challenge_take(call, asked.purpose, asked.challenge))
            passkey_ask(call, PASSKEY_BY_ID, &asked, "");
        else
            call_refuse_guess(call, PROTOCOL_PASSKEY_REFUSED, "passkey");
    }
}

void op_passkey_queried(struct call *call, const struct store_query *query)
{
    if (call->request->op == REQUEST_PASSKEY)
        give_for_session(call, query);
    else if (call->request->op == REQUEST_PASSKEY_ADD)
        add_made(call, query);
    else if (call->request->op == REQUEST_PASSKEY_DROP)
        drop_one(call, query);
    else if (call->request->op == REQUEST_PROVE)
        prove_by_passkey(call, query);
    else
        answer_list(call, query);
}
