#include "op_device.h"

#include "challenge.h"
#include "credential.h"
#include "credential_change.h"
#include "op_passkey.h"
#include "passkey.h"
#include "signed_in.h"
#include <hub/call.h>
#include <hub/config.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <protocol/encoding.h>
#include <sodium.h>

static void write_devices(const struct call *call, struct reply *reply)
{
    call_reply_begin(call, reply);
    credentials_write(call->hub, call->session, kernel_device(call), &reply->writer);
}

void op_devices(struct call *call)
{
    struct reply reply;
    write_devices(call, &reply);
    call_reply(call, &reply, NULL);
}

/* ---- what may be changed */

/* The device that the request names. NULL: there is none, and that is answered. */
static struct credential *named_device(const struct call *call)
{
    struct credential *device =
        credential_device(call->hub, call->session, device_decode(call->request->device));
    if (device && device->kind == CREDENTIAL_DEVICE && device->state != CREDENTIAL_GOING)
        return device;
    call_error(call, PROTOCOL_UNKNOWN_DEVICE, "device");
    return NULL;
}

/* False: it is refused, and that is answered. */
static bool may_go_on(const struct call *call, enum protocol_error error)
{
    if (error == PROTOCOL_OK)
        return true;
    call_error(call, error, NULL);
    return false;
}

/* ---- ending a device */

/*
 * With a device that is not trusted any more go the links, which it may have made. The recovery
 * phrase stays: it may be all that its player has left, and making another one ends it.
 */
static void drop_with_links(const struct hub *hub, struct session *session,
                            struct credential *device)
{
    struct credential *link;
    credential_drop(device);
    while ((link = credential_oldest(hub, session, CREDENTIAL_LINK)) != NULL)
        credential_drop(link);
}

/*
 * Takes none of the rate of changes: each one ends a device, which was made within that rate, and a
 * device in wrong hands must not be able to use up what its player needs to end it.
 */
void op_forget(struct call *call)
{
    struct reply reply;
    struct credential *device = named_device(call);
    if (!device || !may_go_on(call, credential_change_possible(call->hub, call->session)))
        return;
    drop_with_links(call->hub, call->session, device);
    write_devices(call, &reply);
    credential_change(call, call->session, &reply, true);
}

/* ---- links and the phrase */

/* Of a kind of which there may be so many: the oldest ones make room. */
static void make_credential(const struct call *call, enum credential_kind kind, int64_t most)
{
    struct hub *hub = call->hub;
    struct session *session = call->session;
    struct credential_row row = {.id = credential_new_id(hub, session),
                                 .kind = kind,
                                 .since_ms = kernel_now_ms(hub),
                                 .seen_ms = kernel_now_ms(hub),
                                 .name = ""};
    char code[PROTOCOL_PASS_BYTES + 1];
    struct reply reply;
    while (credentials_count(hub, session, kind) >= (uint64_t)most)
        credential_drop(credential_oldest(hub, session, kind));
    credential_make_code(hub, row.secret_hash, code);
    bool added = credential_add(hub, session, &row, CREDENTIAL_NEW);
    call_reply_begin(call, &reply);
    writer_key_string(&reply.writer, "pass", code);
    if (kind == CREDENTIAL_LINK)
        writer_key_int(&reply.writer, "until", kernel_now_ms(hub) + kernel_config(hub)->link_ms);
    sodium_memzero(code, sizeof code);
    credential_change(call, call->session, &reply, added);
}

void op_link(struct call *call)
{
    if (may_go_on(call, credential_change_allowed(call, call->session)))
        make_credential(call, CREDENTIAL_LINK, kernel_config(call->hub)->links_per_session);
}

static void make_phrase(const struct call *call)
{
    if (may_go_on(call, credential_change_allowed(call, call->session)))
        make_credential(call, CREDENTIAL_PHRASE, 1);
}

/* Of an account it is all that its player has left, perhaps: whoever has the device alone does not
 * put another one in its place, or beside its passkeys. */
void op_phrase(struct call *call)
{
    if (!kernel_account(call->session) || challenge_is_proven(call))
        make_phrase(call);
    else if (credentials_count(call->hub, call->session, CREDENTIAL_PHRASE) > 0 ||
             signed_in_is_way_in(call->hub, call->session))
        call_error(call, PROTOCOL_PROOF_NEEDED, NULL);
    else if (kernel_env(call->hub)->passkeys)
        passkey_ask(call, PASSKEY_BY_SESSION, &(struct passkey_asked){0}, "");
    else
        make_phrase(call);
}

void op_phrase_queried(struct call *call, const struct store_query *query)
{
    if (op_passkey_any(call, query))
        call_error(call, PROTOCOL_PROOF_NEEDED, NULL);
    else
        make_phrase(call);
}

/* ---- the name of a device */

void op_rename_device(struct call *call)
{
    struct reply reply;
    struct credential *device = named_device(call);
    if (!device || !may_go_on(call, credential_change_allowed(call, call->session)))
        return;
    const bool marked = credential_rename(device, call->request->name);
    call_reply_begin(call, &reply);
    writer_key_string(&reply.writer, "name", call->request->name);
    credential_change(call, call->session, &reply, marked);
}
