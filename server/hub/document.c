#include <hub/document.h>

#include "address.h"
#include "conn.h"
#include "entry.h"
#include "feature_table.h"
#include "hub_private.h"
#include "session.h"
#include <hub/kernel.h>

size_t hub_hold_document(struct hub *hub, const struct feature_document *document,
                         const void *value, int64_t now_ms)
{
    entry_begin(hub, now_ms);
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
