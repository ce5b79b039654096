#include "document_change.h"

#include "connections/conn.h"
#include "feature_table.h"
#include "hub_private.h"
#include <assert.h>
#include <hub/call.h>
#include <hub/kernel.h>
#include <stdlib.h>
#include <string.h>

static struct document_held *find_held(struct document_change *change,
                                       const struct feature_document *document)
{
    size_t at = 0;
    while (at < change->held_count && change->held[at].document != document)
        at++;
    return at < change->held_count ? &change->held[at] : NULL;
}

void document_change_held(struct hub *hub, const struct feature_document *document,
                          int64_t revision)
{
    struct document_change *change = &hub->document_change;
    struct document_held *held = find_held(change, document);
    if (!held) {
        assert(change->held_count < STORE_DOCUMENTS_MAX);
        held = &change->held[change->held_count++];
    }
    *held = (struct document_held){document, revision};
}

void document_change_release(struct hub *hub)
{
    free(hub->document_change.text);
    hub->document_change.text = NULL;
}

/* PROTOCOL_OK: it waits, and whose it is is to be said. */
static enum protocol_error make_change(struct hub *hub, const struct feature_document *document,
                                       const char *text, size_t len)
{
    struct document_change *change = &hub->document_change;
    const struct document_held *held = find_held(change, document);
    assert(len <= STORE_DOCUMENT_BYTES_MAX);
    if (!held)
        return PROTOCOL_STORE_FAILING;
    if (change->text)
        return PROTOCOL_SLOW_DOWN;
    change->text = strndup(text, len);
    if (!change->text)
        return PROTOCOL_INTERNAL;
    change->len = len;
    change->made_of = *held;
    change->taken = false;
    change->alone = true;
    return PROTOCOL_OK;
}

enum protocol_error kernel_change_document(const struct call *call, const char *text, size_t len)
{
    struct document_change *change = &call->hub->document_change;
    const enum request_op op = call->request->op;
    const struct feature *owner = call->hub->features.owners[op];
    assert(owner->document && owner->document->kept);
    const enum protocol_error error = make_change(call->hub, owner->document, text, len);
    if (error != PROTOCOL_OK)
        return error;
    change->alone = false;
    change->peer = call->conn->peer;
    change->id = call->request->id;
    change->op = op;
    return PROTOCOL_OK;
}

enum protocol_error kernel_make_document(struct hub *hub, const struct feature_document *document,
                                         const char *text, size_t len)
{
    return make_change(hub, document, text, len);
}
