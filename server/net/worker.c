#include "worker.h"

#include <assert.h>
#include <net/clock.h>
#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

struct job { /* a read */
    struct store_read read;
    struct job *next;
};

struct jobs {
    struct job *first, **last;
};

struct worker {
    struct store *store;
    void (*wake)(void *ctx);
    void *ctx;
    uv_thread_t thread;
    struct store_commit commit; /* the store's while it is under way */
    int64_t begun_us;

    uv_mutex_t mutex; /* all below */
    uv_cond_t work;
    bool stopping;
    unsigned under_way; /* given to the store, not done */
    bool given;         /* a commit, not begun */
    bool committed;     /* done, not taken */
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

/* ---- on whatever thread the store is done on */

/* Called with the mutex held; unlocks it. The worker may be destroyed right after. */
static void one_is_done(struct worker *worker)
{
    worker->under_way--;
    worker->wake(worker->ctx);
    uv_cond_signal(&worker->work);
    uv_mutex_unlock(&worker->mutex);
}

static void commit_is_done(struct store_commit *commit)
{
    struct worker *worker = commit->ctx;
    uv_mutex_lock(&worker->mutex);
    worker->committed = true;
    worker->elapsed_us = net_clock_monotonic_us() - worker->begun_us;
    one_is_done(worker);
}

static void read_is_done(struct store_read *read)
{
    struct worker *worker = read->ctx;
    uv_mutex_lock(&worker->mutex);
    jobs_put(&worker->answered, (struct job *)read);
    one_is_done(worker);
}

/* ---- the thread */

/* Called and left with the mutex held, as the next one. */
static void begin_commit(struct worker *worker)
{
    worker->given = false;
    worker->under_way++;
    worker->begun_us = net_clock_monotonic_us();
    uv_mutex_unlock(&worker->mutex);
    worker->store->engine->commit(worker->store, &worker->commit);
    uv_mutex_lock(&worker->mutex);
}

static void begin_read(struct worker *worker, struct job *job)
{
    worker->under_way++;
    uv_mutex_unlock(&worker->mutex);
    worker->store->engine->read(worker->store, &job->read);
    uv_mutex_lock(&worker->mutex);
}

/* Commits go first: somebody's move waits for each. */
static void run(void *arg)
{
    struct worker *worker = arg;
    uv_mutex_lock(&worker->mutex);
    for (;;) {
        struct job *job;
        if (worker->given)
            begin_commit(worker);
        else if ((job = jobs_take(&worker->asked)))
            begin_read(worker, job);
        else if (worker->stopping && worker->under_way == 0)
            break;
        else
            uv_cond_wait(&worker->work, &worker->mutex);
    }
    uv_mutex_unlock(&worker->mutex);
}

/* ---- the loop's side */

struct worker *worker_create(struct store *store, void (*wake)(void *ctx), void *ctx)
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
    struct store_read *read;
    while ((read = worker_take_read(worker)))
        worker_read_release(read);
    uv_cond_destroy(&worker->work);
    uv_mutex_destroy(&worker->mutex);
    free(worker);
}

void worker_commit(struct worker *worker, const struct store_batch *batch)
{
    uv_mutex_lock(&worker->mutex);
    assert(!worker->given && !worker->committed);
    worker->commit = (struct store_commit){.batch = batch, .done = commit_is_done, .ctx = worker};
    worker->given = true;
    uv_cond_signal(&worker->work);
    uv_mutex_unlock(&worker->mutex);
}

bool worker_read(struct worker *worker, const char *room_id)
{
    struct job *job = calloc(1, sizeof *job);
    if (!job)
        return false;
    job->read.done = read_is_done;
    job->read.ctx = worker;
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
    if (committed) {
        *result = worker->commit.result;
        *elapsed_us = worker->elapsed_us;
    }
    worker->committed = false;
    uv_mutex_unlock(&worker->mutex);
    return committed;
}

struct store_read *worker_take_read(struct worker *worker)
{
    uv_mutex_lock(&worker->mutex);
    struct job *job = jobs_take(&worker->answered);
    uv_mutex_unlock(&worker->mutex);
    return job ? &job->read : NULL;
}

/* It is the first member of its job. */
void worker_read_release(struct store_read *read)
{
    read->release(read);
    free(read);
}
