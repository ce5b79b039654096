#include "passkey.h"

#include "base64url.h"
#include "passkey_table.h"
#include "state.h"
#include <hub/call.h>
#include <hub/config.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <hub/prometheus.h>
#include <hub/store_query.h>
#include <protocol/encoding.h>
#include <protocol/json_writer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool passkey_is_on(const struct call *call)
{
    if (kernel_env(call->hub)->passkeys)
        return true;
    call_error(call, PROTOCOL_PASSKEYS_OFF, NULL);
    return false;
}

/* ---- what waits for rows */

static void destroy_asked(struct kernel_kept *kept)
{
    struct passkey_asked *asked = (struct passkey_asked *)(void *)kept;
    json_decref(asked->passkey);
    free(asked);
}

static const char *sent_text(const struct passkey_asked *asked, const char *name)
{
    return json_string_value(json_object_get(asked->passkey, name));
}

static struct passkey_asked *keep_asked(const struct call *call, const struct passkey_asked *asked,
                                        const char *name)
{
    struct passkey_asked *kept = malloc(sizeof *kept);
    if (!kept)
        return NULL;
    *kept = *asked;
    kept->kept.destroy = destroy_asked;
    kept->passkey = json_incref(call->request->passkey);
    kept->changes = identity_of(call->hub)->passkey_changes;
    (void)snprintf(kept->name, sizeof kept->name, "%s", name);
    return kept;
}

void passkey_ask(const struct call *call, unsigned index, const struct passkey_asked *asked,
                 const char *name)
{
    struct passkey_asked *kept = keep_asked(call, asked, name);
    struct passkey_row from = {.session = call->session ? kernel_session_id(call->session) : 0};
    if (kept && index == PASSKEY_BY_ID)
        passkey_hash_id(sent_text(kept, "id"), from.id_hash);
    const struct kernel_query query = {
        .table = &passkey_table,
        .index = index,
        .limit = (uint32_t)kernel_config(call->hub)->passkeys_per_account + 1,
        .from = &from,
        .kept = kept ? &kept->kept : NULL,
    };
    if (kept && call_query(call, &query))
        return;
    call_error(call, kept ? PROTOCOL_SLOW_DOWN : PROTOCOL_INTERNAL, NULL);
    if (kept)
        destroy_asked(&kept->kept);
}

bool passkey_is_stale(const struct call *call, const struct passkey_asked *asked)
{
    return asked->changes != identity_of(call->hub)->passkey_changes;
}

/* ---- checking what was sent */

/* One part of it. */
struct sent_bytes {
    uint8_t bytes[BASE64URL_BYTES_MAX];
};

static struct webauthn_bytes decode_text(const char *text, struct sent_bytes *into)
{
    return (struct webauthn_bytes){into->bytes, text ? base64url_decode(into->bytes, text) : 0};
}

static struct webauthn_bytes decode_sent(const struct passkey_asked *asked, const char *name,
                                         struct sent_bytes *into)
{
    return decode_text(sent_text(asked, name), into);
}

static struct webauthn_party party_of(const struct hub *hub, const struct passkey_asked *asked)
{
    const struct hub_passkeys *passkeys = kernel_env(hub)->passkeys;
    return (struct webauthn_party){.rp_id = passkeys->rp_id,
                                   .origins = passkeys->origins,
                                   .challenge = {asked->challenge, sizeof asked->challenge}};
}

static bool note_result(struct hub *hub, enum webauthn_fault fault)
{
    identity_of(hub)->passkey_results[fault]++;
    return fault == WEBAUTHN_OK;
}

