#include "op_notify.h"

#include "batch.h"
#include "blob.h"
#include "browser.h"
#include "call_private.h"
#include "change.h"
#include "hub_private.h"
#include "session.h"
#include <hub/bucket.h>
#include <hub/call.h>
#include <hub/push.h>
#include <protocol/encoding.h>
#include <sodium.h>
#include <string.h>

/* ---- checking */

static bool decode(uint8_t *out, size_t size, const char *text)
{
    size_t len;
    return sodium_base642bin(out, size, text, strlen(text), NULL, &len, NULL,
                             sodium_base64_VARIANT_URLSAFE_NO_PADDING) == 0 &&
           len == size;
}

/* One change at a time: the next one is decided by what this one leaves. */
static enum protocol_error may_change(const struct call *call)
{
    enum protocol_error error = change_allowed(call->hub, BROWSERS_MAX + 1);
    if (error == PROTOCOL_OK && call->session->changing)
        error = PROTOCOL_SLOW_DOWN;
    if (error == PROTOCOL_OK &&
        !bucket_take(&call->session->notifies, &call->hub->rules.notifies, call->hub->now_ms))
        error = PROTOCOL_SLOW_DOWN;
    return error;
}

/* A server that sends no messages answers as one that does not know the operation. */
static bool is_offered(const struct call *call)
{
    if (call->hub->env.push)
        return true;
    call_error(call, PROTOCOL_UNKNOWN_OP, "op");
    return false;
}

/* NULL: fine. */
static const char *bad_field(const struct call *call, uint8_t point[STORE_PUSH_POINT_BYTES],
                             uint8_t auth[STORE_PUSH_AUTH_BYTES])
{
    enum { UNCOMPRESSED = 4 };
    const struct hub_push *push = call->hub->env.push;
    const struct request *request = call->request;
    if (!push->allowed(push->ctx, request->endpoint))
        return "endpoint";
    if (!decode(point, STORE_PUSH_POINT_BYTES, request->p256dh) || point[0] != UNCOMPRESSED)
        return "p256dh";
    return decode(auth, STORE_PUSH_AUTH_BYTES, request->auth) ? NULL : "auth";
}

/* ---- changing */

/* Takes the change over. The reply waits for it to be durable. */
static void change(const struct call *call, struct browser_change *change)
{
    struct batch *batch = call->hub->commit.filling;
    struct pending pending = call_pending(call, PENDING_BROWSERS);
    struct reply reply;
    call_reply_begin(call, &reply);
    browsers_write(call->session->browsers, change, &reply.writer);
    pending.blob = reply_blob(&reply);
    if (!pending.blob ||
        batch_reserve(batch, browser_change_ops(change), 1, 0, browser_change_text(change)) < 0) {
        blob_unref(pending.blob);
        browser_change_free(change);
        call_error(call, PROTOCOL_INTERNAL, NULL);
        return;
    }
    pending.session = call->session->id;
    pending.u.browsers = change;
    call->session->changing = true;
    browser_change_store(call->hub, call->session->id, change);
    batch_defer(batch, &pending);
}

/* The oldest one makes room. */
static struct browser_change *change_to_add(const struct session *session, struct browser *add)
{
    const bool replaces = add && browser_find(session->browsers, add->key);
    unsigned count = 0;
    struct browser_change *wanted = add ? browser_change_create(add) : NULL;
    for (const struct browser *browser = session->browsers; browser; browser = browser->next)
        count++;
    if (wanted && count >= BROWSERS_MAX && !replaces)
        browser_change_drop(wanted, session->browsers->key);
    return wanted;
}

void op_notify(struct call *call)
{
    uint8_t point[STORE_PUSH_POINT_BYTES], auth[STORE_PUSH_AUTH_BYTES];
    if (!is_offered(call))
        return;
    const char *field = bad_field(call, point, auth);
    enum protocol_error error = field ? PROTOCOL_BAD_FIELD : may_change(call);
    if (error != PROTOCOL_OK) {
        call_error(call, error, field);
        return;
    }
    struct browser *browser = browser_create(call->request->endpoint, call->hub->now_ms);
    if (browser) {
        browser->device = call->conn->device;
        memcpy(browser->point, point, sizeof browser->point);
        memcpy(browser->auth, auth, sizeof browser->auth);
    }
    struct browser_change *wanted = change_to_add(call->session, browser);
    if (wanted)
        change(call, wanted);
    else
        call_error(call, PROTOCOL_INTERNAL, NULL);
}

/* All of them, or the one that was asked for. */
static void drop_wanted(const struct call *call, struct browser_change *wanted)
{
    const bool all = !request_has(call->request, REQUEST_ENDPOINT);
    const uint64_t key = all ? 0 : browser_key(call->request->endpoint);
    for (const struct browser *browser = call->session->browsers; browser;
         browser = browser->next) {
        if (all || browser->key == key)
            browser_change_drop(wanted, browser->key);
    }
}

static void reply_unchanged(const struct call *call)
{
    struct reply reply;
    call_reply_begin(call, &reply);
    browsers_write(call->session->browsers, NULL, &reply.writer);
    call_reply(call, &reply, NULL);
}

void op_unnotify(struct call *call)
{
    if (!is_offered(call))
        return;
    enum protocol_error error = may_change(call);
    struct browser_change *wanted = error == PROTOCOL_OK ? browser_change_create(NULL) : NULL;
    if (!wanted) {
        call_error(call, error == PROTOCOL_OK ? PROTOCOL_INTERNAL : error, NULL);
        return;
    }
    drop_wanted(call, wanted);
    if (browser_change_ops(wanted) > 0) {
        change(call, wanted);
        return;
    }
    browser_change_free(wanted);
    reply_unchanged(call);
}
