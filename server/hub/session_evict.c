#include "session_evict.h"

#include "feature_table.h"
#include "hub_private.h"
#include "origin.h"
#include "pass.h"
#include "session.h"

enum { DAY_MS = 86400000 };

/* What it would mean to somebody to lose it. */
static int worth(const struct hub *hub, const struct session *session)
{
    const bool came_back = session->seen_ms - session->created_ms >= DAY_MS;
    const bool has_more =
        (session->passes && session->passes->next) || features_keep_session(hub, session);
    return 2 * came_back + has_more;
}

/* Not while something of it waits for the store. */
static bool may_go(const struct session *session)
{
    return session->state != SESSION_NEW && !session->changing;
}

static bool is_cheaper(const struct hub *hub, const struct session *a, const struct session *b)
{
    const int more = origin_compare(&hub->sessions.origins, &a->origin, &b->origin);
    return more != 0 ? more > 0 : worth(hub, a) < worth(hub, b);
}

struct session *session_find_cheapest(const struct hub *hub)
{
    struct session *found = NULL;
    for (struct session *at = hub->sessions.players.oldest; at; at = at->newer) {
        if (may_go(at) && (!found || is_cheaper(hub, at, found)))
            found = at;
    }
    return found;
}

struct session *session_next_as_cheap(const struct hub *hub, const struct session *session)
{
    struct session *at = session->newer;
    while (at && !(may_go(at) && origin_is_same(&at->origin, &session->origin) &&
                   worth(hub, at) == worth(hub, session)))
        at = at->newer;
    return at;
}
