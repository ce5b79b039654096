#include "op_hello.h"

#include "challenge.h"
#include "credential.h"
#include "credential_change.h"
#include "external.h"
#include "misplaced.h"
#include "op_device.h"
#include "op_passkey.h"
#include "passkey.h"
#include "state.h"
#include <hub/call.h>
#include <hub/config.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <hub/kernel_enter.h>
#include <hub/part.h>
#include <hub/secret.h>
#include <hub/store_query.h>
#include <protocol/encoding.h>
#include <sodium.h>
#include <string.h>

/* When a device was seen is stored again when that is older than this. */
enum { SEEN_STEP_MS = 3600000 };
/* So long a device that has come with a pass is told its token again. */
enum { AGAIN_MS = 60000 };

/* What the program calls itself, until its player has another name for it. */
static const char *device_name(const struct request *request)
{
    return request_has(request, REQUEST_CLIENT) ? request->client : "";
}

/* Its number, 0, is also that of the only device that older stores know. */
static struct credential *add_first_device(const struct call *call, struct session *session,
                                           char token[PROTOCOL_TOKEN_BYTES + 1])
{
    struct hub *hub = call->hub;
    struct credential_row row = {.kind = CREDENTIAL_DEVICE,
                                 .since_ms = kernel_now_ms(hub),
                                 .seen_ms = kernel_now_ms(hub),
                                 .name = device_name(call->request)};
    credential_make_token(hub, row.secret_hash, token);
    return credential_add(hub, session, &row, CREDENTIAL_NEW);
}

/* False: out of memory, and there is no session. */
static bool begin_session(const struct call *call, struct session *session)
{
    struct hub *hub = call->hub;
    char token[PROTOCOL_TOKEN_BYTES + 1];
    struct reply reply;
    const struct credential *device = session ? add_first_device(call, session, token) : NULL;
    if (!device) {
        if (session)
            kernel_end_new_session(hub, session);
        return false;
    }
    call_reply_begin(call, &reply);
    kernel_write_hello(call, session, &reply);
    kernel_write_token(&reply, token);
    sodium_memzero(token, sizeof token);
    if (kernel_begin_session(call, session, &reply, device->id) < 0) {
        kernel_end_new_session(hub, session);
        return false;
    }
    credential_put(hub, device, NULL);
    return true;
}

static void hello_new(const struct call *call)
{
    const enum protocol_error error = kernel_may_begin_session(call, 1);
    const size_t text = strlen(device_name(call->request)) + 1;
    if (error != PROTOCOL_OK)
        call_error(call, error, error == PROTOCOL_NAME_REFUSED ? "name" : NULL);
    else if (kernel_reserve(call->hub, KERNEL_SESSION_OPS + 1, text) < 0 ||
             !begin_session(call, kernel_new_session(call)))
        call_error(call, PROTOCOL_INTERNAL, NULL);
}

/* No reply waits for it: if it cannot be stored now, the next hello tries again. A device of an
 * older store has no name yet. */
static void note_device_seen(const struct call *call, struct credential *device)
{
    struct hub *hub = call->hub;
    const bool unnamed = !device->name[0] && request_has(call->request, REQUEST_CLIENT);
    const char *name = unnamed ? call->request->client : device->name;
    device->seen_ms = kernel_now_ms(hub);
    if (credential_is_export(device))
        return;
    if ((kernel_now_ms(hub) - device->stored_ms < SEEN_STEP_MS && !unnamed) ||
        kernel_session_is_changing(device->session) || kernel_may_store(hub, 1) != PROTOCOL_OK ||
        kernel_reserve(hub, 1, strlen(name) + 1) < 0 || (unnamed && !credential_name(device, name)))
        return;
    device->stored_ms = kernel_now_ms(hub);
    credential_put(hub, device, NULL);
}

/*
 * A client forgets what is not known any more, so nothing that may yet stay is called that. Whoever
 * has a secret that leads to another part has not guessed it: it is answered there.
 */
static void not_found(const struct call *call, const uint8_t hash[static 32],
                      enum protocol_error error, const char *field)
{
    const int home = misplaced_find(call->hub, hash);
    if (home >= 0) {
        kernel_redirect(call, (unsigned)home);
        return;
    }
    if (credential_is_ending(call->hub, hash)) {
        call_error(call, PROTOCOL_SLOW_DOWN, NULL);
        return;
    }
    call_refuse_guess(call, error, field);
}

