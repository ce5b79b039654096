#include "pass_change.h"

#include "batch.h"
#include "change.h"
#include "hub_private.h"
#include "pass.h"
#include "session.h"
#include <hub/bucket.h>
#include <hub/call.h>
#include <hub/kernel.h>
#include <string.h>

/* A new device, the link that made it, and one that makes room, with what features have on it. */
enum { CHANGE_OPS_MAX = 3 };

enum protocol_error pass_change_possible(const struct call *call, const struct session *session)
{
    const struct hub *hub = call->hub;
    const size_t ops =
        (size_t)hub->config.links_per_session + CHANGE_OPS_MAX + kernel_device_ops_max(hub);
    enum protocol_error error = change_allowed(hub, ops);
    if (error == PROTOCOL_OK && (session->changing || session->state != SESSION_STORED))
        error = PROTOCOL_SLOW_DOWN;
    return error;
}

enum protocol_error pass_change_allowed(const struct call *call, struct session *session)
{
    const struct hub *hub = call->hub;
    enum protocol_error error = pass_change_possible(call, session);
    if (error == PROTOCOL_OK &&
        !bucket_take(&session->pass_changes, &hub->rules.passes, hub->now_ms))
        error = PROTOCOL_SLOW_DOWN;
    return error;
}

/* What the store is asked for one pass, with `store`; else only how much that is. */
struct needs {
    size_t ops, text;
};

static void put(struct hub *hub, const struct pass *pass, struct needs *needs, bool store)
{
    const struct store_pass row = pass_row(pass, pass->next_name);
    needs->ops++;
    needs->text += strlen(row.name) + 1;
    if (store)
        batch_put_pass(hub->commit.filling, &row);
}

/* What features have on a device ends with it. */
static void drop(struct hub *hub, const struct pass *pass, struct needs *needs, bool store)
{
    const struct session *session = pass->session;
    needs->ops++;
    if (store)
        batch_drop_pass(hub->commit.filling, session->id, pass->id);
    if (pass->kind == STORE_PASS_DEVICE)
        needs->ops += kernel_drop_device(hub, session, pass->id, store);
}

static struct needs go_through(struct hub *hub, const struct session *session, bool store)
{
    struct needs needs = {0, 0};
    for (const struct pass *pass = session->passes; pass; pass = pass->next) {
        if (pass->state == PASS_NEW || pass->next_name)
            put(hub, pass, &needs, store);
        if (pass->state == PASS_GOING)
            drop(hub, pass, &needs, store);
    }
    return needs;
}

static void carry_out(struct hub *hub, struct session *session, struct kernel_change *change)
{
    (void)change;
    passes_settle(hub, session, true);
}

static void undo(struct hub *hub, struct session *session, struct kernel_change *change)
{
    (void)change;
    passes_settle(hub, session, false);
}

static void destroy(struct kernel_change *change)
{
    (void)change;
}

bool pass_change(const struct call *call, struct session *session, struct reply *reply, bool marked)
{
    static const struct kernel_change_type settling = {carry_out, undo, destroy};
    static struct kernel_change settle = {&settling}; /* all of it is in the passes */
    struct hub *hub = call->hub;
    const struct needs needs = go_through(hub, session, false);
    if (!marked || kernel_reserve(hub, needs.ops, needs.text) < 0) {
        call_reply_drop(reply);
    } else if (kernel_change_answered(call, session, reply, &settle) == 0) {
        go_through(hub, session, true);
        return true;
    }
    passes_settle(hub, session, false);
    call_error(call, PROTOCOL_INTERNAL, NULL);
    return false;
}
