#include "admin_ban.h"

#include "address.h"
#include "admin_wait.h"
#include "ban_change.h"
#include "ban_list.h"
#include "conn.h"
#include "hub_private.h"
#include "session.h"

void admin_ban_list(const struct hub *hub, struct writer *writer)
{
    ban_change_list(&hub->bans, hub->now_ms, writer);
}

bool admin_ban_decide(struct hub *hub, const struct admin_request *request, struct buffer *text,
                      struct refusal *refusal)
{
    const struct ban_change change = {request, hub->now_ms, (size_t)hub->config.bans};
    const uint64_t session = request->op == ADMIN_LIFT ? 0 : request->target.session;
    struct ban_list bans = {0};
    if (session && !session_find(hub, session)) {
        *refusal = (struct refusal){.code = "unknown_session", .text = "There is no such session."};
        return false;
    }
    const bool good = ban_change_decide(&change, &hub->bans, &bans, text, refusal);
    if (good)
        admin_wait_save(hub, request, &bans);
    ban_list_release(&bans);
    return good;
}

size_t admin_ban_close(struct hub *hub)
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

void admin_ban_apply(struct hub *hub, struct writer *writer)
{
    const struct admin_request *request = &hub->admin.request;
    ban_list_release(&hub->bans);
    hub->bans = hub->admin.bans;
    hub->admin.bans = (struct ban_list){0};
    const size_t closed = request->op == ADMIN_BAN ? admin_ban_close(hub) : 0;
    ban_change_write(request, hub->now_ms, closed, writer);
}