static void go_on(const struct call *call, struct credential *device)
{
    note_device_seen(call, device); /* before anything is reserved that is used later */
    credential_watch_token(call->hub, device);
    kernel_restrict(call, device->scopes);
    kernel_resume_session(call, device->session, device->id, NULL);
}

static void hello_again(const struct call *call)
{
    uint8_t hash[32];
    struct credential *device = secret_hash_token(hash, call->request->token)
                                    ? credential_find(call->hub, hash, true)
                                    : NULL;
    if (!device)
        not_found(call, hash, PROTOCOL_UNKNOWN_TOKEN, "token");
    else if (kernel_may_enter(call, device->session, &device->id))
        go_on(call, device);
}

/* ---- hello of a new device, with a link or a phrase */

/* `*instead_of` makes room for it; NULL: there is room. */
static enum protocol_error new_device_allowed(const struct call *call, struct session *session,
                                              struct credential **instead_of)
{
    const bool full = credentials_count(call->hub, session, CREDENTIAL_DEVICE) >=
                      (uint64_t)kernel_config(call->hub)->devices_per_session;
    *instead_of = full ? credential_longest_away(call->hub, session) : NULL;
    enum protocol_error error = credential_change_allowed(call, session);
    return error == PROTOCOL_OK && full && !*instead_of ? PROTOCOL_TOO_MANY_DEVICES : error;
}

/* What somebody enters with. */
struct entry {
    struct session *session;
    struct credential *credential; /* NULL: a passkey */
    const char *device;            /* its name */
};

/* Once the reply to it waits for the store, a link is used up and the connection is the session's.
 */
static bool enter_session(const struct call *call, const struct entry *entry,
                          struct credential *instead_of)
{
    struct hub *hub = call->hub;
    struct session *session = entry->session;
    struct credential_row row = {.id = credential_new_id(hub, session),
                                 .kind = CREDENTIAL_DEVICE,
                                 .since_ms = kernel_now_ms(hub),
                                 .seen_ms = kernel_now_ms(hub),
                                 .name = entry->device};
    char token[PROTOCOL_TOKEN_BYTES + 1];
    if (request_has(call->request, REQUEST_SECRET))
        credential_derive_token(hub, call->request->pass, call->request->secret, row.secret_hash,
                                token);
    else
        credential_make_token(hub, row.secret_hash, token);
    struct credential *device = credential_add(hub, session, &row, CREDENTIAL_NEW);
    if (entry->credential && entry->credential->kind == CREDENTIAL_LINK)
        credential_drop(entry->credential);
    if (instead_of)
        credential_drop(instead_of);
    struct reply reply;
    call_reply_begin(call, &reply);
    kernel_write_hello(call, session, &reply);
    kernel_write_token(&reply, token);
    sodium_memzero(token, sizeof token);
    const bool begun = credential_change(call, session, &reply, device != NULL);
    if (begun)
        kernel_enter(call, session, row.id);
    return begun;
}

/* True: it is entered. Else that is answered. */
static bool enter_if_may(const struct call *call, const struct entry *entry)
{
    struct credential *instead_of;
    if (!kernel_may_enter(call, entry->session, NULL))
        return false;
    const enum protocol_error error = new_device_allowed(call, entry->session, &instead_of);
    if (error == PROTOCOL_OK)
        return enter_session(call, entry, instead_of);
    call_error(call, error, NULL);
    return false;
}

/* The answer was lost, and it is asked for again: the link is used up, the device is there. True:
 * the call is answered. */
static bool entered_before(const struct call *call)
{
    uint8_t hash[32];
    char token[PROTOCOL_TOKEN_BYTES + 1];
    if (!request_has(call->request, REQUEST_SECRET))
        return false;
    credential_derive_token(call->hub, call->request->pass, call->request->secret, hash, token);
    const struct credential *device = credential_find(call->hub, hash, true);
    const bool again = device && kernel_now_ms(call->hub) - device->since_ms <= AGAIN_MS;
    if (again && kernel_may_enter(call, device->session, &device->id))
        kernel_resume_session(call, device->session, device->id, token);
    sodium_memzero(token, sizeof token);
    return again;
}

