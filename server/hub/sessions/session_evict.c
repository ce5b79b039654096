#include "session_evict.h"

#include "feature_table.h"
#include "hub_private.h"
#include "limits/origin.h"
#include "session.h"
#include "waiting/batch.h"

enum { DAY_MS = 86400000 };

/* What it would mean to somebody to lose it. */
static int worth(const struct hub *hub, const struct session *session)
{
    const bool came_back = session->seen_ms - session->created_ms >= DAY_MS;
    const bool has_more = features_keep_session(hub, session);
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

/* From where most come; there who has least to lose; of these who has been away longest. */
static struct session *find_cheapest(const struct hub *hub)
{
    struct session *found = NULL;
    for (struct session *at = hub->sessions.players.oldest; at; at = at->newer) {
        if (may_go(at) && (!found || is_cheaper(hub, at, found)))
            found = at;
    }
    return found;
}

/* The next of the queue that is as cheap as that one. */
static struct session *next_as_cheap(const struct hub *hub, const struct session *session)
{
    struct session *at = session->newer;
    while (at && !(may_go(at) && origin_is_same(&at->origin, &session->origin) &&
                   worth(hub, at) == worth(hub, session)))
        at = at->newer;
    return at;
}

/* Looking for the cheapest is dear, so of many from one origin some more go at once. */
static size_t evict_at_once(const struct hub *hub, const struct session *session)
{
    enum { PART_OF_THEM = 64, MOST = 64 };
    const size_t count = hub->sessions.origins.of[0][session->origin.at[0]] / PART_OF_THEM;
    return count < 1 ? 1 : count < MOST ? count : MOST;
}

static bool evict_some(struct hub *hub)
{
    enum { EVICT_LEAVES = 16 }; /* places in the batch, for what they make room for */
    struct session *session = find_cheapest(hub);
    size_t left = session ? evict_at_once(hub, session) : 0;
    bool any = false;
    while (session && left-- > 0) {
        struct session *next = next_as_cheap(hub, session);
        if ((any && !batch_has_room(hub, EVICT_LEAVES)) || !session_drop(hub, session))
            break;
        hub->metrics.sessions_evicted++;
        any = true;
        session = next;
    }
    return any;
}

bool sessions_make_room(struct hub *hub)
{
    return sessions_have_room(hub) || evict_some(hub);
}
