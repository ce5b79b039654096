#include <identity/identity.h>

#include "adopt.h"
#include "adopted.h"
#include "adopting.h"
#include "challenge.h"
#include "credential.h"
#include "credential_change.h"
#include "external.h"
#include "external_table.h"
#include "misplaced.h"
#include "op_device.h"
#include "op_export.h"
#include "op_hello.h"
#include "op_passkey.h"
#include "op_token.h"
#include "operator_link.h"
#include "passkey.h"
#include "passkey_table.h"
#include "signed_in.h"
#include "state.h"
#include "token_table.h"
#include <hub/admin_request.h>
#include <hub/call.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <hub/part.h>
#include <identity/credential_table.h>
#include <protocol/json_writer.h>
#include <string.h>

static int begin_feature(struct hub *hub)
{
    credentials_init(hub);
    misplaced_init(hub);
    adoptings_init(hub);
    identity_of(hub)->tokens_ms = INT64_MAX;
    return 0;
}

static void end_feature(struct hub *hub)
{
    credentials_end(hub);
    misplaced_release(hub);
    adoptings_release(hub);
}

/* ---- rows */

/* The row is one of a part to which the secret alone leads. False: out of memory. */
static bool restore_misplaced(struct hub *hub, uint64_t session, const uint8_t hash[static 32])
{
    return misplaced_add(hub, hash, part_of_session(session, kernel_env(hub)->parts)) == 0;
}

static bool restore_token(struct hub *hub, const struct token_row *stored)
{
    struct session *session = kernel_session_find(hub, stored->session);
    struct credential_row row = {.session = stored->session,
                                 .id = stored->id,
                                 .kind = CREDENTIAL_TOKEN,
                                 .since_ms = stored->since_ms,
                                 .seen_ms = stored->seen_ms,
                                 .name = stored->name};
    memcpy(row.secret_hash, stored->secret_hash, sizeof row.secret_hash);
    struct credential *token =
        session ? credential_add(hub, session, &row, CREDENTIAL_STORED) : NULL;
    if (!token)
        return !session;
    token->scopes = stored->scopes;
    token->until_ms = stored->until_ms;
    return true;
}

static bool restore_row(struct hub *hub, const struct store_table *table, const void *row)
{
    const struct credential_row *stored = row;
    const struct token_row *token = row;
    if (table == &external_table)
        return signed_in_restore(hub, row);
    if (table == &token_table)
        return kernel_is_elsewhere(hub, token->session)
                   ? restore_misplaced(hub, token->session, token->secret_hash)
                   : restore_token(hub, token);
    if (kernel_is_elsewhere(hub, stored->session))
        return restore_misplaced(hub, stored->session, stored->secret_hash);
    struct session *session = kernel_session_find(hub, stored->session);
    return !session || credential_add(hub, session, stored, CREDENTIAL_STORED);
}

/* ---- sessions */

static void session_begun(struct hub *hub, struct session *session)
{
    struct credential *first = credential_device(hub, session, 0);
    if (first) /* a program's account has none */
        credential_stored(first);
}

static bool keeps_session(const struct hub *hub, const struct session *session)
{
    const struct credential *first = identity_of_session(hub, session)->credentials;
    return first && first->next;
}

static bool open_again(struct hub *hub, const uint8_t hash[static 32],
                       struct feature_opened *opened)
{
    const struct credential *credential = credential_find(hub, hash, true);
    if (!credential)
        return false;
    *opened = (struct feature_opened){credential->session, credential->id, credential->scopes};
    credential_watch_token(hub, credential);
    return true;
}

static void device_left(struct hub *hub, struct session *session, uint32_t device)
{
    struct credential *credential = credential_device(hub, session, device);
    if (credential)
        credential->seen_ms = kernel_now_ms(hub);
}

/* ---- passkeys */

static void pass_query_on(struct call *call, const struct store_query *query)
{
    if (call->request->op == REQUEST_HELLO)
        op_hello_queried(call, query);
    else if (call->request->op == REQUEST_PHRASE)
        op_phrase_queried(call, query);
    else if (call->request->op == REQUEST_EXPORT)
        op_export_queried(call, query);
    else if (call->request->op == REQUEST_TOKEN_ADD)
        op_token_queried(call, query);
    else if (call->request->op == REQUEST_SIGN_IN)
        op_sign_in_queried(call, query);
    else if (call->request->op == REQUEST_SIGN_IN_DROP)
        op_sign_in_drop_queried(call, query);
    else
        op_passkey_queried(call, query);
}

static void write_hello(const struct hub *hub, const struct session *session, struct writer *writer)
{
    const struct hub_passkeys *passkeys = kernel_env(hub)->passkeys;
    (void)session;
    if (!passkeys)
        return;
    writer_key_object(writer, "passkeys");
    writer_key_string(writer, "rp", passkeys->rp_id);
    writer_end(writer);
}

static bool has_signed_in(const struct hub *hub, const struct session *session)
{
    return signed_in_of(hub, session);
}

