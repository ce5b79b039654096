#include "operator_link.h"

#include "credential.h"
#include "credential_change.h"
#include "tell_devices.h"
#include <hub/admin_request.h>
#include <hub/config.h>
#include <hub/kernel.h>
#include <protocol/reply.h>
#include <sodium.h>

static bool refuse_request(struct refusal *refusal, enum protocol_error error, const char *field)
{
    *refusal = (struct refusal){.error = error, .field = field};
    return false;
}

/* In the batch, in place of the oldest if there are too many. False: no memory. */
static bool make_link(struct hub *hub, struct session *session, char code[PROTOCOL_PASS_BYTES + 1])
{
    const uint64_t most = (uint64_t)kernel_config(hub)->links_per_session;
    struct credential_row row = {.id = credential_new_id(hub, session),
                                 .kind = CREDENTIAL_LINK,
                                 .since_ms = kernel_now_ms(hub),
                                 .seen_ms = kernel_now_ms(hub),
                                 .name = ""};
    while (credentials_count(hub, session, CREDENTIAL_LINK) >= most)
        credential_drop(credential_oldest(hub, session, CREDENTIAL_LINK));
    credential_make_code(hub, row.secret_hash, code);
    const bool added = credential_add(hub, session, &row, CREDENTIAL_NEW);
    return credential_change_by_operator(hub, session, added);
}

bool operator_links(struct hub *hub, const struct admin_request *request, struct writer *writer,
                    struct refusal *refusal)
{
    struct session *session = kernel_session_find(hub, request->session);
    char code[PROTOCOL_PASS_BYTES + 1];
    if (!session || !kernel_account(session))
        return refuse_request(refusal, PROTOCOL_UNKNOWN_HANDLE, "handle");
    if (kernel_account(session)->kind == ACCOUNT_BOT) /* which programs enter, by tokens alone */
        return refuse_request(refusal, PROTOCOL_BAD_FIELD, "handle");
    const enum protocol_error error = credential_change_possible(hub, session);
    if (error != PROTOCOL_OK)
        return refuse_request(refusal, error, NULL);
    if (!make_link(hub, session, code))
        return refuse_request(refusal, PROTOCOL_INTERNAL, NULL);
    tell_devices_when_durable(hub, session, "A link to your account was made.");
    writer_key_string(writer, "handle", kernel_account(session)->handle);
    writer_key_string(writer, "pass", code);
    writer_key_int(writer, "until", kernel_now_ms(hub) + kernel_config(hub)->link_ms);
    sodium_memzero(code, sizeof code);
    kernel_log(hub, "account_link", request->session, true);
    return true;
}
