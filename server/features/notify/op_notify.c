#include "op_notify.h"

#include "browser.h"
#include "state.h"
#include <hub/bucket.h>
#include <hub/call.h>
#include <hub/config.h>
#include <hub/hub.h>
#include <hub/push.h>
#include <protocol/encoding.h>
#include <sodium.h>
#include <string.h>

/* ---- checking */

static bool decode_base64(uint8_t *out, size_t size, const char *text)
{
    size_t len;
    return sodium_base642bin(out, size, text, strlen(text), NULL, &len, NULL,
                             sodium_base64_VARIANT_URLSAFE_NO_PADDING) == 0 &&
           len == size;
}

static struct bucket_rule changes_rule(const struct hub *hub)
{
    enum { MINUTE_MS = 60000 };
    const struct hub_config *config = kernel_config(hub);
    return (struct bucket_rule){config->notifies_burst, config->notifies_per_min, MINUTE_MS};
}

int64_t notify_wait_ms(const struct hub *hub, const struct session *session)
{
    const struct bucket_rule rule = changes_rule(hub);
    return bucket_wait_ms(&notify_of_session(hub, session)->changes, &rule, kernel_now_ms(hub));
}

/* One change at a time: the next one is decided by what this one leaves. */
static enum protocol_error may_change(const struct call *call)
{
    const struct bucket_rule rule = changes_rule(call->hub);
    enum protocol_error error = kernel_may_store(call->hub, BROWSERS_MAX + 1);
    if (error == PROTOCOL_OK && kernel_session_is_changing(call->session))
        error = PROTOCOL_SLOW_DOWN;
    if (error == PROTOCOL_OK && !bucket_take(&notify_of_session(call->hub, call->session)->changes,
                                             &rule, kernel_now_ms(call->hub)))
        error = PROTOCOL_SLOW_DOWN;
    return error;
}

/* A server that sends no messages answers as one that does not know the operation. */
static bool is_offered(const struct call *call)
{
    if (kernel_env(call->hub)->push)
        return true;
    call_error(call, PROTOCOL_UNKNOWN_OP, "op");
    return false;
}

/* NULL: fine. */
static const char *bad_field(const struct call *call, uint8_t point[HUB_PUSH_POINT_BYTES],
                             uint8_t auth[HUB_PUSH_AUTH_BYTES])
{
    enum { UNCOMPRESSED = 4 };
    const struct hub_push *push = kernel_env(call->hub)->push;
    const struct request *request = call->request;
    if (!push->allowed(push->ctx, request->endpoint))
        return "endpoint";
    if (!decode_base64(point, HUB_PUSH_POINT_BYTES, request->p256dh) || point[0] != UNCOMPRESSED)
        return "p256dh";
    return decode_base64(auth, HUB_PUSH_AUTH_BYTES, request->auth) ? NULL : "auth";
}

/* ---- changing */

static struct browser *browsers_of(const struct call *call)
{
    return notify_of_session(call->hub, call->session)->browsers;
}

/* Takes the change over. The reply waits for it to be durable. */
static void make_change(const struct call *call, struct browser_change *change)
{
    struct reply reply;
    if (kernel_reserve(call->hub, browser_change_ops(change), browser_change_text(change)) == 0) {
        call_reply_begin(call, &reply);
        browsers_write(browsers_of(call), change, &reply.writer);
        if (kernel_change_answered(call, call->session, &reply, &change->change) == 0) {
            browser_change_store(call->hub, kernel_session_id(call->session), change);
            return;
        }
    }
    browser_change_free(change);
    call_error(call, PROTOCOL_INTERNAL, NULL);
}

/* The oldest one makes room. */
static struct browser_change *change_to_add(struct browser *browsers, struct browser *add)
{
    const bool replaces = add && browser_find(browsers, add->key);
    unsigned count = 0;
    struct browser_change *wanted = add ? browser_change_create(add) : NULL;
    for (const struct browser *browser = browsers; browser; browser = browser->next)
        count++;
    if (wanted && count >= BROWSERS_MAX && !replaces)
        browser_change_drop(wanted, browsers->key);
    return wanted;
}

void op_notify(struct call *call)
{
    uint8_t point[HUB_PUSH_POINT_BYTES], auth[HUB_PUSH_AUTH_BYTES];
    if (!is_offered(call))
        return;
    const char *field = bad_field(call, point, auth);
    enum protocol_error error = field ? PROTOCOL_BAD_FIELD : may_change(call);
    if (error != PROTOCOL_OK) {
        call_error(call, error, field);
        return;
    }
    struct browser *browser = browser_create(call->request->endpoint, kernel_now_ms(call->hub));
    if (browser) {
        browser->device = kernel_device(call);
        memcpy(browser->point, point, sizeof browser->point);
        memcpy(browser->auth, auth, sizeof browser->auth);
    }
    struct browser_change *wanted = change_to_add(browsers_of(call), browser);
    if (wanted)
        make_change(call, wanted);
    else
        call_error(call, PROTOCOL_INTERNAL, NULL);
}

/* All of them, or the one that was asked for. */
static void drop_wanted(const struct call *call, struct browser_change *wanted)
{
    const bool all = !request_has(call->request, REQUEST_ENDPOINT);
    const uint64_t key = all ? 0 : browser_key(call->request->endpoint);
    for (const struct browser *browser = browsers_of(call); browser; browser = browser->next) {
        if (all || browser->key == key)
            browser_change_drop(wanted, browser->key);
    }
}

static void reply_unchanged(const struct call *call)
{
    struct reply reply;
    call_reply_begin(call, &reply);
    browsers_write(browsers_of(call), NULL, &reply.writer);
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
        make_change(call, wanted);
        return;
    }
    browser_change_free(wanted);
    reply_unchanged(call);
}