static void write_kept(const struct hub *hub, uint64_t id, bool at_desk, struct writer *writer)
{
    const struct session *session = at_desk ? NULL : kernel_session_find(hub, id);
    if (session)
        signed_in_write_kept(hub, session, writer);
}

static void write_figures(const struct hub *hub, struct buffer *out)
{
    passkey_write_figures(hub, out);
    signed_in_write_figures(hub, out);
}

/* ---- time */

static int64_t deadline_ms(const struct hub *hub)
{
    const int64_t adoptings_ms = adoptings_deadline_ms(hub);
    return identity_of(hub)->tokens_ms < adoptings_ms ? identity_of(hub)->tokens_ms : adoptings_ms;
}

static void tick(struct hub *hub)
{
    tokens_tick(hub);
    adoptings_tick(hub);
}

/* ---- the feature */

/* A device's name is its owner's alone to see; and a `hello` of who has a name keeps that. */
static const char *called_by(const struct request *request, const char **field)
{
    *field = "name";
    return request->op != REQUEST_RENAME || request_has(request, REQUEST_DEVICE) ? NULL
                                                                                 : request->name;
}

static void session_gone(struct hub *hub, struct session *session)
{
    adopting_gone(hub, session);
    signed_in_forget(hub, session);
    credentials_release(hub, session);
}

static const struct letter_row letters[] = {
    {adopt_letter, ADOPT_OPS, ADOPT_LETTER_BYTES, adopt_apply},
    {adopting_letter, ADOPTING_OPS, ADOPT_LETTER_BYTES, adopting_apply},
    {hand_letter, HAND_OPS, ADOPT_LETTER_BYTES, hand_apply},
    {handed_letter, HANDED_OPS, 0, handed_apply},
    {adopted_letter, 0, 0, adopted_apply},
};

static const struct request_row requests[] = {
    {REQUEST_ADOPT, REQUEST_AT_HOME | REQUEST_ONCE, op_adopt},
    {REQUEST_DEVICES, REQUEST_AT_HOME, op_devices},
    {REQUEST_EXPORT, REQUEST_AT_HOME | REQUEST_ONCE, op_export},
    {REQUEST_FORGET, REQUEST_AT_HOME, op_forget},
    {REQUEST_HELLO, REQUEST_BY_ANYBODY, op_hello},
    {REQUEST_LINK, REQUEST_AT_HOME | REQUEST_ONCE, op_link},
    {REQUEST_PHRASE, REQUEST_AT_HOME | REQUEST_ONCE, op_phrase},
    {REQUEST_RENAME, REQUEST_AT_HOME, op_rename},
    {REQUEST_PASSKEY, REQUEST_BY_ANYBODY, op_passkey},
    {REQUEST_PASSKEY_ADD, REQUEST_AT_HOME | REQUEST_ONCE, op_passkey_add},
    {REQUEST_PASSKEY_DROP, REQUEST_AT_HOME, op_passkey_drop},
    {REQUEST_PASSKEYS, REQUEST_AT_HOME, op_passkeys},
    {REQUEST_PROVE, REQUEST_AT_HOME | REQUEST_ONCE, op_prove},     /* a challenge is good once */
    {REQUEST_SIGN_IN, REQUEST_AT_HOME | REQUEST_ONCE, op_sign_in}, /* and so is a voucher */
    {REQUEST_SIGN_IN_DROP, REQUEST_AT_HOME, op_sign_in_drop},
    {REQUEST_TOKENS, REQUEST_AT_HOME, op_tokens},
    {REQUEST_TOKEN_ADD, REQUEST_AT_HOME | REQUEST_ONCE, op_token_add},
    {REQUEST_TOKEN_DROP, REQUEST_AT_HOME, op_token_drop},
};

static const struct store_table *const tables[] = {&credential_table, &token_table, &passkey_table,
                                                   &external_table, NULL};

static const struct operator_word link_word = {"link", true, MEMBER_HANDLE, MEMBER_REASON};

static const struct operator_row operations[] = {{&link_word, true, .carry_out = operator_links}};

static const struct feature_doors doors = {.open = open_again,
                                           .ask_proof = op_passkey_ask_proof,
                                           .is_proven = op_passkey_is_proven,
                                           .signed_in = has_signed_in,
                                           .left = device_left,
                                           .challenge = challenge_moved,
                                           .set_challenge = challenge_bring};

const struct feature feature_identity = {
    .name = "identity",
    .memory = &identity_memory,
    .begin = begin_feature,
    .end = end_feature,
    .requests = requests,
    .request_count = sizeof requests / sizeof requests[0],
    .called = called_by,
    .operations = operations,
    .operation_count = sizeof operations / sizeof operations[0],
    .wait_ms = credential_change_wait_ms,
    .write_hello = write_hello,
    .write_kept = write_kept,
    .write_figures = write_figures,
    .deadline_ms = deadline_ms,
    .tick = tick,
    .queried = pass_query_on,
    .tables = tables,
    .restore_row = restore_row,
    .session_begun = session_begun,
    .session_gone = session_gone,
    .letters = letters,
    .letter_count = sizeof letters / sizeof letters[0],
    .keeps_session = keeps_session,
    .doors = &doors,
};
