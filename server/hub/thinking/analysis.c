#include "analysis.h"

#include "hub_private.h"
#include "key_map.h"
#include "waiting/think_queue.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* An id is its own key: 8 characters. */
static uint64_t key_of(const char *room)
{
    uint64_t key;
    memcpy(&key, room, sizeof key);
    return key;
}

struct analysis *analysis_find(const struct hub *hub, const char *room)
{
    size_t at = 0;
    return key_map_find(&hub->analyses.by_room, key_of(room), &at);
}

static struct analysis_list *list_of(struct hub *hub, const struct analysis *analysis)
{
    return analysis->job ? &hub->analyses.waiting : &hub->analyses.kept;
}

static void link_newest(struct hub *hub, struct analysis *analysis)
{
    struct analysis_list *list = list_of(hub, analysis);
    analysis->newer = NULL;
    analysis->older = list->newest;
    *(analysis->older ? &analysis->older->newer : &list->oldest) = analysis;
    list->newest = analysis;
}

static void unlink_analysis(struct hub *hub, struct analysis *analysis)
{
    struct analysis_list *list = list_of(hub, analysis);
    *(analysis->older ? &analysis->older->newer : &list->oldest) = analysis->newer;
    *(analysis->newer ? &analysis->newer->older : &list->newest) = analysis->older;
}

void analysis_touch(struct hub *hub, struct analysis *analysis)
{
    unlink_analysis(hub, analysis);
    link_newest(hub, analysis);
}

/* ---- waiting for one */

struct analysis *analysis_add(struct hub *hub, const char *room, struct analysis_job *job)
{
    struct analysis *analysis = calloc(1, sizeof *analysis);
    if (!analysis || key_map_put(&hub->analyses.by_room, key_of(room), analysis) < 0) {
        free(analysis);
        return NULL;
    }
    memcpy(analysis->room, room, sizeof analysis->room);
    analysis->last = &analysis->askers;
    analysis->job = job;
    analysis->until_ms = hub->now_ms + hub->config.analysis_wait_ms;
    job->analysis = analysis;
    link_newest(hub, analysis);
    return analysis;
}

bool analysis_wait(struct hub *hub, struct analysis *analysis, struct hub_peer peer, int64_t id)
{
    assert(analysis->job);
    if (analysis->asker_count >= (size_t)hub->config.askers_per_analysis)
        return false;
    struct asker *asker = malloc(sizeof *asker);
    if (!asker)
        return false;
    *asker = (struct asker){.peer = peer, .id = id};
    *analysis->last = asker;
    analysis->last = &asker->next;
    analysis->asker_count++;
    return true;
}

static void release_askers(struct analysis *analysis)
{
    while (analysis->askers) {
        struct asker *asker = analysis->askers;
        analysis->askers = asker->next;
        free(asker);
    }
}

void analysis_remove(struct hub *hub, struct analysis *analysis)
{
    key_map_remove(&hub->analyses.by_room, key_of(analysis->room), analysis);
    unlink_analysis(hub, analysis);
    hub->analyses.bytes -= analysis->text.size;
    release_askers(analysis);
    buffer_release(&analysis->text);
    free(analysis);
}

/* ---- keeping them */

void analysis_keep(struct hub *hub, struct analysis *analysis, struct buffer *text)
{
    unlink_analysis(hub, analysis);
    analysis->job = NULL;
    link_newest(hub, analysis);
    release_askers(analysis);
    analysis->text = *text;
    memset(text, 0, sizeof *text);
    hub->analyses.bytes += analysis->text.size;
}

void analyses_shrink(struct hub *hub)
{
    struct analyses *analyses = &hub->analyses;
    while (analyses->bytes > (size_t)hub->config.analysis_bytes) {
        assert(analyses->kept.oldest);
        analysis_remove(hub, analyses->kept.oldest);
    }
}

/* ---- late */

/* The oldest of those that wait, as all may wait for the same time. */
int64_t analyses_deadline_ms(const struct hub *hub)
{
    const struct analysis *oldest = hub->analyses.waiting.oldest;
    return oldest ? oldest->until_ms : INT64_MAX;
}

struct analysis *analysis_late(const struct hub *hub)
{
    struct analysis *oldest = hub->analyses.waiting.oldest;
    return oldest && oldest->until_ms <= hub->now_ms ? oldest : NULL;
}

/* ---- nobody waits */

static void forget_asker(struct analysis *analysis, struct hub_peer peer)
{
    struct asker **link = &analysis->askers;
    while (*link) {
        struct asker *asker = *link;
        if (asker->peer.index != peer.index || asker->peer.generation != peer.generation) {
            link = &asker->next;
            continue;
        }
        *link = asker->next;
        analysis->asker_count--;
        free(asker);
    }
    analysis->last = link;
}

void analyses_forget(struct hub *hub, struct hub_peer peer)
{
    struct think_job *job;
    struct analysis *older;
    for (struct analysis *at = hub->analyses.waiting.newest; at; at = older) {
        older = at->older;
        forget_asker(at, peer);
        if (at->asker_count > 0)
            continue;
        job = &at->job->job;
        analysis_remove(hub, at);
        think_drop(hub, &job, THINK_CANCELLED);
    }
}

/* The jobs are the queue's. */
void analyses_release(struct hub *hub)
{
    while (hub->analyses.waiting.newest)
        analysis_remove(hub, hub->analyses.waiting.newest);
    while (hub->analyses.kept.newest)
        analysis_remove(hub, hub->analyses.kept.newest);
    key_map_release(&hub->analyses.by_room);
}