static void hello_with_code(const struct call *call)
{
    if (entered_before(call))
        return;
    uint8_t hash[32];
    secret_hash_code(hash, call->request->pass);
    struct credential *credential = credential_find(call->hub, hash, false);
    if (!credential) {
        not_found(call, hash, PROTOCOL_UNKNOWN_PASS, "pass");
        return;
    }
    const struct entry entry = {credential->session, credential, device_name(call->request)};
    const bool is_phrase = credential->kind == CREDENTIAL_PHRASE;
    if (enter_if_may(call, &entry) && is_phrase)
        challenge_note_proof(call);
}

/* ---- hello of a new device, with a passkey */

static void hello_with_passkey(const struct call *call)
{
    struct passkey_asked asked = {.purpose = CHALLENGE_ENTER};
    if (!passkey_is_on(call))
        return;
    if (challenge_take(call, asked.purpose, asked.challenge))
        passkey_ask(call, PASSKEY_BY_ID, &asked, device_name(call->request));
    else
        call_refuse_guess(call, PROTOCOL_PASSKEY_REFUSED, "passkey");
}

static const struct passkey_row *row_of(const struct store_query *query)
{
    return store_query_row(query, 0);
}

/* Who has it is at home there, where the proof is checked. */
static bool is_of_another_part(const struct call *call, const struct store_query *query)
{
    return query->count == 1 && kernel_is_elsewhere(call->hub, row_of(query)->session);
}

static void enter_signed_in(const struct call *call, const struct store_query *query)
{
    struct entry entry = {0};
    entry.session = external_who(call, query, &entry.device);
    if (entry.session && enter_if_may(call, &entry))
        challenge_note_proof(call);
}

void op_hello_queried(struct call *call, const struct store_query *query)
{
    const struct passkey_asked *asked = (const struct passkey_asked *)(const void *)call->kept;
    struct passkey_row row;
    if (call->session) {
        call_error(call, PROTOCOL_HELLO_TWICE, NULL);
        return;
    }
    if (external_has_asked(call)) {
        enter_signed_in(call, query);
        return;
    }
    if (is_of_another_part(call, query)) {
        challenge_move(call, asked->challenge);
        kernel_redirect(call,
                        part_of_session(row_of(query)->session, kernel_env(call->hub)->parts));
        return;
    }
    if (!op_passkey_proof(call, query, &row))
        return;
    const struct entry entry = {kernel_session_find(call->hub, row.session), NULL, asked->name};
    if (!entry.session) {
        call_error(call, PROTOCOL_PART_AWAY, NULL);
        return;
    }
    op_passkey_note_seen(call, entry.session, &row);
    if (enter_if_may(call, &entry))
        challenge_note_proof(call);
}

/* What it comes with, of which there is one at most. */
static size_t count_secrets(const struct request *request)
{
    return (size_t)request_has(request, REQUEST_TOKEN) + request_has(request, REQUEST_PASS) +
           request_has(request, REQUEST_PASSKEY_SENT) + request_has(request, REQUEST_VOUCHER);
}

static const char *second_secret(const struct request *request)
{
    if (request_has(request, REQUEST_VOUCHER))
        return "voucher";
    return request_has(request, REQUEST_PASS) ? "pass" : "passkey";
}

void op_hello(struct call *call)
{
    if (call->session)
        call_error(call, PROTOCOL_HELLO_TWICE, NULL);
    else if (count_secrets(call->request) > 1)
        call_error(call, PROTOCOL_BAD_FIELD, second_secret(call->request));
    else if (request_has(call->request, REQUEST_SECRET) &&
             !request_has(call->request, REQUEST_PASS))
        call_error(call, PROTOCOL_BAD_FIELD, "secret");
    else if (request_has(call->request, REQUEST_PASSKEY_SENT))
        hello_with_passkey(call);
    else if (request_has(call->request, REQUEST_VOUCHER))
        external_ask_who(call, device_name(call->request));
    else if (request_has(call->request, REQUEST_PASS))
        hello_with_code(call);
    else if (request_has(call->request, REQUEST_TOKEN))
        hello_again(call);
    else
        hello_new(call);
}

/* ---- rename */

void op_rename(struct call *call)
{
    if (request_has(call->request, REQUEST_DEVICE))
        op_rename_device(call);
    else
        kernel_rename_session(call);
}
