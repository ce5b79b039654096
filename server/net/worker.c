#include "worker.h"

#include <assert.h>
#include <net/clock.h>
#include <net/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

struct job {
    struct job *next;
    struct worker_read read;
};

struct jobs {
    struct job *first, **last;
};

struct worker {
    const struct net_store *store;
    void (*wake)(void *ctx);
    void *ctx;
    uv_thread_t thread;

    uv_mutex_t mutex; /* all below */
    uv_cond_t work;
    bool stopping;
    const struct store_batch *batch; /* given, not begun */
    bool committed;                  /* done, not taken */
    enum store_result result;
    int64_t elapsed_us;
    struct jobs asked, answered;
};

static void jobs_init(struct jobs *jobs)
{
    jobs->first = NULL;
    jobs->last = &jobs->first;
}

static void jobs_put(struct jobs *jobs, struct job *job)
{
    job->next = NULL;
    *jobs->last = job;
    jobs->last = &job->next;
}

static struct job *jobs_take(struct jobs *jobs)
{
    struct job *job = jobs->first;
    if (job) {
        jobs->first = job->next;
        if (!jobs->first)
            jobs->last = &jobs->first;
    }
    return job;
}

/* Here, as the message is the store's until its next call. */
static void log_failure(const struct worker *worker, const char *event, enum store_result result)
{
    log_text_number(LOG_ERROR, event, "why", worker->store->message(worker->store->ctx), "result",
                    result);
}

/* Called and left with the mutex held, as the next one. */
static void do_commit(struct worker *worker)
{
    const struct store_batch *batch = worker->batch;
    worker->batch = NULL;
    uv_mutex_unlock(&worker->mutex);
    int64_t begun_us = net_clock_monotonic_us();
    enum store_result result = worker->store->commit(worker->store->ctx, batch);
    int64_t elapsed_us = net_clock_monotonic_us() - begun_us;
    if (result != STORE_OK)
        log_failure(worker, "store_commit_failed", result);
    uv_mutex_lock(&worker->mutex);
    worker->committed = true;
    worker->result = result;
    worker->elapsed_us = elapsed_us;
    uv_mutex_unlock(&worker->mutex);
    worker->wake(worker->ctx);
    result = worker->store->tidy(worker->store->ctx); /* nobody waits for it */
    if (result != STORE_OK)
        log_failure(worker, "store_tidy_failed", result);
    uv_mutex_lock(&worker->mutex);
}

static void do_read(struct worker *worker, struct job *job)
{
    uv_mutex_unlock(&worker->mutex);
    struct worker_read *read = &job->read;
    read->result =
        worker->store->read(worker->store->ctx, read->room_id, &read->read, &read->owner);
    if (read->result != STORE_OK)
        log_failure(worker, "store_read_failed", read->result);
    uv_mutex_lock(&worker->mutex);
    jobs_put(&worker->answered, job);
    uv_mutex_unlock(&worker->mutex);
    worker->wake(worker->ctx);
    uv_mutex_lock(&worker->mutex);
}

/* Commits go first: somebody's move waits for each. */
static void run(void *arg)
{
    struct worker *worker = arg;
    uv_mutex_lock(&worker->mutex);
    for (;;) {
        struct job *job;
        if (worker->batch)
            do_commit(worker);
        else if ((job = jobs_take(&worker->asked)))
            do_read(worker, job);
        else if (worker->stopping)
            break;
        else
            uv_cond_wait(&worker->work, &worker->mutex);
    }
    uv_mutex_unlock(&worker->mutex);
}

struct worker *worker_create(const struct net_store *store, void (*wake)(void *ctx), void *ctx)
{
    struct worker *worker = calloc(1, sizeof *worker);
    if (!worker)
        return NULL;
    worker->store = store;
    worker->wake = wake;
    worker->ctx = ctx;
    jobs_init(&worker->asked);
    jobs_init(&worker->answered);
    if (uv_mutex_init(&worker->mutex) != 0)
        goto free_worker;
    if (uv_cond_init(&worker->work) != 0)
        goto destroy_mutex;
    if (uv_thread_create(&worker->thread, run, worker) != 0)
        goto destroy_cond;
    return worker;
destroy_cond:
    uv_cond_destroy(&worker->work);
destroy_mutex:
    uv_mutex_destroy(&worker->mutex);
free_worker:
    free(worker);
    return NULL;
}

void worker_destroy(struct worker *worker)
{
    if (!worker)
        return;
    uv_mutex_lock(&worker->mutex);
    worker->stopping = true;
    uv_cond_signal(&worker->work);
    uv_mutex_unlock(&worker->mutex);
    uv_thread_join(&worker->thread);
    struct worker_read read;
    while (worker_take_read(worker, &read))
        worker->store->release(read.owner);
    uv_cond_destroy(&worker->work);
    uv_mutex_destroy(&worker->mutex);
    free(worker);
}

void worker_commit(struct worker *worker, const struct store_batch *batch)
{
    uv_mutex_lock(&worker->mutex);
    assert(!worker->batch && !worker->committed);
    worker->batch = batch;
    uv_cond_signal(&worker->work);
    uv_mutex_unlock(&worker->mutex);
}

bool worker_read(struct worker *worker, const char *room_id)
{
    struct job *job = calloc(1, sizeof *job);
    if (!job)
        return false;
    snprintf(job->read.room_id, sizeof job->read.room_id, "%s", room_id);
    uv_mutex_lock(&worker->mutex);
    jobs_put(&worker->asked, job);
    uv_cond_signal(&worker->work);
    uv_mutex_unlock(&worker->mutex);
    return true;
}

bool worker_take_commit(struct worker *worker, enum store_result *result, int64_t *elapsed_us)
{
    uv_mutex_lock(&worker->mutex);
    bool committed = worker->committed;
    worker->committed = false;
    *result = worker->result;
    *elapsed_us = worker->elapsed_us;
    uv_mutex_unlock(&worker->mutex);
    return committed;
}

bool worker_take_read(struct worker *worker, struct worker_read *read)
{
    uv_mutex_lock(&worker->mutex);
    struct job *job = jobs_take(&worker->answered);
    uv_mutex_unlock(&worker->mutex);
    if (!job)
        return false;
    *read = job->read;
    free(job);
    return true;
}
