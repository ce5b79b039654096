#include "credential_change.h"

#include "credential.h"
#include "state.h"
#include <hub/bucket.h>
#include <hub/call.h>
#include <hub/config.h>
#include <hub/kernel.h>
#include <string.h>

/* A new device, the link that made it, and one that makes room, with what features have on it. */
enum { CHANGE_OPS_MAX = 3 };

static struct bucket_rule rule_of(const struct hub *hub)
{
    enum { MINUTE_MS = 60000 };
    const struct hub_config *config = kernel_config(hub);
    return (struct bucket_rule){config->passes_burst, config->passes_per_min, MINUTE_MS};
}

/* Only what takes of the rate waits for it. */
int64_t credential_change_wait_ms(const struct hub *hub, const struct session *session,
                                  const struct request *request)
{
    const struct bucket_rule rule = rule_of(hub);
    const bool is_change = request->op == REQUEST_ADOPT || request->op == REQUEST_LINK ||
                           request->op == REQUEST_PHRASE ||
                           (request->op == REQUEST_RENAME && request_has(request, REQUEST_DEVICE));
    return is_change ? bucket_wait_ms(&identity_of_session(hub, session)->changes, &rule,
                                      kernel_now_ms(hub))
                     : 0;
}

enum protocol_error credential_change_possible(const struct hub *hub, const struct session *session)
{
    const struct hub_config *config = kernel_config(hub);
    const size_t ops = (size_t)config->links_per_session + (size_t)config->tokens_per_account +
                       CHANGE_OPS_MAX + kernel_device_ops_max(hub);
    enum protocol_error error = kernel_may_store(hub, ops);
    if (error == PROTOCOL_OK &&
        (kernel_session_is_changing(session) || !kernel_session_is_durable(session)))
        error = PROTOCOL_SLOW_DOWN;
    return error;
}

enum protocol_error credential_change_allowed(const struct call *call, struct session *session)
{
    const struct hub *hub = call->hub;
    const struct bucket_rule rule = rule_of(hub);
    enum protocol_error error = credential_change_possible(hub, session);
    if (error == PROTOCOL_OK &&
        !bucket_take(&identity_of_session(hub, session)->changes, &rule, kernel_now_ms(hub)))
        error = PROTOCOL_SLOW_DOWN;
    return error;
}

/* What the store is asked for one credential, with `store`; else only how much that is. */
struct needs {
    size_t ops, text;
};

static void put_credential(struct hub *hub, const struct credential *credential,
                           struct needs *needs, bool store)
{
    const char *name = credential->next_name ? credential->next_name : credential->name;
    needs->ops++;
    needs->text += strlen(name) + 1;
    if (store)
        credential_put(hub, credential, name);
}

/* What features have on a device ends with it. */
static void drop_credential(struct hub *hub, const struct credential *credential,
                            struct needs *needs, bool store)
{
    const struct session *session = credential->session;
    needs->ops++;
    if (store)
        credential_drop_row(hub, credential);
    if (credential->kind == CREDENTIAL_DEVICE)
        needs->ops += kernel_drop_device(hub, session, credential->id, store);
}

static struct needs go_through(struct hub *hub, const struct session *session, bool store)
{
    struct needs needs = {0, 0};
    for (const struct credential *credential = identity_of_session(hub, session)->credentials;
         credential; credential = credential->next) {
        if (credential->state == CREDENTIAL_NEW || credential->next_name)
            put_credential(hub, credential, &needs, store);
        if (credential->state == CREDENTIAL_GOING)
            drop_credential(hub, credential, &needs, store);
    }
    return needs;
}

static void carry_out(struct hub *hub, struct session *session, struct kernel_change *change)
{
    (void)change;
    credentials_settle(hub, session, true);
}

static void undo_change(struct hub *hub, struct session *session, struct kernel_change *change)
{
    (void)change;
    credentials_settle(hub, session, false);
}

static void destroy_nothing(struct kernel_change *change)
{
    (void)change;
}

static const struct kernel_change_type settling = {
    .carry_out = carry_out, .undo = undo_change, .destroy = destroy_nothing};
static struct kernel_change settle = {&settling}; /* all of it is in the credentials */

bool credential_change_by_operator(struct hub *hub, struct session *session, bool marked)
{
    const struct needs needs = go_through(hub, session, false);
    if (!marked || kernel_reserve(hub, needs.ops, needs.text) < 0) {
        credentials_settle(hub, session, false);
        return false;
    }
    kernel_change_session(hub, session, &settle);
    go_through(hub, session, true);
    return true;
}

bool credential_change(const struct call *call, struct session *session, struct reply *reply,
                       bool marked)
{
    struct hub *hub = call->hub;
    const struct needs needs = go_through(hub, session, false);
    if (!marked || kernel_reserve(hub, needs.ops, needs.text) < 0) {
        call_reply_drop(reply);
    } else if (kernel_change_answered(call, session, reply, &settle) == 0) {
        go_through(hub, session, true);
        return true;
    }
    credentials_settle(hub, session, false);
    call_error(call, PROTOCOL_INTERNAL, NULL);
    return false;
}
