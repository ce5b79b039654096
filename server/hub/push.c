#include <hub/push.h>

#include "feature_table.h"
#include "hub_private.h"
#include "rooms/entry.h"

bool hub_push_take(struct hub *hub, struct hub_push_job *job, int64_t now_ms)
{
    const struct feature_poster *poster = hub->features.poster;
    entry_begin(hub, now_ms);
    return poster && poster->take(hub, job);
}

void hub_push_done(struct hub *hub, uint64_t ticket, enum hub_push_outcome outcome,
                   int64_t retry_after_ms, int64_t now_ms)
{
    entry_begin(hub, now_ms);
    hub->features.poster->done(hub, ticket, (int)outcome, retry_after_ms);
    entry_end(hub);
}
