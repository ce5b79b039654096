#include <friends/friends.h>

#include "follow.h"
#include "follow_table.h"
#include "forget.h"
#include "online.h"
#include "state.h"
#include <hub/call.h>
#include <hub/kernel.h>
#include <hub/prometheus.h>

static int begin_feature(struct hub *hub)
{
    follows_init(hub);
    return 0;
}

static void end_feature(struct hub *hub)
{
    online_release(hub);
    follows_release(hub);
}

static void session_gone(struct hub *hub, struct session *session)
{
    follows_gone(hub, kernel_session_id(session));
}

static void pass_query_on(struct call *call, const struct store_query *query)
{
    if (call->request->op == REQUEST_FRIENDS)
        friends_queried(call, query);
    else
        follow_queried(call, query);
}

static void write_figures(const struct hub *hub, struct buffer *out)
{
    prometheus_count(out, "follows", "gauge", "People whom accounts follow.", follows_in_all(hub));
}

static const struct request_row requests[] = {
    {REQUEST_FOLLOW, REQUEST_AT_HOME, op_follow},
    {REQUEST_UNFOLLOW, REQUEST_AT_HOME, op_unfollow},
    {REQUEST_FRIENDS, REQUEST_LONG | REQUEST_AT_HOME, op_friends},
    {REQUEST_PRESENCE, REQUEST_AT_HOME, op_presence},
};

static const struct store_table *const tables[] = {&follow_table, &unseen_table, NULL};

const struct feature feature_friends = {
    .name = "friends",
    .memory = &friends_memory,
    .begin = begin_feature,
    .end = end_feature,
    .requests = requests,
    .request_count = sizeof requests / sizeof requests[0],
    .queried = pass_query_on,
    .forget = forget_followed,
    .hear = online_hear,
    .follows = follows_has,
    .deadline_ms = online_deadline_ms,
    .tick = online_tick,
    .session_gone = session_gone,
    .write_figures = write_figures,
    .tables = tables,
    .restore_row = follow_restore,
};
