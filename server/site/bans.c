#include "bans.h"

#include "site_private.h"
#include <site/bans.h>
#include <stdlib.h>

/* ---- what holds */

/* Hubs without memory keep what they had. */
static bool apply_to_all(struct site *site)
{
    struct site_bans *bans = &site->bans;
    bool good = true;
    for (unsigned part = 0; part < site->config.parts; part++) {
        struct hub *hub = site->parts[part].hub;
        size_t closed = 0;
        if (hub)
            good = hub_bans_replace(hub, bans->text, bans->len, site->now_ms, &closed) && good;
        bans->closed += closed;
    }
    bans->late = !good;
    return good;
}

bool site_bans(struct site *site, char *text, size_t len, int64_t revision, int64_t now_ms)
{
    struct site_bans *bans = &site->bans;
    site_set_time(site, now_ms);
    free(bans->text);
    bans->text = text;
    bans->len = len;
    bans->revision = revision;
    return apply_to_all(site);
}

/* The text can be read: what is missing is memory, and some time later there may be some. */
bool site_bans_again(struct site *site, int64_t now_ms)
{
    site_set_time(site, now_ms);
    return !site->bans.late || apply_to_all(site);
}

void site_bans_unreadable(struct site *site, int64_t revision)
{
    site->bans.revision = revision;
}

bool site_bans_give(struct site *site, struct hub *hub, int64_t now_ms)
{
    const struct site_bans *bans = &site->bans;
    size_t closed;
    return bans->text && hub_bans_replace(hub, bans->text, bans->len, now_ms, &closed);
}

int64_t site_bans_revision(const struct site *site)
{
    return site->bans.revision;
}

void bans_release(struct site *site)
{
    free(site->bans.text);
}

/* ---- what the operator asks */

bool bans_show(const struct site *site, const struct admin_request *request, struct buffer *line,
               struct refusal *refusal)
{
    const struct site_bans *bans = &site->bans;
    if (!bans->text)
        *refusal = (struct refusal){.error = PROTOCOL_STORE_FAILING};
    else if (!bans_text_show(bans->text, bans->len, request->id, site->now_ms, line))
        *refusal = (struct refusal){.error = PROTOCOL_INTERNAL};
    else
        return true;
    return false;
}

/* Of a session whose home is elsewhere nobody here knows. */
static bool is_unknown(const struct site *site, const struct admin_request *request)
{
    const uint64_t session = request->target.session;
    const struct hub *home =
        session ? site->parts[part_of_session(session, site->config.parts)].hub : NULL;
    return home && request->op != ADMIN_LIFT && !hub_has_session(home, session);
}

bool bans_change(const struct site *site, const struct admin_request *request, size_t most,
                 struct buffer *changed, struct refusal *refusal)
{
    const struct site_bans *bans = &site->bans;
    *refusal = (struct refusal){.error = PROTOCOL_STORE_FAILING};
    if (most == 0 || !bans->text)
        return false;
    if (is_unknown(site, request)) {
        *refusal = (struct refusal){.code = "unknown_session", .text = "There is no such session."};
        return false;
    }
    return bans_text_change(bans->text, bans->len, request, site->now_ms, most, changed, refusal);
}