bool passkey_register(const struct call *call, const struct passkey_asked *asked,
                      struct passkey_row *row, struct passkey_texts *texts)
{
    struct hub *hub = call->hub;
    struct sent_bytes client, object;
    struct webauthn_made made;
    const struct webauthn_party party = party_of(hub, asked);
    if (!note_result(hub, webauthn_register(&party, decode_sent(asked, "client_data", &client),
                                            decode_sent(asked, "attestation", &object), &made)))
        return false;
    base64url_encode(texts->id, sizeof texts->id, made.id.at, made.id.len);
    base64url_encode(texts->cose, sizeof texts->cose, made.key.at, made.key.len);
    *row = (struct passkey_row){.session = kernel_session_id(call->session),
                                .id = texts->id,
                                .cose = texts->cose,
                                .rp = party.rp_id,
                                .counter = made.counter,
                                .flags = made.flags,
                                .since_ms = kernel_now_ms(hub),
                                .seen_ms = kernel_now_ms(hub)};
    memcpy(row->user_id, kernel_user_id(call->session), sizeof row->user_id);
    passkey_hash_id(row->id, row->id_hash);
    return true;
}

static void note_seen(struct hub *hub, const struct webauthn_seen *seen, struct passkey_row *row)
{
    row->flags = seen->flags | (row->flags & PASSKEY_COPIED);
    if (seen->counter_back) {
        row->flags |= PASSKEY_COPIED;
        identity_of(hub)->passkeys_copied++;
        kernel_log(hub, "passkey_counter", row->session, true);
    }
    row->counter = seen->counter;
    row->seen_ms = kernel_now_ms(hub);
}

bool passkey_verify(struct hub *hub, const struct passkey_asked *asked, struct passkey_row *row)
{
    struct sent_bytes cose, user, client, data, signature;
    struct webauthn_known known = {.key = decode_text(row->cose, &cose),
                                   .counter = row->counter,
                                   .flags = (uint8_t)row->flags};
    struct webauthn_assertion assertion = {
        .user = decode_sent(asked, "user", &user),
        .client_data = decode_sent(asked, "client_data", &client),
        .authenticator = decode_sent(asked, "auth_data", &data),
        .signature = decode_sent(asked, "signature", &signature),
    };
    struct webauthn_seen seen;
    const struct webauthn_party party = party_of(hub, asked);
    if (!sent_text(asked, "user"))
        assertion.user.at = NULL;
    memcpy(known.user, row->user_id, sizeof known.user);
    if (!note_result(hub, webauthn_verify(&party, &known, &assertion, &seen)))
        return false;
    note_seen(hub, &seen, row);
    return true;
}

/* ---- what is stored and shown */

size_t passkey_text_len(const struct passkey_row *row)
{
    return strlen(row->id) + strlen(row->cose) + strlen(row->rp) + strlen(row->name) + 4;
}

void passkey_write(const struct hub *hub, const struct passkey_row *row, struct writer *writer)
{
    const struct hub_passkeys *passkeys = kernel_env(hub)->passkeys;
    char key[PROTOCOL_DEVICE_BYTES + 1];
    device_encode(key, row->key);
    writer_object(writer);
    writer_key_string(writer, "key", key);
    writer_key_string(writer, "name", row->name);
    writer_key_int(writer, "since", row->since_ms);
    writer_key_int(writer, "seen", row->seen_ms);
    if (row->flags & WEBAUTHN_BACKED_UP)
        writer_key_bool(writer, "synced", true);
    if (row->flags & PASSKEY_COPIED)
        writer_key_bool(writer, "copied", true);
    if (!passkeys || strcmp(passkeys->rp_id, row->rp) != 0)
        writer_key_bool(writer, "elsewhere", true);
    writer_end(writer);
}

void passkey_write_figures(const struct hub *hub, struct buffer *out)
{
    const struct identity *identity = identity_of(hub);
    prometheus_head(out, "passkey_checks_total", "counter",
                    "Passkeys that were added or shown, by what came of it.");
    for (size_t fault = 0; fault < WEBAUTHN_FAULTS; fault++)
        prometheus_labelled(out, "passkey_checks_total", "result",
                            webauthn_fault_name((enum webauthn_fault)fault),
                            identity->passkey_results[fault]);
    prometheus_count(out, "passkey_counter_total", "counter",
                     "Passkeys let in whose counter did not go up: two may have them.",
                     identity->passkeys_copied);
}
