#include "hint_job.h"

#include "hub_private.h"
#include "rooms/hub_room.h"
#include "waiting/think_queue.h"
#include <room/hint.h>
#include <stdlib.h>
#include <string.h>

bool hint_job_add(struct hub *hub, struct hint_job *hint_job)
{
    if (!think_add(hub, &hint_job->job))
        return false;
    hint_job->next = hub->hints.first;
    hint_job->self = &hub->hints.first;
    if (hint_job->next)
        hint_job->next->self = &hint_job->next;
    hub->hints.first = hint_job;
    return true;
}

void hint_job_remove(struct hint_job *hint_job)
{
    *hint_job->self = hint_job->next;
    if (hint_job->next)
        hint_job->next->self = hint_job->self;
}

void hint_job_release(struct think_job *job)
{
    struct hint_job *hint_job = (struct hint_job *)(void *)job;
    free(hint_job->hint);
    free(hint_job);
}

void hint_jobs_follow(struct hub *hub, const struct hub_room *hub_room)
{
    for (struct hint_job *at = hub->hints.first; at; at = at->next) {
        if (strcmp(at->room, hub_room->id) == 0 && !room_hint_holds(hub_room->room, at->hint))
            hub_think_cancel(&at->job);
    }
}

/* The oldest one, which is the last, as all may wait for the same time. */
static struct hint_job *oldest_job(const struct hub *hub)
{
    struct hint_job *at = hub->hints.first;
    while (at && at->next)
        at = at->next;
    return at;
}

int64_t hint_jobs_deadline_ms(const struct hub *hub)
{
    const struct hint_job *first = oldest_job(hub);
    return first ? first->until_ms : INT64_MAX;
}

struct hint_job *hint_job_late(const struct hub *hub)
{
    struct hint_job *first = oldest_job(hub);
    return first && first->until_ms <= hub->now_ms ? first : NULL;
}

void hint_jobs_forget(struct hub *hub, struct hub_peer peer)
{
    struct hint_job *next;
    for (struct hint_job *at = hub->hints.first; at; at = next) {
        struct think_job *job = &at->job;
        next = at->next;
        if (at->peer.index != peer.index || at->peer.generation != peer.generation)
            continue;
        hint_job_remove(at);
        think_drop(hub, &job, THINK_CANCELLED);
    }
}
