#include <hub/document.h>

#include "connections/conn.h"
#include "feature_table.h"
#include "hub_private.h"
#include "kernel/call_private.h"
#include "kernel/document_change.h"
#include "limits/address.h"
#include "rooms/entry.h"
#include "rows/document_rows.h"
#include "sessions/session.h"
#include "waiting/batch.h"
#include <assert.h>
#include <hub/call.h>
#include <hub/kernel.h>
#include <hub/store_document.h>
#include <hub/store_row.h>
#include <hub/store_tables.h>
#include <string.h>

size_t hub_hold_document(struct hub *hub, const struct feature_document *document,
                         const void *value, int64_t revision, int64_t now_ms)
{
    entry_begin(hub, now_ms);
    document_change_held(hub, document, revision);
    const size_t closed = document->hold(hub, value);
    entry_end(hub);
    return closed;
}

size_t kernel_close_barred(struct hub *hub)
{
    uint32_t at = 0;
    size_t closed = 0;
    struct conn *conn;
    while ((conn = conn_next(hub, &at)) != NULL) {
        const uint64_t session = conn->session ? conn->session->id : 0;
        if (conn->state != CONN_OPEN ||
            features_barred_until_ms(hub, BAR_CONNECT, session, &conn->address->prefix) == 0)
            continue;
        closed += session_is_own(conn);
        conn_close(hub, conn, CLOSE_BANNED);
    }
    return closed;
}

/* ---- what features make of theirs */

bool hub_document_asked(struct hub *hub, struct hub_document_asked *asked)
{
    struct document_change *change = &hub->document_change;
    if (!change->text || change->taken)
        return false;
    change->taken = true;
    *asked = (struct hub_document_asked){.name = change->made_of.document->name,
                                         .text = change->text,
                                         .len = change->len,
                                         .revision = change->made_of.revision};
    return true;
}

void hub_document_answer(struct hub *hub, enum document_kept kept, int64_t now_ms)
{
    struct document_change *change = &hub->document_change;
    struct call call;
    if (!change->text || !change->taken) /* it was asked for by a hub that is gone */
        return;
    entry_begin(hub, now_ms);
    document_change_release(hub);
    if (!change->alone && call_again(hub, change->peer, change->id, change->op, &call))
        change->made_of.document->kept(&call, (int)kept);
    entry_end(hub);
}

/* ---- where the one part of a site keeps them */

static void put_row(struct hub *hub, const struct store_document *row)
{
    const struct pending pending = {.kind = PENDING_DOCUMENT, .op = REQUEST_OPS};
    batch_put_row(hub->commit.filling, &store_document_table, row);
    batch_defer(hub->commit.filling, &pending);
    hub->documents.state = DOCUMENT_WAITING;
}

bool hub_document_put(struct hub *hub, const char *name, const char *text, int64_t revision,
                      int64_t now_ms)
{
    struct store_document row = {.revision = revision, .text = text};
    assert(strlen(name) < sizeof row.name && revision > 0);
    memcpy(row.name, name, strlen(name));
    entry_begin(hub, now_ms);
    const bool may = hub->documents.state == DOCUMENT_NOTHING &&
                     store_row_is_valid(&store_document_table, &row) &&
                     kernel_may_store(hub, 1) == PROTOCOL_OK &&
                     batch_reserve(hub->commit.filling, 1, 1, 0,
                                   store_row_borrows(&store_document_table, &row)) == 0;
    if (may)
        put_row(hub, &row);
    entry_end(hub);
    return may;
}

char *hub_document_take(struct hub *hub, const char *name, size_t *len, int64_t *revision)
{
    return document_rows_take(hub, name, len, revision);
}

bool hub_document_next(struct hub *hub, bool *kept)
{
    return document_rows_next(hub, kept);
}
