#include "admin_ban.h"

#include "address.h"
#include "admin_wait.h"
#include "ban_list.h"
#include "conn.h"
#include "hub_private.h"
#include "session.h"
#include <hub/ban_target.h>
#include <string.h>

enum { MARGIN_BYTES = 1024 };

void admin_ban_list(const struct hub *hub, struct writer *writer)
{
    writer_key_array(writer, "bans");
    for (size_t i = 0; i < hub->bans.count; i++) {
        if (hub->bans.items[i].until_ms <= hub->now_ms)
            continue;
        writer_object(writer);
        ban_write(&hub->bans.items[i], writer);
        writer_end(writer);
    }
    writer_end(writer);
}

/* ---- deciding */

static bool refuse(struct refusal *refusal, const char *code, const char *text)
{
    *refusal = (struct refusal){.code = code, .text = text};
    return false;
}

static bool refuse_memory(struct refusal *refusal)
{
    *refusal = (struct refusal){.error = PROTOCOL_INTERNAL};
    return false;
}

static bool refuse_many(struct refusal *refusal)
{
    return refuse(refusal, "too_many_bans", "There are too many bans; lift some.");
}

static bool may_put(const struct hub *hub, const struct admin_request *request,
                    struct refusal *refusal)
{
    const struct ban_target *target = &request->target;
    if (target->session && !session_find(hub, target->session))
        return refuse(refusal, "unknown_session", "There is no such session.");
    if (!request->force && ban_target_is_dangerous(target))
        return refuse(refusal, "too_wide",
                      "That would be nearly everybody, or everybody behind a proxy on this "
                      "machine; it needs force.");
    return true;
}

static bool put(const struct hub *hub, const struct admin_request *request, struct ban_list *bans,
                struct refusal *refusal)
{
    struct ban ban = {.target = request->target,
                      .silence = request->op == ADMIN_SILENCE,
                      .since_ms = hub->now_ms,
                      .until_ms = hub->now_ms + request->for_s * 1000};
    memcpy(ban.reason, request->text, sizeof ban.reason);
    if (!may_put(hub, request, refusal))
        return false;
    if (ban_list_put(bans, &ban) < 0)
        return refuse_memory(refusal);
    return bans->count <= (size_t)hub->config.bans || refuse_many(refusal);
}

static bool change(const struct hub *hub, const struct admin_request *request,
                   struct ban_list *bans, struct refusal *refusal)
{
    if (request->op != ADMIN_LIFT)
        return put(hub, request, bans, refusal);
    return ban_list_lift(bans, &request->target) > 0 ||
           refuse(refusal, "not_banned", "There is no ban or silence for just that.");
}

/* An answer that lists them all must have room for them, and for a little more. */
static bool write_text(const struct ban_list *bans, struct buffer *text, struct refusal *refusal)
{
    ban_list_write(bans, text);
    if (text->len > ADMIN_ANSWER_BYTES - MARGIN_BYTES)
        return refuse_many(refusal);
    return !text->failed || refuse_memory(refusal);
}

bool admin_ban_decide(struct hub *hub, const struct admin_request *request, struct buffer *text,
                      struct refusal *refusal)
{
    struct ban_list bans;
    if (ban_list_copy(&bans, &hub->bans, hub->now_ms) < 0)
        return refuse_memory(refusal);
    bool good = change(hub, request, &bans, refusal);
    if (good)
        good = write_text(&bans, text, refusal);
    if (good)
        admin_wait_save(hub, request, &bans);
    ban_list_release(&bans);
    return good;
}

/* ---- applying */

/* How many connections. */
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
        conn_close(hub, conn, CLOSE_BANNED);
        closed++;
    }
    return closed;
}

void admin_ban_apply(struct hub *hub, struct writer *writer)
{
    const struct admin_request *request = &hub->admin.request;
    char target[BAN_TARGET_TEXT];
    ban_list_release(&hub->bans);
    hub->bans = hub->admin.bans;
    hub->admin.bans = (struct ban_list){0};
    ban_target_format(&request->target, target);
    writer_key_string(writer, "target", target);
    if (request->op != ADMIN_LIFT)
        writer_key_int(writer, "until", hub->now_ms + request->for_s * 1000);
    if (request->op == ADMIN_BAN)
        writer_key_int(writer, "closed", (int64_t)close_banned(hub));
}
