#include <hub/bans.h>

#include "address.h"
#include "ban_change.h"
#include "ban_list.h"
#include "conn.h"
#include "entry.h"
#include "hub_private.h"
#include "session.h"

static bool read_text(struct ban_list *bans, const char *text, size_t len)
{
    *bans = (struct ban_list){0};
    return len == 0 || ban_list_read(bans, text, len);
}

bool bans_text_change(const char *text, size_t len, const struct admin_request *request,
                      int64_t now_ms, size_t most, struct buffer *changed, struct refusal *refusal)
{
    const struct ban_change change = {request, now_ms, most};
    struct ban_list before, bans = {0};
    *refusal = (struct refusal){.error = PROTOCOL_INTERNAL};
    if (!read_text(&before, text, len))
        return false;
    const bool good = ban_change_decide(&change, &before, &bans, changed, refusal);
    ban_list_release(&before);
    ban_list_release(&bans);
    return good;
}

bool bans_text_good(const char *text, size_t len)
{
    struct ban_list bans;
    const bool good = read_text(&bans, text, len);
    ban_list_release(&bans);
    return good;
}

bool bans_text_any(const char *text, size_t len)
{
    struct ban_list bans;
    const bool any = read_text(&bans, text, len) && bans.count > 0;
    ban_list_release(&bans);
    return any;
}

bool bans_text_show(const char *text, size_t len, int64_t id, int64_t now_ms, struct buffer *line)
{
    struct writer writer;
    struct ban_list bans;
    if (!read_text(&bans, text, len))
        return false;
    writer_init(&writer, line);
    reply_begin(&writer, id);
    ban_change_list(&bans, now_ms, &writer);
    reply_end(&writer);
    buffer_append_byte(line, '\n');
    ban_list_release(&bans);
    return true;
}

void bans_text_changed(const struct admin_request *request, int64_t now_ms, size_t closed,
                       struct buffer *line)
{
    struct writer writer;
    writer_init(&writer, line);
    reply_begin(&writer, request->id);
    ban_change_write(request, now_ms, closed, &writer);
    reply_end(&writer);
    buffer_append_byte(line, '\n');
}

/* Who is banned now: how many connections, but for those of clients that are at home in another
 * part. */
static size_t close_banned(struct hub *hub)
{
    uint32_t at = 0;
    size_t closed = 0;
    struct conn *conn;
    while ((conn = conn_next(hub, &at)) != NULL) {
        const uint64_t session = conn->session ? conn->session->id : 0;
        if (conn->state != CONN_OPEN ||
            !ban_list_find(&hub->bans, false, session, &conn->address->prefix, hub->now_ms))
            continue;
        closed += session_is_own(conn);
        conn_close(hub, conn, CLOSE_BANNED);
    }
    return closed;
}

bool hub_bans_replace(struct hub *hub, const char *text, size_t len, int64_t now_ms, size_t *closed)
{
    struct ban_list bans;
    *closed = 0;
    if (!read_text(&bans, text, len))
        return false;
    entry_begin(hub, now_ms);
    ban_list_release(&hub->bans);
    hub->bans = bans;
    *closed = close_banned(hub);
    entry_end(hub);
    return true;
}

bool hub_has_session(const struct hub *hub, uint64_t session)
{
    return session_find(hub, session);
}
