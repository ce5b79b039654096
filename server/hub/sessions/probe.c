#include "probe.h"

#include "connections/conn.h"
#include "hub_private.h"
#include "session.h"

/* It may be asked again once it has answered. */
static bool is_asked(const struct conn *conn)
{
    return conn->probe_wanted || conn->probed_ms != 0;
}

void probe_session(struct hub *hub, struct session *session)
{
    for (struct conn *conn = session->conns; conn; conn = conn->session_next) {
        if (conn->state == CONN_OPEN && !is_asked(conn))
            conn_want_probe(hub, conn);
    }
}

static int64_t silent_from_ms(const struct hub *hub, const struct conn *conn)
{
    return conn->state == CONN_OPEN && conn->probed_ms != 0 ? conn->probed_ms + hub->config.probe_ms
                                                            : INT64_MAX;
}

struct conn *probe_find_silent(const struct hub *hub, const struct session *session,
                               uint32_t device)
{
    struct conn *found = NULL;
    for (struct conn *conn = session->conns; conn; conn = conn->session_next) {
        if (silent_from_ms(hub, conn) > hub->now_ms)
            continue;
        const bool nearer = found && (conn->device == device) != (found->device == device)
                                ? conn->device == device
                                : !found || conn->opened_ms <= found->opened_ms;
        if (nearer)
            found = conn;
    }
    return found;
}

int64_t probe_due_ms(const struct hub *hub, const struct session *session)
{
    int64_t due_ms = INT64_MAX;
    for (const struct conn *conn = session->conns; conn; conn = conn->session_next) {
        const int64_t from_ms = silent_from_ms(hub, conn);
        due_ms = from_ms < due_ms ? from_ms : due_ms;
    }
    return due_ms;
}

void probe_sent(const struct hub *hub, struct conn *conn)
{
    conn->probe_wanted = false;
    conn->probed_ms = hub->now_ms;
}

void probe_answered(struct conn *conn)
{
    conn->probed_ms = 0;
}
