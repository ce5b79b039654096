#include "op_analysis.h"

#include "connections/conn.h"
#include "hub_private.h"
#include "kernel/call_private.h"
#include "limits/address.h"
#include "limits/origin.h"
#include "rooms/hub_room.h"
#include "thinking/analysis.h"
#include "waiting/think_queue.h"
#include <hub/bucket.h>
#include <hub/call.h>
#include <room/analysis.h>
#include <stdlib.h>

/* Half of the smallest outbox; a match of 65 turns needs 13 kB. */
enum { ANALYSIS_BYTES_MAX = 65536 };

static void answer_call(const struct call *call, const char *room, const struct buffer *text)
{
    struct reply reply;
    call_reply_begin(call, &reply);
    writer_key_string(&reply.writer, "room", room);
    writer_key(&reply.writer, "analysis");
    writer_raw(&reply.writer, buffer_payload(text), text->len);
    call_reply(call, &reply, NULL);
}

/* ---- the job */

static struct analysis_job *job_of(struct think_job *job)
{
    return (struct analysis_job *)(void *)job;
}

static bool run_job(struct think_job *job, struct game_thinking *thinking)
{
    return room_analyse(job_of(job)->played, thinking, &job_of(job)->text);
}

/* `text` NULL: there is none, for this reason. */
static void answer_all(struct hub *hub, const struct analysis *analysis, const struct buffer *text,
                       enum protocol_error why)
{
    for (const struct asker *at = analysis->askers; at; at = at->next) {
        struct call call;
        if (!call_again(hub, at->peer, at->id, REQUEST_ANALYSIS, &call))
            continue;
        if (text)
            answer_call(&call, analysis->room, text);
        else
            call_error(&call, why, NULL);
    }
}

static void finish_job(struct hub *hub, struct think_job *job, bool answered)
{
    struct analysis *analysis = job_of(job)->analysis;
    answer_all(hub, analysis, answered ? &job_of(job)->text : NULL, PROTOCOL_INTERNAL);
    if (!answered) {
        analysis_remove(hub, analysis);
        return;
    }
    analysis_keep(hub, analysis, &job_of(job)->text);
    analyses_shrink(hub);
}

static void give_way(struct hub *hub, struct think_job *job)
{
    struct analysis *analysis = job_of(job)->analysis;
    answer_all(hub, analysis, NULL, PROTOCOL_BUSY);
    analysis_remove(hub, analysis);
}

void op_analysis_late(struct hub *hub)
{
    struct analysis *analysis;
    while ((analysis = analysis_late(hub))) {
        struct think_job *job = &analysis->job->job;
        give_way(hub, job);
        think_drop(hub, &job, THINK_LATE);
    }
}

static void release_job(struct think_job *job)
{
    room_played_destroy(job_of(job)->played);
    buffer_release(&job_of(job)->text);
    free(job_of(job));
}

/* NULL: no memory. */
static struct analysis_job *make_job(const struct call *call)
{
    struct analysis_job *job = calloc(1, sizeof *job);
    struct room_played *played = job ? room_played_create(call->hub_room->room) : NULL;
    if (!played) {
        free(job);
        return NULL;
    }
    job->job.kind = THINK_ANALYSIS;
    job->job.share = address_share(call->conn->address);
    job->job.origin = call->conn->address->origin;
    job->job.memory_bytes = room_analysis_bytes(call->hub_room->room);
    job->job.run = run_job;
    job->job.done = finish_job;
    job->job.give_way = give_way;
    job->job.release = release_job;
    job->played = played;
    buffer_init(&job->text, 0, ANALYSIS_BYTES_MAX);
    return job;
}

/* ---- asking */

static enum protocol_error wait_for(const struct call *call, struct analysis *analysis)
{
    bool waits = analysis_wait(call->hub, analysis, call->conn->peer, call->request->id);
    return waits ? PROTOCOL_OK : PROTOCOL_BUSY;
}

static enum protocol_error begin_analysis(const struct call *call)
{
    struct hub *hub = call->hub;
    struct analysis_job *job = make_job(call);
    struct analysis *analysis = job ? analysis_add(hub, call->hub_room->id, job) : NULL;
    enum protocol_error error = analysis ? wait_for(call, analysis) : PROTOCOL_INTERNAL;
    if (error == PROTOCOL_OK && !think_add(hub, &job->job))
        error = PROTOCOL_BUSY;
    if (error == PROTOCOL_OK)
        return PROTOCOL_OK;
    if (analysis)
        analysis_remove(hub, analysis);
    if (job)
        release_job(&job->job);
    return error;
}

/* As for the record, and only what cannot go back: a match that is over on the disk too. */
static enum protocol_error analysis_allowed(const struct call *call)
{
    const struct hub *hub = call->hub;
    const struct room *room = call->hub_room->room;
    size_t bytes = room_analysis_bytes(room);
    if (bytes == 0 || !think_can(hub, bytes))
        return PROTOCOL_NO_ANALYSIS;
    if (room_phase(room) != PROTOCOL_PHASE_OVER)
        return PROTOCOL_NOT_OVER;
    return hub_room_is_dirty(call->hub_room) ? PROTOCOL_BUSY : PROTOCOL_OK;
}

/* New ones have a rate; what is kept costs as much as any answer of its length. */
static enum protocol_error begin_at_a_rate(const struct call *call)
{
    const struct hub *hub = call->hub;
    struct bucket *bucket = &call->conn->address->analyses;
    return bucket_take(bucket, &hub->rules.analyses, hub->now_ms) ? begin_analysis(call)
                                                                  : PROTOCOL_SLOW_DOWN;
}

static enum protocol_error get_analysis(const struct call *call)
{
    struct analysis *analysis = analysis_find(call->hub, call->hub_room->id);
    if (!analysis)
        return begin_at_a_rate(call);
    if (analysis->job)
        return wait_for(call, analysis);
    analysis_touch(call->hub, analysis);
    answer_call(call, analysis->room, &analysis->text);
    return PROTOCOL_OK;
}

void op_analysis(struct call *call)
{
    enum protocol_error error = room_admits(call->hub_room->room, call->session->id, NULL);
    if (error != PROTOCOL_OK) {
        call_error(call, error, "code");
        return;
    }
    error = analysis_allowed(call);
    if (error == PROTOCOL_OK)
        error = get_analysis(call);
    if (error != PROTOCOL_OK)
        call_error(call, error, NULL);
}
